//! agon for Python: the extension module `agon._agon`. The package `agon` beside it gives its parts their names.
//!
//! | module | contents |
//! |---|---|
//! | `game`, `position` | games and positions |
//! | `value` | values and batches of values |
//! | `answers` | solving, counting, verifying, checking: the reports of the command line |
//! | `grading` | players graded by their games |
//! | `tables` | tables in a directory |
//! | `agent` | players and tournaments |
//! | `sequence` | nim-values of heap games |
//! | `custom` | games that are written in Python |
//! | `work` | long work: the lock released, progress, Ctrl-C |
//! | `failure` | failures as exceptions |

mod agent;
mod answers;
mod custom;
mod failure;
mod game;
mod grading;
mod position;
mod sequence;
mod tables;
mod value;
mod work;

use pyo3::prelude::*;

/// The compiled part of agon. Use the package `agon`.
#[pymodule]
fn _agon(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", agon::VERSION)?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<tables::Table>()?;
    module.add_class::<agent::Agent>()?;
    module.add_function(wrap_pyfunction!(game::game, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(value::values, module)?)?;
    module.add_function(wrap_pyfunction!(answers::solve, module)?)?;
    module.add_function(wrap_pyfunction!(answers::count, module)?)?;
    module.add_function(wrap_pyfunction!(answers::verify, module)?)?;
    module.add_function(wrap_pyfunction!(answers::why, module)?)?;
    module.add_function(wrap_pyfunction!(answers::check, module)?)?;
    module.add_function(wrap_pyfunction!(agent::arena, module)?)?;
    module.add_function(wrap_pyfunction!(grading::grade, module)?)?;
    module.add_function(wrap_pyfunction!(sequence::grundy, module)?)?;
    Ok(())
}
