//! Nim-values of heap games, and NumPy arrays.

use crate::failure::{exception, usage};
use crate::work::{Limits, run};
use agon::core::Code;
use agon::failure::Failure;
use agon::registry::memory;
use agon::solve::grundy::{Grundy, Method};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A NumPy array over memory that is written once: the values go straight into it.
pub(crate) fn array<'py, const N: usize>(
    py: Python<'py>,
    dtype: &str,
    values: impl ExactSizeIterator<Item = [u8; N]>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyByteArray::new_with(py, values.len() * N, |bytes| {
        for (place, value) in bytes.chunks_exact_mut(N).zip(values) {
            place.copy_from_slice(&value);
        }
        Ok(())
    })?;
    py.import("numpy")?.call_method1("frombuffer", (bytes, dtype))
}

/// Values whose number is known beforehand.
struct Counted<I>(I, usize);

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let next = self.0.next()?;
        self.1 -= 1;
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}

impl<I: Iterator> ExactSizeIterator for Counted<I> {}

/// The nim-values `G(0)` to `G(to)` of a heap game as a NumPy array of `to + 1` values, each of them proven.
///
/// >>> agon.grundy("0.77", 11)
/// array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (code, to, *, time=None, threads=None))]
pub(crate) fn grundy<'py>(
    py: Python<'py>,
    code: &str,
    to: usize,
    time: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let code: Code = code.parse().map_err(|error| usage(py, format!("{error}")))?;
    let (needed, free) = (Grundy::memory(&code, to), memory::free());
    if needed > free / 10 * 9 {
        return Err(exception(py, &Failure::NoMemory { needed: Some(needed), allowed: free / 10 * 9 }));
    }
    let ctx = Limits { seconds: time, threads, nodes: None }.context(py, None)?;
    let sequence = run(py, ctx, |ctx| {
        let mut sequence = Grundy::new(&code, to, Method::Auto);
        sequence.run(ctx, to)?;
        Ok(sequence)
    })?;
    let values = Counted(sequence.values().map(u32::to_ne_bytes), sequence.len());
    array(py, "uint32", values)
}
