//! Playing in a terminal, or in a pipe.

use crate::cli::Shared;
use crate::commands::{emit_json, player};
use crate::erased::{AnyAgent, AnyGame, MoveValue};
use crate::failure::Failure;
use crate::output::{counted, exact, tell, write_file};
use crate::position::loaded;
use crate::registry::record::{self, Line};
use crate::{VERSION, progress};
use agon_arena::game::Proofs;
use agon_core::scene::Why;
use agon_core::{Ctx, Player, Status, Stop, Wdl};
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Bytes of input looked at at once.
const LONGEST_LINE: u64 = 1 << 16;

const HELP: &str = "\
Type a move, several moves separated by spaces, or one of these commands:
  moves         list the legal moves
                (a move of several parts can be typed part by part: a1, then a2)
  trace         every board from the start to here
  hint          solve, and show what each move is worth (▲ wins, ■ draws, ▼ loses, in how many plies; * best)
  undo, redo    take back a move of yours, or play it again
  new           start a new game
  board POS     continue from another position, like `board start`
  show          draw the board again: [ ] marks the last move, or at the end what decided the game
  save FILE     save the game          load FILE    load one
  help          this text              quit         stop
";

/// A game in progress.
pub struct Session {
    game: Box<dyn AnyGame>,
    from: String,
    /// Moves played, each with the position it led to.
    played: Vec<(String, String)>,
    /// Moves taken back, the next to be replayed last.
    undone: Vec<(String, String)>,
    /// The beginning of a move, typed part by part.
    begun: String,
}

impl Session {
    /// Begins at `from`, with some moves already played.
    pub fn new(game: Box<dyn AnyGame>, from: String, moves: &str) -> Result<Session, Failure> {
        let line = Line::new(game.as_ref(), from, &record::list(game.as_ref(), moves)?)?;
        Ok(Session::at(game, line))
    }

    /// Begins at the end of a line of play.
    #[must_use]
    pub fn at(game: Box<dyn AnyGame>, line: Line) -> Session {
        Session { game, from: line.from, played: line.played, undone: Vec::new(), begun: String::new() }
    }

    /// Reads a game of the same rules: a saved one, one in the family's own notation, or a list of moves.
    pub fn load(game: Box<dyn AnyGame>, text: &str) -> Result<Session, Failure> {
        let line = record::load(game.as_ref(), text)?;
        Ok(Session::at(game, line))
    }

    /// The text that `save` writes, in the family's own notation if it has one.
    #[must_use]
    pub fn file(&self) -> String {
        let moves: Vec<String> = self.moves().into_iter().map(String::from).collect();
        record::write(self.game.as_ref(), &self.from, &moves).0
    }

    fn moves(&self) -> Vec<&str> {
        self.played.iter().map(|(mv, _)| mv.as_str()).collect()
    }

    fn pos(&self) -> &str {
        self.played.last().map_or(&self.from, |(_, pos)| pos)
    }

    fn status(&self) -> Result<Status, Failure> {
        self.game.status(self.pos())
    }

    fn play(&mut self, mv: &str) -> Result<(), Failure> {
        let step = self.game.play(self.pos(), mv)?;
        self.played.push(step);
        self.undone.clear();
        Ok(())
    }

    /// The legal moves that begin with what was typed and have more parts, joined by `-` or `x`.
    fn longer(&self, typed: &str) -> Result<Vec<String>, Failure> {
        let typed = typed.to_ascii_lowercase();
        let continues = |mv: &String| {
            let rest = mv.to_ascii_lowercase().strip_prefix(&typed).map(str::to_string);
            !typed.is_empty() && rest.is_some_and(|rest| rest.starts_with(['-', 'x']))
        };
        Ok(self.game.moves(self.pos())?.into_iter().filter(continues).collect())
    }

    /// Plays a move, or the next part of one that was begun. Returns what can follow if the move is not complete.
    fn play_part(&mut self, word: &str) -> Result<Vec<String>, Failure> {
        let begun = std::mem::take(&mut self.begun);
        let candidates = match begun.as_str() {
            "" => vec![word.to_string()],
            begun => vec![format!("{begun}-{word}"), format!("{begun}x{word}"), word.to_string()],
        };
        for typed in &candidates {
            let legal = self.game.moves(self.pos())?;
            if legal.iter().any(|mv| mv.eq_ignore_ascii_case(typed)) {
                return self.play(typed).map(|()| Vec::new());
            }
            let longer = self.longer(typed)?;
            if !longer.is_empty() {
                let part = |mv: &String| mv[typed.len() + 1..].split(['-', 'x']).next().unwrap_or_default().to_string();
                let mut parts: Vec<String> = longer.iter().map(part).collect();
                parts.dedup();
                self.begun.clone_from(typed);
                return Ok(parts);
            }
        }
        // The error is about the whole move.
        self.play(&candidates[0]).map(|()| Vec::new())
    }

    /// Every board so far, each with the move that led to it.
    fn trace(&self) -> Result<String, Failure> {
        let mut out = format!("start\n{}", self.game.scene(&self.from)?.text());
        for (i, (mv, pos)) in self.played.iter().enumerate() {
            let _ = write!(out, "\n{}. {mv}\n{}", i + 1, self.game.scene(pos)?.text());
        }
        let _ = writeln!(out, "\n{} · {}", counted(self.played.len(), "move"), self.game.status_text(self.pos())?);
        Ok(out)
    }

    /// Takes back moves until `humans` has the turn; false when there is none to take back.
    fn undo(&mut self, humans: [bool; 2]) -> Result<bool, Failure> {
        let before = self.played.len();
        while let Some(step) = self.played.pop() {
            self.undone.push(step);
            if humans[self.game.turn(self.pos())? as usize] {
                return Ok(true);
            }
        }
        // No human turn further back: leave the game as it was.
        while self.played.len() < before {
            self.played.extend(self.undone.pop());
        }
        Ok(false)
    }

    fn redo(&mut self, humans: [bool; 2]) -> Result<bool, Failure> {
        let before = self.undone.len();
        while let Some(step) = self.undone.pop() {
            self.played.push(step);
            if self.undone.is_empty() || humans[self.game.turn(self.pos())? as usize] {
                break;
            }
        }
        Ok(self.undone.len() < before)
    }

    /// The board, the last move marked, whose turn it is.
    fn board(&self) -> Result<String, Failure> {
        let mut scene = self.game.scene(self.pos())?;
        let over = matches!(self.status()?, Status::Over(_));
        if let (Some((mv, _)), false) = (self.played.last(), over) {
            let before = self.played.iter().rev().nth(1).map_or(&self.from, |(_, pos)| pos);
            for place in self.game.path(before, mv)? {
                scene.mark(place, Why::Last, "");
            }
        }
        scene.caption.push(format!("{} · {}", counted(self.played.len(), "move"), self.game.status_text(self.pos())?));
        Ok(format!("\n{}", scene.text()))
    }

    /// The command line that comes back to this point.
    fn resume(&self, players: &Players) -> String {
        let [first, second] = &players.names;
        let mut out = format!("agon play '{}' --first '{first}' --second '{second}'", self.game.spelling());
        let _ = write!(out, " --time {} --seed {}", players.limit.as_secs_f64(), players.seed);
        if self.from != self.game.start() {
            let _ = write!(out, " --from '{}'", self.from);
        }
        if let Some(folder) = &players.table {
            let _ = write!(out, " --table '{}'", folder.display());
        }
        if !self.played.is_empty() {
            let _ = write!(out, " --moves '{}'", self.moves().join(" "));
        }
        out
    }
}

/// The players and their settings.
pub struct Players {
    /// First and second: `human`, or an agent.
    pub names: [String; 2],
    /// The time limit of a solver for a move.
    pub limit: Duration,
    /// Seed of the agents.
    pub seed: u64,
    /// The directory of tables to look values up in, if any.
    pub table: Option<PathBuf>,
    /// A game between two programs is left after that many moves.
    pub most_plies: u32,
}

/// The two sides: a human, or an agent.
type Sides = [Option<Box<dyn AnyAgent>>; 2];

/// Plays until the end of the game or of the input.
pub fn run(session: &mut Session, players: &Players, shared: &Shared) -> Result<(), Failure> {
    let mut sides: Sides = [None, None];
    for (i, name) in players.names.iter().enumerate() {
        if name != "human" {
            // Two streams from one seed, so that equal players do not mirror each other.
            let seed = players.seed.wrapping_mul(2).wrapping_add(i as u64);
            let mut agent = player(session.game.as_ref(), name, seed)?;
            agent.limit(players.limit);
            sides[i] = Some(agent);
        }
    }
    if sides.iter().any(Option::is_some) && shared.seed.is_none() {
        shared.note(&format!("seed {}: --seed {} repeats the players' choices", players.seed, players.seed));
    }
    let resume = Arc::new(Mutex::new(session.resume(players)));
    let say = resume.clone();
    progress::farewell(move || {
        let command = say.lock().map(|text| text.clone()).unwrap_or_default();
        tell(&format!("interrupted; to continue: {command}"));
    });
    // With --json the board goes to standard error and standard output carries the answer alone.
    let mut out: Box<dyn Write> = if shared.json { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
    let mut table = Table::new(session, sides, &mut out, shared.quiet, players, resume);
    let done = table.run(&mut std::io::stdin().lock());
    let (proofs, left) = (table.proofs, table.left);
    match done {
        Err(Failure::Closed) | Ok(()) => {}
        Err(other) => return Err(other),
    }
    if shared.json {
        emit_json(&json!({
            "agon": VERSION, "game": session.game.spelling(), "from": session.from, "moves": session.moves(),
            "position": session.pos(), "status": session.game.status_text(session.pos())?,
            "over": matches!(session.status()?, Status::Over(_)), "winner": session.game.winner(session.pos())?,
            "players": players.names, "seed": exact(&players.seed.into()), "rng": agon_core::Rng::NAME,
            "proofs": proofs.map(|proofs| proofs.promised().map(|p| json!({"proven": p.proven, "unproven": p.unproven}))),
            "left": left,
        }))?;
    }
    Ok(())
}

struct Table<'a> {
    session: &'a mut Session,
    sides: Sides,
    out: &'a mut dyn Write,
    quiet: bool,
    players: &'a Players,
    resume: Arc<Mutex<String>>,
    /// Proven and unproven moves of each side.
    proofs: [Proofs; 2],
    /// The reason why a game between two programs was adjudicated: `repetition` or `too long`.
    left: Option<&'static str>,
    /// The number of occurrences of each position since two programs began to play.
    seen: HashMap<String, u32>,
}

/// The next step after a line of input.
enum Next {
    Go,
    Ask,
    Quit,
}

impl<'a> Table<'a> {
    fn new(
        session: &'a mut Session,
        sides: Sides,
        out: &'a mut dyn Write,
        quiet: bool,
        players: &'a Players,
        resume: Arc<Mutex<String>>,
    ) -> Table<'a> {
        let (proofs, seen) = ([Proofs::default(); 2], HashMap::new());
        Table { session, sides, out, quiet, players, resume, proofs, left: None, seen }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("cannot write: {error}")),
        })
    }

    /// Surroundings for one answer of a solver.
    fn ctx(&self) -> Ctx {
        progress::context(1, self.quiet).within(self.players.limit)
    }

    /// The move of the agent that plays `side`.
    fn agent_move(&mut self, side: Player) -> Result<Option<String>, Failure> {
        let ctx = self.ctx();
        let Some(agent) = &mut self.sides[side as usize] else { return Ok(None) };
        let choice = agent.choose(self.session.pos(), &ctx)?;
        self.session.play(&choice.mv)?;
        self.proofs[side as usize].add(choice.proof);
        let (name, agent) = (self.session.game.player_name(side), &self.players.names[side as usize]);
        let unproven = if choice.proof == Some(false) { ", not proven: its search found it" } else { "" };
        Ok(Some(format!("\n{name} ({agent}) plays {}{unproven}\n", choice.mv)))
    }

    /// Adjudicates a game between two programs that repeats or is too long, with a message; returns whether it did.
    fn goes_nowhere(&mut self) -> Result<bool, Failure> {
        let times = self.seen.entry(self.session.pos().to_string()).or_default();
        *times += 1;
        let why = if *times >= 3 {
            self.left = Some("repetition");
            "the same position for the third time".to_string()
        } else if self.session.played.len() >= self.players.most_plies as usize {
            self.left = Some("too long");
            format!("{} without an end", counted(self.session.played.len(), "move"))
        } else {
            return Ok(false);
        };
        self.say(&format!("\n{why}: the game is left as a draw\n"))?;
        Ok(true)
    }

    /// The number of proven moves of each side whose player proves moves.
    fn say_proofs(&mut self) -> Result<(), Failure> {
        for side in Player::BOTH {
            if let Some(proofs) = self.proofs[side as usize].promised() {
                let (name, agent) = (self.session.game.player_name(side), &self.players.names[side as usize]);
                self.say(&format!("{name} ({agent}): {}\n", proofs.text()))?;
            }
        }
        Ok(())
    }

    fn humans(&self) -> [bool; 2] {
        [self.sides[0].is_none(), self.sides[1].is_none()]
    }

    fn run(&mut self, input: &mut dyn BufRead) -> Result<(), Failure> {
        let humans = self.humans();
        if humans.contains(&true) {
            self.say(&format!("{} — type `help` for the commands\n", self.session.game.spelling()))?;
        }
        self.say(&self.session.board()?)?;
        loop {
            if let Ok(mut text) = self.resume.lock() {
                *text = self.session.resume(self.players);
            }
            let over = matches!(self.session.status()?, Status::Over(_));
            let side = self.session.game.turn(self.session.pos())?;
            if !humans.contains(&true) && (over || self.goes_nowhere()?) {
                return self.say_proofs();
            }
            if !over && let Some(said) = self.agent_move(side)? {
                self.say(&format!("{said}{}", self.session.board()?))?;
                continue;
            }
            match self.ask(input, side, over)? {
                Next::Go => self.say(&self.session.board()?)?,
                Next::Ask => {}
                Next::Quit => return self.say_proofs(),
            }
        }
    }

    fn ask(&mut self, input: &mut dyn BufRead, side: Player, over: bool) -> Result<Next, Failure> {
        let prompt = if over { "over: undo, new, save, quit".to_string() } else { self.session.game.player_name(side) };
        self.say(&format!("{prompt}> "))?;
        let mut bytes = Vec::new();
        let read = std::io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
        if read == 0 {
            self.say("\n")?;
            return Ok(Next::Quit);
        }
        let line = String::from_utf8_lossy(&bytes);
        match self.obey(line.trim(), over) {
            // Wrong input is reported, and the question is repeated.
            Err(failure) if failure != Failure::Closed && failure.stop() != Some(Stop::Interrupted) => {
                self.say(&format!("{failure}\n"))?;
                Ok(Next::Ask)
            }
            next => next,
        }
    }

    fn obey(&mut self, line: &str, over: bool) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let needs_file = || Failure::Usage(format!("{word} needs a file name, like `{word} game.txt`"));
        match word.as_str() {
            "" => return Ok(Next::Ask),
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            "help" | "?" => self.say(HELP)?,
            "moves" => {
                let moves = self.session.game.moves(self.session.pos())?;
                self.say(&format!("{}\n", if moves.is_empty() { "the play is over".into() } else { moves.join(" ") }))?;
            }
            "trace" => {
                let trace = self.session.trace()?;
                self.say(&trace)?;
            }
            "hint" if over => self.say("the play is over\n")?,
            "hint" => self.hint()?,
            "show" => return Ok(Next::Go),
            "board" if rest.is_empty() => return Ok(Next::Go),
            "new" => return self.begin_at(&self.session.game.start()),
            "undo" => {
                if self.session.undo(self.humans())? {
                    return Ok(Next::Go);
                }
                self.say("there is nothing to take back\n")?;
            }
            "redo" => {
                if self.session.redo(self.humans())? {
                    return Ok(Next::Go);
                }
                self.say("there is nothing to play again\n")?;
            }
            "board" => return self.begin_at(rest),
            "save" | "load" if rest.is_empty() => return Err(needs_file()),
            "save" => {
                write_file(Path::new(rest), self.session.file().as_bytes())?;
                self.say(&format!("saved to {rest}\n"))?;
            }
            "load" => {
                let (_, line) = loaded(self.session.game.as_ref(), Path::new(rest))?;
                *self.session = Session::at(self.session.game.duplicate(), line);
                return Ok(Next::Go);
            }
            _ => return self.moves(line),
        }
        Ok(Next::Ask)
    }

    /// Leaves the game and begins another at `pos`.
    fn begin_at(&mut self, pos: &str) -> Result<Next, Failure> {
        self.session.from = self.session.game.position(pos)?;
        self.session.played.clear();
        self.session.undone.clear();
        Ok(Next::Go)
    }

    /// Plays the moves typed. When the other side is an agent it answers between them.
    fn moves(&mut self, line: &str) -> Result<Next, Failure> {
        let words = self.session.game.split_moves(line);
        for (i, mv) in words.iter().enumerate() {
            let side = self.session.game.turn(self.session.pos())?;
            if matches!(self.session.status()?, Status::Turn(_))
                && let Some(said) = self.agent_move(side)?
            {
                self.say(&said)?;
            }
            match self.session.play_part(mv) {
                Ok(parts) if !parts.is_empty() && i + 1 == words.len() => {
                    let begun = self.session.begun.clone();
                    self.say(&format!("{begun}, and then? {}\n", parts.join(" ")))?;
                    return Ok(if i == 0 { Next::Ask } else { Next::Go });
                }
                Ok(_) => {}
                Err(Failure::Usage(why)) if i == 0 => {
                    return Err(Failure::Usage(format!("{why} (`help` lists the commands)")));
                }
                // The moves before it were played: say so, and show the position.
                Err(Failure::Usage(why)) => {
                    self.say(&format!("the first {i} played; {why}\n"))?;
                    return Ok(Next::Go);
                }
                Err(other) => return Err(other),
            }
        }
        Ok(Next::Go)
    }

    /// Every move with its worth, the best first.
    fn hint(&mut self) -> Result<(), Failure> {
        let limit = self.players.limit.as_secs_f64();
        let mut values =
            self.session.game.values(self.session.pos(), &self.ctx()).map_err(|failure| match failure {
                Failure::Stopped(Stop::Time) => {
                    Failure::Failed(format!("no proof within {limit} s; allow more with --time"))
                }
                other => other,
            })?;
        values.sort_by_key(|v| std::cmp::Reverse(v.preference()));
        let open = self.session.game.moves(self.session.pos())?.len() - values.len();
        // With moves left open, only a win is surely best.
        let best = values.first().filter(|v| open == 0 || v.value == Wdl::Win).map(MoveValue::preference);
        let mut text = String::new();
        for v in &values {
            let plies = v.plies.map_or(String::new(), |n| format!(" in {n} {}", if n == 1 { "ply" } else { "plies" }));
            let star = if Some(v.preference()) == best { "*" } else { " " };
            let verb = match v.value {
                Wdl::Win => "wins",
                Wdl::Draw => "draws",
                Wdl::Loss => "loses",
            };
            let _ = writeln!(text, "{star} {:<6} {:<4} {verb}{plies}", v.mv, v.sign());
        }
        if open > 0 {
            let of = if values.is_empty() { "the" } else { "the other" };
            let _ = writeln!(text, "  nothing is proven of {of} {} within {limit} s", counted(open, "move"));
        }
        self.say(&text)
    }
}

#[cfg(test)]
mod tests;
