//! The game tree from a position: the answer of `tree`, as text, JSON and a picture.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, counted, table};
use agon_core::scene::{Scene, style_css};
use serde::Serialize;
use std::fmt::Write as _;

/// A node of the tree: a position, up to symmetry.
#[derive(Clone, Debug, Serialize)]
pub struct TreeNode {
    /// The position.
    pub position: String,
    /// The number of plies from the root.
    pub ply: usize,
    /// The moves that lead to it.
    pub from: Vec<TreeMove>,
    /// The number of plays that lead to it.
    pub plays: u64,
    /// `win`, `draw` or `loss` for the side to move; null if it is not proven.
    pub value: Option<&'static str>,
    /// Plies to the end under best play, where they are known.
    pub plies: Option<u32>,
    /// The nim-value, in impartial games under normal play.
    pub nimber: Option<u32>,
    /// Playouts through the node, in the tree of a player's search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// The share of their points that the side won which made the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// True if the play is over.
    pub over: bool,
    /// True if moves from here are left out.
    pub cut: bool,
    /// The value in words: who wins.
    #[serde(skip)]
    pub words: String,
    /// The picture.
    #[serde(skip)]
    pub scene: Scene,
}

/// Equivalent moves between two nodes.
#[derive(Clone, Debug, Serialize)]
pub struct TreeMove {
    /// The index of the node that the moves begin at.
    pub node: usize,
    /// The first of the moves.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of moves that lead to an equivalent position.
    pub count: u64,
}

/// The answer of `agon tree`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TreeReport {
    /// The version of the program.
    pub agon: &'static str,
    /// The game.
    pub game: String,
    /// The position at the root.
    pub position: String,
    /// The nodes, ply by ply; the first is the root.
    pub nodes: Vec<TreeNode>,
    /// The player whose search this is, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// True if every play from the root is in the tree.
    pub complete: bool,
    /// True if a position is one node for all moves that lead to it at the same ply.
    pub merged: bool,
}

impl TreeReport {
    /// The answer for some nodes.
    #[must_use]
    pub fn new(game: String, position: String, nodes: Vec<TreeNode>, merged: bool) -> TreeReport {
        let complete = nodes.iter().all(|node| !node.cut);
        TreeReport { agon: VERSION, game, position, nodes, player: None, complete, merged }
    }

    /// The same as the search of a player.
    #[must_use]
    pub fn by(self, player: &str) -> TreeReport {
        TreeReport { player: Some(player.to_string()), ..self }
    }

    fn children(&self, of: usize) -> impl Iterator<Item = (usize, &TreeMove)> {
        let led = move |(i, node): (usize, &'_ TreeNode)| -> Option<usize> {
            node.from.iter().any(|mv| mv.node == of).then_some(i)
        };
        let all: Vec<usize> = self.nodes.iter().enumerate().filter_map(led).collect();
        all.into_iter().map(move |i| {
            let by = self.nodes[i].from.iter().find(|mv| mv.node == of).expect("a move from there");
            (i, by)
        })
    }

    /// The tree as lines with branches.
    fn branches(&self, at: usize, before: &str, out: &mut String) {
        let children: Vec<(usize, &TreeMove)> = self.children(at).collect();
        for (i, (child, by)) in children.iter().enumerate() {
            let last = i + 1 == children.len();
            let (knee, pipe) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let _ = writeln!(out, "{before}{knee}{}  {}", moved(by), self.nodes[*child].label());
            self.branches(*child, &format!("{before}{pipe}"), out);
        }
    }

    /// The nodes ply by ply, with their parents: for trees whose branches meet again.
    fn levels(&self) -> String {
        let mut rows = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let from: Vec<String> = node.from.iter().map(|by| format!("{} by {}", by.node, moved(by))).collect();
            rows.push(vec![
                node.ply.to_string(),
                i.to_string(),
                node.position.clone(),
                node.plays.to_string(),
                node.label(),
                from.join(", "),
            ]);
        }
        table(&["ply", "node", "position", "plays", "value", "from"], &rows)
    }

    /// The picture: a board for each node, ply below ply.
    #[must_use]
    pub fn svg(&self) -> String {
        let places = Layout::of(self);
        let mut edges = String::new();
        let mut boards = String::new();
        let mut bottom = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            let (x, y) = places.at(i);
            let (board, height) = node.scene.svg_at(x, y, BOARD);
            boards.push_str(&board);
            let middle = x + BOARD / 2;
            let _ = write!(
                boards,
                "<text class=\"value\" x=\"{middle}\" y=\"{}\">{}</text>",
                y + height + 12,
                escape(&node.label())
            );
            if self.merged && node.ply > 0 {
                let _ = write!(
                    boards,
                    "<text class=\"plays\" x=\"{middle}\" y=\"{}\">{}</text>",
                    y + height + 28,
                    node.plays
                );
            }
            bottom = bottom.max(y + height + 36);
            for by in &node.from {
                let (px, py) = places.at(by.node);
                let (px, py) = (px + BOARD / 2, py + self.nodes[by.node].scene.svg_at(0, 0, BOARD).1 + 34);
                let _ = write!(edges, "<path class=\"edge\" d=\"M{px} {py}L{middle} {}\"/>", y - 16);
            }
            if let [by] = &node.from[..] {
                let _ =
                    write!(boards, "<text class=\"move\" x=\"{middle}\" y=\"{}\">{}</text>", y - 6, escape(&moved(by)));
            }
        }
        let wide = places.width + EDGE;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {bottom}\" width=\"{wide}\" height=\"{bottom}\" role=\"img\">\
             <title>{}</title><style>{}.edge{{stroke:var(--line);stroke-width:1.5}}\
             .value{{font-size:12px;font-weight:600}}.move,.plays{{font-size:11px}}\
             .move{{paint-order:stroke;stroke:var(--paper);stroke-width:4px}}</style>\
             <rect class=\"bg\" width=\"{wide}\" height=\"{bottom}\"/>{edges}{boards}</svg>\n",
            escape(&format!("{} from {}: game tree", self.game, self.position)),
            style_css()
        )
    }
}

fn moved(by: &TreeMove) -> String {
    if by.count == 1 { by.mv.clone() } else { format!("{} ×{}", by.mv, by.count) }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl TreeNode {
    /// The value in few words: `N · 2`, `x wins in 5`, `draw`; in the tree of a search `11/21`, won of playouts.
    fn label(&self) -> String {
        let rest = if self.cut { " …" } else { "" };
        if let (Some(visits), Some(share)) = (self.visits, self.share) {
            // Half a point for a draw; what a win is worth does not change the number of wins.
            let won = (10.0 * share * visits as f64).round() / 10.0;
            return format!("{won}/{visits}{rest}");
        }
        match (self.nimber, self.value) {
            (Some(nimber), _) => format!("{} · {nimber}{rest}", if nimber == 0 { "P" } else { "N" }),
            (None, None) => format!("?{rest}"),
            (None, Some(_)) => match self.plies.filter(|&plies| plies > 0 && self.value != Some("draw")) {
                Some(plies) => format!("{} in {plies}{rest}", self.words),
                None => format!("{}{rest}", self.words),
            },
        }
    }
}

/// Pixels of a board, between boards, and around the picture.
const BOARD: i32 = 72;
const GAP: i32 = 28;
const EDGE: i32 = 16;
/// Pixels between plies, besides the boards.
const BETWEEN: i32 = 84;

/// The places of nodes.
struct Layout {
    /// The left edge of each node.
    x: Vec<i32>,
    /// The top edge of each ply.
    y: Vec<i32>,
    ply: Vec<usize>,
    width: i32,
}

impl Layout {
    fn of(tree: &TreeReport) -> Layout {
        let nodes = &tree.nodes;
        let most = nodes.iter().map(|node| node.ply).max().unwrap_or(0);
        let mut x = vec![0; nodes.len()];
        let width = if tree.merged {
            // Each ply is a row in the middle.
            let row = |ply: usize| nodes.iter().filter(|node| node.ply == ply).count() as i32;
            let widest = (0..=most).map(row).max().unwrap_or(1);
            let width = EDGE + widest * (BOARD + GAP);
            for ply in 0..=most {
                let left = (width - row(ply) * (BOARD + GAP) + GAP) / 2;
                let own = nodes.iter().enumerate().filter(|(_, node)| node.ply == ply);
                own.enumerate().for_each(|(place, (i, _))| x[i] = left + place as i32 * (BOARD + GAP));
            }
            width
        } else {
            let mut next = EDGE;
            spread(tree, 0, &mut next, &mut x);
            next
        };
        let mut y = vec![EDGE];
        for ply in 0..most {
            let tallest =
                nodes.iter().filter(|node| node.ply == ply).map(|node| node.scene.svg_at(0, 0, BOARD).1).max();
            y.push(y[ply] + tallest.unwrap_or(0) + BETWEEN);
        }
        Layout { x, y, ply: nodes.iter().map(|node| node.ply).collect(), width }
    }

    fn at(&self, node: usize) -> (i32, i32) {
        (self.x[node], self.y[self.ply[node]])
    }
}

/// Places leaves from left to right, and every other node above the middle of its children.
fn spread(tree: &TreeReport, at: usize, next: &mut i32, x: &mut [i32]) {
    let children: Vec<usize> = tree.children(at).map(|(child, _)| child).collect();
    if children.is_empty() {
        x[at] = *next;
        *next += BOARD + GAP;
        return;
    }
    children.iter().for_each(|&child| spread(tree, child, next, x));
    x[at] = (x[children[0]] + x[children[children.len() - 1]]) / 2;
}

impl Report for TreeReport {
    fn text(&self, paint: Paint) -> String {
        let mut out =
            format!("{} from {}: {}\n", paint.bold(&self.game), self.position, counted(self.nodes.len(), "node"));
        if self.merged {
            out.push_str(&self.levels());
        } else {
            let _ = writeln!(out, "{}", self.nodes[0].label());
            self.branches(0, "", &mut out);
        }
        if let Some(player) = &self.player {
            let _ = writeln!(
                out,
                "The search of {player}: the playouts through each node, and how many of them the side won which made \
                 the move; a draw is half."
            );
        }
        if !self.complete {
            out.push_str("…: moves from there are left out\n");
        }
        out
    }
}
