//! The workbench in a real browser, through WebDriver. Needs `chromium` and `chromedriver`; `./test` installs them.
//!
//! `cargo test -p agon-web --test browser -- --ignored` runs it and leaves pictures in `screenshots/`; with
//! `AGON_HOME=http://…` it visits a server that runs already.

mod common;
mod driver;
mod steps;

use driver::Browser;

const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';
const ESCAPE: char = '\u{e00c}';

#[test]
#[ignore = "needs chromium and chromedriver; ./test runs it"]
fn a_person_uses_the_workbench() {
    let browser = Browser::start();
    gallery(&browser);
    antrin_by_clicking(&browser);
    illegal_undo_redo_and_branches(&browser);
    tak_stack(&browser);
    pieces_glide(&browser);
    for (width, height) in [(1280, 900), (360, 740)] {
        browser.size(width, height);
        rules_with_pictures(&browser);
        nothing_jumps(&browser);
    }
    browser.size(1280, 900);
    menus_and_tiles(&browser);
    values_and_mistakes(&browser);
    keyboard_alone(&browser);
    position_editor(&browser);
    agents_and_links(&browser);
    solving(&browser);
    strategies(&browser);
    grundy(&browser);
    arena(&browser);
    claims(&browser);
    every_width_and_both_schemes(&browser);
    steps::pictures(&browser);
    browser.is_quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver; ./test runs it"]
fn a_person_plays_at_the_table() {
    let browser = Browser::start();
    for (width, height) in [(1280, 900), (360, 740)] {
        browser.size(width, height);
        steps::nothing_is_lost(&browser);
        steps::hands(&browser);
        steps::opponents(&browser);
        steps::around_the_board(&browser);
    }
    browser.is_quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver; ./test runs it"]
fn a_visitor_finds_the_way_in_and_learns_why() {
    let browser = Browser::start();
    for (width, height) in [(1280, 900), (360, 740)] {
        browser.size(width, height);
        steps::front_door(&browser);
        steps::verdicts(&browser);
        steps::reasons(&browser);
        steps::reasons_everywhere(&browser);
        steps::focus_is_kept(&browser);
    }
    browser.is_quiet();
}

#[test]
#[ignore = "needs chromium, chromedriver and axe-core; ./test runs it"]
fn axe_core_finds_nothing_on_any_page() {
    let browser = Browser::start();
    steps::axe_finds_nothing(&browser);
}

#[test]
#[ignore = "needs chromium and chromedriver; ./test runs it"]
fn a_person_starts_jobs() {
    let browser = Browser::start();
    steps::jobs(&browser);
    browser.is_quiet();
}

#[test]
#[ignore = "needs chromium and chromedriver; ./test runs it"]
fn a_person_drops_a_file_and_sees_the_grades() {
    let browser = Browser::start();
    let b = &browser;
    b.open("/grade");
    let games = r#"{"players": ["ada", "bob"], "moves": "b2 b1 a1"}"#;
    b.run(&format!(
        "const files = new DataTransfer(); files.items.add(new File([`{games}`], 'games.jsonl')); \
         dispatchEvent(new DragEvent('drop', {{ dataTransfer: files, cancelable: true, bubbles: true }}))"
    ));
    b.until("document.querySelector('[name=text]').value.includes('ada') && !document.querySelector('[name=text]').value.includes('c3')");
    b.click("#start [type=submit]");
    b.until("document.querySelectorAll('#result tbody tr').length === 2");
    b.until("document.querySelector('.faults').textContent.includes('turns a draw into a loss')");
    b.until("document.querySelector('.faults svg') !== null");
    b.shoot("grades");
    browser.is_quiet();
}

fn gallery(b: &Browser) {
    b.open("/");
    b.until("document.querySelectorAll('.card').length > 20");
    b.write("#search", "morris");
    b.until("[...document.querySelectorAll('.card')].filter((c) => !c.hidden).length < 6");
    b.open("/");
    b.until("document.querySelector('[data-game=\"mnk:3,3,3\"] .fact').textContent.includes('draw')");
    b.until("document.querySelector('[data-game=\"mnk:3,3,3\"] .size').textContent === '5,478 positions'");
    b.shoot("home");
    // The first click on the board is the first move of a game; the computer answers.
    b.click("#featured .hit[data-place='4']");
    b.until("document.querySelectorAll('#trace li').length >= 3");
    b.shows("new URLSearchParams(location.search).get('second')", "level:2");
    b.open("/");
    b.click(".card .play[href*='tak']");
    b.until("document.querySelector('[data-player=\"1\"]').value === 'level:2'");
}

fn antrin_by_clicking(b: &Browser) {
    b.play("/g/antrin");
    // White fills the top row, placing; black puts men elsewhere.
    for (place, next) in [("a1", "black"), ("a2", "white"), ("b1", "black"), ("c3", "white")] {
        b.place(place);
        b.status(&format!("{next} to move"));
    }
    b.place("b3");
    b.status("black to move");
    b.place("c2");
    b.status("white to move");
    b.shoot("antrin");
    // The men are placed: now one is moved, in two clicks.
    b.place("b3");
    b.until("document.querySelectorAll('#board .hit.chosen').length === 1");
    b.place("b2");
    b.status("black to move");
    b.place("c2");
    b.place("c1");
    b.status("white to move");
    b.shows("document.querySelectorAll('#moves .mv').length", 8);
    b.shows("document.querySelectorAll('#trace li').length", 9);
    b.until("document.getElementById('live').textContent.includes('white to move')");
}

fn illegal_undo_redo_and_branches(b: &Browser) {
    b.play("/g/tic-tac-toe");
    b.place("b2");
    b.status("o to move");
    b.write("#move", "b2");
    b.keys(&[ENTER]);
    b.until("!document.getElementById('notice').hidden && document.getElementById('notice').textContent.includes('invalid move')");
    b.run("document.getElementById('move').value = ''; document.activeElement.blur()");
    b.place("a1");
    b.status("x to move");
    b.keys(&[LEFT]);
    b.status("o to move");
    b.keys(&[LEFT]);
    b.status("x to move");
    b.shows("document.getElementById('counter').textContent", "start / 1…");
    b.click("#forth");
    b.status("o to move");
    // Another reply is a branch; both stay in the list.
    b.place("a3");
    b.status("x to move");
    b.until("document.querySelectorAll('#moves .branch').length === 1");
    b.until("location.search.includes('moves=b2+a3')");
    // The browser's own back goes back a move.
    b.run("history.back()");
    b.until("!location.search.includes('a3')");
    b.click("#flip");
    b.until("document.querySelector('#board .hit[aria-label^=\"a3\"]').dataset.x > 100");
    b.click("#flip");
    b.until("document.querySelector('#board .hit[aria-label^=\"a3\"]').dataset.x < 100");
    b.click("#console");
    b.until("!document.getElementById('text').hidden");
    b.click("#console");
    b.click("#console");
    b.until("document.getElementById('text').hidden");
}

fn tak_stack(b: &Browser) {
    // White owns a stack of three at b2: pick it up, drop one on c2 and two on d2.
    b.play("/g/tak:5?pos=x5/x5/x5/x,121,x3/2,x3,1+1+5");
    b.place("b2");
    b.place("c2");
    // The move could end here: a menu offers it, or the next click continues.
    b.until("!document.getElementById('menu').hidden && document.getElementById('menu').textContent.includes('keep clicking')");
    b.place("d2");
    b.until("document.getElementById('menu').textContent.includes('2b2>11')");
    b.shoot("tak-stack");
    b.place("d2");
    b.status("black to move");
    b.until("location.search.includes('3b2%3E12')");
    b.until(
        "document.querySelector('#board .hit[aria-label^=\"d2\"]').getAttribute('aria-label').includes('2 pieces')",
    );
    // Pointing at a stack shows it piece by piece.
    b.hover("#board .hit[aria-label^=\"d2,\"]");
    b.until("!document.querySelector('.peek').hidden && document.querySelectorAll('.peek .man').length === 2");
    // Escape puts the pieces back.
    b.place("a1");
    b.until("document.querySelectorAll('#board .lifted').length === 1");
    b.keys(&[ESCAPE]);
    b.until("document.querySelectorAll('#board .lifted').length === 0");
    b.click("#last");
}

fn pieces_glide(b: &Browser) {
    // Record the animations.
    let slowly = "window.seen = []; const animate = Element.prototype.animate; \
        Element.prototype.animate = function (frames, options) { window.seen.push(options.duration); return animate.call(this, frames, options); }";
    b.play("/g/morris?moves=a1+b2+d1+b4");
    b.run(slowly);
    b.write("#move", "g1xb2");
    b.keys(&[ENTER]);
    b.status("black to move");
    // One man appears and one disappears; nothing is left over, and no animation takes longer than a fifth of a second.
    b.shows("window.seen.length", 2);
    b.until("!document.querySelector('#board .moving') && window.seen.every((long) => long <= 200)");
    // A stack moves square by square, and back.
    b.play("/g/tak:5?pos=x5/x5/x5/x,1211,x3/2,x3,1+1+5&moves=4b2%3E121");
    b.run(slowly);
    b.click("#back");
    b.status("white to move");
    b.shows("window.seen.length", 8);
    b.click("#forth");
    b.status("black to move");
    b.until("!document.querySelector('#board .moving') && Math.max(...window.seen) === 200");
    // Reduced motion is respected.
    b.media("prefers-reduced-motion", "reduce");
    b.run("window.seen = []");
    b.click("#back");
    b.status("white to move");
    b.shows("window.seen.length", 0);
    b.media("prefers-reduced-motion", "no-preference");
}

fn rules_with_pictures(b: &Browser) {
    b.play("/g/tak:5");
    b.click("#show-rules");
    b.until("document.querySelectorAll('#pictures li svg').length === 5");
    b.shoot("rules");
    b.keys(&[ESCAPE]);
    b.until("!document.getElementById('rules').matches(':popover-open')");
    // A game without examples shows the effects of its moves and its end.
    b.play("/g/rota");
    b.click("#show-rules");
    b.until("document.querySelectorAll('#pictures li svg').length >= 3");
}

/// JavaScript that returns the places of parts of the page, to the pixel.
const PLACES: &str = "const places = (parts) => [...document.querySelectorAll(parts)].map((part) => { \
    const at = part.getBoundingClientRect(); \
    return [at.left + scrollX, at.top + scrollY, at.width, at.height].map(Math.round).join(' '); }).join('; ');";

/// Content that arrives later fills reserved space: nothing else moves.
fn nothing_jumps(b: &Browser) {
    b.open("/");
    b.until("document.querySelectorAll('.fact.v-draw, .fact.v-win, .fact.v-loss').length > 3");
    // In one step, so that no fact arrives between the two looks.
    let both = b.run(&format!(
        "{PLACES} const full = places('.hero, .card'); \
         document.querySelectorAll('.fact').forEach((fact) => {{ fact.textContent = '…'; }}); \
         document.querySelectorAll('.size').forEach((size) => {{ size.textContent = ''; }}); \
         return [full, places('.hero, .card')]"
    ));
    assert!(both[0].as_str().is_some_and(|places| places.len() > 100), "{both}");
    assert_eq!(both[0], both[1], "the facts of the gallery");
    let places = || {
        b.run(&format!("{PLACES} return places('header.top, .headline, #board, .controls, .players, .opponent, #story, .folds, #learn')"))
    };
    b.play("/g/antrin?second=random");
    let before =
        b.run(&format!("{PLACES} return places('header.top, .headline, #board, .controls, .players, .opponent')"));
    b.place("b2");
    b.until("document.querySelectorAll('#moves .mv').length === 2");
    let now =
        b.run(&format!("{PLACES} return places('header.top, .headline, #board, .controls, .players, .opponent')"));
    assert_eq!(now, before, "a move and its reply");
    // The sentence that says the value arrives after the board.
    for (game, told) in [
        ("/g/tak:5?moves=a1+e5+c3+d3", "≈"),
        ("/g/kayles:10", "Nim-value"),
        ("/g/tic-tac-toe?moves=b2+b3+a3", "proven"),
    ] {
        b.play(game);
        let said = format!("document.getElementById('verdict').textContent.includes('{told}')");
        b.until(&said);
        let after = places();
        b.run("document.getElementById('verdict').textContent = ''");
        assert_eq!(places(), after, "the verdict of {game}");
    }
    let before = b.run(&format!(
        "{PLACES} return places('header.top, .headline, #board, .controls, .players, .opponent, #story, .folds')"
    ));
    b.click("#values");
    b.until("document.querySelector('#history svg') && document.querySelectorAll('.over .badge').length");
    b.until("!document.getElementById('lesson').hidden");
    let now = b.run(&format!(
        "{PLACES} return places('header.top, .headline, #board, .controls, .players, .opponent, #story, .folds')"
    ));
    assert_eq!(now, before, "values");
    b.run("localStorage.removeItem('agon:values')");
}

fn menus_and_tiles(b: &Browser) {
    b.play("/g/order-chaos");
    b.place("c3");
    b.until("document.querySelectorAll('#menu button').length === 2");
    b.click("#menu button:nth-child(2)");
    b.status("chaos to move");
    // A tile is named by its cells, in any order.
    b.play("/g/ellie");
    for cell in ["b2", "a1", "a2"] {
        b.place(cell);
    }
    b.until("document.querySelectorAll('#moves .mv').length === 1");
    // It is one piece.
    b.until("document.querySelectorAll('#board .join').length === 2");
    // On an upright board a man falls, wherever the column is clicked.
    b.play("/g/connect-four");
    b.place("d6");
    b.status("o to move");
    b.until("document.querySelector('#board .hit[aria-label^=\"d1,\"]').getAttribute('aria-label').includes('man')");
    // A click on a counter takes it and all counters to its right.
    b.play("/g/nim");
    b.place("c2");
    b.until("document.querySelector('#moves .mv').textContent.startsWith('5>2')");
}

fn values_and_mistakes(b: &Browser) {
    b.play("/g/tic-tac-toe?moves=b2+b3+a3+c1+a1");
    b.run("document.getElementById('seconds').value = 60");
    b.click("#values");
    b.until("document.querySelectorAll('.over .badge').length === 4");
    b.until("document.querySelector('#history svg')");
    b.until("document.getElementById('lesson').textContent.includes('b3') && document.querySelector('#moves sup')");
    b.shoot("values");
    b.click("#lesson button");
    b.status("o to move");
    // The move that was played is framed.
    b.until("document.querySelectorAll('#board .arrow.bad').length === 1");
    // In a lesson values are hidden; the answer is judged.
    b.until("document.querySelectorAll('.over .badge').length === 0");
    b.place("a2");
    b.until("document.getElementById('lesson').textContent.match(/loses, too|only draws, too/)");
    b.click("#lesson .main");
    b.status("o to move");
    b.place("a1");
    b.until("document.getElementById('lesson').textContent.includes('keeps the draw')");
    b.click("#lesson .main");
    b.status("o to move");
    b.shows("document.getElementById('counter').textContent", "3. / 3.");
    // The switch stays on throughout the game and on other pages.
    b.click("#first");
    b.until("document.querySelectorAll('.over .badge').length === 9");
    estimates(b);
    b.know("/api/values?game=antrin&seconds=60");
    b.play("/g/antrin");
    b.until("document.querySelectorAll('.over .badge').length === 9");
    b.click("#hint");
    b.until("document.querySelector('.over .hint')");
    b.click("#values");
    b.until("document.querySelectorAll('.over .badge').length === 0");
}

/// Estimates look different from proven values and show their playouts.
fn estimates(b: &Browser) {
    b.play("/g/mnk:8,8,5?moves=d4&values=1");
    b.run("document.getElementById('seconds').value = 0.1");
    b.until("document.querySelectorAll('.over .b-guess').length > 3 && document.querySelector('.over .visits')");
    b.until("document.querySelector('#history .bar.guess')");
    b.shoot("estimates");
}

fn keyboard_alone(b: &Browser) {
    b.play("/g/tic-tac-toe");
    b.run("document.getElementById('board').scrollIntoView(); document.querySelector('.skip').focus()");
    for _ in 0..30 {
        if b.see("document.activeElement.classList.contains('hit')") == true {
            break;
        }
        b.keys(&[TAB]);
    }
    b.keys(&[RIGHT, DOWN, ENTER]);
    b.status("o to move");
    b.keys(&[UP, ENTER]);
    b.status("x to move");
    b.shows("[...document.querySelectorAll('#moves .mv')].map((m) => m.firstChild.textContent).join(' ')", "b2 b3");
    b.shows("document.activeElement.classList.contains('hit')", true);
}

fn position_editor(b: &Browser) {
    b.play("/g/tic-tac-toe");
    b.click("#setup summary");
    b.until("document.querySelectorAll('.palette button').length === 3");
    b.click(".palette [data-piece=\"X\"]");
    b.place("a3");
    b.until("document.querySelector('#editor input').value === 'X../.../...'");
    b.place("b3");
    // Two crosses without a ring are illegal: the editor says why.
    b.until("document.querySelector('#editor .draft-status').textContent.includes('XX.')");
    b.shows("document.querySelector('#editor .main').disabled", true);
    b.shoot("editor");
    b.click(".palette [data-piece=\"O\"]");
    b.place("b3");
    b.until("!document.querySelector('#editor .main').disabled");
    b.click("#editor .main");
    b.until("new URLSearchParams(location.search).get('pos') === 'XO./.../...'");
    b.status("x to move");
    // If the text names the side to move, it can be switched.
    b.play("/g/antrin?moves=a1+a2+b1+c3+b3+c2");
    b.click("#setup summary");
    b.until("document.querySelector('#editor .draft-status').textContent.includes('white to move')");
    b.click("#editor .buttons button:nth-child(2)");
    b.until("document.querySelector('#editor .draft-status').textContent.includes('black to move')");
}

fn agents_and_links(b: &Browser) {
    b.play("/g/tic-tac-toe?second=perfect");
    b.place("a1");
    b.until("document.querySelectorAll('#moves .mv').length === 2");
    b.status("x to move");
    b.click("#back");
    b.until("document.getElementById('counter').textContent === 'start / 1…'");
    // The players stay in the address; a new game starts with the same ones.
    b.until("location.search.includes('second=perfect')");
    b.click("#again");
    b.until("document.getElementById('counter').textContent === 'start / start'");
    b.place("b2");
    b.until("document.querySelectorAll('#moves .mv').length === 2");
    b.status("x to move");
    // Two agents play to the end.
    b.play("/g/tic-tac-toe?first=perfect&second=perfect");
    b.shows("document.getElementById('status').dataset.over", "true");
    let end = b.see("document.getElementById('status').textContent");
    // The home page offers to continue the game.
    b.open("/");
    b.until("document.getElementById('continue').checkVisibility() && document.querySelector('.small-board svg')");
    b.click("#recent a");
    b.until("document.body.dataset.ready === 'yes'");
    b.status(end.as_str().unwrap());
}

fn solving(b: &Browser) {
    b.open("/solve?game=mnk:4,4,3");
    b.click("#start .main");
    b.until("document.querySelector('.value')?.textContent.includes('A win for X')");
    b.shoot("solved");
    b.click("[data-check]");
    b.until("document.querySelector('.verdict.proved')");
    // A long job shows its progress and can be cancelled.
    b.open("/solve?game=drop:7,6,4");
    b.click("#start .main");
    b.until("/positions/.test(document.getElementById('facts')?.textContent ?? '')");
    b.shoot("solving");
    b.click("#cancel");
    b.until("document.querySelector('.warning')?.textContent.includes('Cancelled')");
}

fn strategies(b: &Browser) {
    written_strategy(b);
    b.open("/strategies?game=tic-tac-toe");
    b.run("document.querySelector('[name=strategy]').value = 'singh-objectives:filters'; document.querySelector('#start [name=side]').value = 'second'");
    b.click("[name=repair]");
    b.click("#start .main");
    b.until("document.querySelector('.verdict.refuted')");
    b.shoot("strategy");
    b.click("#counterexample");
    b.until("document.body.dataset.ready === 'yes'");
    b.status("x wins");
    b.click("#first");
    b.status("x to move");
    b.click("#forth");
    b.status("o to move");
    b.run("localStorage.clear()");
}

/// A strategy written on the page: a mistake in the text, a refutation on the board, a repair.
fn written_strategy(b: &Browser) {
    b.open("/strategies?game=tic-tac-toe");
    let write = |text: &str| {
        b.run(&format!("document.getElementById('rules').value = {}", serde_json::Value::from(text)));
        b.click("#test");
    };
    b.run("document.querySelector('#draft [name=side]').value = 'second'");
    write("rule complete a line\n  only complets\nrule anything\n");
    b.until("/line 2.*completes/.test(document.getElementById('fault').textContent)");
    b.until("document.activeElement.id === 'rules' && document.activeElement.selectionStart === 21");
    write(
        "rule complete a line\n  only completes\nrule block a line\n  only blocks\nrule the centre\n  only centre\nrule a corner\n  only corner\nrule anything\n",
    );
    b.until("document.getElementById('verdict').textContent.includes('refuted')");
    b.until("document.querySelectorAll('#rule-table tbody tr').length === 5");
    b.until("/the play ends in a loss/.test(document.querySelector('#refutation .status').textContent)");
    b.click("#refutation [data-go=back]");
    b.until("/rule “/.test(document.querySelector('#refutation .status').textContent)");
    b.shoot("workshop");
    b.click("#repair");
    b.until("document.getElementById('verdict').textContent.includes('holds')");
    b.until("document.getElementById('rules').value.startsWith('book repair') && document.getElementById('refutation').hidden");
    // The text is still there after a reload.
    b.open("/strategies?game=tic-tac-toe");
    b.until("document.getElementById('rules').value.startsWith('book repair')");
}

fn grundy(b: &Browser) {
    b.open("/grundy?code=0.007&to=20000");
    b.click("#start .main");
    b.until("document.getElementById('plot')?.dataset.drawn === 'yes'");
    let painted = "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n += 1; return n; })()";
    b.until(&format!("{painted} > 1000"));
    b.click("[data-zoom=in]");
    b.shoot("grundy");
}

fn arena(b: &Browser) {
    b.open("/arena?game=tic-tac-toe");
    b.run("document.querySelector('[name=players]').value = 'perfect random'; document.querySelector('[name=games]').value = 30");
    b.click("#start .main");
    // The table fills while they play.
    b.gate.allow(9);
    b.until("document.querySelectorAll('.cross').length === 2 && !document.getElementById('progress').hidden");
    b.shoot("arena");
    b.gate.open();
    b.until("document.getElementById('progress').hidden && document.querySelectorAll('.games li').length === 30");
    b.click(".games li a");
    b.until("document.body.dataset.ready === 'yes'");
    b.until("/ wins|^draw/.test(document.getElementById('status').textContent)");
}

fn claims(b: &Browser) {
    b.open("/claims");
    b.until(
        "document.querySelectorAll('details.document').length > 0 && !document.querySelector('details.document[open]')",
    );
    b.open("/claims?document=999");
    b.until("document.querySelector('details.document[open]')");
    b.click("[data-run=\"999/sum\"]");
    b.until("document.querySelector('[data-id=\"999/sum\"] .verdict-word').textContent.includes('reproduced')");
    b.run("document.getElementById('verdict').value = 'reproduced'; document.getElementById('verdict').dispatchEvent(new Event('change'))");
    b.until("[...document.querySelectorAll('article.claim')].filter((a) => !a.hidden).length === 1");
}

fn every_width_and_both_schemes(b: &Browser) {
    let pages = [
        "/",
        "/g/tak:5?pos=2,x,1S,x2/x,12,21C,x2/x,1,2,x2/x,121,x3/2,x3,1+1+9",
        "/g/morris",
        "/g/nim",
        "/g/ellie?moves=a4b4a3+c2d2d1",
        "/solve",
        "/strategies",
        "/grundy",
        "/grade",
        "/claims",
        "/arena",
        "/puzzles",
    ];
    for (width, height) in [(360, 740), (1280, 900), (2560, 1400)] {
        b.size(width, height);
        for (i, page) in pages.iter().enumerate() {
            b.open(page);
            b.until("document.readyState === 'complete'");
            b.until(&format!("document.documentElement.scrollWidth <= {width}"));
            if page.starts_with("/g/") {
                b.until("document.body.dataset.ready === 'yes'");
                b.run("window.area = (css) => { const r = document.querySelector(css).getBoundingClientRect(); return r.width * r.height; }");
                // The board is the largest thing, and takes its share of a large screen. On a phone the list of moves,
                // which keeps room for the chart, lies below it.
                let beside = if width < 1000 { "['.folds', '#trace']" } else { "['#story', '.folds', '#trace']" };
                b.until(&format!("{beside}.every((css) => area(css) < area('#board'))"));
                let share = if width < 2000 { 0.0 } else { 0.3 };
                b.until(&format!("area('#board') > {share} * {width} * {height}"));
            }
            if width < 2000 {
                b.dark(i % 2 == 1);
                b.shoot(&format!("{width}-{i}"));
            }
        }
    }
    b.dark(false);
    b.size(1280, 900);
}
