//! Text files whose last line is a hash of everything before it.

/// The prefix of the last line.
const KEY: &str = "blake3 ";

/// The reason why a text cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// The last line is not a hash.
    Truncated,
    /// The hash does not match the text.
    Changed,
}

/// Adds the hash. The text must end in a line break.
#[must_use]
pub fn seal(mut text: String) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(KEY);
    text.push_str(&hash);
    text.push('\n');
    text
}

/// The text before the hash, if the hash matches.
pub fn open(text: &str) -> Result<&str, Broken> {
    let at = text.rfind(KEY).filter(|&at| text[..at].ends_with('\n')).ok_or(Broken::Truncated)?;
    let (body, hash) = text.split_at(at);
    let own = blake3::hash(body.as_bytes()).to_hex();
    if hash.strip_prefix(KEY).and_then(|rest| rest.strip_suffix('\n')) == Some(&own) {
        Ok(body)
    } else {
        Err(Broken::Changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_and_every_cut_is_found() {
        let text = "first\nsecond\n";
        let sealed = seal(text.to_string());
        assert_eq!(open(&sealed), Ok(text));
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = std::str::from_utf8(&bytes) {
                assert!(open(changed).is_err(), "{changed:?}");
            }
            assert!(open(&sealed[..at]).is_err(), "cut at {at}");
        }
        assert_eq!(open(text), Err(Broken::Truncated));
        assert_eq!(open(&format!("{sealed}\n")), Err(Broken::Changed));
    }
}
