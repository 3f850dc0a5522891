//! The state of the engine. One search at most is running, in a thread of its own.

use super::request::{Go, Request};
use crate::VERSION;
use agon_core::{Ctx, Game, Notation, Value, Wdl};
use agon_games::tak::{Position, Tak};
use agon_play::mcts::{self, Mcts};
use agon_play::negamax::{self, Negamax};
use agon_play::{Agent, Evaluate, Limits, Playouts, Score, Thought};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The output for lines of the protocol.
pub type Say = Box<dyn Fn(&str) + Send + Sync>;

/// The options of the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Options {
    half_komi: i32,
    /// MiB.
    hash: usize,
    threads: usize,
    lines: usize,
    mcts: bool,
}

const OPTIONS: &str = "\
option name HalfKomi type spin default 0 min 0 max 12
option name Hash type spin default 64 min 1 max 65536
option name Threads type spin default 1 min 1 max 64
option name MultiPV type spin default 1 min 1 max 64
option name Player type combo default negamax var negamax var mcts";

/// The player that searches.
enum Player {
    Negamax(Box<Negamax>),
    Mcts(Box<Mcts<Tak>>),
}

impl Player {
    fn new(options: &Options) -> Player {
        let memory = options.hash << 20;
        if options.mcts {
            let playouts = Playouts { weights: Some(Tak::default_weights()), cut: None };
            let settings = mcts::Settings { playouts, memory, threads: options.threads, ..mcts::Settings::default() };
            return Player::Mcts(Box::new(Mcts::new(settings, 1)));
        }
        let settings = negamax::Settings {
            memory,
            threads: options.threads,
            lines: options.lines,
            ..negamax::Settings::default()
        };
        Player::Negamax(Box::new(Negamax::new(settings)))
    }

    fn limited(&mut self, limits: Limits) -> &mut dyn Agent<Tak> {
        match self {
            Player::Negamax(agent) => {
                agent.limit(limits);
                agent.as_mut()
            }
            Player::Mcts(agent) => {
                agent.limit(limits);
                agent.as_mut()
            }
        }
    }
}

/// A search in its thread.
struct Running {
    stop: Arc<AtomicBool>,
    /// True if the search ends without `stop`.
    limited: bool,
    thread: JoinHandle<Player>,
}

/// The engine.
pub(super) struct Engine {
    say: Arc<Say>,
    /// Receives messages about what cannot be done: the common dialect has no message for it.
    complain: Say,
    options: Options,
    size: usize,
    draft: bool,
    game: Tak,
    pos: Position,
    player: Option<Player>,
    running: Option<Running>,
}

impl Engine {
    pub(super) fn new(say: Say, complain: Say) -> Engine {
        let game = Tak::new(6, 6);
        let options = Options { half_komi: 0, hash: 64, threads: 1, lines: 1, mcts: false };
        let pos = game.start();
        let say = Arc::new(say);
        Engine { say, complain, options, size: 6, draft: false, game, pos, player: None, running: None }
    }

    pub(super) fn answer(&mut self, request: Request) {
        match request {
            Request::Hello => self.hello(),
            Request::Ready => (self.say)("readyok"),
            Request::Option(name, value) => self.set(&name, &value),
            Request::NewGame(size, half_komi, draft) => self.new_game(size, half_komi, draft),
            Request::Position(tps, moves) => self.position(tps.as_deref(), &moves),
            Request::Go(go) => self.go(&go),
            Request::Stop => self.stop(),
            Request::Quit | Request::Unknown => {}
        }
    }

    fn hello(&self) {
        let sizes = "size 3 4 5 6 7 8 halfkomi 0 1 2 3 4 5 6 7 8 9 10 11 12";
        let who = format!("id name agon {VERSION}\nid author the agon project\nid version {VERSION}");
        (self.say)(&format!("{who}\n{OPTIONS}\n{sizes}\nteiok"));
    }

    /// Something was asked that cannot be.
    fn refuse(&self, why: &str) {
        (self.complain)(why);
        if self.draft {
            (self.say)(&format!("info error {why}"));
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        self.stop();
        let number = |least: i64, most: i64| value.parse::<i64>().ok().filter(|n| (least..=most).contains(n));
        let known = match name {
            "halfkomi" => number(0, 12).map(|n| self.options.half_komi = n as i32),
            "hash" => number(1, 65536).map(|n| self.options.hash = n as usize),
            "threads" => number(1, 64).map(|n| self.options.threads = n as usize),
            "multipv" => number(1, 64).map(|n| self.options.lines = n as usize),
            "player" if value.eq_ignore_ascii_case("negamax") || value.eq_ignore_ascii_case("mcts") => {
                self.options.mcts = value.eq_ignore_ascii_case("mcts");
                Some(())
            }
            _ => None,
        };
        if known.is_none() {
            let (name, value) = (agon_core::family::shorten(name), agon_core::family::shorten(value));
            return self.refuse(&format!("option `{name}` cannot be `{value}`"));
        }
        self.player = None;
        self.rebuild();
    }

    /// The rules as the options and the size say; the position stays if it is of that size.
    fn rebuild(&mut self) {
        let game = Tak::new(self.size, self.size).with_half_komi(self.options.half_komi);
        let text = self.game.show(&self.pos);
        self.pos = game.parse(&text).unwrap_or_else(|_| game.start());
        self.game = game;
    }

    fn new_game(&mut self, size: Option<usize>, half_komi: Option<i32>, draft: bool) {
        self.stop();
        self.draft = draft;
        let size = size.unwrap_or(self.size);
        let half_komi = half_komi.unwrap_or(self.options.half_komi);
        if !(3..=8).contains(&size) || !(-100..=100).contains(&half_komi) {
            return self.refuse(&format!("no game of size {size} with half komi {half_komi}: sizes are 3 to 8"));
        }
        (self.size, self.options.half_komi) = (size, half_komi);
        self.player = None;
        self.rebuild();
        self.pos = self.game.start();
    }

    /// Sets the position; if anything is wrong with it, the old one stays.
    fn position(&mut self, tps: Option<&str>, moves: &[String]) {
        self.stop();
        let rows = tps.map_or(self.size, |tps| tps.split(' ').next().unwrap_or("").matches('/').count() + 1);
        if !(3..=8).contains(&rows) {
            return self.refuse(&format!("a board has 3 to 8 rows, not {rows}"));
        }
        let game = Tak::new(rows, rows).with_half_komi(self.options.half_komi);
        let start = tps.map_or_else(|| Ok(game.start()), |tps| game.parse(tps));
        let played = start.and_then(|mut pos| {
            for mv in moves {
                let mv = game.parse_move(&pos, mv)?;
                game.play(&mut pos, mv);
            }
            Ok(pos)
        });
        match played {
            Ok(pos) => (self.game, self.pos, self.size) = (game, pos, rows),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    fn go(&mut self, go: &Go) {
        self.stop();
        if self.game.outcome(&self.pos).is_some() {
            return (self.say)("bestmove --");
        }
        let mut player = self.player.take().unwrap_or_else(|| Player::new(&self.options));
        let stop = Arc::new(AtomicBool::new(false));
        // `go infinite` waits for `stop` whatever else it says, and nobody says `stop` after the end of the input.
        let limited = go.is_limited() && !go.infinite;
        let job = Job {
            game: self.game.clone(),
            pos: self.pos.clone(),
            time: go.time(self.game.turn(&self.pos) as usize),
            limits: Limits { nodes: go.nodes.map(|n| n.max(1)), depth: go.depth.map(|d| d.max(1)) },
            wait: go.infinite,
            lines: self.options.lines,
            draft: self.draft,
            stop: stop.clone(),
            say: self.say.clone(),
        };
        let thread = std::thread::spawn(move || {
            job.run(&mut player);
            player
        });
        self.running = Some(Running { stop, limited, thread });
    }

    /// Stops the search, if there is one; it says its move.
    pub(super) fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
            self.player = running.thread.join().ok();
        }
    }

    /// Waits for the search, if it ends by itself.
    pub(super) fn finish(&mut self) {
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
    game: Tak,
    pos: Position,
    time: Option<Duration>,
    limits: Limits,
    /// True if to print nothing before `stop`.
    wait: bool,
    lines: usize,
    draft: bool,
    stop: Arc<AtomicBool>,
    say: Arc<Say>,
}

impl Job {
    fn run(&self, player: &mut Player) {
        let begun = Instant::now();
        let ctx = Ctx::default().with_cancel(self.stop.clone());
        let ctx = self.time.map_or(ctx.clone(), |time| ctx.within(time));
        let mut tell = |thought: &Thought<_>| self.inform(thought, begun.elapsed(), None);
        let thought = player.limited(self.limits).think(&self.game, &self.pos, &ctx, &mut tell);
        let full = match player {
            Player::Negamax(agent) => Some(agent.filled()),
            Player::Mcts(_) => None,
        };
        while self.wait && !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        match thought {
            Ok(thought) => {
                self.inform(&thought, begun.elapsed(), full);
                (self.say)(&format!("bestmove {}", self.game.show_move(&self.pos, thought.mv)));
            }
            Err(_) => (self.say)("bestmove --"),
        }
    }

    /// A line for each of the moves asked for, with thousandths of the table in use where that is known.
    fn inform(&self, thought: &Thought<agon_games::tak::Move>, elapsed: Duration, full: Option<u32>) {
        let millis = elapsed.as_millis().max(1) as u64;
        let rate = thought.nodes * 1000 / millis;
        let full = full.map_or(String::new(), |full| format!(" hashfull {full}"));
        let mut lines = Vec::new();
        for (i, other) in thought.alternatives.iter().take(self.lines).enumerate() {
            let number = if self.lines > 1 { format!(" multipv {}", i + 1) } else { String::new() };
            lines.push(format!(
                "info depth {} nodes {} score {} time {millis} nps {rate}{full}{number} pv {}",
                thought.depth.max(1),
                thought.nodes,
                self.score(other.score, other.proven),
                self.line(&other.pv)
            ));
        }
        if !lines.is_empty() {
            (self.say)(&lines.join("\n"));
        }
    }

    fn score(&self, score: Score, proven: Option<Value>) -> String {
        let plies = proven.and_then(Value::plies).unwrap_or(0);
        match (proven.map(Value::wdl), score) {
            (Some(wdl), _) if self.draft => format!("solved {wdl} {plies}"),
            (Some(Wdl::Win), _) => format!("cp {}", 30_000 - plies),
            (Some(Wdl::Loss), _) => format!("cp -{}", 30_000 - plies),
            (Some(Wdl::Draw), _) => "cp 0".to_string(),
            (None, Score::Points(points)) => format!("cp {points}"),
            (None, Score::Share(share)) => {
                let share = share.clamp(0.001, 0.999);
                format!("cp {}", (100.0 * (share / (1.0 - share)).ln()).round())
            }
        }
    }

    fn line(&self, moves: &[agon_games::tak::Move]) -> String {
        self.game.show_line(&self.pos, moves).0.join(" ")
    }
}
