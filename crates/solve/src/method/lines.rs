//! Methods for games of lines and for races to complete one.

use super::acyclic;
use super::{Evidence, Found, Method, Methods, Purpose, Request};
use crate::lines::portfolio::Argument;
use crate::lines::race::Race;
use crate::lines::sweep::{Sweep, Swept};
use crate::lines::{LinePortfolio, Provers, evidence};
use crate::portfolio::{Portfolio, Search};
use crate::strategy::extract_by;
use agon_core::solver::{Failed, Solver};
use agon_core::{Acyclic, Bounds, Ctx, Guide, LineGame, Lines, Player, Solution, Symmetric, Wdl};

/// A table of all boards may take that many bytes at most, so that it is made in a moment.
const MOST_SWEPT: usize = 1 << 28;

/// All methods for a game of lines or a race to complete one, in which every play ends: those made for lines, and the
/// `general` ones, which are those of [`acyclic`](super::acyclic()) or [`ranked`](super::ranked). Which of them comes
/// first depends on the lines; if neither side of this very game has any, the methods are the general ones.
///
/// ```
/// use agon_core::{Ctx, Game, Wdl};
/// use agon_games::order_chaos::OrderChaos;
/// use agon_games::order_chaos::lines::Row;
/// use agon_solve::method::{Request, acyclic, lines};
///
/// let (game, request) = (OrderChaos::new(3, 3, 3, 2, true, Row::AtLeast), Request { evidence: true, totals: false, memory: 1 << 24 });
/// let found = lines(&game, acyclic())[0].solve(&game, &game.start(), &request, &Ctx::default()).unwrap();
/// assert_eq!((found.solution.value.value(), found.by), (Some(Wdl::Win), "lines"));
/// ```
#[must_use]
pub fn lines<G: Acyclic + Symmetric + Guide + LineGame>(game: &G, mut general: Methods<G>) -> Methods<G> {
    let Some(lines) = Player::BOTH.into_iter().find_map(|maker| game.lines(maker)) else { return general };
    let race = Race::new(game, Player::First).is_some();
    let mut methods: Methods<G> = match (lines.decides, race) {
        (true, _) if is_swept(&lines) => vec![Box::new(BySweep), Box::new(ByLines)],
        (true, _) if lines.avoiding() || game.frame().is_some() => vec![Box::new(ByArguments), Box::new(ByLines)],
        (true, _) => vec![Box::new(ByLines)],
        (false, true) => vec![Box::new(ByPortfolio), Box::new(ByLines)],
        (false, false) => vec![general.remove(0), Box::new(ByLines)],
    };
    if race {
        methods.push(Box::new(ByRace));
    }
    methods.extend(general);
    methods
}

/// The method of [`lines`] that decides by lines alone: a sweep over all boards where they are few, otherwise a proof.
#[must_use]
pub fn lines_alone<G: Acyclic + Symmetric + Guide + LineGame>(game: &G) -> Option<Box<dyn Method<G>>> {
    let lines = Player::BOTH.into_iter().find_map(|maker| game.lines(maker))?;
    Some(if is_swept(&lines) { Box::new(BySweep) } else { Box::new(ByLines) })
}

/// Returns whether a table of all boards decides the game and is made in a moment.
fn is_swept(lines: &Lines) -> bool {
    lines.decides && Sweep::bytes(lines).is_some_and(|bytes| bytes <= MOST_SWEPT)
}

fn no_lines() -> Failed {
    Failed::Unsuitable("the game has no lines to complete".to_string())
}

/// A table of all boards, filled from the full ones to the empty one.
struct BySweep;

impl<G: Acyclic + Symmetric + Guide + LineGame> Method<G> for BySweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    /// A table gives no reasons: evidence, and boards too large for the memory allowed, are left to proofs over lines.
    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let lines = Player::BOTH.into_iter().find_map(|maker| game.lines(maker)).ok_or_else(no_lines)?;
        let fits = Sweep::bytes(&lines).is_some_and(|bytes| bytes as u64 <= request.memory);
        if request.evidence || !fits {
            return ByLines.solve(game, pos, request, ctx);
        }
        let solution = match Swept::default().solve(game, pos, ctx) {
            Err(Failed::Stopped(stop)) => {
                Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: Some(stop) }
            }
            found => found?,
        };
        Ok(Found::new(solution, "sweep"))
    }

    fn solver(&self, _: &G, purpose: Purpose, _: u64) -> Option<Box<dyn Solver<G>>> {
        (purpose == Purpose::Moves).then(|| Box::new(Swept::default()) as Box<dyn Solver<G>>)
    }

    fn needs_table(&self) -> bool {
        true
    }
}

/// Proof-number search over lines that can still be completed.
struct ByLines;

impl<G: Acyclic + Symmetric + Guide + LineGame> Method<G> for ByLines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut provers = Provers::new(game, request.memory as usize).ok_or_else(no_lines)?;
        let mut found = Found::new(provers.solve(game, pos, ctx), "lines");
        if request.evidence && found.solution.value.value().is_some() {
            found.evidence = lines_evidence(game, pos, &mut provers, ctx);
        }
        found.solver = Some(Box::new(provers));
        Ok(found)
    }

    fn solver(&self, game: &G, purpose: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        let provers = Provers::new(game, memory as usize).filter(|_| purpose == Purpose::Moves)?;
        Some(Box::new(provers))
    }
}

/// One section for each maker: the first player is held by a proof about the second player's lines, and the other way
/// round.
fn lines_evidence<G: LineGame>(
    game: &G,
    pos: &G::Position,
    provers: &mut Provers,
    ctx: &Ctx,
) -> Result<Vec<Evidence<G>>, Failed> {
    let mut sections = Vec::new();
    for maker in [Player::Second, Player::First] {
        let Some(prover) = provers.prover(maker) else { continue };
        let marks = game.line_marks(pos, maker);
        let root = prover.board().position(marks, game.turn(pos) == maker);
        let (wins, entries) = evidence::extract(prover, &root, ctx)?;
        sections.push(Evidence::Lines { maker, wins, entries });
    }
    Ok(sections)
}

/// Decomposition, relaxed lines and lines in turns.
struct ByArguments;

impl<G: Acyclic + Symmetric + Guide + LineGame> Method<G> for ByArguments {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut portfolio = LinePortfolio::new(game, request.memory as usize).ok_or_else(no_lines)?;
        // Evidence by decomposition begins at the empty board.
        let decomposes = !request.evidence || *pos == game.start();
        let solution = portfolio.solve_by(game, pos, |part| decomposes || part != Argument::Decomposition, ctx);
        let part = portfolio.by();
        let by = if solution.stopped.is_some() { "portfolio" } else { part.name() };
        let mut found = Found::new(solution, by);
        if request.evidence && found.solution.value.value().is_some() {
            found.evidence = match part {
                Argument::Decomposition => lifted_evidence(game, request.memory, ctx),
                Argument::Relaxation | Argument::Lines => portfolio.evidence(game, pos, ctx).map(|(wins, entries)| {
                    let maker = portfolio.maker();
                    vec![Evidence::Lines { maker, wins, entries }]
                }),
            };
        }
        found.solver = Some(Box::new(portfolio));
        Ok(found)
    }

    fn solver(&self, game: &G, purpose: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        let portfolio = LinePortfolio::new(game, memory as usize).filter(|_| purpose == Purpose::Moves)?;
        Some(Box::new(portfolio))
    }
}

/// The maker's moves in the game inside the frame.
fn lifted_evidence<G: LineGame>(game: &G, memory: u64, ctx: &Ctx) -> Result<Vec<Evidence<G>>, Failed> {
    let inner = game.frame().ok_or_else(no_lines)?.inner;
    let maker = Player::BOTH.into_iter().find(|&maker| inner.lines(maker).is_some()).ok_or_else(no_lines)?;
    let mut provers = Provers::new(&inner, memory as usize).ok_or_else(no_lines)?;
    let choose = |pos: &G::Position| {
        let found = provers.solve(&inner, pos, ctx);
        match found.stopped {
            Some(stop) => Err(stop.into()),
            None => Ok(found.best.expect("a won position has a winning move")),
        }
    };
    let moves = extract_by(&inner, &inner.start(), maker, G::Position::clone, choose, ctx)?;
    Ok(vec![Evidence::Lifted { inner, moves }])
}

/// Proof-number search for who completes a line first.
struct ByRace;

impl<G: Acyclic + Symmetric + Guide + LineGame> Method<G> for ByRace {
    fn name(&self) -> &'static str {
        "race"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut portfolio = Portfolio::new(game, request.memory as usize).ok_or_else(no_lines)?;
        let found = Found::new(portfolio.races.solve(game, pos, ctx), "race");
        let mut found = with_evidence(game, pos, found, Search::Race, &mut portfolio, request, ctx);
        found.solver = Some(Box::new(portfolio));
        Ok(found)
    }
}

/// Alpha-beta, races and lines in turns.
struct ByPortfolio;

impl<G: Acyclic + Symmetric + Guide + LineGame> Method<G> for ByPortfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn solve(&self, game: &G, pos: &G::Position, request: &Request, ctx: &Ctx) -> Result<Found<G>, Failed> {
        let mut portfolio = Portfolio::new(game, request.memory as usize).ok_or_else(no_lines)?;
        let solution = portfolio.solve(game, pos, ctx);
        let part = portfolio.by();
        let by = if solution.stopped.is_some() { "portfolio" } else { part.name() };
        let mut found = with_evidence(game, pos, Found::new(solution, by), part, &mut portfolio, request, ctx);
        found.solver = Some(Box::new(portfolio));
        Ok(found)
    }

    fn solver(&self, game: &G, purpose: Purpose, memory: u64) -> Option<Box<dyn Solver<G>>> {
        let portfolio = Portfolio::new(game, memory as usize).filter(|_| purpose == Purpose::Moves)?;
        Some(Box::new(portfolio))
    }
}

/// The evidence that the part which found a value has for it.
fn with_evidence<G: Acyclic + Symmetric + Guide + LineGame>(
    game: &G,
    pos: &G::Position,
    mut found: Found<G>,
    part: Search,
    portfolio: &mut Portfolio<G>,
    request: &Request,
    ctx: &Ctx,
) -> Found<G> {
    let Some(value) = found.solution.value.value().filter(|_| request.evidence) else { return found };
    let mover = game.turn(pos);
    let winner = match (part, value) {
        // A race that is over has no moves to give reasons for.
        _ if game.outcome(pos).is_some() => {
            found.solution.plies = Some(0);
            None
        }
        (Search::Lines, _) => {
            found.evidence = lines_evidence(game, pos, &mut portfolio.lines, ctx);
            return found;
        }
        (Search::Race, Wdl::Win) => Some(mover),
        (Search::Race, Wdl::Loss) => Some(mover.other()),
        (Search::Race, Wdl::Draw) | (Search::AlphaBeta, _) => None,
    };
    found.evidence = match winner {
        Some(winner) => {
            let entries = portfolio.races.evidence(game, pos, winner, ctx);
            entries.map(|entries| vec![Evidence::Race { winner, entries }]).map_err(Failed::from)
        }
        None => acyclic::evidence(game, pos, &found, &mut portfolio.alphabeta, ctx),
    };
    found
}
