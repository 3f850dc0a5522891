//! The layout of every page, and the files compiled into the program.

use crate::app::{App, RequestError};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::sync::{Arc, LazyLock};

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type and contents.
const ASSETS: &[(&str, &str, &str)] = &[
    ("app.css", "text/css; charset=utf-8", ""),
    ("early.js", SCRIPT, include_str!("../assets/early.js")),
    ("app.js", SCRIPT, include_str!("../assets/app.js")),
    ("home.js", SCRIPT, include_str!("../assets/home.js")),
    ("play.js", SCRIPT, include_str!("../assets/play.js")),
    ("state.js", SCRIPT, include_str!("../assets/state.js")),
    ("walk.js", SCRIPT, include_str!("../assets/walk.js")),
    ("moves.js", SCRIPT, include_str!("../assets/moves.js")),
    ("values.js", SCRIPT, include_str!("../assets/values.js")),
    ("study.js", SCRIPT, include_str!("../assets/study.js")),
    ("machines.js", SCRIPT, include_str!("../assets/machines.js")),
    ("record.js", SCRIPT, include_str!("../assets/record.js")),
    ("reasons.js", SCRIPT, include_str!("../assets/reasons.js")),
    ("trays.js", SCRIPT, include_str!("../assets/trays.js")),
    ("tree.js", SCRIPT, include_str!("../assets/tree.js")),
    ("board.js", SCRIPT, include_str!("../assets/board.js")),
    ("lesson.js", SCRIPT, include_str!("../assets/lesson.js")),
    ("why.js", SCRIPT, include_str!("../assets/why.js")),
    ("motion.js", SCRIPT, include_str!("../assets/motion.js")),
    ("setup.js", SCRIPT, include_str!("../assets/setup.js")),
    ("history.js", SCRIPT, include_str!("../assets/history.js")),
    ("work.css", "text/css; charset=utf-8", include_str!("../assets/work.css")),
    ("stream.js", SCRIPT, include_str!("../assets/stream.js")),
    ("line.js", SCRIPT, include_str!("../assets/line.js")),
    ("jobs.js", SCRIPT, include_str!("../assets/jobs.js")),
    ("job.js", SCRIPT, include_str!("../assets/job.js")),
    ("workshop.js", SCRIPT, include_str!("../assets/workshop.js")),
    ("form.js", SCRIPT, include_str!("../assets/form.js")),
    ("puzzles.js", SCRIPT, include_str!("../assets/puzzles.js")),
    ("heaps.js", SCRIPT, include_str!("../assets/heaps.js")),
    ("sound.js", SCRIPT, include_str!("../assets/sound.js")),
    ("plot.js", SCRIPT, include_str!("../assets/plot.js")),
    ("claims.js", SCRIPT, include_str!("../assets/claims.js")),
    ("icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
];

/// The style sheet of every page: the colours of all pictures, then the page's own.
fn app_css() -> &'static str {
    static CSS: LazyLock<String> = LazyLock::new(|| {
        let colour = |(name, light, dark): &(&str, &str, &str)| format!("  --{name}: light-dark({light}, {dark});\n");
        let colours: String = agon_core::scene::palette().iter().map(colour).collect();
        format!(":root {{\n{colours}}}\n{}", include_str!("../assets/app.css"))
    });
    &CSS
}

pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.0 == name) {
        Some(("app.css", kind, _)) => ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], app_css()).into_response(),
        Some((_, kind, text)) => ([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "no-cache")], *text).into_response(),
        None => (StatusCode::NOT_FOUND, "file not found").into_response(),
    }
}

pub(crate) async fn not_found(State(app): State<Arc<App>>, uri: Uri) -> Response {
    if uri.path().starts_with("/api/") {
        return RequestError::NotFound("address not found".into()).into_response();
    }
    let body = html! {
        section.narrow {
            h1 { "Page not found" }
            p { "The address may be mistyped. " a href="/" { "See all games" } "." }
        }
    };
    (StatusCode::NOT_FOUND, frame(&app, "Not found", "", &[], body)).into_response()
}

/// An error as a page.
pub(crate) fn error(app: &App, error: &RequestError) -> Response {
    let body = html! {
        section.narrow {
            h1 { "Something went wrong" }
            p.error { (error.message()) }
            p { a href="/" { "Choose a game" } ", or go back and change the address." }
        }
    };
    (error.status(), frame(app, "Error", "", &[], body)).into_response()
}

const ROOMS: &[(&str, &str, &str)] = &[
    ("/", "Games", "play and analyse"),
    ("/solve", "Solve", "find and prove the value of a game"),
    ("/puzzles", "Puzzles", "find the one right move"),
    ("/strategies", "Strategies", "test a strategy against every reply"),
    ("/grade", "Grades", "grade players by their games"),
    ("/grundy", "Nim-values", "nim-values of heap games"),
    ("/arena", "Arena", "play computer players against each other"),
    ("/claims", "Claims", "published claims, checked"),
    ("/jobs", "Jobs", "running and finished work"),
];

/// A whole page. `room` is the address of its menu entry.
pub(crate) fn frame(app: &App, title: &str, room: &str, scripts: &[&str], body: Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="agon-token" content=(app.token());
                meta name="color-scheme" content="light dark";
                title { (title) " · agon" }
                link rel="icon" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/app.css";
                script src="/assets/early.js" {}
                link rel="stylesheet" href="/assets/work.css";
                script type="module" src="/assets/app.js" {}
                @for script in scripts { script type="module" src=(format!("/assets/{script}")) {} }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                @if scripts.contains(&"play.js") { a.skip href="#board" { "Skip to the board" } }
                header.top {
                    a.brand href="/" aria-label="agon, all games" { (PreEscaped(MARK)) "agon" }
                    nav aria-label="Pages" {
                        @for (address, name, about) in ROOMS {
                            a href=(address) title=(about) aria-current=[(*address == room).then_some("page")] { (name) }
                        }
                    }
                    @if LOOKS_ON.iter().any(|script| scripts.contains(script)) {
                        button.quiet type="button" popovertarget="looks" title="Board, pieces and sound" aria-label="Board, pieces and sound" { "⚙" }
                    }
                    button.quiet #theme type="button" title="Switch between light and dark" aria-label="Switch between light and dark" { "◐" }
                }
                main #main tabindex="-1" { (body) }
                @if LOOKS_ON.iter().any(|script| scripts.contains(script)) { (looks()) }
                div #live.unseen role="status" aria-live="polite" {}
            }
        }
    };
    Html(page.into_string())
}

/// The scripts of pages with a board whose look can be chosen.
const LOOKS_ON: [&str; 3] = ["play.js", "home.js", "puzzles.js"];

/// The choice of materials and sound.
fn looks() -> Markup {
    html! {
        div.rules-box.looks #looks popover aria-label="Board, pieces and sound" {
            header { h2 { "Board and pieces" } button.quiet type="button" popovertarget="looks" popovertargetaction="hide" title="Close (Escape)" aria-label="Close" { "✕" } }
            div.swatches role="radiogroup" aria-label="Material" {
                @for (name, title) in [("wood", "Wood"), ("slate", "Slate"), ("paper", "Paper"), ("flat", "Flat, for print")] {
                    label.swatch data-material=(name) { input type="radio" name="material" value=(name); span { (title) } }
                }
            }
            label.check { input #sound type="checkbox"; span { "Sound when a piece is put down" } }
        }
    }
}

const MARK: &str = "<svg viewBox=\"0 0 20 20\" width=\"20\" height=\"20\" aria-hidden=\"true\"><path class=\"mark-line\" d=\"M3 3H17V17H3ZM10 3V17M3 10H17\"/><circle class=\"mark-man\" cx=\"10\" cy=\"10\" r=\"4\"/></svg>";

/// A term with its explanation on hover and focus.
pub(crate) fn term(word: &str, means: &str) -> Markup {
    html! { abbr tabindex="0" title=(means) { (word) } }
}

#[cfg(test)]
mod tests {
    /// The two luminances of a variable in the style sheet, light and dark, on boards of a material.
    fn luminances(material: &str, name: &str) -> [f64; 2] {
        let own = super::app_css().split_once(&format!(":root[data-material=\"{material}\"] {{"));
        let own = own.and_then(|(_, rest)| rest.split_once('}')).map_or("", |(block, _)| block);
        let value = match own.split_once(&format!(" --{name}: ")) {
            Some((_, rest)) => rest.split_once(';').unwrap().0,
            None => {
                let key = format!("  --{name}: ");
                let mut defined = super::app_css().split(&key).skip(1);
                let value = defined.next().and_then(|rest| rest.split_once(';'));
                assert!(defined.next().is_none(), "--{name} is defined twice");
                value.unwrap_or_else(|| panic!("no --{name}")).0
            }
        };
        let pair = value.strip_prefix("light-dark(").and_then(|rest| rest.strip_suffix(')')?.split_once(", "));
        let (light, dark) = pair.unwrap_or((value, value));
        let one = |colour: &str, scheme: usize| match colour.strip_prefix("var(--").and_then(|of| of.strip_suffix(')'))
        {
            Some(other) => luminances(material, other)[scheme],
            None => luminance(colour.trim_start_matches('#')),
        };
        [one(light, 0), one(dark, 1)]
    }

    /// The relative luminance of WCAG 2.
    fn luminance(hex: &str) -> f64 {
        let long: String = if hex.len() == 3 { hex.chars().flat_map(|c| [c, c]).collect() } else { hex.to_string() };
        let part = |i: usize| {
            let c = f64::from(u8::from_str_radix(&long[i..i + 2], 16).unwrap()) / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    }

    #[test]
    fn text_and_pieces_stand_out_in_light_and_dark() {
        let text = ["ink", "soft", "accent", "win", "draw", "loss"];
        let mut pairs: Vec<(&str, &str, f64)> = Vec::new();
        text.iter().for_each(|ink| pairs.extend([(*ink, "ground", 4.5), (*ink, "paper", 4.5)]));
        ["win", "draw", "loss"].iter().for_each(|badge| pairs.push(("on-badge", badge, 4.5)));
        pairs.push(("on-accent", "accent", 4.5));
        ["line", "first", "second", "neutral", "tile", "rim"].iter().for_each(|of| pairs.push((*of, "field", 3.0)));
        for slab in ["slab", "slab-odd"] {
            pairs.extend([("black", slab, 3.0), ("on-slab", slab, 3.0)]);
        }
        for material in ["wood", "slate", "paper", "flat"] {
            for (on, ground, least) in &pairs {
                for (a, b) in luminances(material, on).into_iter().zip(luminances(material, ground)) {
                    let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                    assert!(contrast >= *least, "{material}: {on} on {ground}: {contrast:.2}");
                }
            }
        }
    }
}
