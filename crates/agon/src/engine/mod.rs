//! Engines for other programs: `agon engine` speaks the Universal Game Interface (UGI) for every game, and `agon tei` its
//! dialect for Tak, the Tak Engine Interface.
//!
//! | module | holds |
//! |---|---|
//! | `request` | what a line asks for |
//! | `session` | the conversation: options, positions, and the search that may be running |
//! | `any` | every game, by players as text |
//! | `tak` | Tak on the terms of TEI |
//!
//! The dialect of TEI is that of the last `teinewgame`: `teinewgame 6` for the common one, `teinewgame size 6 halfkomi 4`
//! for the draft one, which also reports proven results and errors.

mod any;
mod request;
mod session;
mod tak;

use crate::cli::{Engine, Shared};
use crate::failure::Failure;
use crate::output::{emit, tell};
use agon_registry::Registry;
pub use session::Say;
use session::{Session, converse};
use std::io::BufRead;

/// `agon engine`.
pub fn command(args: &Engine, shared: &Shared) -> Result<(), Failure> {
    if let Some(game) = &args.game {
        shared.game(game)?;
    }
    let board = any::AnyBoard::new(shared.registry.clone(), args.game.as_deref(), &args.player)?;
    run(Session::new(board, Box::new(say), Box::new(tell)));
    Ok(())
}

/// `agon tei`.
pub fn tei_command() -> Result<(), Failure> {
    run(Session::new(tak::TakBoard::new(), Box::new(say), Box::new(tell)));
    Ok(())
}

fn say(line: &str) {
    // A client that has stopped reading will close our input too.
    let _ = emit(&format!("{line}\n"));
}

fn run<B: session::Board>(session: Session<B>) {
    if let Err(error) = converse(session, &mut std::io::stdin().lock()) {
        tell(&format!("cannot read standard input: {error}"));
    }
}

/// Answers requests in TEI until `quit` or the end of the input. `say` takes the answers, one or more lines at a time, and
/// `complain` what is wrong with a request.
pub fn converse_in_tei(input: &mut impl BufRead, say: Say, complain: Say) -> std::io::Result<()> {
    converse(Session::new(tak::TakBoard::new(), say, complain), input)
}

/// The same in UGI, for a game of this registry. The player is spelled as for `agon play`.
pub fn converse_in_ugi(
    registry: Registry,
    (game, player): (Option<&str>, &str),
    input: &mut impl BufRead,
    say: Say,
    complain: Say,
) -> Result<std::io::Result<()>, Failure> {
    let board = any::AnyBoard::new(registry, game, player)?;
    Ok(converse(Session::new(board, say, complain), input))
}
