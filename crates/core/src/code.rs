//! Codes of taking-and-breaking games: which numbers of heaps may be left when `i` counters are taken.
//!
//! ```
//! use agon_core::Code;
//! let kayles: Code = "0.77".parse()?;
//! assert_eq!(kayles.takes(2), [1, 2]);
//! assert_eq!("0.77000".parse(), Ok(kayles));
//! assert!("0.7x".parse::<Code>().is_err());
//! # Ok::<(), agon_core::code::CodeError>(())
//! ```

use crate::family::shorten;
use std::fmt;
use std::str::FromStr;

/// An octal or hexadecimal code `d0.d1d2d3…`: bit `j` of digit `d_i` allows taking `i` counters from a heap and
/// leaving exactly `j` heaps, none of them empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code {
    digits: Vec<u8>,
    unequal: bool,
}

/// Why a text is no code. Displays as one line with the input and what would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeError {
    given: String,
    why: String,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid code `{}`: {}", shorten(&self.given), self.why)
    }
}

impl std::error::Error for CodeError {}

impl CodeError {
    /// The reason alone.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl Code {
    /// No code is longer than this.
    pub const LONGEST: usize = 4096;

    /// Codes that [`Code::from_str`] reads, each with what it is known as.
    pub const EXAMPLES: [(&str, &str); 6] = [
        ("0.007", "Ellie's heaps"),
        ("kayles", "0.77"),
        ("dawson", "0.137"),
        ("grundy", "split into unequal heaps"),
        ("0.6", "officers"),
        ("0.07", "Dawson's kayles"),
    ];

    /// Takes exactly the given amounts, leaving one heap or none.
    ///
    /// The amounts must lie in `1..=Code::LONGEST`.
    #[must_use]
    pub fn subtraction(amounts: &[usize]) -> Code {
        let mut digits = vec![0; amounts.iter().max().map_or(1, |most| most + 1)];
        for &amount in amounts {
            assert!((1..=Self::LONGEST).contains(&amount), "an amount out of range");
            digits[amount] = 3;
        }
        Code { digits, unequal: false }
    }

    /// Grundy's game: a heap is split into two unequal ones, and nothing is taken.
    #[must_use]
    pub fn grundy() -> Code {
        Code { digits: vec![4], unequal: true }
    }

    /// Returns whether two heaps left by one move must differ.
    #[must_use]
    pub fn unequal(&self) -> bool {
        self.unequal
    }

    /// The amounts after whose taking exactly `heaps` heaps may be left.
    #[must_use]
    pub fn takes(&self, heaps: u32) -> Vec<usize> {
        (0..self.digits.len()).filter(|&i| self.digits[i] >> heaps & 1 == 1).collect()
    }

    /// The largest amount that can be taken.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.digits.len() - 1
    }

    /// The most heaps one move can leave.
    #[must_use]
    pub fn most_heaps(&self) -> usize {
        (0..4).rev().find(|&heaps| self.digits.iter().any(|digit| digit >> heaps & 1 == 1)).unwrap_or(0)
    }

    fn from_digits(mut digits: Vec<u8>) -> Code {
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Code { digits, unequal: false }
    }
}

impl FromStr for Code {
    type Err = CodeError;

    /// Reads `0.007`, `.007`, `4.` and the names `kayles`, `dawson` (Dawson's chess) and `grundy`.
    fn from_str(given: &str) -> Result<Code, CodeError> {
        let fail = |why: &str| CodeError { given: given.to_string(), why: why.to_string() };
        let text = given.trim();
        match text.to_ascii_lowercase().as_str() {
            "kayles" => return "0.77".parse(),
            "dawson" => return "0.137".parse(),
            "grundy" => return Ok(Code::grundy()),
            _ => {}
        }
        let (zero, rest) = text.split_once('.').ok_or_else(|| fail("expected digits with a point, such as 0.007"))?;
        if zero.len() > 1 {
            return Err(fail("expected one digit before the point, or none"));
        }
        if rest.len() > Self::LONGEST {
            return Err(fail("expected at most 4096 digits after the point"));
        }
        let digit = |c: char| c.to_digit(16).map(|d| d as u8);
        let all: Option<Vec<u8>> =
            "0".chars().take(1 - zero.len()).chain((zero.to_string() + rest).chars()).map(digit).collect();
        let digits = all.ok_or_else(|| fail("expected digits 0 to 7 (octal) or 0 to f (hexadecimal)"))?;
        if digits[0] & 3 != 0 {
            return Err(fail("digit zero takes nothing, so it must be 0, 4, 8 or c"));
        }
        Ok(Code::from_digits(digits))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unequal {
            return f.write_str("grundy");
        }
        write!(f, "{:x}.", self.digits[0])?;
        self.digits[1..].iter().try_for_each(|digit| write!(f, "{digit:x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_and_written() {
        for (given, shown) in [
            ("0.007", "0.007"),
            (".77", "0.77"),
            ("4.", "4."),
            ("4.0", "4."),
            (" Kayles ", "0.77"),
            ("dawson", "0.137"),
            ("grundy", "grundy"),
            ("0.8F", "0.8f"),
            (".", "0."),
        ] {
            let code: Code = given.parse().expect(given);
            assert_eq!(code.to_string(), shown);
            assert_eq!(shown.parse(), Ok(code));
        }
    }

    #[test]
    fn errors_say_what_would_do() {
        for (given, why) in [
            ("007", "invalid code `007`: expected digits with a point, such as 0.007"),
            ("12.3", "invalid code `12.3`: expected one digit before the point, or none"),
            ("0.-1", "invalid code `0.-1`: expected digits 0 to 7 (octal) or 0 to f (hexadecimal)"),
            ("é.7", "invalid code `é.7`: expected one digit before the point, or none"),
            ("3.7", "invalid code `3.7`: digit zero takes nothing, so it must be 0, 4, 8 or c"),
        ] {
            assert_eq!(given.parse::<Code>().map_err(|e| e.to_string()), Err(why.to_string()));
        }
    }

    #[test]
    fn subtraction_sets_are_codes() {
        assert_eq!(Code::subtraction(&[1, 3, 4]).to_string(), "0.3033");
        assert_eq!(Code::subtraction(&[1, 3, 4]).takes(1), [1, 3, 4]);
        assert_eq!(Code::grundy().most_heaps(), 2);
    }
}
