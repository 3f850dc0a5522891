//! The board as a table to play at: nothing is lost, pieces are moved by hand, opponents, puzzles, search, looks.

use super::super::{Browser, ENTER, ESCAPE, LEFT, RIGHT, TAB};

/// The text of every move in the list, in order.
const MOVES: &str = "[...document.querySelectorAll('#moves .mv')].map((one) => one.firstChild.textContent).join(' ')";

fn reload(b: &Browser) {
    b.run("document.body.dataset.ready = 'no'; location.reload()");
    b.until("document.body.dataset.ready === 'yes'");
}

/// A picture for each width.
fn shoot(b: &Browser, name: &str) {
    b.shoot(&format!("{name}-{}", b.see("innerWidth")));
}

/// What *Save game* writes, instead of a download.
fn saved(b: &Browser) {
    b.run("window.saved = ''; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return '#saved'; }");
    b.run("document.getElementById('save').click()");
    b.until("window.saved !== ''");
}

pub(crate) fn nothing_is_lost(b: &Browser) {
    b.play("/g/tic-tac-toe");
    for (place, next) in [("a1", "o"), ("b2", "x"), ("c3", "o")] {
        b.place(place);
        b.status(&format!("{next} to move"));
    }
    b.keys(&[LEFT]);
    b.status("x to move");
    b.keys(&[LEFT]);
    b.status("o to move");
    b.place("a3");
    b.status("x to move");
    b.until("document.querySelectorAll('#moves .branch').length === 1 && location.search.includes('tree=')");
    reload(b);
    b.shows(MOVES, "a1 b2 a3 c3");
    b.click("#remark summary");
    b.until("document.getElementById('counter').textContent === '1… / 1…'");
    // A comment and a mark are kept too; the variation becomes the main line; a move is deleted.
    b.write("#comment", "a corner");
    b.click("[data-mark='!']");
    b.until("location.search.includes('corner') && document.querySelector('#moves .said')?.textContent === '!'");
    reload(b);
    b.until("document.querySelector('#moves .comment').textContent === 'a corner'");
    b.click("#promote");
    b.shows(MOVES, "a1 a3 b2 c3");
    // The whole game is saved, wherever one is.
    b.click("#first");
    b.status("x to move");
    saved(b);
    b.until("window.saved.includes('moves a1 a3! {a corner} (b2 c3)')");
    // Nothing is loaded from nothing.
    b.run("document.getElementById('paste').closest('details').open = true");
    b.click("#load");
    b.shows(MOVES, "a1 a3 b2 c3");
    b.click("#forth");
    b.status("o to move");
    // What is open stays open.
    b.click("#delete");
    b.status("x to move");
    b.shows("document.querySelectorAll('#moves .mv').length", 0);
    ptn_in_and_out(b);
    b.run("localStorage.clear()");
}

fn paste(b: &Browser, text: &str) {
    let text = serde_json::Value::from(text);
    b.run(&format!(
        "document.getElementById('paste').closest('details').open = true; document.getElementById('paste').value = {text}"
    ));
    b.run("document.getElementById('load').click()");
}

fn ptn_in_and_out(b: &Browser) {
    b.play("/g/tak:5");
    paste(
        b,
        "[Player1 \"Ada\"]\n[Size \"5\"]\n[Result \"1-0\"]\n\n1. a1 e5\n2. c3! {nice} c2\n1-0\n\n{2w1}\n2. d3 {or this}\n",
    );
    b.shows(MOVES, "a1 e5 c3 d3 c2");
    b.until("document.getElementById('tags').textContent.includes('Ada')");
    shoot(b, "ptn");
    b.click("#first");
    reload(b);
    saved(b);
    for kept in ["[Player1 \"Ada\"]", "[Result \"1-0\"]", "c3! {nice} c2", "{2w1}", "d3 {or this}"] {
        b.until(&format!("window.saved.includes({})", serde_json::Value::from(kept)));
    }
    // A result behind the moves alone is kept too.
    paste(b, "1. a1 e5 2. c3 c2 0-1");
    b.shows(MOVES, "a1 e5 c3 c2");
    reload(b);
    saved(b);
    b.until("window.saved.trim().endsWith('0-1')");
    // Without tags, and a position alone.
    paste(b, "1. a1 e5 2. c3 c2");
    b.shows(MOVES, "a1 e5 c3 c2");
    paste(b, "x6/x6/x2,2,x3/x6/x6/1,x5 1 2");
    b.until("location.pathname === '/g/tak:6' && document.body.dataset.ready === 'yes'");
}

pub(crate) fn hands(b: &Browser) {
    // A flat; clicked again, a wall; again, a capstone; again, a flat.
    b.play("/g/tak:5?moves=a1+e5");
    for last in ["c3", "Sc3", "Cc3", "c3"] {
        b.place("c3");
        b.until(&format!("{MOVES} === 'a1 e5 {last}'"));
    }
    shoot(b, "tak");
    // A piece of the tray.
    b.click("#tray-second [data-shape=wall]");
    b.place("d4");
    b.until(&format!("{MOVES} === 'a1 e5 c3 Sd4'"));
    b.click("#road");
    b.until("document.getElementById('road').getAttribute('aria-pressed') === 'true'");
    // By keys: a flat takes two, and the focus stays on the board.
    b.run("document.getElementById('board').scrollIntoView(); document.querySelector('.skip').focus()");
    for _ in 0..40 {
        if b.see("document.activeElement.classList.contains('hit')") == true {
            break;
        }
        b.keys(&[TAB]);
    }
    let before = b.see("document.querySelectorAll('#moves .mv').length").as_u64().unwrap();
    b.keys(&[LEFT, ENTER]);
    b.shows("document.querySelectorAll('#moves .mv').length", before + 1);
    b.shows("document.activeElement.classList.contains('hit')", true);
    // Pieces are dragged.
    b.play("/g/antrin?moves=a1+a2+b1+c3+b3+c2");
    b.drag("#board .hit[aria-label^=\"b3,\"]", "#board .hit[aria-label^=\"b2,\"]");
    b.status("black to move");
    b.until(&format!("{MOVES}.endsWith('b3-b2')"));
    heaps(b);
    // A position is set up with the mouse, and men in hand follow.
    b.play("/g/morris:nine");
    b.click("#setup summary");
    b.until("document.querySelectorAll('.palette button').length === 3");
    for (piece, place) in [("W", "a7"), ("B", "d7"), ("W", "g7")] {
        b.click(&format!(".palette [data-piece=\"{piece}\"]"));
        b.place(place);
        b.until(&format!(
            "document.querySelector('#board .hit[aria-label^=\"{place},\"]').getAttribute('aria-label').includes('man')"
        ));
        b.until("document.querySelector('.draft-status').textContent.startsWith('Legal position')");
    }
    b.until("document.querySelector('.hands').textContent.includes('white: 7 in hand')");
    // Cells of a board of tiles, crosses, and the parts of a sum.
    for (game, piece, places, text) in
        [("cram", "#", vec![0, 1], "##../..../..../...."), ("treblecross", "X", vec![1], ".X.......")]
    {
        b.play(&format!("/g/{game}"));
        b.click("#setup summary");
        b.click(&format!(".palette [data-piece=\"{piece}\"]"));
        for place in places {
            b.run(&format!("document.querySelector('#board .hit[data-place=\"{place}\"]').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"));
            b.until(&format!("document.querySelector('#board .stack[data-at=\"{place}\"]') !== null"));
        }
        b.shows("document.querySelector('#editor > input').value", text);
        b.until("document.querySelector('.draft-status').textContent.startsWith('Legal position')");
    }
    b.play("/g/sum");
    b.click("#setup summary");
    b.until("document.querySelectorAll('.hands .part').length === 2");
    b.click(".hands .cells button");
    b.until("/^\\(\\d+\\)\\+\\(#/.test(document.querySelector('#editor > input').value)");
    shoot(b, "setup-mill");
    b.run("localStorage.clear()");
}

fn heaps(b: &Browser) {
    // A skittle is what is clicked; what falls leaves a gap.
    b.play("/g/kayles:10");
    b.place("f1");
    b.place("f1");
    b.until(&format!("{MOVES} === '10>4+5'"));
    b.shows("document.querySelector('#board svg').viewBox.baseVal.width", 656);
    shoot(b, "kayles");
    // Two neighbours, from either end.
    b.play("/g/kayles:10");
    b.place("j1");
    b.place("i1");
    b.until(&format!("{MOVES} === '10>8'"));
    // Circular nim is a ring; a stack is clicked once for each counter.
    b.play("/g/circular-nim");
    b.until("new Set([...document.querySelectorAll('#board .hit')].map((one) => one.dataset.y)).size > 1");
    b.place("b1");
    b.place("b1");
    b.until("!document.getElementById('menu').hidden");
    b.click("#menu button");
    b.until(&format!("{MOVES} === '3+1+3+3'"));
    shoot(b, "circular-nim");
}

/// Opponents by level, two computer players, puzzles.
pub(crate) fn opponents(b: &Browser) {
    b.play("/g/tic-tac-toe");
    b.run("document.getElementById('level').value = 'level:1'; document.querySelector('[name=side][value=second]').click()");
    b.click("#opponent .main");
    b.until("location.search.includes('first=level%3A1')");
    b.until("document.querySelectorAll('#moves .mv').length === 1");
    b.status("o to move");
    // The choice is remembered.
    b.open("/");
    b.until("document.querySelector('.card .play').href.includes('first=level%3A1')");
    // Play that repeats itself stops, and goes on step by step.
    b.play("/g/antrin?first=perfect&second=perfect");
    b.run("document.getElementById('machine-speed').value = 4");
    b.until("document.getElementById('machine-run').textContent.includes('Play')");
    b.until("document.getElementById('notice').textContent.includes('occurred before')");
    let plies = b.see("document.querySelectorAll('#moves .mv').length").as_u64().unwrap();
    b.click("#notice");
    b.click("#machine-step");
    b.shows("document.querySelectorAll('#moves .mv').length", plies + 1);
    // How a game ended.
    b.play("/g/tic-tac-toe?moves=b2+a1+b1+a2+b3");
    b.until("document.getElementById('ending').textContent === 'X wins: three in column b, move 3.'");
    // Puzzles.
    b.open("/puzzles?game=mnk:3,3,3&seed=1");
    b.until("document.getElementById('status').textContent.includes('to move and win')");
    shoot(b, "puzzle");
    b.click("#show");
    b.until("document.getElementById('answer').textContent.includes('The move is')");
    b.click("#next");
    b.until("document.getElementById('answer').hidden && document.getElementById('status').textContent.includes('to move and win')");
    // The positions of a game that was played, from the card at its end.
    b.play("/g/tic-tac-toe?moves=a1+b1+a3+a2+c3+b3+b2");
    b.click("#puzzles");
    b.until("document.getElementById('of-game') && document.getElementById('status').textContent.includes('to move and win')");
    b.place("b2");
    b.until("document.getElementById('answer').textContent.startsWith('b2 is right.')");
    b.run("localStorage.clear()");
}

/// Search, keys and looks.
pub(crate) fn around_the_board(b: &Browser) {
    b.open("/");
    for (name, found) in [
        ("mnk:4,4,3", "/g/mnk:4,4,3"),
        ("connect 4", ""),
        ("tictactoe", ""),
        ("nine men's morris", ""),
        ("gomoku", "/g/mnk:8,8,5"),
        ("four in a row", "/g/drop:7,6,4"),
    ] {
        b.run("document.getElementById('search').value = ''");
        b.write("#search", name);
        match found {
            "" => b.until("[...document.querySelectorAll('#gallery .card')].filter((one) => !one.hidden).length === 1"),
            to => b.until(&format!("document.querySelector('#nothing a')?.getAttribute('href') === '{to}'")),
        }
    }
    b.play("/g/antrin");
    b.run("document.activeElement.blur()");
    b.keys(&['?']);
    b.until("document.getElementById('keys').matches(':popover-open')");
    b.keys(&[ESCAPE]);
    b.until("!document.getElementById('keys').matches(':popover-open')");
    b.click("[popovertarget=looks]");
    b.until("document.getElementById('looks').matches(':popover-open')");
    shoot(b, "looks");
    for material in ["slate", "paper", "flat", "wood"] {
        b.click(&format!("#looks [value={material}]"));
        b.shows("document.documentElement.dataset.material", material);
    }
    b.keys(&[ESCAPE, RIGHT]);
    b.open("/claims?verdict=differs");
    b.until("document.getElementById('verdict').value === 'differs'");
    b.until("document.querySelector('.totals').textContent.includes('3 claims')");
    b.run("localStorage.clear()");
}

/// The pictures of the readme: the front door, a tree of reasons, Tak.
pub(crate) fn pictures(b: &Browser) {
    b.size(1280, 860);
    b.run("localStorage.clear()");
    b.open("/");
    b.until("[...document.querySelectorAll('.group:first-child .fact')].every((fact) => fact.textContent.length > 1)");
    b.shoot("front-door");
    b.play("/g/mnk:4,4,3?values=1");
    b.until("document.querySelectorAll('.over .badge').length === 16");
    b.click("#why");
    b.until(
        "document.querySelectorAll('.why-line button').length === 5 && document.querySelector('.why-board svg.board')",
    );
    b.shoot("why-tree");
    b.run("localStorage.clear()");
    b.play("/g/tak:5?pos=2,x,1,x2/x,12S,1121C,2,x/x,1,212,x,1/x,1,x,2C,x/2,1,x,2,1+1+14");
    b.place("c4");
    b.place("c3");
    b.until("document.querySelectorAll('#board .lifted').length > 0 || !document.getElementById('menu').hidden");
    b.shoot("tak-board");
    b.size(1280, 900);
}
