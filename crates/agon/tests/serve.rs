//! The workbench as a process: killed at any moment, it goes on where it was when it is started again.
#![cfg(unix)]

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--data"]).arg(data);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut child = serve(data).spawn().expect("agon starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        Server { child, url: url.unwrap_or_else(|| panic!("no address: {line}")).to_string() }
    }

    /// Ends it without a warning; what it said on standard error.
    fn murder(mut self) -> String {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), Signal::SIGKILL).unwrap();
        self.child.wait().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }

    fn ask(&self, head: &str, body: &str) -> Vec<u8> {
        let host = self.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        let request = format!(
            "{head} HTTP/1.0\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nx-agon-token: {}\r\n\r\n{body}",
            body.len(),
            if head.starts_with("POST") { self.token() } else { String::new() }
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let split = all.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        assert!(all.starts_with(b"HTTP/1.0 200"), "{head}: {}", String::from_utf8_lossy(&all));
        all[split + 4..].to_vec()
    }

    fn get(&self, path: &str) -> String {
        String::from_utf8(self.ask(&format!("GET {path}"), "")).unwrap()
    }

    fn token(&self) -> String {
        let page = self.get("/jobs");
        page.split_once("agon-token\" content=\"").unwrap().1.split('"').next().unwrap().to_string()
    }

    fn begin(&self, request: &Value) -> u64 {
        let answer: Value = serde_json::from_slice(&self.ask("POST /api/jobs", &request.to_string())).unwrap();
        answer["id"].as_u64().unwrap()
    }

    fn state(&self, id: u64) -> Value {
        serde_json::from_str(&self.get(&format!("/api/jobs/{id}"))).unwrap()
    }

    fn finish(&self, id: u64) -> Value {
        let begun = Instant::now();
        loop {
            let state = self.state(id);
            if state["over"] == true {
                return state;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "{state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What came out, without the time it took.
    fn result(&self, id: u64) -> String {
        let page = self.get(&format!("/jobs/{id}/result"));
        let (before, after) = page.split_once(" positions in ").unwrap_or((&page, ""));
        format!("{before} {}", after.split_once(')').map_or("", |rest| rest.1))
            .replace(&format!("/jobs/{id}/"), "/jobs/N/")
    }
}

/// Every game of a tournament, and how long each took.
fn games(path: &Path) -> Vec<(String, f64)> {
    let Ok(file) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY) else { return Vec::new() };
    let text = "SELECT id || ' ' || first || ' ' || second || ' ' || result || ' ' || reason || ' ' || start || ' ' || moves, seconds FROM game ORDER BY id";
    let Ok(mut select) = file.prepare(text) else { return Vec::new() };
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.map(|rows| rows.flatten().collect()).unwrap_or_default()
}

fn tables(folder: &Path) -> Vec<(String, std::time::SystemTime)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let whole = entries.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "agt"));
    let mut all: Vec<_> = whole
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.metadata().ok()?.modified().ok()?)))
        .collect();
    all.sort();
    all
}

#[test]
fn a_killed_server_goes_on_with_solves_and_tournaments() {
    let data = tempfile::tempdir().unwrap();
    let folder = |id: u64| data.path().join("jobs").join(id.to_string());
    let solve = json!({"kind": "solve", "game": "morris:six", "strong": true, "memory": 1024});
    let arena = json!({"kind": "arena", "game": "tic-tac-toe", "players": "mcts:playouts=400 negamax:depth=3 random",
                       "games": 40, "opening": 1, "seed": 5, "seconds": 60.0});
    let waiting = json!({"kind": "grundy", "code": "kayles", "to": 2000});

    // 1. Two at work and one waiting; killed in the midst of both.
    let server = Server::start(data.path());
    let token = server.token();
    let (solve_id, arena_id, waiting_id) = (server.begin(&solve), server.begin(&arena), server.begin(&waiting));
    let (table, file) = (folder(solve_id).join("table"), folder(arena_id).join("arena.sqlite"));
    let begun = Instant::now();
    while tables(&table).len() < 5 || games(&file).len() < 6 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} {}", server.state(solve_id), server.state(arena_id));
        std::thread::sleep(Duration::from_millis(2));
    }
    drop(server.murder());
    let (some_tables, some_games) = (tables(&table), games(&file));
    assert!(some_games.len() < 120 && !some_games.is_empty(), "{} games", some_games.len());
    let solved_before = std::fs::read_to_string(folder(solve_id).join("record")).unwrap().contains("\"done\"");
    assert!(!solved_before, "the solve was over before the server was killed");

    // 2. A damaged record and a foreign file do not matter.
    std::fs::create_dir(folder(99)).unwrap();
    std::fs::write(folder(99).join("record"), "agon-job 1\n{").unwrap();
    std::fs::write(data.path().join("jobs/notes.txt"), "mine").unwrap();

    // 3. Started again, everything goes on by itself; open pages keep their token.
    let server = Server::start(data.path());
    assert_eq!(server.token(), token);
    assert_eq!(server.state(arena_id)["note"], "goes on after the server was stopped");
    for id in [solve_id, arena_id, waiting_id] {
        let state = server.finish(id);
        assert_eq!(state["phase"], "done", "{state}");
    }
    // What was there was not done again.
    let all_games = games(&file);
    assert!(some_games.iter().all(|game| all_games.contains(game)), "games were played again");
    let now = tables(&table);
    // One of a pair that is solved together may have been there without the other.
    let again = some_tables.iter().filter(|table| !now.contains(table)).count();
    assert!(again <= 1, "{again} of {} tables were solved again", some_tables.len());
    assert!(server.result(waiting_id).contains("Period 12"));
    let jobs = server.get("/jobs");
    assert!(jobs.contains("job 99 is left out") && jobs.contains("its end is missing"), "{jobs}");

    // 4. The same without interruption.
    let (whole_solve, whole_arena) = (server.begin(&solve), server.begin(&arena));
    server.finish(whole_solve);
    server.finish(whole_arena);
    assert_eq!(server.result(solve_id), server.result(whole_solve));
    assert!(server.result(solve_id).contains("A longest win"));
    let moves = |path: &Path| games(path).into_iter().map(|game| game.0).collect::<Vec<_>>();
    assert_eq!(moves(&file), moves(&folder(whole_arena).join("arena.sqlite")));
    assert_eq!(moves(&file).len(), 120);
    assert_eq!(server.result(arena_id), server.result(whole_arena));
    crosstable(&server.result(arena_id), &moves(&file));

    // 5. Another server on the same directory is told where this one is.
    let Output { status, stderr, .. } = serve(data.path()).output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(said.contains(&server.url) && said.contains("--data"), "{said}");

    // 6. What is over is read again, however often.
    let before = server.result(solve_id);
    let said = server.murder();
    assert!(said.contains("job 99 is left out"), "{said}");
    let server = Server::start(data.path());
    assert_eq!((server.result(solve_id), server.state(solve_id)["phase"].as_str()), (before, Some("done")));
}

/// The table of a tournament of three says what its games say, in the order of the scores.
fn crosstable(page: &str, games: &[String]) {
    let names = ["mcts:playouts=400", "negamax:depth=3", "random"];
    let points = |me: &str, other: &str| -> f64 {
        let words = games.iter().map(|game| game.split(' ').collect::<Vec<_>>());
        words
            .map(|game| match (game[3], game[1] == me && game[2] == other, game[1] == other && game[2] == me) {
                ("first", true, _) | ("second", _, true) => 1.0,
                ("draw", true, _) | ("draw", _, true) => 0.5,
                _ => 0.0,
            })
            .sum()
    };
    let all = |me: &str| names.iter().map(|other| points(me, other)).sum::<f64>();
    let mut order = names;
    order.sort_by(|a, b| all(b).total_cmp(&all(a)));
    let table = page.split("</table>").next().unwrap();
    let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
    for (row, me) in rows.iter().zip(order) {
        let cells: Vec<&str> = row.split("<td").skip(4).collect();
        assert!(row.contains(me), "{me} is not in {row}");
        for (cell, other) in cells.iter().zip(order) {
            let share = format!(">{:.1} %<", 100.0 * points(me, other) / 40.0);
            assert!(me == other || cell.contains(&share), "{me} against {other}: {share} is not in {cell}");
        }
    }
    assert_eq!(rows.len(), 3);
}

#[test]
fn nothing_is_kept_when_nothing_shall_be() {
    let home = tempfile::tempdir().unwrap();
    let mut command = serve(Path::new("none"));
    let mut child =
        command.current_dir(home.path()).env("HOME", home.path()).env_remove("XDG_STATE_HOME").spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(line.contains("http://127.0.0.1:"));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}
