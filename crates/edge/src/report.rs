//! What commands answer: one structure each, written once as text and once as JSON.

use crate::VERSION;
use crate::erased::VerifyRequest;
use crate::words::{Paint, counted, duration, exact, grouped, table};
use agon_core::{Player, Solution, Wdl};
use agon_solve::count::{ByOutcome, Counts};
use agon_solve::strong::Totals;
use agon_solve::verify::{Break, Verdict};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// Serialises a result by its name.
pub fn name_of<S: Serializer>(wdl: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(wdl.name())
}

/// An answer that can be shown to people and to programs.
pub trait Report: Serialize {
    /// For people.
    fn text(&self, paint: Paint) -> String;
}

/// Answer of `solve`.
#[derive(Clone, Debug, Serialize)]
pub struct SolveReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// The position solved.
    pub position: String,
    /// `win`, `draw`, `loss` or `unknown`, for the mover.
    pub value: &'static str,
    /// `first`, `second` or null.
    pub winner: Option<&'static str>,
    /// Plies to the end under best play.
    pub plies: Option<u32>,
    /// A best move.
    pub best: Option<String>,
    /// The nim-value, for impartial games in normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// All winning moves, for impartial games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<Vec<String>>,
    /// Positions visited.
    pub nodes: u64,
    /// Which solver.
    pub solver: &'static str,
    /// What is proven at least.
    pub lo: &'static str,
    /// What is proven at most.
    pub hi: &'static str,
    /// Why it stopped early, if it did.
    pub stopped: Option<String>,
    /// The mover: first or second, and the game's own name.
    pub mover: [String; 2],
    /// Reachable positions by value for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<Json>,
    /// The same up to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<Json>,
    /// Neither side wins by force within that many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none_within: Option<u32>,
    /// What the first moves are worth, up to symmetry.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_moves: Vec<FirstMove>,
    /// What the tables hold, part by part of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// Seconds spent.
    pub seconds: f64,
    /// Where the certificate was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// What one first move is worth to the side that makes it.
#[derive(Clone, Debug, Serialize)]
pub struct FirstMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `loss` or `unknown`.
    pub value: &'static str,
    /// Plies to the end under best play.
    pub plies: Option<u32>,
}

impl SolveReport {
    /// From what a solver found.
    pub fn new<M>(
        game: &str,
        position: String,
        (mover, name): (Player, String),
        solution: &Solution<M>,
        best: Option<String>,
        solver: &'static str,
    ) -> SolveReport {
        let value = solution.value.value();
        let winner = match value {
            Some(Wdl::Win) => Some(mover.name()),
            Some(Wdl::Loss) => Some(mover.other().name()),
            _ => None,
        };
        SolveReport {
            agon: VERSION,
            game: game.to_string(),
            position,
            value: value.map_or("unknown", Wdl::name),
            winner,
            plies: solution.plies,
            best,
            nimber: None,
            winning_moves: None,
            nodes: solution.nodes,
            solver,
            lo: solution.value.lo.name(),
            hi: solution.value.hi.name(),
            stopped: solution.stopped.map(|stop| stop.to_string()),
            mover: [mover.name().to_string(), name],
            totals: None,
            classes: None,
            none_within: None,
            first_moves: Vec::new(),
            phases: Vec::new(),
            seconds: 0.0,
            certificate: None,
        }
    }

    /// Adds the totals over all reachable positions and over their classes.
    pub fn set_totals(&mut self, (positions, classes): (Totals, Totals)) {
        let json = |t: Totals| Some(json!({"win": t.win, "draw": t.draw, "loss": t.loss}));
        (self.totals, self.classes) = (json(positions), json(classes));
    }
}

impl Report for SolveReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{} from {}\n", self.game, self.position);
        let value = match self.value {
            "unknown" => format!("unknown, between {} and {}", self.lo, self.hi),
            value => value.to_string(),
        };
        let over = self.plies == Some(0);
        let role = if over { "whose turn it would be; the play is over" } else { "the mover" };
        let _ = writeln!(out, "value  {} for {}, {role}", paint.bold(&value), self.mover[1]);
        if let Some(plies) = self.plies.filter(|_| !over) {
            let _ = writeln!(out, "plies  {plies}");
        }
        if let Some(best) = &self.best {
            let _ = writeln!(out, "best   {best}");
        }
        if let Some(plies) = self.none_within.filter(|&plies| plies > 0) {
            let unit = if plies == 1 { "ply" } else { "plies" };
            let _ = writeln!(out, "proven neither side wins by force within {plies} {unit}");
        }
        if let Some(nimber) = self.nimber {
            let _ = writeln!(out, "nimber {nimber}");
        }
        if let Some(winning) = &self.winning_moves {
            const SHOWN: usize = 40;
            let shown = winning.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = if winning.len() > SHOWN { " …" } else { "" };
            let _ = match winning.len() {
                0 if self.best.is_none() => writeln!(out, "winning moves: none, there is no move at all"),
                0 => writeln!(out, "winning moves: none, every move loses"),
                n => writeln!(out, "winning moves ({}): {shown}{more}", grouped(n)),
            };
        }
        let spent = duration(self.seconds);
        let _ = writeln!(out, "nodes  {} in {spent} ({})", grouped(self.nodes), self.solver);
        if let (Some(totals), Some(classes)) = (&self.totals, &self.classes) {
            let row = |name: &str| {
                let cell = |of: &Json| grouped(of[name].as_u64().unwrap_or(0));
                vec![name.to_string(), cell(totals), cell(classes)]
            };
            let sum =
                |of: &Json| grouped(["win", "draw", "loss"].map(|n| of[n].as_u64().unwrap_or(0)).iter().sum::<u64>());
            let all = vec!["all".to_string(), sum(totals), sum(classes)];
            let head = ["for the side to move", "positions", "up to symmetry"];
            let _ = write!(out, "\n{}", table(&head, &[row("win"), row("draw"), row("loss"), all]));
        }
        if !self.phases.is_empty() {
            let _ = write!(out, "\n{}", phases_text(&self.phases));
        }
        if !self.first_moves.is_empty() {
            let row = |m: &FirstMove| {
                vec![m.mv.clone(), m.value.to_string(), m.plies.map_or(String::new(), |n| n.to_string())]
            };
            let rows: Vec<Vec<String>> = self.first_moves.iter().map(row).collect();
            let _ = write!(out, "\n{}", table(&["first move", "value", "plies"], &rows));
        }
        out
    }
}

/// One part of a game that was solved by tables: every position without a winning line, mover to play.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    /// `placing` or `moving`.
    pub name: String,
    /// Positions by value for the side to move.
    pub totals: Json,
    /// The same up to symmetry.
    pub classes: Json,
    /// Plies of the longest forced win.
    pub longest_win: Option<u32>,
    /// Plies of the longest resistance.
    pub longest_loss: Option<u32>,
    /// Positions whose mover cannot move.
    pub blocked: u64,
}

impl Phase {
    /// From what tables hold.
    #[must_use]
    pub fn new(name: String, stats: &agon_solve::retro::Stats) -> Phase {
        let json = |t: agon_solve::retro::Totals| json!({"win": t.win, "draw": t.draw, "loss": t.loss});
        Phase {
            name,
            totals: json(stats.totals),
            classes: json(stats.classes),
            longest_win: stats.longest_win,
            longest_loss: stats.longest_loss,
            blocked: stats.blocked,
        }
    }
}

/// One table, mover's men first.
#[derive(Clone, Debug, Serialize)]
pub struct ShardReport {
    /// The men of the side to move: what stands before the dash of the name.
    pub mover: String,
    /// The part of the game it belongs to.
    pub phase: &'static str,
    /// Numbers, used or not.
    pub numbers: u64,
    /// What it holds.
    #[serde(flatten)]
    pub holds: Phase,
    /// Positions up to symmetry by plies until the end; odd plies are wins, even ones losses.
    pub distances: std::collections::BTreeMap<u32, u64>,
}

impl ShardReport {
    /// From what the table holds.
    #[must_use]
    pub fn new(name: String, phase: &'static str, numbers: u64, stats: &agon_solve::retro::Stats) -> ShardReport {
        let distances = stats.by_distance.iter().filter_map(|((_, plies), n)| plies.map(|plies| (plies, *n))).collect();
        let mover = name.split('-').next().unwrap_or_default().to_string();
        ShardReport { holds: Phase::new(name, stats), mover, phase, numbers, distances }
    }
}

/// Tables as lines of text.
#[must_use]
pub fn shards_text(shards: &[ShardReport]) -> String {
    phases_text(&shards.iter().map(|shard| shard.holds.clone()).collect::<Vec<_>>())
}

fn phases_text(phases: &[Phase]) -> String {
    let plies = |n: Option<u32>| n.map_or("-".to_string(), |n| n.to_string());
    let row = |phase: &Phase| {
        let count = |name: &str| {
            let of = |json: &Json| grouped(json[name].as_u64().unwrap_or(0));
            format!("{} ({})", of(&phase.totals), of(&phase.classes))
        };
        let counts = ["win", "draw", "loss"].map(count);
        let rest = [plies(phase.longest_win), plies(phase.longest_loss), grouped(phase.blocked)];
        std::iter::once(phase.name.clone()).chain(counts).chain(rest).collect()
    };
    let head = [
        "for the side to move",
        "win (classes)",
        "draw (classes)",
        "loss (classes)",
        "longest win",
        "longest loss",
        "blocked",
    ];
    table(&head, &phases.iter().map(row).collect::<Vec<Vec<String>>>())
}

/// Answer of `count`.
#[derive(Clone, Debug)]
pub struct CountReport {
    game: String,
    position: String,
    counts: Counts,
    played_out: Option<(BigUint, BigUint)>,
    at_most: Option<BigUint>,
}

impl CountReport {
    /// `played_out`: moves at each ply of the tree that does not stop at a win.
    #[must_use]
    pub fn new(game: &str, position: String, counts: Counts, played_out: Option<Vec<u64>>) -> CountReport {
        let played_out = played_out.map(|branching| {
            let (mut layer, mut nodes) = (BigUint::from(1u8), BigUint::from(1u8));
            for moves in branching {
                layer *= moves;
                nodes += &layer;
            }
            (nodes, layer)
        });
        CountReport { game: game.to_string(), position, counts, played_out, at_most: None }
    }

    /// With a bound on the number of positions of the whole game.
    #[must_use]
    pub fn bounded(self, at_most: Option<BigUint>) -> CountReport {
        CountReport { at_most, ..self }
    }

    /// The numbers themselves.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Nodes and leaves of the tree that does not stop at a win, root included.
    #[must_use]
    pub fn played_out(&self) -> Option<&(BigUint, BigUint)> {
        self.played_out.as_ref()
    }
}

fn outcomes(by: &ByOutcome<BigUint>) -> Json {
    json!({"total": exact(&by.total()), "first": exact(&by.first), "second": exact(&by.second), "draw": exact(&by.draw)})
}

fn small_outcomes(by: &ByOutcome<u64>) -> Json {
    json!({"total": by.first + by.second + by.draw, "first": by.first, "second": by.second, "draw": by.draw})
}

impl Serialize for CountReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let c = &self.counts;
        let plies: Vec<Json> = c
            .plies
            .iter()
            .map(|p| {
                json!({"ply": p.ply, "sequences": exact(&p.sequences), "positions": p.positions, "classes": p.classes,
                       "games": outcomes(&p.games)})
            })
            .collect();
        json!({
            "agon": VERSION, "game": self.game, "position": self.position, "plies": plies, "complete": c.complete, "closed": c.closed, "cut": c.cut.map(|why| format!("{why:?}")),
            "positions": c.positions.0, "classes": c.positions.1,
            "finished": {"positions": small_outcomes(&c.finished.0), "classes": small_outcomes(&c.finished.1)},
            "games": outcomes(&c.games), "tree_nodes": exact(&c.tree_nodes()),
            "games_up_to_symmetry": {
                "by_position": c.games_by_position.as_ref().map(outcomes),
                "by_sequence": c.games_by_sequence.as_ref().map(outcomes),
            },
            "positions_at_most": self.at_most.as_ref().map(exact),
            "played_out": self.played_out.as_ref().map(|(n, l)| json!({"nodes": exact(n), "leaves": exact(l)})),
        })
        .serialize(serializer)
    }
}

impl Report for CountReport {
    fn text(&self, paint: Paint) -> String {
        let c = &self.counts;
        let row = |p: &agon_solve::count::Ply| {
            let ended = [&p.games.first, &p.games.second, &p.games.draw].map(grouped);
            let [first, second, draw] = ended;
            vec![
                p.ply.to_string(),
                grouped(&p.sequences),
                grouped(p.positions),
                grouped(p.classes),
                first,
                second,
                draw,
            ]
        };
        let head = ["ply", "sequences", "positions", "up to symmetry", "first wins", "second wins", "draws"];
        let rows: Vec<Vec<String>> = c.plies.iter().map(row).collect();
        let mut out = format!("{} from {}\n\n{}\n", self.game, self.position, table(&head, &rows));
        let mut line = |what: &str, text: String| {
            let _ = writeln!(out, "{what:<28} {text}");
        };
        let split = |b: &ByOutcome<BigUint>| {
            format!(
                "{} ({} first, {} second, {} drawn)",
                paint.bold(&grouped(b.total())),
                grouped(&b.first),
                grouped(&b.second),
                grouped(&b.draw)
            )
        };
        line(
            "positions",
            format!("{}, {} up to symmetry", paint.bold(&grouped(c.positions.0)), grouped(c.positions.1)),
        );
        if let Some(at_most) = &self.at_most {
            line("  of the whole game at most", grouped(at_most));
        }
        let f = &c.finished.0;
        line(
            "finished positions",
            format!("{} first, {} second, {} drawn", grouped(f.first), grouped(f.second), grouped(f.draw)),
        );
        line("games", split(&c.games));
        if let Some(games) = &c.games_by_position {
            line("  equal moves counted once", split(games));
        }
        if let Some(games) = &c.games_by_sequence {
            line("  equal games counted once", split(games));
        }
        line("tree nodes", format!("{}, root included", grouped(c.tree_nodes())));
        if let Some((nodes, leaves)) = &self.played_out {
            line("  if a win did not end play", format!("{}, {} of them leaves", grouped(nodes), grouped(leaves)));
        }
        if c.closed && !c.complete {
            let _ = writeln!(
                out,
                "ply {} brought no new position, so none is missing; play can go round, so games have no last number",
                c.plies.len() - 1
            );
        } else if !c.complete && !c.plies.is_empty() {
            let _ = writeln!(
                out,
                "play goes on after ply {}; positions, games and tree nodes are counted up to there",
                c.plies.len() - 1
            );
        }
        out
    }
}

/// One position where a strategy first goes wrong.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// Still fine, the strategy to move.
    pub position: String,
    /// Its class up to symmetry.
    pub class: String,
    /// The move that gives the claim away.
    #[serde(rename = "move")]
    pub wrong: String,
    /// Why the strategy allows it.
    pub reason: Option<String>,
    /// How the position was reached.
    pub line: Vec<String>,
}

/// One exception to a strategy, up to symmetry.
#[derive(Clone, Debug, Serialize)]
pub struct Exception {
    /// Where.
    pub position: String,
    /// What to play; several are equal by symmetry.
    pub moves: Vec<String>,
    /// The position drawn as text.
    pub board: String,
    /// Who is to move.
    pub mover: String,
}

/// The outcome of a repair.
#[derive(Clone, Debug, Serialize)]
pub struct RepairReport {
    /// The fewest exceptions, or none found.
    pub exceptions: Option<Vec<Exception>>,
    /// Whether the repaired strategy verifies.
    pub holds: bool,
    /// Positions covered by that verification.
    pub positions: u64,
    /// Why there is no repair.
    pub why: Option<String>,
}

impl RepairReport {
    /// No repair.
    #[must_use]
    pub fn none(why: &str) -> RepairReport {
        RepairReport { exceptions: None, holds: false, positions: 0, why: Some(why.to_string()) }
    }

    /// A repair, verified.
    #[must_use]
    pub fn found(exceptions: Vec<Exception>, holds: bool, positions: u64) -> RepairReport {
        RepairReport { exceptions: Some(exceptions), holds, positions, why: None }
    }

    /// The file that `NAME@FILE` reads.
    #[must_use]
    pub fn file(&self) -> String {
        let mut out = String::from("# POSITION MOVE; each line holds for all images under symmetry\n");
        for e in self.exceptions.iter().flatten() {
            let _ = writeln!(out, "{} {}", e.position, e.moves[0]);
        }
        out
    }
}

/// Answer of `verify`.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// Program version.
    pub agon: &'static str,
    /// Canonical spelling.
    pub game: String,
    /// Where play begins.
    pub position: String,
    /// The strategy as asked for.
    pub strategy: String,
    /// The side it plays.
    #[serde(rename = "as")]
    pub side: &'static str,
    /// What that side is called.
    pub side_name: String,
    /// `win` or `draw`.
    pub claim: &'static str,
    /// Whether the claim holds.
    pub holds: bool,
    /// Different positions met.
    pub positions: u64,
    /// Complete lines played, or null when play can go round.
    pub lines: Json,
    /// Lines that break the claim.
    pub losing_lines: Json,
    /// Lines by how they end for the strategy.
    pub outcomes: Json,
    /// A shortest line that breaks the claim.
    pub counterexample: Option<Vec<String>>,
    /// What is wrong at its end.
    pub how: Option<String>,
    /// The board there.
    #[serde(skip)]
    pub board: Option<String>,
    /// With `--all`: every position where it first goes wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<FailureReport>>,
    /// With `--all`: lines that break the claim, at most 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losing: Option<Vec<Vec<String>>>,
    /// With `--repair`: the exceptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
    /// Where the certificate was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The argument that replaced a walk over every play: `decomposition` or `pairing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    /// Whether the claim was refuted before all positions were met, so that lines were not counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl VerifyReport {
    /// The parts that need no notation.
    #[must_use]
    pub fn new<P, M>(game: &str, position: String, request: &VerifyRequest, verdict: &Verdict<P, M>) -> VerifyReport {
        let lines = verdict.lines.as_ref();
        let exactly = |n: Option<BigUint>| n.map_or(Json::Null, |n| exact(&n));
        VerifyReport {
            agon: VERSION,
            game: game.to_string(),
            position,
            strategy: request.strategy.name.clone(),
            side: request.side.name(),
            side_name: request.side.name().to_string(),
            claim: request.least.name(),
            holds: verdict.holds,
            positions: verdict.positions,
            lines: exactly(lines.map(|l| l.all())),
            losing_lines: exactly(lines.map(|l| l.below(request.least))),
            outcomes: lines.map_or(Json::Null, |l| {
                json!({"win": exact(&l.win), "draw": exact(&l.draw), "loss": exact(&l.loss), "broken": exact(&l.broken)})
            }),
            counterexample: None,
            how: None,
            board: None,
            failures: None,
            losing: None,
            repair: None,
            certificate: None,
            by: None,
            partial: verdict.partial,
        }
    }
}

/// How a line breaks a claim, in words.
pub fn counterexample_text<M>(how: Break<M>, show: impl Fn(M) -> String) -> String {
    match how {
        Break::Result(result) => format!("the play ends in a {result}"),
        Break::Silent => "the strategy has no move here".to_string(),
        Break::Illegal(mv) => format!("the strategy plays {}, which is not legal", show(mv)),
        Break::Cycle => "play can go round for ever".to_string(),
    }
}

/// Lines written out as text.
const LINES_SHOWN: usize = 60;

fn number(json: &Json) -> String {
    match json {
        Json::Number(n) => grouped(n),
        Json::String(s) => grouped(s),
        _ => "endlessly many".to_string(),
    }
}

impl Report for VerifyReport {
    fn text(&self, paint: Paint) -> String {
        let claim = if self.claim == "win" { "wins" } else { "gets at least a draw" };
        let who = if self.side == self.side_name {
            self.side.to_string()
        } else {
            format!("{} ({})", self.side, self.side_name)
        };
        let mut out = format!("{}: {} as {who} {claim} from {}\n", self.game, self.strategy, self.position);
        let verdict = if self.holds { paint.good("holds") } else { paint.bad("refuted") };
        let o = &self.outcomes;
        let positions = counted(self.positions, "position");
        let _ = if self.partial {
            writeln!(out, "{verdict}: left at the first break, after {positions}; lines not counted")
        } else {
            let lines = if self.lines == 1 { "1 line".into() } else { format!("{} lines", number(&self.lines)) };
            let [win, draw, loss] = ["win", "draw", "loss"].map(|result| number(&o[result]));
            writeln!(out, "{verdict}: {positions}, {lines} ({win} won, {draw} drawn, {loss} lost)")
        };
        if let (Some(line), Some(how)) = (&self.counterexample, &self.how) {
            if !self.partial {
                let _ = writeln!(out, "lines that break the claim: {}", number(&self.losing_lines));
            }
            let _ =
                writeln!(out, "shortest: {} — {how}", if line.is_empty() { "at once".into() } else { line.join(" ") });
            if let Some(board) = &self.board {
                let _ = write!(out, "\n{board}");
            }
        }
        if let Some(failures) = &self.failures {
            let row = |f: &FailureReport| {
                let line = if f.line.is_empty() { "(start)".into() } else { f.line.join(" ") };
                vec![f.position.clone(), f.wrong.clone(), line, f.class.clone(), f.reason.clone().unwrap_or_default()]
            };
            let rows: Vec<_> = failures.iter().map(row).collect();
            let classes: std::collections::BTreeSet<_> = failures.iter().map(|f| &f.class).collect();
            let _ = writeln!(
                out,
                "\nfirst wrong moves: {}, at {} up to symmetry",
                failures.len(),
                counted(classes.len(), "position")
            );
            out.push_str(&table(&["position", "wrong", "reached by", "class", "because"], &rows));
        }
        if let Some(losing) = &self.losing {
            let all = number(&self.losing_lines);
            let shown = losing.len().min(LINES_SHOWN);
            let _ = writeln!(
                out,
                "\nlines that break the claim ({shown} of {all}{}):",
                if shown < losing.len() { "; --json has more" } else { "" }
            );
            losing.iter().take(shown).for_each(|line| {
                let _ = writeln!(out, "  {}", line.join(" "));
            });
        }
        if let Some(repair) = &self.repair {
            out.push_str(&repair_text(repair, paint));
        }
        out
    }
}

fn repair_text(repair: &RepairReport, paint: Paint) -> String {
    let Some(exceptions) = &repair.exceptions else {
        return format!("\nno repair: {}\n", repair.why.as_deref().unwrap_or("none found"));
    };
    let mut out = format!(
        "\nrepaired with {}, the fewest possible (boards may be turned or mirrored):\n",
        counted(exceptions.len(), "exception")
    );
    for (i, e) in exceptions.iter().enumerate() {
        let alternatives =
            if e.moves.len() > 1 { format!(", or {} by symmetry", e.moves[1..].join(" ")) } else { String::new() };
        let _ = write!(
            out,
            "\n{}. when {} is to move here, play {}{alternatives}\n{}",
            i + 1,
            e.mover,
            e.moves[0],
            e.board
        );
    }
    let verdict = if repair.holds { paint.good("holds") } else { paint.bad("refuted") };
    let _ = writeln!(out, "\nthe repaired strategy {verdict} ({})", counted(repair.positions, "position"));
    out
}
