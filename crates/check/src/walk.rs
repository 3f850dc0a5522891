//! Checks evidence by forward moves only: it walks every line of play that the evidence allows.

use crate::format::{Certificate, Claim, Corrupt, Section};
use crate::{arguments, lines, race};
use agon_core::family::shorten;
use agon_core::{Ctx, LineGame, Lines, Notation, Player, Stop, Symmetric, Value, Wdl, collect_moves};
use std::collections::HashMap;

/// The statement that a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Proved {
    /// The statement, in one sentence.
    pub statement: String,
    /// The number of distinct positions checked, up to symmetry if the certificate uses it.
    pub positions: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// It is malformed: it names a position or move that does not exist, or contains unused evidence.
    Corrupt(String),
    /// It is well-formed and does not prove its claim, for this reason.
    Refuted(String),
    /// The check was stopped.
    Stopped(Stop),
}

impl From<Stop> for Rejected {
    fn from(stop: Stop) -> Rejected {
        Rejected::Stopped(stop)
    }
}

impl From<Corrupt> for Rejected {
    fn from(corrupt: Corrupt) -> Rejected {
        Rejected::Corrupt(corrupt.0)
    }
}

/// Checks a certificate by the plays of a game alone. The caller must pass the game that the certificate names. Sections
/// that argue about lines are corrupt; [`check_lines`] accepts them.
pub fn check<G: Notation + Symmetric>(game: &G, certificate: &Certificate, ctx: &Ctx) -> Result<Proved, Rejected> {
    check_with(game, certificate, ctx, |_, _| None)
}

/// Checks a certificate of a game with lines, whose sections may argue about the lines instead of the plays.
pub fn check_lines<G: Notation + Symmetric + LineGame>(
    game: &G,
    certificate: &Certificate,
    ctx: &Ctx,
) -> Result<Proved, Rejected> {
    check_with(game, certificate, ctx, |root, section| match section {
        Section::Lines { maker, wins, entries } => Some(lined(game, root, *maker, *wins, entries, ctx)),
        Section::Race { winner, entries } => Some(raced(game, root, *winner, entries, ctx)),
        Section::Lifted(entries) => Some(arguments::lifted(game, root, entries, ctx)),
        Section::Pairing(pairs) => Some(arguments::pairing(game, root, pairs, ctx)),
        Section::Strategy { .. } | Section::Text { .. } | Section::Values(_) => None,
    })
}

/// What a section proves: a side, its least result, and the number of positions checked.
pub(crate) type Shown = (Player, Wdl, u64);

/// Checks every section, and whether together they give the claim. `argue` answers for the sections about lines.
fn check_with<G: Notation + Symmetric>(
    game: &G,
    certificate: &Certificate,
    ctx: &Ctx,
    argue: impl Fn(&G::Position, &Section) -> Option<Result<Shown, Rejected>>,
) -> Result<Proved, Rejected> {
    let root = position(game, &certificate.from)?;
    let walker = Walker { game, root, symmetry: certificate.up_to_symmetry, ctx };
    let mut positions = 0;
    let mut shown = Vec::new();
    for section in &certificate.sections {
        if let Some(result) = argue(&walker.root, section) {
            let (side, least, looked_at) = result?;
            shown.push((side, least, None));
            positions += looked_at;
            continue;
        }
        positions += match section {
            Section::Strategy { side, least, within, entries } => {
                shown.push((*side, *least, *within));
                walker.strategy(*side, *least, *within, entries)?
            }
            Section::Text { .. } => return Err(Rejected::Corrupt("strategies as text cannot be checked yet".into())),
            Section::Values(entries) => walker.values(entries)?,
            Section::Lines { .. } | Section::Race { .. } | Section::Lifted(_) | Section::Pairing(_) => {
                return Err(Rejected::Corrupt("this argument needs a game with lines to complete".into()));
            }
        };
    }
    let statement = conclusion(game, certificate, &walker.root, &shown)?;
    Ok(Proved { statement, positions })
}

/// Checks a lines section.
fn lined<G: LineGame>(
    game: &G,
    root: &G::Position,
    maker: Player,
    wins: bool,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let lines = game.lines(maker);
    let lines = lines.ok_or_else(|| Rejected::Corrupt(format!("{} has no lines to complete", maker.name())))?;
    if wins && !lines.decides {
        return Err(Rejected::Corrupt("a completed line decides nothing here".into()));
    }
    let (marks, to_move) = (game.line_marks(root, maker), game.turn(root) == maker);
    let looked_at = lines::check(&lines, marks, to_move, wins, entries, ctx)?;
    Ok(if wins { (maker, Wdl::Win, looked_at) } else { (maker.other(), lines.spoiled.flip(), looked_at) })
}

/// Checks a race section.
fn raced<G: LineGame>(
    game: &G,
    root: &G::Position,
    winner: Player,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<Shown, Rejected> {
    let fits = |lines: &Lines| !lines.decides && !lines.avoiding() && lines.lines.iter().all(|line| line.mark == 0);
    let lines = |side: Player| game.lines(side).filter(fits);
    let (Some(own), Some(other)) = (lines(winner), lines(winner.other())) else {
        return Err(Rejected::Corrupt("this argument is about races to complete a line only".into()));
    };
    let [own_marks, other_marks, ..] = game.line_marks(root, winner);
    let marks = [own_marks, other_marks];
    let looked_at = race::check([&own, &other], marks, game.turn(root) == winner, entries, ctx)?;
    Ok((winner, Wdl::Win, looked_at))
}

/// Returns whether the sections, each true, add up to the claim; and the claim in words.
fn conclusion<G: Notation>(
    game: &G,
    certificate: &Certificate,
    root: &G::Position,
    shown: &[(Player, Wdl, Option<u32>)],
) -> Result<String, Rejected> {
    let mover = game.turn(root);
    let needed: Vec<(Player, Wdl)> = match certificate.claim {
        Claim::Value(Wdl::Win) => vec![(mover, Wdl::Win)],
        Claim::Value(Wdl::Loss) => vec![(mover.other(), Wdl::Win)],
        Claim::Value(Wdl::Draw) => vec![(Player::First, Wdl::Draw), (Player::Second, Wdl::Draw)],
        Claim::AtLeast(_, Wdl::Loss) => return Err(Rejected::Corrupt("at least a loss is no claim".into())),
        Claim::AtLeast(side, least) => vec![(side, least)],
        Claim::Table => Vec::new(),
    };
    let table = certificate.sections.iter().filter(|s| matches!(s, Section::Values(_))).count();
    let found: Vec<(Player, Wdl)> = shown.iter().map(|&(side, least, _)| (side, least)).collect();
    if found != needed || table != usize::from(certificate.claim == Claim::Table) {
        return Err(Rejected::Refuted(format!("the sections do not add up to the claim `{}`", certificate.claim)));
    }
    let at = format!("{} from {}", certificate.game, certificate.from);
    let name = |side: Player| format!("{} ({})", side.name(), game.player_name(side));
    let within = shown.first().and_then(|s| s.2).map_or(String::new(), |n| format!(" within {n} plies"));
    Ok(match (certificate.claim, needed.first()) {
        (Claim::Table, _) => format!("{at}: the value and distance of every reachable position"),
        (Claim::Value(Wdl::Draw), _) => format!("{at}: a draw; each side can hold it against every reply"),
        (_, Some(&(side, Wdl::Win))) => format!("{at}: {} wins{within} against every reply", name(side)),
        (_, Some(&(side, _))) => format!("{at}: {} gets at least a draw against every reply", name(side)),
        (_, None) => return Err(Rejected::Corrupt("the claim is empty".into())),
    })
}

fn position<G: Notation>(game: &G, text: &str) -> Result<G::Position, Rejected> {
    let pos = game.parse(text).map_err(|error| Rejected::Corrupt(error.to_string()))?;
    if game.show(&pos) != text {
        return Err(Rejected::Corrupt(format!("position `{}` is not in canonical notation", shorten(text))));
    }
    Ok(pos)
}

pub(crate) struct Walker<'a, G: Notation + Symmetric> {
    pub(crate) game: &'a G,
    pub(crate) root: G::Position,
    pub(crate) symmetry: bool,
    pub(crate) ctx: &'a Ctx,
}

/// The state of a position during the depth-first walk.
#[derive(Clone, Copy)]
enum Mark {
    /// On the current path.
    Open,
    /// Done: the longest line of play from it takes this many plies.
    Done(u32),
}

/// One entry of a section.
struct Entry<P> {
    index: usize,
    /// The position in the file.
    written: P,
    /// The symmetry that maps it to the representative of its orbit.
    element: usize,
    used: bool,
}

type Filed<P> = HashMap<P, Entry<P>>;

/// A position on the current path, its successors, and how many of them are done.
struct Step<P> {
    pos: P,
    next: Vec<P>,
    done: usize,
    longest: u32,
}

impl<G: Notation + Symmetric> Walker<'_, G> {
    /// The representative that is the key of an entry for `pos`, and the element that maps `pos` to it.
    fn file(&self, pos: &G::Position) -> (G::Position, usize) {
        if self.symmetry { self.game.canonical(pos) } else { (pos.clone(), 0) }
    }

    /// The entries by orbit. With symmetry, any image may represent its orbit; an entry keeps the element that maps its
    /// position to the representative.
    fn entries<T>(&self, entries: &[(String, T)]) -> Result<Filed<G::Position>, Rejected> {
        let mut map = HashMap::new();
        let mut meter = self.ctx.meter();
        for (index, (text, _)) in entries.iter().enumerate() {
            meter.tick()?;
            self.ctx.progress("reading", index as u64, Some(entries.len() as u64));
            let written = position(self.game, text)?;
            let (class, element) = self.file(&written);
            if map.insert(class, Entry { index, written, element, used: false }).is_some() {
                return Err(Rejected::Corrupt(format!("a second entry for the class of `{}`", shorten(text))));
            }
        }
        Ok(map)
    }

    /// Follows the listed moves of `side` and every reply.
    pub(crate) fn strategy(
        &self,
        side: Player,
        least: Wdl,
        within: Option<u32>,
        entries: &[(String, Vec<String>)],
    ) -> Result<u64, Rejected> {
        let mut filed = self.entries(entries)?;
        let mut marks: HashMap<G::Position, Mark> = HashMap::new();
        let root = self.file(&self.root).0;
        let mut path = vec![self.enter(&root, side, least, entries, &mut filed)?];
        marks.insert(root, Mark::Open);
        let mut longest = 0;
        let mut meter = self.ctx.meter();
        while let Some(step) = path.last_mut() {
            meter.tick()?;
            let Some(child) = step.next.get(step.done).cloned() else {
                longest = step.longest;
                marks.insert(step.pos.clone(), Mark::Done(longest));
                path.pop();
                if let Some(parent) = path.last_mut() {
                    parent.longest = parent.longest.max(longest + 1);
                }
                continue;
            };
            step.done += 1;
            match marks.get(&child) {
                Some(Mark::Done(plies)) => step.longest = step.longest.max(plies + 1),
                Some(Mark::Open) if least == Wdl::Win || within.is_some() => {
                    let text = self.game.show(&child);
                    return Err(Rejected::Refuted(format!("play can cycle through `{text}`, so nothing is won")));
                }
                // A cycle is a draw: it can hold a draw claim but never prove a win.
                Some(Mark::Open) => {}
                None => {
                    let next = self.enter(&child, side, least, entries, &mut filed)?;
                    marks.insert(child, Mark::Open);
                    path.push(next);
                    self.ctx.progress("checking", marks.len() as u64, None);
                }
            }
        }
        if let Some(within) = within.filter(|&within| longest > within) {
            return Err(Rejected::Refuted(format!(
                "a play that follows the moves takes {longest} plies, not {within}"
            )));
        }
        self.all_used(&filed)?;
        Ok(marks.len() as u64)
    }

    /// Checks one position: a sufficient outcome, or its successors.
    fn enter(
        &self,
        pos: &G::Position,
        side: Player,
        least: Wdl,
        entries: &[(String, Vec<String>)],
        filed: &mut Filed<G::Position>,
    ) -> Result<Step<G::Position>, Rejected> {
        let refuted = |why: String| Err(Rejected::Refuted(format!("at `{}`: {why}", self.game.show(pos))));
        let mut next = Vec::new();
        if let Some(outcome) = self.game.outcome(pos) {
            let got = outcome.seen_by(side);
            if got < least {
                return refuted(format!("the play ends in a {got} for {}, not a {least}", side.name()));
            }
        } else if self.game.turn(pos) == side {
            let Some(entry) = filed.get_mut(pos) else {
                return refuted(format!("no move is given for {}", side.name()));
            };
            entry.used = true;
            let at = &entry.written;
            for text in &entries[entry.index].1 {
                let mv = self.game.parse_move(at, text).ok().filter(|&mv| self.game.show_move(at, mv) == *text);
                let Some(mv) = mv else { return refuted(format!("the move `{}` does not exist", shorten(text))) };
                let mv = self.game.image_of_move(entry.element, mv);
                next.push(self.file(&self.game.after(pos, mv)).0);
            }
        } else {
            let replies = collect_moves(self.game, pos).into_iter();
            next.extend(replies.map(|mv| self.file(&self.game.after(pos, mv)).0));
        }
        Ok(Step { pos: pos.clone(), next, done: 0, longest: 0 })
    }

    fn all_used(&self, filed: &Filed<G::Position>) -> Result<(), Rejected> {
        match filed.values().find(|entry| !entry.used) {
            Some(entry) => Err(Rejected::Corrupt(format!("`{}` is never reached", self.game.show(&entry.written)))),
            None => Ok(()),
        }
    }

    /// Checks that every value follows from the values of the children.
    fn values(&self, entries: &[(String, Value)]) -> Result<u64, Rejected> {
        let mut filed = self.entries(entries)?;
        let mut todo = vec![self.file(&self.root).0];
        let mut meter = self.ctx.meter();
        let mut looked_at = 0;
        while let Some(pos) = todo.pop() {
            meter.tick()?;
            let refuted = |why: String| Err(Rejected::Refuted(format!("at `{}`: {why}", self.game.show(&pos))));
            let Some(entry) = filed.get_mut(&pos) else { return refuted("its value is missing".into()) };
            if std::mem::replace(&mut entry.used, true) {
                continue;
            }
            looked_at += 1;
            self.ctx.progress("checking", looked_at, Some(entries.len() as u64));
            let said = entries[entry.index].1;
            let follows = match self.game.outcome(&pos) {
                Some(outcome) => Value::finished(outcome.seen_by(self.game.turn(&pos))),
                None => {
                    let mut best = Value::WORST;
                    for mv in collect_moves(self.game, &pos) {
                        let after = self.game.after(&pos, mv);
                        let again = self.game.turn(&after) == self.game.turn(&pos);
                        let child = self.file(&after).0;
                        let Some(next) = filed.get(&child) else {
                            return refuted(format!("the value of `{}` is missing", self.game.show(&child)));
                        };
                        best = best.max(entries[next.index].1.to_parent_with(again));
                        todo.push(child);
                    }
                    best
                }
            };
            if follows != said {
                return refuted(format!("it is {follows}, not {said}"));
            }
        }
        self.all_used(&filed)?;
        Ok(looked_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_core::toy::{Graph, Tree};

    fn strategy(side: Player, least: Wdl, within: Option<u32>, entries: &[(&str, &str)]) -> Section {
        let entries = entries.iter().map(|(p, m)| ((*p).into(), m.split(' ').map(String::from).collect()));
        Section::Strategy { side, least, within, entries: entries.collect() }
    }

    fn judge<G: Notation + Symmetric>(game: &G, claim: Claim, sections: Vec<Section>) -> Result<u64, String> {
        let from = game.show(&game.start());
        let certificate = Certificate { game: "toy".into(), rules: None, from, claim, up_to_symmetry: false, sections };
        let certificate = Certificate::read(certificate.write().as_bytes()).map_err(|e| e.to_string())?;
        match check(game, &certificate, &Ctx::default()) {
            Ok(proved) => Ok(proved.positions),
            Err(Rejected::Refuted(why)) => Err(format!("refuted: {why}")),
            Err(Rejected::Corrupt(why)) => Err(format!("corrupt: {why}")),
            Err(Rejected::Stopped(stop)) => Err(stop.to_string()),
        }
    }

    #[test]
    fn a_winning_strategy_is_accepted_and_a_losing_one_refuted() {
        let tree = Tree::new("((+ +) (+ -))");
        let win = Claim::Value(Wdl::Win);
        let with =
            |moves: &str, within| judge(&tree, win, vec![strategy(Player::First, Wdl::Win, within, &[("0", moves)])]);
        assert_eq!(with("0", Some(2)), Ok(4));
        assert_eq!(with("1", Some(2)), Err("refuted: at `6`: the play ends in a loss for first, not a win".into()));
        assert_eq!(with("0 1", None), Err("refuted: at `6`: the play ends in a loss for first, not a win".into()));
        assert_eq!(with("0", Some(1)), Err("refuted: a play that follows the moves takes 2 plies, not 1".into()));
        assert_eq!(with("5", None), Err("refuted: at `0`: the move `5` does not exist".into()));
        assert_eq!(
            judge(&tree, win, vec![]),
            Err("refuted: the sections do not add up to the claim `value win`".into())
        );
        let missing = vec![strategy(Player::First, Wdl::Win, None, &[])];
        assert_eq!(judge(&tree, win, missing), Err("refuted: at `0`: no move is given for first".into()));
    }

    #[test]
    fn a_cycle_refutes_a_win_and_keeps_a_draw() {
        let graph = Graph::new("a:b,+ b:a,a");
        let round = |least| vec![strategy(Player::First, least, None, &[("a/first", "0b")])];
        let draw = judge(&graph, Claim::AtLeast(Player::First, Wdl::Draw), round(Wdl::Draw));
        assert_eq!(draw, Ok(2));
        let win = judge(&graph, Claim::AtLeast(Player::First, Wdl::Win), round(Wdl::Win));
        assert_eq!(win, Err("refuted: play can cycle through `a/first`, so nothing is won".into()));
    }

    #[test]
    fn a_table_must_follow_from_itself() {
        let tree = Tree::new("(- (= +))");
        let table = |root| {
            vec![("0", root), ("1", Value::loss_in(0)), ("2", Value::DRAW), ("3", Value::DRAW), ("4", Value::win_in(0))]
        };
        let judge = |entries: Vec<(&str, Value)>| {
            judge(&tree, Claim::Table, vec![Section::Values(entries.into_iter().map(|(p, v)| (p.into(), v)).collect())])
        };
        // Node 1 is lost for First, seen by Second who would be to move: a win of no plies.
        let mut right = table(Value::DRAW);
        right[1].1 = Value::win_in(0);
        assert_eq!(judge(right.clone()), Ok(5));
        assert_eq!(judge(table(Value::DRAW)), Err("refuted: at `0`: it is win in 1, not draw".into()));
        right[0].1 = Value::win_in(3);
        assert_eq!(judge(right.clone()), Err("refuted: at `0`: it is draw, not win in 3".into()));
        right[0].1 = Value::DRAW;
        right.remove(2);
        assert_eq!(judge(right), Err("refuted: at `0`: the value of `2` is missing".into()));
    }
}
