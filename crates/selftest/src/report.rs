//! The report: the comparisons and the disagreements.

use agon_report::Report as Answer;
use agon_report::VERSION;
use agon_report::words::{Paint, counted, duration, grouped, table};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A false statement of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Disagreement {
    /// The family of the game.
    pub family: String,
    /// Its spelling.
    pub game: String,
    /// The position.
    pub position: String,
    /// The method.
    pub method: String,
    /// Its statement.
    pub said: String,
    /// The true statement, by the rules.
    pub expected: String,
    /// Command lines that reproduce it.
    pub commands: Vec<String>,
}

/// The comparisons in one family.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FamilyReport {
    /// Its name.
    pub family: String,
    /// The games.
    pub games: Vec<String>,
    /// The number of positions in the graphs.
    pub explored: u64,
    /// The number of positions at which methods were queried.
    pub positions: u64,
    /// The number of statements compared.
    pub comparisons: u64,
    /// The number of statements by method.
    pub methods: BTreeMap<String, u64>,
    /// The number of false statements, listed or not.
    pub disagreements: u64,
}

/// The answer of `selftest`.
#[derive(Clone, Debug, Serialize)]
pub struct SelftestReport {
    /// Program version.
    pub agon: &'static str,
    /// Always null: there is no single game.
    pub game: Option<String>,
    /// The random seed.
    pub seed: u64,
    /// True if this was the short form.
    pub quick: bool,
    /// The number of statements compared.
    pub comparisons: u64,
    /// The first false statements of each game and method.
    pub disagreements: Vec<Disagreement>,
    /// The results by family.
    pub families: Vec<FamilyReport>,
    /// `took part`, or the reason why the second checker did not.
    pub second_checker: String,
    /// Seconds spent.
    pub seconds: f64,
}

impl SelftestReport {
    /// An empty report.
    #[must_use]
    pub fn new(seed: u64, quick: bool, second_checker: String) -> SelftestReport {
        let (disagreements, families) = (Vec::new(), Vec::new());
        SelftestReport {
            agon: VERSION,
            game: None,
            seed,
            quick,
            comparisons: 0,
            disagreements,
            families,
            second_checker,
            seconds: 0.0,
        }
    }

    /// The entry of a family, created on first use.
    pub fn family(&mut self, name: &str) -> &mut FamilyReport {
        let at = self.families.iter().position(|family| family.family == name).unwrap_or_else(|| {
            self.families.push(FamilyReport { family: name.to_string(), ..FamilyReport::default() });
            self.families.len() - 1
        });
        &mut self.families[at]
    }

    /// Returns whether every method agrees with the rules.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.disagreements.is_empty()
    }
}

impl Answer for SelftestReport {
    fn text(&self, paint: Paint) -> String {
        let row = |f: &FamilyReport| {
            let testimony: Vec<&str> =
                f.methods.iter().filter(|(_, n)| **n > 0).map(|(name, _)| name.as_str()).collect();
            let numbers = [f.games.len() as u64, f.explored, f.positions, f.comparisons, f.disagreements].map(grouped);
            let mut row = vec![f.family.clone()];
            row.extend(numbers);
            row.push(shortened(&testimony));
            row
        };
        let head = ["family", "games", "explored", "asked at", "comparisons", "false", "methods"];
        let mut out = table(&head, &self.families.iter().map(row).collect::<Vec<_>>());
        for wrong in &self.disagreements {
            let _ = writeln!(out, "\n{}: {} from {}", paint.bad("disagreement"), wrong.game, wrong.position);
            let _ = writeln!(out, "  {} says: {}", wrong.method, wrong.said);
            let _ = writeln!(out, "  the rules say: {}", wrong.expected);
            wrong.commands.iter().for_each(|command| {
                let _ = writeln!(out, "  $ {command}");
            });
        }
        let found: u64 = self.families.iter().map(|family| family.disagreements).sum();
        let verdict =
            if self.holds() { paint.good("no disagreement") } else { paint.bad(&counted(found, "disagreement")) };
        let _ = writeln!(
            out,
            "\n{verdict} in {} with the rules alone; seed {}, {}",
            counted(self.comparisons, "comparison"),
            self.seed,
            duration(self.seconds)
        );
        let _ = writeln!(out, "the second checker: {}", self.second_checker);
        out
    }
}

/// The list of methods, such as `auto, brute, … + certificates`; certificates are not listed by method.
fn shortened(methods: &[&str]) -> String {
    let (certificates, others): (Vec<&str>, Vec<&str>) =
        methods.iter().partition(|name| name.starts_with("certificate"));
    let mut words = others.join(", ");
    if !certificates.is_empty() {
        let _ = write!(words, ", certificates");
    }
    words
}
