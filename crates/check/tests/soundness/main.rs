//! Soundness by exhaustion: every entry that a certificate can hold, on every small board under every variant of
//! the rules, against values computed here by plain exhaustion. Whatever is accepted must be true.
//!
//! | module | is about |
//! |---|---|
//! | [`truth`] | values of small boards, by going through all of them |
//! | [`lines`] | every reason of a lines section, one step at a time |
//! | [`faulty`] | rules that are known to be unsound: they must be found out |
//! | [`race`] | every reason of a race section, one step at a time |
//! | [`plays`] | strategies and tables of values, whole certificates |
//! | [`maps`] | the same for games of up to twelve positions, extra turns among them |
//! | [`arguments`] | pairings and lifted strategies, whole certificates |
//! | [`files`] | tables on disk |
//! | [`symmetry`] | entries that stand for all images of their position |
//! | [`whole`] | whole certificates about lines and races |
//!
//! A step is judged by itself: if every state it asks for is as claimed, so must the state be. That is more than
//! whole certificates can show, in which one wrong step needs many right ones around it. Only states where the claim
//! is false are tried: elsewhere nothing that is accepted is wrong.
//!
//! Strategies as text have tests of their own, in `tests/evaluator`.
//!
//! The ordinary tests take seconds. `cargo test --release -p agon-check --test soundness -- --ignored` takes
//! larger boards.

#[path = "../common/mod.rs"]
mod common;

mod arguments;
mod faulty;
mod files;
mod lines;
mod maps;
mod plays;
mod race;
mod symmetry;
mod truth;
mod whole;

pub(crate) use common::Count;

impl Count {
    fn add(&mut self, other: Count) {
        self.states += other.states;
        self.tried += other.tried;
        self.accepted += other.accepted;
    }
}
