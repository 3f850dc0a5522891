//! Draws a scene as SVG.

use crate::scene::{Board, Place, Scene, Shape, Token, Why};
use crate::words::Player;
use std::fmt::Write as _;

/// Pixels per step, and around the board.
const STEP: i32 = 64;
const EDGE: i32 = 36;

/// Colours are variables, so a page can set its own; the defaults follow the reader's preference.
const STYLE: &str = "\
:root{--ink:#222;--paper:#fbfaf7;--line:#8a857b;--first:#1f5fa8;--second:#b4471f;--mark:#f3dfa2;--neutral:#777}\
@media(prefers-color-scheme:dark){:root{--ink:#eee;--paper:#1c1d20;--line:#77736a;--first:#7db4f0;--second:#f0946c;--mark:#574a1c;--neutral:#aaa}}\
.bg{fill:var(--paper)}.line{stroke:var(--line);stroke-width:2;stroke-linecap:round}.sq{fill:none;stroke:var(--line);stroke-width:2}\
.first{color:var(--first)}.second{color:var(--second)}.neutral{color:var(--neutral)}\
.pen{fill:none;stroke:currentColor;stroke-width:7;stroke-linecap:round}.man{fill:currentColor;stroke:var(--paper);stroke-width:2}\
.mark{fill:var(--mark)}.decisive{stroke:var(--ink);stroke-width:3}.dot{fill:var(--line)}\
text{fill:var(--ink);font:14px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}\
.glyph{font-size:34px;font-weight:600;fill:currentColor}.note{font-size:13px;font-weight:600}.caption{text-anchor:start}";

pub(crate) fn draw(scene: &Scene) -> String {
    let (columns, rows) = scene.size;
    // Wide enough for the board and for the longest line of text below it.
    let text_wide = scene.caption.iter().map(|line| line.chars().count() as i32 * 8).max().unwrap_or(0);
    let (wide, board_high) = ((columns * STEP).max(text_wide) + 2 * EDGE, rows * STEP + 2 * EDGE);
    let high = board_high + 24 * scene.caption.len() as i32;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\">\
         <title>{}</title><style>{STYLE}</style><rect class=\"bg\" width=\"{wide}\" height=\"{high}\"/>",
        escape(&describe(scene))
    );
    marks(&mut out, scene);
    board(&mut out, scene);
    for (index, place) in scene.places.iter().enumerate() {
        let note = scene.mark_of(index).map_or("", |mark| mark.note.as_str());
        stack(&mut out, place, note);
    }
    labels(&mut out, scene);
    for (i, line) in scene.caption.iter().enumerate() {
        let y = board_high + 4 + 22 * i as i32;
        let _ = write!(out, "<text class=\"caption\" x=\"{EDGE}\" y=\"{y}\">{}</text>", escape(line));
    }
    out.push_str("</svg>\n");
    out
}

/// What a screen reader says: every place that holds something.
fn describe(scene: &Scene) -> String {
    let held = scene.places.iter().filter(|place| !place.stack.is_empty());
    let held: Vec<String> = held
        .map(|place| format!("{} {}", place.label, place.stack.iter().map(|t| t.letter).collect::<String>()))
        .collect();
    if held.is_empty() { "empty board".to_string() } else { held.join(", ") }
}

fn centre(place: &Place) -> (i32, i32) {
    (EDGE + place.x * STEP + STEP / 2, EDGE + place.y * STEP + STEP / 2)
}

fn marks(out: &mut String, scene: &Scene) {
    for mark in &scene.marks {
        let (x, y) = centre(&scene.places[mark.place]);
        let class = if mark.why == Why::Decisive { "mark decisive" } else { "mark" };
        let half = STEP / 2;
        let _ = match scene.board {
            Board::Squares => {
                let (x, y) = (x - half, y - half);
                write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\"/>")
            }
            Board::Points => write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{half}\"/>"),
        };
    }
}

fn board(out: &mut String, scene: &Scene) {
    match scene.board {
        Board::Squares => {
            for place in &scene.places {
                let (x, y) = (EDGE + place.x * STEP, EDGE + place.y * STEP);
                let _ = write!(out, "<rect class=\"sq\" x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\"/>");
            }
        }
        Board::Points => {
            for &(a, b) in &scene.lines {
                let ((ax, ay), (bx, by)) = (centre(&scene.places[a]), centre(&scene.places[b]));
                let _ = write!(out, "<path class=\"line\" d=\"M{ax} {ay}L{bx} {by}\"/>");
            }
            for place in &scene.places {
                let (x, y) = centre(place);
                let _ = write!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>");
            }
        }
    }
}

/// Each further token of a stack stands a little higher; low ones shrink so that tall stacks fit.
fn stack(out: &mut String, place: &Place, note: &str) {
    let (x, y) = centre(place);
    let lift = |level: usize| {
        let levels = place.stack.len().saturating_sub(1) as i32;
        if levels == 0 { 0 } else { (level as i32 * 2 - levels) * (9).min(40 / levels) / 2 }
    };
    for (level, &token) in place.stack.iter().enumerate() {
        let _ = write!(out, "<g class=\"{}\" transform=\"translate({x} {})\">", class(token), y - lift(level));
        shape(out, token);
        out.push_str("</g>");
    }
    if !note.is_empty() {
        let y = if place.stack.is_empty() { y } else { y + STEP / 2 - 8 };
        let _ = write!(out, "<text class=\"note\" x=\"{x}\" y=\"{y}\">{}</text>", escape(note));
    }
}

fn class(token: Token) -> &'static str {
    match token.owner {
        Some(Player::First) => "first",
        Some(Player::Second) => "second",
        None => "neutral",
    }
}

fn shape(out: &mut String, token: Token) {
    let _ = match token.shape {
        Shape::Cross => write!(out, "<path class=\"pen\" d=\"M-17-17L17 17M17-17L-17 17\"/>"),
        Shape::Ring => write!(out, "<circle class=\"pen\" r=\"18\"/>"),
        Shape::Disc => write!(out, "<circle class=\"man\" r=\"24\"/>"),
        Shape::Flat => write!(out, "<rect class=\"man\" x=\"-20\" y=\"-20\" width=\"40\" height=\"40\" rx=\"4\"/>"),
        Shape::Wall => write!(
            out,
            "<rect class=\"man\" x=\"-7\" y=\"-24\" width=\"14\" height=\"48\" rx=\"3\" transform=\"rotate(35)\"/>"
        ),
        Shape::Cap => write!(out, "<path class=\"man\" d=\"M-15 20L-11-10A11 11 0 0 1 11-10L15 20Z\"/>"),
        Shape::Tile => write!(out, "<rect class=\"man\" x=\"-30\" y=\"-30\" width=\"60\" height=\"60\" rx=\"3\"/>"),
        Shape::Letter => write!(out, "<text class=\"glyph\">{}</text>", escape(&token.letter.to_string())),
    };
}

fn labels(out: &mut String, scene: &Scene) {
    let bottom = EDGE + scene.size.1 * STEP + EDGE / 2;
    for (x, label) in scene.columns.iter().enumerate() {
        let x = EDGE + x as i32 * STEP + STEP / 2;
        let _ = write!(out, "<text x=\"{x}\" y=\"{bottom}\">{}</text>", escape(label));
    }
    for (y, label) in scene.rows.iter().enumerate() {
        let y = EDGE + y as i32 * STEP + STEP / 2;
        let _ = write!(out, "<text x=\"{}\" y=\"{y}\">{}</text>", EDGE / 2, escape(label));
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_drawn_and_text_is_escaped() {
        let shapes =
            [Shape::Cross, Shape::Ring, Shape::Disc, Shape::Flat, Shape::Wall, Shape::Cap, Shape::Tile, Shape::Letter];
        let mut scene = Scene::grid(4, 2);
        for (i, shape) in shapes.into_iter().enumerate() {
            scene.put(i, Token::new(shape, Player::First, '<'));
        }
        scene.mark(0, Why::Hint, "▲3");
        scene.caption.push("a & b".into());
        let svg = scene.svg();
        assert_eq!(svg.matches("<g class=\"first\"").count(), 8);
        assert!(svg.contains("a &amp; b") && svg.contains("▲3") && svg.contains("&lt;</text>"));
        assert!(!svg.contains("& b"));
    }
}
