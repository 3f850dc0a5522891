//! Draws a scene as SVG.

use crate::scene::{Board, Place, Scene, Shape, Sides, Token, Why};
use crate::words::Player;
use std::fmt::Write as _;

/// Pixels per step, and around the board.
const STEP: i32 = 64;
const EDGE: i32 = 36;
/// Pixels around the board in a page, where there are no labels.
const MARGIN: i32 = 8;
/// The greatest height of a stack above its lowest piece, so that it stays on its square.
const TALLEST: i32 = 20;

/// The colours of boards and charts: name, in light, in dark.
pub(crate) const PALETTE: &[(&str, &str, &str)] = &[
    ("ink", "#222", "#eee"),
    ("paper", "#fbfaf7", "#1c1d20"),
    ("line", "#8a857b", "#77736a"),
    ("slab", "#efe6d5", "#746a59"),
    ("slab-odd", "#e4d8c1", "#685f4e"),
    ("first", "#1f5fa8", "#7db4f0"),
    ("second", "#b4471f", "#f0946c"),
    ("neutral", "#6d6a64", "#a5a199"),
    ("tile", "#a9814b", "#c29a63"),
    ("white", "#fffdf7", "#f1ebde"),
    ("black", "#33312e", "#0c0b0a"),
    ("rim", "#4b4741", "#8d877c"),
    ("mark", "#f3dfa2", "#574a1c"),
];

/// The palette as variables, so a page can set its own; the defaults follow the reader's preference.
pub(crate) fn palette_css() -> String {
    let set = |of: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        let each = PALETTE.iter().map(|colour| format!("--{}:{}", colour.0, of(colour)));
        each.collect::<Vec<_>>().join(";")
    };
    let (light, dark) = (set(|colour| colour.1), set(|colour| colour.2));
    format!(":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}")
}

/// The way to draw a board with these colours.
const STYLE: &str = "\
.bg{fill:var(--paper)}\
.line{stroke:var(--line);stroke-width:3;stroke-linecap:round}.sq{fill:none;stroke:var(--line);stroke-width:2}\
.slab{fill:var(--slab)}.slab.odd{fill:var(--slab-odd)}.rack{fill:var(--slab-odd)}.hole{fill:var(--paper)}\
.first{color:var(--first)}.second{color:var(--second)}.neutral{color:var(--neutral)}\
.neutral.tile{color:var(--tile)}.join{fill:var(--tile)}.bw .first{color:var(--white)}.bw .second{color:var(--black)}\
.pen{fill:none;stroke:currentColor;stroke-width:7;stroke-linecap:round}.man{fill:currentColor;stroke:var(--rim);stroke-width:2}\
.tile .man{stroke:none}.under .man{stroke-width:.7}.groove{fill:none;stroke:var(--rim);stroke-opacity:.45;stroke-width:2}\
.mark{fill:var(--mark)}.decisive{stroke:var(--ink);stroke-width:3}.dot{fill:var(--line)}\
text{fill:var(--ink);font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}\
.glyph{font-size:34px;font-weight:600;fill:currentColor}.note{font-size:13px;font-weight:600}\
.tall{fill:var(--paper);stroke:var(--rim)}.many{font-size:10px;font-weight:600}\
.caption{font-size:14px;text-anchor:start}";

pub(crate) fn draw(scene: &Scene) -> String {
    // Wide enough for the board and for the longest line of text below it.
    let text_wide = scene.caption.iter().map(|line| line.chars().count() as i32 * 8).max().unwrap_or(0);
    let (wide, board_high) = ((scene.size.0 * STEP).max(text_wide) + 2 * EDGE, scene.size.1 * STEP + 2 * EDGE);
    let high = board_high + 24 * scene.caption.len() as i32;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\"{}>\
         <title>{}</title><style>{}</style><rect class=\"bg\" width=\"{wide}\" height=\"{high}\"/>",
        sides(scene, ""),
        escape(&describe(scene)),
        style_css()
    );
    picture(&mut out, scene);
    labels(&mut out, scene, EDGE, 14);
    for (i, line) in scene.caption.iter().enumerate() {
        let y = board_high + 4 + 22 * i as i32;
        let _ = write!(out, "<text class=\"caption\" x=\"{EDGE}\" y=\"{y}\">{}</text>", escape(line));
    }
    out.push_str("</svg>\n");
    out
}

pub(crate) fn draw_in_page(scene: &Scene, targets: bool) -> String {
    draw_inside(scene, targets, "").0
}

/// Draws a scene as part of a picture: at `x`, `y`, and `width` wide; returns its height too.
pub(crate) fn draw_at(scene: &Scene, x: i32, y: i32, width: i32) -> (String, i32) {
    let (wide, high) = draw_inside(scene, false, "").1;
    let height = (width * high + wide / 2) / wide;
    let place = format!(" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    (draw_inside(scene, false, &place).0, height)
}

/// The style of boards, with the palette.
pub(crate) fn style_css() -> String {
    palette_css() + STYLE
}

/// The picture with some attributes, and its size.
fn draw_inside(scene: &Scene, targets: bool, attributes: &str) -> (String, (i32, i32)) {
    // Margins only where labels stand. A small board is drawn larger, and its labels with it: they begin smaller.
    let letters = (2 * scene.size.0.max(scene.size.1)).clamp(8, 14);
    let room = |labelled: bool| if labelled && scene.board != Board::Tray { 2 * letters + 4 } else { MARGIN };
    let (left, below) = (room(!scene.rows.is_empty()), room(!scene.columns.is_empty()));
    let (x, y) = (EDGE - left, EDGE - MARGIN);
    let (wide, high) = (scene.size.0 * STEP + left + MARGIN, scene.size.1 * STEP + below + MARGIN);
    let role = if targets { "role=\"group\"" } else { "aria-hidden=\"true\"" };
    let mut out = format!("<svg{attributes} viewBox=\"{x} {y} {wide} {high}\" {role}{}>", sides(scene, "board "));
    picture(&mut out, scene);
    labels(&mut out, scene, 2 * letters + 4, letters);
    if !targets {
        return (out + "</svg>", (wide, high));
    }
    out.push_str("<g class=\"over\"></g><g class=\"hits\">");
    for (index, place) in scene.places.iter().enumerate() {
        let (x, y) = centre(place);
        let data = format!("class=\"hit\" data-place=\"{index}\" data-x=\"{x}\" data-y=\"{y}\"");
        let said = escape(&scene.describe(index));
        let half = STEP / 2;
        let _ = match scene.board {
            Board::Points => write!(out, "<circle {data} cx=\"{x}\" cy=\"{y}\" r=\"{half}\""),
            _ => {
                let (x, y) = (x - half, y - half);
                write!(out, "<rect {data} x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\"")
            }
        };
        let _ = write!(out, " role=\"button\" tabindex=\"-1\" aria-label=\"{said}\"><title>{said}</title>");
        out.push_str(if scene.board == Board::Points { "</circle>" } else { "</rect>" });
    }
    out.push_str("</g></svg>");
    (out, (wide, high))
}

/// The class of the whole picture.
fn sides(scene: &Scene, class: &str) -> String {
    let kind = if scene.board == Board::Rack { "upright " } else { "" };
    let sides = if scene.sides == Sides::LightAndDark { "bw" } else { "" };
    match format!("{class}{kind}{sides}").trim_end() {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    }
}

/// The board with everything on it.
fn picture(out: &mut String, scene: &Scene) {
    board(out, scene);
    marks(out, scene);
    if scene.board == Board::Points {
        points(out, scene);
    }
    for (index, place) in scene.places.iter().enumerate() {
        let note = scene.mark_of(index).map_or("", |mark| mark.note.as_str());
        stack(out, index, place, note);
    }
    if scene.board == Board::Squares {
        joins(out, scene);
    }
}

/// The description for screen readers: every place that is not empty.
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
            Board::Points => write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{half}\"/>"),
            Board::Rack => write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"29\"/>"),
            _ => {
                let (x, y) = (x - half, y - half);
                write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\"/>")
            }
        };
    }
}

fn board(out: &mut String, scene: &Scene) {
    match scene.board {
        Board::Squares | Board::Slab => {
            for place in &scene.places {
                let (x, y) = (EDGE + place.x * STEP, EDGE + place.y * STEP);
                let (class, inset) = match scene.board {
                    Board::Slab if (place.x + place.y) % 2 == 1 => ("slab odd", 1),
                    Board::Slab => ("slab", 1),
                    _ => ("sq", 0),
                };
                let (x, y, side) = (x + inset, y + inset, STEP - 2 * inset);
                let _ = write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>");
            }
        }
        Board::Rack => {
            let (wide, high) = (scene.size.0 * STEP, scene.size.1 * STEP);
            let _ = write!(
                out,
                "<rect class=\"rack\" x=\"{EDGE}\" y=\"{EDGE}\" width=\"{wide}\" height=\"{high}\" rx=\"8\"/>"
            );
            for (x, y) in scene.places.iter().map(centre) {
                let _ = write!(out, "<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"26\"/>");
            }
        }
        Board::Tray => {}
        Board::Points => {
            for &(a, b) in &scene.lines {
                let ((ax, ay), (bx, by)) = (centre(&scene.places[a]), centre(&scene.places[b]));
                let _ = write!(out, "<path class=\"line\" d=\"M{ax} {ay}L{bx} {by}\"/>");
            }
        }
    }
}

fn points(out: &mut String, scene: &Scene) {
    for place in &scene.places {
        let (x, y) = centre(place);
        let _ = write!(out, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
    }
}

/// Each further token of a stack stands a little higher; tall stacks are pressed together, and say how tall they are.
fn stack(out: &mut String, index: usize, place: &Place, note: &str) {
    let (x, y) = centre(place);
    let levels = place.stack.len().saturating_sub(1) as i32;
    // In tenths of a pixel.
    let rise = if levels == 0 { 0 } else { 80.min(10 * TALLEST / levels) };
    if !place.stack.is_empty() {
        let _ = write!(out, "<g class=\"stack\" data-at=\"{index}\">");
        for (level, &token) in place.stack.iter().enumerate() {
            let tenths = 10 * y + rise * levels / 2 - rise * level as i32;
            let at =
                if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) };
            // In a tall stack only the top has a strong rim, so that the colours below stay visible.
            let under = if levels >= 2 && (level as i32) < levels { " under" } else { "" };
            let _ = write!(out, "<g class=\"{}{under}\" transform=\"translate({x} {at})\">", class(token));
            shape(out, token);
            out.push_str("</g>");
        }
        out.push_str("</g>");
    }
    if levels >= 2 {
        let (x, y) = (x + STEP / 2 - 9, y + STEP / 2 - 9);
        let _ = write!(out, "<circle class=\"tall\" cx=\"{x}\" cy=\"{y}\" r=\"8\"/>");
        let _ = write!(out, "<text class=\"many\" x=\"{x}\" y=\"{y}\">{}</text>", levels + 1);
    }
    if !note.is_empty() {
        let y = if place.stack.is_empty() { y } else { y + STEP / 2 - 8 };
        let _ = write!(out, "<text class=\"note\" x=\"{x}\" y=\"{y}\">{}</text>", escape(note));
    }
}

/// A tile is one piece, however many cells it covers: what lies between two of them belongs to it.
fn joins(out: &mut String, scene: &Scene) {
    let covered = |place: &Place| place.stack.last().is_some_and(|token| token.shape == Shape::Tile);
    for &(a, b) in &scene.lines {
        let (Some(a), Some(b)) = (scene.places.get(a), scene.places.get(b)) else { continue };
        if covered(a) && covered(b) && (a.x - b.x).abs() + (a.y - b.y).abs() == 1 {
            let ((ax, ay), (bx, by)) = (centre(a), centre(b));
            let (x, y) = ((ax + bx) / 2, (ay + by) / 2);
            let (wide, high) = if a.y == b.y { (12, 60) } else { (60, 12) };
            let _ = write!(
                out,
                "<rect class=\"join\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{high}\"/>",
                x - wide / 2,
                y - high / 2
            );
        }
    }
}

/// Whose it is, and what it looks like.
fn class(token: Token) -> String {
    let owner = match token.owner {
        Some(Player::First) => "first",
        Some(Player::Second) => "second",
        None => "neutral",
    };
    let shape = match token.shape {
        Shape::Cross => "cross",
        Shape::Ring => "ring",
        Shape::Disc => "disc",
        Shape::Flat => "flat",
        Shape::Wall => "wall",
        Shape::Cap => "cap",
        Shape::Tile => "tile",
        Shape::Letter => "letter",
    };
    format!("{owner} {shape}")
}

fn shape(out: &mut String, token: Token) {
    let _ = match token.shape {
        Shape::Cross => write!(out, "<path class=\"pen\" d=\"M-17-17L17 17M17-17L-17 17\"/>"),
        Shape::Ring => write!(out, "<circle class=\"pen\" r=\"18\"/>"),
        Shape::Disc => write!(out, "<circle class=\"man\" r=\"23\"/><circle class=\"groove\" r=\"15\"/>"),
        Shape::Flat => write!(out, "<rect class=\"man\" x=\"-21\" y=\"-21\" width=\"42\" height=\"42\" rx=\"5\"/>"),
        Shape::Wall => write!(
            out,
            "<rect class=\"man\" x=\"-8\" y=\"-27\" width=\"16\" height=\"54\" rx=\"3\" transform=\"rotate(38)\"/>"
        ),
        Shape::Cap => write!(
            out,
            "<path class=\"man\" d=\"M-17 21L-12-9A12 12 0 0 1 12-9L17 21Z\"/><path class=\"groove\" d=\"M-13 2H13\"/>"
        ),
        Shape::Tile => write!(out, "<rect class=\"man\" x=\"-30\" y=\"-30\" width=\"60\" height=\"60\" rx=\"3\"/>"),
        Shape::Letter => write!(out, "<text class=\"glyph\">{}</text>", escape(&token.letter.to_string())),
    };
}

/// Names of rows and columns, in the middle of the room beside the board.
fn labels(out: &mut String, scene: &Scene, room: i32, letters: i32) {
    if scene.board == Board::Tray {
        return;
    }
    let _ = write!(out, "<g font-size=\"{letters}\">");
    let bottom = EDGE + scene.size.1 * STEP + room / 2;
    for (x, label) in scene.columns.iter().enumerate() {
        let x = EDGE + x as i32 * STEP + STEP / 2;
        let _ = write!(out, "<text x=\"{x}\" y=\"{bottom}\">{}</text>", escape(label));
    }
    for (y, label) in scene.rows.iter().enumerate() {
        let (x, y) = (EDGE - room / 2, EDGE + y as i32 * STEP + STEP / 2);
        let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(label));
    }
    out.push_str("</g>");
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
        assert_eq!(svg.matches("<g class=\"first ").count(), 8);
        assert!(svg.contains("a &amp; b") && svg.contains("▲3") && svg.contains("&lt;</text>"));
        assert!(!svg.contains("& b"));
        let in_page = scene.svg_in_page();
        assert_eq!(in_page.matches("class=\"hit\"").count(), 8);
        assert!(!in_page.contains("<style>") && in_page.contains("aria-label=\"a2, cross\""));
    }

    #[test]
    fn stacks_stay_on_their_square_and_tiles_hang_together() {
        let mut scene = Scene::grid(2, 1);
        (0..30).for_each(|_| scene.put(0, Token::new(Shape::Flat, Player::First, 'o')));
        let svg = scene.svg_in_page();
        assert_eq!(svg.matches("<g class=\"stack\"").count(), 1);
        // The middle of the square is at 68; a stone is 42 high.
        let heights = svg.split("translate(68 ").skip(1).filter_map(|rest| rest.split(')').next()?.parse::<f64>().ok());
        assert!(heights.clone().count() == 30 && heights.into_iter().all(|y| (y - 68.0).abs() <= 10.5), "{svg}");
        assert!(svg.contains("<text class=\"many\" x=\"91\" y=\"91\">30</text>"));

        let mut scene = Scene::grid(2, 2);
        (0..4).for_each(|i| scene.put(i, Token::neutral(Shape::Tile, '#')));
        scene.lines = vec![(0, 1), (0, 2), (0, 3), (0, 9)];
        assert_eq!(scene.svg_in_page().matches("class=\"join\"").count(), 2);
    }

    #[test]
    fn a_rack_has_a_hole_for_every_place() {
        let mut scene = Scene::grid(3, 2);
        scene.board = Board::Rack;
        let svg = scene.svg_in_page();
        assert!(svg.matches("class=\"hole\"").count() == 6 && svg.contains("class=\"board upright\""));
    }
}
