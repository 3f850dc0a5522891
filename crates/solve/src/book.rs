//! A book for a strategy: positions with one move each, so that the book and the rules together keep a claim.
//!
//! A position is *settled* if the rules alone keep the claim from there against every reply, and from each of its images
//! under symmetry. Everything that follows a settled position under the rules is settled too, so a book needs entries
//! only for the positions that are not, and the entries never contradict the rules. The search walks the plays of the
//! book from the root. At each position that is not settled it takes the move that needs the fewest further entries, as
//! far as a limited search by iterative deepening can tell.

use crate::recursion::deep;
use crate::verify::{Claim, Keeps};
use agon_core::solver::Failed;
use agon_core::{Ctx, Game, Meter, Stop, Strategy, Symmetric, collect_moves};
use rustc_hash::{FxHashMap, FxHashSet};

/// The positions and moves of a book.
pub(crate) type Entries<G> = Vec<(<G as Game>::Position, <G as Game>::Move)>;

/// The effort of the search for the best move of one entry. One position that is settled or not counts one, and so do so
/// many positions that are walked to find that out.
const EFFORT: u64 = 3_000;
const WALKED: u64 = 50;

/// What stops the search besides a failure of the solver.
enum Ends {
    /// Play can cycle: whether a position is settled then depends on the way to it.
    Cycle,
    Failed(Failed),
}

impl From<Failed> for Ends {
    fn from(why: Failed) -> Ends {
        Ends::Failed(why)
    }
}

impl From<Stop> for Ends {
    fn from(stop: Stop) -> Ends {
        Ends::Failed(stop.into())
    }
}

/// A bound on the entries that a position needs, counted over the tree of plays.
#[derive(Clone, Copy)]
struct Cost<M> {
    least: u32,
    /// The move that needs exactly that many, if it is known.
    best: Option<M>,
}

struct Search<'a, G: Symmetric> {
    game: &'a G,
    base: &'a dyn Strategy<G>,
    claim: &'a Claim<G::Position>,
    meter: Meter<'a>,
    /// Whether the rules keep the claim from a position of the side; none while that is being found out.
    kept: FxHashMap<G::Position, Option<bool>>,
    settled: FxHashMap<G::Position, bool>,
    costs: FxHashMap<G::Position, Cost<G::Move>>,
    moves: FxHashMap<G::Position, Vec<G::Move>>,
    effort: u64,
}

/// A book with which a strategy without memory keeps the claim; none if play can cycle.
pub(crate) fn book<G: Symmetric>(
    game: &G,
    base: &dyn Strategy<G>,
    claim: &Claim<G::Position>,
    ctx: &Ctx,
    keeps: Keeps<'_, G::Position>,
) -> Result<Option<Entries<G>>, Failed> {
    let mut search = Search {
        game,
        base,
        claim,
        meter: ctx.meter(),
        kept: FxHashMap::default(),
        settled: FxHashMap::default(),
        costs: FxHashMap::default(),
        moves: FxHashMap::default(),
        effort: 0,
    };
    match search.fill(ctx, keeps) {
        Ok(entries) => Ok(Some(entries)),
        Err(Ends::Cycle) => Ok(None),
        Err(Ends::Failed(why)) => Err(why),
    }
}

impl<G: Symmetric> Search<'_, G> {
    fn fill(&mut self, ctx: &Ctx, keeps: Keeps<'_, G::Position>) -> Result<Entries<G>, Ends> {
        let (mut entries, mut written) = (Vec::new(), FxHashSet::default());
        let root = self.claim.root.clone();
        let mut open = self.unsettled(&root)?;
        while let Some(pos) = open.pop() {
            if !written.insert(pos.clone()) {
                continue;
            }
            let mv = self.best_move(&pos, keeps)?;
            open.extend(self.unsettled(&self.game.after(&pos, mv))?);
            entries.push((pos, mv));
            ctx.progress("repairing", entries.len() as u64, None);
        }
        Ok(entries)
    }

    /// The move that needs the fewest further entries, as far as the effort reaches.
    fn best_move(&mut self, pos: &G::Position, keeps: Keeps<'_, G::Position>) -> Result<G::Move, Ends> {
        let moves = self.good_moves(pos, keeps)?;
        if let [only] = moves[..] {
            return Ok(only);
        }
        self.effort = EFFORT;
        let mut allowed = 1;
        while self.effort > 0 {
            let least = self.cost(pos, allowed, keeps)?;
            if least <= allowed {
                break;
            }
            allowed = least.max(2 * allowed);
        }
        if let Some(Cost { best: Some(best), .. }) = self.costs.get(pos) {
            return Ok(*best);
        }
        let mut best: Option<((u32, usize), G::Move)> = None;
        for mv in moves {
            let open = self.unsettled(&self.game.after(pos, mv))?;
            let value = (open.iter().map(|next| self.at_least(next)).sum(), open.len());
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, mv));
            }
        }
        best.map(|(_, mv)| mv).ok_or_else(|| Failed::Unsuitable("no move keeps the claim".into()).into())
    }

    fn at_least(&self, pos: &G::Position) -> u32 {
        self.costs.get(pos).map_or(1, |cost| cost.least)
    }

    /// The fewest entries for a position that is not settled, if they are at most `allowed`; else a larger lower bound.
    fn cost(&mut self, pos: &G::Position, allowed: u32, keeps: Keeps<'_, G::Position>) -> Result<u32, Ends> {
        match self.costs.get(pos) {
            Some(cost) if cost.best.is_some() || cost.least > allowed => return Ok(cost.least),
            _ if allowed == 0 => return Ok(1),
            _ => {}
        }
        let mut after = Vec::new();
        for mv in self.good_moves(pos, keeps)? {
            after.push((mv, self.unsettled(&self.game.after(pos, mv))?));
        }
        after.sort_by_key(|(_, open)| open.len());
        let (mut least, mut best) = (u32::MAX, None);
        for (mv, open) in after {
            let limit = allowed.min(least.saturating_sub(1));
            let mut costs: Vec<u32> = open.iter().map(|next| self.at_least(next)).collect();
            for (i, next) in open.iter().enumerate() {
                let others = 1 + costs.iter().sum::<u32>() - costs[i];
                if others + costs[i] > limit {
                    break;
                }
                if self.effort == 0 {
                    // Nothing is known but what was known before.
                    return Ok(self.at_least(pos));
                }
                costs[i] = costs[i].max(deep(|| self.cost(next, limit - others, keeps))?);
            }
            let sum = 1 + costs.iter().sum::<u32>();
            if sum < least {
                (least, best) = (sum, Some(mv));
            }
        }
        let best = best.filter(|_| least <= allowed);
        self.costs.insert(pos.clone(), Cost { least, best });
        Ok(least)
    }

    /// The moves that keep the claim.
    fn good_moves(&mut self, pos: &G::Position, keeps: Keeps<'_, G::Position>) -> Result<Vec<G::Move>, Ends> {
        if let Some(moves) = self.moves.get(pos) {
            return Ok(moves.clone());
        }
        let mut good = Vec::new();
        for mv in collect_moves(self.game, pos) {
            if keeps(&self.game.after(pos, mv))? {
                good.push(mv);
            }
        }
        self.moves.insert(pos.clone(), good.clone());
        Ok(good)
    }

    /// The next positions of the side, up to symmetry, that are not settled.
    fn unsettled(&mut self, pos: &G::Position) -> Result<Vec<G::Position>, Ends> {
        let mut open = Vec::new();
        self.collect_unsettled(pos, &mut open)?;
        Ok(open)
    }

    fn collect_unsettled(&mut self, pos: &G::Position, open: &mut Vec<G::Position>) -> Result<(), Ends> {
        let game = self.game;
        if game.outcome(pos).is_some() {
            return Ok(());
        }
        if game.turn(pos) == self.claim.side {
            let class = game.canonical(pos).0;
            if !open.contains(&class) && !self.is_settled(&class)? {
                open.push(class);
            }
            return Ok(());
        }
        collect_moves(game, pos).into_iter().try_for_each(|mv| {
            let next = game.after(pos, mv);
            deep(|| self.collect_unsettled(&next, open))
        })
    }

    fn is_settled(&mut self, class: &G::Position) -> Result<bool, Ends> {
        if let Some(&settled) = self.settled.get(class) {
            return Ok(settled);
        }
        let (mut settled, before) = (true, self.meter.nodes());
        for element in 0..self.game.order() {
            if settled {
                settled = self.rules_keep(&self.game.image(element, class))?;
            }
        }
        self.effort = self.effort.saturating_sub(1 + (self.meter.nodes() - before) / WALKED);
        self.settled.insert(class.clone(), settled);
        Ok(settled)
    }

    /// Returns whether the rules alone keep the claim.
    fn rules_keep(&mut self, pos: &G::Position) -> Result<bool, Ends> {
        let game = self.game;
        if let Some(outcome) = game.outcome(pos) {
            return Ok(outcome.seen_by(self.claim.side) >= self.claim.least);
        }
        let own = game.turn(pos) == self.claim.side;
        match self.kept.get(pos) {
            Some(Some(kept)) => return Ok(*kept),
            Some(None) => return Err(Ends::Cycle),
            None => {}
        }
        self.meter.tick()?;
        self.kept.insert(pos.clone(), None);
        let legal = collect_moves(game, pos);
        let moves = if own { self.base.choices(game, pos) } else { legal.clone() };
        let mut kept = !moves.is_empty() && moves.iter().all(|mv| legal.contains(mv));
        for mv in moves {
            if kept {
                let next = game.after(pos, mv);
                kept = deep(|| self.rules_keep(&next))?;
            }
        }
        self.kept.insert(pos.clone(), Some(kept));
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strong;
    use crate::verify::holds;
    use agon_core::strategy::Patched;
    use agon_core::toy::Graph;
    use agon_core::{Player, Wdl};
    use agon_games::drop::Drop;

    /// The lowest move.
    struct Lowest;

    impl<G: Game> Strategy<G> for Lowest {
        fn choices(&self, game: &G, pos: &G::Position) -> Vec<G::Move> {
            collect_moves(game, pos).into_iter().take(1).collect()
        }
    }

    #[test]
    fn a_book_and_the_rules_keep_the_claim_and_no_entry_is_for_a_settled_position() {
        for (columns, rows, k, side, least) in
            [(4, 4, 3, Player::First, Wdl::Win), (4, 4, 4, Player::Second, Wdl::Draw)]
        {
            let game = Drop::new(columns, rows, k);
            let claim = Claim { side, least, root: game.start() };
            let strong = Strong::solve(&game, &claim.root, 1 << 30, &Ctx::default()).unwrap();
            let mut keeps = |pos: &_| {
                let seen = strong.value(pos).expect("reachable").wdl();
                Ok(if game.turn(pos) == side { seen >= least } else { seen.flip() >= least })
            };
            let entries = book(&game, &Lowest, &claim, &Ctx::default(), &mut keeps).unwrap().unwrap();
            let mut patched = Patched::new(Box::new(Lowest));
            for (pos, mv) in &entries {
                let alone = Claim { root: *pos, ..claim.clone() };
                let image = Claim { root: game.image(1, pos), ..claim.clone() };
                let settled = |claim| holds(&game, &Lowest, claim, &Ctx::default()).unwrap();
                assert!(!settled(&alone) || !settled(&image));
                patched.except(&game, pos, *mv);
            }
            assert!(holds(&game, &patched, &claim, &Ctx::default()).unwrap(), "{columns}×{rows}");
            assert!(!entries.is_empty() && entries.len() < 300, "{}", entries.len());
        }
    }

    #[test]
    fn there_is_no_book_where_play_can_cycle() {
        let graph = Graph::new("a:b,+ b:a,a");
        let claim = Claim { side: Player::First, least: Wdl::Draw, root: graph.start() };
        assert!(book(&graph, &Lowest, &claim, &Ctx::default(), &mut |_| Ok(true)).unwrap().is_none());
    }
}
