//! Tak's capabilities besides its rules: a bound on its positions, and games in Portable Tak Notation.

use super::capabilities::{Capabilities, Records};
use super::{Note, Recorded, TeiTerms};
use crate::entry::Entry;
use agon_core::{Family, Game, Notation};
use agon_games::tak::Tak;
use agon_games::tak::ptn::{PtnError, Record};
use agon_games::tak::setup::SETUP;
use agon_report::failure::Failure;

/// The registry entry of Tak.
#[must_use]
pub fn tak() -> Entry {
    Entry::of::<Tak>(|_| capabilities())
}

fn capabilities() -> Capabilities<Tak> {
    let write = |game: &Tak, from: &<Tak as Game>::Position, moves: &[String]| game.ptn(from, moves, &[]).ok();
    // Equation 4.12 of Beljaards's thesis, which is about the usual opening.
    let bound = |game: &Tak| game.material().map(|material| material.positions_at_most());
    let records = Records { extension: "ptn", name: "Portable Tak Notation", read, write, annotate };
    let tei_terms = |game: &Tak| {
        let half_komi = game.usual_half_komi()?.into();
        Some(TeiTerms { size: game.grid().columns(), half_komi })
    };
    Capabilities::forcing().with_records(records).with_positions_at_most(bound).with_tei(tei_terms).with_setup(SETUP)
}

/// A game with marks and comments; the tags are those of `source`, if it is PTN.
fn annotate(
    game: &Tak,
    from: &<Tak as Game>::Position,
    moves: &[String],
    notes: &[Note],
    source: &str,
) -> Option<String> {
    let tags = Record::read(source).map(|record| record.tags).unwrap_or_default();
    let notes: Vec<(&str, &str)> = notes.iter().map(|note| (note.mark, note.comment.as_str())).collect();
    game.annotated(from, moves, &tags, &notes).ok()
}

/// A game in Portable Tak Notation, which begins with its tags.
fn read(own: &Tak, text: &str) -> Option<Result<Recorded, Failure>> {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('[').then(|| {
        let corrupt = |error: PtnError| Failure::damaged_text(format!("PTN: {error}"));
        let record = Record::read(text).map_err(corrupt)?;
        // Played by its own tags: the caller compares the games.
        let (spelling, game) = (record.spelling().map_err(corrupt)?, record.game().map_err(corrupt)?);
        let game = game.with_draw(own.draw_rule());
        let line = record.replay(&game).map_err(corrupt)?;
        let moves = record.plies.iter().zip(&line).map(|(ply, pos)| {
            let mv = game.parse_move(pos, ply)?;
            Ok(game.show_move(pos, mv))
        });
        let moves = moves.collect::<Result<_, Failure>>()?;
        let from = line.first().map_or_else(|| game.show(&game.start()), |first| game.show(first));
        let (_, spelling) = Tak::from_spelling(&format!("{spelling}{}", own.draw_rule().parameter()))?;
        Ok(Recorded { spelling, from, moves })
    })
}
