//! A server killed at random moments, with a table solve, a tournament and a sequence at work or waiting.

use crate::{files, games, same, same_files, times};
use agon_core::Rng;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "--port", "0", "--data"]).arg(data);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let host = url.unwrap_or_else(|| panic!("no address: {line}")).trim_end_matches('/').to_string();
        let token = std::fs::read_to_string(data.join("token")).unwrap();
        Server { child, host, token }
    }

    fn strike(mut self, signal: Signal) {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), signal).unwrap();
        self.child.wait().unwrap();
    }

    fn ask(&self, head: &str, body: &str) -> Option<Value> {
        let mut stream = TcpStream::connect(&self.host).ok()?;
        let request = format!(
            "{head} HTTP/1.0\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             x-agon-token: {}\r\n\r\n{body}",
            self.host,
            body.len(),
            self.token
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut all = String::new();
        stream.read_to_string(&mut all).ok()?;
        assert!(all.starts_with("HTTP/1.0 200"), "{head}: {all}");
        serde_json::from_str(all.split_once("\r\n\r\n")?.1).ok()
    }

    /// Waits until a job is over.
    fn finish(&self, id: u64) {
        for _ in 0..60_000 {
            let state = self.ask(&format!("GET /api/jobs/{id}"), "").unwrap();
            if state["over"] == true {
                assert_eq!(state["phase"], "done", "{state}");
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("job {id} does not end");
    }
}

fn orders() -> [Value; 3] {
    [
        json!({"kind": "solve", "game": "antrin:4", "strong": true, "memory": 512}),
        json!({"kind": "arena", "game": "tic-tac-toe", "players": "mcts:playouts=50 weighted random", "games": 10,
               "opening": 1, "seed": 5, "seconds": 60.0}),
        json!({"kind": "grundy", "code": "0.007", "to": 9000}),
    ]
}

/// The results that the jobs left: tables, games, values.
fn left(data: &Path, ids: [u64; 3]) -> (BTreeMap<String, Vec<u8>>, Vec<String>, Vec<u8>) {
    let folder = |id: u64| data.join("jobs").join(id.to_string());
    let values = std::fs::read(folder(ids[2]).join("grundy.words")).unwrap();
    (files(&folder(ids[0]).join("table")), games(&folder(ids[1]).join("arena.sqlite")), values)
}

#[test]
fn a_killed_server_loses_no_job_and_ends_all_of_them_alike() {
    let whole = tempfile::tempdir().unwrap();
    let server = Server::start(whole.path());
    let ids = orders().map(|order| server.ask("POST /api/jobs", &order.to_string()).unwrap()["id"].as_u64().unwrap());
    ids.iter().for_each(|&id| server.finish(id));
    drop(server);
    let expected = left(whole.path(), ids);
    let mut rng = Rng::new(5);
    for round in 0..times() {
        let data = tempfile::tempdir().unwrap();
        let server = Server::start(data.path());
        // A job whose number was told is kept, whenever the server is killed.
        let ids =
            orders().map(|order| server.ask("POST /api/jobs", &order.to_string()).unwrap()["id"].as_u64().unwrap());
        let mut server = Some(server);
        for _ in 0..1 + rng.below(3) {
            std::thread::sleep(Duration::from_millis(rng.below(400) as u64));
            server.take().unwrap().strike(if rng.below(2) == 0 { Signal::SIGKILL } else { Signal::SIGINT });
            server = Some(Server::start(data.path()));
        }
        let server = server.unwrap();
        ids.iter().for_each(|&id| server.finish(id));
        drop(server);
        let (found, what) = (left(data.path(), ids), format!("round {round}"));
        same_files(&found.0, &expected.0, &what);
        same(&found.1, &expected.1, &what);
        same(&found.2, &expected.2, &what);
    }
}

/// A server on that directory starts, shows its jobs and takes a new one.
pub(crate) fn is_alive(data: &Path) {
    let server = Server::start(data);
    for path in ["/jobs", "/jobs/1", "/jobs/2", "/jobs/1/result", "/jobs/2/result"] {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.0\r\nhost: {}\r\n\r\n", server.host).as_bytes()).unwrap();
        let mut all = String::new();
        stream.read_to_string(&mut all).unwrap();
        assert!(all.starts_with("HTTP/1.0 200"), "{path}: {all}");
    }
    let order = json!({"kind": "grundy", "code": "kayles", "to": 100});
    let id = server.ask("POST /api/jobs", &order.to_string()).unwrap()["id"].as_u64().unwrap();
    server.finish(id);
}
