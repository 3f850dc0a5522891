//! The certificate file: text in canonical form, with a hash at its end.

use agon_core::family::shorten;
use agon_core::{Player, Value, Wdl};
use agon_table::sealed::{self, Broken};
use std::fmt::{self, Write as _};

const FIRST_LINE: &str = "agon-certificate 1";

/// The claim of a certificate about its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The value for the mover.
    Value(Wdl),
    /// A lower bound of the result for one side.
    AtLeast(Player, Wdl),
    /// The value and distance of every position reachable from it.
    Table,
}

/// One part of the evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Section {
    /// A strategy of one side: whichever of its moves that side plays, it gets at least `least`.
    Strategy {
        /// The side that follows the moves.
        side: Player,
        /// The least result.
        least: Wdl,
        /// An upper bound of the plies of any line of play by the strategy.
        within: Option<u32>,
        /// Position and moves, sorted by position.
        entries: Vec<(String, Vec<String>)>,
    },
    /// A strategy of one side, written as text: whichever of the moves that it allows that side plays, it gets at least
    /// `least`.
    Text {
        /// The side that follows the text.
        side: Player,
        /// The least result.
        least: Wdl,
        /// An upper bound of the plies of any line of play by the strategy.
        within: Option<u32>,
        /// The strategy, as `docs/strategies.md` describes it; its first reading counts. Lines end in a line feed; the
        /// writer makes it so.
        text: String,
    },
    /// Values for the mover, sorted by position.
    Values(Vec<(String, Value)>),
    /// Evidence that the maker of a line game completes a line, or cannot.
    Lines {
        /// The maker.
        maker: Player,
        /// True if the maker completes a line.
        wins: bool,
        /// Position and reason, sorted by position.
        entries: Vec<(String, String)>,
    },
    /// Evidence that a side completes a line before the other side does.
    Race {
        /// The side that wins.
        winner: Player,
        /// Position and reason, sorted by position.
        entries: Vec<(String, String)>,
    },
    /// A strategy of the maker for the smaller game inside a frame, from which a win of the whole game follows:
    /// position and moves of the inner game, sorted by position.
    Lifted(Vec<(String, Vec<String>)>),
    /// The same, as a strategy for the whole game in text form: of its moves, those count that it makes while the cells
    /// around the smaller game are empty.
    LiftedText(String),
    /// A pairing of all cells for the breaker: two cells, and whether they get the same mark; sorted.
    Pairing(Vec<(String, String, bool)>),
}

/// A certificate, as text fields. [`crate::check`] verifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Canonical spelling of the game.
    pub game: String,
    /// The rules in canonical form, if they come from a file; the spelling then contains their hash.
    pub rules: Option<String>,
    /// The position the claim is about.
    pub from: String,
    /// The claim.
    pub claim: Claim,
    /// True if an entry represents the orbit of its position under the game's symmetries.
    pub up_to_symmetry: bool,
    /// The evidence.
    pub sections: Vec<Section>,
}

/// Why a file is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrupt(pub String);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Corrupt {}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Value(wdl) => write!(f, "value {wdl}"),
            Claim::AtLeast(side, least) => write!(f, "at-least {} {least}", side.name()),
            Claim::Table => f.write_str("table"),
        }
    }
}

impl Certificate {
    /// Writes the file, with its hash.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::new();
        let symmetry = if self.up_to_symmetry { "full" } else { "none" };
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!("rules {rules}\n"));
        let _ = writeln!(out, "{FIRST_LINE}\ngame {}\n{rules}from {}\nclaim {}", self.game, self.from, self.claim);
        let _ = writeln!(out, "symmetry {symmetry}\nsections {}", self.sections.len());
        for section in &self.sections {
            match section {
                Section::Strategy { side, least, within, entries } => {
                    let within = within.map_or("-".to_string(), |n| n.to_string());
                    let _ = writeln!(out, "strategy {} {least} {within} {}", side.name(), entries.len());
                    for (pos, moves) in entries {
                        let _ = writeln!(out, "{pos} {}", moves.join(" "));
                    }
                }
                Section::Text { side, least, within, text } => {
                    let within = within.map_or("-".to_string(), |n| n.to_string());
                    let _ = writeln!(out, "text {} {least} {within} {}", side.name(), text.lines().count());
                    text.lines().for_each(|line| out.extend([line, "\n"]));
                }
                Section::LiftedText(text) => {
                    let _ = writeln!(out, "lifted-text {}", text.lines().count());
                    text.lines().for_each(|line| out.extend([line, "\n"]));
                }
                Section::Values(entries) => {
                    let _ = writeln!(out, "values {}", entries.len());
                    for (pos, value) in entries {
                        let plies = value.plies().map_or(String::new(), |n| format!(" {n}"));
                        let _ = writeln!(out, "{pos} {}{plies}", value.wdl());
                    }
                }
                Section::Lines { maker, wins, entries } => {
                    let word = if *wins { "makes" } else { "spoils" };
                    let _ = writeln!(out, "lines {} {word} {}", maker.name(), entries.len());
                    for (pos, reason) in entries {
                        let _ = writeln!(out, "{pos} {reason}");
                    }
                }
                Section::Race { winner, entries } => {
                    let _ = writeln!(out, "race {} {}", winner.name(), entries.len());
                    for (pos, reason) in entries {
                        let _ = writeln!(out, "{pos} {reason}");
                    }
                }
                Section::Lifted(entries) => {
                    let _ = writeln!(out, "lifted {}", entries.len());
                    for (pos, moves) in entries {
                        let _ = writeln!(out, "{pos} {}", moves.join(" "));
                    }
                }
                Section::Pairing(pairs) => {
                    let _ = writeln!(out, "pairing {}", pairs.len());
                    for (one, other, same) in pairs {
                        let _ = writeln!(out, "{one} {other} {}", if *same { "same" } else { "other" });
                    }
                }
            }
        }
        sealed::seal(out)
    }

    /// Reads a file. A file that differs in any byte from what [`Certificate::write`] writes is corrupt.
    pub fn read(bytes: &[u8]) -> Result<Certificate, Corrupt> {
        let text = std::str::from_utf8(bytes).map_err(|_| corrupt("not a text file"))?;
        if !text.starts_with("agon-certificate ") {
            return Err(corrupt("not a certificate: the first line must be `agon-certificate 1`"));
        }
        if !text.starts_with(&format!("{FIRST_LINE}\n")) {
            let crlf = text.starts_with(&format!("{FIRST_LINE}\r\n"));
            let why = if crlf {
                "lines end in CRLF; they must end in LF"
            } else {
                "another version: this program reads `agon-certificate 1`"
            };
            return Err(corrupt(why));
        }
        // Control characters could hide a part of the file, or of an answer that quotes it.
        if text.contains(|c: char| c.is_control() && !['\n', '\t'].contains(&c)) {
            return Err(corrupt("there is a control character other than a line feed or a tab"));
        }
        let body = sealed::open(text).map_err(|broken| {
            corrupt(match broken {
                Broken::Truncated => "truncated: the last line, `blake3 …`, is missing",
                Broken::Changed => "the hash does not match the contents: the file is damaged or was edited",
            })
        })?;
        let mut lines = Lines { rest: body.lines(), number: 1 };
        lines.rest.next();
        let certificate = parse(&mut lines)?;
        if lines.rest.next().is_some() {
            return Err(corrupt(format!("line {}: text after the last section", lines.number + 1)));
        }
        if certificate.write() != text {
            return Err(corrupt("not in canonical form"));
        }
        Ok(certificate)
    }
}

fn corrupt(why: impl Into<String>) -> Corrupt {
    Corrupt(why.into())
}

struct Lines<'a> {
    rest: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<Vec<&'a str>, Corrupt> {
        self.number += 1;
        let line = self.rest.next().ok_or_else(|| corrupt(format!("line {}: the file ends early", self.number)))?;
        Ok(line.split(' ').collect())
    }

    /// The words after `key`.
    fn field(&mut self, key: &str) -> Result<Vec<&'a str>, Corrupt> {
        let words = self.next()?;
        match words.split_first() {
            Some((&first, rest)) if first == key => Ok(rest.to_vec()),
            _ => Err(self.wrong(&format!("`{key} …`"))),
        }
    }

    /// The words after `key`, where the next line begins with it.
    fn optional(&mut self, key: &str) -> Result<Option<Vec<&'a str>>, Corrupt> {
        let next = self.rest.clone().next().and_then(|line| line.split(' ').next());
        if next == Some(key) { self.field(key).map(Some) } else { Ok(None) }
    }

    fn wrong(&self, expected: &str) -> Corrupt {
        corrupt(format!("line {}: expected {expected}", self.number))
    }
}

fn parse(lines: &mut Lines<'_>) -> Result<Certificate, Corrupt> {
    let game = lines.field("game")?.join(" ");
    let rules = lines.optional("rules")?.map(|words| words.join(" "));
    let from = lines.field("from")?.join(" ");
    let claim = match lines.field("claim")?[..] {
        ["value", wdl] => Wdl::from_name(wdl).map(Claim::Value),
        ["at-least", side, least] => player(side).zip(Wdl::from_name(least)).map(|(s, l)| Claim::AtLeast(s, l)),
        ["table"] => Some(Claim::Table),
        _ => None,
    };
    let claim = claim.ok_or_else(|| lines.wrong("`claim value|at-least|table …`"))?;
    let up_to_symmetry = match lines.field("symmetry")?[..] {
        ["full"] => true,
        ["none"] => false,
        _ => return Err(lines.wrong("`symmetry full|none`")),
    };
    let sections = lines.field("sections")?;
    let sections = number(&sections.join(" ")).filter(|&n| n <= 2).ok_or_else(|| lines.wrong("at most 2 sections"))?;
    let sections = (0..sections).map(|_| section(lines)).collect::<Result<_, _>>()?;
    Ok(Certificate { game, rules, from, claim, up_to_symmetry, sections })
}

/// So many lines as they are.
fn text(lines: &mut Lines<'_>, count: u32) -> Result<String, Corrupt> {
    let mut text = String::new();
    for _ in 0..count {
        text.extend([lines.next()?.join(" ").as_str(), "\n"]);
    }
    Ok(text)
}

fn section(lines: &mut Lines<'_>) -> Result<Section, Corrupt> {
    let words = lines.next()?;
    match words[..] {
        ["strategy", side, least, within, count] => {
            let fields = player(side).zip(Wdl::from_name(least)).zip(number(count));
            let ((side, least), count) = fields.ok_or_else(|| lines.wrong("`strategy SIDE RESULT PLIES COUNT`"))?;
            let within = limit(lines, within)?;
            Ok(Section::Strategy { side, least, within, entries: moves(lines, count)? })
        }
        ["text", side, least, within, count] => {
            let fields = player(side).zip(Wdl::from_name(least)).zip(number(count));
            let ((side, least), count) = fields.ok_or_else(|| lines.wrong("`text SIDE RESULT PLIES COUNT`"))?;
            let within = limit(lines, within)?;
            Ok(Section::Text { side, least, within, text: text(lines, count)? })
        }
        ["lifted-text", count] => {
            let count = number(count).ok_or_else(|| lines.wrong("`lifted-text COUNT`"))?;
            Ok(Section::LiftedText(text(lines, count)?))
        }
        ["lifted", count] => {
            let count = number(count).ok_or_else(|| lines.wrong("`lifted COUNT`"))?;
            Ok(Section::Lifted(moves(lines, count)?))
        }
        ["lines", maker, word, count] => {
            let wins = [("makes", true), ("spoils", false)].into_iter().find(|(name, _)| *name == word);
            let fields = player(maker).zip(wins).zip(number(count));
            let ((maker, (_, wins)), count) = fields.ok_or_else(|| lines.wrong("`lines SIDE makes|spoils COUNT`"))?;
            Ok(Section::Lines { maker, wins, entries: reasons(lines, count)? })
        }
        ["race", winner, count] => {
            let fields = player(winner).zip(number(count));
            let (winner, count) = fields.ok_or_else(|| lines.wrong("`race SIDE COUNT`"))?;
            Ok(Section::Race { winner, entries: reasons(lines, count)? })
        }
        ["pairing", count] => {
            let count = number(count).ok_or_else(|| lines.wrong("`pairing COUNT`"))?;
            let mut pairs = Vec::new();
            for _ in 0..count {
                let same = match lines.next()?[..] {
                    [one, other, "same"] => Some((one, other, true)),
                    [one, other, "other"] => Some((one, other, false)),
                    _ => None,
                };
                let (one, other, same) = same.ok_or_else(|| lines.wrong("`CELL CELL same|other`"))?;
                pairs.push((one.to_string(), other.to_string(), same));
            }
            Ok(Section::Pairing(pairs))
        }
        ["values", count] => {
            let count = number(count).ok_or_else(|| lines.wrong("`values COUNT`"))?;
            let mut entries = Vec::new();
            for _ in 0..count {
                let words = lines.next()?;
                let value = match words[..] {
                    [_, "draw"] => Some(Value::DRAW),
                    [_, "win", plies] => number(plies).filter(|&n| n < 30_000).map(Value::win_in),
                    [_, "loss", plies] => number(plies).filter(|&n| n < 30_000).map(Value::loss_in),
                    _ => None,
                };
                let value = value.ok_or_else(|| lines.wrong("`POSITION draw` or `POSITION win|loss PLIES`"))?;
                entries.push((words[0].to_string(), value));
            }
            sorted(&entries)?;
            Ok(Section::Values(entries))
        }
        _ => Err(lines.wrong("`strategy …`, `text …`, `values …`, `lines …`, `race …`, `lifted …` or `pairing …`")),
    }
}

fn limit(lines: &Lines<'_>, within: &str) -> Result<Option<u32>, Corrupt> {
    match within {
        "-" => Ok(None),
        n => number(n).map(Some).ok_or_else(|| lines.wrong("a number of plies")),
    }
}

fn reasons(lines: &mut Lines<'_>, count: u32) -> Result<Vec<(String, String)>, Corrupt> {
    let mut entries = Vec::new();
    for _ in 0..count {
        let words = lines.next()?;
        let (pos, reason) = words.split_first().ok_or_else(|| lines.wrong("`POSITION REASON…`"))?;
        entries.push(((*pos).to_string(), reason.join(" ")));
    }
    sorted(&entries)?;
    Ok(entries)
}

fn moves(lines: &mut Lines<'_>, count: u32) -> Result<Vec<(String, Vec<String>)>, Corrupt> {
    let mut entries = Vec::new();
    for _ in 0..count {
        let words = lines.next()?;
        let (pos, moves) =
            words.split_first().filter(|(_, m)| !m.is_empty()).ok_or_else(|| lines.wrong("`POSITION MOVE…`"))?;
        entries.push(((*pos).to_string(), moves.iter().map(|m| (*m).to_string()).collect()));
    }
    sorted(&entries)?;
    Ok(entries)
}

fn sorted<T>(entries: &[(String, T)]) -> Result<(), Corrupt> {
    match entries.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        Some(pair) => Err(corrupt(format!("entries must be sorted and different: `{}`", shorten(&pair[1].0)))),
        None => Ok(()),
    }
}

fn player(name: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|p| p.name() == name)
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}
