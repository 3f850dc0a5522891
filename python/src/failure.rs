//! Failures of the command line as exceptions with data.

use agon::core::Stop;
use agon::failure::Failure;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of `agon.errors` with a message, an exit code and data.
fn raised(
    py: Python<'_>,
    name: &str,
    message: String,
    code: u8,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let data = PyDict::new(py);
        fill(&data)?;
        py.import("agon.errors")?.getattr(name)?.call1((message, code, data))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A wrong argument: what was given and what would do.
pub(crate) fn usage(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raised(py, "UsageError", message.into(), Failure::USAGE, |_| Ok(()))
}

/// A fault in the rules of a game that is written in Python.
pub(crate) fn rules(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raised(py, "RulesError", message.into(), Failure::USAGE, |_| Ok(()))
}

/// Work that was stopped by a limit before it had its answer, with what is proven.
pub(crate) fn stopped(py: Python<'_>, stop: Stop, bounds: Option<agon::core::Bounds>) -> PyErr {
    let message = match bounds {
        Some(bounds) if bounds != agon::core::Bounds::UNKNOWN => {
            format!("{stop}; between {} and {} is proven", bounds.lo.name(), bounds.hi.name())
        }
        _ => format!("{stop}; nothing is proven"),
    };
    raised(py, "Stopped", message, 1, |data| {
        data.set_item("stopped", stop.name())?;
        let bounds = bounds.unwrap_or(agon::core::Bounds::UNKNOWN);
        data.set_item("lo", bounds.lo.name())?;
        data.set_item("hi", bounds.hi.name())
    })
}

/// The exception for a failure.
pub(crate) fn exception(py: Python<'_>, failure: &Failure) -> PyErr {
    let (code, message) = (failure.code(), failure.to_string());
    match failure {
        Failure::Stopped(Stop::Interrupted) | Failure::Interrupted(_) | Failure::Saved(_) => {
            pyo3::exceptions::PyKeyboardInterrupt::new_err(message)
        }
        Failure::Stopped(stop) => raised(py, "Stopped", message, code, |data| data.set_item("stopped", stop.name())),
        Failure::NoMemory { needed, allowed } => raised(py, "Stopped", message, code, |data| {
            data.set_item("stopped", "memory")?;
            data.set_item("needed", *needed)?;
            data.set_item("allowed", *allowed)
        }),
        Failure::Usage(_) => raised(py, "UsageError", message, code, |_| Ok(())),
        Failure::NotOffered { what, game, offered } => raised(py, "NotOffered", message, code, |data| {
            data.set_item("what", what)?;
            data.set_item("game", game)?;
            data.set_item("offered", offered)
        }),
        Failure::Exists { path, .. } => raised(py, "UsageError", message, code, |data| data.set_item("path", path)),
        Failure::NoTables { folder, game } => raised(py, "UsageError", message, code, |data| {
            data.set_item("path", folder)?;
            data.set_item("game", game)
        }),
        Failure::Damaged { path, why } => raised(py, "Damaged", message, code, |data| {
            data.set_item("path", path.as_ref().map(|path| path.display().to_string()))?;
            data.set_item("why", why)
        }),
        _ => raised(py, "AgonError", message, code, |_| Ok(())),
    }
}
