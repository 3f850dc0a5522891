//! Pages that need nothing else: one HTML file with its style.

use agon_core::scene::palette_css;

/// The colours that no picture has, and the layout.
const STYLE: &str = "\
:root{color-scheme:light dark;--panel:#f4f3ef;--good:#1b6e3c;--bad:#a52a1a;--warn:#7a5a00}\
@media(prefers-color-scheme:dark){:root{--panel:#212327;--good:#7fd6a0;--bad:#ff9d8d;--warn:#e8c766}}\
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:76rem;margin:0 auto;padding:24px 16px}\
h1{font-size:1.6rem;margin:0 0 8px}h2{font-size:1.15rem;margin:32px 0 8px}\
.panel{background:var(--panel);border:1px solid var(--line);border-radius:8px}\
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}";

/// A page with this title, which is its heading too. `style` is added to the style that all pages share: the palette of
/// pictures, `--panel`, `--good`, `--bad`, `--warn`, and the class `panel`. `title` and `body` are HTML.
///
/// ```
/// let page = agon_report::page::page("Three games", "", "<p>None was lost.</p>");
/// assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">") && page.ends_with("<p>None was lost.</p></body></html>"));
/// ```
#[must_use]
pub fn page(title: &str, style: &str, body: &str) -> String {
    let palette = palette_css();
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{palette}{STYLE}{style}</style></head>\
         <body><h1>{title}</h1>{body}</body></html>"
    )
}
