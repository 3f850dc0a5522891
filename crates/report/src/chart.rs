//! Charts as SVG that follow the reader's light or dark preference, readable without colour.

use crate::words::grouped;
use agon_core::scene::palette_css;
use std::fmt::Write as _;

const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;

/// Dashes tell lines apart without colour.
const DASHES: [&str; 3] = ["none", "8 5", "2 4"];

/// One axis, from zero to its end.
#[derive(Clone, Copy, Debug)]
pub struct Axis<'a> {
    /// The quantity on the axis.
    pub name: &'a str,
    /// The largest number on it.
    pub end: f64,
    /// True if its numbers are shares, written as percentages.
    pub share: bool,
}

impl<'a> Axis<'a> {
    /// Numbers from zero to `end`.
    #[must_use]
    pub fn to(name: &'a str, end: f64) -> Axis<'a> {
        Axis { name, end: end.max(1.0), share: false }
    }

    /// Shares from 0 to 100 %.
    #[must_use]
    pub fn share(name: &'a str) -> Axis<'a> {
        Axis { name, end: 1.0, share: true }
    }

    /// Round numbers from zero to the end.
    fn ticks(&self) -> Vec<(f64, String)> {
        if self.share {
            return (0..=4).map(|n| (f64::from(n) / 4.0, format!("{} %", 25 * n))).collect();
        }
        let rough = self.end / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough).max(1.0);
        let ticks = (0..).map(move |i| f64::from(i) * step).take_while(|tick| *tick <= self.end);
        ticks.map(|tick| (tick, grouped(tick as u64))).collect()
    }
}

/// A chart being drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    out: String,
    size: (f64, f64),
    ends: (f64, f64),
    lines: usize,
}

impl Chart {
    /// Axes and a title; `size` is that of the area between the axes.
    #[must_use]
    pub fn new(title: &str, size: (f64, f64), across: Axis<'_>, up: Axis<'_>) -> Chart {
        let (wide, high) = size;
        let bottom = TOP + high;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{title}</title>\n<style>\n{}\n\
             svg {{ background: var(--paper); color: var(--ink); font: 14px sans-serif }}\n\
             text {{ fill: currentColor }} .axis {{ stroke: currentColor; fill: none }}\n\
             .grid {{ stroke: currentColor; stroke-opacity: 0.15 }} .cells {{ fill: var(--first) }}\n\
             .line {{ stroke: var(--first); stroke-width: 2; fill: none }} .dots {{ stroke-linecap: round }}\n</style>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"18\">{title}</text>\n",
            wide + LEFT + 30.0,
            high + TOP + 60.0,
            palette_css()
        );
        let mut chart = Chart { out: String::new(), size, ends: (across.end, up.end), lines: 0 };
        for (tick, text) in across.ticks() {
            let x = chart.x(tick);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 20.0
            );
        }
        for (tick, text) in up.ticks() {
            let y = chart.y(tick);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{wide:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                y + 5.0
            );
        }
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}h{wide}\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            LEFT + wide / 2.0,
            bottom + 45.0,
            across.name,
            TOP + high / 2.0,
            up.name
        );
        chart.out = out;
        chart
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.ends.0 * self.size.0
    }

    fn y(&self, value: f64) -> f64 {
        TOP + self.size.1 - value / self.ends.1 * self.size.1
    }

    /// A dot for each point.
    pub fn dots(&mut self, points: impl Iterator<Item = (f64, f64)>) {
        let mut path = String::new();
        for (x, y) in points {
            let _ = write!(path, "M{:.1} {:.1}h0", self.x(x), self.y(y));
        }
        let _ = writeln!(self.out, "<path class=\"line dots\" d=\"{path}\"/>");
    }

    /// A thin bar from zero for each point.
    pub fn bars(&mut self, points: impl Iterator<Item = (f64, f64)>) {
        let mut path = String::new();
        for (x, y) in points {
            let _ = write!(path, "M{:.1} {:.1}V{:.1}", self.x(x), self.y(0.0), self.y(y));
        }
        let _ = writeln!(self.out, "<path class=\"line\" d=\"{path}\"/>");
    }

    /// A line through the points, with its name at the end. Each line has dashes of its own.
    pub fn line(&mut self, name: &str, points: &[(f64, f64)]) {
        let Some(&last) = points.last() else { return };
        let mut path = String::new();
        for (i, &(x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, self.x(x), self.y(y));
        }
        let dash = DASHES[self.lines % DASHES.len()];
        let _ = writeln!(
            self.out,
            "<path class=\"line\" stroke-dasharray=\"{dash}\" d=\"{path}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            self.x(last.0),
            self.y(last.1) - 8.0
        );
        self.lines += 1;
    }

    /// A grid of `columns`, each of as many cells, from the bottom upwards; the fuller a cell, the stronger its colour.
    pub fn cells(&mut self, columns: usize, rows: usize, counts: &[u32], what: &str) {
        let most = counts.iter().copied().max().unwrap_or(1).max(1);
        let (wide, high) = (self.size.0 / columns as f64, self.size.1 / rows as f64);
        let _ = writeln!(self.out, "<g class=\"cells\" shape-rendering=\"crispEdges\">");
        for (cell, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (column, row) = ((cell % columns) as f64, (cell / columns) as f64);
            let shade = 0.08 + 0.92 * f64::from(count).ln_1p() / f64::from(most).ln_1p();
            let (x, y) = (LEFT + column * wide, TOP + self.size.1 - (row + 1.0) * high);
            let _ = writeln!(
                self.out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{high}\" opacity=\"{shade:.2}\"/>"
            );
        }
        let _ = writeln!(
            self.out,
            "</g>\n<text x=\"{}\" y=\"28\" text-anchor=\"end\">full colour: {} {what}</text>",
            LEFT + self.size.0,
            grouped(most)
        );
    }

    /// The picture.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_axes_a_title_and_both_colour_schemes() {
        let mut chart = Chart::new("title", (300.0, 200.0), Axis::to("games", 1000.0), Axis::share("score"));
        chart.line("one", &[(0.0, 0.25), (1000.0, 0.5)]);
        chart.line("two", &[(0.0, 0.5)]);
        chart.line("none", &[]);
        chart.dots([(0.0, 0.0)].into_iter());
        chart.bars([(500.0, 1.0)].into_iter());
        chart.cells(2, 2, &[0, 1, 2, 3], "heaps");
        let svg = chart.finish();
        assert!(svg.contains("<title>title</title>") && svg.contains("prefers-color-scheme"), "{svg}");
        assert!(svg.contains(">75 %<") && svg.contains(">800<") && svg.contains("M70.0 200.0L370.0 150.0"), "{svg}");
        assert!(svg.contains("stroke-dasharray=\"8 5\"") && svg.contains("full colour: 3 heaps"), "{svg}");
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
    }
}
