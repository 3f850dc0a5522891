//! `agon tei`: a Tak engine for other programs, in both dialects of the Tak Engine Interface.
//!
//! | module | holds |
//! |---|---|
//! | `request` | what a line asks for |
//! | `engine` | the position, the options and the search that may be running |
//!
//! The dialect is that of the last `teinewgame`: `teinewgame 6` for the common one, `teinewgame size 6 halfkomi 4` for
//! the draft one, which also reports proven results and errors.

mod engine;
mod request;

use crate::failure::Failure;
use crate::output::{emit, tell};
use engine::Engine;
pub use engine::Say;
use request::Request;
use std::io::{BufRead, Read};

/// Longer lines are no requests; the longest game is far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// `agon tei`.
pub fn command() -> Result<(), Failure> {
    let say = |line: &str| {
        // A client that has stopped reading will close our input too.
        let _ = emit(&format!("{line}\n"));
    };
    if let Err(error) = converse(&mut std::io::stdin().lock(), Box::new(say), Box::new(tell)) {
        tell(&format!("cannot read standard input: {error}"));
    }
    Ok(())
}

/// Answers requests until `quit` or the end of the input. `say` takes the answers, one or more lines at a time, and
/// `complain` what is wrong with a request.
pub fn converse(input: &mut impl BufRead, say: Say, complain: Say) -> std::io::Result<()> {
    let mut engine = Engine::new(say, complain);
    let ended = loop {
        match next_line(input) {
            Ok(Some(line)) => match Request::read(&line) {
                Request::Quit => break Ok(()),
                request => engine.answer(request),
            },
            Ok(None) => {
                engine.finish();
                break Ok(());
            }
            Err(error) => break Err(error),
        }
    };
    engine.stop();
    ended
}

/// The next line, whatever bytes it is made of; one that is too long is empty.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST_LINE {
        skip_line(input)?;
        bytes.clear();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_bytes_and_length_are_read() {
        let mut text = b"tei\n\xff\xfe go\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 << 20));
        text.extend(b"\nquit");
        let mut input = &text[..];
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["tei", "\u{fffd}\u{fffd} go", "", "quit"]);
    }
}
