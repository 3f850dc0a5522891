//! Checks evidence by forward moves only: it walks every line of play that the evidence allows.

use crate::judge::{Rejected, position};
use crate::text;
use agon_core::family::shorten;
use agon_core::{Ctx, Notation, Player, Stop, Symmetric, Value, Wdl, collect_moves};
use std::collections::HashMap;

/// The bytes that the positions of a text may take, about: a short text can lead to any number of them.
pub(crate) const TEXT_MEMORY: usize = 1 << 30;

/// The moves of a position with more of them are not listed.
const MOST_MOVES: usize = 1 << 22;

/// A longer line of play is not spelled out in a refutation.
const LONGEST_LINE: usize = 100;

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

/// A position, and what a strategy as text remembers of the opponent's last move there.
type State<P> = (P, u16);

/// A state on the current path, its successors, and how many of them are done.
struct Step<P> {
    state: State<P>,
    next: Vec<State<P>>,
    done: usize,
    longest: u32,
}

impl<P> Step<P> {
    fn new(state: State<P>, next: Vec<State<P>>) -> Step<P> {
        Step { state, next, done: 0, longest: 0 }
    }
}

/// The bytes of a state, about, if the text of its position is that long: what a position owns outside of its own bytes
/// is about as long as its text.
fn bytes_of<P>(text: usize) -> usize {
    let owned = if std::mem::needs_drop::<P>() { 2 * text } else { 0 };
    size_of::<(State<P>, Mark)>() + owned
}

/// A claim: this side gets at least this result, within that many plies.
#[derive(Clone, Copy)]
struct Goal {
    side: Player,
    least: Wdl,
    within: Option<u32>,
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
        let next = |(pos, _): &State<G::Position>| {
            let next = if self.game.turn(pos) == side {
                self.listed(pos, side, entries, &mut filed)?
            } else {
                self.replies(pos)?
            };
            Ok(next.into_iter().map(|after| (self.file(&after).0, 0)).collect())
        };
        let root = (self.file(&self.root).0, 0);
        let goal = Goal { side, least, within };
        let looked_at = self.walk(root, goal, usize::MAX, next, |_, why| why)?;
        self.all_used(&filed)?;
        Ok(looked_at)
    }

    /// Follows the moves that a text allows `side` and every reply. Symmetry plays no part: a text may tell images
    /// apart.
    pub(crate) fn text(
        &self,
        side: Player,
        least: Wdl,
        within: Option<u32>,
        strategy: &text::Strategy<'_, G>,
    ) -> Result<u64, Rejected> {
        let game = self.game;
        let step = |pos: &G::Position, mv: G::Move| {
            let after = game.after(pos, mv);
            let answered = strategy.looks_back && game.turn(pos) != side && game.turn(&after) == side;
            let memory = if answered { strategy.last(pos, mv) } else { 0 };
            (after, memory)
        };
        let next = |(pos, memory): &State<G::Position>| {
            let mut moves = self.moves(pos)?;
            if game.turn(pos) == side {
                let chosen = strategy.moves(pos, *memory, self.ctx)?;
                moves.sort_unstable();
                if let Some(&mv) = chosen.iter().find(|mv| moves.binary_search(mv).is_err()) {
                    return self.refuted(pos, format!("the strategy's move {mv:?} does not exist"));
                }
                moves = chosen;
            }
            if moves.is_empty() {
                return self.refuted(pos, format!("the strategy has no move for {}", side.name()));
            }
            Ok(moves.into_iter().map(|mv| step(pos, mv)).collect())
        };
        let (root, goal) = ((self.root.clone(), 0), Goal { side, least, within });
        let most = TEXT_MEMORY / bytes_of::<G::Position>(game.show(&self.root).len());
        self.walk(root, goal, most, next, |path, why| self.with_line(path, step, &why))
    }

    /// Walks every line of play from `root`, where `next` tells how it goes on in a position that is not finished, and
    /// gives up beyond `most` states. A refutation is worded by `tell`, which gets the path to it.
    fn walk(
        &self,
        root: State<G::Position>,
        goal: Goal,
        most: usize,
        mut next: impl FnMut(&State<G::Position>) -> Result<Vec<State<G::Position>>, Rejected>,
        tell: impl Fn(&[&State<G::Position>], String) -> String,
    ) -> Result<u64, Rejected> {
        let mut enter = |state: State<G::Position>, path: &[Step<G::Position>]| {
            let found = match self.ended(&state.0, goal) {
                Some(result) => result.map(|()| Vec::new()),
                None => next(&state),
            };
            found
                .map_err(|rejected| match rejected {
                    Rejected::Refuted(why) => {
                        let path: Vec<&State<G::Position>> =
                            path.iter().map(|step| &step.state).chain([&state]).collect();
                        Rejected::Refuted(tell(&path, why))
                    }
                    other => other,
                })
                .map(|next| Step::new(state.clone(), next))
        };
        let mut marks: HashMap<State<G::Position>, Mark> = HashMap::from([(root.clone(), Mark::Open)]);
        let mut path = vec![enter(root, &[])?];
        let (mut longest, mut waiting) = (0, path[0].next.len());
        // One position can have any number of successors, and each is work: a node is a successor, or the root.
        let mut meter = self.ctx.meter();
        meter.count(1 + waiting as u64)?;
        while let Some(step) = path.last_mut() {
            let Some(child) = step.next.get(step.done).cloned() else {
                longest = step.longest;
                waiting -= step.next.len();
                marks.insert(step.state.clone(), Mark::Done(longest));
                path.pop();
                if let Some(parent) = path.last_mut() {
                    parent.longest = parent.longest.max(longest + 1);
                }
                continue;
            };
            step.done += 1;
            match marks.get(&child) {
                Some(Mark::Done(plies)) => step.longest = step.longest.max(plies + 1),
                Some(Mark::Open) if goal.least == Wdl::Win || goal.within.is_some() => {
                    let text = self.game.show(&child.0);
                    return Err(Rejected::Refuted(format!("play can cycle through `{text}`, so nothing is won")));
                }
                // A cycle is a draw: it can hold a draw claim but never prove a win.
                Some(Mark::Open) => {}
                None => {
                    let next = enter(child.clone(), &path)?;
                    marks.insert(child, Mark::Open);
                    waiting += next.next.len();
                    meter.count(next.next.len() as u64)?;
                    path.push(next);
                    // A map that grows takes twice the room of its contents.
                    if 2 * marks.len() + waiting > most {
                        return Err(Stop::Memory.into());
                    }
                    self.ctx.progress("checking", marks.len() as u64, None);
                }
            }
        }
        if let Some(within) = goal.within.filter(|&within| longest > within) {
            return Err(Rejected::Refuted(format!(
                "a play that follows the moves takes {longest} plies, not {within}"
            )));
        }
        Ok(marks.len() as u64)
    }

    fn refuted<T>(&self, pos: &G::Position, why: String) -> Result<T, Rejected> {
        Err(Rejected::Refuted(format!("at `{}`: {why}", self.game.show(pos))))
    }

    /// Returns whether a finished position is as good as claimed; `None` if it is not finished.
    fn ended(&self, pos: &G::Position, goal: Goal) -> Option<Result<(), Rejected>> {
        let (side, got) = (goal.side.name(), self.game.outcome(pos)?.seen_by(goal.side));
        let worse = || self.refuted(pos, format!("the play ends in a {got} for {side}, not a {}", goal.least));
        Some(if got < goal.least { worse() } else { Ok(()) })
    }

    /// A reason with the line of play that leads there; `step` tells where a move leads.
    fn with_line(
        &self,
        path: &[&State<G::Position>],
        step: impl Fn(&G::Position, G::Move) -> State<G::Position>,
        why: &str,
    ) -> String {
        let name = |pair: &[&State<G::Position>]| {
            let (before, after) = (&pair[0].0, pair[1]);
            let mv = collect_moves(self.game, before).into_iter().find(|&mv| step(before, mv) == *after);
            mv.map_or("…".to_string(), |mv| self.game.show_move(before, mv))
        };
        match path.len() - 1 {
            0 => why.to_string(),
            plies if plies > LONGEST_LINE => format!("{why}, after {plies} plies"),
            _ => format!("{why}, after {}", path.windows(2).map(name).collect::<Vec<_>>().join(" ")),
        }
    }

    /// Every legal move, unless there are too many to list.
    fn moves(&self, pos: &G::Position) -> Result<Vec<G::Move>, Stop> {
        match self.game.count_moves(pos) {
            0..=MOST_MOVES => Ok(collect_moves(self.game, pos)),
            _ => Err(Stop::Memory),
        }
    }

    /// The positions after every legal move.
    fn replies(&self, pos: &G::Position) -> Result<Vec<G::Position>, Stop> {
        Ok(self.moves(pos)?.into_iter().map(|mv| self.game.after(pos, mv)).collect())
    }

    /// The positions after the listed moves.
    fn listed(
        &self,
        pos: &G::Position,
        side: Player,
        entries: &[(String, Vec<String>)],
        filed: &mut Filed<G::Position>,
    ) -> Result<Vec<G::Position>, Rejected> {
        let Some(entry) = filed.get_mut(pos) else {
            return self.refuted(pos, format!("no move is given for {}", side.name()));
        };
        entry.used = true;
        let at = &entry.written;
        let mut next = Vec::new();
        for text in &entries[entry.index].1 {
            let mv = self.game.parse_move(at, text).ok().filter(|&mv| self.game.show_move(at, mv) == *text);
            let Some(mv) = mv else {
                return self.refuted(pos, format!("the move `{}` does not exist", shorten(text)));
            };
            next.push(self.game.after(pos, self.game.image_of_move(entry.element, mv)));
        }
        Ok(next)
    }

    fn all_used(&self, filed: &Filed<G::Position>) -> Result<(), Rejected> {
        match filed.values().find(|entry| !entry.used) {
            Some(entry) => Err(Rejected::Corrupt(format!("`{}` is never reached", self.game.show(&entry.written)))),
            None => Ok(()),
        }
    }

    /// Checks that every value follows from the values of the children.
    pub(crate) fn values(&self, entries: &[(String, Value)]) -> Result<u64, Rejected> {
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
                    for mv in self.moves(&pos)? {
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
    use crate::{Certificate, Claim, Section, check};
    use agon_core::features::Pictured;
    use agon_core::toy::{Graph, Tree};

    fn strategy(side: Player, least: Wdl, within: Option<u32>, entries: &[(&str, &str)]) -> Section {
        let entries = entries.iter().map(|(p, m)| ((*p).into(), m.split(' ').map(String::from).collect()));
        Section::Strategy { side, least, within, entries: entries.collect() }
    }

    fn judge<G: Notation + Symmetric>(game: &G, claim: Claim, sections: Vec<Section>) -> Result<u64, String> {
        let from = game.show(&game.start());
        let certificate = Certificate { game: "toy".into(), rules: None, from, claim, up_to_symmetry: false, sections };
        let certificate = Certificate::read(certificate.write().as_bytes()).map_err(|e| e.to_string())?;
        match check(game, &Pictured::new(game), &certificate, &Ctx::default()) {
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

    #[test]
    fn a_position_without_a_heap_is_counted_by_its_own_bytes() {
        assert_eq!(bytes_of::<(u64, u64)>(60), size_of::<(State<(u64, u64)>, Mark)>());
        assert_eq!(bytes_of::<String>(60), size_of::<(State<String>, Mark)>() + 120);
        // Twelve million positions of 5 × 4 cells fit, in a map that may take twice its contents.
        assert!(2 * 12_000_000 < TEXT_MEMORY / bytes_of::<(u64, u64)>(23));
    }
}
