//! Custom boards: a mill game described in a TOML file. Errors name the line.

use super::AnyGame;
use super::mill::erased;
use crate::entry::{Entry, FromFile, Group};
use agon_core::family::{rules_hash, shorten, split_spelling};
use agon_core::{Facts, GameError, Kind};
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
    Entry::new(facts(), move |given| build(given, files))
        .with_rules_from_files(from_file)
        .in_group(Group::Yours, "An example of a mill board that you write yourself, in a file.")
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
    let begin = file.start.as_ref().map_or(begin, |start| start.span().start);
    Mill::new(board, rules).begins().map_err(|why| at(text, begin, &why))
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
