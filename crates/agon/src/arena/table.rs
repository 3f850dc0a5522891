//! One game between two players.

use super::plan::{Plan, Slot};
use super::seat::{Board, Forfeit, NoMove, Seat};
use crate::erased::AnyGame;
use crate::failure::Failure;
use agon_core::{Player, Status};
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
}

/// Plays one game; `None` when the tournament was stopped before its end.
pub fn play(plan: &Plan, game: &dyn AnyGame, slot: &Slot, seats: &mut [Seat]) -> Result<Option<Played>, Failure> {
    let begun = Instant::now();
    let from = plan.opening(game, slot.pair)?;
    let mut moves = Vec::new();
    let ended = run(plan, game, slot, seats, &from, &mut moves)?;
    let Some((winner, reason, note)) = ended else { return Ok(None) };
    Ok(Some(Played { id: slot.id, from, moves, winner, reason, note, seconds: begun.elapsed().as_secs_f64() }))
}

type Ended = (Option<Player>, String, Option<String>);

fn run(
    plan: &Plan,
    game: &dyn AnyGame,
    slot: &Slot,
    seats: &mut [Seat],
    from: &str,
    moves: &mut Vec<String>,
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
        let seat = &mut seats[slot.seats[player as usize]];
        let mv = match seat.choose(&Board { from, moves, pos: &pos }) {
            Ok(mv) => mv,
            Err(no_move) => return lost(player, no_move),
        };
        match game.play(&pos, &mv) {
            Ok((mv, next)) => {
                moves.push(mv);
                pos = next;
            }
            Err(failure) => {
                seat.distrust();
                let note = failure.message().unwrap_or_default().to_string();
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
