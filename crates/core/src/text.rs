//! Draws a scene as text.

use crate::scene::{Board, Place, Scene};

pub(crate) fn draw(scene: &Scene) -> String {
    let mut out = match scene.board {
        Board::Squares | Board::Slab | Board::Rack | Board::Tray => squares(scene),
        Board::Points => points(scene),
    };
    for line in scene.legend.iter().chain(&scene.caption) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Of a stack higher than this only the top is drawn, after the number of pieces below: `92+○○●○●○●○`.
const HIGHEST: usize = 10;
const TOP: usize = 8;

/// The tokens on a place, bottom first; the note of its mark if it is empty.
fn content(scene: &Scene, index: usize) -> String {
    let tokens = &scene.places[index].stack;
    let below = if tokens.len() > HIGHEST { tokens.len() - TOP } else { 0 };
    let shown: String = tokens[below..].iter().map(|token| token.letter).collect();
    let stack = if below > 0 { format!("{below}+{shown}") } else { shown };
    let note = scene.mark_of(index).map_or("", |mark| mark.note.as_str());
    match (stack.is_empty(), note.is_empty()) {
        (true, _) => note.to_string(),
        (false, true) => stack,
        (false, false) => format!("{stack} {note}"),
    }
}

fn width_of(text: &str) -> usize {
    text.chars().count()
}

fn squares(scene: &Scene) -> String {
    let (columns, rows) = (scene.size.0 as usize, scene.size.1 as usize);
    let mut cells: Vec<Option<(String, bool)>> = vec![None; columns * rows];
    for (index, place) in scene.places.iter().enumerate() {
        let cell = place.y as usize * columns + place.x as usize;
        cells[cell] = Some((content(scene, index), scene.mark_of(index).is_some()));
    }
    let inner = cells.iter().flatten().map(|(text, _)| width_of(text)).max().unwrap_or(0).max(1);
    let margin = scene.rows.iter().map(|label| width_of(label)).max().unwrap_or(0);
    let rows: Vec<&[Option<(String, bool)>]> = cells.chunks(columns).collect();
    let mut out = String::new();
    for (y, row) in rows.iter().enumerate() {
        if y > 0 {
            let here = |x: usize| rows[y - 1][x].is_some() && row[x].is_some();
            let line = joined(columns, here, "┼", |x| if here(x) { "─" } else { " " }.repeat(inner + 2));
            if !line.trim().is_empty() {
                push_line(&mut out, &format!("{:margin$} {line}", ""));
            }
        }
        let label = scene.rows.get(y).map_or("", String::as_str);
        let cell = |x: usize| row[x].as_ref().map_or_else(|| " ".repeat(inner + 2), |cell| padded(cell, inner));
        let line = joined(columns, |x| row[x].is_some(), "│", cell);
        push_line(&mut out, &format!("{label:>margin$} {line}"));
    }
    if !scene.columns.is_empty() {
        let labels: Vec<String> = scene.columns.iter().map(|label| padded(&(label.clone(), false), inner)).collect();
        push_line(&mut out, &format!("{:margin$} {}", "", labels.join(" ")));
    }
    out
}

/// Cells side by side, with a line between two that are there.
fn joined(columns: usize, there: impl Fn(usize) -> bool, line: &str, cell: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for x in 0..columns {
        if x > 0 {
            out.push_str(if there(x - 1) && there(x) { line } else { " " });
        }
        out.push_str(&cell(x));
    }
    out
}

/// Centred in its cell; a marked one in brackets.
fn padded((text, marked): &(String, bool), inner: usize) -> String {
    let (left, right) = if *marked { ('[', ']') } else { (' ', ' ') };
    format!("{left}{text:^inner$}{right}")
}

/// Without blanks at the end of the line.
fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Characters per step on a board of points.
const ACROSS: i32 = 4;
const DOWN: i32 = 2;

fn points(scene: &Scene) -> String {
    let margin = scene.rows.iter().map(|label| width_of(label)).max().map_or(0, |w| w + 1);
    let wide = ((scene.size.0 - 1) * ACROSS + 4) as usize;
    let high = ((scene.size.1 - 1) * DOWN + 1) as usize;
    let mut canvas = vec![vec![' '; wide]; high];
    for &(from, to) in &scene.lines {
        join(&mut canvas, &scene.places[from], &scene.places[to]);
    }
    for (index, place) in scene.places.iter().enumerate() {
        let (x, y) = ((place.x * ACROSS + 1) as usize, (place.y * DOWN) as usize);
        let text = content(scene, index);
        let shown = if text.is_empty() { "·".to_string() } else { text };
        let marked = scene.mark_of(index).is_some();
        if marked {
            canvas[y][x - 1] = '[';
        }
        for (i, c) in shown.chars().chain(marked.then_some(']')).enumerate() {
            if let Some(slot) = canvas[y].get_mut(x + i) {
                *slot = c;
            }
        }
    }
    let mut out = String::new();
    for (y, row) in canvas.iter().enumerate() {
        let label = if y as i32 % DOWN == 0 { scene.rows.get(y / DOWN as usize) } else { None };
        let label = label.map_or("", String::as_str);
        push_line(&mut out, &format!("{label:<margin$}{}", row.iter().collect::<String>()));
    }
    if !scene.columns.is_empty() {
        let labels: String = scene.columns.iter().map(|label| format!(" {label:<3}")).collect();
        push_line(&mut out, &format!("{:margin$}{labels}", ""));
    }
    out
}

/// Draws a line as characters, stepping along its longer side.
fn join(canvas: &mut [Vec<char>], a: &Place, b: &Place) {
    let (ax, ay) = (a.x * ACROSS + 1, a.y * DOWN);
    let (dx, dy) = (b.x * ACROSS + 1 - ax, b.y * DOWN - ay);
    let steps = dx.abs().max(dy.abs());
    let stroke = match (dx.signum() * dy.signum(), dx) {
        (1, _) => '╲',
        (-1, _) => '╱',
        (_, 0) => '│',
        _ => '─',
    };
    // A slanted line takes one character per row, so that strokes meet at their ends.
    let stride = if dx != 0 && dy != 0 { (steps / dy.abs()).max(1) } else { 1 };
    for step in (1..steps).filter(|step| stride == 1 || step % stride == 0) {
        let (x, y) = (ax + dx * step / steps, ay + dy * step / steps);
        let slot = &mut canvas[y as usize][x as usize];
        *slot = match (*slot, stroke) {
            ('╲', '╱') | ('╱', '╲') => '╳',
            _ => stroke,
        };
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::{Scene, Shape, Token, Why};
    use crate::words::Player;

    #[test]
    fn marked_squares_stand_in_brackets() {
        let mut scene = Scene::grid(2, 2);
        scene.put(0, Token::new(Shape::Ring, Player::Second, 'O'));
        scene.mark(0, Why::Last, "");
        scene.caption.push("x to move".into());
        assert_eq!(scene.text(), "2 [O]│\n  ───┼───\n1    │\n   a   b\nx to move\n");
    }

    #[test]
    fn stacks_widen_every_cell() {
        let mut scene = Scene::grid(2, 1);
        scene.put(0, Token::new(Shape::Flat, Player::First, 'w'));
        scene.put(0, Token::new(Shape::Flat, Player::Second, 'b'));
        scene.put(0, Token::new(Shape::Cap, Player::First, 'C'));
        assert_eq!(scene.text(), "1  wbC │\n    a     b\n");
    }

    #[test]
    fn nothing_is_drawn_where_there_is_no_place() {
        let mut scene = Scene::grid(3, 3);
        scene.places.retain(|place| place.y != 1 && (place.x, place.y) != (2, 2));
        (scene.rows, scene.columns) = (vec!["1:".into(), String::new(), "2:".into()], Vec::new());
        scene.put(0, Token::neutral(Shape::Disc, 'o'));
        assert_eq!(scene.text(), "1:  o │   │\n\n2:    │\n");
    }

    #[test]
    fn points_are_joined_by_lines() {
        let points = [(0, 0, "a2"), (1, 0, "b2"), (0, 1, "a1"), (1, 1, "b1")];
        let mut scene = Scene::points(&points, &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]);
        scene.rows = vec!["2".into(), "1".into()];
        scene.columns = vec!["a".into(), "b".into()];
        scene.put(3, Token::new(Shape::Disc, Player::First, 'X'));
        assert_eq!(scene.text(), "2  ·───·\n   │ ╲ │\n1  ·───X\n   a   b\n");
    }
}
