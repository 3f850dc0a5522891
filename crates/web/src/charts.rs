//! Charts. They are readable without colour, because every colour comes with a sign or a pattern, and each chart has its
//! numbers in a table.

use agon_report::words::grouped;
use maud::{Markup, html};
use serde_json::Value;

/// Value, sign and word.
const VALUES: [(&str, &str, &str); 3] = [("win", "▲", "won"), ("draw", "■", "drawn"), ("loss", "▼", "lost")];

/// The sign of a value.
pub(crate) fn sign(value: &str) -> &'static str {
    VALUES.iter().find(|(name, _, _)| *name == value).map_or("?", |(_, sign, _)| sign)
}

/// The patterns that distinguish values without colour.
pub(crate) fn patterns() -> Markup {
    html! {
        svg.patterns width="0" height="0" aria-hidden="true" { defs {
            pattern #hatch-draw width="8" height="8" patternUnits="userSpaceOnUse" {
                rect.fill-draw width="8" height="8" {}
                circle.pattern-ink cx="4" cy="4" r="1.5" {}
            }
            pattern #hatch-loss width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                rect.fill-loss width="7" height="7" {}
                rect.pattern-ink width="2" height="7" {}
            }
        } }
    }
}

fn fill(value: &str) -> &'static str {
    match value {
        "draw" => "url(#hatch-draw)",
        "loss" => "url(#hatch-loss)",
        _ => "currentColor",
    }
}

/// A bar with the shares of won, drawn and lost positions.
pub(crate) fn shares(name: &str, counts: &Value) -> Markup {
    const WIDE: f64 = 600.0;
    let of = |key: &str| counts[key].as_u64().unwrap_or(0);
    let total = VALUES.iter().map(|(key, _, _)| of(key)).sum::<u64>().max(1) as f64;
    let mut from = 0.0;
    let parts = VALUES.map(|(key, sign, said)| {
        let wide = of(key) as f64 / total * WIDE;
        from += wide;
        (key, sign, said, of(key), from - wide, wide)
    });
    let said: Vec<String> = parts.iter().map(|part| format!("{} {}", grouped(part.3), part.2)).collect();
    html! {
        div.share {
            span { (name) }
            svg viewBox=(format!("0 0 {WIDE} 28")) role="img" aria-label=(said.join(", ")) preserveAspectRatio="none" {
                @for (key, _, _, _, from, wide) in &parts {
                    rect.v-win[*key == "win"] x=(format!("{from:.1}")) y="0" width=(format!("{wide:.1}")) height="28" fill=(fill(key)) {}
                }
            }
            span.key { @for (key, sign, said, count, _, wide) in &parts {
                span class=(format!("v-{key}")) { (sign) " " (grouped(count)) " " (said) " " span.facts { (format!("{:.1} %", 100.0 * wide / WIDE)) } }
            } }
        }
    }
}

/// A histogram of positions by plies to the end, on a logarithmic scale: won positions upwards, lost ones downwards.
pub(crate) fn distances(rows: &[(u64, u64)]) -> Markup {
    const WIDE: f64 = 960.0;
    const HALF: f64 = 120.0;
    const LEFT: f64 = 48.0;
    const TOP: f64 = 16.0;
    let last = rows.iter().map(|row| row.0).max().unwrap_or(0);
    let most = rows.iter().map(|row| row.1).max().unwrap_or(1).max(10);
    let decades = (most as f64).log10().ceil().max(1.0);
    let middle = TOP + HALF;
    let step = (WIDE - LEFT - 8.0) / (last + 1) as f64;
    let tall = |count: u64| if count == 0 { 0.0 } else { (1.0 + (count as f64).log10()) / (1.0 + decades) * HALF };
    let mark = if last > 60 {
        20
    } else if last > 24 {
        10
    } else if last > 12 {
        5
    } else {
        1
    };
    let number = |x: f64| format!("{x:.1}");
    html! {
        figure.chart {
            div.scroll tabindex="0" role="region" aria-label="Chart" { svg viewBox=(format!("0 0 {WIDE} {}", 2.0 * HALF + TOP + 32.0)) role="img" aria-label="Positions by plies to the end; the numbers are in the table below" {
                @for decade in 0..=decades as u32 {
                    @let high = tall(10u64.pow(decade));
                    @for (y, show) in [(middle - high, true), (middle + high, false)] {
                        line.grid x1=(LEFT) x2=(WIDE - 8.0) y1=(number(y)) y2=(number(y)) {}
                        @if show && (decade % 2 == 0 || decades < 5.0) { text.end x=(LEFT - 6.0) y=(number(y)) { (short(10u64.pow(decade))) } }
                    }
                }
                @for &(plies, count) in rows {
                    @let high = tall(count);
                    @let (win, x) = (plies % 2 == 1, LEFT + plies as f64 * step);
                    rect.v-win[win] x=(number(x + step * 0.1)) width=(number((step * 0.8).max(0.6))) y=(number(if win { middle - high } else { middle })) height=(number(high)) fill=(fill(if win { "win" } else { "loss" })) {
                        title { (if win { "▲ won" } else { "▼ lost" }) " in " (plies) (if plies == 1 { " ply: " } else { " plies: " }) (grouped(count)) }
                    }
                }
                line.axis x1=(LEFT) x2=(WIDE - 8.0) y1=(middle) y2=(middle) {}
                @for plies in (0..=last).step_by(mark) { text x=(number(LEFT + (plies as f64 + 0.5) * step)) y=(2.0 * HALF + TOP + 12.0) { (plies) } }
            } }
            figcaption { span { span.v-win { "▲ won" } " upwards, " span.v-loss { "▼ lost" } " downwards, by plies to the end. Positions are counted up to symmetry; the scale is logarithmic." } }
            details { summary { "Show the numbers" }
                div.scroll tabindex="0" role="region" aria-label="Numbers" { table {
                    thead { tr { th scope="col" { "plies" } th scope="col" { "value" } th scope="col" { "positions" } } }
                    tbody { @for &(plies, count) in rows { tr { th scope="row" { (plies) } td { (if plies % 2 == 1 { "▲ won" } else { "▼ lost" }) } td { (grouped(count)) } } } }
                } }
            }
        }
    }
}

/// `1`, `100`, `10k`, `1M`.
fn short(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{}k", n / 1_000),
        1_000_000..1_000_000_000 => format!("{}M", n / 1_000_000),
        _ => format!("{}G", n / 1_000_000_000),
    }
}

/// A small board that replays a line of play.
pub(crate) fn player(id: &str, game: &str, from: &str, moves: &str, svg: &str) -> Markup {
    let address = |moves: &str| {
        format!(
            "/g/{}?pos={}&moves={}&values=1",
            crate::play::url(game),
            crate::play::url(from),
            crate::play::url(moves)
        )
    };
    html! {
        figure.reel id=(id) data-game=(game) data-pos=(from) data-moves=(moves) {
            div.screen { (maud::PreEscaped(svg)) }
            figcaption {
                p.status aria-live="polite" { (moves.split_whitespace().count()) " moves" }
                span.buttons role="group" aria-label="Step through the line" {
                    button type="button" data-go="first" aria-label="Go to the start" { "«" }
                    button type="button" data-go="back" aria-label="Previous move" { "‹" }
                    button.main type="button" data-go="run" { "▶ Play" }
                    button type="button" data-go="forth" aria-label="Next move" { "›" }
                    button type="button" data-go="last" aria-label="Go to the end" { "»" }
                    a.button href=(address(moves)) { "Open the board" }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shares_have_a_text_alternative() {
        let bar = shares("all", &json!({"win": 3, "draw": 0, "loss": 1})).into_string();
        assert!(bar.contains("aria-label=\"3 won, 0 drawn, 1 lost\"") && bar.contains("75.0 %"), "{bar}");
        // An empty table does not divide by zero.
        assert!(shares("none", &json!({})).into_string().contains("0.0 %"));
    }

    #[test]
    fn distances_are_drawn_and_listed() {
        let chart = distances(&[(0, 5), (1, 1000), (2, 70), (3, 1)]).into_string();
        assert_eq!((chart.matches("<rect").count(), chart.matches("<tr>").count()), (4, 5));
        assert!(chart.contains("▲ won in 1 ply: 1,000"), "{chart}");
        assert!(!distances(&[]).into_string().contains("NaN"));
    }
}
