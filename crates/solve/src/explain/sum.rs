//! Why an impartial position is won or lost: the nim-value of each part, their xor, and the options behind each value.

use crate::Nimbers;
use crate::grundy::Failure;
use agon_core::{Ctx, Impartial};
use std::collections::BTreeMap;

/// The options of parts are not listed if a position has more moves than this.
const MANY_MOVES: usize = 100_000;

/// At most that many different values of options are listed for a part.
const LISTED: usize = 64;

/// The parts of a position, with their nim-values in normal play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// True if the player who cannot move wins. Nim-values then do not decide, and none are given.
    pub misere: bool,
    /// The parts that can be moved in.
    pub parts: Vec<Part>,
    /// The xor of the nim-values; nothing in misère play.
    pub nimber: Option<u32>,
}

/// An independent part of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its text.
    pub text: String,
    /// Its nim-value; nothing in misère play.
    pub nimber: Option<u32>,
    /// For each value that an option has, in order, one such option. The nim-value is the least that is missing.
    pub options: Vec<PartOption>,
    /// The number of further values of options; `None` if the options were not listed, because there are very many.
    pub more: Option<usize>,
}

/// An option of a part: what one move makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartOption {
    /// The parts that it leaves; `0` for none.
    pub leaves: String,
    /// Its nim-value.
    pub nimber: u32,
}

/// The parts of a position.
///
/// ```
/// use agon_core::{Ctx, Game, toy::Pile};
///
/// let game = Pile::new(5); // a move takes one or two counters
/// let sum = agon_solve::explain::sum::sum(&game, &game.start(), &Ctx::default()).unwrap();
/// let five = &sum.parts[0];
/// let options: Vec<(&str, u32)> = five.options.iter().map(|option| (option.leaves.as_str(), option.nimber)).collect();
/// assert_eq!((five.text.as_str(), five.nimber, options), ("5", Some(2), vec![("3", 0), ("4", 1)]));
/// ```
pub fn sum<G: Impartial>(game: &G, pos: &G::Position, ctx: &Ctx) -> Result<Sum, Failure> {
    let (misere, listed) = (game.misere(), game.count_moves(pos) <= MANY_MOVES);
    let mut nimbers = Nimbers::default();
    let mut parts = Vec::new();
    for part in game.parts(pos) {
        let text = game.show_part(&part);
        if misere {
            parts.push(Part { text, nimber: None, options: Vec::new(), more: None });
            continue;
        }
        let nimber = nimbers.sum(game, std::slice::from_ref(&part), ctx)?;
        let mut options = Vec::new();
        if listed {
            game.options(&part, &mut |left| options.push(left.to_vec()));
        }
        let mut by_value = BTreeMap::new();
        for left in options {
            by_value.entry(nimbers.sum(game, &left, ctx)?).or_insert_with(|| show(game, &left));
        }
        let more = listed.then(|| by_value.len().saturating_sub(LISTED));
        let options = by_value.into_iter().take(LISTED).map(|(nimber, leaves)| PartOption { leaves, nimber }).collect();
        parts.push(Part { text, nimber: Some(nimber), options, more });
    }
    let nimber = (!misere).then(|| parts.iter().filter_map(|part| part.nimber).fold(0, |xor, nimber| xor ^ nimber));
    Ok(Sum { misere, parts, nimber })
}

fn show<G: Impartial>(game: &G, parts: &[G::Part]) -> String {
    match parts {
        [] => "0".to_string(),
        parts => parts.iter().map(|part| game.show_part(part)).collect::<Vec<_>>().join("+"),
    }
}
