//! Pictures of a sequence, as SVG that follows the reader's light or dark preference.

use crate::failure::Failure;
use crate::output::grouped;
use agon_core::Code;
use agon_report::chart::{Axis, Chart};
use agon_solve::grundy::{Grundy, Stats};
use std::path::PathBuf;

/// The kinds of plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A point for each heap.
    Values,
    /// The frequency of each value.
    Frequency,
    /// The number of heaps in each cell of a grid.
    Density,
}

/// A kind of plot and its file.
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
/// The area between the axes.
const SIZE: (f64, f64) = (900.0, 540.0);
/// Squares of a density picture.
const COLUMNS: usize = 200;
const ROWS: usize = 120;

fn largest(grundy: &Grundy) -> u32 {
    grundy.values().max().unwrap_or(0)
}

fn heaps_of(grundy: &Grundy, what: &str) -> String {
    format!("{what} of {}, heaps 0 to {}", grundy.code(), grouped(grundy.len() - 1))
}

fn values(grundy: &Grundy) -> String {
    let up = Axis::to("Grundy value", f64::from(largest(grundy)));
    let mut chart = Chart::new(&heaps_of(grundy, "Grundy values"), SIZE, Axis::to("heap", grundy.len() as f64), up);
    chart.dots(grundy.values().enumerate().map(|(n, value)| (n as f64, f64::from(value))));
    chart.finish()
}

fn frequency(grundy: &Grundy) -> String {
    let frequencies = Stats::of(grundy.values()).map(|stats| stats.frequencies).unwrap_or_default();
    let most = frequencies.first().map_or(1, |f| f.1);
    let across = Axis::to("Grundy value", f64::from(largest(grundy)) + 1.0);
    let mut chart =
        Chart::new(&heaps_of(grundy, "Frequency of the values"), SIZE, across, Axis::to("heaps", most as f64));
    chart.bars(frequencies.into_iter().map(|(value, count)| (f64::from(value) + 0.5, count as f64)));
    chart.finish()
}

fn density(grundy: &Grundy) -> String {
    let (across, up) = (grundy.len(), largest(grundy) as usize + 1);
    let mut counts = vec![0u32; COLUMNS * ROWS];
    for (n, v) in grundy.values().enumerate() {
        counts[(v as usize * ROWS / up) * COLUMNS + n * COLUMNS / across] += 1;
    }
    let axes = (Axis::to("heap", across as f64), Axis::to("Grundy value", up as f64));
    let mut chart = Chart::new(&heaps_of(grundy, "Density of the values"), SIZE, axes.0, axes.1);
    chart.cells(COLUMNS, ROWS, &counts, "heaps");
    chart.finish()
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
