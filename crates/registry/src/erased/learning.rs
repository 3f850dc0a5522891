//! Players that learn: training, and models as text.
//!
//! A model begins with `agon-model 1`, says in `key value` lines what it is of and where it comes from,
//! and then holds a line for each position up to symmetry: the score its mover may expect, in parts of
//! 10,000. The last line is the blake3 hash of everything before it.

use super::agents;
use super::{AnyAgent, Choice};
use agon_core::family::{rules_hash, same_game, shorten};
use agon_core::{Ctx, Notation, Rng, Symmetric, Wdl};
use agon_play::learned::{Settings, Values};
use agon_play::{Agent, Learned, Learner};
use agon_report::failure::Failure;
use agon_table::sealed::{self, Broken};
use std::fmt::Write as _;
use std::sync::Arc;

const FIRST_LINE: &str = "agon-model 1";

/// Plays against itself, and can be asked at any time what it has learned.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::Registry;
///
/// let game = Registry::standard().game("nim:1+2").unwrap();
/// let mut trainer = game.trainer(Default::default(), 1);
/// trainer.learn(200, 200, &Ctx::default()).unwrap();
/// assert!(trainer.positions() > 2);
/// let choice = trainer.agent(1).choose("1+2", &Ctx::default()).unwrap();
/// assert_eq!(choice.mv, "2>1"); // it has learned to leave 1+1
/// ```
pub trait AnyTrainer: Send {
    /// Plays this many more games, out of `of` in total.
    fn learn(&mut self, games: u64, of: u64, ctx: &Ctx) -> Result<(), Failure>;
    /// Sets the value of a position where the play is not over: win, draw or loss for its mover, in that many plies.
    fn teach(&mut self, pos: &str, wdl: Wdl, plies: u32) -> Result<(), Failure>;
    /// Positions met so far, up to symmetry.
    fn positions(&self) -> usize;
    /// A player that plays by what is known now.
    fn agent(&self, seed: u64) -> Box<dyn AnyAgent>;
    /// The model as text, with these facts about it.
    fn model(&self, facts: &[(&str, String)]) -> String;
}

struct Trainer<G: Notation + Symmetric> {
    game: G,
    spelling: String,
    start: G::Position,
    learner: Learner<G>,
}

/// A trainer of that game.
pub(super) fn trainer<G: Notation + Symmetric>(
    game: &G,
    spelling: &str,
    settings: Settings,
    seed: u64,
) -> Box<dyn AnyTrainer> {
    let learner = Learner::new(game.clone(), settings, seed);
    Box::new(Trainer { game: game.clone(), spelling: spelling.to_string(), start: game.start(), learner })
}

impl<G: Notation + Symmetric> AnyTrainer for Trainer<G> {
    fn learn(&mut self, games: u64, of: u64, ctx: &Ctx) -> Result<(), Failure> {
        Ok(self.learner.learn(&self.start, games, of, ctx)?)
    }

    fn teach(&mut self, pos: &str, wdl: Wdl, plies: u32) -> Result<(), Failure> {
        let pos = self.game.parse(pos)?;
        if self.game.outcome(&pos).is_none() {
            self.learner.teach(&pos, wdl, plies);
        }
        Ok(())
    }

    fn positions(&self) -> usize {
        self.learner.values().len()
    }

    fn agent(&self, seed: u64) -> Box<dyn AnyAgent> {
        let values = Arc::new(self.learner.values().clone());
        Box::new(LearnedAgent { game: self.game.clone(), agent: Learned { values, rng: Rng::new(seed) } })
    }

    fn model(&self, facts: &[(&str, String)]) -> String {
        let mut out = format!("{FIRST_LINE}\ngame {}\n", self.spelling);
        for (key, value) in facts {
            let _ = writeln!(out, "{key} {value}");
        }
        let entry = |(pos, value): (&G::Position, &f32)| format!("{} {:.0}", self.game.show(pos), 10_000.0 * value);
        let mut entries: Vec<String> = self.learner.values().iter().map(entry).collect();
        entries.sort_unstable();
        let _ = writeln!(out, "positions {}", entries.len());
        for entry in &entries {
            let _ = writeln!(out, "{entry}");
        }
        sealed::seal(out)
    }
}

/// A player by a model; `name` is that of its file.
pub(super) fn learned<G: Notation + Symmetric>(
    game: &G,
    spelling: &str,
    (name, model): (&str, &str),
    seed: u64,
) -> Result<Box<dyn AnyAgent>, Failure> {
    let values = read(game, spelling, model).map_err(|why| match why {
        Wrong::Damaged(why) => Failure::damaged(name.as_ref(), format!("it is not a valid model: {why}")),
        Wrong::Other(of) => {
            let old = rules_hash(&of).is_none() && rules_hash(spelling).is_some();
            let of = shorten(&of);
            let hint = match old {
                true => {
                    " (it was stored without the rules, so it cannot be used for a game from a file: train it again)"
                }
                false => "",
            };
            Failure::Usage(format!("`{name}` is a model of {of}, not of {spelling}{hint}"))
        }
    })?;
    let agent = Learned { values: Arc::new(values), rng: Rng::new(seed) };
    Ok(Box::new(LearnedAgent { game: game.clone(), agent }))
}

/// The reason why a model cannot be used.
enum Wrong {
    Damaged(String),
    /// It is of another game.
    Other(String),
}

fn read<G: Notation + Symmetric>(game: &G, spelling: &str, model: &str) -> Result<Values<G>, Wrong> {
    let damaged = |why: &str| Wrong::Damaged(why.to_string());
    if !model.starts_with(&format!("{FIRST_LINE}\n")) {
        return Err(Wrong::Damaged(format!("the first line must be `{FIRST_LINE}`")));
    }
    let body = sealed::open(model).map_err(|broken| match broken {
        Broken::Truncated => damaged("it is cut off: the last line must be `blake3 …`"),
        Broken::Changed => damaged("its contents do not match their hash"),
    })?;
    let mut lines = body.lines().skip(1);
    let of = lines.next().and_then(|line| line.strip_prefix("game ")).ok_or_else(|| damaged("expected `game …`"))?;
    if !same_game(&agon_games::impartial::modern(of), spelling) {
        return Err(Wrong::Other(of.to_string()));
    }
    let count = lines.find_map(|line| line.strip_prefix("positions "));
    let count: usize = count.and_then(|n| n.parse().ok()).ok_or_else(|| damaged("expected `positions …`"))?;
    let mut values = Values::<G>::new();
    for line in lines {
        let wrong = || Wrong::Damaged(format!("`{}` is not a value", agon_core::family::shorten(line)));
        let (pos, value) = line.rsplit_once(' ').ok_or_else(wrong)?;
        let value: u32 = value.parse().ok().filter(|&v| v <= 10_000).ok_or_else(wrong)?;
        values.insert(game.parse(pos).map_err(|_| wrong())?, value as f32 / 10_000.0);
    }
    if values.len() != count {
        return Err(Wrong::Damaged(format!("there are {} positions, not {count}", values.len())));
    }
    Ok(values)
}

struct LearnedAgent<G: Notation + Symmetric> {
    game: G,
    agent: Learned<G>,
}

impl<G: Notation + Symmetric> AnyAgent for LearnedAgent<G> {
    fn think(&mut self, pos: &str, ctx: &Ctx, _: &mut dyn FnMut(&Choice)) -> Result<Choice, Failure> {
        let pos = self.game.parse(pos)?;
        let thought = self.agent.think(&self.game, &pos, ctx, &mut |_| ())?;
        Ok(agents::choice(&self.game, &pos, &thought, None))
    }

    fn begin(&mut self, seed: u64) {
        Agent::<G>::begin(&mut self.agent, seed);
    }
}
