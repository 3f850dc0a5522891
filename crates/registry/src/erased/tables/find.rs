//! Queries on tables: the positions that have a property.

use super::super::game::Erased;
use super::no_table;
use agon_core::{BulkIndexed, Ctx, Evaluate, Family, Rng, Symmetric, Value, Wdl, collect_moves};
use agon_report::failure::Failure;
use agon_report::{MatchesReport, TableMatch};
use agon_solve::Retro;
use agon_table::BadFile;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What a position must be like. Without any wish, every position of the tables matches.
#[derive(Clone, Debug, Default)]
pub struct TableQuery<'a> {
    /// Only positions of this table.
    pub only: Option<&'a str>,
    /// The value for the side to move.
    pub value: Option<Wdl>,
    /// The exact number of plies to the end.
    pub plies: Option<u32>,
    /// The position is not lost, and exactly one of several moves keeps its value.
    pub only_move: bool,
    /// A mutual zugzwang: each side would do better if the other one had to move.
    pub zugzwang: bool,
    /// The number of matches to list.
    pub count: usize,
    /// Lists a random sample of all matches, from this seed, instead of the first ones.
    pub sample: Option<u64>,
}

/// Indices that a thread examines at a time.
const CHUNK: u64 = 1 << 14;

/// The place of a match in the list: its rank in a sample or zero, the number of its table, its index.
type Place = (u64, usize, u64);

/// What was found so far.
#[derive(Default)]
struct Found {
    examined: u64,
    orbits: u64,
    positions: u64,
    /// The matches to list, by place; at most as many as were asked for.
    listed: BTreeMap<Place, TableMatch>,
}

impl Found {
    fn add(&mut self, other: Found, most: usize) {
        self.examined += other.examined;
        self.orbits += other.orbits;
        self.positions += other.positions;
        for (place, found) in other.listed {
            self.list(place, most, || found);
        }
    }

    /// Lists a match if it is among the first ones.
    fn list(&mut self, place: Place, most: usize, found: impl FnOnce() -> TableMatch) {
        let full = self.listed.len() >= most;
        if full && self.listed.last_key_value().is_none_or(|(last, _)| *last < place) {
            return;
        }
        self.listed.insert(place, found());
        if self.listed.len() > most {
            self.listed.pop_last();
        }
    }
}

/// Looks through the tables in a directory.
pub(super) fn find<G: Family + Symmetric + Evaluate + BulkIndexed>(
    erased: &Erased<G>,
    tables: &Retro<G>,
    query: &TableQuery<'_>,
    ctx: &Ctx,
) -> Result<MatchesReport, Failure> {
    if query.zugzwang && erased.capabilities.setup.sides.is_none() {
        return Err(erased.not_offered("mutual zugzwang"));
    }
    let game = &erased.game;
    let named = |shard: &G::Shard| query.only.is_none_or(|name| game.shard_name(*shard) == name);
    let shards: Vec<G::Shard> = tables.shards().iter().copied().filter(named).collect();
    if let (Some(name), true) = (query.only, shards.is_empty()) {
        return Err(Failure::NotOffered {
            what: format!("table `{name}`"),
            game: erased.spelling.clone(),
            offered: tables.shards().iter().map(|&shard| game.shard_name(shard)).collect(),
        });
    }
    let total: u64 = shards.iter().map(|&shard| game.shard_size(shard)).sum();
    let found = Mutex::new(Found::default());
    let done = AtomicU64::new(0);
    for (number, &shard) in shards.iter().enumerate() {
        let scan = Scan { erased, tables, query, shard, number };
        let size = game.shard_size(shard);
        ctx.for_each(size.div_ceil(CHUNK), |chunk| -> Result<(), Failure> {
            ctx.check()?;
            let from = chunk * CHUNK;
            let part = scan.chunk(from, size.min(from + CHUNK)).map_err(|bad| no_table(bad.into(), 0, None))?;
            found.lock().unwrap_or_else(PoisonError::into_inner).add(part, query.count);
            let before = done.fetch_add(CHUNK.min(size - from), Relaxed);
            ctx.progress("examining indices", before, Some(total));
            Ok(())
        })?;
    }
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let matches = found.listed.into_values().collect();
    Ok(MatchesReport::new(&erased.spelling, found.examined, found.orbits, found.positions, matches))
}

/// The work on one table.
struct Scan<'a, G: Family + BulkIndexed> {
    erased: &'a Erased<G>,
    tables: &'a Retro<G>,
    query: &'a TableQuery<'a>,
    shard: G::Shard,
    number: usize,
}

impl<G: Family + Symmetric + Evaluate + BulkIndexed> Scan<'_, G> {
    fn chunk(&self, from: u64, to: u64) -> Result<Found, BadFile> {
        let (game, query) = (&self.erased.game, self.query);
        let mut found = Found::default();
        for index in from..to {
            let Some(value) = self.tables.value_at(self.shard, index)? else { continue };
            let Some(pos) = game.position(self.shard, index) else { continue };
            found.examined += 1;
            if query.value.is_some_and(|wanted| value.wdl() != wanted)
                || query.plies.is_some_and(|n| agon_solve::retro::known_plies(value) != Some(n))
            {
                continue;
            }
            let right = if query.only_move { self.only_move(&pos, value)? } else { None };
            if query.only_move && right.is_none() || query.zugzwang && !self.is_zugzwang(&pos, value)? {
                continue;
            }
            let orbit = u64::from(game.symmetries() / game.table_index(&pos).stabiliser);
            found.orbits += 1;
            found.positions += orbit;
            let rank = query.sample.map_or(0, |seed| Rng::new(seed ^ (self.number as u64) << 44 ^ index).next_u64());
            found.list((rank, self.number, index), query.count, || TableMatch {
                table: game.shard_name(self.shard),
                position: game.show(&pos),
                mover: game.turn(&pos).name(),
                value: value.wdl().name(),
                plies: agon_solve::retro::known_plies(value),
                only_move: right.map(|mv| game.show_move(&pos, mv)),
                orbit,
            });
        }
        Ok(found)
    }

    /// The one move of several that keeps the value of a position that is not lost.
    fn only_move(&self, pos: &G::Position, value: Value) -> Result<Option<G::Move>, BadFile> {
        let game = &self.erased.game;
        let moves = collect_moves(game, pos);
        if value.wdl() == Wdl::Loss || moves.len() < 2 {
            return Ok(None);
        }
        let mut right = None;
        for mv in moves {
            let after = self.tables.look_up(game, &game.after(pos, mv))?.map(|value| value.to_parent().wdl());
            match (after, right) {
                (Some(worth), None) if worth >= value.wdl() => right = Some(mv),
                (Some(worth), _) if worth < value.wdl() => {}
                // A second such move, or one without a value.
                _ => return Ok(None),
            }
        }
        Ok(right)
    }

    /// Returns whether the side to move would do better if the other side had to move, and the other side too.
    fn is_zugzwang(&self, pos: &G::Position, value: Value) -> Result<bool, BadFile> {
        let game = &self.erased.game;
        let Some(other) = self.other_to_move(pos) else { return Ok(false) };
        if game.outcome(pos).is_some() || game.outcome(&other).is_some() {
            return Ok(false);
        }
        let theirs = self.tables.look_up(game, &other)?;
        Ok(theirs.is_some_and(|theirs| points(value.wdl()) + points(theirs.wdl()) < 0))
    }

    /// The same men with the other side to move, if that is a position.
    fn other_to_move(&self, pos: &G::Position) -> Option<G::Position> {
        let [first, second] = self.erased.capabilities.setup.sides?;
        let text = self.erased.game.show(pos);
        let at = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '/')? + 1;
        let side = text[at..].chars().next()?;
        let other = if side == first { second } else { first };
        let turned = format!("{}{other}{}", &text[..at], &text[at + side.len_utf8()..]);
        self.erased.game.parse(&turned).ok()
    }
}

/// A result as points for the side to move.
fn points(value: Wdl) -> i32 {
    match value {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
    }
}
