//! One game between two players.

use super::plan::{Plan, Slot};
use super::seat::{Board, Forfeit, NoMove, Seat};
use super::store::{GameResult, Store};
use agon_core::{Ctx, Player, Status};
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use agon_report::words::{counted, grouped};
use std::time::Instant;

/// How a game went.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number.
    pub id: u64,
    /// Where it began.
    pub from: String,
    /// Its moves.
    pub moves: Vec<String>,
    /// Who won.
    pub winner: Option<Player>,
    /// What ended it: the game's own word, why a player forfeited, or `too long`.
    pub reason: String,
    /// What exactly a player forfeited by.
    pub note: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// Of each side, the moves that are proven and those that should be.
    pub proofs: [Proofs; 2],
}

/// Moves of a player that promises proven ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Proofs {
    /// Proven to be best.
    pub proven: u64,
    /// Chosen without a proof.
    pub unproven: u64,
}

impl Proofs {
    /// Counts a move.
    pub fn add(&mut self, proof: Option<bool>) {
        self.proven += u64::from(proof == Some(true));
        self.unproven += u64::from(proof == Some(false));
    }

    /// Adds those of another game.
    pub fn merge(&mut self, other: Proofs) {
        self.proven += other.proven;
        self.unproven += other.unproven;
    }

    /// Both numbers, unless nothing was promised.
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

/// Who looks on while games are played.
pub trait Audience: Sync {
    /// A game begins at a table.
    fn begins(&self, table: usize, slot: &Slot, from: &str);
    /// A move is made there; whether it is proven, if its player promises that.
    fn moves(&self, table: usize, mv: &str, proof: Option<bool>);
    /// The game there is over.
    fn ends(&self, table: usize, played: &Played);
    /// Every result so far, after some more were written to the file.
    fn kept(&self, results: &[GameResult], store: Option<&Store>) -> Result<(), Failure>;
}

/// A table: its number, who looks on, and when to stop.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// From 0.
    pub table: usize,
    /// Who looks on.
    pub audience: Option<&'a dyn Audience>,
    /// When to stop.
    pub ctx: &'a Ctx,
}

/// Plays one game; `None` when the tournament was stopped before its end.
pub fn play(
    plan: &Plan,
    game: &dyn AnyGame,
    slot: &Slot,
    seats: &mut [Seat],
    place: Place<'_>,
) -> Result<Option<Played>, Failure> {
    let begun = Instant::now();
    let from = plan.opening(game, slot.pair)?;
    if let Some(audience) = place.audience {
        audience.begins(place.table, slot, &from);
    }
    let (mut moves, mut proofs) = (Vec::new(), [Proofs::default(); 2]);
    let ended = run(plan, game, slot, seats, &from, (&mut moves, &mut proofs), place)?;
    let Some((winner, reason, note)) = ended else { return Ok(None) };
    let seconds = begun.elapsed().as_secs_f64();
    let played = Played { id: slot.id, from, moves, winner, reason, note, seconds, proofs };
    if let Some(audience) = place.audience {
        audience.ends(place.table, &played);
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
    place: Place<'_>,
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
        if place.ctx.check().is_err() {
            return Ok(None);
        }
        let seat = &mut seats[slot.seats[player as usize]];
        let chosen = match seat.choose(&Board { from, moves, pos: &pos }) {
            Ok(chosen) => chosen,
            Err(no_move) => return lost(player, no_move),
        };
        match game.play(&pos, &chosen.mv) {
            Ok((mv, next)) => {
                if let Some(audience) = place.audience {
                    audience.moves(place.table, &mv, chosen.proof);
                }
                proofs[player as usize].add(chosen.proof);
                moves.push(mv);
                pos = next;
            }
            Err(failure) => {
                seat.distrust();
                let note = failure.message().unwrap_or_default();
                return lost(player, Forfeit::new("illegal move", note).into());
            }
        }
    }
}

fn lost(player: Player, no_move: NoMove) -> Result<Option<Ended>, Failure> {
    match no_move {
        NoMove::Stopped => Ok(None),
        NoMove::Damaged(why) => Err(Failure::Corrupt(why)),
        NoMove::Forfeit(forfeit) => Ok(Some((Some(player.other()), forfeit.reason.to_string(), Some(forfeit.note)))),
    }
}
