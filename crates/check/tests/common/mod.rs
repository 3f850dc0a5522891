//! Code that the harnesses share: a count of what was tried, and games written out position by position.

use agon_core::{Notation, Player, Wdl, collect_moves};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::Write as _;

/// The number of cases that a test has tried.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Count {
    /// States looked at.
    pub(crate) states: u64,
    /// Pairs of a state and an entry, or whole certificates.
    pub(crate) tried: u64,
    /// The number of these that were accepted: entries that ask for a state which is not as claimed, and true
    /// certificates.
    pub(crate) accepted: u64,
}

impl Count {
    /// Says what was tried, whatever the harness does with the output of tests.
    pub(crate) fn say(&self, what: impl Display) {
        let Count { states, tried, accepted } = self;
        let _ = writeln!(
            std::io::stdout(),
            "{what}: {states} states, {tried} entries tried, {accepted} accepted, none wrongly"
        );
    }
}

/// The moves of a side, position by position.
pub(crate) type Places = BTreeMap<usize, Vec<usize>>;

/// A game written out: every position that can be reached, with its moves and where they lead.
pub(crate) struct Written {
    pub(crate) names: Vec<String>,
    pub(crate) turns: Vec<Player>,
    pub(crate) ends: Vec<Option<[Wdl; 2]>>,
    pub(crate) moves: Vec<Vec<(String, usize)>>,
}

impl Written {
    pub(crate) fn new<G: Notation>(game: &G) -> Written {
        let mut all = Written { names: vec![], turns: vec![], ends: vec![], moves: vec![] };
        let mut positions = vec![game.start()];
        let mut at = 0;
        while at < positions.len() {
            let pos = positions[at].clone();
            all.names.push(game.show(&pos));
            all.turns.push(game.turn(&pos));
            let outcome = game.outcome(&pos);
            all.ends.push(outcome.map(|outcome| Player::BOTH.map(|side| outcome.seen_by(side))));
            let mut moves = Vec::new();
            for mv in if outcome.is_some() { Vec::new() } else { collect_moves(game, &pos) } {
                let next = game.after(&pos, mv);
                let index = positions.iter().position(|known| *known == next).unwrap_or_else(|| {
                    positions.push(next.clone());
                    positions.len() - 1
                });
                moves.push((game.show_move(&pos, mv), index));
            }
            all.moves.push(moves);
            at += 1;
        }
        all
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether every play ends well for a side that follows the moves, and soon enough; `false` where a move is
    /// missing. All plays are followed at once, ply by ply: one that is longer than there are positions never ends.
    pub(crate) fn keeps(&self, side: Player, least: Wdl, within: Option<u32>, moves: &Places) -> bool {
        let endless = least != Wdl::Win && within.is_none();
        let longest = self.len() as u32 + 1;
        let last = within.map_or(longest, |within| within.min(longest));
        let mut now = BTreeSet::from([0]);
        for ply in 0..=last {
            let mut next = BTreeSet::new();
            for &pos in &now {
                let own = self.turns[pos] == side;
                match self.ends[pos] {
                    Some(ends) if ends[side as usize] < least => return false,
                    Some(_) => {}
                    None if own && !moves.contains_key(&pos) => return false,
                    None if ply == last && !endless => return false,
                    None if own => next.extend(&moves[&pos]),
                    None => next.extend(self.moves[pos].iter().map(|&(_, next)| next)),
                }
            }
            now = next;
        }
        true
    }
}

/// Every way to give a side moves: nothing or some of the moves at each of its positions.
pub(crate) fn every_choice(all: &Written, side: Player) -> Vec<BTreeMap<usize, Vec<usize>>> {
    let mut maps = vec![BTreeMap::new()];
    for pos in (0..all.len()).filter(|&pos| all.turns[pos] == side && all.ends[pos].is_none()) {
        let with = |map: &BTreeMap<usize, Vec<usize>>, chosen: usize| {
            let mut map = map.clone();
            let picked = (0..all.moves[pos].len()).filter(|i| chosen >> i & 1 == 1).collect::<Vec<_>>();
            if !picked.is_empty() {
                map.insert(pos, picked);
            }
            map
        };
        maps =
            maps.iter().flat_map(|map| (0..1 << all.moves[pos].len()).map(move |chosen| with(map, chosen))).collect();
    }
    maps
}
