//! Tiny games to test solvers on.
//!
//! [`Tree`] is spelled as text and never cycles: `((+ -) (= (+ -)))` is a position with two moves; leaves are written
//! as the first player sees them: `+` won, `=` drawn, `-` lost. After a `*` the side that made the move moves again:
//! `(*(+ -) -)`.
//!
//! [`Graph`] may cycle: `a:b,c b:a,+ c:-` has the named positions `a` (the start), `b` and `c`. [`FreeGraph`] knows the
//! `*` too.
//!
//! [`Pile`] has every capability that so small a game can have. [`Take`] and [`Dots`] are games with extra turns.

mod dots;
mod pile;
mod take;

pub use dots::Dots;
pub use pile::Pile;
pub use take::Take;

use crate::evaluate::Evaluate;
use crate::game::{Acyclic, Alternating, Game, Guide, Notation, NotationError, Symmetric};
use crate::indexed::{BulkIndexed, Indexed, TableIndex};
use crate::words::{Outcome, Player};
use std::collections::BTreeSet;

fn leaf(symbol: &str) -> Option<Outcome> {
    match symbol {
        "+" => Some(Outcome::Win(Player::First)),
        "=" => Some(Outcome::Draw),
        "-" => Some(Outcome::Win(Player::Second)),
        _ => None,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    end: Option<Outcome>,
    turn: Player,
    height: u32,
    next: Vec<u32>,
}

/// A finite tree, given as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Reads a tree. Panics on a misspelled one: trees are written by tests.
    #[must_use]
    pub fn new(text: &str) -> Tree {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('*', " * ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut tree = Tree { nodes: Vec::new() };
        let (_, used) = tree.read(&words, 0, Player::First);
        assert_eq!(used, words.len(), "text after the tree in `{text}`");
        tree
    }

    fn read(&mut self, words: &[&str], mut at: usize, turn: Player) -> (u32, usize) {
        let id = self.nodes.len();
        self.nodes.push(Node { end: leaf(words[at]), turn, height: 0, next: Vec::new() });
        if words[at] != "(" {
            assert!(self.nodes[id].end.is_some(), "`{}` is not one of ( + = -", words[at]);
            return (id as u32, at + 1);
        }
        at += 1;
        while words[at] != ")" {
            let again = words[at] == "*";
            let next = if again { turn } else { turn.other() };
            let (child, after) = self.read(words, at + usize::from(again), next);
            let height = self.nodes[id].height.max(self.nodes[child as usize].height + 1);
            self.nodes[id].height = height;
            self.nodes[id].next.push(child);
            at = after;
        }
        assert!(!self.nodes[id].next.is_empty(), "a position without moves must be a leaf");
        (id as u32, at + 1)
    }
}

impl Game for Tree {
    type Position = u32;
    type Move = u8;
    type Undo = u32;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, pos: &u32) -> Player {
        self.nodes[*pos as usize].turn
    }
    fn outcome(&self, pos: &u32) -> Option<Outcome> {
        self.nodes[*pos as usize].end
    }
    fn moves(&self, pos: &u32, each: &mut impl FnMut(u8)) {
        (0..self.nodes[*pos as usize].next.len() as u8).for_each(each);
    }
    fn play(&self, pos: &mut u32, mv: u8) -> u32 {
        std::mem::replace(pos, self.nodes[*pos as usize].next[usize::from(mv)])
    }
    fn undo(&self, pos: &mut u32, _mv: u8, undo: u32) {
        *pos = undo;
    }
}

impl Acyclic for Tree {
    fn height(&self, pos: &u32) -> u32 {
        self.nodes[*pos as usize].height
    }
}

impl Symmetric for Tree {}
impl Guide for Tree {}

impl Evaluate for Tree {}

impl Notation for Tree {
    fn show(&self, pos: &u32) -> String {
        pos.to_string()
    }
    fn parse(&self, text: &str) -> Result<u32, NotationError> {
        let id = text.trim().parse().ok().filter(|&id: &u32| (id as usize) < self.nodes.len());
        id.ok_or_else(|| NotationError::position(text, format!("expected 0..{}", self.nodes.len())))
    }
    fn show_move(&self, _pos: &u32, mv: u8) -> String {
        mv.to_string()
    }
}

/// Named positions that may lead back to one another, given as text. With `FREE`, a side may move again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph<const FREE: bool = false> {
    names: Vec<String>,
    /// The target of each move, and whether the same side moves again.
    next: Vec<Vec<(u32, bool)>>,
    ends: Vec<Option<Outcome>>,
    reached: BTreeSet<(u32, Player)>,
}

/// A graph in which the turn need not alternate.
pub type FreeGraph = Graph<true>;

impl Graph {
    /// Reads a graph in which the turn alternates. Panics on a misspelled one: graphs are written by tests.
    #[must_use]
    pub fn new(text: &str) -> Graph {
        assert!(!text.contains('*'), "`{text}` has extra turns");
        Graph::read(text)
    }
}

impl FreeGraph {
    /// Reads a graph in which a `*` before a name means that the side that moved there moves again.
    #[must_use]
    pub fn with_turns(text: &str) -> FreeGraph {
        Graph::read(text)
    }
}

impl<const FREE: bool> Graph<FREE> {
    fn read(text: &str) -> Graph<FREE> {
        let rows: Vec<(&str, &str)> =
            text.split_whitespace().map(|row| row.split_once(':').expect("a row is name:next,next")).collect();
        let mut names: Vec<String> = rows.iter().map(|(name, _)| (*name).to_string()).collect();
        names.extend(["+", "=", "-"].map(String::from));
        let find =
            |name: &str| names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no row `{name}`")) as u32;
        let step = |name: &str| match name.strip_prefix('*') {
            Some(name) => (find(name), true),
            None => (find(name), false),
        };
        let mut next: Vec<Vec<_>> = rows.iter().map(|(_, list)| list.split(',').map(step).collect()).collect();
        next.resize(names.len(), Vec::new());
        let ends = names.iter().map(|name| leaf(name)).collect();
        let (mut reached, mut todo) = (BTreeSet::new(), vec![(0, Player::First)]);
        while let Some((at, turn)) = todo.pop() {
            if reached.insert((at, turn)) {
                todo.extend(next[at as usize].iter().map(|&(to, again)| (to, if again { turn } else { turn.other() })));
            }
        }
        Graph { names, next, ends, reached }
    }
}

impl<const FREE: bool> Game for Graph<FREE> {
    type Position = (u32, Player);
    type Move = u8;
    type Undo = (u32, Player);

    fn start(&self) -> Self::Position {
        (0, Player::First)
    }
    fn turn(&self, pos: &Self::Position) -> Player {
        pos.1
    }
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome> {
        self.ends[pos.0 as usize]
    }
    fn moves(&self, pos: &Self::Position, each: &mut impl FnMut(u8)) {
        (0..self.next[pos.0 as usize].len() as u8).for_each(each);
    }
    fn play(&self, pos: &mut Self::Position, mv: u8) -> Self::Undo {
        let (to, again) = self.next[pos.0 as usize][usize::from(mv)];
        std::mem::replace(pos, (to, if again { pos.1 } else { pos.1.other() }))
    }
    fn undo(&self, pos: &mut Self::Position, _mv: u8, undo: Self::Undo) {
        *pos = undo;
    }
}

impl Alternating for Graph {}

impl<const FREE: bool> Symmetric for Graph<FREE> {}

/// One table with every position that can be reached, finished ones left out.
impl Indexed for Graph {
    type Shard = ();

    fn components(&self) -> Vec<Vec<()>> {
        vec![vec![()]]
    }
    fn leads_to(&self, _shard: ()) -> Vec<()> {
        Vec::new()
    }
    fn shard_name(&self, _shard: ()) -> String {
        "all".to_string()
    }
    fn shard_size(&self, _shard: ()) -> u64 {
        2 * self.names.len() as u64
    }
    fn shard(&self, _pos: &Self::Position) {}
    fn table_index(&self, pos: &Self::Position) -> TableIndex<()> {
        TableIndex { shard: (), index: 2 * u64::from(pos.0) + pos.1 as u64, stabiliser: 1 }
    }
    fn position(&self, _shard: (), index: u64) -> Option<Self::Position> {
        let pos = ((index / 2) as u32, Player::BOTH[(index % 2) as usize]);
        (self.reached.contains(&pos) && self.ends[pos.0 as usize].is_none()).then_some(pos)
    }
    fn symmetries(&self) -> u32 {
        1
    }
    fn unplay(&self, pos: &Self::Position, each: &mut impl FnMut(Self::Position)) {
        for (before, next) in self.next.iter().enumerate() {
            next.iter().filter(|&&(to, _)| to == pos.0).for_each(|_| each((before as u32, pos.1.other())));
        }
    }
    fn phase(&self, _shard: ()) -> &'static str {
        "all"
    }
}

impl BulkIndexed for Graph {}

impl<const FREE: bool> Guide for Graph<FREE> {}

impl<const FREE: bool> Evaluate for Graph<FREE> {}

impl<const FREE: bool> Notation for Graph<FREE> {
    fn show(&self, pos: &Self::Position) -> String {
        format!("{}/{}", self.names[pos.0 as usize], pos.1.name())
    }
    fn parse(&self, text: &str) -> Result<Self::Position, NotationError> {
        let wrong = || NotationError::position(text, "expected name/first or name/second");
        let (name, side) = text.split_once('/').ok_or_else(wrong)?;
        let id = self.names.iter().position(|n| n == name).ok_or_else(wrong)?;
        let side = Player::BOTH.into_iter().find(|p| p.name() == side).ok_or_else(wrong)?;
        Ok((id as u32, side))
    }
    fn show_move(&self, pos: &Self::Position, mv: u8) -> String {
        format!("{mv}{}", self.names[self.next[pos.0 as usize][usize::from(mv)].0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn trees_keep_the_laws() {
        let tree = Tree::new("((+ -) (= (+ -)) -)");
        laws::acyclic(&tree, 20, 1);
        laws::notation(&tree, 20, 1);
        assert_eq!(tree.height(&0), 3);
    }

    #[test]
    fn games_with_extra_turns_keep_the_laws() {
        for tree in ["(*(+ -) -)", "((*+ -) *(= (*+ -)) -)"] {
            let tree = Tree::new(tree);
            laws::check(&tree, 20, 1);
            laws::evaluation(&tree, 20, 1);
        }
        for (columns, rows) in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2)] {
            let game = Dots::new(columns, rows);
            laws::check(&game, 10, 1);
            laws::evaluation(&game, 10, 1);
            laws::order(&game, 10, 1);
            laws::ranked(&game, 10, 1);
        }
        laws::check(&Take(9), 20, 1);
        laws::order(&Take(9), 20, 1);
        let graph = FreeGraph::with_turns("a:*b,c b:a,+ c:-,*a");
        laws::rules(&graph, 20, 1);
        laws::notation(&graph, 20, 1);
    }

    #[test]
    fn a_pile_keeps_the_laws() {
        let game = Pile::new(11);
        laws::check(&game, 20, 1);
        laws::alternating(&game, 20, 1);
        laws::ranked(&game, 20, 1);
        laws::evaluation(&game, 20, 1);
        laws::order(&game, 20, 1);
        laws::parts(&game, 20, 1);
        laws::forcing(&game, 20, 1);
    }

    #[test]
    fn graphs_keep_the_laws() {
        let graph = Graph::new("a:b,c b:a,+ c:-,=");
        laws::rules(&graph, 20, 1);
        laws::notation(&graph, 20, 1);
        laws::indexed(&graph, 20, 1);
        laws::indices(&graph, 1);
        laws::bulk(&graph, 20, 1);
        laws::alternating(&graph, 20, 1);
    }
}
