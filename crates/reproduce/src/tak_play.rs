//! Document 004: zugzwang, and statistics of random games.

use super::{Finding, Item, Verdict, item};
use agon_core::{Ctx, Family, Game, Notation, Outcome, Player, Rng, Symmetric, Wdl, collect_moves};
use agon_games::tak::branching::{RandomGames, random_games};
use agon_games::tak::{Position, Tak};
use agon_report::failure::Failure;
use agon_solve::forced;
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(super) static ITEMS: &[Item] = &[
    item(
        "004/zugzwang-2x3",
        "Beljaards, Figure 4.7",
        "On 2×3 the side to move loses: to the flat count if it places a capstone, to a horizontal road if it moves one",
        "White to move loses, Black to move loses",
        "a position after the words of the caption, solved; every move and what refutes it",
        Verdict::Reproduced,
        mutual,
    ),
    item(
        "004/zugzwang-8x8",
        "Beljaards, Figure 4.8",
        "A position of 8×8 in which having the move is a disadvantage",
        "White to move loses, Black to move draws",
        "a position made for the purpose, as the text gives no other clue; solved",
        Verdict::Reproduced,
        eight,
    ),
    item(
        "004/similar-states",
        "Beljaards, section 4.2.3",
        "Similar states come in groups of 1 to 8 on square boards and 1 to 4 on others; with the turn and all colours swapped, in \
         groups up to twice as large that play out alike",
        "3×3: 1 2 4 8; 3×4: 1 2 4; with colours twice as large, and alike",
        "every position within three plies; positions of random games, their moves for two plies, and who wins",
        Verdict::Reproduced,
        similar,
    ),
    item(
        "004/random-games",
        "Beljaards, Tables 6.1 to 6.3",
        "Games won by White when both sides choose among all legal moves at random: 3×3, 5×5, 8×8",
        "42.29 % 43.93 % 45.27 %",
        "random games with seed 1; the intervals hold the true share 99 times in 100",
        Verdict::Agrees,
        random,
    ),
];

/// Each capstone stands on a stone of its own colour; the middle row is free.
const MUTUAL: (&str, &str) = ("tak:2x3,flats=2,caps=4", "11C,22C/x2/22C,11C");

/// There are two free squares next to Black's capstone; White's stones can only move by uncovering Black's. White has
/// two capstones in reserve, Black one.
const EIGHT: (&str, &str) = (
    "tak:8",
    "1S,1S,1S,1S,1S,222222221S,x,222222221S/1S,1S,1S,1S,1S,211S,222222222C,x/1S,1S,1S,1S,1S,1S,211S,222222221S/\
     2S,2S,2S,2S,2S,2S,2S,2S/2S,2S,2S,2S,2S,2S,2S,2S/1S,1S,1S,1S,1S,1S,1S,1S/1S,1S,1S,1S,1S,1S,1S,1S/\
     11S,11S,11S,1S,1S,1S,1S,1S",
);

/// The two positions, and their values in words.
fn both_ways((spelling, board): (&str, &str), ctx: &Ctx) -> Result<(String, Tak, [Position; 2]), Failure> {
    let game = Tak::from_spelling(spelling)?.0;
    let positions = [game.parse(&format!("{board} 1 60"))?, game.parse(&format!("{board} 2 60"))?];
    let mut words = Vec::new();
    for (name, pos) in ["White", "Black"].iter().zip(&positions) {
        let solution = forced::solve(&game, pos, 12, 1 << 24, ctx).solution;
        let verb = match solution.value.value() {
            Some(Wdl::Win) => "wins",
            Some(Wdl::Draw) => "draws",
            Some(Wdl::Loss) => "loses",
            None => "is not decided",
        };
        words.push(format!("{name} to move {verb}"));
    }
    Ok((words.join(", "), game, positions))
}

fn mutual(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (computed, game, positions) = both_ways(MUTUAL, ctx)?;
    let as_told = positions.iter().all(|pos| refuted_as_told(&game, pos));
    let told = if as_told {
        "after every capstone placed the reply wins by flats, after every capstone moved by a road from left to right"
    } else {
        "the refutations are not those of the caption"
    };
    let note = format!("{}, {} with either side to move: {told}", MUTUAL.0, MUTUAL.1);
    Ok(Finding::compare(claimed, if as_told { computed } else { told.to_string() }, note))
}

/// Returns whether every placement loses by flats at the next ply, and every slide by a horizontal road.
fn refuted_as_told(game: &Tak, pos: &Position) -> bool {
    let mover = game.turn(pos);
    let wins = |end: &Position| game.outcome(end) == Some(Outcome::Win(mover.other()));
    collect_moves(game, pos).into_iter().all(|mv| {
        let after = game.after(pos, mv);
        collect_moves(game, &after).into_iter().any(|reply| {
            let end = game.after(&after, reply);
            let (across, upright) = game.road_ways(&end, mover.other());
            wins(&end) && if mv.piece().is_some() { !across && !upright } else { across }
        })
    })
}

fn eight(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (computed, ..) = both_ways(EIGHT, ctx)?;
    let note = format!(
        "{} with either side to move: White must fill one free square with a capstone or uncover a black stone, and \
         Black fills the other, uncovering one; Black can end the game level, and White answers anything else",
        EIGHT.1
    );
    Ok(Finding::compare(claimed, computed, note))
}

/// The sizes of the orbits of all positions within three plies.
fn orbit_sizes(game: &Tak) -> BTreeSet<usize> {
    let (mut sizes, mut level) = (BTreeSet::new(), BTreeSet::from([game.start()]));
    for _ in 0..=3 {
        sizes.extend(level.iter().map(|pos| game.order() / game.stabiliser(pos).len()));
        let after = |pos: &Position| {
            let all = collect_moves(game, pos).into_iter().map(|mv| game.canonical(&game.after(pos, mv)).0);
            all.collect::<Vec<_>>()
        };
        level = level.iter().flat_map(after).collect();
    }
    sizes
}

/// The position with the turn and the colours of all pieces swapped.
fn swapped(game: &Tak, pos: &Position) -> Result<Position, Failure> {
    let text = game.show(pos);
    let mut words = text.split([' ', '_']);
    let mut next = || words.next().unwrap_or_default();
    let (board, turn, number) = (next(), next(), next());
    let other = |square: &str| -> String {
        // The number after an `x` counts empty squares.
        let colour = |c: char| match c {
            '1' => '2',
            '2' => '1',
            other => other,
        };
        if square.starts_with('x') { square.to_string() } else { square.chars().map(colour).collect() }
    };
    let row = |row: &str| row.split(',').map(other).collect::<Vec<_>>().join(",");
    let board: Vec<String> = board.split('/').map(row).collect();
    let turn = if turn == "1" { "2" } else { "1" };
    Ok(game.parse(&format!("{} {turn} {number}", board.join("/")))?)
}

/// Random games whose positions are swapped.
const SWAPPED: u64 = 20;

fn similar(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let listed = |game: &Tak| orbit_sizes(game).iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let (square, other) = (listed(&Tak::new(3, 3)), listed(&Tak::new(3, 4)));
    let game = Tak::new(4, 4);
    let (mut compared, mut alike, mut twice) = (0, true, false);
    let mut rng = Rng::new(1);
    for _ in 0..SWAPPED {
        let mut pos = game.start();
        for ply in 0.. {
            let Some(mv) = game.random_move(&pos, &mut rng) else { break };
            game.play(&mut pos, mv);
            // The first two plies place the opponent's stones.
            if ply < 2 || ply % 5 != 0 {
                continue;
            }
            let mirror = swapped(&game, &pos)?;
            let counts = |pos: &Position| agon_solve::perft::perft(&game, pos, 2, ctx);
            let winner = |pos: &Position| game.outcome(pos).map(Outcome::winner);
            compared += 1;
            alike &= counts(&pos)? == counts(&mirror)?;
            alike &= winner(&pos) == winner(&mirror).map(|winner| winner.map(Player::other));
            twice |= game.canonical(&pos).0 != game.canonical(&mirror).0;
        }
    }
    let colours = if alike && twice { "twice as large, and alike" } else { "not alike" };
    let computed = format!("3×3: {square}; 3×4: {other}; with colours {colours}");
    let note =
        format!("{compared} positions of random games on 4×4 compared with their swapped ones, after the first round");
    Ok(Finding::compare(claimed, computed, note))
}

/// The sizes, and the number of games for each.
const SAMPLES: [(usize, u64); 6] = [(3, 40_000), (4, 20_000), (5, 10_000), (6, 4000), (7, 2000), (8, 2000)];

/// Half the width of a 99 % confidence interval, in standard errors.
const WIDTH: f64 = 2.576;

fn random(ctx: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (mut shares, mut note) =
        (Vec::new(), String::from("size  games  plies  moves to choose from  most  White  Black  draws"));
    let mut agree = true;
    let mut printed = claimed.split(' ').filter_map(|word| word.parse::<f64>().ok());
    for (n, games) in SAMPLES {
        ctx.check()?;
        let RandomGames { plies, moves, most, won } = random_games(&Tak::new(n, n), games, &mut Rng::new(1));
        let share = |side: Option<Player>| 100.0 * won[side.map_or(2, |side| side as usize)] as f64 / games as f64;
        let _ = write!(
            note,
            "\n{n}×{n}  {games}  {:.1} ± {:.1}  {:.1} ± {:.1}  {most}  {:.1} %  {:.1} %  {:.1} %",
            plies.mean(),
            WIDTH * plies.error(),
            moves.mean(),
            WIDTH * moves.error(),
            share(Some(Player::First)),
            share(Some(Player::Second)),
            share(None)
        );
        if matches!(n, 3 | 5 | 8) {
            let (found, told) = (share(Some(Player::First)), printed.next().unwrap_or(0.0));
            let error = (told * (100.0 - told) / games as f64).sqrt();
            agree &= (found - told).abs() < WIDTH * error;
            shares.push(format!("{found:.2} %"));
        }
    }
    note.push_str("\nplies of a game, and moves to choose from averaged over a game, with 99 % intervals; seed 1");
    let verdict = if agree { Verdict::Agrees } else { Verdict::Disagrees };
    Ok(Finding { computed: shares.join(" "), verdict, note })
}
