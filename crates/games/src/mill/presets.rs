//! The mill games by name, each with its usual rules as defaults of the parameters.

use super::board::{Board, Diagonals};
use super::ranking::MAX_MEN;
use super::vocabulary::MillFeatures;
use super::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use crate::strategies::{Shipped, VAKI_DEFENCE};
use agon_core::family::split_spelling;
use agon_core::scene::column_label;
use agon_core::{Facts, Family, Features, GameError, Kind, Param, Params, Strategy, StrategyFacts};

fn word(name: &str, words: &[&str], default: &str, help: &str) -> Param {
    Param::keyed(name, Kind::words(words), default, help)
}

fn fly(default: &str) -> Param {
    word("fly", &["never", "at3", "always"], default, "when a side may move to any empty point")
}

fn blocked() -> Param {
    word("blocked", &["loses", "passes", "draws"], "loses", "what happens to a side that cannot move")
}

fn early() -> Param {
    let help = "a line made by placing a man: counts, does not count, or may not be made";
    word("early", &["wins", "ignored", "forbidden"], "wins", help)
}

fn bar() -> Param {
    let help = "the centre: open, closed to the first man, closed to placing";
    word("bar", &["none", "first", "placing"], "none", help)
}

fn diagonals(default: &str) -> Param {
    word("diagonals", &["none", "centre", "all"], default, "diagonal moves")
}

fn line(default: &str) -> Param {
    let help = "what a line does: it wins, or takes a man (a side with fewer than three men loses)";
    word("line", &["wins", "captures"], default, help)
}

fn men(most: i64, default: &str) -> Param {
    Param::keyed("men", Kind::Int(2, most), default, "men of each side")
}

fn start() -> Param {
    word("start", &["set", "placed"], "set", "the men: set on the board, or placed in turn")
}

/// Antrin.
#[must_use]
pub fn antrin() -> Facts {
    Facts::new(
        "antrin",
        "Antrin",
        "On n × n points, each side places n men in turn and then moves them along the lines. The first side \
         to fill a whole row or column wins; diagonals do not count. Points are named from the top left, as \
         in Vaki's thesis.",
    )
    .positional("n", Kind::Int(3, 6), "3", "lines each way, and men")
    .with_params([
        word("men", &["usual", "2", "3", "4", "5", "6", "7", "8", "9"], "usual", "men of each side (usual: n)"),
        line("wins"),
        fly("never"),
        blocked(),
        early(),
        diagonals("none"),
        bar(),
    ])
}

/// Achi.
#[must_use]
pub fn achi() -> Facts {
    Facts::new(
        "achi",
        "Achi",
        "On 3 × 3 points, joined along the lines through the centre too, each side places four men (or three) \
         in turn and then moves them along the lines. Three in a row, column or diagonal win.",
    )
    .with_params([men(4, "4"), line("wins"), fly("never"), blocked(), early(), diagonals("centre"), bar()])
}

/// Three Men's Morris.
#[must_use]
pub fn three_mens() -> Facts {
    Facts::new(
        "three-mens",
        "Three Men's Morris",
        "On 3 × 3 points, joined along the lines through the centre too, each side places three men in turn \
         and then moves them along the lines. Three in a row, column or diagonal win.",
    )
    .with_params([men(4, "3"), line("wins"), fly("never"), blocked(), early(), diagonals("centre"), bar()])
}

/// Tapatan.
#[must_use]
pub fn tapatan() -> Facts {
    Facts {
        family: "tapatan".into(),
        title: "Tapatan".into(),
        rules: "The three men's morris of the Philippines: 3 × 3 points, joined along the lines through the centre \
         too, and three men a side, placed and then moved. Three in a row, column or diagonal win."
            .into(),
        ..three_mens()
    }
}

/// Nine Holes.
#[must_use]
pub fn nine_holes() -> Facts {
    Facts::new(
        "nine-holes",
        "Nine Holes",
        "On 3 × 3 points, each side places three men in turn and then moves one of them to any empty point. \
         Three in a row or column win; diagonals do not count.",
    )
    .with_params([men(4, "3"), line("wins"), fly("always"), blocked(), early(), diagonals("none"), bar()])
}

/// Picaria.
#[must_use]
pub fn picaria() -> Facts {
    Facts::new(
        "picaria",
        "Picaria",
        "On 3 × 3 points joined along every diagonal, each side places three men in turn and then moves them \
         to a neighbouring point. Three in a row, column or diagonal win. Some players keep the centre empty \
         while placing (bar=placing), and some use all 13 crossings (points=13).",
    )
    .with_params([
        men(6, "3"),
        line("wins"),
        fly("never"),
        blocked(),
        early(),
        diagonals("all"),
        bar(),
        word(
            "points",
            &["9", "13"],
            "9",
            "points to stand on: 13 with those where the short diagonals cross the long ones",
        ),
    ])
}

/// Tant Fant.
#[must_use]
pub fn tant_fant() -> Facts {
    Facts::new(
        "tant-fant",
        "Tant Fant",
        "On 3 × 3 points, joined along the lines through the centre too, each side begins with three men on \
         its home row and moves them along the lines. Three in a column, a diagonal or the middle row win; \
         the home rows do not count. Some players count only the diagonals (lines=diagonals).",
    )
    .with_params([
        word(
            "lines",
            &["inner", "diagonals"],
            "inner",
            "which lines win: all but the home rows, or only the two diagonals",
        ),
        line("wins"),
        fly("never"),
        blocked(),
        diagonals("centre"),
        start(),
        early(),
        bar(),
    ])
}

/// Shisima.
#[must_use]
pub fn shisima() -> Facts {
    Facts::new(
        "shisima",
        "Shisima",
        "On a wheel of eight points around a centre, each side begins with three men side by side on the rim \
         and moves them along the lines. Three in a line across the centre win.",
    )
    .with_params([line("wins"), fly("never"), blocked(), start(), early(), bar()])
}

/// Rota.
#[must_use]
pub fn rota() -> Facts {
    Facts::new(
        "rota",
        "Rota",
        "On a wheel of eight points around a centre, each side places three men in turn and then moves them \
         along the lines. Three in a line across the centre, or side by side on the rim, win.",
    )
    .with_params([men(4, "3"), line("wins"), fly("never"), blocked(), early(), bar()])
}

/// Tsoro Yematatu.
#[must_use]
pub fn tsoro_yematatu() -> Facts {
    Facts::new(
        "tsoro-yematatu",
        "Tsoro Yematatu",
        "On the seven points of a triangle with a middle line and a cross line, each side places three men in \
         turn and then moves one to the empty point, along a line or with a leap over a man. Three in a line \
         win.",
    )
    .with_params([men(3, "3"), line("wins"), fly("never"), blocked(), early()])
}

/// The morris games.
#[must_use]
pub fn morris() -> Facts {
    Facts::new(
        "morris",
        "Morris",
        "Each side places its men in turn and then moves them along the lines. Three in a line form a \
         mill and capture an opposing man, not from a mill if avoidable. A side with fewer than three men, or without \
         a move, loses. The boards: five and six have two squares; seven has two squares and a cross; nine has \
         three squares; morabaraba has twelve men and diagonals; lasker has ten men, which may move before \
         all are placed.",
    )
    .positional("board", Kind::words(&["five", "six", "seven", "nine", "morabaraba", "lasker"]), "nine", "which morris")
    .with_params([
        word(
            "men",
            &["usual", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
            "usual",
            "men of each side (usual: five, six, seven, nine; morabaraba 12, lasker 10)",
        ),
        line("captures"),
        word(
            "fly",
            &["usual", "never", "at3", "always"],
            "usual",
            "when a side may move to any empty point (usual: never for five, six, seven; at3 for nine, morabaraba, lasker)",
        ),
        blocked(),
        early(),
        word(
            "diagonals",
            &["usual", "none", "corners"],
            "usual",
            "lines that join the corners of the squares (usual: none, except in morabaraba)",
        ),
        bar(),
    ])
    .alias("nine-mens-morris", "morris:nine")
    .alias("six-mens-morris", "morris:six")
    .alias("morabaraba", "morris:morabaraba")
}

/// Every family.
#[must_use]
pub fn families() -> Vec<Facts> {
    vec![
        antrin(),
        achi(),
        three_mens(),
        tapatan(),
        nine_holes(),
        picaria(),
        tant_fant(),
        shisima(),
        rota(),
        tsoro_yematatu(),
        morris(),
    ]
}

impl Mill {
    /// Reads a full spelling of one of the [`families`].
    pub fn of_family(facts: &Facts, given: &str) -> Result<(Mill, String), GameError> {
        let mut params = Params::parse(facts, given, split_spelling(given).1)?;
        for (name, usual) in usual(facts, &params) {
            if params.text(name) == usual {
                params = params.with(name, "usual");
            }
        }
        Ok((preset(facts, &params)?, params.spelling(facts)))
    }

    /// Checks that the men fit on the board and that the tables have 64-bit indices; the error says why not.
    pub fn fits(board: &Board, rules: &Rules) -> Result<(), String> {
        let (points, men) = (board.size() as u64, u64::from(rules.men));
        let least = if rules.line == Line::Captures { 3 } else { 1 };
        if !(least..=MAX_MEN as u64).contains(&men) || men * 2 > points {
            return Err(format!("men must be {least}..={MAX_MEN}, and twice as many points"));
        }
        let ways = (0..men).fold(1u64, |ways, i| (ways * (points - i) / (i + 1)).min(1 << 40));
        if points > 63 || ways > 4_000_000 {
            return Err(format!("{men} men on {points} points are too many"));
        }
        if rules.bar != Bar::None && board.centre.is_none() {
            return Err("bar is about the centre, and this board has no point there".into());
        }
        if board.near.iter().any(|near| near.count_ones() > 15) {
            return Err("a point can be joined to at most 15 others".into());
        }
        Ok(())
    }
}

/// The meaning of `usual`, for each parameter that has it.
fn usual(facts: &Facts, params: &Params) -> Vec<(&'static str, String)> {
    match facts.family.as_str() {
        "antrin" => vec![("men", params.text("n").to_string())],
        "morris" => {
            let (men, corners) = match params.text("board") {
                "five" => (5, "none"),
                "six" => (6, "none"),
                "seven" => (7, "none"),
                "morabaraba" => (12, "corners"),
                "lasker" => (10, "none"),
                _ => (9, "none"),
            };
            let few = matches!(params.text("board"), "five" | "six" | "seven");
            let fly = if few { "never" } else { "at3" };
            vec![("men", men.to_string()), ("fly", fly.to_string()), ("diagonals", corners.to_string())]
        }
        _ => Vec::new(),
    }
}

/// The word of a parameter, if the family has it, with `usual` resolved.
fn asked(facts: &Facts, params: &Params, name: &str) -> Option<String> {
    let given = facts.params.iter().find(|p| p.name == name).map(|_| params.text(name))?;
    let stands_for = || usual(facts, params).into_iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    if given == "usual" { stands_for() } else { Some(given.to_string()) }
}

/// The rules of the parameters, on a board without men.
fn rules(facts: &Facts, params: &Params) -> Rules {
    let ask = |name: &str| asked(facts, params, name);
    Rules {
        men: ask("men").and_then(|men| men.parse().ok()).unwrap_or(3),
        line: if ask("line").as_deref() == Some("captures") { Line::Captures } else { Line::Wins },
        fly: match ask("fly").as_deref() {
            Some("at3") => Fly::AtThree,
            Some("always") => Fly::Always,
            _ => Fly::Never,
        },
        blocked: match ask("blocked").as_deref() {
            Some("passes") => Blocked::Passes,
            Some("draws") => Blocked::Draws,
            _ => Blocked::Loses,
        },
        early: match ask("early").as_deref() {
            Some("ignored") => Early::Ignored,
            Some("forbidden") => Early::Forbidden,
            _ => Early::Wins,
        },
        bar: match ask("bar").as_deref() {
            Some("first") => Bar::First,
            Some("placing") => Bar::Placing,
            _ => Bar::None,
        },
        mixed: facts.family == "morris" && params.text("board") == "lasker",
        start: None,
    }
}

fn preset(facts: &Facts, params: &Params) -> Result<Mill, GameError> {
    let diagonals = match asked(facts, params, "diagonals").as_deref() {
        Some("centre") => Diagonals::Centre,
        Some("all") => Diagonals::All,
        _ => Diagonals::None,
    };
    let mut rules = rules(facts, params);
    let board = match facts.family.as_str() {
        "antrin" => Board::square(params.int("n"), diagonals, false),
        "nine-holes" => Board::square(3, diagonals, false),
        "picaria" if params.text("points") == "13" => {
            if diagonals != Diagonals::All {
                return Err(params.error("diagonals are for points=9: on 13 points men stand where they cross"));
            }
            crossings()
        }
        "tant-fant" => {
            rules.start = Some([0b111_000_000, 0b000_000_111]);
            tant_fant_board(diagonals, params.text("lines") == "diagonals")
        }
        "shisima" => {
            rules.start = Some([0b0111_0000, 0b0000_0111]);
            Board::wheel(false)
        }
        "rota" => Board::wheel(true),
        "tsoro-yematatu" => Board::triangle(),
        "morris" => {
            let corners = asked(facts, params, "diagonals").as_deref() == Some("corners");
            let rings = if matches!(params.text("board"), "five" | "six" | "seven") { 2 } else { 3 };
            Board::rings(rings, corners, params.text("board") == "seven")
        }
        _ => Board::square(3, diagonals, true),
    };
    if asked(facts, params, "start").as_deref() == Some("placed") {
        rules.start = None;
    }
    if rules.start.is_some() && (rules.early != Early::Wins || rules.bar != Bar::None) {
        return Err(params.error("early and bar are about placing men: add start=placed"));
    }
    Mill::fits(&board, &rules).map_err(|why| params.error(why))?;
    Ok(Mill::new(board, rules))
}

/// The square of three by three without its home rows as lines, or with the diagonals as its only lines.
fn tant_fant_board(diagonals: Diagonals, diagonal_lines_only: bool) -> Board {
    let whole = Board::square(3, diagonals, true);
    let lines = whole.mills.iter().map(|&line| crate::grid::each_cell(line).collect::<Vec<usize>>());
    let wins = |line: &Vec<usize>| match line[..] {
        [0, 4, 8] | [2, 4, 6] => true,
        [0, 1, 2] | [6, 7, 8] => false,
        _ => !diagonal_lines_only,
    };
    let lines: Vec<Vec<usize>> = lines.filter(wins).collect();
    Board::new(whole.points.clone(), &whole.edges(), &[], &lines)
}

/// Picaria on all 13 crossings: the square of three by three, and the four points where the short diagonals
/// cross the long ones. Three neighbours on a drawn line are a line.
fn crossings() -> Board {
    let mut points: Vec<(i32, i32, String)> = Vec::new();
    for (y, x) in (0..5).flat_map(|y| (0..5).map(move |x| (y, x))).filter(|(y, x)| y % 2 == x % 2) {
        points.push((x, y, format!("{}{}", column_label(x as usize), y + 1)));
    }
    let find = |x: i32, y: i32| points.iter().position(|point| (point.0, point.1) == (x, y));
    let path = |from: (i32, i32), step: (i32, i32), long: i32| -> Vec<usize> {
        (0..long).filter_map(|i| find(from.0 + i * step.0, from.1 + i * step.1)).collect()
    };
    let mut paths: Vec<Vec<usize>> = Vec::new();
    for i in [0, 2, 4] {
        paths.push(path((0, i), (2, 0), 3));
        paths.push(path((i, 0), (0, 2), 3));
    }
    paths.extend([path((0, 0), (1, 1), 5), path((4, 0), (-1, 1), 5)]);
    for (from, step) in [((2, 0), (-1, 1)), ((2, 0), (1, 1)), ((0, 2), (1, 1)), ((4, 2), (-1, 1))] {
        paths.push(path(from, step, 3));
    }
    let edges: Vec<(usize, usize)> = paths.iter().flat_map(|p| p.windows(2)).map(|pair| (pair[0], pair[1])).collect();
    let lines: Vec<Vec<usize>> = paths.iter().flat_map(|p| p.windows(3)).map(<[usize]>::to_vec).collect();
    Board::new(points, &edges, &[], &lines)
}

impl Family for Mill {
    fn facts() -> Facts {
        antrin()
    }

    fn build(params: &Params) -> Result<Mill, GameError> {
        preset(&antrin(), params)
    }

    /// Reads a full spelling of any of the [`families`].
    fn from_spelling(given: &str) -> Result<(Mill, String), GameError> {
        let name = split_spelling(given).0;
        let family = families().into_iter().find(|facts| facts.family == name);
        Mill::of_family(&family.unwrap_or_else(antrin), given)
    }

    fn strategies(&self) -> Vec<StrategyFacts> {
        self.shipped().iter().map(Shipped::facts).collect()
    }

    fn strategy(&self, name: &str, reading: &str) -> Option<Box<dyn Strategy<Mill>>> {
        self.shipped().iter().find(|shipped| shipped.name == name)?.strategy(self, reading)
    }

    fn strategy_text(&self, name: &str) -> Option<&'static str> {
        self.shipped().iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text)
    }

    fn vocabulary(&self) -> Box<dyn Features<Mill>> {
        Box::new(MillFeatures::new(self))
    }
}

impl Mill {
    /// The published strategies for games with these rules.
    fn shipped(&self) -> &'static [Shipped] {
        if self.rules.line == Line::Wins && self.rules.start.is_none() { &[VAKI_DEFENCE] } else { &[] }
    }
}
