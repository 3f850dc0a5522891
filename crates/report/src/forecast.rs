//! Forecasts how long a task still takes, where that is better than a guess.

use agon_core::Progress;
use std::collections::VecDeque;
use std::time::Duration;

/// Predictions of the end must lie within this share of the whole time of the task.
const STEADY: f64 = 0.25;

/// A task that is younger says nothing.
const YOUNGEST: Duration = Duration::from_secs(1);

/// The most predictions to remember.
const REMEMBERED: usize = 64;

/// Predicts the end of a task from its progress, and keeps the prediction to itself unless it has held still: all
/// predictions of the second half of the time so far must agree. A search that doubles its work again and again, or one
/// that is stuck, gets none.
///
/// It reads no clock: times are those since the work began.
///
/// ```
/// use agon_core::Progress;
/// use agon_report::forecast::Forecast;
/// use std::time::Duration;
///
/// let mut forecast = Forecast::default();
/// for second in 0..=10 {
///     let progress = Progress { task: "counting", done: second, total: Some(40), nodes: 0 };
///     forecast.update(&progress, Duration::from_secs(second));
/// }
/// assert_eq!(forecast.left(), Some(Duration::from_secs(30)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    task: Option<&'static str>,
    /// The time and the units done at the first event of the task. Units that an earlier run finished cost no time.
    begun: (Duration, u64),
    /// The time of each prediction, and the end it predicted.
    predicted: VecDeque<(Duration, Duration)>,
    now: Duration,
}

impl Forecast {
    /// Takes note of an event, or of the last one once more at a later time.
    pub fn update(&mut self, progress: &Progress, now: Duration) {
        self.now = now;
        if self.task != Some(progress.task) || progress.done < self.begun.1 {
            *self = Forecast { task: Some(progress.task), begun: (now, progress.done), now, ..Forecast::default() };
        }
        let Some(end) = self.predict(progress) else { return };
        let half = self.begun.0 + (now - self.begun.0) / 2;
        while self.predicted.front().is_some_and(|(at, _)| *at < half) {
            self.predicted.pop_front();
        }
        let apart = (now - self.begun.0) / (2 * REMEMBERED as u32);
        if self.predicted.back().is_none_or(|(at, _)| *at + apart <= now) {
            self.predicted.push_back((now, end));
        } else if let Some(last) = self.predicted.back_mut() {
            last.1 = end;
        }
    }

    /// The end at the present rate.
    fn predict(&self, progress: &Progress) -> Option<Duration> {
        let new = progress.done.checked_sub(self.begun.1).filter(|&new| new > 0)?;
        let left = progress.total?.saturating_sub(progress.done);
        let seconds = (self.now - self.begun.0).as_secs_f64() * left as f64 / new as f64;
        Some(self.now.saturating_add(Duration::try_from_secs_f64(seconds).ok()?))
    }

    /// The time left, if the predictions agree.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let age = self.now - self.begun.0;
        let &(_, end) = self.predicted.back()?;
        // There must be predictions over a good part of the time, not just of this moment.
        let &(oldest, _) = self.predicted.front()?;
        if age < YOUNGEST || self.now - oldest < age / 4 {
            return None;
        }
        let ends = || self.predicted.iter().map(|&(_, end)| end);
        let apart = ends().max()?.checked_sub(ends().min()?)?;
        (apart <= (end - self.begun.0).mul_f64(STEADY)).then(|| end - self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: u64, total: u64) -> Progress {
        Progress { task: "solving", done, total: Some(total), nodes: 0 }
    }

    /// The prediction after events at every tenth of a second; `done` gives the units done by then.
    fn after(seconds: u64, total: u64, done: impl Fn(f64) -> f64) -> Option<f64> {
        let mut forecast = Forecast::default();
        for tenth in 0..=10 * seconds {
            let now = tenth as f64 / 10.0;
            forecast.update(&progress(done(now) as u64, total), Duration::from_secs_f64(now));
        }
        forecast.left().map(|left| left.as_secs_f64())
    }

    #[test]
    fn steady_work_is_predicted() {
        assert_eq!(after(20, 1000, |now| 10.0 * now), Some(80.0));
        assert_eq!(after(20, 1_000_000, |now| 10.0 * now).map(f64::round), Some(99_980.0));
        // Items of different length: every second one takes three times as long.
        let uneven = |now: f64| 2.0 * (now / 4.0).floor() + f64::from(now % 4.0 >= 1.0);
        assert!(after(60, 100, uneven).is_some_and(|left| (130.0..150.0).contains(&left)));
        // An earlier run did most of it.
        assert_eq!(after(20, 1000, |now| 900.0 + now), Some(80.0));
    }

    #[test]
    fn no_prediction_is_made_where_it_would_be_a_guess() {
        // Every unit takes as long as all before it.
        assert_eq!(after(100, 40, |now| (now + 1.0).log2()), None);
        // No unit is done yet, or the first has only just been done.
        assert_eq!(after(100, 40, |_| 0.0), None);
        assert_eq!(after(100, 40, |now| f64::from(now >= 99.0)), None);
        // The work is stuck: the end moves away.
        assert_eq!(after(100, 1000, |now| now.min(20.0)), None);
        // The total is not known.
        let mut forecast = Forecast::default();
        for second in 0..100 {
            let progress = Progress { total: None, ..progress(second, 0) };
            forecast.update(&progress, Duration::from_secs(second));
        }
        assert_eq!(forecast.left(), None);
    }

    #[test]
    fn every_task_is_predicted_by_itself() {
        let mut forecast = Forecast::default();
        for second in 0..=10 {
            forecast.update(&progress(second, 20), Duration::from_secs(second));
        }
        assert_eq!(forecast.left(), Some(Duration::from_secs(10)));
        let next = Progress { task: "checking", ..progress(1, 20) };
        forecast.update(&next, Duration::from_secs(11));
        assert_eq!(forecast.left(), None);
        // A task that begins again, as for the next of many games, is a new one.
        for second in 0..=10 {
            forecast.update(&progress(20 + second, 100), Duration::from_secs(12 + second));
        }
        assert_eq!(forecast.left(), Some(Duration::from_secs(70)));
        forecast.update(&progress(0, 100), Duration::from_secs(23));
        assert_eq!(forecast.left(), None);
    }

    #[test]
    fn little_is_remembered() {
        let mut forecast = Forecast::default();
        for step in 0..100_000 {
            forecast.update(&progress(step, 1_000_000), Duration::from_millis(step));
        }
        assert!(forecast.predicted.len() <= 2 * REMEMBERED, "{}", forecast.predicted.len());
        assert_eq!(forecast.left().map(|left| left.as_secs()), Some(900));
    }
}
