//! Jobs in a real browser: charts, replays, live games, several tabs, light and dark, print.

mod access;
mod table;

use super::Browser;
pub(super) use access::{axe_finds_nothing, focus_is_kept, front_door, reasons_everywhere, verdicts};
pub(super) use table::{around_the_board, hands, nothing_is_lost, opponents, pictures};

/// *Why?* in words and boards, the lesson that asks why not, and the end of a game.
pub(super) fn reasons(b: &Browser) {
    b.play("/g/mnk:4,4,3");
    b.click("#why");
    b.until("document.querySelector('.why-sentence')?.textContent === 'X wins in 5 plies with b3.'");
    b.until("document.querySelectorAll('.why-line button').length === 5");
    // The tree of the best move is open: fifteen defences, each with its answer.
    b.until("document.querySelector('.why-board svg.board')");
    let defences = "[...document.querySelectorAll('.why-moves .why-moves > li > details')].flatMap((one) => one.dataset.moves.split(' '))";
    b.until(&format!("new Set({defences}).size === 15"));
    b.run("document.querySelector('.why-moves .why-moves summary').click()");
    b.until("document.querySelectorAll('.why-board svg.board').length === 2");
    b.shoot("why");
    // A board of the tree is a position to go to; the reasons follow.
    b.run("[...document.querySelectorAll('.why-at button')].at(-1).click()");
    b.until("document.getElementById('counter').textContent === '2. / 2.'");
    b.until("document.querySelector('.why-sentence')?.textContent === 'O loses in 2 plies: every move loses.'");
    b.click("#why");
    b.until("document.getElementById('why-box').hidden");
    // Nim-values, and the options behind them.
    b.play("/g/kayles:3+4");
    b.click("#why");
    b.until("document.querySelector('.why-sum')?.textContent.includes('3: nim-value 3')");
    b.until("document.getElementById('why-box').textContent.includes('3 xor 1 = 2.')");
    // The end of a game, and where it turned: the lesson says why not, and not what is right.
    b.play("/g/tic-tac-toe?moves=a1+b1+a3+a2+c3+b3+b2&first=random&values=1");
    b.until("document.getElementById('result').textContent === 'You lost'");
    b.shoot("end");
    b.run("document.getElementById('turning').click()");
    b.until("document.getElementById('lesson').textContent.includes('1… b1 turned a draw into a loss')");
    b.until("[...document.querySelectorAll('#lesson button')].some((one) => one.textContent === 'Why not b1?')");
    b.run("[...document.querySelectorAll('#lesson button')].find((one) => one.textContent === 'Why not b1?').click()");
    b.until("document.querySelector('.why-sentence')?.textContent.includes('b1')");
    b.until("document.querySelectorAll('#why-box > .why-moves > li').length === 1");
    b.run("document.getElementById('again').click()");
    b.until("document.getElementById('end').hidden");
    b.run("localStorage.clear()");
}

pub(super) fn jobs(b: &Browser) {
    charts_and_lines(b);
    games_being_played(b);
    cancelled_and_removed(b);
    several_tabs(b);
    pages_of_jobs(b);
}

/// Opens a form, starts a job, and returns its address.
fn begin(b: &Browser, form: &str, fill: &str) -> String {
    b.open(form);
    b.run(fill);
    b.click("#start .main");
    b.until("location.pathname.startsWith('/jobs/')");
    b.see("location.pathname").as_str().unwrap().to_string()
}

fn charts_and_lines(b: &Browser) {
    begin(b, "/solve?game=antrin", "document.querySelector('[name=strong]').checked = true");
    b.until("document.querySelector('.chart rect')");
    b.until("document.querySelectorAll('.chart tbody tr').length === document.querySelectorAll('.chart .scroll > svg > rect').length");
    // The longest win, step by step forwards and backwards, and automatically.
    b.click("#longest [data-go=forth]");
    b.until("document.getElementById('longest').dataset.at === '1'");
    b.click("#longest [data-go=last]");
    b.until("/wins/.test(document.querySelector('#longest .status').textContent)");
    b.click("#longest [data-go=back]");
    b.click("#longest [data-go=first]");
    b.until("document.getElementById('longest').dataset.at === '0'");
    b.click("#longest [data-go=run]");
    b.until("Number(document.getElementById('longest').dataset.at) >= 1");
    b.click("#longest [data-go=run]");
    b.shoot("solved-strong");
    b.click("#longest a.button");
    b.until("document.body.dataset.ready === 'yes'");
    b.run("localStorage.clear()");
}

fn games_being_played(b: &Browser) {
    begin(
        b,
        "/arena?game=tic-tac-toe",
        "document.querySelector('[name=players]').value = 'perfect random'; document.querySelector('[name=games]').value = 60",
    );
    b.until("!document.getElementById('watch').hidden && document.querySelector('#screen svg.board')");
    // The board follows the moves.
    b.gate.allow(1);
    b.until("document.getElementById('watch').dataset.ply === '1'");
    b.gate.allow(1);
    b.until("document.getElementById('watch').dataset.ply === '2'");
    b.shoot("arena-live");
    b.gate.allow(7);
    // Replay a finished game meanwhile, then go back to the live one.
    b.until("document.querySelector('[data-replay]')");
    b.run("document.querySelector('[data-replay]').click()");
    b.until("document.querySelector('#screen .status').textContent.match(/^[345][.…] /)");
    b.run("document.getElementById('watch-live').click()");
    b.until("document.getElementById('watch-title').textContent.startsWith('Game')");
    b.gate.open();
    b.until("document.getElementById('progress').hidden");
    b.until("document.querySelectorAll('.games li').length === 60");
}

fn cancelled_and_removed(b: &Browser) {
    let page = begin(b, "/solve?game=drop:7,6,4", "");
    b.until("/per second/.test(document.getElementById('facts')?.textContent ?? '')");
    b.click("#cancel");
    b.until("document.querySelector('[data-again]')");
    b.open("/jobs");
    b.shoot("jobs");
    let id = page.rsplit('/').next().unwrap();
    b.click(&format!("[data-remove=\"{id}\"]"));
    b.until(&format!("document.readyState === 'complete' && !document.querySelector('[data-remove=\"{id}\"]')"));
}

/// More tabs than a browser has connections to one server.
fn several_tabs(b: &Browser) {
    let page = begin(b, "/solve?game=drop:7,6,4", "");
    let first = b.tab();
    let mut others = Vec::new();
    for _ in 0..8 {
        others.push(b.new_tab());
        b.open(&page);
        b.until("/positions/.test(document.getElementById('facts')?.textContent ?? '')");
    }
    b.play("/g/tic-tac-toe");
    for tab in others {
        b.go_to_tab(&tab);
        b.close_tab();
    }
    b.go_to_tab(&first);
    b.until("/positions/.test(document.getElementById('facts')?.textContent ?? '')");
    b.click("#cancel");
    b.until("document.querySelector('.warning')?.textContent.includes('Cancelled')");
}

/// Starts a job of each kind that has a page of results, and returns their addresses when they are over.
fn results(b: &Browser) -> Vec<String> {
    b.gate.open();
    let strong = "document.querySelector('[name=strong]').checked = true";
    let refuted = "document.querySelector('[name=strategy]').value = 'singh-objectives:filters'; document.querySelector('#start [name=side]').value = 'second'; \
                   document.querySelector('[name=all]').checked = true";
    let pages = vec![
        begin(b, "/solve?game=antrin", strong),
        begin(b, "/solve?game=mnk:4,4,3", ""),
        begin(b, "/strategies?game=tic-tac-toe", refuted),
        begin(b, "/arena?game=tic-tac-toe", "document.querySelector('[name=games]').value = 10"),
    ];
    for page in &pages {
        b.open(page);
        b.until("document.getElementById('progress').hidden");
    }
    pages
}

/// Every kind of result at every width, in both schemes, and printed.
fn pages_of_jobs(b: &Browser) {
    let strong = "document.querySelector('[name=strong]').checked = true";
    let refuted = "document.querySelector('[name=strategy]').value = 'singh-objectives:filters'; document.querySelector('[name=side]').value = 'second'; \
                   document.querySelector('[name=all]').checked = true";
    let pages = [
        ("strong", begin(b, "/solve?game=antrin", strong)),
        ("won", begin(b, "/solve?game=mnk:4,4,3", "")),
        ("verified", begin(b, "/strategies?game=tic-tac-toe", refuted)),
        ("grundy", begin(b, "/grundy?code=kayles&to=3000", "")),
        ("arena", begin(b, "/arena?game=tic-tac-toe", "document.querySelector('[name=games]').value = 10")),
        ("jobs", "/jobs".to_string()),
    ];
    for (_, page) in &pages {
        b.open(page);
        b.until("!document.getElementById('progress') || document.getElementById('progress').hidden");
    }
    for (width, height) in [(360, 2400), (1280, 1800), (2560, 1400)] {
        b.size(width, height);
        for (name, page) in &pages {
            b.open(page);
            b.until("document.readyState === 'complete'");
            for dark in [false, true] {
                b.dark(dark);
                b.shoot(&format!("{name}-{width}{}", if dark { "-dark" } else { "" }));
            }
            b.until(&format!("document.documentElement.scrollWidth <= {width}"));
        }
    }
    b.dark(false);
    b.size(1000, 1400);
    for (name, page) in &pages {
        b.open(page);
        b.until("document.readyState === 'complete'");
        b.printed(true);
        b.shows("getComputedStyle(document.querySelector('.top')).display", "none");
        b.shoot(&format!("{name}-print"));
        b.printed(false);
    }
    b.size(1280, 900);
}
