//! The pages of `docs/results/strategies`: lists of rules, verified, certified and explained.
//!
//! A page is made from a file of rules. The file begins with lines `#! KEY: VALUE`; its comments are the text of the page.

use crate::erased::{AnyGame, DistilRequest, StrategyRequest, VerifyRequest};
use crate::failure::Failure;
use crate::output::grouped;
use agon_core::{Ctx, Player, Wdl};
use agon_registry::Registry;
use agon_report::{DistilReport, SizeReport, StepReport};
use std::fmt::Write as _;
use std::path::Path;

/// The width of text on a page.
const WIDTH: usize = 120;

/// So many digits of a hash are shown.
const HASH_SHOWN: usize = 16;

/// So many boards of a book are shown.
const BOARDS_SHOWN: usize = 12;

/// A file of rules.
struct Sheet {
    /// The name of the file, without its ending.
    name: String,
    text: String,
}

/// A certificate of one side.
struct Certified {
    side: Player,
    bytes: usize,
    hash: String,
    statement: String,
    positions: u64,
    /// How the plays were followed.
    how: &'static str,
}

impl Sheet {
    fn read(path: &Path) -> Result<Sheet, Failure> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Usage(format!("cannot read `{}`: {error}", path.display())))?;
        Ok(Sheet { name, text })
    }

    fn value(&self, key: &str) -> Option<&str> {
        let prefix = format!("#! {key}: ");
        self.text.lines().find_map(|line| line.strip_prefix(prefix.as_str())).map(str::trim)
    }

    fn wanted(&self, key: &str) -> Result<&str, Failure> {
        let missing = || Failure::Usage(format!("`{}.rules` has no line `#! {key}: …`", self.name));
        self.value(key).ok_or_else(missing)
    }

    /// The comments, as paragraphs.
    fn prose(&self) -> String {
        let comments = self.text.lines().filter(|line| line.starts_with('#') && !line.starts_with("#!"));
        let lines: Vec<&str> = comments.map(|line| line.trim_start_matches('#').trim()).collect();
        lines.join("\n").trim().to_string()
    }

    /// The rules themselves. Of a long book, only the first boards are shown.
    fn rules(&self) -> String {
        let (mut out, mut boards) = (Vec::new(), None);
        let heading = |line: &str| ["rule ", "book ", "pairing ", "region "].iter().any(|word| line.starts_with(word));
        let left_out = |boards: Option<usize>| {
            let more = boards.unwrap_or(0).saturating_sub(BOARDS_SHOWN);
            (more > 0).then(|| format!("  … ({more} more)"))
        };
        for line in self.text.lines().filter(|line| !line.starts_with('#')) {
            if heading(line) {
                if let Some(more) = left_out(boards) {
                    while out.last().is_some_and(|line: &String| line.trim().is_empty()) {
                        out.pop();
                    }
                    out.extend([more, String::new()]);
                }
                boards = line.starts_with("book ").then_some(0);
            } else if let Some(seen) = boards.as_mut().filter(|_| !line.trim().is_empty()) {
                *seen += 1;
                if *seen > BOARDS_SHOWN {
                    continue;
                }
            }
            out.push(line.to_string());
        }
        out.extend(left_out(boards));
        out.join("\n").trim().to_string()
    }

    /// The position at which the plays begin.
    fn root(&self, game: &dyn AnyGame) -> String {
        self.value("from").map_or_else(|| game.start(), str::to_string)
    }

    fn least(&self) -> Result<Wdl, Failure> {
        match self.wanted("claim")? {
            "win" => Ok(Wdl::Win),
            "draw" => Ok(Wdl::Draw),
            other => Err(Failure::Usage(format!("`{}.rules`: a claim `{other}`; expected win or draw", self.name))),
        }
    }

    fn sides(&self, game: &dyn AnyGame) -> Result<Vec<Player>, Failure> {
        match self.wanted("as")? {
            "either" => Ok(Player::BOTH.to_vec()),
            side => Ok(vec![game.side(side)?]),
        }
    }

    fn request(&self, game: &dyn AnyGame) -> Result<DistilRequest, Failure> {
        let (sides, least) = (self.sides(game)?, self.least()?);
        Ok(DistilRequest { sides, least, features: Vec::new(), seed: 1, time: None, certificate: false })
    }

    /// The certificate for a side, and what the checker makes of it.
    fn certified(&self, game: &dyn AnyGame, side: Player, ctx: &Ctx) -> Result<Certified, Failure> {
        let request = VerifyRequest {
            strategy: StrategyRequest::written(&self.name, &self.text),
            side,
            least: self.least()?,
            all: false,
            repair: None,
            certificate: true,
            listed: false,
        };
        let (report, evidence) = game.verify(&self.root(game), &request, ctx)?;
        let certificate = evidence?.filter(|_| report.holds);
        let certificate = certificate.ok_or_else(|| Failure::Failed(format!("`{}.rules` does not hold", self.name)))?;
        let written = certificate.write();
        let proved = game
            .check(&certificate, ctx)
            .map_err(|rejected| Failure::Failed(format!("`{}.rules`: {rejected:?}", self.name)))?;
        let hash = written.lines().last().and_then(|line| line.strip_prefix("blake3 ")).unwrap_or_default().to_string();
        let how = match report.by {
            Some("decomposition") => {
                "every play in the middle, and tests that the argument about the border fits the rules"
            }
            _ => "every reply and every choice that the list leaves open",
        };
        let (statement, positions) = (proved.statement, proved.positions);
        Ok(Certified { side, bytes: written.len(), hash, statement, positions, how })
    }
}

/// All files of rules in a folder, by name.
fn sheets(dir: &Path) -> Result<Vec<Sheet>, Failure> {
    let wrong = |error: std::io::Error| {
        let why = "expected a folder of files NAME.rules; --dir names it";
        Failure::Usage(format!("cannot read the folder `{}`: {error}; {why}", dir.display()))
    };
    let entries = std::fs::read_dir(dir).map_err(wrong)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rules"));
    paths.sort();
    paths.iter().map(|path| Sheet::read(path)).collect()
}

/// The page of one file.
pub(super) fn page(registry: &Registry, dir: &Path, name: &str, ctx: &Ctx) -> Result<String, Failure> {
    let path = dir.join(format!("{name}.rules"));
    if !path.exists() {
        let known: Vec<String> = sheets(dir)?.into_iter().map(|sheet| sheet.name).collect();
        return Err(Failure::Usage(format!("no strategy `{name}`; expected one of {}", known.join(", "))));
    }
    let sheet = Sheet::read(&path)?;
    let game = registry.game(sheet.wanted("game")?)?;
    let report = game.describe(&sheet.root(game.as_ref()), &sheet.text, &sheet.request(game.as_ref())?, ctx)?;
    if !report.holds {
        return Err(Failure::Failed(format!("`{name}.rules` does not hold")));
    }
    let mut out = format!("# {}\n", sheet.wanted("title")?);
    let prose = sheet.prose();
    if !prose.is_empty() {
        let _ = write!(out, "\n{prose}\n");
    }
    let _ = write!(out, "\n```\n{}\n```\n\nIn English:\n\n", sheet.rules());
    for (i, sentence) in report.english.iter().enumerate() {
        out.push_str(&wrapped(&format!("{}. ", i + 1), sentence));
    }
    let _ = write!(out, "\n## What is proven\n\n{}", proven(&sheet, game.as_ref(), &report, ctx)?);
    let several = report.size.as_ref().is_some_and(|size| size.rules > 1);
    if !report.steps.is_empty() {
        let parts = if several { "rule and each step" } else { "step" };
        let _ = write!(out, "\n## What each {parts} is for\n");
        report.steps.iter().for_each(|part| out.push_str(&shown(part, several)));
    }
    Ok(out)
}

/// The claim, the size, the certificates, and how the list was found.
fn proven(sheet: &Sheet, game: &dyn AnyGame, report: &DistilReport, ctx: &Ctx) -> Result<String, Failure> {
    let (spelling, claim) = (sheet.wanted("game")?, sheet.wanted("claim")?);
    let from = sheet.value("from").map_or(String::new(), |from| format!(" --from {from}"));
    let file = format!("{}.rules", sheet.name);
    let mut out = String::new();
    for side in sheet.sides(game)? {
        let certified = sheet.certified(game, side, ctx)?;
        let side = match sheet.wanted("as")? {
            "either" => certified.side.name(),
            side => side,
        };
        let says = format!(
            "`agon verify {spelling}{from} {file} --as {side} --claim {claim} --certificate proof.agon` follows {}. The \
             certificate has {} bytes and ends in `blake3 {}…`. `agon check proof.agon` looks at {} positions and says: \
             *{}*.",
            certified.how,
            grouped(certified.bytes as u64),
            certified.hash.get(..HASH_SHOWN).unwrap_or_default(),
            grouped(certified.positions),
            certified.statement
        );
        out.push_str(&wrapped("- ", &says));
    }
    let size = report.size.as_ref().map_or(String::new(), sized);
    let counted = "[how that is counted](../../strategies.md#let-agon-find-the-list)";
    out.push_str(&wrapped("- ", &format!("The list has {size} ({counted}).")));
    match (sheet.value("shortest"), sheet.value("bound")) {
        (Some(_), _) => {
            let (found, _) = game.distil(&sheet.root(game), &sheet.request(game)?, ctx)?;
            let bits = |report: &DistilReport| report.size.as_ref().map_or(f64::INFINITY, |size| size.bits);
            if !found.minimal || bits(report) > bits(&found) + 1e-6 {
                return Err(Failure::Failed(format!("`{file}` is not proven to be the shortest")));
            }
            let tried = grouped(found.tried);
            let says = format!(
                "**No list is shorter**, over the whole vocabulary of the game: `agon distil {spelling} --as {} --claim \
                 {claim}` finds it and proves that, with {tried} lists.",
                sheet.wanted("as")?
            );
            out.push_str(&wrapped("- ", &says));
        }
        (None, Some(bound)) => {
            let says = format!("No list has fewer than {bound} bits. Whether one lies between is not known.");
            out.push_str(&wrapped("- ", &says));
        }
        (None, None) => {}
    }
    if let Some(found) = sheet.value("found") {
        let took = sheet.value("took").map_or(String::new(), |took| format!(" ({took})"));
        out.push_str(&wrapped("- ", &format!("`{found}` found it{took}.")));
    }
    Ok(out)
}

/// A paragraph in lines of a limited width, as an item of a list if `item` is its mark.
fn wrapped(item: &str, text: &str) -> String {
    let (mut out, mut width) = (item.to_string(), item.len());
    for word in text.split(' ') {
        let wide = word.chars().count();
        if width > item.len() && width + 1 + wide > WIDTH {
            let _ = write!(out, "\n{}", " ".repeat(item.len()));
            width = item.len();
        } else if width > item.len() {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += wide;
    }
    out.push('\n');
    out
}

fn sized(size: &SizeReport) -> String {
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let book = match size.book {
        0 => "no book".to_string(),
        n => format!("{} in a book", counted(n, "board")),
    };
    format!("{}, {}, {book}, {:.2} bits", counted(size.rules, "rule"), counted(size.literals, "feature"), size.bits)
}

/// Boards for a rule or a step.
fn shown(part: &StepReport, several: bool) -> String {
    let mut out = format!("\n### `{}`\n", part.heading(several));
    let list = |moves: &[String]| match moves.len() {
        0 => "nothing".to_string(),
        n if n > 12 => format!("{} … ({n})", moves[..12].join(" ")),
        _ => moves.join(" "),
    };
    let mut board = |says: &str, board: &str| {
        let _ = write!(out, "\n{}\n```\n{}\n```\n", wrapped("", says), board.trim_end());
    };
    if let Some(shown) = &part.decides {
        let (keeps, rejects) = (list(&shown.keeps), list(&shown.rejects));
        board(&format!("It decides here: it keeps {keeps}, and rejects {rejects}."), &shown.board);
    }
    if let Some(shown) = &part.overrides {
        let (plays, instead) = (list(&shown.plays), list(&shown.instead));
        board(&format!("It overrides what comes next: the list plays {plays}; without it, {instead}."), &shown.board);
    }
    match &part.without {
        Some(punished) => {
            let line = punished.line.join(" ");
            board(&format!("Without it, the list is refuted by {line}: {}.", punished.how), &punished.board);
        }
        None => out.push_str("\nThe list does without it.\n"),
    }
    out
}

/// The list of all files.
pub(super) fn index(registry: &Registry, dir: &Path) -> Result<String, Failure> {
    let mut out = String::from(
        "# Strategies as lists of rules\n\n\
         Every list here is [a text](../../strategies.md) that `agon verify` has played against every reply, with every\n\
         choice that it leaves open, and that `agon check` accepts as a certificate. A page shows the rules, the same in\n\
         English, what is proven, and boards for what each part is for. `agon results strategies` makes this list, and\n\
         with `--only NAME` a page.\n\n\
         | list | game | plays | gets at least | size | shortest |\n|---|---|---|---|---|---|\n",
    );
    for sheet in sheets(dir)? {
        let game = registry.game(sheet.wanted("game")?)?;
        let size = sized(&game.size_of(&sheet.text)?);
        let shortest = match (sheet.value("shortest"), sheet.value("bound")) {
            (Some(_), _) => "proven".to_string(),
            (None, Some(bound)) => format!("at least {bound} bits"),
            (None, None) => "not known".to_string(),
        };
        let _ = writeln!(
            out,
            "| [{}]({}.md) | `{}` | {} | {} | {size} | {shortest} |",
            sheet.wanted("title")?,
            sheet.name,
            sheet.wanted("game")?,
            sheet.wanted("as")?,
            sheet.wanted("claim")?,
        );
    }
    out.push_str(
        "\nChaos wins on 7 × 7 with rows of six by [twenty pairs of cells](chaos-7x7.md); the certificate is on the page.\n",
    );
    Ok(out)
}
