//! What everybody needs at every width, in light and dark: no fault that axe-core finds, a focus that is never lost, and the
//! way in through the front door.

use super::super::{Browser, ENTER, RIGHT, TAB};

/// The pages of axe-core's visit, each with what it must show first.
const PAGES: [(&str, &str); 17] = [
    ("/", "document.querySelectorAll('.fact.v-draw, .fact.v-win, .fact.v-loss').length > 3"),
    ("/g/tic-tac-toe?moves=a1+b1&values=1", "document.querySelectorAll('.over .badge').length === 7"),
    ("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3&second=level:2", "!document.getElementById('end').hidden"),
    ("/g/mnk:4,4,3", "document.querySelectorAll('.why-line button').length === 5"),
    ("/g/tak:5?moves=a1+e5+c3+d3+c4+Cd4", "document.getElementById('verdict').textContent.includes('≈')"),
    ("/g/morris:nine?moves=a7+d7", "document.body.dataset.ready === 'yes'"),
    ("/g/connect-four?moves=4455", "document.body.dataset.ready === 'yes'"),
    ("/g/kayles:10?moves=10>4%2B5", "document.getElementById('verdict').textContent.includes('Nim-value')"),
    ("/g/order-chaos", "document.body.dataset.ready === 'yes'"),
    ("/puzzles?game=mnk:3,3,3&seed=1", "document.getElementById('status').textContent.includes('to move')"),
    ("/strategies?game=tic-tac-toe", "document.readyState === 'complete'"),
    ("/solve", "document.readyState === 'complete'"),
    ("/grundy", "document.readyState === 'complete'"),
    ("/arena", "document.readyState === 'complete'"),
    ("/claims?verdict=differs", "document.readyState === 'complete'"),
    ("/grade", "document.readyState === 'complete'"),
    ("/jobs", "document.readyState === 'complete'"),
];

/// Where `./test` puts axe-core.
const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/axe-core/node_modules/axe-core/axe.min.js");

/// axe-core finds nothing on any page at these widths, in light and dark.
pub(crate) fn axe_finds_nothing(b: &Browser) {
    let axe = std::fs::read_to_string(AXE).expect(
        "axe-core is installed: `npm install --prefix target/axe-core axe-core` does it, and ./test does it too",
    );
    let jobs = super::results(b);
    let over = "document.getElementById('progress').hidden && document.getElementById('result').childElementCount > 0";
    let pages: Vec<(&str, &str)> = PAGES.into_iter().chain(jobs.iter().map(|page| (page.as_str(), over))).collect();
    for (width, height) in [(360, 740), (1280, 900)] {
        b.size(width, height);
        for &(page, shown) in &pages {
            b.open(page);
            if page.contains("mnk:4,4,3") {
                b.until("document.body.dataset.ready === 'yes'");
                b.click("#why");
            }
            b.until(shown);
            b.run(&axe);
            for dark in [false, true] {
                b.dark(dark);
                let found = b.later(
                    "axe.run(document, {resultTypes: ['violations']}).then((said) => done(said.violations.flatMap(\
                     (one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`))), (error) => done([String(error)]))",
                );
                assert_eq!(found, serde_json::json!([]), "{page} at {width}, dark: {dark}");
            }
            b.until(&format!("document.documentElement.scrollWidth <= {width}"));
        }
    }
    b.dark(false);
}

/// A first game, from the home page to the end, with the mouse alone.
pub(crate) fn front_door(b: &Browser) {
    b.open("/");
    // Cards stand in groups; each says how to win, what is known, and has a button.
    b.until("document.querySelectorAll('#gallery > .group').length >= 4");
    b.until("[...document.querySelectorAll('.card')].every((card) => card.querySelector('.rules').textContent.length > 10 && card.querySelector('.play'))");
    b.click("#featured .hit[data-place='4']");
    b.until("document.body.dataset.ready === 'yes' && document.querySelectorAll('#trace li').length >= 3");
    b.until("/to move|wins|draw/.test(document.getElementById('status').textContent)");
    // The level and the side are at hand, next to the board.
    b.until("document.getElementById('level').options.length === 5 && document.querySelectorAll('[name=side]').length === 3");
    // The end of a game is a card, with a rematch and sides to swap.
    b.play("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3&second=level:2");
    b.until("document.getElementById('result').textContent === 'You won'");
    b.until("document.querySelectorAll('#board .decisive').length === 3");
    winning_lines_are_whole(b);
    on_a_small_screen(b);
    b.play("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3&second=level:2");
    b.click("#swap");
    b.until("document.querySelector('[data-player=\"0\"]').value === 'level:2' && document.querySelectorAll('#moves .mv').length === 1");
    b.run("localStorage.clear()");
}

/// The mark of the last move lies on no place of the row that decided the game.
fn winning_lines_are_whole(b: &Browser) {
    for (page, row) in [
        ("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3", 3),
        ("/g/connect-four?moves=d+c+d+c+d+c+d", 4),
        ("/g/antrin?moves=a1+a2+b1+b2+c1", 3),
    ] {
        b.play(page);
        b.until(&format!("document.querySelectorAll('#board .decisive').length === {row}"));
        b.shows("document.querySelectorAll('#board .last').length", 0);
    }
    // A man that moved has a thin ring, and a small one where it came from.
    b.play("/g/antrin?moves=a1+a2+b1+c3+b3+c2+b3-b2+c2-c1");
    b.shows(
        "[...document.querySelectorAll('#board .last.ring')].map((one) => one.getAttribute('r')).sort().join(' ')",
        "12 28",
    );
}

/// What somebody with a phone sees without scrolling.
fn on_a_small_screen(b: &Browser) {
    if b.see("innerWidth") != 360 {
        return;
    }
    let top = |css: &str| format!("document.querySelector('{css}').getBoundingClientRect().top");
    b.play("/g/order-chaos");
    b.until(&format!("{} < 200", top("#board")));
    for page in ["/g/tic-tac-toe", "/g/morris:nine"] {
        b.play(page);
        b.until(&format!("{} < innerHeight", top("#opponent")));
    }
    b.until("[...document.querySelectorAll('#board text:not([class])')].every((one) => one.getBoundingClientRect().height >= 12)");
    // The end of a game comes into sight by itself.
    b.play("/g/tic-tac-toe?moves=b2+a1+b1+a2");
    b.place("b3");
    b.until("!document.getElementById('end').hidden && document.getElementById('end').getBoundingClientRect().bottom <= innerHeight");
}

/// *Why?* is the same component everywhere: with a hint, a puzzle, a claim, a solved game and a counterexample.
pub(crate) fn reasons_everywhere(b: &Browser) {
    let told = "document.querySelector('.why .why-sentence')?.textContent.length > 10";
    b.play("/g/mnk:4,4,3");
    b.click("#hint");
    b.until("document.querySelector('#notice button')");
    b.click("#notice button");
    b.until(told);
    b.open("/puzzles?game=mnk:3,3,3&seed=1");
    b.until("!document.getElementById('show').disabled");
    b.click("#show");
    b.until("document.querySelector('#answer [data-why]')");
    b.click("#answer [data-why]");
    b.until(told);
    b.open("/strategies?game=tic-tac-toe");
    b.run("document.querySelector('#start [name=strategy]').value = 'singh-objectives:filters'; document.querySelector('#start [name=side]').value = 'second'; \
           document.querySelector('#start [name=all]').checked = true");
    b.run("document.querySelector('#start .main').click()");
    b.until("document.querySelectorAll('.boards [data-why]').length > 0 && document.querySelectorAll('.trace [data-why]').length > 2");
    b.run("document.querySelector('.boards [data-why]').click()");
    b.until(told);
    b.until("document.documentElement.scrollWidth <= innerWidth");
    b.shoot(&format!("why-mistake-{}", b.see("innerWidth")));
    b.run("localStorage.clear()");
}

/// A sentence says what every position is worth: proven, published, or estimated.
pub(crate) fn verdicts(b: &Browser) {
    for (page, said) in [
        ("/g/mnk:4,4,3", "X wins in 5 plies: proven."),
        ("/g/tic-tac-toe", "A draw with best play: proven."),
        ("/g/connect-four", "X wins: published: Allis, and Allen, 1988."),
    ] {
        b.play(page);
        b.shows("document.getElementById('verdict').textContent", said);
    }
    b.play("/g/tak:5?moves=a1+e5+c3+d3");
    b.until("/^(Level|White is ahead|Black is ahead); White ≈ \\d+ %: an estimate, not a proof \\(depth \\d+: .+\\)\\.$/.test(document.getElementById('verdict').textContent)");
    // Mistakes and only moves are marked in the list of moves: the worst ones twice.
    b.play("/g/tic-tac-toe?moves=b2+b1+a1+c3+a3+a2+c1&values=1");
    b.until("[...document.querySelectorAll('#moves .mv')].map((one) => one.textContent).join(' ') === 'b2 b1? a1 c3 a3 a2 c1!'");
    b.run("localStorage.clear()");
    // Nim-values: the parts and their xor below the board, and what each move leaves. The bad move is shown as well.
    b.play("/g/kayles:3+4?values=1");
    b.shows("document.getElementById('nimbers').textContent", "3 = *34 = *1xor: 3 ⊕ 1 = *2");
    b.until("[...document.querySelectorAll('#legal .nimber')].some((one) => one.textContent.includes('*0'))");
    b.play("/g/kayles:10?moves=10>4%2B5&values=1");
    b.until("document.querySelector('#lesson button')");
    b.run("document.querySelector('#lesson button').click()");
    b.until("document.querySelectorAll('#board .arrow.bad').length > 0");
    b.run("localStorage.clear()");
    // Where every position is proven at once, the strongest level is called perfect, also in a game against it.
    b.play("/g/tic-tac-toe?second=level:5");
    b.shows("document.querySelector('[data-player=\"1\"]').selectedOptions[0].textContent", "Level 5 (perfect)");
    // What falls leaves its gap, in a link too.
    b.play("/g/kayles:10?moves=10>4%2B5");
    b.shows("document.querySelector('#board svg').viewBox.baseVal.width", 656);
    b.shows("document.querySelector('#trace li:last-child svg').viewBox.baseVal.width", 656);
}

/// Whoever uses the keyboard finds the focus where it was, or on the board.
pub(crate) fn focus_is_kept(b: &Browser) {
    let go_to = |wanted: &str| {
        b.run("document.querySelector('.skip').focus()");
        for _ in 0..80 {
            if b.see(&format!("document.activeElement.matches({})", serde_json::Value::from(wanted))) == true {
                return;
            }
            b.keys(&[TAB]);
        }
        panic!("Tab does not lead to {wanted}");
    };
    let never_lost = || b.until("document.activeElement !== document.body");
    // A button that is disabled at the start of the game, a move in the list, a board of the strip, a legal move.
    b.play("/g/tic-tac-toe?moves=b2+a1+c3");
    go_to("#back");
    for left in ["1… / 2.", "1. / 2.", "start / 2."] {
        b.keys(&[ENTER]);
        b.shows("document.getElementById('counter').textContent", left);
    }
    never_lost();
    for button in ["#moves .mv", "#trace button"] {
        go_to(button);
        b.keys(&[ENTER]);
        b.until("document.activeElement.matches('.here')");
    }
    // A menu: Escape and a choice lead back to the board.
    b.play("/g/order-chaos");
    go_to("#board .hit");
    for played in ["1. / 1.", "1… / 1…"] {
        b.keys(&[ENTER]);
        b.until("document.activeElement.closest('#menu')");
        b.keys(&[ENTER]);
        // The server answers, and the board is drawn again, before the next key counts.
        b.shows("document.getElementById('counter').textContent", played);
        b.until("document.activeElement.classList.contains('hit')");
        b.keys(&[RIGHT]);
    }
    // The card at the end of a game goes away, and the focus does not.
    b.play("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3");
    go_to("#rematch");
    b.keys(&[ENTER]);
    b.until("document.getElementById('end').hidden");
    never_lost();
    b.run("localStorage.clear()");
}
