//! Libraries know no command line: their messages name no flag. The command line and the pages add what to do.

use std::path::Path;

/// Returns whether a word begins like `--nodes`, or a command of the program is spelled out.
fn speaks_as_the_command_line(text: &str) -> bool {
    let flag = text.match_indices("--").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || c == '(' || c == '`')
            && text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
    });
    flag || text.contains("`agon ")
}

fn sources(folder: &Path, each: &mut impl FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, each);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            each(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn no_message_of_a_library_names_a_flag() {
    assert!(speaks_as_the_command_line("give more with --time") && speaks_as_the_command_line("`agon solve` does"));
    assert!(!speaks_as_the_command_line("a--b") && !speaks_as_the_command_line("-- no"));
    let mut read = 0;
    for name in [
        "core",
        "strategies",
        "games",
        "solve",
        "table",
        "check",
        "play",
        "report",
        "registry",
        "arena",
        "grade",
        "api",
        "web",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        sources(&folder, &mut |path, source| {
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for text in line.split('"').skip(1).step_by(2) {
                    read += 1;
                    assert!(!speaks_as_the_command_line(text), "{}: {text}", path.display());
                }
            }
        });
    }
    assert!(read > 1000, "only {read} texts were read");
}
