//! Pictures of a sequence, as SVG that follows the reader's light or dark preference.

use crate::failure::Failure;
use crate::output::grouped;
use agon_core::Code;
use agon_solve::grundy::{Grundy, Stats};
use std::fmt::Write as _;
use std::path::PathBuf;

/// What to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A point for each heap.
    Values,
    /// How often each value occurs.
    Frequency,
    /// How many heaps fall into each small square.
    Density,
}

/// What to draw, and where to write it.
#[derive(Debug)]
pub(super) struct Request {
    kind: Kind,
    pub(super) file: PathBuf,
}

impl Request {
    /// `FILE.svg`, `KIND:FILE.svg`, or `KIND` alone, for a file named after the code.
    pub(super) fn read(text: &str, code: &Code) -> Result<Request, Failure> {
        let kind = |word: &str| match word {
            "values" => Some(Kind::Values),
            "freq" => Some(Kind::Frequency),
            "density" => Some(Kind::Density),
            _ => None,
        };
        if let Some(found) = kind(text) {
            return Ok(Request { kind: found, file: PathBuf::from(format!("grundy-{code}-{text}.svg")) });
        }
        let (found, file) = match text.split_once(':').and_then(|(word, file)| Some((kind(word)?, file))) {
            Some(both) => both,
            None => (Kind::Values, text),
        };
        if !file.ends_with(".svg") || file == ".svg" {
            let given = agon_core::family::shorten(text);
            return Err(Failure::Usage(format!(
                "invalid plot `{given}`: expected FILE.svg, or values, freq or density, alone or as KIND:FILE.svg"
            )));
        }
        Ok(Request { kind: found, file: PathBuf::from(file) })
    }

    /// The picture.
    pub(super) fn draw(&self, grundy: &Grundy) -> String {
        match self.kind {
            Kind::Values if grundy.len() <= MOST_POINTS => values(grundy),
            Kind::Values | Kind::Density => density(grundy),
            Kind::Frequency => frequency(grundy),
        }
    }
}

/// More points than this are drawn as densities.
const MOST_POINTS: usize = 40_000;
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
/// Squares of a density picture.
const COLUMNS: usize = 200;
const ROWS: usize = 120;

struct Frame {
    out: String,
    across: f64,
    up: f64,
}

impl Frame {
    fn new(title: &str, (x_name, across): (&str, f64), (y_name, up): (&str, f64)) -> Frame {
        let (full_width, full_height) = (WIDTH + LEFT + 30.0, HEIGHT + TOP + 60.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>\n\
             svg {{ background: #fff; color: #1a1a1a; font: 14px sans-serif }}\n\
             .ink {{ fill: currentColor }} .axis {{ stroke: currentColor; fill: none }}\n\
             .dots {{ stroke: #1f5fa8; stroke-width: 2; stroke-linecap: round; fill: none }}\n\
             .cells {{ fill: #1f5fa8 }} .grid {{ stroke: currentColor; stroke-opacity: 0.15 }}\n\
             @media (prefers-color-scheme: dark) {{ svg {{ background: #14171a; color: #e8e8e8 }}\n\
             .dots {{ stroke: #7db8ff }} .cells {{ fill: #7db8ff }} }}\n</style>\n\
             <text class=\"ink\" x=\"{LEFT}\" y=\"28\" font-size=\"18\">{title}</text>\n"
        );
        let (across, up) = (across.max(1.0), up.max(1.0));
        let frame = Frame { out: String::new(), across, up };
        for tick in ticks(across) {
            let (x, bottom) = (frame.x(tick), TOP + HEIGHT);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {TOP}V{bottom}\"/><text class=\"ink\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 20.0,
                grouped(tick as u64)
            );
        }
        for tick in ticks(up) {
            let y = frame.y(tick);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT + WIDTH,
                LEFT - 8.0,
                y + 5.0,
                grouped(tick as u64)
            );
        }
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{}H{}\"/>", TOP + HEIGHT, LEFT + WIDTH);
        let _ = writeln!(
            out,
            "<text class=\"ink\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{x_name}</text>",
            LEFT + WIDTH / 2.0,
            TOP + HEIGHT + 45.0
        );
        let _ = writeln!(
            out,
            "<text class=\"ink\" transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{y_name}</text>",
            TOP + HEIGHT / 2.0
        );
        Frame { out, ..frame }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.across * WIDTH
    }

    fn y(&self, value: f64) -> f64 {
        TOP + HEIGHT - value / self.up * HEIGHT
    }

    fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// Round numbers from zero to `end`.
fn ticks(end: f64) -> impl Iterator<Item = f64> {
    let rough = end / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough).max(1.0);
    (0..).map(move |i| f64::from(i) * step).take_while(move |tick| *tick <= end)
}

fn largest(grundy: &Grundy) -> u32 {
    grundy.values().max().unwrap_or(0)
}

fn values(grundy: &Grundy) -> String {
    let title = format!("Grundy values of {}, heaps 0 to {}", grundy.code(), grouped(grundy.len() - 1));
    let mut frame = Frame::new(&title, ("heap", grundy.len() as f64), ("Grundy value", f64::from(largest(grundy))));
    let mut path = String::new();
    for (n, v) in grundy.values().enumerate() {
        let _ = write!(path, "M{:.1} {:.1}h0", frame.x(n as f64), frame.y(f64::from(v)));
    }
    let _ = writeln!(frame.out, "<path class=\"dots\" d=\"{path}\"/>");
    frame.finish()
}

fn frequency(grundy: &Grundy) -> String {
    let title = format!("How often each value of {} occurs, heaps 0 to {}", grundy.code(), grouped(grundy.len() - 1));
    let frequencies = Stats::of(grundy.values()).map(|stats| stats.frequencies).unwrap_or_default();
    let most = frequencies.first().map_or(1, |f| f.1);
    let mut frame = Frame::new(&title, ("Grundy value", f64::from(largest(grundy)) + 1.0), ("heaps", most as f64));
    let mut path = String::new();
    for (value, count) in frequencies {
        let _ =
            write!(path, "M{:.1} {:.1}V{:.1}", frame.x(f64::from(value) + 0.5), TOP + HEIGHT, frame.y(count as f64));
    }
    let _ = writeln!(frame.out, "<path class=\"dots\" style=\"stroke-linecap:butt\" d=\"{path}\"/>");
    frame.finish()
}

fn density(grundy: &Grundy) -> String {
    let title = format!("Density of the values of {}, heaps 0 to {}", grundy.code(), grouped(grundy.len() - 1));
    let (across, up) = (grundy.len(), largest(grundy) as usize + 1);
    let mut count = vec![0u32; COLUMNS * ROWS];
    for (n, v) in grundy.values().enumerate() {
        count[(v as usize * ROWS / up) * COLUMNS + n * COLUMNS / across] += 1;
    }
    let most = f64::from(count.iter().copied().max().unwrap_or(1).max(1));
    let mut frame = Frame::new(&title, ("heap", across as f64), ("Grundy value", up as f64));
    let (w, h) = (WIDTH / COLUMNS as f64, HEIGHT / ROWS as f64);
    let _ = writeln!(frame.out, "<g class=\"cells\" shape-rendering=\"crispEdges\">");
    for (cell, &count) in count.iter().enumerate().filter(|(_, c)| **c > 0) {
        let (column, row) = ((cell % COLUMNS) as f64, (cell / COLUMNS) as f64);
        let shade = 0.08 + 0.92 * f64::from(count).ln_1p() / most.ln_1p();
        let (x, y) = (LEFT + column * w, TOP + HEIGHT - (row + 1.0) * h);
        let _ = writeln!(
            frame.out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w}\" height=\"{h}\" opacity=\"{shade:.2}\"/>"
        );
    }
    let _ = writeln!(
        frame.out,
        "</g>\n<text class=\"ink\" x=\"{}\" y=\"28\" text-anchor=\"end\">full colour: {} heaps</text>",
        LEFT + WIDTH,
        grouped(most as u64)
    );
    frame.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::Ctx;
    use agon_solve::grundy::Method;

    #[test]
    fn requests_are_read() {
        let code: Code = "0.007".parse().expect("a code");
        let read = |text: &str| Request::read(text, &code).map(|r| (r.kind, r.file.display().to_string()));
        assert_eq!(read("a.svg").ok(), Some((Kind::Values, "a.svg".into())));
        assert_eq!(read("freq").ok(), Some((Kind::Frequency, "grundy-0.007-freq.svg".into())));
        assert_eq!(read("density:b.svg").ok(), Some((Kind::Density, "b.svg".into())));
        assert!(read("a.png").is_err() && read("pie:a.png").is_err());
    }

    #[test]
    fn every_picture_has_axes_a_title_and_both_colour_schemes() {
        let code: Code = "0.007".parse().expect("a code");
        let mut grundy = Grundy::new(&code, 500, Method::Auto);
        grundy.run(&Ctx::default(), 500).expect("no limit");
        for svg in [values(&grundy), frequency(&grundy), density(&grundy)] {
            assert!(svg.contains("<title>") && svg.contains("prefers-color-scheme") && svg.contains("class=\"axis\""));
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        }
    }
}
