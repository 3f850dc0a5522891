//! Whether a person asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag somebody raises when a person asks to stop.
#[must_use]
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(Arc::default).clone()
}

/// Whether it was raised.
#[must_use]
pub fn interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}
