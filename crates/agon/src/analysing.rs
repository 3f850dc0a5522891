//! `agon analyse`: a game move by move, or many games with a summary.

use crate::cli::{Analyse, Shared};
use crate::commands::seconds_limit;
use crate::erased::{AnyGame, AnyJudge, Note};
use crate::failure::Failure;
use crate::output::{better, emit};
use crate::position::loaded;
use crate::registry::analysis::analyse;
use crate::registry::record::Line;
use crate::report::{AnalyseReport, GameAnalysis, PlyReport, Unread};
use crate::tables;
use agon_core::{Ctx, Player};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// `agon analyse`.
pub fn command(args: &Analyse, shared: &Shared) -> Result<(), Failure> {
    let game = shared.game(&args.game)?;
    refuse_contradictions(args, shared)?;
    let game = tables::opened(game, args.table.as_deref())?;
    let begun = Instant::now();
    let (files, several) = files(&args.files)?;
    let names = Player::BOTH.map(|player| game.player_name(player));
    let mut report = AnalyseReport::new(game.spelling(), names, several);
    let (mut judge, limit) = (game.judge()?, seconds_limit(args.time)?);
    let mut work = Work { game: game.as_ref(), judge: judge.as_mut(), limit, ctx: shared.context(), args };
    let mut text = String::new();
    if files.is_empty() {
        let line = shared.line(game.as_ref(), None)?;
        report.games.push(work.analysed(&line)?);
    }
    for file in &files {
        match work.file(file) {
            Ok((source, analysis)) => {
                text = source;
                report.games.push(analysis);
            }
            Err(failure @ (Failure::Damaged { .. } | Failure::Usage(_))) if several => {
                report.unread.push(Unread { file: file.display().to_string(), error: failure.to_string() });
            }
            Err(failure) => return Err(failure),
        }
    }
    report.seconds = begun.elapsed().as_secs_f64();
    match args.ptn {
        true => emit(&ptn(game.as_ref(), &report.games[0], &text)?)?,
        false => shared.answer(&report)?,
    }
    match report.unread.len() {
        0 => Ok(()),
        n => Err(Failure::damaged_text(format!("{n} of {} files hold no game of {}", files.len(), game.spelling()))),
    }
}

fn refuse_contradictions(args: &Analyse, shared: &Shared) -> Result<(), Failure> {
    let flags = shared.place_flags();
    let why = match (args.files.is_empty(), flags.is_empty()) {
        (true, true) => "give the game to analyse: a FILE, `-` for standard input, or --moves",
        (false, false) => "give the game once: as FILE, or with --from, --moves or --load",
        _ if args.ptn && shared.json => "give --ptn or --json",
        _ if args.ptn && args.files.len() > 1 => "--ptn writes one game: give one FILE",
        _ => return Ok(()),
    };
    Err(Failure::Usage(why.into()))
}

/// The files to read, those in directories included, and whether there may be several.
pub(crate) fn files(given: &[PathBuf]) -> Result<(Vec<PathBuf>, bool), Failure> {
    let (mut files, mut several) = (Vec::new(), given.len() > 1);
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        several = true;
        let failed = |error: std::io::Error| Failure::io(path, "read", error);
        let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
        let hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let mut inside: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        inside.retain(|path| path.is_file() && !hidden(path));
        inside.sort();
        if inside.is_empty() {
            return Err(Failure::Usage(format!("there is no file in `{}`", path.display())));
        }
        files.extend(inside);
    }
    Ok((files, several))
}

struct Work<'a> {
    game: &'a dyn AnyGame,
    judge: &'a mut dyn AnyJudge,
    /// The time for each position.
    limit: Duration,
    ctx: Ctx,
    args: &'a Analyse,
}

impl Work<'_> {
    /// The game in a file: its text, and its analysis.
    fn file(&mut self, path: &Path) -> Result<(String, GameAnalysis), Failure> {
        let (text, line) = loaded(self.game, path)?;
        let mut analysis = self.analysed(&line)?;
        analysis.file = Some(path.display().to_string());
        Ok((text, analysis))
    }

    fn analysed(&mut self, line: &Line) -> Result<GameAnalysis, Failure> {
        let (ctx, limit, total) = (&self.ctx, self.limit, line.played.len() as u64 + 1);
        let (mut done, nodes) = (0, self.args.nodes.unwrap_or(u64::MAX));
        let mut each = || {
            ctx.progress("analysing positions", done, Some(total));
            done += 1;
            ctx.without_progress().sub_budget(nodes).within(limit)
        };
        analyse(self.game, line, self.judge, &mut each)
    }
}

/// The game with marks and comments, in the notation of the family.
fn ptn(game: &dyn AnyGame, analysis: &GameAnalysis, source: &str) -> Result<String, Failure> {
    let notes: Vec<Note> = analysis.plies.iter().map(note).collect();
    let moves: Vec<String> = analysis.plies.iter().map(|ply| ply.mv.clone()).collect();
    let text = game.annotate_record(&analysis.from, &moves, &notes, source);
    text.ok_or_else(|| Failure::Usage(format!("--ptn is for Tak, and {} is another game", game.spelling())))
}

/// The comment on a move: its mark, its value, and the better line.
fn note(ply: &PlyReport) -> Note {
    let mut comment = match ply.after.proven && ply.after.plies != Some(0) {
        true => format!("{} for {}, proven", ply.after.text(), ply.name),
        false => String::new(),
    };
    if let Some(mistake) = ply.mistake {
        comment = format!("{}: {comment}{}", mistake.name(), better(&ply.line));
    }
    Note { mark: ply.mistake.map_or("", |mistake| mistake.mark()), comment }
}
