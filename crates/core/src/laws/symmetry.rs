//! Laws of symmetry groups.

use super::along;
use crate::game::{Symmetric, collect_moves};
use crate::rng::Rng;
use std::collections::BTreeMap;

/// Up to this many pairs of elements, all products are checked.
const MAX_ALL_PAIRS: usize = 64;
/// Random pairs whose products are checked in a larger group.
const SAMPLED_PAIRS: usize = 16;
/// The most elements whose action on all moves is checked.
const MAX_ELEMENTS: usize = 16;

/// Products of elements, as far as the positions seen so far tell them apart.
struct Products {
    /// For a pair, the elements that may be its product: first the second of the pair, then the first.
    possible: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Products {
    fn new(order: usize, rng: &mut Rng) -> Products {
        let all = (0..order).flat_map(|a| (0..order).map(move |b| (a, b)));
        let pairs: Vec<_> = if order * order <= MAX_ALL_PAIRS {
            all.collect()
        } else {
            (0..SAMPLED_PAIRS).map(|_| (rng.below(order), rng.below(order))).collect()
        };
        Products { possible: pairs.into_iter().map(|pair| (pair, (0..order).collect())).collect() }
    }

    /// Checks that some element acts on `pos` and its moves as the product of each pair does.
    fn narrow<G: Symmetric>(&mut self, game: &G, pos: &G::Position) {
        let moves = collect_moves(game, pos);
        for (&(a, b), possible) in &mut self.possible {
            let both = game.image(a, &game.image(b, pos));
            let move_by_both = |mv: G::Move| game.image_of_move(a, game.image_of_move(b, mv));
            possible.retain(|&c| {
                game.image(c, pos) == both && moves.iter().all(|&mv| game.image_of_move(c, mv) == move_by_both(mv))
            });
            assert!(!possible.is_empty(), "element {b} and then {a} are no element of the group: see {pos:?}");
        }
    }

    /// Checks associativity, where every product is known.
    fn associate(&self) {
        let product = |a, b| self.possible.get(&(a, b)).filter(|list| list.len() == 1).map(|list| list[0]);
        for &(a, b) in self.possible.keys() {
            for c in self.possible.keys().map(|pair| pair.1) {
                let left = product(a, b).and_then(|ab| product(ab, c));
                let right = product(b, c).and_then(|bc| product(a, bc));
                let known = left.is_some() && right.is_some();
                assert!(!known || left == right, "the product of elements {a}, {b} and {c} depends on the order");
            }
        }
    }
}

/// An element maps the legal moves one to one onto those of the image.
fn maps_moves<G: Symmetric>(game: &G, pos: &G::Position, element: usize) {
    let mut images: Vec<_> = collect_moves(game, pos).into_iter().map(|mv| game.image_of_move(element, mv)).collect();
    let mut legal = collect_moves(game, &game.image(element, pos));
    images.sort_unstable();
    legal.sort_unstable();
    assert_eq!(images, legal, "element {element} does not map the moves of {pos:?} onto those of its image");
}

/// The group acts, and play commutes with it.
pub fn symmetry<G: Symmetric>(game: &G, plays: u64, seed: u64) {
    let mut products = Products::new(game.order(), &mut Rng::new(seed));
    along(game, plays, seed, |pos, rng| {
        products.narrow(game, pos);
        for _ in 0..game.order().min(MAX_ELEMENTS) {
            maps_moves(game, pos, rng.below(game.order()));
        }
        assert_eq!(game.image(0, pos), *pos, "element 0 is not the identity");
        let canonical = game.canonical(pos);
        assert_eq!(game.image(canonical.1, pos), canonical.0, "canonical names the wrong element at {pos:?}");
        let mv = game.random_move(pos, rng);
        for element in 0..game.order() {
            let image = game.image(element, pos);
            assert_eq!(game.image(game.inverse(element), &image), *pos, "inverse of {element} is wrong");
            assert_eq!(game.canonical(&image).0, canonical.0, "canonical differs on the orbit of {pos:?}");
            assert_eq!(game.turn(&image), game.turn(pos), "element {element} changes the turn");
            assert_eq!(game.outcome(&image), game.outcome(pos), "element {element} changes the outcome of {pos:?}");
            if let Some(mv) = mv {
                let there = game.after(&image, game.image_of_move(element, mv));
                assert_eq!(
                    there,
                    game.image(element, &game.after(pos, mv)),
                    "play and element {element} do not commute"
                );
            }
        }
    });
    products.associate();
}
