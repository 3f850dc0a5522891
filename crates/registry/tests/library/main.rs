//! Tests of the registry behind its public items. They are not unit tests, for which the library would be compiled once
//! more, with every solver for every game.

mod board_files;
mod files;
mod models;
mod names;
mod players;
mod records;
