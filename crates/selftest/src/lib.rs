//! Differential tests: every method of solving is compared with a plain exploration of the rules.
//!
//! | module | holds |
//! |---|---|
//! | [`subjects`] | the games under test: every family, with its samples and with random rules |
//! | [`boards`] | custom boards, with random rules |
//! | [`graph`] | the reference: the game graph, explored and valued with the rules only |
//! | [`statement`] | statements about a position, and their comparison with the graph |
//! | [`witness`] | a named method that answers queries about positions |
//! | [`methods`] | the methods agon has, as witnesses |
//! | [`second`] | the second checker, in Python |
//! | [`report`] | the comparisons and the disagreements |
//!
//! A *subject* is a game with a root position. Its graph is explored, every witness is queried at positions of the
//! graph, and each statement is compared with the graph.

pub mod boards;
pub mod graph;
pub mod methods;
pub mod report;
pub mod second;
pub mod statement;
pub mod subjects;
pub mod witness;

#[cfg(test)]
mod tests;

use agon_core::{Ctx, Rng, Status};
use agon_registry::Registry;
use agon_registry::entry::Entry;
use agon_registry::erased::AnyGame;
use agon_report::failure::Failure;
use agon_solve::method::BRUTE;
use graph::Graph;
use report::{Disagreement, SelftestReport};
use second::Second;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use subjects::Chance;
use tempfile::TempDir;
use witness::{False, QueryLimits, Testimony, question};

/// The options of a self-test.
#[derive(Clone, Debug)]
pub struct Options {
    /// The games.
    pub registry: Registry,
    /// The names of the families to test; empty means all.
    pub families: Vec<String>,
    /// The amount of testing.
    pub size: Size,
    /// The random seed.
    pub seed: u64,
}

/// The amount of testing. All limits count work, so that a seed gives the same comparisons on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A few seconds, enough to find gross errors.
    Slice,
    /// One or two minutes.
    Quick,
    /// About an hour on two cores: every position of most games, and certificates at as many of them.
    Whole,
}

/// The limits of one size.
struct Extent {
    /// The number of games with random rules per family, and how much larger than the smallest they may be.
    random: usize,
    larger: usize,
    /// The most indices that the tables of a game with random rules may have.
    indices: u64,
    /// The limits of the queries about one game.
    limits: QueryLimits,
    /// The most positions of one game at which each method writes a certificate.
    certified: usize,
    /// The most certificates of one game for the second checker, and the most bytes of each.
    certificates: (usize, usize),
}

/// The most disagreements that are listed per game and method.
const LISTED: usize = 3;

/// The numbers of random moves from a root whose graph is too large to the next root. The last root of a board with 36
/// cells has 8 empty ones.
const AHEAD: [usize; 9] = [2, 2, 2, 2, 4, 4, 4, 4, 4];

impl Size {
    fn extent(self) -> Extent {
        let limits = |limit, positions, answer_nodes, witness_nodes| QueryLimits {
            limit,
            positions,
            answer_nodes,
            witness_nodes,
        };
        let (random, larger, indices, limits, certified, certificates) = match self {
            Size::Slice => (1, 0, 20_000, limits(400, 8, 20_000, 60_000), 20, (3, 4_000)),
            Size::Quick => (6, 0, 200_000, limits(6_000, 150, 50_000, 1_000_000), 20, (8, 20_000)),
            Size::Whole => (8, 8, 500_000, limits(20_000, 10_000, 200_000, 5_000_000), 10_000, (200, 60_000)),
        };
        Extent { random, larger, indices, limits, certified, certificates }
    }
}

impl Options {
    /// The requested families, in the order of the registry.
    fn chosen(&self) -> Result<Vec<&Entry>, Failure> {
        let known = || self.registry.entries().map(|entry| entry.facts.family.as_str());
        let same = |name: &String, family: &str| name.eq_ignore_ascii_case(family);
        if let Some(wrong) = self.families.iter().find(|name| !known().any(|family| same(name, family))) {
            let expected = known().collect::<Vec<_>>().join(", ");
            return Err(Failure::Usage(format!("invalid family `{wrong}`: expected one of {expected}")));
        }
        let wanted = |family: &str| self.families.is_empty() || self.families.iter().any(|name| same(name, family));
        Ok(self.registry.entries().filter(|entry| wanted(&entry.facts.family)).collect())
    }
}

/// A game under test, with its seed.
struct Subject {
    family: String,
    spelling: String,
    seed: u64,
}

/// The second checker, as a method.
const SECOND: &str = "second checker";

/// Compares every method with the rules, game by game, on the threads of the context.
pub fn run(options: &Options, ctx: &Ctx) -> Result<SelftestReport, Failure> {
    let begun = Instant::now();
    let (chosen, extent) = (options.chosen()?, options.size.extent());
    let files =
        TempDir::new().map_err(|error| Failure::Failed(format!("cannot create a temporary directory: {error}")))?;
    let subjects = plan(&options.registry, &chosen, &extent, options.seed, &files)?;
    let second = Second::find();
    let told = second.as_ref().map_or_else(|why| format!("did not take part: {why}"), |_| "took part".to_string());
    let (done, count) = (AtomicU64::new(0), subjects.len() as u64);
    let tested = ctx.map(count, |i| {
        // Parallel solvers are tested with one thread and with two.
        let inner = ctx.without_progress().with_threads(1 + i as usize % 2);
        let tested = test(&options.registry, &subjects[i as usize], &extent, second.as_ref().ok(), &inner)?;
        ctx.progress("comparing", done.fetch_add(1, Relaxed) + 1, Some(count));
        Ok::<Tested, Failure>(tested)
    })?;
    let mut report = SelftestReport::new(options.seed, options.size != Size::Whole, told);
    for (subject, tested) in subjects.iter().zip(&tested) {
        enter(&mut report, subject, tested);
    }
    ctx.check()?;
    // Board files with a disagreement are kept for inspection.
    let from_files = |family: &str| options.registry.entry(family).is_some_and(|entry| entry.from_file().is_some());
    if report.disagreements.iter().any(|wrong| from_files(&wrong.family)) {
        let _ = files.keep();
    }
    let judged = |family: &report::FamilyReport| family.methods.get(SECOND).is_some_and(|&comparisons| comparisons > 0);
    if second.is_ok() && !report.families.iter().any(judged) {
        report.second_checker = "did not take part: it has the rules of none of these games".to_string();
    }
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

fn plan(
    registry: &Registry,
    chosen: &[&Entry],
    extent: &Extent,
    seed: u64,
    files: &TempDir,
) -> Result<Vec<Subject>, Failure> {
    let mut subjects = Vec::new();
    for entry in chosen {
        let family = &entry.facts.family;
        // The games of a family do not depend on the other families under test.
        let mut rng = Rng::new(family.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
        let fits = |game: &dyn AnyGame| fits(game, extent);
        // Tables are solved three times and checked in full, so fewer games are tested.
        let tabled = entry.build(family)?.tables().is_some();
        let games = if tabled { extent.random.div_ceil(3) } else { extent.random };
        let chance = Chance { games, larger: extent.larger, fits: &fits };
        let mut spellings = subjects::spellings(registry, entry, &chance, &mut rng);
        if entry.from_file().is_some() {
            spellings.extend(board_files(registry, family, extent.random.max(2), &mut rng, files)?);
        }
        subjects.extend(spellings.into_iter().map(|spelling| Subject {
            family: family.to_string(),
            spelling,
            seed: rng.next_u64(),
        }));
    }
    Ok(subjects)
}

/// Returns whether the tables of a game are small enough.
fn fits(game: &dyn AnyGame, extent: &Extent) -> bool {
    let indices = game.tables().and_then(|tables| tables.size(None).ok()).map(|(indices, _)| indices);
    indices.is_none_or(|indices| indices <= extent.indices)
}

/// Writes board files and returns the spellings of those from which the family makes games.
fn board_files(
    registry: &Registry,
    family: &str,
    wanted: usize,
    rng: &mut Rng,
    files: &TempDir,
) -> Result<Vec<String>, Failure> {
    let mut spellings = Vec::new();
    for i in 0..wanted * 20 {
        let path = files.path().join(format!("board-{i}.toml"));
        let written = std::fs::write(&path, boards::random(rng));
        written.map_err(|error| Failure::io(&path, "write", error))?;
        let spelling = format!("{family}:{}", path.display());
        if registry.game(&spelling).is_ok() {
            spellings.push(spelling);
        }
        if spellings.len() == wanted {
            break;
        }
    }
    Ok(spellings)
}

/// The result of one subject.
struct Tested {
    game: String,
    explored: u64,
    testimony: Testimony,
    /// True if the method `brute` is available, for a second opinion.
    brute: bool,
}

fn test(
    registry: &Registry,
    subject: &Subject,
    extent: &Extent,
    second: Option<&Second>,
    ctx: &Ctx,
) -> Result<Tested, Failure> {
    let game = registry.game(&subject.spelling)?;
    let mut rng = Rng::new(subject.seed);
    let graph = graph_that_fits(game.as_ref(), extent.limits.limit, &mut rng, ctx)?;
    let written = methods::Written::default();
    let mut witnesses = methods::witnesses(game.as_ref(), &written, extent.certified, subject.seed);
    let mut testimony = question(&graph, &mut witnesses, extent.limits, &mut rng, ctx)?;
    drop(witnesses);
    // The second checker knows only the games of the standard registry.
    let standard = agon_registry::standard().entry(game.spelling()).is_some();
    if let Some(second) = second.filter(|_| standard) {
        let (most, longest) = extent.certificates;
        let mut written = written.into_inner();
        written.retain(|accepted| accepted.file.len() <= longest);
        written.truncate(most);
        for same in written.chunk_by(|a, b| a.command == b.command) {
            let command = format!("{} && python3 tools/check.py c.agon", same[0].command);
            testimony.add(SECOND, &command, second.question(same)?, &graph);
        }
    }
    let brute = game.offers().solvers.contains(&BRUTE);
    Ok(Tested { game: game.spelling().to_string(), explored: graph.len() as u64, testimony, brute })
}

/// The graph of the start, or of a later position whose graph fits; after the last attempt, a truncated graph.
fn graph_that_fits(game: &dyn AnyGame, limit: usize, rng: &mut Rng, ctx: &Ctx) -> Result<Graph, Failure> {
    let mut root = game.start();
    let mut graph = Graph::explore(game, &root, limit, ctx)?;
    for ahead in AHEAD {
        if graph.complete() {
            break;
        }
        for _ in 0..ahead {
            let moves = game.moves(&root)?;
            let first = rng.below(moves.len().max(1));
            // A play that ends too soon leaves nothing to compare.
            for mv in moves[first..].iter().chain(&moves[..first]) {
                let after = game.play(&root, mv)?.1;
                if let Status::Turn(_) = game.status(&after)? {
                    root = after;
                    break;
                }
            }
        }
        graph = Graph::explore(game, &root, limit, ctx)?;
    }
    Ok(graph)
}

fn enter(report: &mut SelftestReport, subject: &Subject, tested: &Tested) {
    let testimony = &tested.testimony;
    let family = report.family(&subject.family);
    family.games.push(tested.game.clone());
    family.explored += tested.explored;
    family.positions += testimony.positions;
    family.disagreements += testimony.wrong.len() as u64;
    for (method, comparisons) in &testimony.comparisons {
        family.comparisons += comparisons;
        *family.methods.entry(method.clone()).or_default() += comparisons;
    }
    report.comparisons += testimony.comparisons.iter().map(|(_, comparisons)| comparisons).sum::<u64>();
    for (method, _) in &testimony.comparisons {
        let wrong = testimony.wrong.iter().filter(|wrong| wrong.witness == *method).take(LISTED);
        report.disagreements.extend(wrong.map(|wrong| disagreement(subject, tested, wrong)));
    }
}

fn disagreement(subject: &Subject, tested: &Tested, wrong: &False) -> Disagreement {
    let filled =
        |command: &str| command.replace("GAME", &quoted(&tested.game)).replace("POS", &quoted(&wrong.position));
    let mut commands = vec![filled(&wrong.command)];
    if tested.brute {
        commands.push(filled("agon solve GAME --from POS --method brute"));
    }
    Disagreement {
        family: subject.family.to_string(),
        game: tested.game.clone(),
        position: wrong.position.clone(),
        method: wrong.witness.clone(),
        said: wrong.said.clone(),
        expected: wrong.expected.clone(),
        commands,
    }
}

/// Quotes a word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The code in the readme of this crate compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
