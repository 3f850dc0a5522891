//! The mill games by name, each with its usual rules; every parameter can be set otherwise.

use super::board::{Board, Diagonals};
use super::defence::{self, Defence};
use super::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use agon_core::family::split_spelling;
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

const SIZE: Param =
    Param { name: "n", kind: Kind::Int(3, 6), default: "3", help: "lines each way, and men", positional: true };
const MEN: Param =
    Param { name: "men", kind: Kind::Int(3, 4), default: "4", help: "men of each side", positional: false };
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
    params: &[SIZE, fly("never"), BLOCKED, EARLY, diagonals("none"), BAR],
    aliases: &[],
};

/// Achi.
pub const ACHI: Facts = Facts {
    family: "achi",
    title: "Achi",
    rules: "On 3 × 3 points joined also through the centre, each side places four men (or three) in turn and then \
            moves them along the lines; three in a row, column or diagonal win.",
    params: &[MEN, fly("never"), BLOCKED, EARLY, diagonals("centre"), BAR],
    aliases: &[],
};

/// Three Men's Morris.
pub const THREE_MENS: Facts = Facts {
    family: "three-mens",
    title: "Three Men's Morris",
    rules: "On 3 × 3 points joined also through the centre, each side places three men in turn and then moves them \
            along the lines; three in a row, column or diagonal win.",
    params: &[fly("never"), BLOCKED, EARLY, diagonals("centre"), BAR],
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
    params: &[fly("always"), BLOCKED, EARLY, diagonals("none"), BAR],
    aliases: &[],
};

/// Picaria.
pub const PICARIA: Facts = Facts {
    family: "picaria",
    title: "Picaria",
    rules: "On 3 × 3 points joined along every diagonal, each side places three men in turn and then moves them to \
            a neighbouring point; three in a row, column or diagonal win. Some bar the centre while placing (bar=placing).",
    params: &[fly("never"), BLOCKED, EARLY, diagonals("all"), BAR],
    aliases: &[],
};

/// Tant Fant.
pub const TANT_FANT: Facts = Facts {
    family: "tant-fant",
    title: "Tant Fant",
    rules: "On 3 × 3 points joined also through the centre, three men each begin on opposite rows and move along the \
            lines; three in a column, a diagonal or the middle row win. The home rows count for nobody.",
    params: &[fly("never"), BLOCKED, diagonals("centre")],
    aliases: &[],
};

/// Shisima.
pub const SHISIMA: Facts = Facts {
    family: "shisima",
    title: "Shisima",
    rules: "On a wheel of eight points round a centre, three men each begin side by side on the rim and move along \
            the lines; three in a line across the centre win.",
    params: &[fly("never"), BLOCKED],
    aliases: &[],
};

/// Rota.
pub const ROTA: Facts = Facts {
    family: "rota",
    title: "Rota",
    rules: "On a wheel of eight points round a centre, each side places three men in turn and then moves them along \
            the lines; three in a line across the centre or side by side on the rim win.",
    params: &[fly("never"), BLOCKED, EARLY, BAR],
    aliases: &[],
};

/// Tsoro Yematatu.
pub const TSORO_YEMATATU: Facts = Facts {
    family: "tsoro-yematatu",
    title: "Tsoro Yematatu",
    rules: "On the seven points of a triangle cut twice, each side places three men in turn and then moves one to \
            the empty point, along a line or leaping over a man; three in a line win.",
    params: &[fly("never"), BLOCKED, EARLY],
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
    params: &[BOARD, MORRIS_FLY, BLOCKED, EARLY],
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
        let params = Params::parse(facts, given, split_spelling(given).1)?;
        let usual = facts.family == "morris" && params.text("fly") == usual_fly(&params);
        let params = if usual { params.with("fly", "usual") } else { params };
        Ok((preset(facts, &params), params.spelling(facts)))
    }
}

/// The word given for a parameter, if the family has it.
fn asked<'a>(facts: &Facts, params: &'a Params, name: &str) -> Option<&'a str> {
    facts.params.iter().any(|p| p.name == name).then(|| params.text(name))
}

fn preset(facts: &'static Facts, params: &Params) -> Mill {
    let ask = |name: &str| asked(facts, params, name);
    let diagonals = match ask("diagonals") {
        Some("centre") => Diagonals::Centre,
        Some("all") => Diagonals::All,
        _ => Diagonals::None,
    };
    let mut rules = Rules {
        men: 3,
        line: Line::Wins,
        fly: match ask("fly") {
            Some("at3") => Fly::AtThree,
            Some("always") => Fly::Always,
            _ => Fly::Never,
        },
        blocked: match ask("blocked") {
            Some("passes") => Blocked::Passes,
            Some("draws") => Blocked::Draws,
            _ => Blocked::Loses,
        },
        early: match ask("early") {
            Some("ignored") => Early::Ignored,
            Some("forbidden") => Early::Forbidden,
            _ => Early::Wins,
        },
        bar: match ask("bar") {
            Some("first") => Bar::First,
            Some("placing") => Bar::Placing,
            _ => Bar::None,
        },
        mixed: false,
        start: None,
    };
    let board = match facts.family {
        "antrin" => {
            rules.men = params.int("n") as u8;
            Board::square(params.int("n"), diagonals, false)
        }
        "achi" => {
            rules.men = params.int("men") as u8;
            Board::square(3, diagonals, true)
        }
        "nine-holes" => Board::square(3, diagonals, false),
        "tant-fant" => {
            rules.start = Some([0b111_000_000, 0b000_000_111]);
            let whole = Board::square(3, diagonals, true);
            let home = |line: &Vec<usize>| !matches!(line[..], [0, 1, 2] | [6, 7, 8]);
            let lines: Vec<Vec<usize>> =
                whole.mills.iter().map(|&line| crate::grid::each_cell(line).collect()).filter(home).collect();
            Board::new(whole.points.clone(), &whole.edges(), &[], &lines)
        }
        "shisima" => {
            rules.start = Some([0b0111_0000, 0b0000_0111]);
            Board::wheel(false)
        }
        "rota" => Board::wheel(true),
        "tsoro-yematatu" => Board::triangle(),
        "morris" => morris(params, &mut rules),
        _ => Board::square(3, diagonals, true),
    };
    Mill::new(facts, board, rules)
}

/// What `fly=usual` means on that board.
fn usual_fly(params: &Params) -> &'static str {
    if matches!(params.text("board"), "five" | "six" | "seven") { "never" } else { "at3" }
}

fn morris(params: &Params, rules: &mut Rules) -> Board {
    let (men, rings, corners, cross) = match params.text("board") {
        "five" => (5, 2, false, false),
        "six" => (6, 2, false, false),
        "seven" => (7, 2, false, true),
        "morabaraba" => (12, 3, true, false),
        "lasker" => (10, 3, false, false),
        _ => (9, 3, false, false),
    };
    rules.men = men;
    rules.line = Line::Captures;
    rules.mixed = params.text("board") == "lasker";
    if params.text("fly") == "usual" && usual_fly(params) == "at3" {
        rules.fly = Fly::AtThree;
    }
    Board::rings(rings, corners, cross)
}

impl Family for Mill {
    const FACTS: Facts = ANTRIN;

    fn build(params: &Params) -> Result<Mill, GameError> {
        Ok(preset(&ANTRIN, params))
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
