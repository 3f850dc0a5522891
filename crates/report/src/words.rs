//! Colour, numbers and tables: how reports are worded.

use anstyle::{AnsiColor, Style};
use num_bigint::BigUint;

/// The use of colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(bool);

impl Paint {
    /// No colour.
    pub const PLAIN: Paint = Paint(false);

    /// Colour if `wanted`.
    #[must_use]
    pub fn new(wanted: bool) -> Paint {
        Paint(wanted)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.0 { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// For headings and answers.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    /// For what is as claimed.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.styled(AnsiColor::Green.on_default(), text)
    }

    /// For what is not.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default(), text)
    }

    /// For what needs a second look.
    #[must_use]
    pub fn warn(self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default(), text)
    }
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 position`, `2,000 positions`.
#[must_use]
pub fn counted(number: impl ToString, what: &str) -> String {
    let number = grouped(number);
    if number == "1" { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `; better is a3, then b3 b1`: the line that a mistake should have begun; nothing if none is known.
#[must_use]
pub fn better(line: &[String]) -> String {
    match line {
        [] => String::new(),
        [best] => format!("; better is {best}"),
        [best, rest @ ..] => format!("; better is {best}, then {}", rest.join(" ")),
    }
}

/// A number as JSON: as a string once it is beyond what every reader keeps exactly.
#[must_use]
pub fn exact(number: &BigUint) -> serde_json::Value {
    match u64::try_from(number) {
        Ok(small) if small < 1 << 53 => small.into(),
        _ => number.to_string().into(),
    }
}

/// Rows with aligned columns; numbers to the right.
#[must_use]
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let numeric: Vec<bool> = (0..head.len())
        .map(|c| {
            !rows.is_empty() && rows.iter().all(|r| r[c].bytes().all(|b| b.is_ascii_digit() || b"-,.".contains(&b)))
        })
        .collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().enumerate().map(|(c, cell)| {
            let pad = " ".repeat(widths[c] - cell.chars().count());
            if numeric[c] { format!("{pad}{cell}") } else { format!("{cell}{pad}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut out = line(head.to_vec());
    out.push_str(&line(
        widths
            .iter()
            .map(|w| &"────────────────────────────────────────────────────────────"[..3 * (*w).min(60)])
            .collect(),
    ));
    rows.iter().for_each(|row| out.push_str(&line(row.iter().map(String::as_str).collect())));
    out
}

/// Seconds as a person says them.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 90.0 => format!("{s:.1} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A cell of a table of comma-separated values.
#[must_use]
pub fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_counted() {
        for (n, text) in [(0u64, "0"), (999, "999"), (1000, "1,000"), (986_410, "986,410"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
        assert_eq!((counted(1, "line"), counted(1200, "line")), ("1 line".into(), "1,200 lines".into()));
    }

    #[test]
    fn big_numbers_become_strings_in_json() {
        assert_eq!(exact(&BigUint::from(255_168u32)), serde_json::json!(255_168));
        assert_eq!(exact(&(BigUint::from(1u8) << 53)), serde_json::json!("9007199254740992"));
    }

    #[test]
    fn tables_are_aligned() {
        let rows = [vec!["a".to_string(), "9".to_string()], vec!["bcd".to_string(), "1,000".to_string()]];
        assert_eq!(table(&["id", "n"], &rows), "id       n\n───  ─────\na        9\nbcd  1,000\n");
    }
}
