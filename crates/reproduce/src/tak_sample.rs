//! Parallel games of Tak between players, counted by winner and reason.

use super::{Finding, Verdict};
use agon_arena::plan::mix;
use agon_arena::statistics::{Share, two_share_z};
use agon_core::{Ctx, Evaluate, Game, Notation, Outcome, Rng, Stop};
use agon_games::tak::{Position, Tak};
use agon_play::{Agent, Limits, MonteCarlo, Playouts, mcts, negamax};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of games by winner (first player, second player, nobody) and reason (road, no stones, board full).
pub(super) type Cells = [[u64; 3]; 3];

/// Shares differ if they are further apart than this many standard errors. Eight shares are compared at once.
const APART: f64 = 3.5;

/// The number of games that a thread takes at a time.
const BATCH: u64 = 250;

/// The seed of every sample.
const SEED: u64 = 1;

/// Longer games between searching players are draws.
const MOST_PLIES: usize = 400;

/// The players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Player {
    /// Uniformly random moves.
    Uniform,
    /// Random moves with a preference for flats and empty squares.
    Weighted,
    /// Flat Monte Carlo with weighted playouts.
    Mc,
    /// MCTS with weighted playouts.
    Mcts,
    /// MCTS with uniform playouts.
    MctsUniform,
    /// Alpha-beta search.
    Negamax,
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Uniform => "random",
            Player::Weighted => "weighted",
            Player::Mc => "Monte Carlo",
            Player::Mcts => "MCTS",
            Player::MctsUniform => "MCTS with random playouts",
            Player::Negamax => "negamax",
        }
    }

    /// A random move.
    fn draw(self, game: &Tak, pos: &Position, weights: &[f64], rng: &mut Rng) -> Option<agon_games::tak::Move> {
        if self == Player::Uniform { game.random_move(pos, rng) } else { game.weighted_move(pos, weights, rng) }
    }

    /// The player, with a fixed amount of work per move.
    fn agent(self, weights: &[f64]) -> Box<dyn Agent<Tak>> {
        let limits = |nodes| Limits { nodes: Some(nodes), depth: None };
        let playouts = |weighted: bool| Playouts { weights: weighted.then(|| weights.to_vec()), cut: None };
        let tree = |weighted| {
            let limits = limits(TREE_PLAYOUTS);
            let formula = mcts::Formula::Inverse;
            Box::new(agon_play::Mcts::new(
                mcts::Settings {
                    limits,
                    playouts: playouts(weighted),
                    formula,
                    memory: 64 << 20,
                    ..mcts::Settings::default()
                },
                0,
            ))
        };
        match self {
            Player::Uniform => Box::new(agon_play::Random(Rng::new(0))),
            Player::Weighted => Box::new(agon_play::Weighted { weights: weights.to_vec(), rng: Rng::new(0) }),
            Player::Mc => {
                Box::new(MonteCarlo { limits: limits(MC_PLAYOUTS), playouts: playouts(true), rng: Rng::new(0) })
            }
            Player::Mcts => tree(true),
            Player::MctsUniform => tree(false),
            Player::Negamax => {
                let settings = negamax::Settings {
                    limits: limits(NEGAMAX_NODES),
                    memory: 16 << 20,
                    ..negamax::Settings::default()
                };
                Box::new(agon_play::Negamax::new(settings))
            }
        }
    }
}

/// The work per move of searching players, far less than a second.
const MC_PLAYOUTS: u64 = 5;
const TREE_PLAYOUTS: u64 = 500;
const NEGAMAX_NODES: u64 = 10_000;

/// The number of games between searching players.
const GAMES: u64 = 60;

/// A table of games between random players.
pub(super) struct Lots {
    /// The numbers of the thesis.
    pub(super) cells: Cells,
    /// The board.
    pub(super) size: usize,
    /// The players; equal players are distinguished by colour.
    pub(super) players: [Player; 2],
    /// The default number of games.
    pub(super) games: u64,
}

impl Lots {
    /// The names of the rows.
    pub(super) fn names(&self) -> [&'static str; 2] {
        if self.players[0] == self.players[1] { ["white", "black"] } else { self.players.map(Player::name) }
    }

    /// Plays games; the sides alternate unless both players are the same. `each` receives whether the first player was
    /// White, the winner and the reason.
    fn sample<T: Default + Send>(
        &self,
        games: u64,
        ctx: &Ctx,
        each: impl Fn(&mut T, bool, Outcome, usize) + Sync,
        add: impl Fn(&mut T, T) + Sync,
    ) -> Result<T, Stop> {
        let (game, weights) = (Tak::new(self.size, self.size), Tak::default_weights());
        let same = self.players[0] == self.players[1];
        parallel(games, ctx, add, |first, last| {
            let mut part = T::default();
            let mut rng = Rng::new(mix(SEED, &[self.size as u64, first]));
            for number in first..last {
                let straight = same || number % 2 == 0;
                let [a, b] = self.players;
                let seats = if straight { [a, b] } else { [b, a] };
                let mut pos = game.start();
                while let Some(mv) = seats[game.turn(&pos) as usize].draw(&game, &pos, &weights, &mut rng) {
                    game.play(&mut pos, mv);
                }
                let outcome = game.outcome(&pos).expect("no move means the play is over");
                each(&mut part, straight, outcome, column(&game, &pos));
            }
            part
        })
    }

    fn cells(&self, games: u64, ctx: &Ctx) -> Result<Cells, Stop> {
        let each = |cells: &mut Cells, straight: bool, outcome: Outcome, how: usize| {
            cells[row(straight, outcome)][how] += 1;
        };
        self.sample(games, ctx, each, add_cells)
    }

    /// The wins of the first player as White and as Black.
    pub(super) fn wins_by_colour(&self, ctx: &Ctx) -> Result<[u64; 2], Stop> {
        let each = |wins: &mut [u64; 2], straight: bool, outcome: Outcome, _| {
            if row(straight, outcome) == 0 {
                wins[usize::from(!straight)] += 1;
            }
        };
        self.sample(self.games, ctx, each, |sum, part| (0..2).for_each(|i| sum[i] += part[i]))
    }
}

fn add_cells(sum: &mut Cells, part: Cells) {
    for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
        *sum += part;
    }
}

/// The row of a result: first player, second player, nobody.
fn row(straight: bool, outcome: Outcome) -> usize {
    match outcome.winner() {
        None => 2,
        Some(winner) => (winner as usize) ^ usize::from(!straight),
    }
}

fn column(game: &Tak, pos: &Position) -> usize {
    match game.end_reason(pos) {
        "road" => 0,
        "no stones" => 1,
        _ => 2,
    }
}

/// Distributes the numbers below `total` over the threads in batches; the sum does not depend on the distribution.
pub(super) fn parallel<T: Default + Send>(
    total: u64,
    ctx: &Ctx,
    add: impl Fn(&mut T, T) + Sync,
    work: impl Fn(u64, u64) -> T + Sync,
) -> Result<T, Stop> {
    let (next, sum) = (AtomicU64::new(0), Mutex::new(T::default()));
    let batch = BATCH.min(total.div_ceil(64)).max(1);
    std::thread::scope(|scope| {
        for _ in 0..ctx.threads() {
            scope.spawn(|| {
                while ctx.check().is_ok() {
                    let first = next.fetch_add(batch, Ordering::Relaxed);
                    if first >= total {
                        return;
                    }
                    let part = work(first, (first + batch).min(total));
                    if let Ok(mut sum) = sum.lock() {
                        add(&mut sum, part);
                    }
                    ctx.progress("playing", first.min(total), Some(total));
                }
            });
        }
    });
    ctx.check()?;
    Ok(sum.into_inner().unwrap_or_default())
}

/// The share of a row.
pub(super) fn share(cells: &Cells, row: usize) -> f64 {
    let total: u64 = cells.iter().flatten().sum();
    cells[row].iter().sum::<u64>() as f64 / total as f64
}

/// `42.287 % white, 38.751 % black, 18.962 % draws`.
pub(super) fn shares_text(cells: &Cells, [first, second]: [&str; 2]) -> String {
    let row = |(i, name): (usize, &str)| format!("{:.3} % {name}", 100.0 * share(cells, i));
    [first, second, "draws"].into_iter().enumerate().map(row).collect::<Vec<_>>().join(", ")
}

/// Every share with its interval.
fn intervals(cells: &Cells, [first, second]: [&str; 2]) -> String {
    let total: u64 = cells.iter().flatten().sum();
    let line = |(i, name): (usize, &str)| {
        let text = |n: u64| Share::new(n, total).text();
        let [road, stones, full] = cells[i].map(text);
        let road = if i == 2 { String::new() } else { format!("road {road} · ") };
        format!("{name}: {} · {road}no stones {stones} · board full {full}", text(cells[i].iter().sum()))
    };
    [first, second, "draws"].into_iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Recomputes a table.
pub(super) fn by_lot(lots: &Lots, whole: bool, _claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let theirs: u64 = lots.cells.iter().flatten().sum();
    let games = if whole { theirs } else { lots.games };
    let cells = lots.cells(games, ctx)?;
    let pairs = || cells.iter().flatten().zip(lots.cells.iter().flatten());
    let apart = pairs().map(|(&ours, &thesis)| two_share_z(ours, games, thesis, theirs).abs()).fold(0.0, f64::max);
    let verdict = if apart <= APART { Verdict::Agrees } else { Verdict::Disagrees };
    let weights = if lots.players.contains(&Player::Weighted) { "; the thesis does not give its weights" } else { "" };
    let note = format!(
        "{} games, seed {SEED}; the most distant share is {apart:.1} standard errors from the thesis's{weights}\n{}",
        grouped(games),
        intervals(&cells, lots.names())
    );
    Ok(Finding { computed: shares_text(&cells, lots.names()), verdict, note })
}

/// A table of games between searching players on 5×5.
pub(super) struct Match {
    /// The players.
    pub(super) players: [Player; 2],
    /// True if the rows are colours rather than players.
    pub(super) by_colour: bool,
    /// True if each side places an opposing stone first.
    pub(super) swap: bool,
}

impl Match {
    fn cells(&self, ctx: &Ctx) -> Result<Cells, Stop> {
        let (game, weights) = (Tak::new(5, 5).with_swap(self.swap), Tak::default_weights());
        parallel(GAMES, ctx, add_cells, |first, last| {
            let mut cells = Cells::default();
            let mut agents = self.players.map(|player| player.agent(&weights));
            for number in first..last {
                let straight = self.by_colour || number % 2 == 0;
                agents.iter_mut().enumerate().for_each(|(i, agent)| agent.begin(mix(SEED, &[number, i as u64])));
                let (outcome, how) = play(&game, &mut agents, straight, &ctx.with_own_count());
                cells[row(straight, outcome)][how] += 1;
            }
            cells
        })
    }
}

/// Plays one game; if the context stops it, the game is not counted.
fn play(game: &Tak, agents: &mut [Box<dyn Agent<Tak>>; 2], straight: bool, ctx: &Ctx) -> (Outcome, usize) {
    let mut pos = game.start();
    for _ in 0..MOST_PLIES {
        if let Some(outcome) = game.outcome(&pos) {
            return (outcome, column(game, &pos));
        }
        let seat = (game.turn(&pos) as usize) ^ usize::from(!straight);
        match agents[seat].choose(game, &pos, ctx) {
            Ok(mv) => game.play(&mut pos, mv),
            Err(_) => break,
        };
    }
    (Outcome::Draw, 2)
}

/// Recomputes such a table and compares the share of the first row.
pub(super) fn by_players(table: &Match, claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let cells = table.cells(ctx)?;
    let names = if table.by_colour { ["white", "black"] } else { table.players.map(Player::name) };
    let first = Share::new(cells[0].iter().sum(), GAMES);
    let theirs = claimed.trim_end_matches(" %").parse::<f64>().unwrap_or(f64::NAN) / 100.0;
    // The published share is rounded to a tenth of a per cent, of an unknown number of games.
    let inside = first.interval[0] - 0.0005 <= theirs && theirs <= first.interval[1] + 0.0005;
    let verdict = if inside { Verdict::Agrees } else { Verdict::Disagrees };
    let note = format!(
        "{GAMES} games, seed {SEED}; Monte Carlo with {MC_PLAYOUTS} playouts of each move, MCTS with {TREE_PLAYOUTS}, \
         negamax with {NEGAMAX_NODES} nodes; the thesis gives neither its weights and evaluation nor its number of games\n{}",
        intervals(&cells, names)
    );
    Ok(Finding { computed: first.text(), verdict, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_do_not_depend_on_threads() {
        let lots =
            Lots { cells: Cells::default(), size: 3, players: [Player::Uniform, Player::Weighted], games: 3_000 };
        let run = |threads| lots.cells(3_000, &Ctx::default().with_threads(threads)).unwrap();
        let one = run(1);
        assert_eq!(one, run(3));
        assert_eq!(one.iter().flatten().sum::<u64>(), 3_000);
        // The weighted player wins by a large margin.
        assert!(share(&one, 1) > 0.7, "{one:?}");
    }
}
