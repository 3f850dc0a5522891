//! Document 004: Beljaards on Tak, chapter 6: games between players, counted by result and reason.

use super::tak_sample::{Cells, Lots, Match, Player, Weights, Work, better, by_lot, by_players, share};
use super::{Finding, Item, Verdict, item};
use Player::{FourFactors, Mc, Mcts, MctsUct, MctsUniform, Negamax, Uniform, Weighted};
use agon_arena::statistics::{Share, two_share_z};
use agon_core::Ctx;
use agon_report::failure::Failure;

const COLOURS: &str = "Beljaards, section 6.1";
const LOTS: &str = "Beljaards, section 6.2";
const AGENTS: &str = "Beljaards, section 6.3";

const RANDOM_GAMES: &str = "random games with a fixed seed; each share by end reason against the thesis's, 3.5 standard \
                      errors apart at most";
const BY_PLAYERS: &str = "40 games between the thesis's players, a fixed number of playouts or nodes a move instead of a \
                          second, a fixed seed; the thesis's share of the player named first against Wilson's interval";
const BY_PLAYERS_IN_SECONDS: &str = "40 games between the thesis's players, a second a move, a fixed seed; the thesis's \
                                     share of the player named first against Wilson's interval";
const ARITHMETIC: &str = "arithmetic on the thesis's tables";

// Wins of the first player, wins of the second and draws, each by road, by lack of stones and by full board.
const T61: Cells = [[14_683_548, 580_667, 27_022_693], [12_367_916, 533_352, 25_849_888], [0, 356_237, 18_605_699]];
const T62: Cells = [[652_193, 2_643_812, 1_096_845], [615_459, 2_559_404, 1_079_452], [0, 951_071, 401_764]];
const T63: Cells = [[1_926, 449_634, 1_125], [1_915, 442_742, 1_198], [0, 101_219, 241]];
const T64: Cells = [[47_136_188, 36_875, 9_355_120], [31_592_135, 32_692, 5_672_140], [0, 19_376, 6_155_474]];
const T65: Cells = [[4_282_157, 386_955, 476_519], [3_783_384, 364_408, 428_010], [0, 110_622, 167_945]];
const T66: Cells = [[277_620, 215_554, 906], [260_979, 208_323, 897], [0, 35_565, 156]];
const T610: Cells = [[6_552_230, 48_894, 1_718_368], [68_859_703, 920_284, 18_216_625], [0, 116_287, 3_567_609]];
const T611: Cells = [[113_537, 39_466, 5_567], [6_998_436, 2_441_512, 342_485], [0, 51_988, 7_009]];
const T612: Cells = [[177, 103, 0], [436_416, 563_180, 17], [0, 107, 0]];

const L61: Lots = Lots { cells: T61, size: 3, players: [Uniform, Uniform], games: 1_000_000, weights: Weights::Text };
const L62: Lots = Lots { cells: T62, size: 5, players: [Uniform, Uniform], games: 100_000, weights: Weights::Text };
const L63: Lots = Lots { cells: T63, size: 8, players: [Uniform, Uniform], games: 10_000, weights: Weights::Text };
const L64: Lots = Lots { cells: T64, size: 3, players: [Weighted, Weighted], games: 1_000_000, weights: Weights::Text };
const L65: Lots = Lots { cells: T65, size: 5, players: [Weighted, Weighted], games: 100_000, weights: Weights::Text };
const L66: Lots = Lots { cells: T66, size: 8, players: [Weighted, Weighted], games: 10_000, weights: Weights::Text };
const L610: Lots =
    Lots { cells: T610, size: 3, players: [Uniform, Weighted], games: 1_000_000, weights: Weights::Text };
const L611: Lots = Lots { cells: T611, size: 5, players: [Uniform, Weighted], games: 100_000, weights: Weights::Text };
const L612: Lots = Lots { cells: T612, size: 8, players: [Uniform, Weighted], games: 10_000, weights: Weights::Text };

/// The tables of the weighted random player.
pub(super) const SIX: [Lots; 6] = [L64, L65, L66, L610, L611, L612];

/// A table of games between random players.
const fn random(
    id: &'static str,
    source: &'static str,
    claim: &'static str,
    claimed: &'static str,
    agrees: bool,
    run: Run,
) -> Item {
    let expected = if agrees { Verdict::Agrees } else { Verdict::Disagrees };
    item(id, source, claim, claimed, RANDOM_GAMES, expected, run)
}

/// Tables of random games, each with the default number of games and with that of the thesis; the same with rare walls;
/// tables of games between searching players, each with counted work and with a second a move; then other items.
macro_rules! items {
    ($($id:literal, $source:ident, $claim:literal, $claimed:literal, $agrees:literal, $lots:ident;)* =>
     $($rare_id:literal, $rare_source:ident, $rare_claim:literal, $rare_claimed:literal, $rare:ident;)* =>
     $($match_id:literal, $match_source:ident, $match_claim:literal, $match_claimed:literal, $match_agrees:literal, $table:expr;)* =>
     $($other:expr,)*) => {
        &[
            $(random($id, $source, $claim, $claimed, $agrees, |ctx, c| by_lot(&$lots, false, c, ctx)),)*
            $(Item {
                slow: true,
                ..random(concat!($id, "-full"), $source, $claim, $claimed, $agrees, |ctx, c| by_lot(&$lots, true, c, ctx))
            },)*
            $(random($rare_id, $rare_source, $rare_claim, $rare_claimed, false, |ctx, c| {
                by_lot(&Lots { weights: Weights::RareWalls, ..$rare }, false, c, ctx)
            }),)*
            $(searching($match_id, $match_source, $match_claim, $match_claimed, $match_agrees, |ctx, c| {
                by_players(&$table, Work::Counted, c, ctx)
            }),)*
            $(Item {
                slow: true,
                how: BY_PLAYERS_IN_SECONDS,
                ..searching(concat!($match_id, "-full"), $match_source, $match_claim, $match_claimed, $match_agrees, |ctx, c| {
                    by_players(&$table, Work::Second, c, ctx)
                })
            },)*
            $($other,)*
        ]
    };
}

/// A table of games between searching players.
const fn searching(
    id: &'static str,
    source: &'static str,
    claim: &'static str,
    claimed: &'static str,
    agrees: bool,
    run: Run,
) -> Item {
    Item { how: BY_PLAYERS, ..random(id, source, claim, claimed, agrees, run) }
}

type Run = fn(&Ctx, &str) -> Result<Finding, Failure>;

pub(super) static ITEMS: &[Item] = items![
    "004/table-6.1", COLOURS, "Random players on 3×3", "42.287 % white, 38.751 % black, 18.962 % draws", true, L61;
    "004/table-6.2", COLOURS, "Random players on 5×5", "43.928 % white, 42.543 % black, 13.528 % draws", true, L62;
    "004/table-6.3", COLOURS, "Random players on 8×8", "45.269 % white, 44.586 % black, 10.146 % draws", true, L63;
    "004/table-6.4", COLOURS, "Weighted random players on 3×3", "56.528 % white, 37.297 % black, 6.175 % draws", false, L64;
    "004/table-6.5", COLOURS, "Weighted random players on 5×5", "51.456 % white, 45.758 % black, 2.786 % draws", false, L65;
    "004/table-6.6", COLOURS, "Weighted random players on 8×8", "49.408 % white, 47.020 % black, 3.572 % draws", false, L66;
    "004/table-6.10", LOTS, "Random against weighted on 3×3", "8.319 % random, 87.997 % weighted, 3.684 % draws", false, L610;
    "004/table-6.11", LOTS, "Random against weighted on 5×5", "1.586 % random, 97.824 % weighted, 0.590 % draws", false, L611;
    "004/table-6.12", LOTS, "Random against weighted on 8×8", "0.028 % random, 99.961 % weighted, 0.011 % draws", false, L612;
    =>
    "004/table-6.4-rare-walls", COLOURS, "Weighted random players on 3×3, walls read as rare", "56.528 % white, 37.297 % black, 6.175 % draws", L64;
    "004/table-6.5-rare-walls", COLOURS, "Weighted random players on 5×5, walls read as rare", "51.456 % white, 45.758 % black, 2.786 % draws", L65;
    "004/table-6.6-rare-walls", COLOURS, "Weighted random players on 8×8, walls read as rare", "49.408 % white, 47.020 % black, 3.572 % draws", L66;
    "004/table-6.10-rare-walls", LOTS, "Random against weighted on 3×3, walls read as rare", "8.319 % random, 87.997 % weighted, 3.684 % draws", L610;
    "004/table-6.11-rare-walls", LOTS, "Random against weighted on 5×5, walls read as rare", "1.586 % random, 97.824 % weighted, 0.590 % draws", L611;
    "004/table-6.12-rare-walls", LOTS, "Random against weighted on 8×8, walls read as rare", "0.028 % random, 99.961 % weighted, 0.011 % draws", L612;
    =>
    "004/table-6.7", COLOURS, "White's share, Monte Carlo on 5×5", "59.8 %", true,
        Match { players: [Mc, Mc], by_colour: true, swap: true };
    "004/table-6.8", COLOURS, "White's share, MCTS on 5×5", "63.6 %", true,
        Match { players: [Mcts, Mcts], by_colour: true, swap: true };
    "004/table-6.9", COLOURS, "White's share, MCTS on 5×5, each side places its own stones first", "66.2 %", true,
        Match { players: [Mcts, Mcts], by_colour: true, swap: false };
    "004/table-6.13", LOTS, "MCTS with random playouts against weighted ones", "8.6 %", true,
        Match { players: [MctsUniform, Mcts], by_colour: false, swap: true };
    "004/table-6.14", AGENTS, "Weighted random against Monte Carlo", "0.2 %", true,
        Match { players: [Weighted, Mc], by_colour: false, swap: true };
    "004/table-6.15", AGENTS, "Monte Carlo against MCTS", "20.2 %", true,
        Match { players: [Mc, Mcts], by_colour: false, swap: true };
    "004/table-6.16", AGENTS, "Monte Carlo against negamax", "0.7 %", true,
        Match { players: [Mc, Negamax], by_colour: false, swap: true };
    "004/table-6.17", AGENTS, "MCTS against negamax", "3.9 %", true,
        Match { players: [Mcts, Negamax], by_colour: false, swap: true };
    "004/table-6.16-four-factors", AGENTS, "Monte Carlo against negamax by the four factors that the thesis names", "0.7 %", true,
        Match { players: [Mc, FourFactors], by_colour: false, swap: true };
    "004/table-6.17-four-factors", AGENTS, "MCTS against negamax by the four factors that the thesis names", "3.9 %", true,
        Match { players: [Mcts, FourFactors], by_colour: false, swap: true };
    =>
    item(
        "004/formula-5.1",
        "Beljaards, section 5.4",
        "MCTS with equation 5.1 plays better than with the standard formula of UCT",
        "better",
        "100 games, the same number of playouts a move, a fixed seed; Wilson's interval lies above one half",
        Verdict::Agrees,
        |ctx, _| better(&Match { players: [Mcts, MctsUct], by_colour: false, swap: true }, 100, ctx),
    ),
    item(
        "004/evaluation",
        "Beljaards, sections 5.3 and 7",
        "An evaluation that detects partial roads and road threats plays better than pieces, area, stacks and mobility alone",
        "better",
        "40 games of negamax with agon's evaluation against negamax by the four factors, as many nodes a move, a fixed seed; \
         Wilson's interval lies above one half",
        Verdict::Agrees,
        |ctx, _| better(&Match { players: [Negamax, FourFactors], by_colour: false, swap: true }, 40, ctx),
    ),
    item(
        "004/swap-effect",
        COLOURS,
        "Placing an opponent's stone first narrows the gap between the colours (Tables 6.8 and 6.9)",
        "by 2.6 points",
        ARITHMETIC,
        Verdict::Corrected,
        swap_effect,
    ),
    item(
        "004/draws-by-size",
        COLOURS,
        "Draws become rarer on larger boards",
        "falls 3×3 to 5×5 to 8×8, for random and for weighted players",
        ARITHMETIC,
        Verdict::Corrected,
        draws_by_size,
    ),
    item(
        "004/fewer-draws-weighted",
        COLOURS,
        "Weighted random players draw less often than random ones",
        "on 3×3, 5×5 and 8×8",
        ARITHMETIC,
        Verdict::Reproduced,
        fewer_draws,
    ),
    item(
        "004/gap-by-size",
        COLOURS,
        "The gap between the colours narrows on larger boards",
        "falls 3×3 to 5×5 to 8×8, for random and for weighted players",
        ARITHMETIC,
        Verdict::Reproduced,
        gap_by_size,
    ),
    item(
        "004/white-gains-with-skill",
        COLOURS,
        "White's share grows when both players are better",
        "random < weighted random on 3×3, 5×5 and 8×8; weighted random < Monte Carlo < MCTS on 5×5",
        ARITHMETIC,
        Verdict::Reproduced,
        white_gains,
    ),
    item(
        "004/random-fades-with-size",
        LOTS,
        "The random player beats the weighted one less often on larger boards",
        "falls 3×3 to 5×5 to 8×8",
        ARITHMETIC,
        Verdict::Reproduced,
        random_fades,
    ),
    item(
        "004/random-wins-as-white",
        LOTS,
        "Most wins of the random player against the weighted one are as White",
        "more than half",
        "200,000 random games on 3×3, a fixed seed; Wilson's interval lies above one half",
        Verdict::Agrees,
        random_wins_as_white,
    ),
];

/// Returns whether an item plays too many games for a test, which then uses a smaller sample.
#[cfg(test)]
pub(super) fn is_long(id: &str) -> bool {
    id.starts_with("004/table-6") || ["004/formula-5.1", "004/evaluation"].contains(&id)
}

fn swap_effect(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    // The unit is a tenth of a per cent.
    let (with, without) = ([636, 364], [662, 337]);
    let gap = |[white, black]: [i32; 2]| white - black;
    let fall = gap(without) - gap(with);
    let note = format!(
        "the gap is {:.1} points with the rule and {:.1} without; {:.1} points is what White's share alone loses",
        f64::from(gap(with)) / 10.0,
        f64::from(gap(without)) / 10.0,
        f64::from(without[0] - with[0]) / 10.0
    );
    Ok(Finding::compare(claimed, format!("by {:.1} points", f64::from(fall) / 10.0), note).corrected_if(fall == 53))
}

/// Three shares, in per cent.
fn three(tables: [&Cells; 3], of: impl Fn(&Cells) -> f64) -> [f64; 3] {
    tables.map(|cells| 100.0 * of(cells))
}

fn listed(shares: [f64; 3]) -> String {
    shares.map(|x| format!("{x:.2} %")).join(", ")
}

fn falls(shares: [f64; 3]) -> bool {
    shares[0] > shares[1] && shares[1] > shares[2]
}

/// `falls 3×3 to 5×5 to 8×8`, or the step at which it does not.
fn course(shares: [f64; 3]) -> &'static str {
    match (shares[0] > shares[1], shares[1] > shares[2]) {
        (true, true) => "falls 3×3 to 5×5 to 8×8",
        (true, false) => "falls 3×3 to 5×5, rises to 8×8",
        (false, true) => "rises 3×3 to 5×5, falls to 8×8",
        (false, false) => "rises 3×3 to 5×5 to 8×8",
    }
}

const RANDOM: [&Cells; 3] = [&T61, &T62, &T63];
const WEIGHTED: [&Cells; 3] = [&T64, &T65, &T66];

fn draws(cells: &Cells) -> f64 {
    share(cells, 2)
}

fn both(random: [f64; 3], weighted: [f64; 3]) -> String {
    if falls(random) && falls(weighted) {
        return "falls 3×3 to 5×5 to 8×8, for random and for weighted players".to_string();
    }
    format!("random: {}; weighted: {}", course(random), course(weighted))
}

fn draws_by_size(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (random, weighted) = (three(RANDOM, draws), three(WEIGHTED, draws));
    let count = |cells: &Cells| cells[2].iter().sum::<u64>();
    let apart = two_share_z(count(&T66), 1_000_000, count(&T65), 10_000_000);
    let note = format!(
        "draws of random players {}, of weighted ones {}; from 5×5 to 8×8 the latter rise by {apart:.0} standard errors",
        listed(random),
        listed(weighted)
    );
    Ok(Finding::compare(claimed, both(random, weighted), note).corrected_if(apart > 10.0))
}

fn fewer_draws(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let (random, weighted) = (three(RANDOM, draws), three(WEIGHTED, draws));
    let sizes: Vec<&str> = ["3×3", "5×5", "8×8"]
        .into_iter()
        .enumerate()
        .filter(|(i, _)| weighted[*i] < random[*i])
        .map(|(_, s)| s)
        .collect();
    let computed = match &sizes[..] {
        [rest @ .., last] if !rest.is_empty() => format!("on {} and {last}", rest.join(", ")),
        other => format!("on {}", other.join("")),
    };
    Ok(Finding::compare(claimed, computed, format!("random {}; weighted {}", listed(random), listed(weighted))))
}

fn gap_by_size(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let gap = |cells: &Cells| share(cells, 0) - share(cells, 1);
    let (random, weighted) = (three(RANDOM, gap), three(WEIGHTED, gap));
    let note = format!("White's share less Black's: random {}, weighted {}", listed(random), listed(weighted));
    Ok(Finding::compare(claimed, both(random, weighted), note))
}

fn white_gains(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let white = |cells: &Cells| share(cells, 0);
    let (random, weighted) = (three(RANDOM, white), three(WEIGHTED, white));
    let (monte_carlo, mcts) = (59.8, 63.6);
    let holds = (0..3).all(|i| random[i] < weighted[i]) && weighted[1] < monte_carlo && monte_carlo < mcts;
    let note = format!("random {}; weighted {}; then {monte_carlo} % and {mcts} %", listed(random), listed(weighted));
    Ok(Finding::compare(claimed, if holds { claimed } else { "not everywhere" }, note))
}

fn random_fades(_: &Ctx, claimed: &str) -> Result<Finding, Failure> {
    let random = [&T610, &T611, &T612].map(|cells| 100.0 * share(cells, 0));
    let note = format!("{:.2} %, {:.2} %, {:.3} %", random[0], random[1], random[2]);
    Ok(Finding::compare(claimed, course(random), note))
}

fn random_wins_as_white(ctx: &Ctx, _: &str) -> Result<Finding, Failure> {
    let lots = Lots { games: 200_000, ..L610 };
    let [as_white, as_black] = lots.wins_by_colour(ctx)?;
    let share = Share::new(as_white, as_white + as_black);
    let verdict = if share.interval[0] > 0.5 { Verdict::Agrees } else { Verdict::Disagrees };
    let note = format!("{as_white} wins as White, {as_black} as Black");
    Ok(Finding { computed: share.text(), verdict, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tak_sample::shares_text;

    #[test]
    fn a_small_sample_agrees_with_the_tables_of_random_players() {
        for lots in [Lots { games: 20_000, ..L61 }, Lots { games: 3_000, ..L62 }, Lots { games: 200, ..L63 }] {
            let found = by_lot(&lots, false, "", &Ctx::default()).unwrap();
            assert_eq!(found.verdict, Verdict::Agrees, "{}: {}", found.computed, found.note);
        }
        // With too few games, any share would agree.
        let other = Lots { cells: T64, games: 20_000, ..L61 };
        assert_eq!(by_lot(&other, false, "", &Ctx::default()).unwrap().verdict, Verdict::Disagrees);
    }

    #[test]
    fn the_tables_add_up_as_printed() {
        let claims = ITEMS.iter().map(|item| item.claimed);
        for (lots, claimed) in [L61, L62, L63, L64, L65, L66, L610, L611, L612].iter().zip(claims) {
            let total: u64 = lots.cells.iter().flatten().sum();
            assert_eq!(
                total,
                match lots.size {
                    3 => 100_000_000,
                    5 => 10_000_000,
                    _ => 1_000_000,
                }
            );
            assert_eq!(shares_text(&lots.cells, lots.names()), claimed);
        }
    }
}
