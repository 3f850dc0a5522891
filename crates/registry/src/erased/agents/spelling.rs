//! Players spelled `name:param=…,param=…`.

use agon_core::evaluate::Weight;
use agon_core::family::shorten;
use agon_play::mcts::Formula;
use agon_play::{Limits, Playouts, mcts, negamax};
use agon_report::failure::Failure;
use std::str::FromStr;
use std::time::Duration;

/// A parameter of a player.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Setting {
    /// Its key.
    pub name: &'static str,
    /// The values it takes.
    pub range: &'static str,
    /// Its meaning and its default.
    pub help: &'static str,
}

/// A player that takes parameters.
pub(super) struct Searcher {
    pub(super) name: &'static str,
    settings: &'static [Setting],
    /// True if the weights of the game's moves are parameters too.
    weighted: bool,
}

const fn setting(name: &'static str, range: &'static str, help: &'static str) -> Setting {
    Setting { name, range, help }
}

const TIME: Setting = setting("time", "seconds", "for a move; 1 when no other limit is given");
const PLAYOUT: Setting =
    setting("playout", "random|weighted", "moves of a playout; weighted where the game has weights");
const CUT: Setting = setting("cut", "plies", "cut playouts after that many plies and count them as half a win");
const WIN: Setting = setting("win", "2..=10", "points for a win, where a draw has one; 2 when left out");
const SOLVER: Setting =
    setting("solver", "on|off", "on: results that are certain count as proofs, and a win is played");
const MEMORY: Setting = setting("memory", "MiB", "at most about so much");
const THREADS: Setting = setting("threads", "1..=64", "1 when left out");

pub(super) const SEARCHERS: &[Searcher] = &[
    Searcher { name: "weighted", settings: &[], weighted: true },
    Searcher {
        name: "mc",
        settings: &[TIME, setting("playouts", "number", "playouts of each move"), PLAYOUT, CUT, WIN, SOLVER],
        weighted: true,
    },
    Searcher {
        name: "mcts",
        settings: &[
            TIME,
            setting("playouts", "number", "playouts for a move, all threads together"),
            setting("c", "number", "how much to explore; the root of 2 when left out"),
            setting("formula", "uct|inverse", "c·√(ln t/n) or c·√(1/n)"),
            PLAYOUT,
            CUT,
            WIN,
            SOLVER,
            setting("reuse", "on|off", "whether the tree is kept for the next move"),
            MEMORY,
            THREADS,
        ],
        weighted: true,
    },
    Searcher {
        name: "negamax",
        settings: &[
            TIME,
            setting("nodes", "number", "positions for a move"),
            setting("depth", "1..=60", "plies to look ahead, threats not counted"),
            MEMORY,
            THREADS,
            setting("lines", "1..=64", "moves whose lines are reported; 1 when left out"),
            setting("eval", "name", "another evaluation, where the game has one: four-factors in Tak"),
        ],
        weighted: false,
    },
];

/// The parameters of a player of a game with these weights, those of the weights included.
#[must_use]
pub fn settings(player: &str, weights: &[Weight]) -> Vec<Setting> {
    let Some(searcher) = SEARCHERS.iter().find(|searcher| searcher.name == player) else { return Vec::new() };
    let weights = if searcher.weighted { weights } else { &[] };
    let weight = |weight: &Weight| setting(weight.name, "weight", weight.help);
    searcher.settings.iter().copied().chain(weights.iter().map(weight)).collect()
}

/// A spelling, taken apart; every key is a parameter of the player.
pub(super) struct Given<'a> {
    spelled: &'a str,
    pub(super) searcher: &'static str,
    values: Vec<(&'static str, &'a str)>,
    /// The weights of the game.
    weights: &'static [Weight],
}

impl<'a> Given<'a> {
    /// Reads the spelling of a player of a game with these weights.
    pub(super) fn read(spelled: &'a str, weights: &'static [Weight]) -> Result<Given<'a>, Failure> {
        let (name, text) = spelled.split_once(':').unwrap_or((spelled, ""));
        let searcher = SEARCHERS.iter().find(|searcher| searcher.name == name.trim());
        let known = || SEARCHERS.iter().map(|searcher| searcher.name).collect::<Vec<_>>().join(", ");
        let searcher = searcher.ok_or_else(|| wrong(spelled, &format!("expected one of {}", known())))?.name;
        let settings = settings(searcher, weights);
        let mut values: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|_| !text.trim().is_empty()) {
            let would_do = || {
                let each: Vec<String> = settings.iter().map(|s| format!("{}={}", s.name, s.range)).collect();
                match each.len() {
                    0 => format!("{searcher} takes no parameters in this game"),
                    _ => format!("expected {searcher}:{}", each.join(",")),
                }
            };
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| wrong(spelled, &format!("`{}` has no value; {}", shorten(part), would_do())))?;
            let known = settings.iter().find(|setting| setting.name == key.trim());
            let known =
                known.ok_or_else(|| wrong(spelled, &format!("no parameter `{}`; {}", shorten(key), would_do())))?;
            if values.iter().any(|(name, _)| *name == known.name) {
                return Err(wrong(spelled, &format!("{} is given twice", known.name)));
            }
            values.push((known.name, value.trim()));
        }
        Ok(Given { spelled, searcher, values, weights })
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    fn parsed<T: FromStr>(&self, name: &str, want: &str, ok: impl Fn(&T) -> bool) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let value = text.parse().ok().filter(ok);
        value.map(Some).ok_or_else(|| wrong(self.spelled, &format!("{name} must be {want}")))
    }

    fn one_of<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let hit = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        let want = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or ");
        hit.map(Some).ok_or_else(|| wrong(self.spelled, &format!("{name} must be {want}")))
    }

    pub(super) fn on(&self, name: &str) -> Result<bool, Failure> {
        Ok(self.one_of(name, &[("on", true), ("off", false)])?.unwrap_or(true))
    }

    /// The time limit: as given, or a second if nothing else limits the search.
    pub(super) fn time(&self) -> Result<Option<Duration>, Failure> {
        let seconds = self.parsed("time", "seconds, like 0.5", |s: &f64| *s > 0.0 && *s <= 1e6)?;
        let limited = ["nodes", "playouts", "depth"].iter().any(|name| self.text(name).is_some());
        let seconds = seconds.or((!limited && self.searcher != "weighted").then_some(1.0));
        Ok(seconds.map(Duration::from_secs_f64))
    }

    pub(super) fn limits(&self, nodes: &str) -> Result<Limits, Failure> {
        let want = "a number of at least 1";
        let depth = self.parsed("depth", "1..=60", |d: &u32| (1..=60).contains(d))?;
        let nodes = self.text(nodes).map(|_| self.parsed(nodes, want, |n: &u64| *n > 0)).transpose()?.flatten();
        Ok(Limits { nodes, depth })
    }

    pub(super) fn weights(&self) -> Result<Vec<f64>, Failure> {
        let weight = |weight: &Weight| {
            let want = "a number from 0 to 1000000";
            Ok(self.parsed(weight.name, want, |w: &f64| (0.0..=1e6).contains(w))?.unwrap_or(weight.default))
        };
        self.weights.iter().map(weight).collect()
    }

    pub(super) fn playouts(&self) -> Result<Playouts, Failure> {
        let weights = self.weights()?;
        let weighted = self.one_of("playout", &[("random", false), ("weighted", true)])?;
        let weighted = weighted.unwrap_or(!self.weights.is_empty());
        let cut = self.parsed("cut", "plies, at least 1", |n: &u32| *n > 0)?;
        let win = self.parsed("win", "2..=10", |n: &u32| (2..=10).contains(n))?;
        Ok(Playouts { weights: weighted.then_some(weights), cut, win: win.unwrap_or(2) })
    }

    fn memory(&self, usual: usize) -> Result<usize, Failure> {
        let mib = self.parsed("memory", "1..=65536, in MiB", |n: &usize| (1..=65536).contains(n))?;
        Ok(mib.map_or(usual, |mib| mib << 20))
    }

    fn threads(&self) -> Result<usize, Failure> {
        Ok(self.parsed("threads", "1..=64", |n: &usize| (1..=64).contains(n))?.unwrap_or(1))
    }

    pub(super) fn mcts(&self) -> Result<mcts::Settings, Failure> {
        let usual = mcts::Settings::default();
        let formula = self.one_of("formula", &[("uct", Formula::Uct), ("inverse", Formula::Inverse)])?;
        Ok(mcts::Settings {
            limits: self.limits("playouts")?,
            playouts: self.playouts()?,
            formula: formula.unwrap_or(usual.formula),
            c: self.parsed("c", "a number from 0 to 100", |c: &f64| (0.0..=100.0).contains(c))?.unwrap_or(usual.c),
            solver: self.on("solver")?,
            reuse: self.on("reuse")?,
            memory: self.memory(usual.memory)?,
            threads: self.threads()?,
        })
    }

    /// The name of an evaluation.
    pub(super) fn evaluation(&self) -> Option<&'a str> {
        self.text("eval")
    }

    pub(super) fn negamax(&self) -> Result<negamax::Settings, Failure> {
        let usual = negamax::Settings::default();
        let lines = self.parsed("lines", "1..=64", |n: &usize| (1..=64).contains(n))?;
        Ok(negamax::Settings {
            limits: self.limits("nodes")?,
            memory: self.memory(usual.memory)?,
            threads: self.threads()?,
            lines: lines.unwrap_or(usual.lines),
        })
    }
}

pub(super) fn wrong(spelled: &str, why: &str) -> Failure {
    Failure::Usage(format!("invalid player `{}`: {why}", shorten(spelled)))
}
