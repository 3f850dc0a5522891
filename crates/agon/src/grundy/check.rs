//! `agon check` of a file of Grundy values.

use crate::VERSION;
use crate::cli::{CheckFile, Shared};
use crate::commands::{emit_json, fresh_seed};
use crate::failure::Failure;
use crate::output::emit;
use agon_check::sequence;
use agon_core::Rng;
use serde_json::json;

/// Derives values of a Grundy file from the definition: all of them, or the small ones and a random sample.
pub fn check(bytes: &[u8], args: &CheckFile, shared: &Shared) -> Result<(), Failure> {
    const ALWAYS: usize = 2000;
    let corrupt = |why: String| Failure::damaged(&args.file, why);
    let read = sequence::read(bytes).map_err(|why| corrupt(why.to_string()))?;
    if read.whole < bytes.len() {
        return Err(corrupt("the last block is cut off; continue with `agon grundy --resume`, or cut it there".into()));
    }
    let len = read.values.len();
    if len == 0 {
        return Err(corrupt("there are no values in it".into()));
    }
    let full = args.full || len <= ALWAYS;
    let seed = shared.seed.unwrap_or_else(fresh_seed);
    let heaps: Vec<usize> = if full {
        (0..len).collect()
    } else {
        let mut rng = Rng::new(seed);
        let sample = (0..args.sample.unwrap_or(500)).map(|_| ALWAYS + rng.below(len - ALWAYS));
        let mut heaps: Vec<usize> = (0..ALWAYS).chain(sample).collect();
        heaps.sort_unstable();
        heaps.dedup();
        heaps
    };
    let wrong = sequence::derive(&read.code, &read.values, heaps.iter().copied(), &shared.context())?;
    let (code, last) = (read.code.to_string(), len - 1);
    let said = match (wrong, full) {
        (Some(w), _) => {
            format!("G({}) of {code} is {} in the file, but {} by the definition", w.n, w.stated, w.derived)
        }
        (None, true) => format!("all values of {code} up to heap {last} follow from the definition"),
        (None, false) => {
            format!(
                "a sample of {} of the {len} values of {code}, seed {seed}: they follow from the definition and the \
                 smaller ones",
                heaps.len()
            )
        }
    };
    let holds = wrong.is_none();
    if shared.json {
        let hash = sequence::fingerprint(read.values.iter().copied());
        let verdict = match (holds, full) {
            (true, true) => "proved",
            (true, false) => "sample",
            (false, _) => "refuted",
        };
        emit_json(&json!({"agon": VERSION, "game": null, "claim": format!("grundy {code} to {last}"), "holds": holds,
                          "verdict": verdict, "statement": said, "positions": heaps.len(), "full": full,
                          "seed": (!full).then_some(seed), "hash": hash}))?;
    } else {
        let paint = shared.paint();
        let word = match (holds, full) {
            (true, true) => paint.good("proved"),
            (true, false) => paint.good("sample holds"),
            (false, _) => paint.bad("not proved"),
        };
        let hint = if holds && !full {
            "\n  (a sample proves nothing about the other values; --full derives every one)"
        } else {
            ""
        };
        emit(&format!("{word}: {said}{hint}\n"))?;
    }
    if holds { Ok(()) } else { Err(Failure::Refuted) }
}
