//! A voice: a method under a name, which answers questions about positions with statements.

use crate::graph::Graph;
use crate::statement::{Statement, Verdict};
use agon_core::{Ctx, Rng, Stop};
use agon_report::failure::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A statement, and the position it is about.
pub type Said = (String, Statement);

/// Answers about one position, with at most the nodes that the context allows.
pub type Ask<'a> = Box<dyn FnMut(&str, &Ctx) -> Result<Vec<Said>, Failure> + 'a>;

/// Where a voice is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// At the root alone: its answer is about the whole graph, or too dear to be repeated.
    Root,
    /// At the root and at that many other positions.
    Few(usize),
    /// Wherever the budget allows.
    Everywhere,
}

/// A method under a name.
pub struct Voice<'a> {
    /// What it is called in reports.
    pub name: String,
    /// A command line that asks it; `GAME` and `POS` stand for game and position.
    pub command: String,
    /// Where it is asked.
    pub place: Where,
    /// Asks it.
    pub ask: Ask<'a>,
}

/// How much may be asked.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Positions of a graph.
    pub limit: usize,
    /// Positions at which every voice is asked.
    pub positions: usize,
    /// Nodes for one answer.
    pub answer_nodes: u64,
    /// Nodes for all answers of a voice about one graph.
    pub voice_nodes: u64,
}

/// A false statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct False {
    /// The voice.
    pub voice: String,
    /// The command that asks it, `GAME` and `POS` still standing for game and position.
    pub command: String,
    /// The position.
    pub position: String,
    /// The statement.
    pub said: String,
    /// What the rules say.
    pub expected: String,
}

/// What listening to voices gave.
#[derive(Default, Debug)]
pub struct Heard {
    /// Statements compared, by voice.
    pub comparisons: Vec<(String, u64)>,
    /// Positions at which a voice was asked.
    pub positions: u64,
    /// Statements that are false.
    pub wrong: Vec<False>,
}

/// Asks every voice at positions of the graph and compares what they say with it.
pub fn listen(
    graph: &Graph,
    voices: &mut [Voice<'_>],
    effort: Effort,
    rng: &mut Rng,
    ctx: &Ctx,
) -> Result<Heard, Stop> {
    let positions = sample(graph.len(), effort.positions, rng);
    let mut heard = Heard { positions: positions.len() as u64, ..Heard::default() };
    for voice in voices {
        let most = match voice.place {
            Where::Root => 1,
            Where::Few(others) => others + 1,
            Where::Everywhere => positions.len(),
        };
        let (mut said, mut nodes) = (Vec::new(), 0);
        for &at in positions.iter().take(most) {
            ctx.check()?;
            if nodes >= effort.voice_nodes {
                break;
            }
            let position = &graph.nodes()[at].text;
            let asked = ctx.with_own_count().without_progress().with_budget(effort.answer_nodes);
            let answer = answer(voice, position, &asked);
            ctx.check()?;
            nodes += asked.nodes() + 1;
            said.extend(answer);
        }
        heard.add(&voice.name, &voice.command, said, graph);
    }
    Ok(heard)
}

impl Heard {
    /// Compares what a voice said with the graph.
    pub fn add(&mut self, voice: &str, command: &str, said: Vec<Said>, graph: &Graph) {
        let mut compared = 0;
        for (position, statement) in said {
            let Some(at) = graph.find(&position) else { continue };
            match statement.judge(graph, at) {
                Verdict::Unknown => continue,
                Verdict::Agrees => {}
                Verdict::Differs { said, expected } => {
                    let (voice, command) = (voice.to_string(), command.to_string());
                    self.wrong.push(False { voice, command, position, said, expected });
                }
            }
            compared += 1;
        }
        match self.comparisons.iter_mut().find(|(name, _)| name == voice) {
            Some((_, sum)) => *sum += compared,
            None => self.comparisons.push((voice.to_string(), compared)),
        }
    }
}

/// What a voice says. A panic is a false statement; a budget that is used up is none.
fn answer(voice: &mut Voice<'_>, position: &str, ctx: &Ctx) -> Vec<Said> {
    let failed = |why: String| vec![(position.to_string(), Statement::Holds(Err(why)))];
    match catch_unwind(AssertUnwindSafe(|| (voice.ask)(position, ctx))) {
        Ok(Ok(said)) => said,
        Ok(Err(_)) if ctx.check().is_err() => Vec::new(),
        Ok(Err(failure)) => {
            failed(format!("fails: {}", failure.message().unwrap_or_else(|| "without a reason".into())))
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            failed(format!("panics: {}", text.unwrap_or_default()))
        }
    }
}

/// The root, then others in random order.
fn sample(len: usize, most: usize, rng: &mut Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..len).collect();
    for i in 1..len.min(most) {
        all.swap(i, i + rng.below(len - i));
    }
    all.truncate(most.max(1));
    all
}
