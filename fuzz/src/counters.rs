//! The counters of edges, shown to libFuzzer piece by piece.
//!
//! Solvers and players for thirty families are linked into every reader: 300,000 counters, of which a reader reaches a
//! few thousand. libFuzzer clears and scans all counters that it knows for each case, and this would take longer than
//! most cases do. So it is told of a piece of them when a case first reaches one in it; `build.rs` makes the linker
//! send what the compiler announces here.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicPtr, Ordering};

/// An address in the code, and flags.
type Place = [usize; 2];

unsafe extern "C" {
    fn __real___sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8);
    fn __real___sanitizer_cov_pcs_init(start: *const Place, stop: *const Place);
}

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static STOP: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static PLACES: AtomicPtr<Place> = AtomicPtr::new(std::ptr::null_mut());

/// Called before `main` by every instrumented object, each time with the counters of all of them.
#[unsafe(no_mangle)]
extern "C" fn __wrap___sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Ordering::Relaxed);
    STOP.store(stop, Ordering::Relaxed);
}

/// The same for the places in the code that they belong to.
#[unsafe(no_mangle)]
extern "C" fn __wrap___sanitizer_cov_pcs_init(start: *const Place, _: *const Place) {
    PLACES.store(start.cast_mut(), Ordering::Relaxed);
}

/// Counters in a piece. libFuzzer takes at most 4,096 pieces.
const PIECE: usize = 128;
/// So many cases at the beginning are all looked at: among them are those of the corpus.
const FIRST: u64 = 10_000;
/// Later, one case in so many.
const EVERY: u64 = 16;

/// Coverage that libFuzzer does not know of, and the cases since it was last looked for.
struct Hidden {
    pieces: Vec<(*mut u8, *mut u8)>,
    cases: u64,
    recent: VecDeque<Vec<u8>>,
    again: Vec<Vec<u8>>,
}

thread_local!(static HIDDEN: RefCell<Hidden> = RefCell::new(Hidden::new()));

impl Hidden {
    fn new() -> Hidden {
        let (start, stop) = (START.load(Ordering::Relaxed), STOP.load(Ordering::Relaxed));
        let count = (stop as usize).saturating_sub(start as usize);
        assert!(count / PIECE < 4000, "{count} counters are too many for pieces of {PIECE}");
        let first = start.align_offset(PIECE).min(count);
        let ends = std::iter::once(0).chain((first..count).step_by(PIECE)).chain(std::iter::once(count));
        let ends: Vec<*mut u8> = ends.map(|offset| start.wrapping_add(offset)).collect();
        let pieces = ends.windows(2).map(|ends| (ends[0], ends[1])).filter(|(from, to)| from < to).collect();
        Hidden { pieces, cases: 0, recent: VecDeque::new(), again: Vec::new() }
    }

    /// Shows libFuzzer the pieces that were reached; whether there are any.
    fn look(&mut self) -> bool {
        let before = self.pieces.len();
        self.pieces.retain(|&(from, to)| {
            // SAFETY: the piece is part of the counters, which live as long as the process.
            let untouched = unsafe { is_zero(from, to) };
            if !untouched {
                show(from, to);
            }
            untouched
        });
        self.pieces.len() < before
    }
}

/// # Safety
/// `from..to` are bytes of this process.
unsafe fn is_zero(from: *mut u8, to: *mut u8) -> bool {
    let count = to as usize - from as usize;
    if count == PIECE && from.cast::<u64>().is_aligned() {
        // SAFETY: as for the function. Other threads may count meanwhile, hence volatile.
        return (0..PIECE / 8).all(|i| unsafe { from.cast::<u64>().add(i).read_volatile() } == 0);
    }
    // SAFETY: as above.
    (0..count).all(|i| unsafe { from.add(i).read_volatile() } == 0)
}

fn show(from: *mut u8, to: *mut u8) {
    let start = START.load(Ordering::Relaxed) as usize;
    let place = |at: *mut u8| PLACES.load(Ordering::Relaxed).wrapping_add(at as usize - start).cast_const();
    // SAFETY: these are the counters of a piece and their places, and libFuzzer keeps only what it needs of them.
    unsafe {
        __real___sanitizer_cov_8bit_counters_init(from, to);
        __real___sanitizer_cov_pcs_init(place(from), place(to));
    }
}

/// Clears what libFuzzer does not know of.
pub(crate) fn forget() {
    HIDDEN.with_borrow(|hidden| {
        for &(from, to) in &hidden.pieces {
            // SAFETY: the piece is part of the counters, which live as long as the process.
            unsafe { from.write_bytes(0, to as usize - from as usize) };
        }
    });
}

/// After a case: looks for counters that it was the first to reach. Where several cases may have been the first, the
/// earlier ones are tried again.
pub(crate) fn after(data: &[u8]) {
    HIDDEN.with_borrow_mut(|hidden| {
        hidden.cases += 1;
        if hidden.cases < FIRST || hidden.cases.is_multiple_of(EVERY) {
            let found = hidden.look();
            let recent = hidden.recent.drain(..);
            if found {
                hidden.again.extend(recent);
            }
        } else {
            hidden.recent.push_back(data.to_vec());
        }
    });
}

/// A case that is to be tried again.
pub(crate) fn again() -> Option<Vec<u8>> {
    HIDDEN.with_borrow_mut(|hidden| hidden.again.pop())
}
