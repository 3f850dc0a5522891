//! One game between two players.

use super::plan::{Plan, Slot};
use super::seat::{Board, Forfeit, NoMove, Seat};
use super::store::{GameResult, Store};
use agon_core::{Ctx, Player, Status};
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use agon_report::words::{counted, grouped};
use std::time::Instant;

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number.
    pub id: u64,
    /// The start position.
    pub from: String,
    /// Its moves.
    pub moves: Vec<String>,
    /// The winner; `None` for a draw.
    pub winner: Option<Player>,
    /// The reason why it ended: a word of the game, the kind of forfeit, or `too long`.
    pub reason: String,
    /// Details of a forfeit.
    pub note: Option<String>,
    /// Its duration in seconds.
    pub seconds: f64,
    /// The numbers of proven and unproven moves of each side.
    pub proofs: [Proofs; 2],
}

/// The moves of a player that proves its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Proofs {
    /// Moves proven to be best.
    pub proven: u64,
    /// Moves chosen without a proof.
    pub unproven: u64,
}

impl Proofs {
    /// Counts a move.
    pub fn add(&mut self, proof: Option<bool>) {
        self.proven += u64::from(proof == Some(true));
        self.unproven += u64::from(proof == Some(false));
    }

    /// Adds the counts of another game.
    pub fn merge(&mut self, other: Proofs) {
        self.proven += other.proven;
        self.unproven += other.unproven;
    }

    /// The counts; `None` for a player that does not prove its moves.
    #[must_use]
    pub fn promised(self) -> Option<Proofs> {
        (self.proven + self.unproven > 0).then_some(self)
    }

    /// `12 moves proven, 3 not proven`.
    #[must_use]
    pub fn text(self) -> String {
        format!("{} proven, {} not proven", counted(self.proven, "move"), grouped(self.unproven))
    }
}

/// A listener for the games of a tournament.
///
/// ```
/// use agon_arena::game::{Audience, Played};
/// use agon_arena::plan::{Plan, Slot};
/// use agon_arena::run::Tournament;
/// use agon_arena::store::{GameResult, Store};
/// use agon_core::Ctx;
/// use agon_report::failure::Failure;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// /// Counts the moves of all games.
/// #[derive(Default)]
/// struct Moves(AtomicUsize);
///
/// impl Audience for Moves {
///     fn begins(&self, _: usize, _: &Slot, _: &str) {}
///     fn moves(&self, _: usize, _: &str, _: Option<bool>) {
///         self.0.fetch_add(1, Relaxed);
///     }
///     fn ends(&self, _: usize, _: &Played) {}
///     fn stored(&self, _: &[GameResult], _: Option<&Store>) -> Result<(), Failure> {
///         Ok(())
///     }
/// }
///
/// let plan = r#"{"game": "mnk:3,3,3", "players": ["random", "random"], "gauntlet": false, "games": 4, "seed": 1,
///                "from": ".../.../...", "opening_plies": 0, "book": [], "move_time": null, "start_time": 5000,
///                "most_plies": 100, "sprt": null}"#;
/// let (plan, moves) = (Plan::read(plan).unwrap(), Moves::default());
/// let game = agon_registry::Registry::standard().game(&plan.game).unwrap();
/// let (todo, audience) = ((0..plan.total()).collect(), Some(&moves as &dyn Audience));
/// let tournament =
///     Tournament { plan: &plan, game: game.as_ref(), todo, results: Vec::new(), store: None, threads: 1, audience };
/// assert_eq!(tournament.play(&Ctx::default()).unwrap().len(), 4);
/// assert!(moves.0.load(Relaxed) >= 4 * 5);
/// ```
pub trait Audience: Sync {
    /// A game starts at a table.
    fn begins(&self, table: usize, slot: &Slot, from: &str);
    /// A move is played at a table. `proof` says whether it is proven; `None` if its player does not prove moves.
    fn moves(&self, table: usize, mv: &str, proof: Option<bool>);
    /// The game at a table ends.
    fn ends(&self, table: usize, played: &Played);
    /// New results are in the file; `results` holds all results so far.
    fn stored(&self, results: &[GameResult], store: Option<&Store>) -> Result<(), Failure>;
}

/// One of the tables at which games are played in parallel.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// The listener.
    pub audience: Option<&'a dyn Audience>,
    /// Limits and cancellation. The moves of all games are counted as its nodes.
    pub ctx: &'a Ctx,
}

/// Plays one game; `None` if the tournament is stopped before the game ends.
pub fn play(
    plan: &Plan,
    game: &dyn AnyGame,
    slot: &Slot,
    seats: &mut [Seat],
    table: Table<'_>,
) -> Result<Option<Played>, Failure> {
    let begun = Instant::now();
    let from = plan.opening(game, slot.pair)?;
    if let Some(audience) = table.audience {
        audience.begins(table.number, slot, &from);
    }
    let (mut moves, mut proofs) = (Vec::new(), [Proofs::default(); 2]);
    let ended = run(plan, game, slot, seats, &from, (&mut moves, &mut proofs), table)?;
    let Some((winner, reason, note)) = ended else { return Ok(None) };
    let seconds = begun.elapsed().as_secs_f64();
    let played = Played { id: slot.id, from, moves, winner, reason, note, seconds, proofs };
    if let Some(audience) = table.audience {
        audience.ends(table.number, &played);
    }
    Ok(Some(played))
}

type Ended = (Option<Player>, String, Option<String>);

fn run(
    plan: &Plan,
    game: &dyn AnyGame,
    slot: &Slot,
    seats: &mut [Seat],
    from: &str,
    (moves, proofs): (&mut Vec<String>, &mut [Proofs; 2]),
    table: Table<'_>,
) -> Result<Option<Ended>, Failure> {
    for (side, player) in Player::BOTH.into_iter().enumerate() {
        let begun = seats[slot.seats[side]].begin(game, plan.player_seed(slot, side));
        if let Err(no_move) = begun {
            return lost(player, no_move);
        }
    }
    let mut pos = from.to_string();
    loop {
        let player = match game.status(&pos)? {
            Status::Turn(player) => player,
            Status::Over(outcome) => {
                return Ok(Some((outcome.winner(), game.end_reason(&pos)?.to_string(), None)));
            }
        };
        if moves.len() >= plan.most_plies as usize {
            return Ok(Some((None, "too long".to_string(), None)));
        }
        if table.ctx.check().is_err() {
            return Ok(None);
        }
        let seat = &mut seats[slot.seats[player as usize]];
        let chosen = match seat.choose(&Board { from, moves, pos: &pos }) {
            Ok(chosen) => chosen,
            Err(no_move) => return lost(player, no_move),
        };
        match game.play(&pos, &chosen.mv) {
            Ok((mv, next)) => {
                if let Some(audience) = table.audience {
                    audience.moves(table.number, &mv, chosen.proof);
                }
                table.ctx.count(1);
                proofs[player as usize].add(chosen.proof);
                moves.push(mv);
                pos = next;
            }
            Err(failure) => {
                seat.restart();
                let note = failure.message().unwrap_or_default();
                return lost(player, Forfeit::new("illegal move", note).into());
            }
        }
    }
}

fn lost(player: Player, no_move: NoMove) -> Result<Option<Ended>, Failure> {
    match no_move {
        NoMove::Stopped => Ok(None),
        NoMove::Damaged(failure) => Err(failure),
        NoMove::Forfeit(forfeit) => Ok(Some((Some(player.other()), forfeit.reason.to_string(), Some(forfeit.note)))),
    }
}
