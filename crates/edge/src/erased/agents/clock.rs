//! A flag that is raised when the time is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Raises a flag after some time; switched off when dropped.
pub struct Alarm {
    flag: Arc<AtomicBool>,
    /// Dropped to switch the alarm off.
    off: Option<Sender<()>>,
    waiting: Option<JoinHandle<()>>,
}

impl Alarm {
    /// Raises its flag after `time`.
    #[must_use]
    pub fn after(time: Duration) -> Alarm {
        let flag = Arc::new(AtomicBool::new(false));
        let (off, asleep) = channel();
        let raised = flag.clone();
        let waiting = std::thread::spawn(move || {
            if asleep.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                raised.store(true, Ordering::Relaxed);
            }
        });
        Alarm { flag, off: Some(off), waiting: Some(waiting) }
    }

    /// The flag.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.off = None;
        if let Some(waiting) = self.waiting.take() {
            let _ = waiting.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rings_and_can_be_switched_off() {
        let soon = Alarm::after(Duration::from_millis(1));
        let flag = soon.flag();
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        let late = Alarm::after(Duration::from_secs(3600));
        let flag = late.flag();
        drop(late);
        assert!(!flag.load(Ordering::Relaxed));
    }
}
