//! `agon check DIR`: derives tables again by forward moves alone.

use crate::VERSION;
use crate::cli::{CheckFile, Shared};
use crate::commands::{emit_json, fresh_seed};
use crate::erased::tables::{Gaps, game_in, tables_of};
use crate::failure::Failure;
use crate::output::{counted, emit, grouped};
use agon_check::Rejected;
use agon_check::tables::{Checked, Extent};
use serde_json::json;

/// Missing tables that a sentence names; `--json` names all.
const NAMED: usize = 20;

/// Checks the tables of a directory. It names missing tables and claims nothing about them.
pub fn check(args: &CheckFile, shared: &Shared) -> Result<(), Failure> {
    let folder = args.file.as_path();
    let game = game_in(&shared.registry, folder)?;
    let tables = tables_of(game.as_ref())?;
    if !args.part.is_empty() {
        return super::part::check(args, game.as_ref(), tables.as_ref(), shared);
    }
    let gaps = tables.gaps(folder, args.only.as_deref())?;
    let seed = shared.seed.unwrap_or_else(fresh_seed);
    let extent = match (args.sample, args.share) {
        (Some(of_each), _) => Extent::Sample { of_each, seed },
        (None, Some(share)) => Extent::Share { share, seed },
        (None, None) => Extent::Full,
    };
    let answer = Answer { game: game.spelling(), extent, gaps: &gaps, shared };
    if let Some((table, lost)) = &gaps.broken {
        return answer.incomplete(&format!(
            "table {table} leads to {lost}, which is missing, so its values cannot be derived; {}",
            answer.missing()
        ));
    }
    match tables.check(folder, extent, &shared.context_for("checking tables")) {
        Ok(checked) => answer.correct(&checked, args.only.as_deref()),
        Err(Rejected::Stopped(stop)) => Err(stop.into()),
        Err(Rejected::Corrupt(why)) => {
            if shared.json {
                answer.say("corrupt", &why, &Checked::default())?;
            }
            Err(Failure::damaged_text(why))
        }
        Err(Rejected::Refuted(why)) => {
            answer.say("refuted", &why, &Checked::default())?;
            Err(Failure::Refuted)
        }
    }
}

struct Answer<'a> {
    game: &'a str,
    extent: Extent,
    gaps: &'a Gaps,
    shared: &'a Shared,
}

impl Answer<'_> {
    /// Everything that was checked is correct. If tables are missing, that is only a part of what a full check proves.
    fn correct(&self, checked: &Checked, only: Option<&str>) -> Result<(), Failure> {
        let how = match self.extent {
            Extent::Full => "every value of every table and the counts in their headers".to_string(),
            Extent::Sample { of_each, seed } => {
                format!("a sample of at most {} values of each table, seed {seed}", grouped(of_each))
            }
            Extent::Share { share, seed } => format!("each value with probability {share}, seed {seed}"),
        };
        let (tables, positions) = (counted(checked.tables, "table"), grouped(checked.positions));
        let mut said = format!("{tables} of {} by forward moves alone, {how}; {positions} positions", self.game);
        if !self.gaps.missing.is_empty() {
            said = format!("{said}; {}", self.missing());
        }
        match self.extent {
            Extent::Sample { .. } | Extent::Share { .. } => self.say("sample", &said, checked),
            Extent::Full if self.gaps.wanted.is_empty() => self.say("proved", &said, checked),
            Extent::Full => {
                self.say("part", &said, checked)?;
                let part = only.map_or("check a part with --only TABLE".to_string(), |only| {
                    format!("--only {only} needs {}", self.gaps.wanted.join(" "))
                });
                Err(Failure::Failed(format!(
                    "the tables that are there are correct, but some are missing: solve the rest with `agon solve {} \
                     --strong --table DIR --resume`, or {part}",
                    self.game
                )))
            }
        }
    }

    /// No table could be checked.
    fn incomplete(&self, why: &str) -> Result<(), Failure> {
        if self.shared.json {
            self.say("part", why, &Checked::default())?;
        }
        Err(Failure::Failed(why.to_string()))
    }

    /// The missing tables, and whether that of the start is among them.
    fn missing(&self) -> String {
        let Gaps { missing, start, .. } = self.gaps;
        let mut names = missing.iter().take(NAMED).cloned().collect::<Vec<_>>().join(" ");
        if missing.len() > NAMED {
            names.push_str(&format!(" and {} more, which --json names", missing.len() - NAMED));
        }
        let start = if *start { "; the value of the start position is not among what was checked" } else { "" };
        format!("missing: {names}{start}")
    }

    fn say(&self, verdict: &str, said: &str, checked: &Checked) -> Result<(), Failure> {
        let paint = self.shared.paint();
        if self.shared.json {
            let (mode, seed) = match self.extent {
                Extent::Full => ("full", None),
                Extent::Sample { seed, .. } | Extent::Share { seed, .. } => ("sample", Some(seed)),
            };
            return emit_json(
                &json!({"agon": VERSION, "game": self.game, "holds": matches!(verdict, "proved" | "sample"),
                        "verdict": verdict, "statement": said, "mode": mode, "seed": seed,
                        "numbers": checked.indices, "positions": checked.positions, "missing": self.gaps.missing}),
            );
        }
        emit(&match verdict {
            "proved" => format!("{}: {said}\n", paint.good("correct")),
            "part" => format!("{}: {said}\n", paint.bad("incomplete")),
            "sample" => {
                let hint = "a sample proves nothing about the other values or the totals in headers; without --sample all are derived";
                format!("{}: {said}\n  ({hint})\n", paint.good("sample holds"))
            }
            _ => format!("{}: {said}\n", paint.bad("wrong")),
        })
    }
}
