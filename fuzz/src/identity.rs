//! The game that a file is about: the spelling in its header and, where they come from a file, the rules beside it.
//!
//! Certificates and tables carry both. Whoever wrote them may be anybody, so that the spelling must not lead to a file,
//! and rules count only with the hash that the spelling names.

use super::files::{boards, playable, with_folder};
use super::{readable, sampled, text};
use agon_check::{Certificate, Claim};
use agon_core::Wdl;
use agon_core::family::{rules_hash, same_game};
use agon_registry as registry;
use agon_registry::erased::AnyGame;
use agon_registry::erased::tables::game_in;
use agon_table::Writer;
use std::sync::OnceLock;

/// Words of spellings and of lines of rules.
pub const RULES_WORDS: &[&str] = &[
    "board:",
    "board:example",
    "Board:file=",
    "antrin:3",
    "heap:0.007;5+7",
    "#",
    "\n",
    " men=2",
    " men=16",
    " line=captures",
    " fly=at3",
    " fly=always",
    " blocked=passes",
    " blocked=draws",
    " early=ignored",
    " early=forbidden",
    " bar=first",
    " bar=placing",
    " mixed=true",
    " points=",
    " points=a@0,0;b@1,0;c@2,0",
    " edges=",
    " leaps=",
    " lines=",
    " start=empty",
    " start=a/b",
    ";d@63,63",
    ";a-b",
    ";a-b-c",
    "a-a",
    "a,b/c,d",
];

/// The hash that stands in the spelling of a board with these rules.
fn hash(rules: &str) -> String {
    blake3::hash(rules.as_bytes()).to_hex()[..32].to_string()
}

/// Boards that were read from files, each as a spelling and its rules; the files are gone.
pub fn known() -> &'static [(String, String)] {
    static KNOWN: OnceLock<Vec<(String, String)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("board.toml");
        let read = |toml: &[u8]| {
            std::fs::write(&path, toml).expect("a temporary file");
            let game = registry::Registry::standard()
                .with_board_files()
                .game(&format!("board:{}", path.display()))
                .unwrap_or_else(|error| panic!("{error}"));
            let rules = game.rules_line().expect("rules that come from a file").to_string();
            (format!("board:b.toml#{}", hash(&rules)), rules)
        };
        let mut all: Vec<(String, String)> = boards().iter().map(|toml| read(toml)).collect();
        // Words of the rules at other values, on the smallest board.
        let small = all[1].1.clone();
        for (from, to) in [
            ("fly=never", "fly=always"),
            ("blocked=loses", "blocked=passes"),
            ("early=wins", "early=forbidden"),
            ("mixed=false", "mixed=true"),
            ("leaps=", "leaps=a-b-c"),
        ] {
            assert!(small.contains(from), "{small}");
            let rules = small.replacen(from, to, 1);
            all.push((format!("board:there/b.toml#{}", hash(&rules)), rules));
        }
        all
    })
}

/// The first line is a spelling, the second the rules beside it, if there is a second. They are tried as they are, and
/// with the hash of the rules put into the spelling as a forger would.
pub fn rules(data: &[u8]) {
    let given = text(data);
    let mut lines = given.split('\n');
    let (spelling, rules) = (lines.next().unwrap_or_default(), lines.next());
    let thorough = sampled(data, 4);
    identified(spelling, rules, thorough);
    if let Some(rules) = rules {
        let name = spelling.rsplit_once('#').map_or(spelling, |(name, _)| name);
        identified(&format!("{name}#{}", hash(rules)), Some(rules), thorough);
    }
    // A table is a file: one case in sixteen is written to see that it is read alike there.
    if sampled(data, 16) {
        in_a_table(spelling, rules);
    }
}

/// Builds the game that a file with this head is about, if there is one.
fn identified(spelling: &str, rules: Option<&str>, thorough: bool) {
    in_a_certificate(spelling, rules);
    let game = match registry::standard().described(spelling, rules) {
        Err(error) => return readable(&error.to_string()),
        Ok(game) => game,
    };
    // Only rules that came along lead to a board of a file: without them no file was opened.
    assert_eq!(game.rules_line(), rules, "{spelling}");
    assert!(registry::is_spelling_of(game.as_ref(), spelling), "{spelling} is read as {}", game.spelling());
    if !thorough {
        return;
    }
    let again = registry::standard().described(game.spelling(), rules).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((again.spelling(), again.rules_line()), (game.spelling(), rules));
    if let Some(rules) = rules {
        named_by_its_rules(game.as_ref(), rules);
    }
}

/// The rules decide which game it is, and the name of the file does not.
fn named_by_its_rules(game: &dyn AnyGame, rules: &str) {
    let own = hash(rules);
    assert_eq!(rules_hash(game.spelling()), Some(own.as_str()), "{}", game.spelling());
    assert!(same_game(game.spelling(), &format!("board:elsewhere.toml#{own}")));
    assert!(registry::standard().described(game.spelling(), None).is_err());
    for (spelling, known) in known() {
        assert_eq!(same_game(game.spelling(), spelling), rules == known, "{rules}\n{known}");
        assert!(
            rules == known || registry::standard().described(spelling, Some(rules)).is_err(),
            "{spelling} with {rules}"
        );
    }
    playable(game);
}

/// A certificate that holds the spelling and the rules says both again.
fn in_a_certificate(spelling: &str, rules: Option<&str>) {
    let certificate = Certificate {
        game: spelling.to_string(),
        rules: rules.map(String::from),
        from: "start".into(),
        claim: Claim::Value(Wdl::Win),
        up_to_symmetry: false,
        sections: Vec::new(),
    };
    match Certificate::read(certificate.write().as_bytes()) {
        Err(why) => readable(&why.to_string()),
        Ok(read) => assert_eq!((read.game.as_str(), read.rules.as_deref()), (spelling, rules)),
    }
}

/// A directory with one table that holds the spelling and the rules is about the same game.
fn in_a_table(spelling: &str, rules: Option<&str>) {
    let (spelling, rules) = (spelling.to_string(), rules.map(String::from));
    let mut fields = vec![("game", spelling.clone()), ("shard", "1-1".to_string())];
    fields.extend(rules.clone().map(|rules| ("rules", rules)));
    let found = with_folder(|folder| {
        let folder = folder.join("identity");
        std::fs::create_dir_all(&folder).expect("a temporary directory");
        Writer::create(&folder.join("1-1.agt"), &fields).and_then(Writer::finish).expect("a new file");
        game_in(registry::standard(), &folder)
    });
    match (found, registry::standard().described(&spelling, rules.as_deref())) {
        (Ok(found), Ok(game)) => assert_eq!(found.spelling(), game.spelling()),
        (Err(failure), Err(_)) => readable(&failure.message().unwrap_or_default()),
        (found, _) => panic!("{spelling} beside {rules:?}: a table tells another story ({})", found.is_ok()),
    }
}

/// Heads of files: boards with their rules, with those of another, without any; other games with none.
pub fn rules_texts() -> Vec<Vec<u8>> {
    let with = |(spelling, rules): &(String, String)| format!("{spelling}\n{rules}");
    let mut all: Vec<String> = known().iter().map(with).collect();
    all.push(format!("{}\n{}", known()[0].0, known()[1].1));
    all.push(known()[0].0.clone());
    all.extend(
        ["board:example", "mnk:3,3,3", "heap:0.007;5+7", "heap:0.007:5+7", "morris:six,fly=at3"].map(Into::into),
    );
    all.push(format!("antrin:3\n{}", known()[1].1));
    all.into_iter().map(String::into_bytes).collect()
}
