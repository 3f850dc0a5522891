//! The workbench as a process: killed at any moment, it resumes its jobs when it is started again.
#![cfg(unix)]

use agon_web::job::Phase;
use agon_web::job_store::JobStore;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// No wait is longer, unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(600);

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
            assert!(begun.elapsed() < PATIENCE, "{state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The result, without the time it took.
    fn result(&self, id: u64) -> String {
        let page = self.get(&format!("/jobs/{id}/result"));
        let (before, after) = page.split_once(" positions examined in ").unwrap_or((&page, ""));
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

/// Waits for something that must come.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_server_resumes_solves_and_tournaments() {
    let data = tempfile::tempdir().unwrap();
    let folder = |id: u64| data.path().join("jobs").join(id.to_string());
    // The tournament takes hours: it is under way whenever it is looked at. The solve takes a while, and whether it is
    // over is asked, not assumed.
    let solve = json!({"kind": "solve", "game": "morris:seven", "strong": true, "memory": 1024});
    let arena = json!({"kind": "arena", "game": "tic-tac-toe", "players": "mcts:playouts=20000 negamax:depth=3 random",
                       "games": 10000, "opening": 1, "seed": 5, "seconds": 60.0});
    let waiting = json!({"kind": "grundy", "code": "kayles", "to": 2000});

    // 1. Two at work and one waiting; killed in the midst of both.
    let server = Server::start(data.path());
    let token = server.token();
    let (solve_id, arena_id, waiting_id) = (server.begin(&solve), server.begin(&arena), server.begin(&waiting));
    let (table, file) = (folder(solve_id).join("table"), folder(arena_id).join("arena.sqlite"));
    until("some tables and games", || tables(&table).len() >= 3 && games(&file).len() >= 6);
    drop(server.murder());
    let (some_tables, some_games) = (tables(&table), games(&file));
    let solved = std::fs::read_to_string(folder(solve_id).join("record")).unwrap().contains("\"phase\":\"done\"");

    // 2. A damaged record and a foreign file do not matter.
    std::fs::create_dir(folder(99)).unwrap();
    std::fs::write(folder(99).join("record"), "agon-job 1\n{").unwrap();
    std::fs::write(data.path().join("jobs/notes.txt"), "mine").unwrap();

    // 3. Started again, every job resumes by itself; open pages keep their token.
    let server = Server::start(data.path());
    assert_eq!(server.token(), token);
    assert_eq!(server.state(arena_id)["note"], "resumes after the server was stopped");
    until("more games", || games(&file).len() > some_games.len());
    if !solved {
        until("more tables", || tables(&table).len() > some_tables.len());
        let note = server.state(solve_id)["note"].as_str().unwrap_or_default().to_string();
        assert!(note.starts_with("resume") && note.ends_with("after the server was stopped"), "{note}");
    }
    let jobs = server.get("/jobs");
    assert!(jobs.contains("job 99 is skipped") && jobs.contains("the end is missing"), "{jobs}");

    // 4. What was there was not done again.
    let all_games = games(&file);
    assert!(some_games.iter().all(|game| all_games.contains(game)), "games were played again");
    let now = tables(&table);
    // One of a pair that is solved together may have been there without the other.
    let again = some_tables.iter().filter(|table| !now.contains(table)).count();
    assert!(again <= 1, "{again} of {} tables were solved again", some_tables.len());

    // 5. Cancelled, they make room for the one that waited.
    for id in [solve_id, arena_id] {
        server.ask(&format!("POST /api/jobs/{id}/cancel"), "{}");
    }
    assert_eq!(server.finish(arena_id)["phase"], "cancelled");
    assert!(matches!(server.finish(solve_id)["phase"].as_str(), Some("cancelled" | "done")));
    assert_eq!(server.finish(waiting_id)["phase"], "done");
    assert!(server.result(waiting_id).contains("Period 12"));
    assert!(server.murder().contains("job 99 is skipped"));
}

/// Makes a finished job look as if the server had been killed while it ran.
fn unfinish(data: &Path, id: u64) {
    let keep = JobStore::open(data, Box::new(|_| ())).unwrap();
    let mut record = keep.records().0.into_iter().find(|record| record.id == id).unwrap();
    (record.phase, record.report, record.file) = (Phase::Running, Value::Null, None);
    keep.write(&record);
}

/// Every file but the records of tables, which say when their tables were made.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let same = entries.filter(|entry| !entry.file_name().to_string_lossy().ends_with(".agt.json"));
    same.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn what_a_server_left_half_done_is_finished_with_the_same_result() {
    let data = tempfile::tempdir().unwrap();
    let folder = |id: u64| data.path().join("jobs").join(id.to_string());
    let solve = json!({"kind": "solve", "game": "antrin:4", "strong": true, "memory": 256});
    let arena = json!({"kind": "arena", "game": "tic-tac-toe", "players": "mcts:playouts=100 negamax:depth=3 random",
                       "games": 40, "opening": 1, "seed": 5, "seconds": 60.0});

    // 1. Both done without interruption.
    let server = Server::start(data.path());
    let ids = [server.begin(&solve), server.begin(&arena)];
    let [solve_id, arena_id] = ids;
    for id in ids {
        assert_eq!(server.finish(id)["phase"], "done");
    }
    let results = ids.map(|id| server.result(id));
    assert!(results[0].contains("Longest win"), "{}", results[0]);
    drop(server.murder());
    let (table, file) = (folder(solve_id).join("table"), folder(arena_id).join("arena.sqlite"));
    let (whole_tables, whole_games) = (files(&table), games(&file));

    // 2. As it would have been left in the midst: some tables and a third of the games.
    ids.iter().for_each(|id| unfinish(data.path(), *id));
    let mut by_time = tables(&table);
    by_time.sort_by_key(|(_, written)| *written);
    let (some_tables, later) = by_time.split_at(by_time.len() / 2);
    later.iter().for_each(|(name, _)| std::fs::remove_file(table.join(name)).unwrap());
    let store = Connection::open(&file).unwrap();
    store.execute("DELETE FROM game WHERE id % 3 > 0", []).unwrap();
    drop(store);
    let some_games = games(&file);
    assert_eq!((whole_games.len(), some_games.len()), (120, 40));

    // 3. It resumes, and the result is the same.
    let server = Server::start(data.path());
    for id in ids {
        let state = server.finish(id);
        let told = (state["phase"].as_str(), state["note"].as_str());
        assert_eq!(told, (Some("done"), Some("resumed after the server was stopped")), "{state}");
    }
    assert_eq!(ids.map(|id| server.result(id)), results);
    assert_eq!(files(&table), whole_tables);
    let (now, all_games) = (tables(&table), games(&file));
    // Two that are solved together may have been parted.
    let again = some_tables.iter().filter(|table| !now.contains(table)).count();
    assert!(again <= 1, "{again} of {} tables were solved again", some_tables.len());
    assert!(some_games.iter().all(|game| all_games.contains(game)), "games were played again");
    let moves = |games: Vec<(String, f64)>| games.into_iter().map(|game| game.0).collect::<Vec<_>>();
    assert_eq!(moves(all_games), moves(whole_games.clone()));
    crosstable(&results[1], &moves(whole_games));

    // 4. Another server on the same directory is told where this one is.
    let Output { status, stderr, .. } = serve(data.path()).output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(said.contains(&server.url) && said.contains("--data"), "{said}");

    // 5. What is over is read again, however often.
    drop(server.murder());
    let server = Server::start(data.path());
    assert_eq!(server.state(solve_id)["phase"], "done");
    assert_eq!(ids.map(|id| server.result(id)), results);
}

/// The table of a tournament of three says what its games say, in the order of the scores.
fn crosstable(page: &str, games: &[String]) {
    let names = ["mcts:playouts=100", "negamax:depth=3", "random"];
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
fn nothing_is_stored_when_storage_is_off() {
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
