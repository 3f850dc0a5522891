//! Fixed work with known answers: every measurement says whether its answer was correct.
//!
//! This is a crate of its own because it compiles solvers and players for many games, and a program that only asks and
//! prints need not be optimised like them.

#![doc = include_str!("../README.md")]

use agon_core::solver::Solver;
use agon_core::{Bounds, Ctx, Evaluate, Family, Game, Indexed, LineGame, Notation, Outcome, Player, Rng, Value, Wdl};
use agon_games::drop::Drop;
use agon_games::impartial::tiles::{Cram, Ellie, Tiles};
use agon_games::impartial::{Play as ImpartialPlay, Rules};
use agon_games::mill::Mill;
use agon_games::mnk::{Mnk, Stones};
use agon_games::order_chaos::OrderChaos;
use agon_games::order_chaos::lines::Row;
use agon_games::tak::Tak;
use agon_play::{Agent, Limits, Mcts, Negamax, Playouts, mcts, negamax};
use agon_solve::grundy::{Grundy, Method};
use agon_solve::lines::Provers;
use agon_solve::lines::sweep::Sweep;
use agon_solve::verify::{Claim, verify};
use agon_solve::{AlphaBeta, Nimbers, NullWindow, Retro, Strong, forced, perft};
use serde::Serialize;
use std::time::Instant;

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The name of the item.
    pub name: &'static str,
    /// Units per second.
    pub rate: f64,
    /// Of what.
    pub unit: &'static str,
    /// Seconds for the work once.
    pub seconds: f64,
    /// Units of work.
    pub work: u64,
    /// True if the answer was correct.
    pub answer_ok: bool,
}

/// Does the work once; says how much was done and whether the answer was right.
type Work = Box<dyn FnMut() -> (u64, bool)>;

/// One piece of fixed work.
pub struct Item {
    /// Its name.
    pub name: &'static str,
    unit: &'static str,
    /// The number of repetitions; the fastest counts.
    times: u32,
    /// Sets the work up, outside the time measured.
    work: fn() -> Work,
}

/// All fixed work, in the order in which it is measured.
pub const ITEMS: &[Item] = &[
    Item { name: "strong tic-tac-toe", unit: "positions/s", times: 200, work: strong_tic_tac_toe },
    Item { name: "strong mnk:4,3,3", unit: "positions/s", times: 3, work: strong_433 },
    Item { name: "playouts tic-tac-toe", unit: "playouts/s", times: 3, work: playouts },
    Item { name: "perft mnk:4,4,4 depth 6", unit: "leaves/s", times: 3, work: perft_444 },
    Item {
        name: "alphabeta mnk:4,4,4",
        unit: "nodes/s",
        times: 1,
        work: || alphabeta(Mnk::new(4, 4, 4), Wdl::Draw, 16),
    },
    Item { name: "alphabeta mnk:4,4,3", unit: "nodes/s", times: 3, work: || alphabeta(Mnk::new(4, 4, 3), Wdl::Win, 5) },
    Item {
        name: "alphabeta mnk:5,4,4",
        unit: "nodes/s",
        times: 1,
        work: || alphabeta(Mnk::new(5, 4, 4), Wdl::Draw, 20),
    },
    Item { name: "null-window drop:6,6,4", unit: "nodes/s", times: 1, work: null_window_66 },
    Item { name: "sweep order-chaos:4x4,k=4", unit: "boards/s", times: 3, work: sweep_44 },
    Item { name: "lines order-chaos:5x6", unit: "nodes/s", times: 1, work: || lines_56(true) },
    Item { name: "lines order-chaos:5x6,first=chaos", unit: "nodes/s", times: 1, work: || lines_56(false) },
    Item { name: "lines mnk:7,7,5", unit: "nodes/s", times: 1, work: lines_775 },
    Item { name: "verify castelein-t1", unit: "positions/s", times: 3, work: verify_castelein },
    Item { name: "perft tak:6 depth 5", unit: "leaves/s", times: 3, work: || tak_perft(6, None, 5, 1_253_506_520) },
    Item {
        name: "perft tak:6 endgame depth 4",
        unit: "leaves/s",
        times: 3,
        work: || tak_perft(6, Some(TAK_ENDGAME), 4, 395_359_484),
    },
    Item { name: "perft tak:6 depth 5, table", unit: "leaves/s", times: 3, work: tak_perft_with_table },
    Item { name: "playouts tak:5", unit: "playouts/s", times: 3, work: tak_playouts },
    Item {
        name: "mcts mnk:3,3,3",
        unit: "playouts/s",
        times: 3,
        work: || grow_tree(Mnk::new(3, 3, 3), 400_000, false),
    },
    Item {
        name: "mcts mnk:7,6,4",
        unit: "playouts/s",
        times: 3,
        work: || grow_tree(Mnk::new(7, 6, 4), 400_000, false),
    },
    Item {
        name: "mcts connect-four",
        unit: "playouts/s",
        times: 3,
        work: || grow_tree(Drop::new(7, 6, 4), 400_000, false),
    },
    Item { name: "mcts tak:5", unit: "playouts/s", times: 3, work: || grow_tree(Tak::new(5, 5), 20_000, false) },
    Item {
        name: "mcts tak:5 weighted",
        unit: "playouts/s",
        times: 3,
        work: || grow_tree(Tak::new(5, 5), 20_000, true),
    },
    Item { name: "negamax tak:6", unit: "nodes/s", times: 3, work: negamax_tak },
    Item { name: "forced tak:3", unit: "nodes/s", times: 3, work: tak_solve },
    Item {
        name: "tables antrin:3",
        unit: "numbers/s",
        times: 20,
        work: || tables(Mill::from_spelling("antrin:3"), 1_452),
    },
    Item {
        name: "tables antrin:4",
        unit: "numbers/s",
        times: 3,
        work: || tables(Mill::from_spelling("antrin:4"), 893_004),
    },
    Item {
        name: "tables morris:six",
        unit: "numbers/s",
        times: 1,
        work: || tables(Mill::from_spelling("morris:six"), 19_207_188),
    },
    Item { name: "playouts morris:nine", unit: "playouts/s", times: 3, work: morris_playouts },
    Item { name: "verify singh-objectives", unit: "positions/s", times: 20, work: verify_singh },
    Item {
        name: "grundy 0.007 to 2^15, plain loop",
        unit: "heaps/s",
        times: 1,
        work: || grundy("0.007", Method::Plain),
    },
    Item { name: "grundy 0.007 to 2^15", unit: "heaps/s", times: 3, work: || grundy("0.007", Method::Auto) },
    Item { name: "grundy 0.007 to 2^17", unit: "heaps/s", times: 1, work: ellie },
    Item { name: "grundy kayles to 10^6", unit: "heaps/s", times: 3, work: kayles },
    Item {
        name: "nimbers ellie:9x5",
        unit: "parts/s",
        times: 3,
        work: || tiles(Tiles::<Ellie>::new(9, 5), (1, 79_215)),
    },
    Item { name: "nimbers cram:6x5", unit: "parts/s", times: 3, work: || tiles(Tiles::<Cram>::new(6, 5), (2, 45_966)) },
];

/// Every table of a drawn game, on two threads; the moving phase has that many positions.
fn tables(game: Result<(Mill, String), agon_core::GameError>, moving: u64) -> Work {
    let game = game.map(|(game, _)| game);
    Box::new(move || {
        let Ok(game) = &game else { return (0, false) };
        let Ok(retro) = Retro::solve(game, 1 << 30, &Ctx::default().with_threads(2)) else { return (0, false) };
        let shards: Vec<_> = retro.shards().iter().copied().filter(|&s| game.phase(s) == "moving").collect();
        let right = retro.value(game, &game.start()) == Some(Value::DRAW)
            && retro.stats(game, &shards).is_ok_and(|stats| stats.totals.sum() == moving);
        (retro.size(), right)
    })
}

/// White won 31,676 of 60,000 random plays with moves listed one by one (seed 77); five deviations of the
/// difference.
fn morris_playouts() -> Work {
    const GAMES: u64 = 100_000;
    const LISTED: f64 = 60_000.0;
    let share = 31_676.0 / LISTED;
    let (game, mut rng) = (Mill::from_spelling("morris:nine").map(|(game, _)| game), Rng::new(1));
    Box::new(move || {
        let Ok(game) = &game else { return (0, false) };
        let mut won = || game.playout(game.start(), &mut rng) == Outcome::Win(Player::First);
        let wins = (0..GAMES).filter(|_| won()).count() as f64;
        let deviation = (share * (1.0 - share) * (1.0 / GAMES as f64 + 1.0 / LISTED)).sqrt();
        (GAMES, (wins / GAMES as f64 - share).abs() < 5.0 * deviation)
    })
}

/// `.007` to 2^15, whose largest value is 459.
fn grundy(code: &'static str, method: Method) -> Work {
    Box::new(move || {
        let mut grundy = Grundy::new(&code.parse().expect("a code"), 1 << 15, method);
        let done = grundy.run(&Ctx::default(), 1 << 15).is_ok();
        (grundy.len() as u64, done && grundy.values().max() == Some(459))
    })
}

/// `.007` to 2^17, whose largest value is 1024.
fn ellie() -> Work {
    Box::new(|| {
        let mut grundy = Grundy::new(&"0.007".parse().expect("a code"), 1 << 17, Method::Auto);
        let done = grundy.run(&Ctx::default().with_threads(2), 1 << 17).is_ok();
        (grundy.len() as u64, done && grundy.values().max() == Some(1024))
    })
}

fn kayles() -> Work {
    Box::new(|| {
        let mut grundy = Grundy::new(&"kayles".parse().expect("a code"), 1_000_000, Method::Auto);
        let done = grundy.run(&Ctx::default(), 1_000_000).is_ok();
        let period = grundy.find_period().map(|found| (found.period, found.preperiod));
        (grundy.len() as u64, done && period == Some((12, 71)))
    })
}

/// The nim-value of an empty board, and the parts that one thread searches for it.
fn tiles<R: Rules>(rules: R, expected: (u32, u64)) -> Work {
    let game = ImpartialPlay::new(rules, false);
    Box::new(move || {
        let ctx = Ctx::default();
        let value = Nimbers::default().nimber(&game, &game.start(), &ctx);
        (ctx.nodes(), value.map(|value| (value, ctx.nodes())) == Ok(expected))
    })
}

fn strong_tic_tac_toe() -> Work {
    let game = Mnk::new(3, 3, 3);
    strong(game, |solved, root| solved.value(root).map(|v| v.wdl()) == Some(Wdl::Draw) && solved.nodes() == 5478)
}

fn strong_433() -> Work {
    strong(Mnk::new(4, 3, 3), |solved, root| solved.value(root).and_then(|v| v.plies()) == Some(7))
}

fn strong(game: Mnk, right: fn(&Strong<Mnk>, &Stones) -> bool) -> Work {
    Box::new(move || match Strong::solve_ranked(&game, &game.start(), 1 << 30, &Ctx::default()) {
        Ok(solved) => (solved.nodes(), right(&solved, &game.start())),
        Err(_) => (0, false),
    })
}

fn playouts() -> Work {
    const GAMES: u64 = 2_000_000;
    let (game, mut rng) = (Mnk::new(3, 3, 3), Rng::new(1));
    Box::new(move || {
        let mut won = || game.playout(game.start(), &mut rng) == Outcome::Win(Player::First);
        let wins = (0..GAMES).filter(|_| won()).count() as f64;
        // Uniformly random play is won by the first player in 737 of 1260 games; allow five deviations.
        let share = 737.0 / 1260.0;
        let deviation = (share * (1.0 - share) / GAMES as f64).sqrt();
        (GAMES, (wins / GAMES as f64 - share).abs() < 5.0 * deviation)
    })
}

/// A middle game of 6×6 in which most moves are slides.
const TAK_ENDGAME: &str = "2,2,21S,2,2,2/2,x,222221,2,2,x/1,1,2221C,x,111112C,2S/x,1,2S,x2,121211212/\
                           1,1,1212S,1S,2,1S/x2,2,1,21,1 1 42";

fn tak_perft(n: usize, from: Option<&str>, depth: u32, leaves: u64) -> Work {
    let game = Tak::new(n, n);
    let pos = from.map_or_else(|| Ok(game.start()), |tps| game.parse(tps));
    Box::new(move || {
        let Ok(pos) = &pos else { return (0, false) };
        let divided = perft::divide_in_place(&game, pos, depth, &Ctx::default());
        let count = divided.map_or(0, |divided| divided.iter().map(|(_, n)| n).sum());
        (count, count == leaves)
    })
}

/// Every run builds the table again.
fn tak_perft_with_table() -> Work {
    let game = Tak::new(6, 6);
    Box::new(move || {
        let divided = perft::divide_with_table(&game, &game.start(), 5, 1 << 26, &Ctx::default());
        let count = divided.map_or(0, |divided| divided.iter().map(|(_, n)| n).sum());
        (count, count == 1_253_506_520)
    })
}

fn tak_playouts() -> Work {
    const GAMES: u64 = 20_000;
    let (game, mut rng) = (Tak::new(5, 5), Rng::new(1));
    Box::new(move || {
        let mut won = || game.playout(game.start(), &mut rng) == Outcome::Win(Player::First);
        let wins = (0..GAMES).filter(|_| won()).count() as f64;
        // White won 4,392,850 of ten million uniformly random games (Beljaards, Table 6.2); five deviations.
        let share = 0.439_285;
        let deviation = (share * (1.0 - share) / GAMES as f64).sqrt();
        (GAMES, (wins / GAMES as f64 - share).abs() < 5.0 * deviation)
    })
}

/// A tree without proofs, so that the work is fixed; growing it twice gives the same thought.
fn grow_tree<G: Evaluate>(game: G, playouts: u64, weighted: bool) -> Work {
    let settings = mcts::Settings {
        limits: Limits { nodes: Some(playouts), depth: None },
        playouts: Playouts { weights: weighted.then(G::default_weights), ..Playouts::default() },
        solver: false,
        ..mcts::Settings::default()
    };
    let mut first = None;
    Box::new(move || {
        let thought = Mcts::new(settings.clone(), 1).think(&game, &game.start(), &Ctx::default(), &mut |_| ());
        let Ok(thought) = thought else { return (0, false) };
        let right = first.get_or_insert_with(|| thought.clone()) == &thought;
        (thought.nodes, right && thought.nodes == playouts)
    })
}

/// Two million nodes from the empty board; the same nodes give the same thought.
fn negamax_tak() -> Work {
    const NODES: u64 = 2_000_000;
    let game = Tak::new(6, 6);
    let limits = Limits { nodes: Some(NODES), depth: None };
    let mut agent = Negamax::new(negamax::Settings { limits, ..negamax::Settings::default() });
    let mut first = None;
    Box::new(move || {
        Agent::<Tak>::begin(&mut agent, 1);
        let Ok(thought) = agent.think(&game, &game.start(), &Ctx::default(), &mut |_| ()) else { return (0, false) };
        let right = first.get_or_insert_with(|| thought.clone()) == &thought;
        (thought.nodes, right && thought.nodes == NODES && thought.depth >= 6)
    })
}

fn tak_solve() -> Work {
    let game = Tak::new(3, 3);
    Box::new(move || {
        let solution = forced::solve(&game, &game.start(), 20, 1 << 26, &Ctx::default()).solution;
        (solution.nodes, solution.value == Bounds::exactly(Wdl::Win) && solution.plies == Some(13))
    })
}

fn perft_444() -> Work {
    let game = Mnk::new(4, 4, 4);
    Box::new(move || {
        let counts = perft::perft(&game, &game.start(), 6, &Ctx::default());
        // Nobody can win before the seventh ply: 16·15·14·13·12·11.
        (counts.as_ref().map_or(0, |c| c[5]), counts.is_ok_and(|c| c[5] == 5_765_760))
    })
}

/// Connect Four on 6 × 6: the second player wins with the last piece (Tromp 2006). The number of nodes is that of one
/// thread.
fn null_window_66() -> Work {
    Box::new(|| {
        let rack = Drop::new(6, 6, 4).rack().expect("the board fits");
        let solved = NullWindow::new(1 << 28).solve(&rack, &rack.start(), &Ctx::default());
        let Ok(found) = solved else { return (0, false) };
        let right = found.value == Bounds::exactly(Wdl::Loss) && found.plies == Some(36);
        (found.nodes, right && found.nodes == NODES_66)
    })
}

/// The nodes that one thread takes for Connect Four on 6 × 6.
const NODES_66: u64 = 3_364_217;

fn alphabeta(game: Mnk, value: Wdl, plies: u32) -> Work {
    Box::new(move || {
        let solution = AlphaBeta::new(1 << 30).solve(&game, &game.start(), &Ctx::default());
        (solution.nodes, solution.value == Bounds::exactly(value) && solution.plies == Some(plies))
    })
}

/// Every board of 4×4 for either side to move; order needs 13 plies, or 12 moving second.
fn sweep_44() -> Work {
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let lines = game.lines(game.order()).expect("order and chaos is a game of lines");
    Box::new(move || match Sweep::new(&lines, &Ctx::default()) {
        Ok(sweep) => (sweep.boards() as u64, (sweep.plies(0, true), sweep.plies(0, false)) == (Some(13), Some(12))),
        Err(_) => (0, false),
    })
}

/// Chaos wins, no matter which side begins.
fn lines_56(order_first: bool) -> Work {
    let game = OrderChaos::new(5, 6, 5, 2, order_first, Row::AtLeast);
    Box::new(move || {
        let mut provers = Provers::new(&game, 1 << 28).expect("order and chaos is a game of lines");
        let solution = provers.solve(&game, &game.start(), &Ctx::default());
        let chaos = if order_first { Wdl::Loss } else { Wdl::Win };
        (solution.nodes, solution.value == Bounds::exactly(chaos))
    })
}

/// A draw, by spoiling on both sides.
fn lines_775() -> Work {
    let game = Mnk::new(7, 7, 5);
    Box::new(move || match Provers::new(&game, 1 << 28) {
        Some(mut provers) => {
            let solution = provers.solve(&game, &game.start(), &Ctx::default());
            (solution.nodes, solution.value == Bounds::exactly(Wdl::Draw))
        }
        None => (0, false),
    })
}

fn verify_castelein() -> Work {
    let game = OrderChaos::new(4, 4, 4, 2, true, Row::AtLeast);
    let claim = Claim { side: game.order(), least: Wdl::Win, root: game.start() };
    let strategy = game.strategy("castelein-t1", "rescued").expect("4×4 has it");
    Box::new(move || match verify(&game, strategy.as_ref(), &claim, &Ctx::default()) {
        Ok(verdict) => (verdict.positions, verdict.lines.is_some_and(|l| l.loss == 7u32.into())),
        Err(_) => (0, false),
    })
}

fn verify_singh() -> Work {
    let game = Mnk::new(3, 3, 3);
    let claim = Claim { side: Player::Second, least: Wdl::Draw, root: game.start() };
    let strategy = game.strategy("singh-objectives", "").expect("tic-tac-toe has it");
    Box::new(move || match verify(&game, strategy.as_ref(), &claim, &Ctx::default()) {
        Ok(verdict) => (verdict.positions, verdict.lines.is_some_and(|l| l.loss == 48u32.into())),
        Err(_) => (0, false),
    })
}

impl Item {
    /// Does the work as often as the item asks for; the fastest time counts.
    #[must_use]
    pub fn measure(&self) -> Measured {
        let (mut seconds, mut work, mut answer_ok) = (f64::INFINITY, 0, true);
        let mut once = (self.work)();
        for _ in 0..self.times {
            let begun = Instant::now();
            let (done, right) = once();
            seconds = seconds.min(begun.elapsed().as_secs_f64());
            work = done;
            answer_ok &= right;
        }
        Measured { name: self.name, rate: work as f64 / seconds, unit: self.unit, seconds, work, answer_ok }
    }
}
