//! The conversation with another program. One search at most is running, in a thread of its own.

use super::request::{Go, Request};
use crate::VERSION;
use agon_core::{Ctx, Status, Wdl};
use agon_report::SearchScore;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer lines are no requests; the longest game is far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// The output for lines of the protocol.
pub type Say = Box<dyn Fn(&str) + Send + Sync>;

/// What a search found out about one move.
pub(super) struct Line {
    pub(super) score: SearchScore,
    /// The proven value for the side to move, with the plies to the end.
    pub(super) proven: Option<(Wdl, u32)>,
    /// The moves that it expects.
    pub(super) pv: String,
}

/// What a search has found so far.
pub(super) struct Info {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    /// Thousandths of the table in use, where that is known.
    pub(super) full: Option<u32>,
    /// The best moves.
    pub(super) lines: Vec<Line>,
}

/// The limits of a search but for its time.
#[derive(Clone, Copy, Default)]
pub(super) struct Limits {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// The time that the search will get, for players that divide it.
    pub(super) time: Option<Duration>,
}

/// The move that a search decides on, and what it found out.
pub(super) struct Found {
    pub(super) mv: String,
    pub(super) info: Info,
}

/// A search that reports what it finds while it runs.
pub(super) type Search<P> = Box<dyn FnOnce(&mut P, &Ctx, &mut dyn FnMut(Info)) -> Option<Found> + Send>;

/// What an engine plays: a game, a position, options and a player.
pub(super) trait Board {
    /// The player that searches; it keeps what it knows between the moves of a game.
    type Player: Send + 'static;

    /// The options and whatever else follows the name of the engine, and the word that ends the introduction.
    fn introduction(&self) -> String;
    /// Sets an option, by its name in lower case; false if there is no such option or value.
    fn set(&mut self, name: &str, value: &str) -> bool;
    /// Begins a new game.
    fn begin(&mut self, size: Option<usize>, half_komi: Option<i32>, draft: bool) -> Result<(), String>;
    /// Sets the position; if anything is wrong with it, the old one stays.
    fn place(&mut self, position: Option<&str>, moves: &[String]) -> Result<(), String>;
    /// Whose turn it is, or how the play ended.
    fn status(&self) -> Status;
    /// The word for no move at all.
    fn no_move(&self) -> &'static str;
    /// A line that says what cannot be done, if the dialect has one.
    fn error(&self, why: &str) -> Option<String>;
    /// Returns whether proven results are reported as such.
    fn says_solved(&self) -> bool;
    /// The number of moves whose lines are reported.
    fn lines(&self) -> usize;
    /// A player as the options say.
    fn player(&self) -> Result<Self::Player, String>;
    /// The search from the position.
    fn search(&self, limits: Limits) -> Search<Self::Player>;
}

/// A search in its thread.
struct Running<P> {
    stop: Arc<AtomicBool>,
    /// True if the search ends without `stop`.
    limited: bool,
    thread: JoinHandle<P>,
}

/// The state of the engine.
pub(super) struct Session<B: Board> {
    say: Arc<Say>,
    /// Receives messages about what cannot be done: most dialects have none for it.
    complain: Say,
    board: B,
    player: Option<B::Player>,
    running: Option<Running<B::Player>>,
}

/// Answers requests until `quit` or the end of the input.
pub(super) fn converse<B: Board>(mut session: Session<B>, input: &mut impl BufRead) -> std::io::Result<()> {
    let ended = loop {
        match next_line(input) {
            Ok(Some(line)) => match Request::read(&line) {
                Request::Quit => break Ok(()),
                request => session.answer(request),
            },
            Ok(None) => {
                session.finish();
                break Ok(());
            }
            Err(error) => break Err(error),
        }
    };
    session.stop();
    ended
}

impl<B: Board> Session<B> {
    pub(super) fn new(board: B, say: Say, complain: Say) -> Session<B> {
        Session { say: Arc::new(say), complain, board, player: None, running: None }
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Hello => {
                let who = format!("id name agon {VERSION}\nid author the agon project\nid version {VERSION}");
                (self.say)(&format!("{who}\n{}", self.board.introduction()));
            }
            Request::Ready => (self.say)("readyok"),
            Request::Option(name, value) => self.set(&name, &value),
            Request::NewGame(size, half_komi, draft) => {
                self.stop();
                self.player = None;
                let begun = self.board.begin(size, half_komi, draft);
                self.accept(begun);
            }
            Request::Position(position, moves) => {
                self.stop();
                let placed = self.board.place(position.as_deref(), &moves);
                self.accept(placed);
            }
            Request::Query(question) => self.respond(&question),
            Request::Go(go) => self.go(&go),
            Request::Stop => self.stop(),
            Request::Quit | Request::Unknown => {}
        }
    }

    /// Says what was asked and cannot be.
    fn accept(&self, done: Result<(), String>) {
        let Err(why) = done else { return };
        (self.complain)(&why);
        if let Some(line) = self.board.error(&why) {
            (self.say)(&line);
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        self.stop();
        if self.board.set(name, value) {
            self.player = None;
            return;
        }
        let (name, value) = (agon_core::family::shorten(name), agon_core::family::shorten(value));
        self.accept(Err(format!("option `{name}` cannot be `{value}`")));
    }

    fn respond(&self, question: &str) {
        let status = self.board.status();
        let answer = match (question, status) {
            ("p1turn", Status::Turn(player)) => {
                if player as usize == 0 {
                    "true"
                } else {
                    "false"
                }
            }
            ("p1turn", Status::Over(_)) => "false",
            ("gameover", Status::Over(_)) => "true",
            ("gameover", Status::Turn(_)) => "false",
            ("result", Status::Turn(_)) => "none",
            ("result", Status::Over(outcome)) => match outcome.winner() {
                None => "draw",
                Some(player) => {
                    if player as usize == 0 {
                        "p1win"
                    } else {
                        "p2win"
                    }
                }
            },
            _ => {
                let question = agon_core::family::shorten(question);
                return self.accept(Err(format!("no query `{question}`: expected p1turn, gameover or result")));
            }
        };
        (self.say)(&format!("response {answer}"));
    }

    fn go(&mut self, go: &Go) {
        self.stop();
        let Status::Turn(turn) = self.board.status() else {
            return (self.say)(&format!("bestmove {}", self.board.no_move()));
        };
        let mut player = match self.player.take().map_or_else(|| self.board.player(), Ok) {
            Ok(player) => player,
            Err(why) => {
                self.accept(Err(why));
                return (self.say)(&format!("bestmove {}", self.board.no_move()));
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        // `go infinite` waits for `stop` whatever else it says, and nobody says `stop` after the end of the input.
        let limited = go.is_limited() && !go.infinite;
        let time = go.time(turn as usize);
        let limits = Limits { nodes: go.nodes.map(|n| n.max(1)), depth: go.depth.map(|d| d.max(1)), time };
        let job = Job {
            time,
            wait: go.infinite,
            lines: self.board.lines(),
            solved: self.board.says_solved(),
            no_move: self.board.no_move(),
            stop: stop.clone(),
            say: self.say.clone(),
        };
        let search = self.board.search(limits);
        let thread = std::thread::spawn(move || {
            job.run(search, &mut player);
            player
        });
        self.running = Some(Running { stop, limited, thread });
    }

    /// Stops the search, if there is one; it says its move.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
            self.player = running.thread.join().ok();
        }
    }

    /// Waits for the search, if it ends by itself.
    fn finish(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.limited)
            && let Some(running) = self.running.take()
        {
            self.player = running.thread.join().ok();
        }
        self.stop();
    }
}

/// One search.
struct Job {
    time: Option<Duration>,
    /// True if to print nothing before `stop`.
    wait: bool,
    lines: usize,
    solved: bool,
    no_move: &'static str,
    stop: Arc<AtomicBool>,
    say: Arc<Say>,
}

impl Job {
    fn run<P>(&self, search: Search<P>, player: &mut P) {
        let begun = Instant::now();
        let ctx = Ctx::default().with_cancel(self.stop.clone());
        let ctx = self.time.map_or(ctx.clone(), |time| ctx.within(time));
        let found = search(player, &ctx, &mut |info| self.inform(&info, begun.elapsed()));
        while self.wait && !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(found) = &found {
            self.inform(&found.info, begun.elapsed());
        }
        (self.say)(&format!("bestmove {}", found.as_ref().map_or(self.no_move, |found| &found.mv)));
    }

    /// A line for each of the moves asked for.
    fn inform(&self, info: &Info, elapsed: Duration) {
        let millis = elapsed.as_millis().max(1) as u64;
        let rate = info.nodes * 1000 / millis;
        let full = info.full.map_or(String::new(), |full| format!(" hashfull {full}"));
        let mut lines = Vec::new();
        for (i, line) in info.lines.iter().take(self.lines).enumerate() {
            let number = if self.lines > 1 { format!(" multipv {}", i + 1) } else { String::new() };
            lines.push(format!(
                "info depth {} nodes {} score {} time {millis} nps {rate}{full}{number} pv {}",
                info.depth.max(1),
                info.nodes,
                score(line, self.solved),
                line.pv
            ));
        }
        if !lines.is_empty() {
            (self.say)(&lines.join("\n"));
        }
    }
}

fn score(line: &Line, solved: bool) -> String {
    match (line.proven, line.score) {
        (Some((wdl, plies)), _) if solved => format!("solved {wdl} {plies}"),
        (Some((Wdl::Win, plies)), _) => format!("cp {}", 30_000 - i64::from(plies)),
        (Some((Wdl::Loss, plies)), _) => format!("cp -{}", 30_000 - i64::from(plies)),
        (Some((Wdl::Draw, _)), _) => "cp 0".to_string(),
        (None, SearchScore::Points(points)) => format!("cp {points}"),
        (None, SearchScore::Share(share)) => {
            let share = share.clamp(0.001, 0.999);
            format!("cp {}", (100.0 * (share / (1.0 - share)).ln()).round())
        }
    }
}

/// The next line, whatever bytes it is made of; one that is too long is empty.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST_LINE {
        skip_line(input)?;
        bytes.clear();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_bytes_and_length_are_read() {
        let mut text = b"tei\n\xff\xfe go\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 << 20));
        text.extend(b"\nquit");
        let mut input = &text[..];
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["tei", "\u{fffd}\u{fffd} go", "", "quit"]);
    }
}
