//! Game trees of small games: every play from a position, with the value of each position.

use crate::erased::{AnyGame, AnyJudge, SolveRequest, StrategyRequest};
use agon_core::{Ctx, Stop, Wdl};
use agon_report::failure::Failure;
use agon_report::{TreeMove, TreeNode, TreeReport};
use std::collections::HashMap;

/// The limits of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Moves are followed for that many plies.
    pub plies: usize,
    /// Positions are followed while there are at most that many nodes.
    pub nodes: usize,
    /// True if positions that are equivalent, and reached at the same ply, are one node.
    pub merge: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { plies: usize::MAX, nodes: 200, merge: false }
    }
}

/// The most nodes that are searched for the value of a position.
const NODES: u64 = 1 << 18;

/// The memory of a solver, in bytes.
const MEMORY: u64 = 256 << 20;

/// The tree from a position. Moves that lead to equivalent positions are one branch.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, tree};
///
/// let game = Registry::standard().game("ellie:3x2").unwrap();
/// let tree = tree::grow(game.as_ref(), &game.start(), tree::Limits::default(), &Ctx::default()).unwrap();
/// assert_eq!((tree.nodes[0].nimber, tree.complete), (Some(2), true));
/// ```
pub fn grow(game: &dyn AnyGame, pos: &str, limits: Limits, ctx: &Ctx) -> Result<TreeReport, Failure> {
    let pos = game.position(pos)?;
    let mut tree = Growing { game, judge: game.judge()?, nimbers: true, nodes: Vec::new(), limits };
    tree.add(&pos, 0, ctx)?;
    tree.nimbers = tree.nodes[0].nimber.is_some();
    tree.nodes[0].plays = 1;
    let mut at = 0;
    while at < tree.nodes.len() {
        match ctx.check() {
            Err(Stop::Interrupted) => return Err(Stop::Interrupted.into()),
            // No time is left: the nodes so far are the tree.
            Err(_) => tree.nodes[at..].iter_mut().for_each(|node| node.cut = !node.over),
            Ok(()) => {
                ctx.progress("growing the tree, nodes", at as u64, None);
                tree.expand(at, ctx)?;
            }
        }
        at += 1;
    }
    if limits.merge {
        tree.count_plays();
    }
    Ok(TreeReport::new(game.spelling().to_string(), pos, tree.nodes, limits.merge))
}

/// The tree of a player's search at a position, at most `most` nodes.
///
/// ```
/// use agon_core::Ctx;
/// use agon_registry::{Registry, tree};
///
/// let game = Registry::standard().game("tic-tac-toe").unwrap();
/// let found = tree::of_search(game.as_ref(), "X../.O./...", "mcts:playouts=50", 1, 20, &Ctx::default()).unwrap();
/// assert_eq!(found.nodes[0].visits, Some(50));
/// ```
pub fn of_search(
    game: &dyn AnyGame,
    pos: &str,
    player: &str,
    seed: u64,
    most: usize,
    ctx: &Ctx,
) -> Result<TreeReport, Failure> {
    let pos = game.position(pos)?;
    let mut agent = game.agent(&StrategyRequest::named(player), seed)?;
    if game.look(&pos, 0)?.over() {
        return Err(Failure::Usage("the play is over, so there is nothing to search".to_string()));
    }
    agent.choose(&pos, ctx)?;
    let grown = agent.grown(&pos, most)?;
    if grown.is_empty() {
        return Err(Failure::Usage(format!(
            "`{player}` grows no tree of playouts; expected mcts, like mcts:playouts=100"
        )));
    }
    let mut nodes = Vec::new();
    for node in grown {
        let view = game.look(&node.position, 0)?;
        let from = node.by.map(|(node, mv)| TreeMove { node, mv, count: 1 });
        nodes.push(TreeNode {
            position: node.position,
            ply: node.ply,
            from: from.into_iter().collect(),
            plays: 1,
            value: None,
            plies: None,
            nimber: None,
            visits: Some(node.visits),
            share: Some(node.share),
            over: view.over(),
            cut: node.cut,
            words: String::new(),
            scene: bare(view.scene),
        });
    }
    Ok(TreeReport::new(game.spelling().to_string(), pos, nodes, false).by(player))
}

struct Growing<'a> {
    game: &'a dyn AnyGame,
    judge: Box<dyn AnyJudge>,
    nimbers: bool,
    nodes: Vec<TreeNode>,
    limits: Limits,
}

impl Growing<'_> {
    /// Adds a position without moves.
    fn add(&mut self, pos: &str, ply: usize, ctx: &Ctx) -> Result<(), Failure> {
        let view = self.game.look(pos, 0)?;
        let ctx = ctx.sub_budget(NODES);
        let nimber = match self.nimbers {
            true => self.nimber(pos, &ctx)?,
            false => None,
        };
        let judged = self.judge.judge(pos, &ctx)?;
        let value = judged.value.value();
        let words = match value {
            None => String::new(),
            Some(Wdl::Draw) => "draw".to_string(),
            Some(Wdl::Win) => format!("{} wins", self.game.player_name(view.turn)),
            Some(Wdl::Loss) => format!("{} wins", self.game.player_name(view.turn.other())),
        };
        self.nodes.push(TreeNode {
            position: pos.to_string(),
            ply,
            from: Vec::new(),
            plays: 0,
            value: value.map(Wdl::name),
            plies: judged.plies,
            nimber,
            visits: None,
            share: None,
            over: view.over(),
            cut: false,
            words,
            scene: bare(view.scene),
        });
        Ok(())
    }

    /// The nim-value of a position; `None` if it has none, or takes too long.
    fn nimber(&self, pos: &str, ctx: &Ctx) -> Result<Option<u32>, Failure> {
        match self.game.solve(pos, &SolveRequest::plain(MEMORY), ctx) {
            Ok((report, _)) => Ok(report.nimber),
            Err(Failure::Stopped(stop)) if stop != Stop::Interrupted => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// Adds the positions after each move from a node.
    fn expand(&mut self, at: usize, ctx: &Ctx) -> Result<(), Failure> {
        let (pos, ply, over) = (self.nodes[at].position.clone(), self.nodes[at].ply, self.nodes[at].over);
        if over {
            return Ok(());
        }
        let mut led: Vec<(String, String, String, u64)> = Vec::new();
        for mv in self.game.moves(&pos)? {
            let after = self.game.play(&pos, &mv)?.1;
            let key = self.game.alike(&after)?;
            match led.iter_mut().find(|(same, ..)| *same == key) {
                Some((.., count)) => *count += 1,
                None => led.push((key, mv, after, 1)),
            }
        }
        if ply >= self.limits.plies || self.nodes.len() + led.len() > self.limits.nodes {
            self.nodes[at].cut = true;
            return Ok(());
        }
        let same_ply: HashMap<String, usize> = match self.limits.merge {
            false => HashMap::new(),
            true => {
                let of_ply = self.nodes.iter().enumerate().filter(|(_, node)| node.ply == ply + 1);
                let keyed = of_ply.map(|(i, node)| Ok((self.game.alike(&node.position)?, i)));
                keyed.collect::<Result<_, Failure>>()?
            }
        };
        for (key, mv, after, count) in led {
            let by = TreeMove { node: at, mv, count };
            let plays = self.nodes[at].plays * count;
            match same_ply.get(&key) {
                Some(&known) => self.nodes[known].from.push(by),
                None => {
                    self.add(&after, ply + 1, ctx)?;
                    let node = self.nodes.last_mut().expect("just added");
                    node.from.push(by);
                    node.plays = plays;
                }
            }
        }
        Ok(())
    }

    /// The number of plays to each node is the sum over the moves that lead to it.
    fn count_plays(&mut self) {
        for at in 1..self.nodes.len() {
            let led = self.nodes[at].from.iter().map(|by| self.nodes[by.node].plays * by.count);
            self.nodes[at].plays = led.sum();
        }
    }
}

/// The picture without names of columns and rows and without text below: the board alone.
fn bare(mut scene: agon_core::scene::Scene) -> agon_core::scene::Scene {
    scene.columns.clear();
    scene.rows.clear();
    scene.caption.clear();
    scene
}
