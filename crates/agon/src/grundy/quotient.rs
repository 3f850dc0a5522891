//! `agon grundy CODE --quotient`: misère quotients.

use crate::VERSION;
use crate::output::{Paint, table};
use crate::report::Report;
use agon_core::Code;
use agon_solve::misere::quotient::Quotients;
use serde::Serialize;
use std::fmt::Write as _;

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Answer {
    agon: &'static str,
    game: Option<String>,
    code: String,
    rules: String,
    play: &'static str,
    /// The largest heap of the last quotient.
    to: usize,
    /// The number of elements.
    order: usize,
    /// How many of them are lost for the side to move.
    lost: usize,
    /// For each heap from 0 on, the order of the quotient of the heaps up to it.
    orders: Vec<usize>,
    /// The element of each heap from 0 on.
    heaps: Vec<u8>,
    /// A sum for each element, as heaps, and whether the side to move loses it.
    elements: Vec<Element>,
    /// The period and the preperiod, if the quotient is proven to be that of the whole game.
    whole: Option<(usize, usize)>,
    /// The reason why larger heaps are left out.
    stopped: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct Element {
    sum: Vec<usize>,
    loses: bool,
}

impl Answer {
    pub(super) fn new(code: &Code, found: &Quotients) -> Answer {
        let last = &found.last;
        let element = |i: usize| Element { sum: last.word(i as u8).to_vec(), loses: last.loses(i as u8) };
        Answer {
            agon: VERSION,
            game: None,
            code: code.to_string(),
            rules: super::rules::in_words(code),
            play: "misere",
            to: found.sizes.len() - 1,
            order: last.order(),
            lost: last.lost(),
            orders: found.sizes.iter().map(|size| size.0).collect(),
            heaps: last.heaps().to_vec(),
            elements: (0..last.order()).map(element).collect(),
            whole: found.whole,
            stopped: found.stopped,
        }
    }
}

fn spelled(sum: &[usize]) -> String {
    match sum {
        [] => "no heap".to_string(),
        heaps => heaps.iter().map(usize::to_string).collect::<Vec<_>>().join(" + "),
    }
}

impl Report for Answer {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{} in misère play\n{}\n\n", paint.bold(&self.code), self.rules);
        // Heaps at which the quotient grows.
        let grows = |n: &usize| *n == 0 || self.orders[*n] != self.orders[n - 1];
        let row = |n: usize| vec![n.to_string(), self.orders[n].to_string()];
        let rows: Vec<Vec<String>> = (0..self.orders.len()).filter(grows).map(row).collect();
        let _ = writeln!(out, "{}", table(&["heaps up to", "elements"], &rows));
        let _ = writeln!(
            out,
            "misère quotient of the heaps up to {}: {} elements, {} of them lost for the side to move: {}",
            self.to,
            paint.bold(&self.order.to_string()),
            self.lost,
            paint.good("verified")
        );
        let lost: Vec<String> = self.elements.iter().filter(|e| e.loses).map(|e| spelled(&e.sum)).collect();
        let _ = writeln!(out, "lost: {}", lost.join(", "));
        match self.whole {
            Some((period, from)) => {
                let _ = writeln!(
                    out,
                    "the elements of the heaps have period {period} from heap {from} on, {}: this is the quotient of the \
                     whole game",
                    paint.good("proved")
                );
            }
            None => out.push_str("these heaps do not prove that it is the quotient of the whole game\n"),
        }
        if let Some(why) = self.stopped {
            let _ = writeln!(out, "heap {} is left out: {why}", self.to + 1);
        }
        out
    }
}
