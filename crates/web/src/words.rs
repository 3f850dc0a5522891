//! Words for pages. What goes wrong below is said in the words of the command line; a page has no flags.

use serde_json::Value;

/// What a page says instead.
const INSTEAD: &[(&str, &str)] = &[
    ("; give more with --time", "; give it more"),
    ("the node budget is used up; give more with --nodes", "not settled by as much work as one answer may take"),
    ("; allow more with --memory, or leave --strong out", "; allow more memory, or ask for this position alone"),
    ("allow more with --memory", "allow more memory"),
    ("--strong", "the value of every reachable position"),
    ("--all", "a list of all wrong moves"),
    ("--repair", "a repair"),
    ("--claim draw", "a claim to a draw"),
    ("; try more with --most", ""),
    (", continue with --resume", ""),
];

/// The text without names of command-line flags.
pub(crate) fn for_pages(text: &str) -> String {
    if !names_a_flag(text) {
        return text.to_string();
    }
    let text = INSTEAD.iter().fold(text.to_string(), |text, (flag, words)| text.replace(flag, words));
    if !names_a_flag(&text) {
        return text;
    }
    // Advice for the command line alone is left out.
    let kept: Vec<&str> = text.split("; ").filter(|clause| !names_a_flag(clause)).collect();
    if kept.is_empty() { "that is not offered on a page".to_string() } else { kept.join("; ") }
}

/// The same for every text of a report.
pub(crate) fn report_for_pages(report: &mut Value) {
    match report {
        Value::String(text) if names_a_flag(text) => *text = for_pages(text),
        Value::Array(list) => list.iter_mut().for_each(report_for_pages),
        Value::Object(fields) => fields.values_mut().for_each(report_for_pages),
        _ => {}
    }
}

/// Whether a word begins like `--nodes`.
fn names_a_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || c == '(')
            && text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_went_wrong_is_said_without_flags() {
        for (told, shown) in [
            ("invalid move `zz`: expected one of a1 b1", "invalid move `zz`: expected one of a1 b1"),
            ("invalid player `--nodes`: expected random", "invalid player `--nodes`: expected random"),
            (
                "the node budget is used up; give more with --nodes",
                "not settled by as much work as one answer may take",
            ),
            ("the time is used up; give more with --time", "the time is used up; give it more"),
            ("nothing was found; try --novel things", "nothing was found"),
            ("try --novel things", "that is not offered on a page"),
        ] {
            assert_eq!(for_pages(told), shown);
        }
        let mut report =
            serde_json::json!({"repair": {"why": ["more than 3 are needed; try more with --most"]}, "n": 1});
        report_for_pages(&mut report);
        assert_eq!(report, serde_json::json!({"repair": {"why": ["more than 3 are needed"]}, "n": 1}));
    }

    fn sources(folder: &Path, each: &mut impl FnMut(&str)) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, each);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                each(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }

    #[test]
    fn no_message_of_the_crates_below_names_a_flag_on_a_page() {
        let mut flags = 0;
        for name in ["core", "games", "solve", "table", "check", "play", "report", "registry"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
            sources(&folder, &mut |source| {
                for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
                    for text in line.split('"').skip(1).step_by(2).filter(|text| names_a_flag(text)) {
                        flags += 1;
                        assert!(!names_a_flag(&for_pages(text)), "{text}");
                    }
                }
            });
        }
        assert!(flags > 5, "{flags} messages with flags were found");
    }
}
