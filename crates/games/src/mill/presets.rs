//! The mill games by name, each with its usual rules as defaults of the parameters.

use super::board::{Board, Diagonals};
use super::defence::{self, Defence};
use super::ranking::MAX_MEN;
use super::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use agon_core::family::split_spelling;
use agon_core::scene::column_label;
use agon_core::{Facts, Family, GameError, Kind, Param, Params, Strategy, StrategyFacts};

const fn word(name: &'static str, words: &'static [&'static str], default: &'static str, help: &'static str) -> Param {
    Param { name, kind: Kind::Word(words), default, help, positional: false }
}

const fn fly(default: &'static str) -> Param {
    word("fly", &["never", "at3", "always"], default, "who may move to any empty point")
}

const BLOCKED: Param = word("blocked", &["loses", "passes", "draws"], "loses", "a side that cannot move");
const EARLY: Param = word(
    "early",
    &["wins", "ignored", "forbidden"],
    "wins",
    "a line made by placing a man: counts, counts for nothing, or may not be made",
);
const BAR: Param =
    word("bar", &["none", "first", "placing"], "none", "the centre: open, closed to the first man, closed to placing");

const fn diagonals(default: &'static str) -> Param {
    word("diagonals", &["none", "centre", "all"], default, "diagonal moves")
}

const fn line(default: &'static str) -> Param {
    word(
        "line",
        &["wins", "captures"],
        default,
        "what a line does: it wins, or takes a man (fewer than three men lose)",
    )
}

const fn men(most: i64, default: &'static str) -> Param {
    Param { name: "men", kind: Kind::Int(2, most), default, help: "men of each side", positional: false }
}

const START: Param = word("start", &["set", "placed"], "set", "the men: set on the board, or placed in turn");

const SIZE: Param =
    Param { name: "n", kind: Kind::Int(3, 6), default: "3", help: "lines each way, and men", positional: true };
const ANTRIN_MEN: Param =
    word("men", &["usual", "2", "3", "4", "5", "6", "7", "8", "9"], "usual", "men of each side (usual: n)");
const MORRIS_MEN: Param = word(
    "men",
    &["usual", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    "usual",
    "men of each side (usual: five, six, seven, nine; morabaraba 12, lasker 10)",
);
const MORRIS_DIAGONALS: Param = word(
    "diagonals",
    &["usual", "none", "corners"],
    "usual",
    "lines that join the corners of the squares (usual: none, but for morabaraba)",
);
const LINES: Param = word(
    "lines",
    &["inner", "diagonals"],
    "inner",
    "which lines win: every one but the home rows, or the two diagonals alone",
);
const POINTS: Param = word(
    "points",
    &["9", "13"],
    "9",
    "points to stand on: 13 with those where the short diagonals cross the long ones",
);
const BOARD: Param = Param {
    name: "board",
    kind: Kind::Word(&["five", "six", "seven", "nine", "morabaraba", "lasker"]),
    default: "nine",
    help: "which morris",
    positional: true,
};
const MORRIS_FLY: Param = word(
    "fly",
    &["usual", "never", "at3", "always"],
    "usual",
    "who may move to any empty point (usual: never for five, six, seven; at3 for nine, morabaraba, lasker)",
);

/// Antrin.
pub const ANTRIN: Facts = Facts {
    family: "antrin",
    title: "Antrin",
    rules: "On n × n points, each side places n men in turn and then moves them along the lines; whoever fills a \
            whole row or column wins. Diagonals do not count. Points are named from the top left, as in Vaki's thesis.",
    params: &[SIZE, ANTRIN_MEN, line("wins"), fly("never"), BLOCKED, EARLY, diagonals("none"), BAR],
    aliases: &[],
};

/// Achi.
pub const ACHI: Facts = Facts {
    family: "achi",
    title: "Achi",
    rules: "On 3 × 3 points joined also through the centre, each side places four men (or three) in turn and then \
            moves them along the lines; three in a row, column or diagonal win.",
    params: &[men(4, "4"), line("wins"), fly("never"), BLOCKED, EARLY, diagonals("centre"), BAR],
    aliases: &[],
};

/// Three Men's Morris.
pub const THREE_MENS: Facts = Facts {
    family: "three-mens",
    title: "Three Men's Morris",
    rules: "On 3 × 3 points joined also through the centre, each side places three men in turn and then moves them \
            along the lines; three in a row, column or diagonal win.",
    params: &[men(4, "3"), line("wins"), fly("never"), BLOCKED, EARLY, diagonals("centre"), BAR],
    aliases: &[],
};

/// Tapatan.
pub const TAPATAN: Facts = Facts {
    family: "tapatan",
    title: "Tapatan",
    rules: "The Philippine three men's morris: 3 × 3 points joined also through the centre, three men each, placed \
            and then moved; three in a row, column or diagonal win.",
    ..THREE_MENS
};

/// Nine Holes.
pub const NINE_HOLES: Facts = Facts {
    family: "nine-holes",
    title: "Nine Holes",
    rules: "On 3 × 3 points, each side places three men in turn and then moves one to any empty point; three in a \
            row or column win, diagonals do not count.",
    params: &[men(4, "3"), line("wins"), fly("always"), BLOCKED, EARLY, diagonals("none"), BAR],
    aliases: &[],
};

/// Picaria.
pub const PICARIA: Facts = Facts {
    family: "picaria",
    title: "Picaria",
    rules: "On 3 × 3 points joined along every diagonal, each side places three men in turn and then moves them to \
            a neighbouring point; three in a row, column or diagonal win. Some bar the centre while placing (bar=placing), \
            and some use all 13 crossings (points=13).",
    params: &[men(6, "3"), line("wins"), fly("never"), BLOCKED, EARLY, diagonals("all"), BAR, POINTS],
    aliases: &[],
};

/// Tant Fant.
pub const TANT_FANT: Facts = Facts {
    family: "tant-fant",
    title: "Tant Fant",
    rules: "On 3 × 3 points joined also through the centre, three men each begin on opposite rows and move along the \
            lines; three in a column, a diagonal or the middle row win. The home rows count for nobody. Some let the \
            diagonals alone win (lines=diagonals).",
    params: &[LINES, line("wins"), fly("never"), BLOCKED, diagonals("centre"), START, EARLY, BAR],
    aliases: &[],
};

/// Shisima.
pub const SHISIMA: Facts = Facts {
    family: "shisima",
    title: "Shisima",
    rules: "On a wheel of eight points round a centre, three men each begin side by side on the rim and move along \
            the lines; three in a line across the centre win.",
    params: &[line("wins"), fly("never"), BLOCKED, START, EARLY, BAR],
    aliases: &[],
};

/// Rota.
pub const ROTA: Facts = Facts {
    family: "rota",
    title: "Rota",
    rules: "On a wheel of eight points round a centre, each side places three men in turn and then moves them along \
            the lines; three in a line across the centre or side by side on the rim win.",
    params: &[men(4, "3"), line("wins"), fly("never"), BLOCKED, EARLY, BAR],
    aliases: &[],
};

/// Tsoro Yematatu.
pub const TSORO_YEMATATU: Facts = Facts {
    family: "tsoro-yematatu",
    title: "Tsoro Yematatu",
    rules: "On the seven points of a triangle cut twice, each side places three men in turn and then moves one to \
            the empty point, along a line or leaping over a man; three in a line win.",
    params: &[men(3, "3"), line("wins"), fly("never"), BLOCKED, EARLY],
    aliases: &[],
};

/// The morris games.
pub const MORRIS: Facts = Facts {
    family: "morris",
    title: "Morris",
    rules: "Each side places its men in turn and then moves them along the lines; a line of three takes a man, one \
            that stands in no line if there is one. Fewer than three men, or no move, is a loss. five, six: two \
            squares; seven: two squares and a cross; nine: three squares; morabaraba: twelve men, diagonals; lasker: \
            ten men, which may be moved before all are placed.",
    params: &[BOARD, MORRIS_MEN, line("captures"), MORRIS_FLY, BLOCKED, EARLY, MORRIS_DIAGONALS, BAR],
    aliases: &[
        ("nine-mens-morris", "morris:nine"),
        ("six-mens-morris", "morris:six"),
        ("morabaraba", "morris:morabaraba"),
    ],
};

/// Every family.
pub const FAMILIES: [&Facts; 11] = [
    &ANTRIN,
    &ACHI,
    &THREE_MENS,
    &TAPATAN,
    &NINE_HOLES,
    &PICARIA,
    &TANT_FANT,
    &SHISIMA,
    &ROTA,
    &TSORO_YEMATATU,
    &MORRIS,
];

impl Mill {
    /// Reads a full spelling of one of the [`FAMILIES`].
    pub fn of_family(facts: &'static Facts, given: &str) -> Result<(Mill, String), GameError> {
        let mut params = Params::parse(facts, given, split_spelling(given).1)?;
        for (name, usual) in usual(facts, &params) {
            if params.text(name) == usual {
                params = params.with(name, "usual");
            }
        }
        Ok((preset(facts, &params)?, params.spelling(facts)))
    }

    /// Checks that so many men fit on a board and that the tables have 64-bit indices; the error says why not.
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
    match facts.family {
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
fn rules(facts: &'static Facts, params: &Params) -> Rules {
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

fn preset(facts: &'static Facts, params: &Params) -> Result<Mill, GameError> {
    let diagonals = match asked(facts, params, "diagonals").as_deref() {
        Some("centre") => Diagonals::Centre,
        Some("all") => Diagonals::All,
        _ => Diagonals::None,
    };
    let mut rules = rules(facts, params);
    let board = match facts.family {
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
            tant_fant(diagonals, params.text("lines") == "diagonals")
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
    Ok(Mill::new(facts, board, rules))
}

/// The square of three by three without its home rows as lines, or with the diagonals as its only lines.
fn tant_fant(diagonals: Diagonals, diagonal_lines_only: bool) -> Board {
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
    const FACTS: Facts = ANTRIN;

    fn build(params: &Params) -> Result<Mill, GameError> {
        preset(&ANTRIN, params)
    }

    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn strategies(&self) -> Vec<StrategyFacts> {
        if self.rules.line == Line::Wins && self.rules.start.is_none() { vec![defence::FACTS] } else { Vec::new() }
    }

    fn strategy(&self, name: &str, reading: &str) -> Option<Box<dyn Strategy<Mill>>> {
        let known = self.strategies().iter().any(|s| s.name == name) && reading.is_empty();
        known.then(|| Box::new(Defence) as Box<dyn Strategy<Mill>>)
    }
}
