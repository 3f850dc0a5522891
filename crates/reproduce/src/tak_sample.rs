//! Parallel games of Tak between players, counted by winner and reason.

use super::{Finding, Verdict};
use agon_arena::plan::mix;
use agon_arena::statistics::{Share, two_share_z};
use agon_core::{Ctx, Evaluate, Game, Notation, Outcome, Rng, Stop};
use agon_games::tak::{Position, Tak};
use agon_play::{Agent, Limits, MonteCarlo, Playouts, mcts, negamax};
use agon_report::failure::Failure;
use agon_report::words::grouped;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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
    /// MCTS with weighted playouts and the usual formula of UCT.
    MctsUct,
    /// Alpha-beta search.
    Negamax,
    /// Alpha-beta search with the four factors that the thesis names as its evaluation.
    FourFactors,
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Uniform => "random",
            Player::Weighted => "weighted",
            Player::Mc => "Monte Carlo",
            Player::Mcts => "MCTS",
            Player::MctsUniform => "MCTS with random playouts",
            Player::MctsUct => "MCTS with UCT's formula",
            Player::Negamax => "negamax",
            Player::FourFactors => "negamax by four factors",
        }
    }

    /// A random move.
    fn draw(self, game: &Tak, pos: &Position, weights: &[f64], rng: &mut Rng) -> Option<agon_games::tak::Move> {
        if self == Player::Uniform { game.random_move(pos, rng) } else { game.weighted_move(pos, weights, rng) }
    }

    /// The player as the thesis describes it: equation 5.1, no proofs, a new tree for every move, and a win worth more
    /// than two draws.
    fn agent(self, work: Work) -> Box<dyn Agent<Tak>> {
        let limits = |nodes: u64| Limits { nodes: (work == Work::Counted).then_some(nodes), depth: None };
        let playouts = |weighted: bool| Playouts {
            weights: weighted.then(Tak::default_weights),
            win: WIN_POINTS,
            ..Playouts::default()
        };
        let tree = |weighted, formula| {
            let settings = mcts::Settings {
                limits: limits(TREE_PLAYOUTS),
                playouts: playouts(weighted),
                formula,
                solver: false,
                reuse: false,
                memory: 64 << 20,
                ..mcts::Settings::default()
            };
            Box::new(agon_play::Mcts::new(settings, 0))
        };
        let rng = Rng::new(0);
        match self {
            Player::Uniform => Box::new(agon_play::Random(rng)),
            Player::Weighted => Box::new(agon_play::Weighted { weights: Tak::default_weights(), rng }),
            Player::Mc => {
                Box::new(MonteCarlo { limits: limits(MC_PLAYOUTS), playouts: playouts(true), solver: false, rng })
            }
            Player::Mcts => tree(true, mcts::Formula::Inverse),
            Player::MctsUniform => tree(false, mcts::Formula::Inverse),
            Player::MctsUct => tree(true, mcts::Formula::Uct),
            Player::Negamax | Player::FourFactors => {
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

/// The work per move of searching players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// A fixed number of playouts or nodes, far less than a second.
    Counted,
    /// A second, as in the thesis.
    Second,
}

const MC_PLAYOUTS: u64 = 40;
const TREE_PLAYOUTS: u64 = 1_600;
const NEGAMAX_NODES: u64 = 10_000;

/// The points of a win, where a draw has one.
const WIN_POINTS: u32 = 3;

/// The number of games between searching players.
const GAMES: u64 = 40;

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
    /// The weights of the weighted player.
    pub(super) weights: Weights,
}

/// The weights of the weighted player, which the thesis does not print.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Weights {
    /// agon's default: a flat counts three times a wall, and more on an empty board, as the text says.
    Text,
    /// A flat counts ten times a wall throughout: close to the tables.
    RareWalls,
    /// These, in the order of `Tak::default_weights`.
    These([f64; 6]),
}

impl Weights {
    /// In the order of `Tak::default_weights`: flat, wall, cap, place, early, slide.
    fn values(self) -> Vec<f64> {
        match self {
            Weights::Text => Tak::default_weights(),
            Weights::RareWalls => vec![10.0, 1.0, 3.0, 1.0, 0.0, 4.0],
            Weights::These(weights) => weights.to_vec(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Weights::Text => "flats three times walls and more on an empty board, as the text says",
            Weights::RareWalls => "flats ten times walls throughout, slides 4, capstones 3",
            Weights::These(_) => "those of one reading",
        }
    }
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
        let (game, weights) = (Tak::new(self.size, self.size), self.weights.values());
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

    /// Plays games; returns the distance of the nine shares from the thesis's in points, and that of the most distant
    /// share in standard errors.
    pub(super) fn distance(&self, games: u64, ctx: &Ctx) -> Result<(f64, f64), Stop> {
        let cells = self.cells(games, ctx)?;
        Ok((distance(&cells, &self.cells), self.most_distant(&cells, games)))
    }

    /// The standard errors between the most distant of the nine shares and the thesis's.
    fn most_distant(&self, cells: &Cells, games: u64) -> f64 {
        let theirs: u64 = self.cells.iter().flatten().sum();
        let pairs = cells.iter().flatten().zip(self.cells.iter().flatten());
        pairs.map(|(&ours, &thesis)| two_share_z(ours, games, thesis, theirs).abs()).fold(0.0, f64::max)
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
    let sum = Mutex::new(T::default());
    let batch = BATCH.min(total.div_ceil(64)).max(1);
    ctx.for_each(total.div_ceil(batch), |number| {
        ctx.check()?;
        let first = number * batch;
        let part = work(first, (first + batch).min(total));
        add(&mut sum.lock().unwrap_or_else(PoisonError::into_inner), part);
        ctx.progress("playing", first, Some(total));
        Ok(())
    })?;
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
    let apart = lots.most_distant(&cells, games);
    let verdict = if apart <= APART { Verdict::Agrees } else { Verdict::Disagrees };
    let weights = if lots.players.contains(&Player::Weighted) {
        let other = if lots.weights == Weights::Text { Weights::RareWalls } else { Weights::Text };
        let sample = games.min(lots.games);
        let (points, _) = Lots { weights: other, ..*lots }.distance(sample, ctx)?;
        format!(
            ". The thesis does not print its weights, so they are what varies: these are {}; with {} the nine shares are \
             {points:.2} points away ({} games)",
            lots.weights.words(),
            other.words(),
            grouped(sample)
        )
    } else {
        String::new()
    };
    let note = format!(
        "{} games, seed {SEED}; the most distant share is {apart:.1} standard errors from the thesis's, all nine are \
         {:.2} points from them{weights}\n{}",
        grouped(games),
        distance(&cells, &lots.cells),
        intervals(&cells, lots.names())
    );
    Ok(Finding { computed: shares_text(&cells, lots.names()), verdict, note })
}

/// The root of the summed squares of the differences between nine shares, in points.
fn distance(ours: &Cells, theirs: &Cells) -> f64 {
    let shares = |cells: &Cells| {
        let total: u64 = cells.iter().flatten().sum();
        cells.iter().flatten().map(|&n| 100.0 * n as f64 / total as f64).collect::<Vec<_>>()
    };
    let squares = shares(ours).into_iter().zip(shares(theirs)).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
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
    fn cells(&self, work: Work, count: u64, ctx: &Ctx) -> Result<Cells, Stop> {
        let game = Tak::new(5, 5).with_swap(self.swap);
        // The game as each player evaluates it.
        let games = self.players.map(|player| match player {
            Player::FourFactors => game.with_evaluation("four-factors").expect("Tak has it"),
            _ => game.clone(),
        });
        parallel(count, ctx, add_cells, |first, last| {
            let mut cells = Cells::default();
            let mut agents = self.players.map(|player| player.agent(work));
            for number in first..last {
                let straight = self.by_colour || number % 2 == 0;
                agents.iter_mut().enumerate().for_each(|(i, agent)| agent.begin(mix(SEED, &[number, i as u64])));
                let (outcome, how) = play(&games, &mut agents, straight, work, ctx);
                cells[row(straight, outcome)][how] += 1;
            }
            cells
        })
    }
}

/// Plays one game; if the context stops it, the game is not counted.
fn play(
    games: &[Tak; 2],
    agents: &mut [Box<dyn Agent<Tak>>; 2],
    straight: bool,
    work: Work,
    ctx: &Ctx,
) -> (Outcome, usize) {
    let game = &games[0];
    let mut pos = game.start();
    for _ in 0..MOST_PLIES {
        if let Some(outcome) = game.outcome(&pos) {
            return (outcome, column(game, &pos));
        }
        let seat = (game.turn(&pos) as usize) ^ usize::from(!straight);
        let own = match work {
            Work::Counted => ctx.with_own_count(),
            Work::Second => ctx.with_own_count().within(Duration::from_secs(1)),
        };
        match agents[seat].choose(&games[seat], &pos, &own) {
            Ok(mv) => game.play(&mut pos, mv),
            Err(_) => break,
        };
    }
    (Outcome::Draw, 2)
}

/// Plays such a table; returns the share of the first row, and a note.
fn played(table: &Match, work: Work, count: u64, ctx: &Ctx) -> Result<(Share, String), Stop> {
    let cells = table.cells(work, count, ctx)?;
    let names = if table.by_colour { ["white", "black"] } else { table.players.map(Player::name) };
    let effort = match work {
        Work::Counted => format!(
            "Monte Carlo with {MC_PLAYOUTS} playouts of each move, MCTS with {TREE_PLAYOUTS} playouts, negamax with \
             {NEGAMAX_NODES} nodes"
        ),
        Work::Second => "one second a move".to_string(),
    };
    let note = format!(
        "{count} games, seed {SEED}; {effort}; equation 5.1 unless another formula is named, no proofs, a new tree for every \
         move, a win worth three draws; the thesis gives neither its weights and evaluation nor its number of games\n{}",
        intervals(&cells, names)
    );
    Ok((Share::new(cells[0].iter().sum(), count), note))
}

/// Recomputes such a table and compares the share of the first row.
pub(super) fn by_players(table: &Match, work: Work, claimed: &str, ctx: &Ctx) -> Result<Finding, Failure> {
    let (first, note) = played(table, work, GAMES, ctx)?;
    let theirs = claimed.trim_end_matches(" %").parse::<f64>().unwrap_or(f64::NAN) / 100.0;
    // The published share is rounded to a tenth of a per cent, of an unknown number of games.
    let inside = first.interval[0] - 0.0005 <= theirs && theirs <= first.interval[1] + 0.0005;
    let verdict = if inside { Verdict::Agrees } else { Verdict::Disagrees };
    Ok(Finding { computed: first.text(), verdict, note })
}

/// Recomputes the claim that the first player is better than the second.
pub(super) fn better(table: &Match, count: u64, ctx: &Ctx) -> Result<Finding, Failure> {
    let (first, note) = played(table, Work::Counted, count, ctx)?;
    let verdict = if first.interval[0] > 0.5 { Verdict::Agrees } else { Verdict::Disagrees };
    Ok(Finding { computed: first.text(), verdict, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_do_not_depend_on_threads() {
        let lots = Lots {
            cells: Cells::default(),
            size: 3,
            players: [Player::Uniform, Player::Weighted],
            games: 3_000,
            weights: Weights::Text,
        };
        let run = |threads| lots.cells(3_000, &Ctx::default().with_threads(threads)).unwrap();
        let one = run(1);
        assert_eq!(one, run(3));
        assert_eq!(one.iter().flatten().sum::<u64>(), 3_000);
        // The weighted player wins by a large margin.
        assert!(share(&one, 1) > 0.7, "{one:?}");
    }
}
