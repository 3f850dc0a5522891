//! What everybody needs at every width, in light and dark: no fault that axe-core finds, a focus that is never lost, and the
//! way in through the front door.

use super::super::{Browser, ENTER, RIGHT, TAB};

/// The pages of axe-core's visit, each with what it must show first.
const PAGES: [(&str, &str); 16] = [
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
    ("/jobs", "document.readyState === 'complete'"),
];

/// Where `./test` puts axe-core.
const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/axe-core/node_modules/axe-core/axe.min.js");

/// axe-core finds nothing on any page at these widths, in light and dark.
pub(crate) fn axe_finds_nothing(b: &Browser) {
    let axe = std::fs::read_to_string(AXE).expect(
        "axe-core is installed: `npm install --prefix target/axe-core axe-core` does it, and ./test does it too",
    );
    for (width, height) in [(360, 740), (1280, 900)] {
        b.size(width, height);
        for (page, shown) in PAGES {
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
    b.click("#swap");
    b.until("document.querySelector('[data-player=\"0\"]').value === 'level:2' && document.querySelectorAll('#moves .mv').length === 1");
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
    for left in ["2 / 3", "1 / 3", "0 / 3"] {
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
    for played in ["1 / 1", "2 / 2"] {
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
