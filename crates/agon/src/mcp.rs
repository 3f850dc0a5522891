//! `agon mcp`: the questions of `agon_api` as tools, for programs that speak the Model Context Protocol.
//!
//! The protocol is JSON-RPC 2.0, one message on each line of standard input and output. Calls are answered one after the
//! other in a thread of their own, so that a ping or a cancellation is heard while a call is running.

use crate::VERSION;
use crate::failure::Failure;
use crate::output::{emit, tell};
use agon_api::{Arguments, GameCache, OPERATIONS, Operation, limited, operation, schema};
use agon_core::family::shorten;
use agon_registry::Registry;
use agon_report::words::grouped;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The versions of the protocol that are spoken, the newest first.
const PROTOCOLS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The most bytes of a message.
const LONGEST_LINE: u64 = 16 << 20;
/// The most bytes of an answer.
const LONGEST_ANSWER: usize = 4 << 20;
/// Calls that wait for their turn.
const WAITING: usize = 16;

/// What a client is told about the tools as a whole.
const INSTRUCTIONS: &str = "\
agon knows the rules of many abstract strategy games (tic-tac-toe, connect-four, nine men's morris, Tak, nim and more) and \
proves what it says: a value that is not proven is `unknown` or null, and an estimate is marked as one. `games` lists the \
games, `rules` says how positions and moves are written. Positions and moves are texts; `show` lists the legal moves. \
Values are for the side to move.";

/// JSON-RPC errors.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// The output for messages, one at a time.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// `agon mcp`.
pub fn command(registry: &Registry) -> Result<(), Failure> {
    let say: Say = Arc::new(|message: &str| {
        // A client that has stopped reading will close our input too.
        let _ = emit(&format!("{message}\n"));
    });
    if let Err(error) = converse(registry.clone(), &mut std::io::stdin().lock(), say) {
        tell(&format!("cannot read standard input: {error}"));
    }
    Ok(())
}

/// Answers messages until the end of the input, and then the calls that are waiting.
pub fn converse(registry: Registry, input: &mut impl BufRead, say: Say) -> std::io::Result<()> {
    let running: Running = Arc::default();
    let (calls, queue) = sync_channel(WAITING);
    let worker = {
        let (say, running) = (say.clone(), running.clone());
        std::thread::spawn(move || work(&GameCache::new(registry), &queue, &say, &running))
    };
    let server = Server { say, running, calls };
    let ended = loop {
        match next_line(input) {
            Ok(Some(Ok(line))) if line.trim().is_empty() => {}
            Ok(Some(Ok(line))) => server.hear(&line),
            Ok(Some(Err(()))) => {
                let most = grouped(LONGEST_LINE);
                server.fail(&Json::Null, INVALID_REQUEST, &format!("a message has more than {most} bytes"));
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    drop(server);
    let _ = worker.join();
    ended
}

/// The flags that cancel the calls that run or wait, by the text of their ids.
type Running = Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>;

/// A call that waits for its turn.
struct Call {
    id: Json,
    operation: &'static Operation,
    arguments: Arguments,
    cancelled: Arc<AtomicBool>,
}

struct Server {
    say: Say,
    running: Running,
    calls: SyncSender<Call>,
}

impl Server {
    fn hear(&self, line: &str) {
        let message: Json = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => return self.fail(&Json::Null, PARSE_ERROR, &format!("the message is not JSON: {error}")),
        };
        let Some(fields) = message.as_object() else {
            return self.fail(&Json::Null, INVALID_REQUEST, "a message is one object");
        };
        let empty = Map::new();
        let params = fields.get("params").and_then(Json::as_object).unwrap_or(&empty);
        match (fields.get("method").and_then(Json::as_str), fields.get("id")) {
            (Some("notifications/cancelled"), None) => self.cancel(params),
            // Other notifications ask for nothing, and answers to requests that were never made mean nothing.
            (Some(_), None) | (None, _)
                if ["result", "error"].iter().any(|key| fields.contains_key(*key)) || !fields.contains_key("id") => {}
            (Some(method), Some(id)) if id.is_string() || id.is_number() => self.request(id, method, params),
            (_, id) => {
                let id = id.filter(|id| id.is_string() || id.is_number()).unwrap_or(&Json::Null);
                self.fail(id, INVALID_REQUEST, "a request has a method, and an id that is a text or a number");
            }
        }
    }

    fn request(&self, id: &Json, method: &str, params: &Map<String, Json>) {
        match method {
            "initialize" => self.reply(id, &introduction(params)),
            "ping" => self.reply(id, &json!({})),
            "tools/list" => self.reply(id, &json!({"tools": tools()})),
            "tools/call" => self.call(id, params),
            other => self.fail(id, METHOD_NOT_FOUND, &format!("no method `{}`", shorten(other))),
        }
    }

    fn call(&self, id: &Json, params: &Map<String, Json>) {
        let name = params.get("name").and_then(Json::as_str).unwrap_or_default();
        let Some(operation) = operation(name) else {
            let known: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
            let why = format!("no tool `{}`: expected {}", shorten(name), known.join(", "));
            return self.fail(id, INVALID_PARAMS, &why);
        };
        let empty = Map::new();
        let given = match params.get("arguments") {
            None | Some(Json::Null) => &empty,
            Some(Json::Object(given)) => given,
            Some(_) => return self.fail(id, INVALID_PARAMS, "the arguments of a tool are an object"),
        };
        let arguments = match Arguments::read(operation.params, given) {
            Ok(arguments) => arguments,
            Err(failure) => return self.reply(id, &refused(&failure)),
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let mut running = lock(&self.running);
        if running.insert(id.to_string(), cancelled.clone()).is_some() {
            drop(running);
            return self.fail(id, INVALID_REQUEST, "a call with this id is not answered yet");
        }
        drop(running);
        let call = Call { id: id.clone(), operation, arguments, cancelled };
        if let Err(TrySendError::Full(call) | TrySendError::Disconnected(call)) = self.calls.try_send(call) {
            lock(&self.running).remove(&call.id.to_string());
            self.reply(id, &failed(&format!("{WAITING} calls are waiting already: ask again later")));
        }
    }

    /// Cancels a call, which then is not answered.
    fn cancel(&self, params: &Map<String, Json>) {
        let id = params.get("requestId").map(Json::to_string).unwrap_or_default();
        if let Some(flag) = lock(&self.running).get(&id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn reply(&self, id: &Json, result: &Json) {
        reply(&self.say, id, result);
    }

    fn fail(&self, id: &Json, code: i32, why: &str) {
        let error = json!({"code": code, "message": why});
        (self.say)(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reply(say: &Say, id: &Json, result: &Json) {
    say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
}

/// Answers calls in their order until no more can come.
fn work(cache: &GameCache, queue: &Receiver<Call>, say: &Say, running: &Running) {
    while let Ok(call) = queue.recv() {
        let result = if call.cancelled.load(Ordering::Relaxed) { None } else { Some(answered(cache, &call)) };
        lock(running).remove(&call.id.to_string());
        if let Some(result) = result.filter(|_| !call.cancelled.load(Ordering::Relaxed)) {
            reply(say, &call.id, &result);
        }
    }
}

fn answered(cache: &GameCache, call: &Call) -> Json {
    let ctx = limited(&call.arguments).with_cancel(call.cancelled.clone());
    let answer = catch_unwind(AssertUnwindSafe(|| call.operation.answer(cache, &call.arguments, &ctx)));
    match answer {
        Ok(Ok(answer)) => {
            let text = answer.to_string();
            if text.len() > LONGEST_ANSWER {
                let (has, most) = (grouped(text.len()), grouped(LONGEST_ANSWER));
                return failed(&format!("the answer has {has} bytes, more than {most}: ask about less"));
            }
            json!({"content": [{"type": "text", "text": text}], "structuredContent": answer, "isError": false})
        }
        Ok(Err(failure)) => refused(&failure),
        Err(_) => failed("a bug in agon ended this computation"),
    }
}

/// The result of a call that a failure ends.
fn refused(failure: &Failure) -> Json {
    let advice = match failure.stop() {
        Some(agon_core::Stop::Time) => "; ask for more `seconds`",
        _ => "",
    };
    failed(&(failure.message().unwrap_or_else(|| "it is refused".to_string()) + advice))
}

fn failed(why: &str) -> Json {
    json!({"content": [{"type": "text", "text": why}], "isError": true})
}

fn introduction(params: &Map<String, Json>) -> Json {
    let asked = params.get("protocolVersion").and_then(Json::as_str);
    let spoken = PROTOCOLS.iter().find(|version| Some(**version) == asked).unwrap_or(&PROTOCOLS[0]);
    json!({
        "protocolVersion": spoken, "capabilities": {"tools": {"listChanged": false}},
        "serverInfo": {"name": "agon", "title": "agon, a workbench for abstract strategy games", "version": VERSION},
        "instructions": INSTRUCTIONS,
    })
}

/// The description of every tool.
fn tools() -> Vec<Json> {
    let described = |operation: &Operation| {
        json!({
            "name": operation.name, "description": operation.about,
            "inputSchema": schema::of_params(operation.params), "outputSchema": schema::of_answer(operation.fields),
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
        })
    };
    OPERATIONS.iter().map(described).collect()
}

/// The next line, whatever bytes it is made of; `Err` for one that is too long.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Result<String, ()>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.ends_with(b"\n") || (bytes.len() as u64) < LONGEST_LINE {
        return Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())));
    }
    loop {
        let mut rest = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)?;
        if read == 0 || rest.ends_with(b"\n") {
            return Ok(Some(Err(())));
        }
    }
}
