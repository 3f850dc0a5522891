//! `agon tei` as a program that another one talks to.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

fn spawn() -> (Child, ChildStdin, ChildStdout) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    let mut child =
        command.arg("tei").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, input, output)
}

impl Engine {
    fn new() -> Engine {
        let (child, input, output) = spawn();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { child, input: Some(input), lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("not closed yet");
        input.write_all(text.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The lines up to one that begins with a word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no `{word}` after {seen:?}"));
            seen.push(line);
            if seen.last().is_some_and(|line| line.split_whitespace().next() == Some(word)) {
                return seen;
            }
        }
    }

    fn leaves(mut self) {
        self.input = None;
        while self.lines.recv_timeout(PATIENCE).is_ok() {}
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn both_dialects_are_spoken() {
    let mut engine = Engine::new();
    engine.say("tei");
    let hello = engine.until("teiok").join("\n");
    for line in
        ["id name agon", "option name HalfKomi type spin default 0 min 0 max 12", "option name MultiPV", "size 3 4"]
    {
        assert!(hello.contains(line), "{hello}");
    }
    // The common dialect: a win in one is played, and its score is a plain number.
    engine.say("isready\nteinewgame 5\nposition tps x5/2,2,x3/1,1,1,1,x/2,x4/x5 1 5\ngo depth 3");
    engine.until("readyok");
    let said = engine.until("bestmove");
    assert_eq!(said.last().map(String::as_str), Some("bestmove e3"));
    assert!(said.iter().any(|line| line.starts_with("info depth") && line.contains("score cp 29999")), "{said:?}");
    // The draft dialect says that it is solved, and what is wrong.
    engine.say("teinewgame size 5 halfkomi 4\nposition tps x5/2,2,x3/1,1,1,1,x/2,x4/x5 1 5\ngo depth 3");
    let said = engine.until("bestmove");
    assert!(said.iter().any(|line| line.contains("score solved win 1") && line.ends_with("pv e3")), "{said:?}");
    engine.say("position startpos moves a1 a1");
    let said = engine.until("info");
    assert!(said[0].starts_with("info error invalid move `a1`"), "{said:?}");
    engine.leaves();
}

#[test]
fn several_lines_options_and_the_other_player() {
    let mut engine = Engine::new();
    engine.say(
        "setoption name multipv value 3\nsetoption name Hash value 2\nsetoption name HalfKomi value 4\nteinewgame 4",
    );
    engine.say("position startpos moves a1 d4\ngo depth 3");
    let said = engine.until("bestmove");
    for k in 1..=3 {
        assert!(said.iter().any(|line| line.contains(&format!(" multipv {k} pv "))), "{said:?}");
    }
    engine.say("setoption name Player value mcts\ngo nodes 500");
    let said = engine.until("bestmove");
    assert!(said.iter().any(|line| line.contains("nodes 500 score cp ")), "{said:?}");
    engine.leaves();
}

#[test]
fn stop_and_quit_work_at_any_moment() {
    let mut engine = Engine::new();
    engine.say("stop\nstop\nteinewgame 6\ngo infinite\nisready\nstop");
    assert_eq!(engine.until("bestmove").iter().filter(|line| *line == "readyok").count(), 1);
    // A new search ends the old one.
    engine.say("go infinite\ngo infinite\nposition startpos moves a1\nstop");
    engine.until("bestmove");
    engine.until("bestmove");
    engine.say("go wtime 1 btime 1\ngo movetime 1");
    engine.until("bestmove");
    engine.until("bestmove");
    // A finished game has no move.
    engine.say("position tps x3/x3/1,1,1 2 4\ngo depth 2");
    assert_eq!(engine.until("bestmove").last().map(String::as_str), Some("bestmove --"));
    engine.say("teinewgame 6\ngo infinite\nquit");
    while engine.lines.recv_timeout(PATIENCE).is_ok() {}
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn a_closed_input_ends_it_after_the_move_asked_for() {
    let (mut child, mut input, mut output) = spawn();
    input.write_all(b"teinewgame 5\nposition startpos\ngo nodes 2000").unwrap();
    drop(input);
    let mut said = String::new();
    output.read_to_string(&mut said).unwrap();
    assert!(said.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{said}");
    assert!(child.wait().unwrap().success());
    // Nobody could stop an endless search any more.
    let (mut child, mut input, mut output) = spawn();
    input.write_all(b"go infinite\n").unwrap();
    drop(input);
    output.read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn garbage_does_no_harm() {
    let mut engine = Engine::new();
    let mut garbage = Vec::new();
    let mut rng = agon_core::Rng::new(9);
    for _ in 0..200 {
        garbage.extend((0..rng.below(300)).map(|_| rng.next_u64() as u8));
        garbage.push(b'\n');
    }
    for words in [
        "go",
        "stop",
        "position",
        "position tps",
        "position tps x9/x9 1 1",
        "position tps 1S2/x/x 3 0 moves",
        "teinewgame 99999999999999999999",
        "teinewgame size -3 halfkomi 9999",
        "setoption name Hash value 0",
        "setoption name Threads value many",
        "go depth 99999999999 nodes 1",
        "go nodes 0",
        "stop",
        "go wtime",
        "stop",
        "position startpos moves a1 z9 \u{7f} b2",
        "info",
        "tei tei tei",
    ] {
        garbage.extend_from_slice(words.as_bytes());
        garbage.push(b'\n');
    }
    garbage.extend(std::iter::repeat_n(b'a', 5 << 20));
    garbage.push(b'\n');
    engine.input.as_mut().unwrap().write_all(&garbage).unwrap();
    engine.say("isready\nteinewgame 4\nposition startpos\ngo nodes 100");
    engine.until("readyok");
    engine.until("bestmove");
    engine.leaves();
}

#[test]
fn an_interrupt_before_any_search_has_its_exit_code() {
    let mut engine = Engine::new();
    engine.say("tei");
    engine.until("teiok");
    let id = nix::unistd::Pid::from_raw(i32::try_from(engine.child.id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    assert_eq!(engine.child.wait().unwrap().code(), Some(130));
}
