//! `agon mcp`: the questions of `agon_api` as tools, for programs that speak the Model Context Protocol.
//!
//! The official SDK, `rmcp`, speaks the protocol. What is said here are the tools, their limits, and how messages come from
//! lines of standard input: lines have a most length, and the end of the input waits for the answers that are still due.
//! Calls are answered one after the other in a thread of their own, so that a ping or a cancellation is heard while a call
//! is running.

use crate::VERSION;
use crate::failure::Failure;
use crate::output::{emit, tell};
use agon_api::{Arguments, GameCache, OPERATIONS, Operation, limited, operation, schema};
use agon_core::family::shorten;
use agon_registry::Registry;
use agon_report::words::grouped;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientJsonRpcMessage, ClientNotification, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, Implementation, JsonObject, JsonRpcMessage, ListToolsResult,
    PaginatedRequestParams, RequestId, ServerCapabilities, ServerConfig, ServerJsonRpcMessage, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer, ServerHandler, serve_server};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;
use std::convert::Infallible;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, channel};

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

/// The output for messages, one at a time.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// `agon mcp`.
pub fn command(registry: &Registry) -> Result<(), Failure> {
    let say: Say = Arc::new(|message: &str| {
        // A client that has stopped reading will close our input too.
        let _ = emit(&format!("{message}\n"));
    });
    if let Err(error) = converse(registry.clone(), &mut std::io::stdin().lock(), say) {
        tell(&format!("cannot read standard input, or serve it: {error}"));
    }
    Ok(())
}

/// Answers messages until the end of the input, and then the calls that are waiting.
pub fn converse(registry: Registry, input: &mut impl BufRead, say: Say) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    // A line at a time: the next one is read while this one is understood.
    let (lines, heard) = channel(1);
    let tools = Tools {
        cache: Arc::new(GameCache::new(registry)),
        places: Semaphore::new(WAITING + 1),
        turn: Arc::new(Semaphore::new(1)),
    };
    let server = std::thread::spawn(move || {
        runtime.block_on(async move {
            let transport = Lines { heard, say, open: HashSet::new() };
            // It ends before it has begun if the input has no request that begins a session.
            if let Ok(running) = serve_server(tools, transport).await {
                let _ = running.waiting().await;
            }
        });
    });
    let ended = loop {
        match next_line(input) {
            Ok(Some(line)) => {
                if lines.blocking_send(line).is_err() {
                    break Ok(());
                }
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    drop(lines);
    let _ = server.join();
    ended
}

/// A line of the input, or the fact that it is too long.
type Line = Result<String, TooLong>;

struct TooLong;

/// Messages as lines.
struct Lines {
    heard: Receiver<Line>,
    say: Say,
    /// The requests that are not answered yet.
    open: HashSet<RequestId>,
}

impl Transport<RoleServer> for Lines {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => self.open.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().is_some_and(|id| self.open.remove(id)),
            _ => false,
        };
        if let Ok(text) = serde_json::to_string(&message) {
            (self.say)(&text);
        }
        std::future::ready(Ok(()))
    }

    /// The next request, or the cancellation of one. Nothing else means anything to this server: it asks its clients for
    /// nothing. The input has ended once all requests are answered; the server looks again after each answer.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.heard.recv().await {
                Some(Ok(line)) => line,
                Some(Err(TooLong)) => {
                    let most = grouped(LONGEST_LINE);
                    self.refuse(None, ErrorCode::INVALID_REQUEST, format!("a message has more than {most} bytes"));
                    continue;
                }
                None if self.open.is_empty() => return None,
                None => std::future::pending().await,
            };
            match self.understand(&line) {
                Some(JsonRpcMessage::Request(request)) => {
                    if self.open.insert(request.id.clone()) {
                        return Some(JsonRpcMessage::Request(request));
                    }
                    let why = "a request with this id is not answered yet".to_string();
                    // Without its id: the answer to the other request has it.
                    self.refuse(None, ErrorCode::INVALID_REQUEST, why);
                }
                Some(JsonRpcMessage::Notification(note)) => {
                    if let ClientNotification::CancelledNotification(cancelled) = &note.notification
                        && cancelled.params.request_id.as_ref().is_some_and(|id| self.open.remove(id))
                    {
                        return Some(JsonRpcMessage::Notification(note));
                    }
                }
                _ => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Lines {
    /// The message of a line. What is none is refused, unless it wants no answer.
    fn understand(&self, line: &str) -> Option<ClientJsonRpcMessage> {
        if line.trim().is_empty() {
            return None;
        }
        let message: Json = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => {
                self.refuse(None, ErrorCode::PARSE_ERROR, format!("the message is not JSON: {error}"));
                return None;
            }
        };
        let id = message.get("id").cloned();
        let asks = message.as_object().is_none_or(|fields| {
            let answers = ["result", "error"].iter().any(|key| fields.contains_key(*key));
            !answers && (id.is_some() || !fields.contains_key("method"))
        });
        match serde_json::from_value(message) {
            Ok(message) => Some(message),
            Err(_) => {
                let why = "expected a request of JSON-RPC 2.0: one object with `jsonrpc`, a method, and an id that is a \
                           text or a whole number";
                let id = id.and_then(|id| serde_json::from_value(id).ok()).filter(|id| !self.open.contains(id));
                if asks {
                    self.refuse(id, ErrorCode::INVALID_REQUEST, why.to_string());
                }
                None
            }
        }
    }

    fn refuse(&self, id: Option<RequestId>, code: ErrorCode, why: String) {
        let error = ServerJsonRpcMessage::error(ErrorData::new(code, why, None), id);
        if let Ok(text) = serde_json::to_string(&error) {
            (self.say)(&text);
        }
    }
}

/// The next line, whatever bytes it is made of.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
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
            return Ok(Some(Err(TooLong)));
        }
    }
}

/// The tools, and the calls that wait.
struct Tools {
    cache: Arc<GameCache>,
    /// Places for calls that run or wait.
    places: Semaphore,
    /// One call runs at a time, in their order.
    turn: Arc<Semaphore>,
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("agon", VERSION).with_title("agon, a workbench for abstract strategy games");
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(OPERATIONS.iter().map(described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        operation(name).map(described)
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(operation) = operation(&call.name) else {
            let known: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
            let why = format!("no tool `{}`: expected {}", shorten(&call.name), known.join(", "));
            return Err(ErrorData::invalid_params(why, None));
        };
        let arguments = match Arguments::read(operation.params, &call.arguments.unwrap_or_default()) {
            Ok(arguments) => arguments,
            Err(failure) => return Ok(refused(&failure).into()),
        };
        Ok(self.answer(operation, arguments, context).await.into())
    }

    /// Requests that the protocol does not have, and those whose parameters do not fit.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" => Err(ErrorData::invalid_params(
                "expected the name of a tool as `name`, and its arguments as an object",
                None,
            )),
            "initialize" | "server/discover" | "tools/list" | "ping" => {
                Err(ErrorData::invalid_params(format!("the parameters of `{}` do not fit", request.method), None))
            }
            other => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("no method `{}`", shorten(other)), None)),
        }
    }
}

impl Tools {
    /// The result of a call, when its turn has come. The answer to a cancelled call is not sent.
    async fn answer(
        &self,
        operation: &'static Operation,
        arguments: Arguments,
        context: RequestContext<RoleServer>,
    ) -> CallToolResult {
        let Ok(_place) = self.places.try_acquire() else {
            return failed(format!("{WAITING} calls are waiting already: ask again later"));
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = cancelled.clone();
        // The token is cancelled once the call is answered, too.
        tokio::spawn(async move {
            context.ct.cancelled().await;
            flag.store(true, Ordering::Relaxed);
        });
        let Ok(turn) = self.turn.clone().acquire_owned().await else {
            return failed("the server is ending");
        };
        let cache = self.cache.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            match cancelled.load(Ordering::Relaxed) {
                true => failed("the call was cancelled"),
                false => answered(&cache, operation, &arguments, cancelled),
            }
        });
        work.await.unwrap_or_else(|_| failed("a bug in agon ended this computation"))
    }
}

fn answered(
    cache: &GameCache,
    operation: &Operation,
    arguments: &Arguments,
    cancelled: Arc<AtomicBool>,
) -> CallToolResult {
    let ctx = limited(arguments).with_cancel(cancelled);
    match operation.answer(cache, arguments, &ctx) {
        Ok(answer) => {
            let result = CallToolResult::structured(answer);
            let texts = result.content.iter().filter_map(ContentBlock::as_text);
            let length: usize = texts.map(|text| text.text.len()).sum();
            if length > LONGEST_ANSWER {
                let (has, most) = (grouped(length), grouped(LONGEST_ANSWER));
                return failed(format!("the answer has {has} bytes, more than {most}: ask about less"));
            }
            result
        }
        Err(failure) => refused(&failure),
    }
}

/// The result of a call that a failure ends.
fn refused(failure: &Failure) -> CallToolResult {
    let advice = match failure.stop() {
        Some(agon_core::Stop::Time) => "; ask for more `seconds`",
        _ => "",
    };
    failed(failure.message().unwrap_or_else(|| "it is refused".to_string()) + advice)
}

fn failed(why: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}

/// The description of a tool.
fn described(operation: &'static Operation) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    let input = fields(schema::of_params(operation.params));
    Tool::new(operation.name, operation.about, input)
        .with_raw_output_schema(Arc::new(fields(schema::of_answer(operation.fields))))
        .with_annotations(hints)
}

fn fields(schema: Json) -> JsonObject {
    match schema {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}
