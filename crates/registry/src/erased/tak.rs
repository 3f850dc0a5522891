//! Tak's capabilities besides its rules: a bound on its positions, and games in Portable Tak Notation.

use super::capabilities::{Capabilities, Records};
use super::{Note, Recorded, TeiTerms};
use crate::annotated::{AnnotatedGame, AnnotatedMove};
use crate::entry::Entry;
use agon_core::{Family, Game, Notation};
use agon_games::tak::Tak;
use agon_games::tak::ptn::{Noted, PtnError, Record};
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
    let records = Records { extension: "ptn", name: "Portable Tak Notation", read, write, annotate, write_tree };
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
    let source = Record::read(source).unwrap_or_default();
    let notes: Vec<(&str, &str)> = notes.iter().map(|note| (note.mark, note.comment.as_str())).collect();
    game.annotated(from, moves, &source, &notes).ok()
}

/// A game with its variations.
fn write_tree(game: &Tak, from: &<Tak as Game>::Position, tree: &AnnotatedGame) -> Option<String> {
    let lines = |text: &str| text.lines().map(String::from).collect();
    let noted = |mv: &AnnotatedMove| Noted {
        parent: mv.parent,
        ply: mv.mv.clone(),
        marks: mv.marks.clone(),
        comments: lines(&mv.comment),
    };
    let result = Record::read(&tree.result).ok().and_then(|record| record.result);
    let noted = tree.moves.iter().map(noted).collect();
    let record =
        Record { tags: tree.tags.clone(), tps: None, plies: Vec::new(), result, intro: lines(&tree.intro), noted };
    game.written(from, &record).ok()
}

/// A game in Portable Tak Notation: with tags, with numbered plies alone, or a position alone.
fn read(own: &Tak, spelling: &str, text: &str) -> Option<Result<(Recorded, AnnotatedGame), Failure>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if let Some(size) = size_of_position(text) {
        return Some(position(own, spelling, size, text));
    }
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < text.len() && number.starts_with('.');
    (text.starts_with(['[', '{']) || numbered).then(|| record(own, spelling, text))
}

/// The number of rows, if a text is a position and nothing else.
fn size_of_position(text: &str) -> Option<usize> {
    let (board, rest) = text.split_once([' ', '_']).unwrap_or((text, ""));
    let square = |c: char| matches!(c, 'x' | 'X' | 'S' | 'C' | ',' | '/') || c.is_ascii_digit();
    let turn = rest.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || c == '_');
    (board.contains('/') && board.chars().all(square) && turn).then(|| board.split('/').count())
}

/// A game that begins at a position and has no moves yet, on a board of the size of the position.
fn position(own: &Tak, spelling: &str, size: usize, text: &str) -> Result<(Recorded, AnnotatedGame), Failure> {
    let (game, spelling) = match size == own.grid().rows() {
        true => (own.clone(), spelling.to_string()),
        false => Tak::from_spelling(&format!("tak:{size}"))?,
    };
    let from = game.show(&game.parse(text)?);
    Ok((Recorded { spelling, from, moves: Vec::new() }, AnnotatedGame::default()))
}

fn record(own: &Tak, spelling: &str, text: &str) -> Result<(Recorded, AnnotatedGame), Failure> {
    let corrupt = |error: PtnError| Failure::damaged_text(format!("PTN: {error}"));
    let record = Record::read(text).map_err(corrupt)?;
    // Played by its own tags, if it has any that describe a board: the caller compares the games.
    let (spelling, game) = if record.tag("Size").is_none() && record.tps.is_none() {
        (spelling.to_string(), own.clone())
    } else {
        let game = record.game().map_err(corrupt)?.with_draw(own.draw_rule());
        let spelled = format!("{}{}", record.spelling().map_err(corrupt)?, own.draw_rule().parameter());
        (Tak::from_spelling(&spelled)?.1, game)
    };
    let from = game.show(&record.start(&game).map_err(corrupt)?);
    // The main line comes first: its plies are counted.
    record.replay(&game).map_err(corrupt)?;
    let line = record.replay_all(&game).map_err(corrupt)?;
    let mut moves = Vec::with_capacity(line.len());
    for (noted, (pos, _)) in record.noted.iter().zip(&line) {
        let mv = game.show_move(pos, game.parse_move(pos, &noted.ply)?);
        moves.push(AnnotatedMove {
            parent: noted.parent,
            mv,
            marks: noted.marks.clone(),
            comment: noted.comments.join("\n"),
        });
    }
    let story = AnnotatedGame {
        tags: record.tags,
        intro: record.intro.join("\n"),
        result: record.result.unwrap_or_default().to_string(),
        moves,
    };
    Ok((Recorded { spelling, from, moves: story.line() }, story))
}
