//! A portfolio of three arguments for a game that the lines of one side decide: decomposition, relaxed lines, and the lines
//! themselves. They take turns, and each continues where it stopped.

use super::evidence;
use super::{Decomposition, Provers, Relaxation};
use crate::move_values::{each_after_root, keeping};
use agon_core::solver::{EachMove, Failed, Solver};
use agon_core::{Bounds, Ctx, LineGame, Lines, Player, Solution, Stop, Symmetric, Wdl};

/// The nodes of each part in the first turn.
const FIRST_TURN: u64 = 1 << 13;

/// One argument of a portfolio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The maker wins, because it wins a smaller game inside.
    Decomposition,
    /// The breaker wins, even if the lines need less than they do.
    Relaxation,
    /// Either side wins.
    Lines,
}

impl Argument {
    const ALL: [Argument; 3] = [Argument::Decomposition, Argument::Relaxation, Argument::Lines];

    /// The name of the argument.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Argument::Decomposition => "decomposition",
            Argument::Relaxation => "relaxation",
            Argument::Lines => "lines",
        }
    }
}

/// The arguments that a game allows, with what they found so far.
pub struct LinePortfolio {
    maker: Player,
    decomposition: Option<Decomposition>,
    relaxation: Option<Relaxation>,
    lines: Provers,
    by: Argument,
}

impl LinePortfolio {
    /// All of them with at most `bytes` together; `None` if the lines of no side decide the game.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, bytes: usize) -> Option<LinePortfolio> {
        let lines: Lines = Player::BOTH.into_iter().find_map(|maker| game.lines(maker)).filter(|l| l.decides)?;
        Some(LinePortfolio {
            maker: lines.maker,
            decomposition: Decomposition::new(game, bytes / 4),
            relaxation: Relaxation::new(&lines, bytes / 4),
            lines: Provers::new(game, bytes / 2)?,
            by: Argument::Lines,
        })
    }

    /// The argument that found the last value.
    #[must_use]
    pub fn by(&self) -> Argument {
        self.by
    }

    /// The number of positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.lines.nodes()
            + self.decomposition.as_ref().map_or(0, Decomposition::nodes)
            + self.relaxation.as_ref().map_or(0, Relaxation::nodes)
    }

    /// The arguments in turns, each time with more nodes, until one of them finds the value. `parts` leaves some out.
    pub fn solve_by<G: LineGame>(
        &mut self,
        game: &G,
        pos: &G::Position,
        parts: impl Fn(Argument) -> bool,
        ctx: &Ctx,
    ) -> Solution<G::Move> {
        let before = self.nodes();
        let mut turn = FIRST_TURN;
        let mut open: Vec<Argument> = Argument::ALL.into_iter().filter(|&part| parts(part)).collect();
        let over = game.outcome(pos).is_some();
        loop {
            for part in open.clone() {
                self.by = part;
                let short = ctx.sub_budget(turn);
                let found = match part {
                    _ if over => Ok(Some(self.lines.solve(game, pos, ctx))),
                    Argument::Decomposition => self.decomposed(game, pos, &short),
                    Argument::Relaxation => self.relaxed(game, pos, &short),
                    Argument::Lines => Ok(Some(self.lines.solve(game, pos, &short)).filter(|s| s.stopped.is_none())),
                };
                let nodes = self.nodes() - before;
                match found {
                    Ok(Some(solution)) => return Solution { nodes, ..solution },
                    // This argument shows nothing here, however long it goes on.
                    Ok(None) if part != Argument::Lines => open.retain(|&other| other != part),
                    Ok(None) | Err(_) => {}
                }
                if let Err(stop) = ctx.check() {
                    return Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes, stopped: Some(stop) };
                }
            }
            turn *= 4;
        }
    }

    /// The value by all arguments.
    pub fn solve<G: LineGame>(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        self.solve_by(game, pos, |_| true, ctx)
    }

    /// A win of the maker by decomposition.
    fn decomposed<G: LineGame>(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
    ) -> Result<Option<Solution<G::Move>>, Stop> {
        let Some(decomposition) = &mut self.decomposition else { return Ok(None) };
        let (maker, to_move) = (self.maker, game.turn(pos) == self.maker);
        let win = decomposition.win(game.line_marks(pos, maker), to_move, ctx)?;
        Ok(win.map(|placed| {
            let best = placed.and_then(|(cell, mark)| game.line_move(pos, maker, cell, mark));
            won(to_move, best)
        }))
    }

    /// A win of the breaker against relaxed lines.
    fn relaxed<G: LineGame>(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
    ) -> Result<Option<Solution<G::Move>>, Stop> {
        let Some(relaxation) = &mut self.relaxation else { return Ok(None) };
        let (maker, to_move) = (self.maker, game.turn(pos) == self.maker);
        let root = relaxation.position(game.line_marks(pos, maker), to_move);
        if !relaxation.breaker_wins(&root, ctx)? {
            return Ok(None);
        }
        let best = if to_move { None } else { relaxation.placing(&root, ctx)? };
        Ok(Some(won(!to_move, best.and_then(|(cell, mark)| game.line_move(pos, maker, cell, mark)))))
    }

    /// The evidence by lines for what the last argument found, if that was not decomposition: who wins, and entries.
    pub fn evidence<G: LineGame>(
        &mut self,
        game: &G,
        pos: &G::Position,
        ctx: &Ctx,
    ) -> Result<(bool, evidence::Evidence), Failed> {
        let (marks, to_move) = (game.line_marks(pos, self.maker), game.turn(pos) == self.maker);
        Ok(match &mut self.relaxation {
            Some(relaxation) if self.by == Argument::Relaxation => {
                let root = relaxation.position(marks, to_move);
                evidence::extract(relaxation, &root, ctx)?
            }
            _ => {
                let prover = self.lines.prover(self.maker).expect("the maker has lines");
                let root = prover.board().position(marks, to_move);
                evidence::extract(prover, &root, ctx)?
            }
        })
    }

    /// The side that wants a line.
    #[must_use]
    pub fn maker(&self) -> Player {
        self.maker
    }
}

/// A win of the side to move, or of the other.
fn won<M>(by_mover: bool, best: Option<M>) -> Solution<M> {
    let value = Bounds::exactly(if by_mover { Wdl::Win } else { Wdl::Loss });
    Solution { value, plies: None, best, nodes: 0, stopped: None }
}

impl<G: LineGame + Symmetric> Solver<G> for LinePortfolio {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<EachMove<G::Move>, Failed> {
        let root = self.solve(game, pos, ctx);
        each_after_root(game, pos, &root, ctx, |after| self.solve(game, after, ctx))
    }

    fn reaching(
        &mut self,
        game: &G,
        pos: &G::Position,
        solution: &Solution<G::Move>,
        ctx: &Ctx,
    ) -> Result<Option<Vec<G::Move>>, Failed> {
        keeping(game, pos, solution, |after| self.solve(game, after, ctx))
    }
}
