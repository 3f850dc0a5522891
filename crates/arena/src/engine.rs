//! External engines: `engine:COMMAND` speaks the Universal Game Interface (UGI) in any game, and `tei:COMMAND` its dialect
//! for Tak, the Tak Engine Interface.
//!
//! No engine can block the tournament: one thread writes to it, one thread reads from it, and the table waits no longer
//! than the limit. An engine belongs to a process group that is killed as a whole; a guard process leads the group and
//! kills it if agon itself is killed.

use super::group::Group;
use super::seat::{Board, Forfeit, GRACE, NoMove};
use agon_core::Ctx;
use agon_core::family::shorten;
use agon_registry::erased::{AnyGame, TeiTerms};
use agon_report::failure::Failure;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

/// The most bytes of a line.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// The most lines that an engine may write before an answer.
const MAX_LINES: u32 = 1_000_000;
/// The number of unread lines after which the engine has to wait.
const LINE_BUFFER: usize = 256;
/// The time between two checks for an interruption.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The time that an engine has to end after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(200);

/// The longest limit.
const MAX_LIMIT: Duration = Duration::from_secs(1 << 30);
/// The number of consecutive failed starts after which agon gives up.
const MAX_FAILED_STARTS: u32 = 3;

/// The dialect that an engine speaks, and what it needs to know about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Dialect {
    /// UGI: the spelling of the game, for engines that offer the option `Game`.
    Ugi { game: String },
    /// TEI: the size of the board and the komi.
    Tei(TeiTerms),
}

/// The kinds of players that are programs: the words before their command.
const KINDS: [&str; 2] = ["engine:", "tei:"];

/// The command of a player that is a program of its own.
#[must_use]
pub fn program(player: &str) -> Option<&str> {
    KINDS.iter().find_map(|kind| player.strip_prefix(kind))
}

/// An engine: how to start it, and the process while it runs.
pub struct Engine {
    words: Vec<String>,
    dialect: Dialect,
    /// The start position of the game.
    start: String,
    limit: Duration,
    start_limit: Duration,
    ctx: Ctx,
    failed_starts: u32,
    running: Option<Process>,
}

impl Engine {
    /// Creates an engine from the spelling of a player and starts the process, so that a wrong command is refused.
    pub fn new(
        game: &dyn AnyGame,
        player: &str,
        limit: Duration,
        start_limit: Duration,
        ctx: &Ctx,
    ) -> Result<Engine, Failure> {
        let wrong = |why: &str| Failure::Usage(format!("invalid player `{}`: {why}", shorten(player)));
        let command = program(player).ok_or_else(|| wrong("expected engine:COMMAND or tei:COMMAND"))?;
        let words = split_words(command).ok_or_else(|| wrong("a quotation mark is not closed"))?;
        if words.is_empty() {
            return Err(wrong("expected a command after the colon"));
        }
        let no_terms =
            || wrong(&format!("TEI engines play tak:3 to tak:8, with or without komi, but not {}", game.spelling()));
        let dialect = match player.starts_with("tei:") {
            true => Dialect::Tei(game.tei_terms().ok_or_else(no_terms)?),
            false => Dialect::Ugi { game: game.spelling().to_string() },
        };
        let start = game.start();
        let ctx = ctx.clone();
        let mut engine = Engine { words, dialect, start, limit, start_limit, ctx, failed_starts: 0, running: None };
        engine.running = Some(engine.spawn().map_err(|error| wrong(&format!("cannot start it: {error}")))?);
        Ok(engine)
    }

    fn spawn(&self) -> std::io::Result<Process> {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let group = Group::new()?;
        let mut child = group.spawn(&mut command)?;
        let (commands, queued) = channel::<String>();
        let (send, lines) = sync_channel(LINE_BUFFER);
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            std::thread::spawn(move || {
                // The loop ends when the sender is dropped or the engine closes its input.
                while let Ok(line) = queued.recv() {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        return;
                    }
                }
            });
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                while let Some(line) = read_line(&mut stdout) {
                    let last = matches!(line, EngineLine::TooLong);
                    if send.send(line).is_err() || last {
                        return;
                    }
                }
            });
        }
        Ok(Process { child, group, commands, lines, ctx: self.ctx.clone(), greeted: false })
    }

    /// Starts a new game, and the process if need be.
    pub fn begin(&mut self) -> Result<(), NoMove> {
        if self.failed_starts >= MAX_FAILED_STARTS {
            return Err(Forfeit::new("no start", format!("{MAX_FAILED_STARTS} starts failed")).into());
        }
        match self.prepare() {
            Ok(()) => {
                self.failed_starts = 0;
                Ok(())
            }
            Err(other @ (NoMove::Stopped | NoMove::Damaged(_))) => Err(other),
            Err(NoMove::Forfeit(forfeit)) => {
                self.running = None;
                self.failed_starts += 1;
                Err(Forfeit::new("no start", forfeit.note).into())
            }
        }
    }

    fn prepare(&mut self) -> Result<(), NoMove> {
        let end = Instant::now() + self.start_limit.min(MAX_LIMIT);
        if self.running.is_none() {
            let process = self.spawn().map_err(|error| Forfeit::new("no start", error.to_string()))?;
            self.running = Some(process);
        }
        let Some(process) = &mut self.running else { return Ok(()) };
        if !process.greeted {
            process.greet(&self.dialect, end)?;
        }
        match &self.dialect {
            Dialect::Ugi { .. } => process.send("uginewgame\nisready"),
            Dialect::Tei(terms) => process.send(&format!("teinewgame {}\nisready", terms.size)),
        }
        process.until(end, |line| (line == "readyok").then_some(()))
    }

    /// Asks the engine for a move.
    pub fn choose(&mut self, board: &Board) -> Result<String, NoMove> {
        let gone = || Forfeit::new("crash", "the engine has ended");
        let process = self.running.as_mut().ok_or_else(gone)?;
        let from = match &self.dialect {
            _ if board.from == self.start => "startpos".to_string(),
            Dialect::Ugi { .. } => format!("fen {}", board.from),
            Dialect::Tei(_) => format!("tps {}", tps(board.from)),
        };
        while process.lines.try_recv().is_ok() {}
        let moves = board.moves.join(" ");
        process.send(&format!("position {from} moves {moves}\ngo movetime {}", self.limit.as_millis()));
        let answer = process.until(Instant::now() + self.limit.min(MAX_LIMIT) + GRACE, |line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("bestmove")).then(|| words.next().unwrap_or("").to_string())
        });
        if answer.is_err() {
            self.running = None;
        }
        answer
    }

    /// Ends the process after an illegal move; the next game starts a new one.
    pub fn restart(&mut self) {
        self.running = None;
    }
}

/// A line that an engine wrote.
enum EngineLine {
    Line(String),
    TooLong,
}

struct Process {
    child: Child,
    group: Group,
    commands: Sender<String>,
    lines: Receiver<EngineLine>,
    ctx: Ctx,
    /// True if it has answered `ugiok` or `teiok`.
    greeted: bool,
}

impl Process {
    /// Sends a command. Errors are ignored: an engine that cannot read will not answer either.
    fn send(&self, text: &str) {
        let _ = self.commands.send(format!("{text}\n"));
    }

    fn greet(&mut self, dialect: &Dialect, end: Instant) -> Result<(), NoMove> {
        match dialect {
            Dialect::Ugi { game } => self.greet_in_ugi(game, end)?,
            Dialect::Tei(terms) => self.greet_in_tei(terms.half_komi, end)?,
        }
        self.greeted = true;
        Ok(())
    }

    fn greet_in_ugi(&mut self, game: &str, end: Instant) -> Result<(), NoMove> {
        self.send("ugi");
        let mut chooses = false;
        self.until(end, |line| {
            let words: Vec<&str> = line.split_whitespace().take(3).collect();
            chooses |= matches!(words[..], ["option", "name", name] if name.eq_ignore_ascii_case("game"));
            (line == "ugiok").then_some(())
        })?;
        if chooses {
            self.send(&format!("setoption name Game value {game}"));
        }
        Ok(())
    }

    fn greet_in_tei(&mut self, half_komi: i64, end: Instant) -> Result<(), NoMove> {
        self.send("tei");
        let mut offered = None;
        self.until(end, |line| {
            if let Some((name, default)) = spin_default(line)
                && name.eq_ignore_ascii_case("halfkomi")
            {
                offered = Some(default);
            }
            (line == "teiok").then_some(())
        })?;
        match offered {
            None if half_komi != 0 => return Err(Forfeit::new("no start", "it has no option HalfKomi").into()),
            Some(default) if default != half_komi => {
                self.send(&format!("setoption name HalfKomi value {half_komi}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads lines until `wanted` accepts one.
    fn until<T>(&self, end: Instant, mut wanted: impl FnMut(&str) -> Option<T>) -> Result<T, NoMove> {
        for _ in 0..MAX_LINES {
            match self.next(end)? {
                EngineLine::TooLong => return Err(Forfeit::new("flood", "a line of more than 64 KiB").into()),
                EngineLine::Line(line) => {
                    if let Some(found) = wanted(line.trim()) {
                        return Ok(found);
                    }
                }
            }
        }
        Err(Forfeit::new("flood", format!("more than {MAX_LINES} lines without an answer")).into())
    }

    fn next(&self, end: Instant) -> Result<EngineLine, NoMove> {
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if self.ctx.check().is_err() {
                return Err(NoMove::Stopped);
            }
            if left.is_zero() {
                return Err(Forfeit::new("time", "no answer within the time limit").into());
            }
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Forfeit::new("crash", "the engine ended").into()),
            }
        }
    }
}

impl Drop for Process {
    /// Sends `quit`, waits briefly, then kills the whole group.
    fn drop(&mut self) {
        self.send("quit");
        let end = Instant::now() + QUIT_TIME;
        while let Ok(EngineLine::Line(_)) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if Instant::now() >= end {
                break;
            }
        }
        self.group.kill();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the next line; `None` at the end.
fn read_line(from: &mut impl BufRead) -> Option<EngineLine> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes).ok()?;
    if read == 0 {
        None
    } else if read as u64 == MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
        Some(EngineLine::TooLong)
    } else {
        Some(EngineLine::Line(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// The name and the default of a numeric option.
fn spin_default(line: &str) -> Option<(&str, i64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", name, ..] = words[..] else { return None };
    let at = words.iter().position(|word| *word == "default")?;
    Some((name, words.get(at + 1)?.parse().ok()?))
}

/// A position as the three fields of TPS.
fn tps(pos: &str) -> String {
    pos.split(['_', ' ']).take(3).collect::<Vec<_>>().join(" ")
}

/// Splits a command line into words; single and double quotation marks are understood.
fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_fall_into_words() {
        let words = |text: &str| split_words(text).unwrap_or_default().join("|");
        assert_eq!(words("./engine --depth 3"), "./engine|--depth|3");
        assert_eq!(words(r#"'a b'/c "d e" f''g """#), "a b/c|d e|fg|");
        assert_eq!(split_words("engine 'open"), None);
        assert_eq!(words("   "), "");
    }

    #[test]
    fn players_that_are_programs() {
        assert_eq!(program("engine:./e --x"), Some("./e --x"));
        assert_eq!(program("tei:./e"), Some("./e"));
        assert_eq!(program("perfect"), None);
    }

    #[test]
    fn terms_of_a_game() {
        let terms = |spelling| agon_registry::standard().game(spelling).unwrap().tei_terms();
        assert_eq!(terms("tak:5"), Some(TeiTerms { size: 5, half_komi: 0 }));
        assert_eq!(terms("tak:6,komi=2.5"), Some(TeiTerms { size: 6, half_komi: 5 }));
        for other in ["tak:5x4", "tak:5,opening=noswap", "tak:6,komi=2,flats=10", "mnk:3,3,3"] {
            assert_eq!(terms(other), None, "{other}");
        }
        assert_eq!(spin_default("option name HalfKomi type spin default 4 min 0 max 12"), Some(("HalfKomi", 4)));
        assert_eq!(tps("x3/x3/x3_1_1_!0"), "x3/x3/x3 1 1");
    }
}
