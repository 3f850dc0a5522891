//! Boards of one's own: a mill game described in a TOML file. Errors name the line.

use super::loopy::erased;
use super::{AnyGame, Entry};
use agon_core::family::split_spelling;
use agon_core::{Facts, Game, GameError, Kind, Notation, Param};
use agon_games::mill::board::Board;
use agon_games::mill::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use serde::Deserialize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use toml::Spanned;

/// The file that `board:example` stands for.
const EXAMPLE: &str = include_str!("example.toml");

const FILE: Param = Param {
    name: "file",
    kind: Kind::Text("a TOML file, or `example`"),
    default: "example",
    help: "points, paths, lines and rules; docs/boards.md describes it",
    positional: true,
};

static FACTS: Facts = facts();

const fn facts() -> Facts {
    Facts {
        family: "board",
        title: "A board of your own",
        rules: "A mill game whose board and rules stand in a TOML file: points with coordinates, what is joined to \
                what, lines, men, and what lines, blocked sides and early lines do.",
        params: &[FILE],
        aliases: &[],
    }
}

/// The registry line.
#[must_use]
pub const fn board_file() -> Entry {
    Entry { facts: facts(), build }
}

/// Whether spellings may name files. A page that anybody can open must not read them.
static FILES_ALLOWED: AtomicBool = AtomicBool::new(false);

/// From now on spellings may name files, or may not.
pub fn allow_files(allowed: bool) {
    FILES_ALLOWED.store(allowed, Relaxed);
}

/// No file describing a board is longer.
const LONGEST: u64 = 1 << 20;

fn build(given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let fail = |why: String| GameError::new(given, why);
    let name = match split_spelling(given).1.trim() {
        "" => "example",
        name => name.strip_prefix("file=").unwrap_or(name),
    };
    let text = match name {
        "example" => EXAMPLE.to_string(),
        _ if !FILES_ALLOWED.load(Relaxed) => {
            return Err(fail("boards in files are for the command line; expected board:example".into()));
        }
        path => {
            let size = std::fs::metadata(path).map_err(|error| fail(format!("cannot read `{path}`: {error}")))?.len();
            if size > LONGEST {
                return Err(fail(format!("`{path}` is larger than {} KiB", LONGEST >> 10)));
            }
            std::fs::read_to_string(path).map_err(|error| fail(format!("cannot read `{path}`: {error}")))?
        }
    };
    let mill = read(&text).map_err(|why| fail(format!("{name}: {why}")))?;
    Ok(erased(mill, format!("board:{name}")))
}

/// Points are bits of a word.
const MOST_POINTS: usize = 63;

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
    let mill = Mill::new(&FACTS, board, rules);
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
        found.ok_or_else(|| at(self.text, name.span().start, &format!("no point `{}`", name.get_ref())))
    }

    fn points(&self, names: &[Name]) -> Result<Vec<usize>, String> {
        names.iter().map(|name| self.point(name)).collect()
    }

    fn board(&self) -> Result<Board, String> {
        let file = self.file;
        if let Some(extra) = file.points.get(MOST_POINTS) {
            return Err(at(self.text, extra.span().start, &format!("a board has at most {MOST_POINTS} points")));
        }
        for (i, point) in file.points.iter().enumerate() {
            let ((name, x, y), wrong) = (point.get_ref(), |why: &str| Err(at(self.text, point.span().start, why)));
            let fine =
                (1..=3).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
            if !fine {
                return wrong("names of points are one to three small letters and digits, like a1");
            }
            if !(0..64).contains(x) || !(0..64).contains(y) {
                return wrong("coordinates are 0..=63");
            }
            let before = &file.points[..i];
            if before
                .iter()
                .any(|other| other.get_ref().0 == *name || (other.get_ref().1, other.get_ref().2) == (*x, *y))
            {
                return wrong("a point of that name or at that place was there before");
            }
            if before.last().is_some_and(|last| (last.get_ref().2, last.get_ref().1) > (*y, *x)) {
                return wrong("points are listed row by row from the top, each row from the left");
            }
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
        let points = file.points.iter().map(|point| {
            let (name, x, y) = point.get_ref();
            (*x, *y, name.clone())
        });
        Ok(Board::new(points.collect(), &edges, &leaps?, &lines))
    }

    fn word<T: Copy>(&self, given: Option<&Name>, words: &[(&str, T)]) -> Result<T, String> {
        let Some(given) = given else { return Ok(words[0].1) };
        let names = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        let found = words.iter().find(|(word, _)| word == given.get_ref()).map(|(_, meant)| *meant);
        found.ok_or_else(|| {
            at(self.text, given.span().start, &format!("`{}` should be one of {}", given.get_ref(), names()))
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
                    let why = "at the start each side has all its men on points of its own";
                    return Err(at(self.text, start.span().start, why));
                }
                Some([white, black])
            }
        };
        Ok(Rules {
            men: *file.men.get_ref(),
            line: self.word(file.line.as_ref(), &[("wins", Line::Wins), ("captures", Line::Captures)])?,
            fly: self
                .word(file.fly.as_ref(), &[("never", Fly::Never), ("at3", Fly::AtThree), ("always", Fly::Always)])?,
            blocked: self.word(
                file.blocked.as_ref(),
                &[("loses", Blocked::Loses), ("passes", Blocked::Passes), ("draws", Blocked::Draws)],
            )?,
            early: self.word(
                file.early.as_ref(),
                &[("wins", Early::Wins), ("ignored", Early::Ignored), ("forbidden", Early::Forbidden)],
            )?,
            bar: self
                .word(file.bar.as_ref(), &[("none", Bar::None), ("first", Bar::First), ("placing", Bar::Placing)])?,
            mixed: file.mixed,
            start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Symmetric;

    #[test]
    fn the_example_is_three_mens_morris() {
        let example = read(EXAMPLE).unwrap();
        let known = Mill::of_family(&agon_games::mill::presets::THREE_MENS, "three-mens").unwrap().0;
        assert_eq!((example.board(), example.rules(), example.order()), (known.board(), known.rules(), 8));
        assert_eq!(example.count_moves(&example.start()), 9);
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
        assert!(build("board:/etc/passwd").err().is_some_and(|e| e.to_string().contains("for the command line")));
    }
}
