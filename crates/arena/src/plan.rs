//! The plan of a tournament, which determines each of its games by number.

use super::files::Files;
use crate::statistics::Sprt;
use agon_core::family::shorten;
use agon_core::{Rng, Status};
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Everything that determines the games of a tournament. Two files belong to the same tournament if their plans are
/// equal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The game, in its canonical spelling.
    pub game: String,
    /// The spellings of the players.
    pub players: Vec<String>,
    /// True if only the first player plays against each of the others.
    pub gauntlet: bool,
    /// The number of games per pairing, even.
    pub games: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The start position, before the opening.
    pub from: String,
    /// The number of random plies of an opening.
    pub opening_plies: u32,
    /// Opening positions that replace `from`.
    pub book: Vec<String>,
    /// The time for a move, in milliseconds.
    pub move_time: Option<u64>,
    /// The start timeout of an external engine, in milliseconds.
    pub start_time: u64,
    /// A game that reaches this number of plies is a draw.
    pub most_plies: u32,
    /// The sequential test that ends the tournament early.
    pub sprt: Option<Sprt>,
    /// The hash of every file that a player is built from. Tournaments of earlier versions have none.
    #[serde(default, skip_serializing_if = "Files::is_empty")]
    pub files: Files,
}

/// One game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its number, from 0.
    pub id: u64,
    /// The number of its pair within the pairing.
    pub pair: u64,
    /// The indices of the players that move first and second.
    pub seats: [usize; 2],
    /// The index of the pairing.
    pub pairing: usize,
    /// True if the second player of the pairing moves first.
    pub swapped: bool,
}

impl Plan {
    /// Reads the plan in the file of a tournament. Fails with the reason why it is none.
    pub fn read(text: &str) -> Result<Plan, String> {
        let mut plan: Plan = serde_json::from_str(text).map_err(|error| error.to_string())?;
        plan.game = agon_games::impartial::modern(&plan.game);
        // The numbers of games are signed in the file.
        let total = plan.pair_count().checked_mul(plan.games).filter(|&total| i64::try_from(total).is_ok());
        if plan.players.len() < 2 || plan.games % 2 == 1 || total.is_none() {
            return Err("its plan is invalid".into());
        }
        Ok(plan)
    }

    /// The number of pairs of players that play each other.
    fn pair_count(&self) -> u64 {
        let players = self.players.len() as u64;
        let others = players.saturating_sub(1);
        if self.gauntlet { others } else { players * others / 2 }
    }

    /// The pairs of players that play each other.
    #[must_use]
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let n = self.players.len();
        let firsts = if self.gauntlet { 1 } else { n };
        (0..firsts).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect()
    }

    /// The number of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.games * self.pair_count()
    }

    /// Game number `id`. The two games of a pair are consecutive and the pairings alternate, so that an interrupted
    /// tournament is still balanced.
    #[must_use]
    pub fn slot(&self, id: u64) -> Slot {
        let pairings = self.pairings();
        let (swapped, rest) = (id % 2 == 1, id / 2);
        let (pair, pairing) = (rest / pairings.len() as u64, (rest % pairings.len() as u64) as usize);
        let (a, b) = pairings[pairing];
        Slot { id, pair, seats: if swapped { [b, a] } else { [a, b] }, pairing, swapped }
    }

    /// The seed of the player on a side (0 or 1).
    #[must_use]
    pub fn player_seed(&self, slot: &Slot, seat: usize) -> u64 {
        mix(self.seed, &[1, slot.id, seat as u64])
    }

    /// The start position of a pair. Every pairing has the same openings.
    pub fn opening(&self, game: &dyn AnyGame, pair: u64) -> Result<String, Failure> {
        let base = match self.book.len() as u64 {
            0 => &self.from,
            n => &self.book[(pair % n) as usize],
        };
        // Some random openings end the game. Then another is tried; after 100 attempts the opening is empty.
        for attempt in 0..100 {
            let mut rng = Rng::new(mix(self.seed, &[2, pair, attempt]));
            if let Some(pos) = random_plies(game, base, self.opening_plies, &mut rng)? {
                return Ok(pos);
            }
        }
        Ok(base.clone())
    }

    /// Unique names of the players: the spelling, with a number if several players share it.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut times: HashMap<&str, usize> = HashMap::new();
        let number = self.players.iter().map(|player| {
            let so_far = times.entry(player).or_default();
            *so_far += 1;
            (player, *so_far)
        });
        let name = |(player, number)| if number == 1 { String::clone(player) } else { format!("{player} #{number}") };
        number.map(name).collect()
    }
}

fn random_plies(game: &dyn AnyGame, from: &str, plies: u32, rng: &mut Rng) -> Result<Option<String>, Failure> {
    let mut pos = from.to_string();
    for _ in 0..plies {
        let moves = game.moves(&pos)?;
        let Some(mv) = rng.pick(&moves) else { return Ok(None) };
        pos = game.play(&pos, mv)?.1;
    }
    Ok(matches!(game.status(&pos)?, Status::Turn(_)).then_some(pos))
}

/// Derives an independent seed for each sequence of words.
#[must_use]
pub fn mix(seed: u64, words: &[u64]) -> u64 {
    words.iter().fold(seed, |state, &word| Rng::new(state ^ word.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_u64())
}

/// The part of a tournament that one machine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its number, from 1.
    pub index: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// Reads `2/5`.
    pub fn read(text: &str) -> Result<Shard, Failure> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err(Failure::Usage(format!("invalid shard `{}`: expected i/n, such as 2/5", shorten(text)))),
        }
    }

    /// Returns whether this shard contains a game. The two games of a pair are in the same shard.
    #[must_use]
    pub fn holds(&self, id: u64) -> bool {
        (id / 2) % self.of == self.index - 1
    }
}

/// Reads an opening book: each line holds moves, or `position` and a position; `#` starts a comment.
pub fn read_book(game: &dyn AnyGame, from: &str, name: &str, text: &str) -> Result<Vec<String>, Failure> {
    let mut book = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: &str| Failure::Usage(format!("`{name}`, line {}: {why}", number + 1));
        let read = || match line.strip_prefix("position ") {
            Some(pos) => game.position(pos),
            None => game.split_moves(line).iter().try_fold(from.to_string(), |pos, mv| Ok(game.play(&pos, mv)?.1)),
        };
        let pos = read().map_err(|failure| wrong(&failure.message().unwrap_or_default()))?;
        if !matches!(game.status(&pos)?, Status::Turn(_)) {
            return Err(wrong("the game is over at this position"));
        }
        book.push(pos);
    }
    if book.is_empty() {
        return Err(Failure::Usage(format!(
            "`{name}` contains no opening: expected lines with moves, or with `position POS`"
        )));
    }
    Ok(book)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use agon_registry as registry;
    use std::collections::BTreeSet;

    pub(crate) fn plan(game: &str, players: &[&str], games: u64) -> Plan {
        let game = registry::standard().game(game).unwrap();
        Plan {
            game: game.spelling().to_string(),
            players: players.iter().map(|p| (*p).to_string()).collect(),
            gauntlet: false,
            games,
            seed: 7,
            from: game.start(),
            opening_plies: 0,
            book: Vec::new(),
            move_time: None,
            start_time: 5000,
            most_plies: 1000,
            sprt: None,
            files: Files::default(),
        }
    }

    #[test]
    fn a_plan_is_read_unless_its_games_cannot_be_counted() {
        let written = |games: u64, players: &[&str]| {
            serde_json::to_string(&plan("tic-tac-toe", players, games)).expect("a plan is written")
        };
        let (two, three) = (["random", "perfect"], ["random", "perfect", "weighted"]);
        let most = i64::MAX as u64 - 1;
        assert_eq!(Plan::read(&written(4, &three)), Ok(plan("tic-tac-toe", &three, 4)));
        assert_eq!(Plan::read(&written(most, &two)).map(|plan| plan.total()), Ok(most));
        for text in [
            written(most, &three),
            written(u64::MAX - 1, &two),
            written(3, &two),
            written(2, &["random"]),
            written(2, &[]),
        ] {
            assert_eq!(Plan::read(&text), Err("its plan is invalid".into()), "{text}");
        }
        assert!(Plan::read("{}").is_err_and(|why| why.contains("missing field")));
    }

    #[test]
    fn a_plan_is_read_with_the_very_numbers_that_were_written() {
        for share in [0.16325595065506437, 0.10447716019175213, 0.9736935169621095, 0.1 + 0.2] {
            let sprt = Some(Sprt { elo0: 0.0, elo1: 10.0, alpha: share, beta: share });
            let plan = Plan { sprt, ..plan("tic-tac-toe", &["random", "perfect"], 4) };
            assert_eq!(Plan::read(&serde_json::to_string(&plan).expect("a plan is written")), Ok(plan));
        }
    }

    #[test]
    fn every_pairing_plays_its_pairs_with_sides_changed() {
        let mut plan = plan("tic-tac-toe", &["random", "perfect", "random"], 4);
        assert_eq!((plan.pairings().len(), plan.total()), (3, 12));
        let slots: Vec<Slot> = (0..plan.total()).map(|id| plan.slot(id)).collect();
        for pairs in slots.chunks(2) {
            assert_eq!((pairs[0].pairing, pairs[0].pair), (pairs[1].pairing, pairs[1].pair));
            assert_eq!([pairs[0].seats[1], pairs[0].seats[0]], pairs[1].seats);
        }
        let different: BTreeSet<_> = slots.iter().map(|s| (s.pairing, s.pair, s.swapped)).collect();
        assert_eq!(different.len(), 12);
        plan.gauntlet = true;
        assert_eq!(plan.pairings(), [(0, 1), (0, 2)]);
        assert_eq!(plan.names(), ["random", "perfect", "random #2"]);
    }

    #[test]
    fn openings_are_the_same_for_a_pair_and_never_finished() {
        let mut plan = plan("tic-tac-toe", &["random", "random"], 100);
        let game = registry::standard().game("tic-tac-toe").unwrap();
        plan.opening_plies = 6;
        let openings: Vec<String> = (0..50).map(|pair| plan.opening(game.as_ref(), pair).unwrap()).collect();
        assert!(openings.iter().collect::<BTreeSet<_>>().len() > 30);
        assert!(openings.iter().all(|pos| game.moves(pos).unwrap().len() == 3));
        assert_eq!(openings[9], plan.opening(game.as_ref(), 9).unwrap());
        // Nine plies always end the game: the opening falls back to the start.
        plan.opening_plies = 9;
        assert_eq!(plan.opening(game.as_ref(), 0).unwrap(), game.start());
    }

    #[test]
    fn shards_share_the_games_out() {
        let shards: Vec<Shard> = (1..=3).map(|index| Shard { index, of: 3 }).collect();
        for id in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(id)).count(), 1);
            assert!(shards.iter().all(|shard| shard.holds(id) == shard.holds(id ^ 1)));
        }
        for text in ["", "0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(Shard::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn books_hold_moves_or_positions() {
        let game = registry::standard().game("tic-tac-toe").unwrap();
        let read = |text: &str| read_book(game.as_ref(), &game.start(), "book", text);
        assert_eq!(read("# centre\nb2\n\nposition X.O/.../... # corners\n").unwrap(), [".../.X./...", "X.O/.../..."]);
        assert!(read("zz").unwrap_err().message().unwrap().contains("`book`, line 1: invalid move"));
        assert!(read("# nothing").is_err() && read("position XXX/OO./...").is_err());
    }
}
