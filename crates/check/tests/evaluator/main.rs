//! The evaluator of strategies as text, by exhaustion: every short list of rules and every small book as a certificate of
//! every claim, accepted exactly if it is true. Words are evaluated a third time here, from pictures of positions.
//!
//! The ordinary tests take seconds. `cargo test --release -p agon-check --test evaluator -- --ignored` takes larger boards.

#[path = "../common/mod.rs"]
mod common;

mod meaning;
mod moves;
mod pictures;
mod texts;
