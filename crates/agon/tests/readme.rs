//! The examples of the README and of some pages are true: every command of a `console` block is pasted into a shell as it stands, and
//! every line shown must come out, in order; a line `…` stands for lines left out.

use std::process::Command;

fn blocks<'a>(text: &'a str, kind: &str) -> Vec<Vec<&'a str>> {
    let fence = format!("```{kind}\n");
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(&fence) {
        let block = &rest[begin + fence.len()..];
        let end = block.find("```").expect("a block ends");
        found.push(block[..end].lines().collect());
        rest = &block[end + 3..];
    }
    found
}

#[test]
fn every_console_block_is_true() {
    check(include_str!("../../../README.md"), 30);
}

#[test]
fn every_console_block_about_strategies_is_true() {
    check(include_str!("../../../docs/strategies.md"), 30);
}

#[test]
fn every_console_block_about_explanations_is_true() {
    check(include_str!("../../../docs/why.md"), 9);
}

#[test]
fn every_console_block_about_grades_is_true() {
    check(include_str!("../../../docs/grade.md"), 8);
}

#[test]
fn every_console_block_about_engines_is_true() {
    check(include_str!("../../../docs/engines.md"), 6);
}

#[test]
fn every_console_block_about_the_tool_server_is_true() {
    check(include_str!("../../../docs/mcp.md"), 1);
}

/// Runs the commands of a page in a directory with the rule files that it shows: a block of rules that begins with
/// `# NAME.rules` is that file.
fn check(page: &str, least: usize) {
    let dir = tempfile::tempdir().unwrap();
    for block in blocks(page, "rules") {
        if let Some(name) = block[0].strip_prefix("# ").filter(|name| name.ends_with(".rules")) {
            std::fs::write(dir.path().join(name), block.join("\n")).unwrap();
        }
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut checked = 0;
    for block in blocks(page, "console") {
        let commands = block.iter().enumerate().filter(|(_, line)| line.starts_with("$ "));
        for (at, command) in commands {
            let shown: Vec<&str> = block[at + 1..].iter().take_while(|l| !l.starts_with("$ ")).copied().collect();
            let ran = Command::new("bash")
                .args(["-c", &command[2..]])
                .env("PATH", &path)
                .current_dir(dir.path())
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(matches!(ran.status.code(), Some(0 | 3)), "{command}: {said}");
            assert!(!said.contains("command not found"), "{command}: {said}");
            let out = String::from_utf8(ran.stdout).unwrap();
            let mut lines = out.lines();
            let (mut exact, mut previous) = (true, "");
            for &line in &shown {
                if line == "…" {
                    exact = false;
                    continue;
                }
                let hit = if exact { lines.next() == Some(line) } else { lines.any(|l| l == line) };
                assert!(hit, "{command}: after `{previous}`, `{line}` does not follow in\n{out}");
                (exact, previous) = (true, line);
            }
            checked += shown.len();
        }
    }
    assert!(checked > least, "only {checked} lines were compared");
}
