//! Sequences of Grundy values as JSON.

use agon_solve::grundy::{Period, Stats};
use serde_json::{Value as Json, json};

/// The number of frequent values listed.
const FREQUENT: usize = 20;

/// Statistics of a sequence.
#[must_use]
pub fn stats_json(stats: &Stats) -> Json {
    let last = stats.last_new();
    let frequent: Vec<Json> =
        stats.frequencies.iter().take(FREQUENT).map(|(v, c)| json!({"value": v, "count": c})).collect();
    let first: Vec<Json> = stats.first.iter().map(|at| json!({"n": at.n, "value": at.value})).collect();
    json!({
        "max": {"n": stats.max.n, "value": stats.max.value}, "distinct": stats.distinct,
        "most_frequent": frequent, "last_new": {"n": last.n, "value": last.value},
        "smallest_missing": stats.smallest_missing, "first": first,
    })
}

/// A period that is proved.
#[must_use]
pub fn period_json(period: &Period) -> Json {
    json!({"period": period.period, "preperiod": period.preperiod, "proved": true,
           "exceptions": period.exceptions, "checked_to": period.checked_to})
}
