//! What the mill games bring to the command line: tables.

use super::loopy::{Found, Loopy, Named, Plan, Proof, erased};
use super::tables::{AnyTables, Kept, Shelf, no_table, phases};
use super::{AnyGame, BoardRow, Entry, SolveRequest};
use crate::erased::SolverName;
use crate::failure::Failure;
use agon_core::solver::Solver;
use agon_core::{Bounds, Ctx, Facts, Game, GameError, Player, Solution, Stop, Symmetric, Value, Wdl, collect_moves};
use agon_games::mill::presets as families;
use agon_games::mill::{Men, Mill, Step};
use agon_play::perfect::{BySolver, Prover};
use agon_solve::fixpoint;
use agon_solve::retro::{NoTable, Retro};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Memory for the tables behind a player or a hint.
const PLAYER_MEMORY: u64 = 1 << 30;

/// The registry lines of the mill games, which share one type.
#[must_use]
pub const fn mills() -> [Entry; 11] {
    macro_rules! entry {
        ($facts:ident) => {
            Entry { facts: families::$facts, build: |given| build(&families::$facts, given) }
        };
    }
    [
        entry!(ANTRIN),
        entry!(ACHI),
        entry!(THREE_MENS),
        entry!(TAPATAN),
        entry!(NINE_HOLES),
        entry!(PICARIA),
        entry!(TANT_FANT),
        entry!(SHISIMA),
        entry!(ROTA),
        entry!(TSORO_YEMATATU),
        entry!(MORRIS),
    ]
}

fn build(facts: &'static Facts, given: &str) -> Result<Box<dyn AnyGame>, GameError> {
    let (game, spelling) = Mill::of_family(facts, given)?;
    Ok(erased(game, spelling, None))
}

fn tables(game: &Mill, kept: &Kept<Mill>, memory: u64, ctx: &Ctx) -> Result<Arc<Retro<Mill>>, NoTable> {
    if let Some(solved) = kept.get() {
        return Ok(solved.clone());
    }
    let solved = Arc::new(Retro::solve(game, memory, ctx)?);
    Ok(kept.get_or_init(|| solved).clone())
}

impl Loopy for Mill {
    const SOLVERS: &'static [&'static str] = &["strong", "brute"];
    const STRONG: bool = true;
    const EXCHANGED: Option<fn(&Men) -> Men> = Some(Men::exchanged);
    type Tables = Kept<Mill>;

    fn find(&self, pos: &Men, kept: &Kept<Mill>, request: SolveRequest, ctx: &Ctx) -> Result<Found<Mill>, Failure> {
        if request.solver == SolverName::Brute && !request.strong {
            return slowly(self, pos, ctx);
        }
        let solved =
            tables(self, kept, request.memory as u64, ctx).map_err(|why| no_table(why, request.memory as u64, None))?;
        let value = solved.look_up(self, pos).map_err(|bad| no_table(bad.into(), 0, None))?;
        let value = value.ok_or_else(|| {
            Failure::Usage("that position is in no table: no play leads to it, or its table was not solved".to_string())
        })?;
        let solution = Solution {
            value: Bounds::exactly(value.wdl()),
            plies: value.plies(),
            best: solved.line(self, pos, 1).first().copied(),
            nodes: solved.numbers(),
            stopped: None,
        };
        let mut found = Found::new(solution, "strong");
        if request.strong {
            found.phases = phases(self, &solved)?;
        }
        if request.certificate {
            let mover = self.turn(pos);
            match value.wdl() {
                Wdl::Draw => found.holds = Some(Player::BOTH.map(|side| plan(self, &solved, pos, side))),
                wdl => {
                    let side = if wdl == Wdl::Win { mover } else { mover.other() };
                    let moves = plan(self, &solved, pos, side);
                    found.evidence = Ok(Some(Proof { within: value.plies(), moves }));
                }
            }
        }
        Ok(found)
    }

    fn boards(&self, kept: &Kept<Mill>, memory: u64, ctx: &Ctx) -> Option<Result<Vec<BoardRow>, Failure>> {
        let solved = tables(self, kept, memory, ctx).map_err(|why| no_table(why, memory, None));
        Some(solved.and_then(|solved| super::boards::boards(self, &solved)))
    }

    fn tables(&self, named: Named<'_>, kept: &Kept<Mill>) -> Option<Box<dyn AnyTables>> {
        let (spelling, rules) = (named.spelling.to_string(), named.rules.map(String::from));
        Some(Box::new(Shelf { game: self.clone(), spelling, rules, kept: kept.clone() }))
    }

    fn trouble(kept: &Kept<Mill>) -> Option<Failure> {
        let bad = kept.get()?.trouble()?;
        Some(no_table(bad.clone().into(), 0, None))
    }

    fn solver(&self, kept: &Kept<Mill>) -> Option<Box<dyn Solver<Mill>>> {
        Some(Box::new(LookUp(kept.clone())))
    }

    fn prover(&self, kept: &Kept<Mill>) -> Box<dyn Prover<Mill>> {
        Box::new(BySolver { solver: LookUp(kept.clone()), table: true })
    }
}

/// Solves the tables at the first question, and then looks values up.
struct LookUp(Kept<Mill>);

impl Solver<Mill> for LookUp {
    fn solve(&mut self, game: &Mill, pos: &Men, ctx: &Ctx) -> Solution<Step> {
        let unknown = |stopped| Solution { value: Bounds::UNKNOWN, plies: None, best: None, nodes: 0, stopped };
        match tables(game, &self.0, PLAYER_MEMORY, ctx) {
            Ok(solved) => agon_solve::retro::LookUp(solved).solve(game, pos, ctx),
            Err(NoTable::Stopped(stop)) => unknown(Some(stop)),
            Err(_) => unknown(Some(Stop::Budget)),
        }
    }
}

/// By plain repetition over every position that can be reached.
fn slowly(game: &Mill, pos: &Men, ctx: &Ctx) -> Result<Found<Mill>, Failure> {
    let values = fixpoint::solve(game, pos, ctx)?;
    let value = values[pos];
    let worth = |mv: &Step| values[&game.after(pos, *mv)].a_ply_earlier();
    let solution = Solution {
        value: Bounds::exactly(value.wdl()),
        plies: value.plies(),
        best: collect_moves(game, pos).into_iter().max_by_key(worth),
        nodes: values.len() as u64,
        stopped: None,
    };
    Ok(Found::new(solution, "brute"))
}

/// A best move for `side` wherever it is to move, against every reply, up to symmetry.
fn plan(game: &Mill, solved: &Retro<Mill>, root: &Men, side: Player) -> Plan<Mill> {
    let mut plan: BTreeMap<Men, Option<Step>> = BTreeMap::new();
    let mut todo = vec![*root];
    while let Some(pos) = todo.pop() {
        let pos = game.canonical(&pos).0;
        if plan.contains_key(&pos) {
            continue;
        }
        if game.turn(&pos) == side {
            let worth = |mv: &Step| solved.value(game, &game.after(&pos, *mv)).map(Value::a_ply_earlier);
            let best = collect_moves(game, &pos).into_iter().max_by_key(worth);
            todo.extend(best.map(|mv| game.after(&pos, mv)));
            plan.insert(pos, best);
        } else {
            todo.extend(collect_moves(game, &pos).into_iter().map(|mv| game.after(&pos, mv)));
            plan.insert(pos, None);
        }
    }
    plan.into_iter().filter_map(|(pos, mv)| Some((pos, mv?))).collect()
}
