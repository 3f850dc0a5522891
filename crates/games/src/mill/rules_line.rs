//! The rules of a mill game as one line of text in one canonical form. Files about a game whose rules come from a file
//! carry this line, and its hash is part of the game's name, so that two games of that name have the same rules.
//!
//! `docs/certificates.md` describes the line.

use super::board::Board;
use super::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use crate::grid::{Cells, each_cell};
use agon_core::family::shorten;

/// The most points of a board, which are bits of a word.
pub const MAX_POINTS: usize = 63;

/// The words for what a line does.
pub const LINE: [(&str, Line); 2] = [("wins", Line::Wins), ("captures", Line::Captures)];
/// The words for who may fly.
pub const FLY: [(&str, Fly); 3] = [("never", Fly::Never), ("at3", Fly::AtThree), ("always", Fly::Always)];
/// The words for what happens to a side that cannot move.
pub const BLOCKED: [(&str, Blocked); 3] =
    [("loses", Blocked::Loses), ("passes", Blocked::Passes), ("draws", Blocked::Draws)];
/// The words for what a line made by placing is worth.
pub const EARLY: [(&str, Early); 3] =
    [("wins", Early::Wins), ("ignored", Early::Ignored), ("forbidden", Early::Forbidden)];
/// The words for whether the centre is barred.
pub const BAR: [(&str, Bar); 3] = [("none", Bar::None), ("first", Bar::First), ("placing", Bar::Placing)];
const MIXED: [(&str, bool); 2] = [("false", false), ("true", true)];

fn word<T: PartialEq>(words: &[(&'static str, T)], meant: &T) -> &'static str {
    words.iter().find(|(_, value)| value == meant).map_or("", |(word, _)| word)
}

/// Why a point cannot be added after these, if it cannot.
#[must_use]
pub fn misplaced(before: &[(i32, i32, String)], (x, y, name): &(i32, i32, String)) -> Option<String> {
    let named = (1..=3).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if before.len() == MAX_POINTS {
        return Some(format!("a board has at most {MAX_POINTS} points"));
    }
    if !named {
        return Some("names of points are one to three small letters and digits, like a1".into());
    }
    if !(0..64).contains(x) || !(0..64).contains(y) {
        return Some("coordinates are 0..=63".into());
    }
    if before.iter().any(|(a, b, other)| other == name || (a, b) == (x, y)) {
        return Some("a point of that name or at that place was there before".into());
    }
    let late = before.last().is_some_and(|(a, b, _)| (b, a) > (y, x));
    late.then(|| "points are listed row by row from the top, each row from the left".into())
}

impl Mill {
    /// The rules in their canonical form: games with the same line have the same positions, moves and results, and
    /// write them alike.
    #[must_use]
    pub fn rules_line(&self) -> String {
        let (board, rules) = (self.board(), self.rules());
        let name = |p: usize| board.points[p].2.as_str();
        let names = |points: &[usize], joint: &str| points.iter().map(|&p| name(p)).collect::<Vec<_>>().join(joint);
        let lists = |mut lists: Vec<Vec<usize>>| {
            lists.sort_unstable();
            lists.dedup();
            lists.iter().map(|list| names(list, "-")).collect::<Vec<_>>().join(";")
        };
        let points: Vec<String> = board.points.iter().map(|(x, y, name)| format!("{name}@{x},{y}")).collect();
        let edges = board.edges().into_iter().map(|(a, b)| vec![a, b]).collect();
        let leaps = board.leaps.iter().enumerate().flat_map(|(from, list)| {
            let onwards = list.iter().map(|&(over, to)| (usize::from(over), usize::from(to)));
            onwards.filter(move |&(_, to)| from <= to).map(move |(over, to)| vec![from, over, to])
        });
        let leaps = leaps.collect();
        let mills = board.mills.iter().map(|&line| each_cell(line).collect()).collect();
        let set = |men: Cells| names(&each_cell(men).collect::<Vec<_>>(), ",");
        let start = rules.start.map_or("empty".to_string(), |[white, black]| format!("{}/{}", set(white), set(black)));
        format!(
            "men={} line={} fly={} blocked={} early={} bar={} mixed={} points={} edges={} leaps={} lines={} start={start}",
            rules.men,
            word(&LINE, &rules.line),
            word(&FLY, &rules.fly),
            word(&BLOCKED, &rules.blocked),
            word(&EARLY, &rules.early),
            word(&BAR, &rules.bar),
            word(&MIXED, &rules.mixed),
            points.join(";"),
            lists(edges),
            lists(leaps),
            lists(mills),
        )
    }

    /// The game that a line describes, which must be in canonical form.
    pub fn from_rules_line(text: &str) -> Result<Mill, String> {
        let mut fields = Fields { words: text.split(' ') };
        let men = fields.next("men")?.parse().map_err(|_| "`men=` is a number")?;
        let mut rules = Rules {
            men,
            line: fields.word("line", &LINE)?,
            fly: fields.word("fly", &FLY)?,
            blocked: fields.word("blocked", &BLOCKED)?,
            early: fields.word("early", &EARLY)?,
            bar: fields.word("bar", &BAR)?,
            mixed: fields.word("mixed", &MIXED)?,
            start: None,
        };
        let mut points = Vec::new();
        for item in list(fields.next("points")?, ";") {
            let point = read_point(item);
            let point = point.ok_or_else(|| format!("`{}` is not a point: expected NAME@COLUMN,ROW", shorten(item)))?;
            misplaced(&points, &point).map_or(Ok(()), Err)?;
            points.push(point);
        }
        let named = Named(&points);
        let edges: Vec<_> = named.lists(fields.next("edges")?, 2)?.iter().map(|list| (list[0], list[1])).collect();
        let leaps = named.lists(fields.next("leaps")?, 3)?;
        let leaps: Vec<_> = leaps.iter().map(|list| (list[0], list[1], list[2])).collect();
        let lines = named.lists(fields.next("lines")?, 0)?;
        rules.start = named.start(fields.next("start")?, men)?;
        if fields.words.next().is_some() {
            return Err("nothing is expected after `start=`".into());
        }
        if lines.iter().any(|line| line.len() < 2) {
            return Err("a line has two or more different points".into());
        }
        let board = Board::new(points, &edges, &leaps, &lines);
        Mill::fits(&board, &rules)?;
        let mill = Mill::new(board, rules).begins()?;
        if mill.rules_line() == text { Ok(mill) } else { Err("the rules are not in canonical form".into()) }
    }
}

/// `key=value` words in a fixed order.
struct Fields<'a> {
    words: std::str::Split<'a, char>,
}

impl<'a> Fields<'a> {
    fn next(&mut self, key: &str) -> Result<&'a str, String> {
        let value = self.words.next().and_then(|word| word.strip_prefix(key)?.strip_prefix('='));
        value.ok_or_else(|| format!("expected `{key}=…`"))
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<T, String> {
        let given = self.next(key)?;
        let found = words.iter().find(|(word, _)| *word == given).map(|(_, meant)| *meant);
        found.ok_or_else(|| {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            format!("`{key}={}`: expected one of {}", shorten(given), names.join(", "))
        })
    }
}

fn list<'a>(text: &'a str, between: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(between).filter(|_| !text.is_empty())
}

fn read_point(text: &str) -> Option<(i32, i32, String)> {
    let (name, place) = text.split_once('@')?;
    let (x, y) = place.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?, name.to_string()))
}

/// Points by name.
struct Named<'a>(&'a [(i32, i32, String)]);

impl Named<'_> {
    fn point(&self, name: &str) -> Result<usize, String> {
        self.0.iter().position(|point| point.2 == name).ok_or_else(|| format!("no point `{}`", shorten(name)))
    }

    /// Lists of points, each of that length where it is not 0.
    fn lists(&self, text: &str, length: usize) -> Result<Vec<Vec<usize>>, String> {
        let one = |item: &str| {
            let points: Vec<usize> = item.split('-').map(|name| self.point(name)).collect::<Result<_, _>>()?;
            let fits = length == 0 || points.len() == length;
            if fits { Ok(points) } else { Err(format!("`{}`: expected {length} points", shorten(item))) }
        };
        list(text, ";").map(one).collect()
    }

    /// The points of the men at the start.
    fn start(&self, text: &str, men: u8) -> Result<Option<[Cells; 2]>, String> {
        if text == "empty" {
            return Ok(None);
        }
        let (white, black) = text.split_once('/').ok_or("`start=` is `empty` or points of white/points of black")?;
        let set = |text: &str| -> Result<Cells, String> {
            list(text, ",").try_fold(0, |set, name| Ok(set | 1 << self.point(name)?))
        };
        let sides = [set(white)?, set(black)?];
        let full = sides.iter().all(|side| side.count_ones() == u32::from(men));
        if full && sides[0] & sides[1] == 0 {
            Ok(Some(sides))
        } else {
            Err("`start=` must list all men of each side, on different points".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::{Family, Game, Notation, Rng, Symmetric, collect_moves, laws};

    fn known() -> Vec<Mill> {
        let families = [
            "antrin:4",
            "three-mens:bar=first",
            "tant-fant",
            "tsoro-yematatu",
            "achi:blocked=draws",
            "morris:six,fly=at3",
        ];
        families.map(|spelling| Mill::from_spelling(spelling).unwrap().0).into()
    }

    #[test]
    fn a_line_describes_the_game_it_was_written_from() {
        for mill in known() {
            let line = mill.rules_line();
            let again = Mill::from_rules_line(&line).unwrap();
            assert_eq!((again.rules_line(), again.rules()), (line, mill.rules()));
            let (mut pos, mut rng) = (mill.start(), Rng::new(7));
            for _ in 0..60 {
                let names = |game: &Mill| {
                    let moves = collect_moves(game, &pos);
                    let mut names: Vec<String> = moves.into_iter().map(|mv| game.show_move(&pos, mv)).collect();
                    names.sort_unstable();
                    names
                };
                assert_eq!(names(&mill), names(&again));
                assert_eq!(mill.outcome(&pos), again.outcome(&pos));
                let Some(mv) = mill.random_move(&pos, &mut rng) else { break };
                mill.play(&mut pos, mv);
            }
        }
    }

    #[test]
    fn a_barred_centre_is_no_point_like_others() {
        // Four points in a ring, one of them in the middle of the four.
        let ring = |bar: &str| {
            format!(
                "men=2 line=wins fly=never blocked=draws early=wins bar={bar} mixed=false points=a@0,0;b@1,1;c@0,2;d@2,2 \
                 edges=a-b;a-c;b-d;c-d leaps= lines=a-d;b-c start=empty"
            )
        };
        for (bar, order) in [("none", 8), ("first", 2), ("placing", 2)] {
            let game = Mill::from_rules_line(&ring(bar)).unwrap();
            assert_eq!(game.order(), order, "{bar}");
            laws::symmetry(&game, 5, 1);
        }
    }

    #[test]
    fn every_word_of_a_line_counts() {
        let games = known();
        let lines: Vec<String> = games.iter().map(Mill::rules_line).collect();
        assert!(lines.iter().enumerate().all(|(i, line)| !lines[..i].contains(line)));
        for (from, to, why) in [
            ("men=4", "men=04", "canonical"),
            ("men=4", "men=9", "men must be"),
            ("fly=never", "fly=sometimes", "one of never, at3, always"),
            ("bar=none", "bar=first", "has no point there"),
            ("a1@0,0", "a1@1,0", "was there before"),
            ("a1@0,0", "A1@0,0", "small letters"),
            ("a1@0,0", "a1@0,64", "0..=63"),
            ("edges=a1-b1;a1-a2", "edges=a1-a2;a1-b1", "canonical"),
            ("edges=a1-b1", "edges=b1-a1", "canonical"),
            ("edges=a1-b1", "edges=a1-b1;a1-b1", "canonical"),
            ("edges=a1-b1", "edges=a1-b1-c1", "expected 2 points"),
            ("edges=a1-b1", "edges=a1-z9", "no point `z9`"),
            ("lines=a1-b1-c1-d1", "lines=a1", "two or more"),
            ("start=empty", "start=a1,b1/c1,d1", "all men of each side"),
            ("start=empty", "start=a1,b1,c1,d1/a2,b2,c2,d3", "play cannot begin there"),
            ("start=empty", "start=a2,b2,c2,d3/a1,b1,c1,d1", "the second side already has a line"),
            ("start=empty", "start=empty more", "nothing is expected"),
            ("leaps=", "leap=", "expected `leaps=…`"),
        ] {
            assert!(lines[0].contains(from), "{from} in {}", lines[0]);
            let found = Mill::from_rules_line(&lines[0].replacen(from, to, 1)).err();
            assert!(found.as_ref().is_some_and(|found| found.contains(why)), "{to}: {found:?}");
        }
    }
}
