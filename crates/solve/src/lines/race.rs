//! Races: both sides have lines of their own, and the first complete one wins. An m,n,k game is one.
//!
//! The search asks whether one side, the maker, wins. The maker has mark 0, the other side mark 1. Everything here
//! rests on one fact: an additional mark never hurts its owner.

use super::evidence::Evidence;
use super::moves::{Candidate, weights};
use super::pairing::pairs;
use super::position::{Board, Live, Position, Step, put};
use super::prover::{Numbers, Prover, Rules};
use agon_core::lines::{CellSet, Line, MAX_MARKS};
use agon_core::solver::{Failed, Solver};
use agon_core::{Bounds, Ctx, LineGame, Lines, Player, Solution, Stop, Wdl};

/// The node limit of a threat-space search.
const MAX_THREATS: u32 = 400;

/// The lines of both sides.
pub struct Race {
    board: Board,
}

/// A forced win: every move leaves a line one cell short, so that the reply is forced.
#[derive(Clone, Debug, Default)]
pub struct Forced {
    /// The winner's moves, in order; the last leaves no reply, or completes a line.
    pub moves: Vec<u8>,
    /// The cells of the moves, of the replies, and those in which a line is completed.
    pub zone: CellSet,
    /// The cells of the replies.
    pub replies: CellSet,
}

impl Race {
    /// The race for `maker`; `None` unless the game is one: lines of both sides that avoid no cells.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, maker: Player) -> Option<Race> {
        let (own, other) = (game.lines(maker)?, game.lines(maker.other())?);
        let fits = |lines: &Lines| !lines.decides && !lines.avoiding() && lines.lines.iter().all(|l| l.mark == 0);
        if !fits(&own) || !fits(&other) {
            return None;
        }
        let mut lines = own.clone();
        lines.lines.extend(other.lines.iter().map(|line| Line { mark: 1, ..*line }));
        Some(Race { board: Board::keeping_all(&lines) })
    }
}

/// The cells in which a side completes a line.
fn completing(live: &[Live], mark: u8) -> CellSet {
    let short = live.iter().filter(|line| line.mark == mark && line.need.count_ones() == 1);
    short.fold(0, |set, line| set | line.need)
}

/// A win of `mark`, to move, by threats alone, if one is found.
#[must_use]
pub fn forced(live: &[Live], mark: u8) -> Option<Forced> {
    let mut found = Forced::default();
    let mut tries = MAX_THREATS;
    attack(live, mark, &mut tries, &mut found).then_some(found)
}

fn attack(live: &[Live], mark: u8, tries: &mut u32, found: &mut Forced) -> bool {
    let now = completing(live, mark);
    if now != 0 {
        found.moves.push(now.trailing_zeros() as u8);
        found.zone |= now & now.wrapping_neg();
        return true;
    }
    // The move must also parry a threat of the other side.
    let must = completing(live, 1 - mark);
    if must.count_ones() > 1 {
        return false;
    }
    let (mut next, mut after) = (Vec::new(), Vec::new());
    for line in live.iter().filter(|line| line.mark == mark && line.need.count_ones() == 2) {
        let first = line.need & line.need.wrapping_neg();
        for cell in [first, line.need & !first] {
            if *tries == 0 {
                return false;
            }
            if must != 0 && must != cell {
                continue;
            }
            *tries -= 1;
            put(live, cell, mark, &mut next);
            let short = completing(&next, mark);
            let reply = short & short.wrapping_neg();
            let (moves, zone, replies) = (found.moves.len(), found.zone, found.replies);
            found.moves.push(cell.trailing_zeros() as u8);
            found.zone |= cell | reply;
            if short != reply {
                let rest = short & !reply;
                found.zone |= rest & rest.wrapping_neg();
                return true;
            }
            found.replies |= reply;
            put(&next, reply, 1 - mark, &mut after);
            if attack(&after, mark, tries, found) {
                return true;
            }
            found.moves.truncate(moves);
            (found.zone, found.replies) = (zone, replies);
        }
    }
    false
}

/// The cells in which `mark` can disturb a forced win of the other side: those the win uses, and those
/// of lines that its replies may bring within one cell of completion.
#[must_use]
pub fn disturbing(live: &[Live], mark: u8, win: &Forced) -> CellSet {
    let rests = live.iter().filter(|line| line.mark == mark).map(|line| line.need & !win.replies);
    rests.filter(|rest| rest.count_ones() <= 2).fold(win.zone, |set, rest| set | rest)
}

impl Rules for Race {
    fn board(&self) -> &Board {
        &self.board
    }

    /// Marks on no live line of their owner only block, and empty cells on no live line have no use, because nobody
    /// gains by a pass.
    fn reduce(&self, pos: &Position, out: &mut Vec<Live>) -> Step {
        if self.board.live(pos, out) {
            return Step::Made;
        }
        if out.iter().all(|line| line.mark != 0) {
            return Step::Spoiled;
        }
        let (mut keep, mut used) = ([0; MAX_MARKS], 0);
        for line in out.iter() {
            keep[usize::from(line.mark)] |= line.have;
            used |= line.need | line.have;
        }
        Step::On(Position { marks: keep, dead: self.board.rules.all() & !used, maker: pos.maker, spare: false })
    }

    fn completing_move(&self, pos: &Position, live: &[Live]) -> Option<(Option<usize>, usize)> {
        let now = completing(live, 0);
        (pos.maker && now != 0).then(|| (Some(now.trailing_zeros() as usize), 0))
    }

    fn evaluate(&self, pos: &Position, live: &[Live]) -> Numbers {
        let (mover, other) = if pos.maker { (0, 1) } else { (1, 0) };
        let won = if pos.maker { Numbers::PROVED } else { Numbers::DISPROVED };
        let lost = if pos.maker { Numbers::DISPROVED } else { Numbers::PROVED };
        if completing(live, mover) != 0 {
            return won;
        }
        if completing(live, other).count_ones() > 1 {
            return lost;
        }
        if forced(live, mover).is_some() {
            return won;
        }
        let own: Vec<Live> = live.iter().filter(|line| line.mark == 0).copied().collect();
        Numbers::from_missing_pairs(pairs(&own, None, false, u32::MAX).missing, pos.maker)
    }

    fn candidates(&self, pos: &Position, live: &[Live]) -> Vec<Candidate> {
        let (mover, other) = if pos.maker { (0, 1) } else { (1, 0) };
        let must = completing(live, other);
        if must != 0 {
            return vec![Candidate::Put(must.trailing_zeros() as u8, mover)];
        }
        let mut allowed = live.iter().fold(0, |set, line| set | line.need);
        if let Some(win) = forced(live, other) {
            allowed &= disturbing(live, mover, &win);
        }
        let weights = weights(live);
        let mut cells: Vec<u8> = (0..64).filter(|cell| allowed >> cell & 1 == 1).collect();
        cells.sort_by_key(|&cell| {
            let [own, others, ..] = weights[usize::from(cell)];
            if pos.maker { -2 * own - others } else { -own - 2 * others }
        });
        cells.into_iter().map(|cell| Candidate::Put(cell, mover)).collect()
    }
}

/// A prover for each side.
pub struct Races {
    provers: Vec<(Player, Prover<Race>)>,
}

impl Races {
    /// Provers for a race, with tables of at most `bytes` together; `None` if the game is no race.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, bytes: usize) -> Option<Races> {
        let one = |maker| Some((maker, Prover::with(Race::new(game, maker)?, bytes / 2)));
        Some(Races { provers: Player::BOTH.into_iter().map(one).collect::<Option<_>>()? })
    }

    /// The evidence that `winner` wins from `pos`, which must be proven.
    pub fn evidence<G: LineGame>(
        &mut self,
        game: &G,
        pos: &G::Position,
        winner: Player,
        ctx: &Ctx,
    ) -> Result<Evidence, Stop> {
        let found = self.provers.iter_mut().find(|(maker, _)| *maker == winner);
        let (_, prover) = found.expect("there is a prover for each side");
        let root = prover.board().position(game.line_marks(pos, winner), game.turn(pos) == winner);
        super::race_proof::extract(prover, &root, ctx)
    }
}

impl Races {
    /// Proves bounds for `pos`, without distances. It asks first whether the side to move wins, then whether the other
    /// does.
    pub fn solve<G: LineGame>(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Solution<G::Move> {
        let mover = game.turn(pos);
        let mut found = Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped: None };
        if let Some(outcome) = game.outcome(pos) {
            return Solution { value: Bounds::exactly(outcome.seen_by(mover)), ..found };
        }
        self.provers.sort_by_key(|(maker, _)| *maker != mover);
        for (maker, prover) in &mut self.provers {
            let before = prover.nodes();
            let root = prover.board().position(game.line_marks(pos, *maker), mover == *maker);
            let result = prover.maker_wins(&root, ctx).and_then(|wins| {
                let best = if wins == (mover == *maker) { prover.winning_move(&root, ctx)? } else { None };
                Ok((wins, best))
            });
            found.nodes += prover.nodes() - before;
            let (wins, best) = match result {
                Ok(found) => found,
                Err(stop) => return Solution { stopped: Some(stop), ..found },
            };
            found.best = best.and_then(|(cell, mark)| game.line_move(pos, *maker, cell?, mark));
            match (wins, mover == *maker) {
                (true, true) => return Solution { value: Bounds::exactly(Wdl::Win), ..found },
                (true, false) => return Solution { value: Bounds::exactly(Wdl::Loss), ..found },
                (false, true) => found.value.hi = Wdl::Draw,
                (false, false) => found.value.lo = Wdl::Draw,
            }
        }
        found
    }
}

impl<G: LineGame> Solver<G> for Races {
    fn solve(&mut self, game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Solution<G::Move>, Failed> {
        Ok(self.solve(game, pos, ctx))
    }
}
