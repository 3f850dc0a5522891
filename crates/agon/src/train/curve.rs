//! A picture of shares over games, as SVG that follows the reader's light or dark preference.

use crate::output::grouped;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;

/// Dashes tell the lines apart without colour.
const DASHES: [&str; 3] = ["none", "8 5", "2 4"];

/// A picture being drawn.
pub(super) struct Curve {
    out: String,
    most: f64,
    lines: usize,
}

impl Curve {
    /// Axes: games up to `most` across, shares from 0 to 1 up.
    pub(super) fn new(title: &str, most: u64) -> Curve {
        let (full_width, full_height) = (WIDTH + LEFT + 30.0, HEIGHT + TOP + 60.0);
        let bottom = TOP + HEIGHT;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>\n\
             svg {{ background: #fff; color: #1a1a1a; font: 14px sans-serif }}\n\
             text {{ fill: currentColor }} .axis {{ stroke: currentColor; fill: none }}\n\
             .grid {{ stroke: currentColor; stroke-opacity: 0.15 }}\n\
             .line {{ stroke: #1f5fa8; stroke-width: 2; fill: none }}\n\
             @media (prefers-color-scheme: dark) {{ svg {{ background: #14171a; color: #e8e8e8 }}\n\
             .line {{ stroke: #7db8ff }} }}\n</style>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"18\">{title}</text>\n"
        );
        for quarter in 0..=4u32 {
            let share = f64::from(quarter) / 4.0;
            let (y, x) = (TOP + HEIGHT * (1.0 - share), LEFT + WIDTH * share);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y}h{WIDTH}M{x} {TOP}v{HEIGHT}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} %</text>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                LEFT - 8.0,
                y + 5.0,
                25 * quarter,
                bottom + 20.0,
                grouped(most * u64::from(quarter) / 4)
            );
        }
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}h{WIDTH}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">games played against itself</text>",
            LEFT + WIDTH / 2.0,
            bottom + 45.0
        );
        Curve { out, most: most.max(1) as f64, lines: 0 }
    }

    /// A line through shares after so many games.
    pub(super) fn line(&mut self, name: &str, points: &[(u64, f64)]) {
        let Some(&(last_games, last)) = points.last() else { return };
        let place = |games: u64, share: f64| (LEFT + WIDTH * games as f64 / self.most, TOP + HEIGHT * (1.0 - share));
        let mut path = String::new();
        for (i, &(games, share)) in points.iter().enumerate() {
            let (x, y) = place(games, share);
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let (x, y) = place(last_games, last);
        let dash = DASHES[self.lines % DASHES.len()];
        let _ = writeln!(
            self.out,
            "<path class=\"line\" stroke-dasharray=\"{dash}\" d=\"{path}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            y - 8.0
        );
        self.lines += 1;
    }

    /// The picture.
    pub(super) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}
