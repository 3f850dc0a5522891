//! Custom boards with random rules, for the family `board`.

use agon_core::Rng;
use std::fmt::Write as _;

/// A board file with at most nine points in a grid; it may be invalid.
#[must_use]
pub fn random(rng: &mut Rng) -> String {
    let (columns, rows) = [(3, 2), (4, 2), (3, 3), (2, 3)][rng.below(4)];
    let name = |x: usize, y: usize| format!("\"{}{}\"", (b'a' + x as u8) as char, y + 1);
    let across: Vec<Vec<String>> = (0..rows).map(|y| (0..columns).map(|x| name(x, y)).collect()).collect();
    let down: Vec<Vec<String>> = (0..columns).map(|x| (0..rows).map(|y| name(x, y)).collect()).collect();
    let list = |all: &[Vec<String>]| {
        let rows: Vec<String> = all.iter().map(|row| format!("[{}]", row.join(", "))).collect();
        rows.join(", ")
    };
    let points: Vec<String> =
        (0..rows).flat_map(|y| (0..columns).map(move |x| format!("[{}, {x}, {y}]", name(x, y)))).collect();
    let paths: Vec<Vec<String>> = across.iter().chain(&down).cloned().collect();
    let lines: Vec<Vec<String>> = paths.iter().filter(|line| line.len() > 2 || rng.below(3) == 0).cloned().collect();
    let men = 2 + rng.below(2);
    let mut file = format!("men = {men}\n");
    let started = men <= columns && rng.below(4) == 0;
    for (key, words) in [
        ("line", &["wins", "captures"][..]),
        ("fly", &["never", "at3", "always"]),
        ("blocked", &["loses", "passes", "draws"]),
        ("early", &["wins", "ignored", "forbidden"]),
        ("bar", if (columns, rows) != (3, 3) { &["none"] } else { &["none", "first", "placing"] }),
    ] {
        let _ = writeln!(file, "{key} = \"{}\"", words[rng.below(words.len())]);
    }
    let _ = writeln!(file, "mixed = {}", rng.below(4) == 0);
    let _ = writeln!(file, "points = [{}]\npaths = [{}]\nlines = [{}]", points.join(", "), list(&paths), list(&lines));
    if columns > 2 && rng.below(3) == 0 {
        let _ = writeln!(file, "leaps = [{}]", list(&[across[rng.below(rows)][..3].to_vec()]));
    }
    if started {
        let (white, black) = (across[0][..men].join(", "), across[rows - 1][columns - men..].join(", "));
        let _ = writeln!(file, "[start]\nwhite = [{white}]\nblack = [{black}]");
    }
    file
}
