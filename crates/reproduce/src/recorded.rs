//! The recorded runs of slow items: what they computed, when, and in what time.

use super::{Item, Verdict};

/// A recorded run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The day.
    pub date: &'static str,
    /// Seconds on two cores.
    pub seconds: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// The computed value.
    pub computed: &'static str,
}

/// A line for each run: the item, the day, the seconds, the verdict and the computed value, separated by tabs.
/// `docs/results/make slow` writes it.
const RUNS: &str = include_str!("recorded.txt");

/// The recorded run of an item; `None` if it has not been run to its end.
#[must_use]
pub fn of(item: &Item) -> Option<Recorded> {
    lines().find(|(id, _)| *id == item.id).map(|(_, run)| run)
}

fn lines() -> impl Iterator<Item = (&'static str, Recorded)> {
    RUNS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.splitn(5, '\t');
        let mut next = || cells.next();
        let (id, date, seconds, verdict, computed) = (next()?, next()?, next()?, next()?, next()?);
        let verdict = Verdict::ALL.into_iter().find(|known| known.name() == verdict)?;
        Some((id, Recorded { date, seconds, verdict, computed }))
    })
}

/// The command that runs an item.
#[must_use]
pub fn command(item: &Item) -> String {
    format!("agon reproduce {}", item.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_runs_are_of_slow_items_and_have_their_verdicts() {
        let written = RUNS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(lines().count(), written, "a line of recorded.txt is not in order");
        for (id, run) in lines() {
            let item = crate::items().into_iter().find(|item| item.id == id).unwrap_or_else(|| panic!("no item {id}"));
            assert!(item.slow, "{id} is not slow");
            assert_eq!(run.verdict, item.expected, "{id}");
        }
    }
}
