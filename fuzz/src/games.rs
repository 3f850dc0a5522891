//! Small games with positions of theirs, and what they are worth by plain exhaustion over text.

use agon_core::{Outcome, Player, Rng, Status, Wdl};
use agon_registry as registry;
use agon_registry::erased::AnyGame;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

/// A few games of every family.
pub const SMALL: [&str; 32] = [
    "mnk:3,3,3",
    "mnk:4,3,3",
    "drop:4,4,3",
    "order-chaos:3x3,k=3",
    "order-chaos:4x1,k=3,row=exact,first=chaos",
    "order-chaos:4x1,k=3,row=exact-final,first=chaos",
    "order-chaos:2x2,k=2,symbols=3",
    "tak:3",
    "tak:4,komi=2",
    "tak:5,opening=noswap",
    "tak:3,draw=threefold",
    "heap:0.007;5+7",
    "heap:4.7;6,play=misere",
    "subtract:1,2,3;4+5",
    "nim:1+2+3",
    "kayles:5+3",
    "dawson:6",
    "grundy:5+4",
    "treblecross:1x6",
    "ellie:3x2",
    "cram:3x2",
    "circular-nim:4,2;1+2+2+1",
    "sum:(kayles:4)+(nim:2+3)",
    "antrin:3",
    "achi",
    "three-mens",
    "picaria",
    "tant-fant",
    "shisima",
    "rota",
    "morris:five,men=4",
    "board:example",
];

/// A game with positions that come up in random play.
pub struct Sample {
    /// The game.
    pub game: Box<dyn AnyGame>,
    /// Positions of it, canonical, the start among them.
    pub positions: Vec<String>,
}

/// The small games, each with some positions; the same in every run.
pub fn samples() -> &'static [Sample] {
    static SAMPLES: OnceLock<Vec<Sample>> = OnceLock::new();
    SAMPLES.get_or_init(|| SMALL.iter().map(|spelling| sample(spelling)).collect())
}

fn sample(spelling: &str) -> Sample {
    let game = registry::standard().game(spelling).unwrap_or_else(|error| panic!("{error}"));
    let (mut rng, mut positions) = (Rng::new(1), vec![game.start()]);
    for _ in 0..4 {
        let mut pos = game.start();
        for _ in 0..24 {
            let moves = game.moves(&pos).expect("moves of a position that came up");
            let Some(mv) = rng.pick(&moves) else { break };
            pos = game.play(&pos, mv).expect("a legal move").1;
            positions.push(pos.clone());
        }
    }
    Sample { game, positions }
}

/// More positions than this are not looked at.
const MOST_POSITIONS: usize = 8_000;

/// More comparisons of moves than this are not made: a move is found by its name among all moves of its position.
const MOST_COMPARISONS: usize = 4_000_000;

/// The value of the position for the side to move; `None` where that takes too long. A canonical spelling fixes
/// the rules, so that it serves as the key of what is known already.
pub fn truth(game: &dyn AnyGame, from: &str) -> Option<Wdl> {
    type Known = HashMap<(String, String), Option<Wdl>>;
    thread_local!(static KNOWN: RefCell<Known> = RefCell::default());
    let key = (game.spelling().to_string(), from.to_string());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let found = exhaust(game, from);
    KNOWN.with_borrow_mut(|known| {
        if known.len() > 10_000 {
            known.clear();
        }
        known.insert(key, found)
    });
    found
}

/// A position seen as a node: who moves, where to, and what is known of the result for the first player.
struct Node {
    turn: Player,
    next: Vec<usize>,
    value: Option<Outcome>,
}

/// The key that makes two positions the same: in Tak all but the number of the move.
fn essence(game: &dyn AnyGame, pos: &str) -> Rc<str> {
    match pos.rsplit_once(' ') {
        Some((essence, _)) if game.facts().family == "tak" => essence.into(),
        _ => pos.into(),
    }
}

/// Every reachable position, then results spread backwards until nothing changes; what is left is drawn, as endless
/// play is.
fn exhaust(game: &dyn AnyGame, from: &str) -> Option<Wdl> {
    let root = game.position(from).ok()?;
    let mut numbers: HashMap<Rc<str>, usize> = HashMap::from([(essence(game, &root), 0)]);
    let (mut texts, mut nodes, mut comparisons) = (vec![root.clone()], Vec::new(), 0);
    while nodes.len() < texts.len() {
        let pos = texts[nodes.len()].clone();
        let (turn, mut next, mut value) = (game.turn(&pos).ok()?, Vec::new(), None);
        match game.status(&pos).ok()? {
            Status::Over(outcome) => value = Some(outcome),
            Status::Turn(_) => {
                let moves = game.moves(&pos).ok()?;
                comparisons += moves.len() * moves.len();
                if comparisons > MOST_COMPARISONS {
                    return None;
                }
                for mv in moves {
                    let (_, after) = game.play(&pos, &mv).ok()?;
                    let number = *numbers.entry(essence(game, &after)).or_insert_with(|| {
                        texts.push(after);
                        texts.len() - 1
                    });
                    next.push(number);
                }
            }
        }
        nodes.push(Node { turn, next, value });
        if texts.len() > MOST_POSITIONS {
            return None;
        }
    }
    spread(&mut nodes);
    Some(nodes[0].value.unwrap_or(Outcome::Draw).seen_by(nodes[0].turn))
}

fn spread(nodes: &mut [Node]) {
    let mut changed = true;
    while changed {
        changed = false;
        for i in (0..nodes.len()).filter(|&i| nodes[i].value.is_none()).collect::<Vec<_>>() {
            let won = Outcome::Win(nodes[i].turn);
            let after = |j: &usize| nodes[*j].value;
            let value = if nodes[i].next.iter().any(|j| after(j) == Some(won)) {
                Some(won)
            } else if nodes[i].next.iter().all(|j| after(j).is_some()) {
                // No move wins: a draw if one is to be had.
                nodes[i].next.iter().filter_map(after).max_by_key(|outcome| outcome.seen_by(nodes[i].turn))
            } else {
                None
            };
            if value.is_some() {
                nodes[i].value = value;
                changed = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_come_out() {
        for (game, from, value) in [
            ("mnk:3,3,3", "start", Wdl::Draw),
            ("mnk:3,2,2", "start", Wdl::Win),
            ("nim:1+2+3", "start", Wdl::Loss),
            ("grundy:5+8", "start", Wdl::Loss),
            ("antrin:3", "start", Wdl::Draw),
            ("order-chaos:4x1,k=3,row=exact-final,first=chaos", "start", Wdl::Loss),
        ] {
            let built = registry::standard().game(game).expect("a game");
            assert_eq!(truth(built.as_ref(), from), Some(value), "{game}");
        }
    }
}
