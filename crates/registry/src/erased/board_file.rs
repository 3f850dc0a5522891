//! Custom boards: a mill game described in a TOML file. Errors name the line.

use super::AnyGame;
use super::mill::erased;
use crate::entry::{Entry, FromFile};
use agon_core::family::{rules_hash, shorten, split_spelling};
use agon_core::{Facts, Game, GameError, Kind, Notation};
use agon_games::mill::board::Board;
use agon_games::mill::rules_line::{BAR, BLOCKED, EARLY, FLY, LINE, misplaced};
use agon_games::mill::{Bar, Mill, Rules};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// The file that `board:example` stands for.
const EXAMPLE: &str = include_str!("example.toml");

const FAMILY: &str = "board";

fn facts() -> Facts {
    let rules = "A mill game with its board and rules in a TOML file: points with coordinates, the paths between them, \
                 the lines, the men, and what happens at a line, a blocked side and a line made by placing.";
    Facts::new(FAMILY, "Custom mill board", rules).positional(
        "file",
        Kind::text("a TOML file, or `example`"),
        "example",
        "points, paths, lines and rules; docs/boards.md describes it",
    )
}

/// The registry entry; spellings may name files, or may not.
pub fn board_file(files: bool) -> Entry {
    let from_file = FromFile { names_a_file, build: board_from_rules };
    Entry::new(facts(), move |given| build(given, files)).with_rules_from_files(from_file)
}

/// No file describing a board is longer, nor the line with its rules.
const LONGEST: u64 = 1 << 20;

/// The file that a spelling names, and the hash of the rules if it is given.
fn named(given: &str) -> (&str, Option<&str>) {
    let text = split_spelling(given).1.trim();
    let text = text.strip_prefix("file=").unwrap_or(text);
    let hash = rules_hash(text);
    match hash.map_or(text, |hash| &text[..text.len() - hash.len() - 1]) {
        "" => ("example", hash),
        name => (name, hash),
    }
}

/// Returns whether a spelling names a game whose rules come from a file.
fn names_a_file(given: &str) -> bool {
    split_spelling(given).0.eq_ignore_ascii_case(FAMILY) && named(given).0 != "example"
}

/// Returns whether a spelling names a game whose rules come from a file that does not exist.
#[must_use]
pub fn missing_board(given: &str) -> bool {
    names_a_file(given) && !Path::new(named(given).0).exists()
}

/// The hash of rules in canonical form, as it stands in spellings.
fn hash_of(rules: &str) -> String {
    blake3::hash(rules.as_bytes()).to_hex()[..32].to_string()
}

/// The directory that relative names refer to.
fn looked_in(path: &str) -> String {
    let folder = std::env::current_dir().ok().filter(|_| Path::new(path).is_relative());
    folder.map_or(String::new(), |folder| format!(" in `{}`", folder.display()))
}

fn build(given: &str, files: bool) -> Result<Box<dyn AnyGame>, GameError> {
    let fail = |why: String| GameError::new(given, why);
    let (name, wanted) = named(given);
    if name.contains(char::is_control) {
        return Err(fail("a file name must not contain control characters".into()));
    }
    let text = match name {
        "example" => EXAMPLE.to_string(),
        _ if !files => {
            return Err(fail("board files can be used only on the command line; expected board:example".into()));
        }
        path => {
            let cannot = |why: &dyn std::fmt::Display| fail(format!("cannot read `{path}`{}: {why}", looked_in(path)));
            let bytes = agon_table::regular::read(Path::new(path), LONGEST).map_err(|error| cannot(&error))?;
            String::from_utf8(bytes).map_err(|_| cannot(&"it is not a text file"))?
        }
    };
    let rules = read(&text).map_err(|why| fail(format!("{name}: {why}")))?.rules_line();
    let (mill, hash) = (Mill::from_rules_line(&rules).map_err(&fail)?, hash_of(&rules));
    if wanted.is_some_and(|wanted| wanted != hash) {
        return Err(fail(format!("`{name}` has different rules, with the hash {hash}")));
    }
    Ok(match name {
        "example" => Box::new(erased(mill, format!("board:{name}"), facts())),
        _ => Box::new(erased(mill, format!("board:{name}#{hash}"), facts()).with_rules(rules)),
    })
}

/// The game that a file about it describes: its spelling with the hash of its rules, and its rules in canonical form.
/// The file that the spelling names is not opened.
fn board_from_rules(given: &str, rules: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let fail = |why: String| GameError::new(given, why);
    let (name, wanted) = named(given);
    if name.contains(char::is_control) {
        return Err(fail("a file name must not contain control characters".into()));
    }
    if !names_a_file(given) {
        return Err(fail("its rules do not come from a file, so no rules may be given with it".into()));
    }
    if rules.len() as u64 > LONGEST {
        return Err(fail(format!("its rules are longer than {} KiB", LONGEST >> 10)));
    }
    let mill = Mill::from_rules_line(rules).map_err(|why| fail(format!("its rules cannot be read: {why}")))?;
    let hash = hash_of(rules);
    if wanted != Some(&hash) {
        return Err(fail(format!("the rules given with it have the hash {hash}")));
    }
    Ok(Box::new(erased(mill, format!("board:{name}#{hash}"), facts()).with_rules(rules.to_string())))
}

type Name = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    men: Spanned<u8>,
    points: Vec<Spanned<(String, i32, i32)>>,
    paths: Vec<Vec<Name>>,
    lines: Vec<Spanned<Vec<Name>>>,
    #[serde(default)]
    leaps: Vec<(Name, Name, Name)>,
    line: Option<Name>,
    fly: Option<Name>,
    blocked: Option<Name>,
    early: Option<Name>,
    bar: Option<Name>,
    #[serde(default)]
    mixed: bool,
    start: Option<Spanned<Start>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    white: Vec<Name>,
    black: Vec<Name>,
}

/// `line 7: …`.
fn at(text: &str, begin: usize, why: &str) -> String {
    let line = text.bytes().take(begin).filter(|&byte| byte == b'\n').count() + 1;
    format!("line {line}: {why}")
}

fn read(text: &str) -> Result<Mill, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let begin = error.span().map_or(0, |span| span.start);
        at(text, begin, error.message().lines().next().unwrap_or_default())
    })?;
    let reader = Reader { text, file: &file };
    let board = reader.board()?;
    let rules = reader.rules()?;
    let blame = file.bar.as_ref().filter(|_| rules.bar != Bar::None && board.centre.is_none());
    let begin = blame.map_or(file.men.span().start, |bar| bar.span().start);
    Mill::fits(&board, &rules).map_err(|why| at(text, begin, &why))?;
    let mill = Mill::new(board, rules);
    // Play must begin at a position that can come up.
    let begin = file.start.as_ref().map_or(begin, |start| start.span().start);
    mill.parse(&mill.show(&mill.start())).map_err(|why| at(text, begin, &format!("play cannot begin there: {why}")))?;
    Ok(mill)
}

struct Reader<'a> {
    text: &'a str,
    file: &'a File,
}

impl Reader<'_> {
    fn point(&self, name: &Name) -> Result<usize, String> {
        let found = self.file.points.iter().position(|point| point.get_ref().0 == *name.get_ref());
        found.ok_or_else(|| at(self.text, name.span().start, &format!("no point `{}`", shorten(name.get_ref()))))
    }

    fn points(&self, names: &[Name]) -> Result<Vec<usize>, String> {
        names.iter().map(|name| self.point(name)).collect()
    }

    fn board(&self) -> Result<Board, String> {
        let file = self.file;
        let mut points: Vec<(i32, i32, String)> = Vec::new();
        for spanned in &file.points {
            let (name, x, y) = spanned.get_ref();
            let point = (*x, *y, name.clone());
            if let Some(why) = misplaced(&points, &point) {
                return Err(at(self.text, spanned.span().start, &why));
            }
            points.push(point);
        }
        let mut edges = Vec::new();
        for path in &file.paths {
            let path = self.points(path)?;
            edges.extend(path.windows(2).map(|pair| (pair[0], pair[1])));
        }
        let mut lines = Vec::new();
        for line in &file.lines {
            let mut points = self.points(line.get_ref())?;
            points.sort_unstable();
            points.dedup();
            if points.len() < 2 || points.len() != line.get_ref().len() {
                return Err(at(self.text, line.span().start, "a line has two or more different points"));
            }
            lines.push(points);
        }
        let leaps: Result<Vec<_>, String> =
            file.leaps.iter().map(|(a, b, c)| Ok((self.point(a)?, self.point(b)?, self.point(c)?))).collect();
        Ok(Board::new(points, &edges, &leaps?, &lines))
    }

    fn word<T: Copy>(&self, given: Option<&Name>, words: &[(&str, T)]) -> Result<T, String> {
        let Some(given) = given else { return Ok(words[0].1) };
        let names = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        let found = words.iter().find(|(word, _)| word == given.get_ref()).map(|(_, meant)| *meant);
        found.ok_or_else(|| {
            at(self.text, given.span().start, &format!("`{}` should be one of {}", shorten(given.get_ref()), names()))
        })
    }

    fn rules(&self) -> Result<Rules, String> {
        let file = self.file;
        let start = match &file.start {
            None => None,
            Some(start) => {
                let set = |names: &[Name]| -> Result<u64, String> {
                    Ok(self.points(names)?.into_iter().fold(0, |set, point| set | 1 << point))
                };
                let (white, black) = (set(&start.get_ref().white)?, set(&start.get_ref().black)?);
                let men = u32::from(*file.men.get_ref());
                if white & black != 0 || white.count_ones() != men || black.count_ones() != men {
                    let why = "`start` must list all men of each side, on different points";
                    return Err(at(self.text, start.span().start, why));
                }
                Some([white, black])
            }
        };
        Ok(Rules {
            men: *file.men.get_ref(),
            line: self.word(file.line.as_ref(), &LINE)?,
            fly: self.word(file.fly.as_ref(), &FLY)?,
            blocked: self.word(file.blocked.as_ref(), &BLOCKED)?,
            early: self.word(file.early.as_ref(), &EARLY)?,
            bar: self.word(file.bar.as_ref(), &BAR)?,
            mixed: file.mixed,
            start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Symmetric};

    #[test]
    fn the_example_is_three_mens_morris() {
        let example = read(EXAMPLE).unwrap();
        let known = Mill::from_spelling("three-mens").unwrap().0;
        assert_eq!((example.rules_line(), example.order()), (known.rules_line(), 8));
        assert_eq!(example.count_moves(&example.start()), 9);
    }

    #[test]
    fn a_name_has_no_control_characters() {
        let rules = read(EXAMPLE).unwrap().rules_line();
        let named = |name: &str| board_from_rules(&format!("board:{name}#{}", hash_of(&rules)), &rules);
        assert!(named("three.toml").is_ok());
        for name in ["\u{1b}[2Kthree.toml", "a\rb", "a\nb"] {
            assert!(named(name).is_err_and(|why| why.to_string().contains("control")), "{name:?}");
        }
    }

    #[test]
    fn the_hash_is_of_the_rules_and_not_of_the_file() {
        let line = |text: &str| read(text).unwrap().rules_line();
        let changed = |from: &str, to: &str| {
            assert!(EXAMPLE.contains(from), "{from}");
            line(&EXAMPLE.replacen(from, to, 1))
        };
        let here = line(EXAMPLE);
        for (from, to) in [
            ("men = 3", "# three\nmen   =   3 # men"),
            ("mixed = false", ""),
            ("fly = \"never\"", ""),
            (
                "[\"b1\", \"b2\", \"b3\"], [\"a2\", \"b2\", \"c2\"]",
                "[\"a2\", \"b2\", \"c2\"], [\"b3\", \"b2\", \"b1\"]",
            ),
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
            assert_ne!(hash_of(&changed(from, to)), hash_of(&here), "{to}");
        }
    }

    #[test]
    fn rules_beside_a_spelling_must_be_the_rules_it_names() {
        let rules = read(EXAMPLE).unwrap().rules_line();
        let spelling = format!("board:no/such/p.toml#{}", hash_of(&rules));
        let game = crate::standard().described(&spelling, Some(&rules)).unwrap();
        assert_eq!((game.spelling(), game.rules_line()), (spelling.as_str(), Some(rules.as_str())));
        let refused = |spelling: &str, rules: Option<&str>, why: &str| {
            let found = crate::standard().described(spelling, rules).err().map(|error| error.to_string());
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
        assert!(crate::standard().described("board:example", None).is_ok());
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
        assert!(
            build("board:/etc/passwd", false).err().is_some_and(|e| e.to_string().contains("only on the command line"))
        );
    }
}
