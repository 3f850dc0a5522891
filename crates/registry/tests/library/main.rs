//! What the registry does behind its public items. These are no unit tests, for which the library would be compiled once
//! more, with every solver for every game.

mod board_files;
mod files;
mod models;
mod names;
mod players;
mod records;
