//! Tak on the terms of the Tak Engine Interface.

use super::session::{Board, Found, Info, Limits, Line, Search};
use agon_core::{Ctx, Game, Notation, Status, Value};
use agon_games::tak::{Move, Position, Tak};
use agon_play::mcts::{self, Mcts};
use agon_play::negamax::{self, Negamax};
use agon_play::{Agent, Evaluate, Playouts, Score, Thought};
use agon_report::SearchScore;

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
pub(super) enum Player {
    Negamax(Box<Negamax>),
    Mcts(Box<Mcts<Tak>>),
}

impl Player {
    fn new(options: &Options) -> Player {
        let memory = options.hash << 20;
        if options.mcts {
            let playouts = Playouts { weights: Some(Tak::default_weights()), ..Playouts::default() };
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
        let limits = agon_play::Limits { nodes: limits.nodes, depth: limits.depth };
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

    /// Thousandths of the table in use.
    fn filled(&self) -> Option<u32> {
        match self {
            Player::Negamax(agent) => Some(agent.filled()),
            Player::Mcts(_) => None,
        }
    }
}

/// A board of Tak.
pub(super) struct TakBoard {
    options: Options,
    size: usize,
    draft: bool,
    game: Tak,
    pos: Position,
}

impl TakBoard {
    pub(super) fn new() -> TakBoard {
        let game = Tak::new(6, 6);
        let options = Options { half_komi: 0, hash: 64, threads: 1, lines: 1, mcts: false };
        TakBoard { options, size: 6, draft: false, pos: game.start(), game }
    }

    /// The rules as the options and the size say; the position stays if it is of that size.
    fn rebuild(&mut self) {
        let game = Tak::new(self.size, self.size).with_half_komi(self.options.half_komi);
        let text = self.game.show(&self.pos);
        self.pos = game.parse(&text).unwrap_or_else(|_| game.start());
        self.game = game;
    }
}

impl Board for TakBoard {
    type Player = Player;

    fn introduction(&self) -> String {
        format!("{OPTIONS}\nsize 3 4 5 6 7 8 halfkomi 0 1 2 3 4 5 6 7 8 9 10 11 12\nteiok")
    }

    fn set(&mut self, name: &str, value: &str) -> bool {
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
        if known.is_some() {
            self.rebuild();
        }
        known.is_some()
    }

    fn begin(&mut self, size: Option<usize>, half_komi: Option<i32>, draft: bool) -> Result<(), String> {
        self.draft = draft;
        let size = size.unwrap_or(self.size);
        let half_komi = half_komi.unwrap_or(self.options.half_komi);
        if !(3..=8).contains(&size) || !(-100..=100).contains(&half_komi) {
            return Err(format!("no game of size {size} with half komi {half_komi}: sizes are 3 to 8"));
        }
        (self.size, self.options.half_komi) = (size, half_komi);
        self.rebuild();
        self.pos = self.game.start();
        Ok(())
    }

    fn place(&mut self, tps: Option<&str>, moves: &[String]) -> Result<(), String> {
        let rows = tps.map_or(self.size, |tps| tps.split(' ').next().unwrap_or("").matches('/').count() + 1);
        if !(3..=8).contains(&rows) {
            return Err(format!("a board has 3 to 8 rows, not {rows}"));
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
        (self.game, self.pos, self.size) = (game.clone(), played.map_err(|error| error.to_string())?, rows);
        Ok(())
    }

    fn status(&self) -> Status {
        self.game.outcome(&self.pos).map_or_else(|| Status::Turn(self.game.turn(&self.pos)), Status::Over)
    }

    fn no_move(&self) -> &'static str {
        "--"
    }

    fn error(&self, why: &str) -> Option<String> {
        self.draft.then(|| format!("info error {why}"))
    }

    fn says_solved(&self) -> bool {
        self.draft
    }

    fn lines(&self) -> usize {
        self.options.lines
    }

    fn player(&self) -> Result<Player, String> {
        Ok(Player::new(&self.options))
    }

    fn search(&self, limits: Limits) -> Search<Player> {
        let (game, pos) = (self.game.clone(), self.pos.clone());
        Box::new(move |player: &mut Player, ctx: &Ctx, tell: &mut dyn FnMut(Info)| {
            let mut each = |thought: &Thought<Move>| tell(info(&game, &pos, thought, None));
            let thought = player.limited(limits).think(&game, &pos, ctx, &mut each).ok()?;
            let info = info(&game, &pos, &thought, player.filled());
            Some(Found { mv: game.show_move(&pos, thought.mv), info })
        })
    }
}

fn info(game: &Tak, pos: &Position, thought: &Thought<Move>, full: Option<u32>) -> Info {
    let seen = |score: Score| match score {
        Score::Points(points) => SearchScore::Points(points),
        Score::Share(share) => SearchScore::Share(share),
    };
    let proven = |value: Value| (value.wdl(), value.plies().unwrap_or(0));
    let lines = thought.alternatives.iter().map(|other| Line {
        score: seen(other.score),
        proven: other.proven.map(proven),
        pv: game.show_line(pos, &other.pv).0.join(" "),
    });
    Info { depth: thought.depth, nodes: thought.nodes, full, lines: lines.collect() }
}
