//! The solver that fits: for a game of lines a sweep over an array where that is small, else a proof; for a
//! race to complete a line three ways in turns; and alpha-beta otherwise.

use crate::AlphaBeta;
use crate::lines::Provers;
use crate::lines::race::Race;
use crate::lines::sweep::Sweep;
use crate::turns::Turns;
use agon_core::solver::Solver;
use agon_core::{Acyclic, Bounds, Ctx, Guide, Player, Solution, Stop, Symmetric, Wdl, collect_moves};

/// Chooses at the first question, by the game.
pub struct Auto<G: Acyclic + Symmetric + Guide> {
    bytes: usize,
    chosen: Option<Chosen<G>>,
}

enum Chosen<G: Acyclic + Symmetric + Guide> {
    Sweep(Sweep),
    Lines(Provers),
    Turns(Box<Turns<G>>),
    AlphaBeta(AlphaBeta<G>),
}

/// What [`Auto`] takes for a game: `sweep`, `lines`, `turns` or `alphabeta`.
#[must_use]
pub fn choice<G: Guide>(game: &G, bytes: usize) -> &'static str {
    let lines = Player::BOTH.into_iter().find_map(|maker| game.lines(maker)).filter(|lines| lines.decides);
    match lines {
        Some(lines) if Sweep::bytes(&lines).is_some_and(|needed| needed <= bytes.min(1 << 28)) => "sweep",
        Some(_) => "lines",
        None if Race::new(game, Player::First).is_some() => "turns",
        None => "alphabeta",
    }
}

impl<G: Acyclic + Symmetric + Guide> Auto<G> {
    /// Takes at most about `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Auto<G> {
        Auto { bytes, chosen: None }
    }

    fn choose(&mut self, game: &G, ctx: &Ctx) -> Result<&mut Chosen<G>, Stop> {
        if self.chosen.is_none() {
            let maker = Player::BOTH.into_iter().find_map(|maker| game.lines(maker));
            let chosen = match (choice(game, self.bytes), maker) {
                ("sweep", Some(lines)) => Some(Chosen::Sweep(Sweep::new(&lines, ctx)?)),
                ("lines", _) => Provers::new(game, self.bytes).map(Chosen::Lines),
                ("turns", _) => Turns::new(game, self.bytes).map(|turns| Chosen::Turns(Box::new(turns))),
                _ => None,
            };
            self.chosen = Some(chosen.unwrap_or_else(|| Chosen::AlphaBeta(AlphaBeta::new(self.bytes))));
        }
        Ok(self.chosen.as_mut().expect("chosen above"))
    }
}

impl<G: Acyclic + Symmetric + Guide> Solver<G> for Auto<G> {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        match self.choose(game, ctx) {
            Ok(Chosen::Sweep(sweep)) => swept(game, pos, sweep),
            Ok(Chosen::Lines(provers)) => provers.solve(game, pos, ctx),
            Ok(Chosen::Turns(turns)) => turns.solve(game, pos, ctx),
            Ok(Chosen::AlphaBeta(solver)) => solver.solve(game, pos, ctx),
            Err(stop) => Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: Some(stop) },
        }
    }

    fn each_move(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Vec<(G::Move, Solution<G::Move>)>, Stop> {
        match self.choose(game, ctx)? {
            Chosen::Sweep(sweep) => {
                let after = |mv| (mv, swept(game, &game.after(pos, mv), sweep));
                Ok(collect_moves(game, pos).into_iter().map(after).collect())
            }
            Chosen::Lines(provers) => provers.each_move(game, pos, ctx),
            Chosen::Turns(turns) => turns.each_move(game, pos, ctx),
            Chosen::AlphaBeta(solver) => solver.each_move(game, pos, ctx),
        }
    }
}

/// What the array says. A spoiled board is filled to the last cell.
fn swept<G: Acyclic + Guide>(game: &G, pos: &G::Position, sweep: &Sweep) -> Solution<G::Move> {
    let Some(lines) = Player::BOTH.into_iter().find_map(|maker| game.lines(maker)) else {
        unreachable!("a swept game has lines")
    };
    let maker = lines.maker;
    let plies = |pos: &G::Position| sweep.plies(sweep.rank(&game.line_marks(pos, maker)), game.turn(pos) == maker);
    let found = plies(pos);
    let won = found.is_some() == (game.turn(pos) == maker);
    let wanted = found.and_then(|plies| plies.checked_sub(1));
    let mut best = None;
    game.moves(pos, &mut |mv| {
        if best.is_none() && plies(&game.after(pos, mv)) == wanted {
            best = Some(mv);
        }
    });
    Solution {
        value: Bounds::exactly(if won { Wdl::Win } else { Wdl::Loss }),
        plies: found.or_else(|| game.outcome(pos).is_none().then(|| game.height(pos))),
        best,
        nodes: sweep.boards() as u64,
        stopped: None,
    }
}
