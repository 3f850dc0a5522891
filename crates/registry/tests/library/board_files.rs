//! Boards from files: their rules, the hash of these in spellings, and errors with their line.

use agon_core::family::rules_hash;
use agon_core::{Family, Symmetric};
use agon_games::mill::Mill;
use agon_registry::erased::AnyGame;
use agon_registry::{Registry, standard};

/// The file that `board:example` stands for.
const EXAMPLE: &str = include_str!("../../src/erased/example.toml");

/// The game that a file with this text describes, or what is wrong with the text.
fn read(text: &str) -> Result<Box<dyn AnyGame>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    std::fs::write(&path, text).unwrap();
    let path = path.display();
    Registry::standard().with_board_files().game(&format!("board:{path}")).map_err(|error| {
        let said = error.to_string();
        let (_, why) = said.split_once(&format!("`: {path}: ")).unwrap_or_else(|| panic!("{said}"));
        why.to_string()
    })
}

/// The rules of that text in canonical form, and their hash.
fn described(text: &str) -> (String, String) {
    let game = read(text).unwrap();
    let (rules, hash) = (game.rules_line().expect("they come from a file"), rules_hash(game.spelling()));
    (rules.to_string(), hash.expect("a spelling with a hash").to_string())
}

#[test]
fn the_example_is_three_mens_morris() {
    let (rules, _) = described(EXAMPLE);
    let known = Mill::from_spelling("three-mens").unwrap().0;
    assert_eq!((&rules, Mill::from_rules_line(&rules).unwrap().order()), (&known.rules_line(), 8));
    for example in [read(EXAMPLE).unwrap(), standard().game("board:example").unwrap()] {
        assert_eq!(example.count_moves(&example.start()), Ok(9), "{}", example.spelling());
    }
}

#[test]
fn a_name_has_no_control_characters() {
    let (rules, hash) = described(EXAMPLE);
    let named = |name: &str| standard().described(&format!("board:{name}#{hash}"), Some(&rules));
    assert!(named("three.toml").is_ok());
    for name in ["\u{1b}[2Kthree.toml", "a\rb", "a\nb"] {
        assert!(named(name).is_err_and(|why| why.to_string().contains("control")), "{name:?}");
    }
}

#[test]
fn the_hash_is_of_the_rules_and_not_of_the_file() {
    let changed = |from: &str, to: &str| {
        assert!(EXAMPLE.contains(from), "{from}");
        described(&EXAMPLE.replacen(from, to, 1))
    };
    let here = described(EXAMPLE);
    for (from, to) in [
        ("men = 3", "# three\nmen   =   3 # men"),
        ("mixed = false", ""),
        ("fly = \"never\"", ""),
        ("[\"b1\", \"b2\", \"b3\"], [\"a2\", \"b2\", \"c2\"]", "[\"a2\", \"b2\", \"c2\"], [\"b3\", \"b2\", \"b1\"]"),
        ("lines = [", "lines = [ [\"c1\", \"b2\", \"a3\"], [\"b2\", \"a1\", \"c3\"],"),
    ] {
        assert_eq!(changed(from, to), here, "{to}");
    }
    for (from, to) in [
        ("men = 3", "men = 4"),
        ("line = \"wins\"", "line = \"captures\""),
        ("fly = \"never\"", "fly = \"at3\""),
        ("blocked = \"loses\"", "blocked = \"draws\""),
        ("early = \"wins\"", "early = \"ignored\""),
        ("bar = \"none\"", "bar = \"first\""),
        ("mixed = false", "mixed = true"),
        ("[\"b1\", \"b2\", \"b3\"],", ""),
        ("lines = [", "lines = [ [\"a1\", \"c3\"],"),
        ("men = 3", "men = 3\nleaps = [[\"a1\", \"b1\", \"c1\"]]"),
        ("men = 3", "men = 1\nstart = { white = [\"a1\"], black = [\"c3\"] }"),
        ("[\"c3\", 2, 2]", "[\"c3\", 3, 2]"),
    ] {
        assert_ne!(changed(from, to).1, here.1, "{to}");
    }
}

#[test]
fn rules_beside_a_spelling_must_be_the_rules_it_names() {
    let (rules, hash) = described(EXAMPLE);
    let spelling = format!("board:no/such/p.toml#{hash}");
    let game = standard().described(&spelling, Some(&rules)).unwrap();
    assert_eq!((game.spelling(), game.rules_line()), (spelling.as_str(), Some(rules.as_str())));
    let refused = |spelling: &str, rules: Option<&str>, why: &str| {
        let found = standard().described(spelling, rules).err().map(|error| error.to_string());
        assert!(found.as_ref().is_some_and(|found| found.contains(why)), "{spelling}: {found:?}");
    };
    refused(&spelling, None, "must be stored with it");
    refused("board:p.toml", Some(&rules), "have the hash");
    refused("board:/dev/zero", None, "must be stored with it");
    refused(&spelling, Some(&rules.replace("men=3", "men=4")), "have the hash");
    refused(&spelling, Some(&rules.replace("men=3", "men=03")), "canonical form");
    refused("antrin:3", Some(&rules), "no rules may be given with it");
    refused("board:example", Some(&rules), "no rules may be given with it");
    refused(&spelling.replace("board", "Board"), Some(&rules), "should be spelled");
    assert!(standard().described("board:example", None).is_ok());
}

#[test]
fn errors_name_the_line() {
    let changed = |from: &str, to: &str| {
        assert!(EXAMPLE.contains(from), "{from}");
        read(&EXAMPLE.replacen(from, to, 1)).err().unwrap_or_default()
    };
    let line = |needle: &str| EXAMPLE.lines().position(|l| l.contains(needle)).unwrap() + 1;
    let starts = |found: String, needle: &str, why: &str| {
        assert!(found.starts_with(&format!("line {}: ", line(needle))) && found.contains(why), "{found}");
    };
    starts(changed("men = 3", "men = 9"), "men = 3", "twice as many points");
    starts(changed("men = 3", "men = 0"), "men = 3", "men must be 1..=15");
    starts(changed("line = \"wins\"", "line = \"takes\""), "line = \"wins\"", "one of wins, captures");
    starts(changed("[\"a1\", 0, 0]", "[\"A1\", 0, 0]"), "[\"a1\", 0, 0]", "small letters");
    starts(changed("[\"a1\", 0, 0]", "[\"a1\", 0, 99]"), "[\"a1\", 0, 0]", "0..=63");
    let many: Vec<String> = (0..64).map(|i| format!("[\"p{i}\", {}, {}]", i % 8, 3 + i / 8)).collect();
    let many = changed("[\"c3\", 2, 2],", &format!("[\"c3\", 2, 2], {},", many.join(", ")));
    starts(many, "[\"c3\", 2, 2]", "at most 63 points");
    starts(changed("men = 3", "men = "), "men = 3", "");
    starts(changed("men = 3", "men = 3\ncolour = 1").replace("line 5", "line 4"), "men = 3", "colour");
    starts(changed("blocked = \"loses\"", "blocked = \"wins\""), "blocked =", "one of loses, passes, draws");
    starts(
        changed("[\"a1\", \"b1\", \"c1\"]", "[\"a1\", \"b9\", \"c1\"]"),
        "[\"a1\", \"b1\", \"c1\"]",
        "no point `b9`",
    );
    starts(changed("[\"b2\", 1, 1]", "[\"b2\", 0, 1]"), "[\"b2\", 1, 1]", "was there before");
    let started = "[start]\nwhite = [\"a1\", \"b1\", \"c1\"]\nblack = [\"a3\", \"b3\", \"c2\"]\n";
    let finished = read(&format!("{EXAMPLE}\n{started}")).err().unwrap_or_default();
    assert!(finished.contains("play cannot begin there"), "{finished}");
    let finished = read(&format!(
        "{EXAMPLE}\n{}",
        started.replace("white", "red").replace("black", "white").replace("red", "black")
    ));
    assert!(finished.err().is_some_and(|why| why.contains("the second side already has a line")));
    let refused = standard().game("board:/etc/passwd").err();
    assert!(refused.is_some_and(|error| error.to_string().contains("only on the command line")));
}
