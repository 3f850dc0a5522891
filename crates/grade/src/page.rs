//! The answer as a page that needs nothing else.

use crate::report::{Fault, FaultKind, GradeReport, PlayerGrade};
use agon_registry::erased::AnyGame;
use agon_report::VERSION;
use agon_report::words::{counted, duration, grouped};
use maud::{Markup, PreEscaped, html};

/// The faults of a player that are drawn.
const DRAWN: usize = 12;

const STYLE: &str = "\
div.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\
th,td{border-bottom:1px solid var(--line);padding:6px 10px;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}th{font-weight:600}\
ol.faults{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:12px}\
ol.faults li{padding:12px}\
ol.faults svg{max-width:180px;height:auto;display:block;margin:8px 0}\
.bad{color:var(--bad);font-weight:600}.about{opacity:.8}";

/// The report as a self-contained page, with a board for the first faults of each player.
#[must_use]
pub fn page(game: &dyn AnyGame, report: &GradeReport) -> String {
    let title = html! { "Players of " (report.game) };
    let body = html! {
        p.about {
            (counted(report.games.len(), "game")) ", " (counted(report.players.len(), "player")) ", "
            (duration(report.seconds)) ". Computed by agon " (VERSION) "."
        }
        (table(report))
        p.about {
            "Every number is about proven values. "
            @if report.has_open_moves() { "Moves without a proof are counted apart. " }
            "The share of moves that keep the value has its 95 % confidence interval."
        }
        @for said in report.estimates() { p { (said) } }
        @for player in &report.players { (faults(game, report, player)) }
        @if !report.unread.is_empty() {
            h2 { "Not read" }
            ul { @for unread in &report.unread { li { (unread.text()) } } }
        }
    };
    agon_report::page::page(&title.into_string(), STYLE, &body.into_string())
}

fn table(report: &GradeReport) -> Markup {
    let open = report.has_open_moves();
    html! {
        div.wide { table {
            thead { tr {
                th { "Player" } th { "Games" } th { "Won" } th { "Drawn" } th { "Lost" } th { "Moves" } th { "Illegal" }
                @if open { th { "Proven" } }
                th { "Keep the value" } th { "Win → draw" } th { "Draw → loss" } th { "Win → loss" } th { "Plies lost" }
                th { "First mistake" }
            } }
            tbody { @for player in &report.players {
                tr {
                    td { (player.name) }
                    @for n in [player.games, player.results.won, player.results.drawn, player.results.lost, player.moves, player.illegal] {
                        td { (grouped(n)) }
                    }
                    @if open { td { (grouped(player.proven)) } }
                    td { (player.kept_share().map_or("–".to_string(), |share| share.text())) }
                    @for n in [player.given_away.win_to_draw, player.given_away.draw_to_loss, player.given_away.win_to_loss, player.distance.plies] {
                        td { (grouped(n)) }
                    }
                    td { @match player.median_first_mistake() {
                        None => { "none" }
                        Some(ply) => { "ply " (ply) ", in " (player.first_mistakes.len()) " of " (player.games) }
                    } }
                }
            } }
        } }
    }
}

fn faults(game: &dyn AnyGame, report: &GradeReport, player: &PlayerGrade) -> Markup {
    let firsts: Vec<&Fault> = player.faults.iter().filter(|fault| fault.first).collect();
    html! {
        @if !firsts.is_empty() {
            h2 { (player.name) ": first fault in " (counted(firsts.len(), "game")) }
            ol.faults { @for fault in firsts.iter().take(DRAWN) { li.panel { (drawn(game, report, fault)) } } }
            @if firsts.len() > DRAWN { p.about { "and in " (counted(firsts.len() - DRAWN, "more game")) } }
        }
    }
}

fn drawn(game: &dyn AnyGame, report: &GradeReport, fault: &Fault) -> Markup {
    let source = report.games.get(fault.game - 1).map_or(String::new(), |game| game.source(fault.game));
    html! {
        div { (source) ", ply " (fault.ply) }
        div.bad { code { (fault.mv) } " " (words(fault.kind)) }
        @if let Ok(scene) = game.scene(&fault.position) { (PreEscaped(scene.svg())) }
        @if let Some(best) = &fault.best { div { "Better is " code { (best) } } }
        div.about { code { (fault.position) } }
    }
}

fn words(kind: FaultKind) -> String {
    match kind {
        FaultKind::Illegal => "is not legal".to_string(),
        FaultKind::Mistake(mistake) => format!("turns a {}", mistake.name().replace("-to-", " into a ")),
    }
}
