//! A witness: a named method that answers queries about positions with statements.

use crate::graph::Graph;
use crate::statement::{Statement, Verdict};
use agon_core::{Ctx, Rng, Stop};
use agon_report::failure::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A position and a statement about it.
pub type Answer = (String, Statement);

/// Returns statements about one position, within the node limit of the context.
pub type Ask<'a> = Box<dyn FnMut(&str, &Ctx) -> Result<Vec<Answer>, Failure> + 'a>;

/// The positions at which a witness is queried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// Only the root: the answer concerns the whole graph or is too expensive to repeat.
    Root,
    /// The root and this many other positions.
    Few(usize),
    /// As many positions as the budget allows.
    Everywhere,
}

/// A named method.
pub struct Witness<'a> {
    /// Its name in reports.
    pub name: String,
    /// The command that gives the same answer, with `GAME` and `POS` as placeholders. It is here because a disagreement
    /// is worth as much as a person's means to see it again.
    pub command: String,
    /// The positions at which it is queried.
    pub place: Where,
    /// The query.
    pub ask: Ask<'a>,
}

/// The limits of queries.
#[derive(Clone, Copy, Debug)]
pub struct QueryLimits {
    /// The most positions of a graph.
    pub limit: usize,
    /// The number of positions at which every witness is queried.
    pub positions: usize,
    /// The node limit of one answer.
    pub answer_nodes: u64,
    /// The node limit of all answers of a witness about one graph.
    pub witness_nodes: u64,
}

/// A false statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct False {
    /// The witness.
    pub witness: String,
    /// The equivalent command line, with the placeholders `GAME` and `POS`.
    pub command: String,
    /// The position.
    pub position: String,
    /// The statement.
    pub said: String,
    /// The true statement, by the rules.
    pub expected: String,
}

/// The result of querying witnesses.
#[derive(Default, Debug)]
pub struct Testimony {
    /// The number of statements compared, by witness.
    pub comparisons: Vec<(String, u64)>,
    /// The number of positions at which a witness was queried.
    pub positions: u64,
    /// The false statements.
    pub wrong: Vec<False>,
}

/// Queries every witness at positions of the graph and compares the statements with it.
pub fn question(
    graph: &Graph,
    witnesses: &mut [Witness<'_>],
    limits: QueryLimits,
    rng: &mut Rng,
    ctx: &Ctx,
) -> Result<Testimony, Stop> {
    let positions = sample(graph.len(), limits.positions, rng);
    let mut testimony = Testimony { positions: positions.len() as u64, ..Testimony::default() };
    for witness in witnesses {
        let most = match witness.place {
            Where::Root => 1,
            Where::Few(others) => others + 1,
            Where::Everywhere => positions.len(),
        };
        let (mut said, mut nodes) = (Vec::new(), 0);
        for &at in positions.iter().take(most) {
            ctx.check()?;
            if nodes >= limits.witness_nodes {
                break;
            }
            let position = &graph.nodes()[at].text;
            let asked = ctx.with_own_count().without_progress().with_budget(limits.answer_nodes);
            let answer = answer(witness, position, &asked);
            ctx.check()?;
            nodes += asked.nodes() + 1;
            said.extend(answer);
        }
        testimony.add(&witness.name, &witness.command, said, graph);
    }
    Ok(testimony)
}

impl Testimony {
    /// Compares the statements of a witness with the graph.
    pub fn add(&mut self, witness: &str, command: &str, said: Vec<Answer>, graph: &Graph) {
        let mut compared = 0;
        for (position, statement) in said {
            let Some(at) = graph.find(&position) else { continue };
            match statement.judge(graph, at) {
                Verdict::Unknown => continue,
                Verdict::Agrees => {}
                Verdict::Differs { said, expected } => {
                    let (witness, command) = (witness.to_string(), command.to_string());
                    self.wrong.push(False { witness, command, position, said, expected });
                }
            }
            compared += 1;
        }
        match self.comparisons.iter_mut().find(|(name, _)| name == witness) {
            Some((_, sum)) => *sum += compared,
            None => self.comparisons.push((witness.to_string(), compared)),
        }
    }
}

/// The statements of a witness. A panic counts as a false statement, an exhausted budget as none.
fn answer(witness: &mut Witness<'_>, position: &str, ctx: &Ctx) -> Vec<Answer> {
    let failed = |why: String| vec![(position.to_string(), Statement::Holds(Err(why)))];
    match catch_unwind(AssertUnwindSafe(|| (witness.ask)(position, ctx))) {
        Ok(Ok(said)) => said,
        Ok(Err(_)) if ctx.check().is_err() => Vec::new(),
        Ok(Err(failure)) => failed(format!("fails: {}", failure.message().unwrap_or_else(|| "no reason given".into()))),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            failed(format!("panics: {}", text.unwrap_or_default()))
        }
    }
}

/// The root, then the other positions in random order.
fn sample(len: usize, most: usize, rng: &mut Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..len).collect();
    for i in 1..len.min(most) {
        all.swap(i, i + rng.below(len - i));
    }
    all.truncate(most.max(1));
    all
}
