//! The report of a tournament: scores with confidence intervals, Elo differences, and ends of games.

use super::game::Proofs;
use super::plan::Plan;
use super::rating::{Rating, ratings};
use super::run::half_points;
use super::store::GameResult;
use crate::statistics::{Pairs, Share, Sprt};
use agon_core::Player;
use agon_registry::erased::AnyGame;
use agon_report::Report;
use agon_report::VERSION;
use agon_report::words::{Paint, counted, grouped, table};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The order of reasons in tables; other reasons follow alphabetically.
const REASON_ORDER: &[&str] = &["road", "line", "captures", "blocked", "no move", "no stones", "board full"];

/// A number with its confidence interval; infinite ends are null.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: Option<f64>,
    /// The 95 % confidence interval.
    pub interval: [Option<f64>; 2],
}

impl Estimate {
    fn new((value, ends): (f64, [f64; 2])) -> Estimate {
        let finite = |x: f64| x.is_finite().then_some(x);
        Estimate { value: finite(value), interval: ends.map(finite) }
    }

    fn text(&self, sign: f64) -> String {
        let end =
            |x: Option<f64>, infinite: &str| x.map_or(infinite.to_string(), |x| format!("{:+.0}", x.round() + 0.0));
        let [lo, hi] = &self.interval;
        let far = if sign > 0.0 { "+∞" } else { "−∞" };
        format!("{} [{}, {}]", end(self.value, far), end(*lo, "−∞"), end(*hi, "+∞"))
    }
}

/// One row of a table by end reason.
#[derive(Clone, Debug, Serialize)]
pub struct Ending {
    /// `NAME wins`, or `draws`.
    pub who: String,
    /// The share of all games.
    pub total: Share,
    /// The shares by reason.
    pub by: BTreeMap<String, Share>,
}

/// The results of one pairing.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    /// The names of the two players.
    pub players: [String; 2],
    /// The number of games.
    pub games: u64,
    /// Finished pairs of games, counted by the half points of the first player.
    pub pairs: Pairs,
    /// The score of the first player, as a share of the points.
    pub score: Option<Estimate>,
    /// The Elo difference.
    pub elo: Option<Estimate>,
    /// Wins and draws by reason.
    pub endings: Vec<Ending>,
}

/// The state of a sequential test.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    /// The hypotheses.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bounds at which the test decides.
    pub bounds: [f64; 2],
    /// `elo1`, `elo0`, or `open`.
    pub accepted: &'static str,
}

/// The results of one player.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The player.
    pub player: String,
    /// Games played.
    pub games: u64,
    /// Points; a draw counts half a point.
    pub points: f64,
    /// Games lost by forfeit.
    pub forfeits: u64,
    /// The score against each player, as a share of the points; null if they did not play.
    pub against: Vec<Option<f64>>,
    /// The number of moves proven to be best; null for players that do not prove moves.
    pub proven: Option<u64>,
    /// The number of moves chosen without a proof; null for players that do not prove moves.
    pub unproven: Option<u64>,
    /// The Elo rating on a common scale; null if the players are not all connected by games.
    pub rating: Option<Rating>,
}

/// The answer of `arena`.
#[derive(Clone, Debug, Serialize)]
pub struct ArenaReport {
    /// The version.
    pub agon: &'static str,
    /// The game.
    pub game: String,
    /// The seed.
    #[serde(serialize_with = "exactly")]
    pub seed: u64,
    /// The name of the random number generator.
    pub rng: &'static str,
    /// Games played.
    pub games: u64,
    /// Games planned.
    pub planned: u64,
    /// The mean length of a game in plies.
    pub plies: f64,
    /// The players, in the order given.
    pub standings: Vec<Standing>,
    /// The pairings.
    pub meetings: Vec<Meeting>,
    /// Wins by side and reason, over all games.
    pub sides: Vec<Ending>,
    /// The sequential test, if there is one.
    pub sprt: Option<Test>,
    /// Seconds spent.
    pub seconds: f64,
    /// The file written.
    pub out: Option<String>,
}

/// Serializes numbers beyond 2^53 as strings, because many readers cannot represent them exactly.
fn exactly<S: serde::Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    agon_report::words::exact(&(*number).into()).serialize(serializer)
}

impl ArenaReport {
    /// Computes the report from results.
    #[must_use]
    pub fn new(plan: &Plan, game: &dyn AnyGame, results: &[GameResult]) -> ArenaReport {
        let names = plan.names();
        let meetings: Vec<Meeting> = plan
            .pairings()
            .into_iter()
            .enumerate()
            .map(|(number, (a, b))| meeting(plan, number, [&names[a], &names[b]], results))
            .collect();
        let side = |player: Player| format!("{} wins", game.player_name(player));
        let winner = |result: &GameResult| result.winner.map(|player| player as usize);
        let sprt = plan.sprt.map(|sprt| {
            let llr = meetings[0].pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1);
            let accepted = match sprt.verdict(&meetings[0].pairs) {
                Some(true) => "elo1",
                Some(false) => "elo0",
                None => "open",
            };
            Test { sprt, llr, bounds: [sprt.bounds().0, sprt.bounds().1], accepted }
        });
        let plies: u64 = results.iter().map(|result| u64::from(result.plies)).sum();
        ArenaReport {
            agon: VERSION,
            game: plan.game.clone(),
            seed: plan.seed,
            rng: agon_core::Rng::NAME,
            games: results.len() as u64,
            planned: plan.total(),
            plies: plies as f64 / results.len().max(1) as f64,
            standings: standings(plan, &names, results, &meetings),
            sides: endings([side(Player::First), side(Player::Second)], results.iter(), winner),
            meetings,
            sprt,
            seconds: 0.0,
            out: None,
        }
    }
}

fn meeting(plan: &Plan, number: usize, names: [&String; 2], results: &[GameResult]) -> Meeting {
    let of_it = || results.iter().filter(|result| plan.slot(result.id).pairing == number);
    let mut halves: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    of_it().for_each(|result| halves.entry(result.id / 2).or_default().push(half_points(plan, result, 0)));
    let mut pairs = Pairs::default();
    halves.values().filter(|games| games.len() == 2).for_each(|games| pairs.add(games.iter().sum()));
    let winner = |result: &GameResult| match half_points(plan, result, 0) {
        2 => Some(0),
        0 => Some(1),
        _ => None,
    };
    Meeting {
        players: names.map(Clone::clone),
        games: of_it().count() as u64,
        pairs,
        score: pairs.score().map(Estimate::new),
        elo: pairs.elo().map(Estimate::new),
        endings: endings(names.map(|name| format!("{name} wins")), of_it(), winner),
    }
}

fn endings<'a>(
    names: [String; 2],
    results: impl Iterator<Item = &'a GameResult>,
    winner: impl Fn(&GameResult) -> Option<usize>,
) -> Vec<Ending> {
    let mut counts: [BTreeMap<&str, u64>; 3] = Default::default();
    let mut all = 0;
    for result in results {
        *counts[winner(result).unwrap_or(2)].entry(&result.reason).or_default() += 1;
        all += 1;
    }
    let [first, second] = names;
    let ending = |(who, counts): (String, &BTreeMap<&str, u64>)| Ending {
        who,
        total: Share::new(counts.values().sum(), all),
        by: counts.iter().map(|(reason, &n)| ((*reason).to_string(), Share::new(n, all))).collect(),
    };
    [first, second, "draws".to_string()].into_iter().zip(&counts).map(ending).collect()
}

fn standings(plan: &Plan, names: &[String], results: &[GameResult], meetings: &[Meeting]) -> Vec<Standing> {
    let n = names.len();
    let met_how: Vec<_> = plan.pairings().into_iter().zip(meetings.iter().map(|meeting| meeting.pairs)).collect();
    let scale = ratings(n, &met_how);
    let (mut points, mut met, mut forfeits) = (vec![vec![0; n]; n], vec![vec![0u64; n]; n], vec![0; n]);
    let mut proofs = vec![Proofs::default(); n];
    for result in results {
        let slot = plan.slot(result.id);
        for side in 0..2 {
            let (me, other) = (slot.seats[side], slot.seats[1 - side]);
            met[me][other] += 1;
            proofs[me].merge(result.proofs[side]);
            points[me][other] += match result.winner {
                None => 1,
                Some(winner) if winner as usize == side => 2,
                Some(_) => 0,
            };
            forfeits[me] += u64::from(result.forfeit && result.winner.is_some_and(|w| w as usize != side));
        }
    }
    let standing = |me: usize| Standing {
        player: names[me].clone(),
        games: met[me].iter().sum(),
        points: points[me].iter().sum::<u64>() as f64 / 2.0,
        forfeits: forfeits[me],
        proven: proofs[me].promised().map(|proofs| proofs.proven),
        unproven: proofs[me].promised().map(|proofs| proofs.unproven),
        against: (0..n).map(|i| (met[me][i] > 0).then(|| points[me][i] as f64 / 2.0 / met[me][i] as f64)).collect(),
        rating: scale.as_ref().map(|ratings| ratings[me]),
    };
    (0..n).map(standing).collect()
}

fn endings_text(endings: &[Ending]) -> String {
    let mut reasons: Vec<&String> = endings.iter().flat_map(|ending| ending.by.keys()).collect();
    let place = |reason: &String| REASON_ORDER.iter().position(|known| known == reason).unwrap_or(REASON_ORDER.len());
    reasons.sort_by_key(|reason| (place(reason), (*reason).clone()));
    reasons.dedup();
    let mut head = vec!["", "games", "share"];
    head.extend(reasons.iter().map(|reason| reason.as_str()));
    let row = |ending: &Ending| {
        let mut row = vec![ending.who.clone(), grouped(ending.total.count), ending.total.text()];
        row.extend(reasons.iter().map(|reason| match ending.by.get(*reason) {
            Some(share) => format!("{}  {}", grouped(share.count), share.text()),
            None => "–".to_string(),
        }));
        row
    };
    table(&head, &endings.iter().map(row).collect::<Vec<_>>())
}

impl ArenaReport {
    fn crosstable(&self) -> String {
        let numbers: Vec<String> = (1..=self.standings.len()).map(|i| i.to_string()).collect();
        let mut head = vec!["", "player", "Elo", "points", "games"];
        head.extend(numbers.iter().map(String::as_str));
        head.push("forfeits");
        let row = |(i, standing): (usize, &Standing)| {
            let elo = |rating: Rating| format!("{:+.0} ± {:.0}", rating.elo + 0.0, rating.error);
            let mut row = vec![(i + 1).to_string(), standing.player.clone()];
            row.push(standing.rating.map_or("–".to_string(), elo));
            row.push(standing.points.to_string());
            row.push(grouped(standing.games));
            let share = |x: &Option<f64>| x.map_or("–".to_string(), |x| format!("{:.1} %", 100.0 * x));
            row.extend(standing.against.iter().map(share));
            row.push(standing.forfeits.to_string());
            row
        };
        table(&head, &self.standings.iter().enumerate().map(row).collect::<Vec<_>>())
    }
}

impl Report for ArenaReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!(
            "{}  {} of {} · {:.1} plies on average · seed {}\n\n",
            paint.bold(&self.game),
            grouped(self.games),
            counted(self.planned, "game"),
            self.plies,
            self.seed
        );
        if self.standings.len() > 2 || self.standings.iter().any(|standing| standing.forfeits > 0) {
            let _ = writeln!(out, "{}", self.crosstable());
        }
        for meeting in &self.meetings {
            let [a, b] = &meeting.players;
            let _ = writeln!(out, "{}\n{}", paint.bold(&format!("{a} – {b}")), endings_text(&meeting.endings));
            if let (Some(elo), Some(score)) = (&meeting.elo, &meeting.score) {
                let sign = score.value.unwrap_or(0.5) - 0.5;
                let [p0, p1, p2, p3, p4] = meeting.pairs.0;
                let _ = writeln!(
                    out,
                    "Elo {} for {a} · pairs with 0 ½ 1 1½ 2 points: {p0} {p1} {p2} {p3} {p4}\n",
                    elo.text(sign)
                );
            }
        }
        let _ = writeln!(out, "{}\n{}", paint.bold("by side"), endings_text(&self.sides));
        for standing in &self.standings {
            if let (Some(proven), Some(unproven)) = (standing.proven, standing.unproven) {
                let _ = writeln!(out, "{}: {}", standing.player, Proofs { proven, unproven }.text());
            }
        }
        if let Some(test) = &self.sprt {
            let said = match test.accepted {
                "open" => "not decided".to_string(),
                which => format!("{which} accepted"),
            };
            let _ = writeln!(
                out,
                "test of {:+} against {:+} Elo: {} (LLR {:.2}, decided at {:.2} and {:.2})",
                test.sprt.elo1,
                test.sprt.elo0,
                paint.bold(&said),
                test.llr,
                test.bounds[0],
                test.bounds[1]
            );
        }
        out
    }
}
