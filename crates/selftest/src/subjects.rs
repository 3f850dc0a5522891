//! The games under test: every family, with fixed sizes and random rules.

use agon_core::{Facts, Kind, Rng};
use agon_registry::Registry;
use agon_registry::erased::AnyGame;

/// Sizes and variants that are tested for every seed. A family without an entry is tested with its default and with
/// random parameters.
const SIZES: &[(&str, &[&str])] = &[
    ("mnk", &["mnk:3,3,3", "mnk:2,2,2", "mnk:5,1,3", "mnk:4,3,3", "mnk:4,4,4"]),
    ("drop", &["drop:3,3,3", "drop:2,4,2", "drop:4,3,3", "drop:4,4,4"]),
    (
        "order-chaos",
        &[
            "order-chaos:3x1,k=3,symbols=1",
            "order-chaos:2x2,k=2",
            "order-chaos:4x1,k=3,first=chaos,row=exact-final",
            "order-chaos:3x2,k=2,symbols=3,row=exact",
            "order-chaos:3x3,k=3,symbols=1,first=chaos",
            "order-chaos:3x3,k=3",
        ],
    ),
    ("tak", &["tak:2x2,flats=2,caps=0", "tak:3x1,flats=3,caps=1,komi=0.5", "tak:3x2,flats=2,caps=1", "tak:3"]),
    ("heap", &["heap:0.007;9+5", "heap:0.77;4+5", "heap:4.3;3+4", "heap:0.8;9", "heap:0.137;8+4,play=misere"]),
    ("subtract", &["subtract:2;3+6", "subtract:1,2,3;5+6", "subtract:1,4;5+7,play=misere"]),
    ("nim", &["nim:1+2", "nim:3+5", "nim:2+3+4,play=misere"]),
    ("kayles", &["kayles:7", "kayles:4+6", "kayles:5+5,play=misere"]),
    ("dawson", &["dawson:9", "dawson:5+9", "dawson:4+6,play=misere"]),
    ("grundy", &["grundy:10", "grundy:5+8", "grundy:6+7,play=misere"]),
    ("treblecross", &["treblecross:1x5", "treblecross:1x8", "treblecross:1x7,play=misere"]),
    ("ellie", &["ellie:3x3", "ellie:4x3", "ellie:3x3,play=misere"]),
    ("cram", &["cram:3x2", "cram:3x3", "cram:4x2,play=misere"]),
    ("circular-nim", &["circular-nim:3,2;1+2+2", "circular-nim:4,2;1+2+1+2", "circular-nim:3,1;2+2+3,play=misere"]),
    ("sum", &["sum:(grundy:5)+(grundy:8)", "sum:(kayles:4)+(cram:2x3)", "sum:(nim:1+2)+(heap:0.07;5),play=misere"]),
    ("antrin", &["antrin:3", "antrin:3,line=captures,fly=at3", "antrin:3,men=2,diagonals=all", "antrin:4,men=3"]),
    ("achi", &["achi", "achi:men=3,blocked=passes", "achi:men=2,fly=always"]),
    (
        "three-mens",
        &[
            "three-mens",
            "three-mens:line=captures,fly=at3",
            "three-mens:men=2,early=ignored",
            "three-mens:blocked=passes,bar=placing",
        ],
    ),
    ("tapatan", &["tapatan", "tapatan:blocked=passes,early=forbidden", "tapatan:men=2,diagonals=all"]),
    ("nine-holes", &["nine-holes", "nine-holes:fly=never,blocked=draws", "nine-holes:men=2"]),
    (
        "picaria",
        &[
            "picaria",
            "picaria:bar=placing",
            "picaria:men=2,points=13",
            "picaria:blocked=passes,early=forbidden,bar=placing",
        ],
    ),
    ("tant-fant", &["tant-fant", "tant-fant:lines=diagonals", "tant-fant:start=placed,early=ignored"]),
    ("shisima", &["shisima", "shisima:line=captures", "shisima:start=placed,bar=first"]),
    ("rota", &["rota", "rota:men=2", "rota:line=captures,blocked=passes", "rota:men=4,blocked=passes,bar=placing"]),
    ("tsoro-yematatu", &["tsoro-yematatu", "tsoro-yematatu:men=2", "tsoro-yematatu:blocked=passes,early=ignored"]),
    (
        "morris",
        &[
            "morris:five,men=3",
            "morris:six,men=3,line=wins",
            "morris:seven,men=3,fly=always",
            "morris:seven,men=3,blocked=passes,bar=placing",
            "morris:seven,men=3,line=wins,bar=first",
        ],
    ),
];

/// The choice of games with random rules.
pub struct Chance<'a> {
    /// The number of games per family.
    pub games: usize,
    /// How much larger heaps and boards are than those that are quickly explored.
    pub larger: usize,
    /// Whether a game is small enough.
    pub fits: &'a dyn Fn(&dyn AnyGame) -> bool,
}

/// The spellings to test: the fixed ones, then random ones.
#[must_use]
pub fn spellings(registry: &Registry, facts: &Facts, chance: &Chance<'_>, rng: &mut Rng) -> Vec<String> {
    let fixed = SIZES.iter().find(|(family, _)| *family == facts.family).map(|(_, list)| *list);
    let mut list: Vec<String> =
        fixed.map_or(vec![facts.family.to_string()], |list| list.iter().map(ToString::to_string).collect());
    // Some combinations of parameters are invalid, and random choices repeat.
    for _ in 0..chance.games * 50 {
        let spelling = random_spelling(facts, chance.larger, rng);
        let Ok(game) = registry.game(&spelling) else { continue };
        if (chance.fits)(game.as_ref()) && !list.iter().any(|known| known == game.spelling()) {
            list.push(game.spelling().to_string());
        }
        if list.len() >= fixed.map_or(1, <[_]>::len) + chance.games {
            break;
        }
    }
    list
}

/// A spelling with random parameters, most of them small; it may be invalid.
fn random_spelling(facts: &Facts, larger: usize, rng: &mut Rng) -> String {
    let family = facts.family.as_str();
    let between = |lo: usize, hi: usize, rng: &mut Rng| lo + rng.below(hi - lo + 1);
    let misere = |rng: &mut Rng| if rng.below(3) == 0 { ",play=misere" } else { "" };
    match family {
        "mnk" | "drop" => {
            let (m, n) = (between(1, 5, rng), between(1, 4, rng));
            format!("{family}:{m},{n},{}", between(1, m.max(n), rng))
        }
        "order-chaos" => {
            let (m, n) = (between(1, 4, rng), between(1, 3, rng));
            let (k, symbols) = (between(1, m.max(n), rng), between(1, 4, rng));
            let first = ["order", "chaos"][rng.below(2)];
            let row = ["atleast", "exact", "exact-final"][rng.below(3)];
            format!("order-chaos:{m}x{n},k={k},symbols={symbols},first={first},row={row}")
        }
        "tak" => {
            let (m, n, flats) = (between(1, 3, rng), between(1, 3, rng), between(1, 4, rng));
            let komi = ["-1", "-0.5", "0", "0.5", "1", "2"][rng.below(6)];
            let draw = ["none", "none", "none", "threefold", "fifty"][rng.below(5)];
            let opening = ["swap", "noswap"][rng.below(2)];
            format!("tak:{m}x{n},flats={flats},caps={},komi={komi},opening={opening},draw={draw}", rng.below(2))
        }
        "heap" => format!("heap:{};{}{}", random_code(rng), random_heaps(16 + larger, rng), misere(rng)),
        "subtract" => {
            let set: Vec<String> = (1..=6).filter(|_| rng.below(2) == 0).map(|take: u32| take.to_string()).collect();
            format!("subtract:{};{}{}", set.join(","), random_heaps(20 + larger, rng), misere(rng))
        }
        "nim" => format!("nim:{}{}", random_heaps(12 + larger, rng), misere(rng)),
        "kayles" | "dawson" | "grundy" => format!("{family}:{}{}", random_heaps(16 + larger, rng), misere(rng)),
        "treblecross" => format!("treblecross:1x{}{}", between(3, 9 + larger / 3, rng), misere(rng)),
        "ellie" | "cram" => {
            format!("{family}:{}x{}{}", between(1, 5, rng), between(1, 3 + larger / 8, rng), misere(rng))
        }
        "circular-nim" => {
            let n = between(1, 4, rng);
            let stacks: Vec<String> = (0..n).map(|_| rng.below(4 + larger / 4).to_string()).collect();
            format!("circular-nim:{n},{};{}{}", between(1, n, rng), stacks.join("+"), misere(rng))
        }
        "sum" => {
            let parts: Vec<String> =
                (0..between(2, 3, rng)).map(|_| format!("({})", random_part(larger / 2, rng))).collect();
            format!("sum:{}{}", parts.join("+"), misere(rng))
        }
        _ => random_parameters(facts, rng),
    }
}

/// Up to four heaps with at most `total` counters in all.
fn random_heaps(total: usize, rng: &mut Rng) -> String {
    let mut left = total;
    let mut heaps = Vec::new();
    for _ in 0..1 + rng.below(4) {
        let heap = rng.below(left + 1);
        left -= heap;
        heaps.push(heap.to_string());
    }
    heaps.join("+")
}

/// An octal or hexadecimal code of one to three digits.
fn random_code(rng: &mut Rng) -> String {
    let base = if rng.below(3) == 0 { 16 } else { 8 };
    let first = if rng.below(4) == 0 { "4" } else { "0" };
    let digits: String = (0..1 + rng.below(3)).map(|_| format!("{:x}", rng.below(base))).collect();
    format!("{first}.{digits}")
}

/// A small summand of a sum.
fn random_part(larger: usize, rng: &mut Rng) -> String {
    match rng.below(9) {
        0 => format!("nim:{}", random_heaps(5 + larger, rng)),
        1 => format!("kayles:{}", 1 + rng.below(7 + larger)),
        2 => format!("dawson:{}", 1 + rng.below(9 + larger)),
        3 => format!("grundy:{}", 1 + rng.below(9 + larger)),
        4 => format!("heap:{};{}", random_code(rng), random_heaps(7 + larger, rng)),
        5 => format!("cram:{}x{}", 1 + rng.below(3), 1 + rng.below(2)),
        6 => format!("ellie:{}x{}", 2 + rng.below(2), 2 + rng.below(2)),
        7 => format!("treblecross:1x{}", 3 + rng.below(3)),
        _ => format!("circular-nim:3,2;{}+{}+{}", rng.below(3), rng.below(3), rng.below(2)),
    }
}

/// Each parameter with its default or a random valid value.
fn random_parameters(facts: &Facts, rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    for param in &facts.params {
        let value = match param.kind {
            _ if rng.below(2) == 0 => param.default.to_string(),
            Kind::Int(lo, hi) => (lo + rng.below((hi - lo + 1) as usize) as i64).to_string(),
            Kind::Word(ref words) => words[rng.below(words.len())].to_string(),
            Kind::Size(lo, hi) => {
                let side = |rng: &mut Rng| lo + rng.below((hi - lo + 1).min(4) as usize) as i64;
                format!("{}x{}", side(rng), side(rng))
            }
            Kind::Text(_) => param.default.to_string(),
        };
        parts.push(if param.positional { value } else { format!("{}={value}", param.name) });
    }
    format!("{}:{}", facts.family, parts.join(","))
}
