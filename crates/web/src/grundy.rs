//! The Grundy page: the form, and the values with their statistics.

use crate::app::App;
use crate::job::Job;
use crate::job_kinds::LARGEST_HEAP;
use crate::page::{self, term};
use agon_core::Code;
use agon_report::words::grouped;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default)]
    code: String,
    to: Option<usize>,
}

/// The most zeros that the page lists.
const LISTED_ZEROS: usize = 300;

pub(crate) async fn page(State(app): State<Arc<App>>, Query(asked): Query<PageQuery>) -> Response {
    let code = if asked.code.is_empty() { "0.007" } else { &asked.code };
    let to = asked.to.unwrap_or(20_000);
    let body = html! {
        section.narrow {
            h1 { "Grundy values" }
            p { "Every heap is equivalent to a nim heap, whose size is its "
                (term("Grundy value", "the smallest whole number that is not the value of an option (mex); zero means that the side to move loses"))
                ". A code such as 0.007 describes the moves: bit j of the i-th digit allows you to take i counters and leave j heaps." }
            form.card-form #start data-kind="grundy" {
                label { "Code" input name="code" value=(code) required list="codes" spellcheck="false"; }
                datalist #codes { @for (code, name) in Code::EXAMPLES { option value=(code) { (name) } } }
                label { "Largest heap" input name="to" type="number" min="1" max=(LARGEST_HEAP) value=(to); }
                button.main type="submit" { "Compute" }
                p.notice role="alert" hidden {}
            }
        }
    };
    page::frame(&app, "Grundy values", "/grundy", &["form.js"], body).into_response()
}

fn at(value: &Value) -> String {
    format!("G({}) = {}", grouped(&value["n"]), grouped(&value["value"]))
}

/// Where the first periods of a code end; none if no period was found.
fn first_periods(r: &Value) -> Option<u64> {
    const PERIODS: u64 = 8;
    let (before, period) = (r["period"]["preperiod"].as_u64()?, r["period"]["period"].as_u64()?);
    Some(before + PERIODS * period)
}

pub(crate) fn outcome(job: &Job) -> Markup {
    let report = job.report();
    let (r, stats) = (&*report, &report["stats"]);
    let zeros: Vec<String> =
        r["zeros"].as_array().into_iter().flatten().take(LISTED_ZEROS).map(Value::to_string).collect();
    let rows: Vec<u64> = r["first"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    html! {
        figure.plot #plot data-words=(format!("/jobs/{}/file?as=words", job.id)) data-shown=[first_periods(r)] {
            canvas width="1200" height="640" role="img" aria-label=(format!("Grundy values of {}: heap size on the horizontal axis, value on the vertical axis", r["code"].as_str().unwrap_or_default())) tabindex="0" {}
            figcaption {
                output #where { "Hover for values. Zoom: wheel, + and −. Move: drag or arrow keys." }
                span.buttons { button type="button" data-zoom="in" aria-label="Zoom in" { "+" } button type="button" data-zoom="out" aria-label="Zoom out" { "−" } button type="button" data-zoom="all" { "All" } }
            }
        }
        @match &r["period"] {
            Value::Null => { p { "These values do not prove a period." } }
            period => { p.verdict.proved { "✓ Period " (grouped(&period["period"])) " from heap " (grouped(&period["preperiod"])) " on" }
                p.facts { "Proved for all heaps by the theorem of Guy and Smith; verified up to heap " (grouped(&period["checked_to"])) ". Exceptional heaps: "
                    @let list: Vec<String> = period["exceptions"].as_array().into_iter().flatten().map(Value::to_string).collect();
                    @if list.is_empty() { "none" } @else if list.len() > 60 { (list.len()) } @else { (list.join(" ")) } "." } }
        }
        div.two {
            div {
                h2 { "Statistics" }
                dl.facts-list {
                    dt { "largest value" } dd { (at(&stats["max"])) }
                    dt { "different values" } dd { (grouped(&stats["distinct"])) }
                    dt { "last new value" } dd { (at(&stats["last_new"])) }
                    dt { "smallest missing value" } dd { (grouped(&stats["smallest_missing"])) }
                }
            }
            div {
                h2 { "Most frequent values" }
                table { thead { tr { th { "value" } th { "heaps" } } } tbody {
                    @for f in stats["most_frequent"].as_array().into_iter().flatten().take(8) { tr { td { (grouped(&f["value"])) } td { (grouped(&f["count"])) } } }
                } }
            }
        }
        h2 { "Heaps of value 0 (the side to move loses): " (grouped(r["zero_count"].as_u64().unwrap_or(0))) }
        p.numbers { (zeros.join(" ")) @if r["zero_count"].as_u64().unwrap_or(0) > LISTED_ZEROS as u64 { " …" } }
        details.fold { summary { "Show the first values" }
            div.scroll { table.values { tbody { @for (i, row) in rows.chunks(20).enumerate() { tr { th { (i * 20) } @for v in row { td { (v) } } } } } } } }
        div.buttons { a.button href=(format!("/jobs/{}/file", job.id)) download="grundy.csv" { "Download all values (CSV)" } a.button href="/grundy" { "New code" } }
    }
}
