//! `agon mcp` as a client sees it: lines of JSON in, lines of JSON out.

mod common;

use common::agon_with_input;
use serde_json::{Value as Json, json as j};

/// The request that begins a session.
fn hello(version: &str) -> Json {
    j!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
}

/// The answers to these messages, in a session that has begun.
fn answers(messages: &[Json]) -> Vec<Json> {
    let ready = j!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let begun = [hello("2025-11-25"), ready];
    let lines: String = begun.iter().chain(messages).map(|message| format!("{message}\n")).collect();
    let mut answers = said(&lines);
    assert_eq!(answers.remove(0)["id"], "hello");
    answers
}

fn said(lines: &str) -> Vec<Json> {
    let ran = agon_with_input(&["mcp"], lines);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    ran.out.lines().map(read).collect()
}

fn call(id: u32, tool: &str, arguments: &Json) -> Json {
    j!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// The answer of one tool.
fn asked(tool: &str, arguments: &Json) -> Json {
    answers(&[call(1, tool, arguments)]).remove(0)["result"].clone()
}

fn found(tool: &str, arguments: &Json) -> Json {
    let result = asked(tool, arguments);
    assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Json>(text).unwrap(), result["structuredContent"]);
    result["structuredContent"].clone()
}

fn refusal(tool: &str, arguments: &Json) -> String {
    let result = asked(tool, arguments);
    assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
    result["content"][0]["text"].as_str().unwrap().to_string()
}

#[test]
fn a_client_is_introduced_and_finds_the_tools() {
    let ready = j!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = j!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"});
    let ping = j!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let lines: String = [hello("2025-06-18"), ready, list, ping].map(|message| format!("{message}\n")).concat();
    let said = said(&lines);
    assert_eq!(said.len(), 3, "a notification has no answer: {said:?}");
    assert_eq!((&said[0]["id"], &said[0]["result"]["protocolVersion"]), (&j!("hello"), &j!("2025-06-18")));
    assert_eq!(
        (&said[0]["result"]["serverInfo"]["name"], &said[0]["result"]["serverInfo"]["version"]),
        (&j!("agon"), &j!(agon::VERSION))
    );
    assert!(said[0]["result"]["instructions"].is_string(), "{said:?}");
    let answer = |id: Json| said.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{id}: {said:?}"));
    assert_eq!(answer(j!(2))["result"], j!({}));
    let tools = answer(j!("list"))["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let operations: Vec<&str> = agon_api::OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(names, operations);
    for tool in tools {
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
            (&j!("object"), &j!("object")),
            "{tool}"
        );
        assert_eq!(
            (&tool["annotations"]["readOnlyHint"], &tool["annotations"]["openWorldHint"]),
            (&j!(true), &j!(false))
        );
        assert!(tool["description"].as_str().is_some_and(|about| about.ends_with('.')), "{tool}");
    }
}

#[test]
fn every_version_of_the_protocol_is_spoken_that_the_page_names() {
    let page = include_str!("../../../docs/mcp.md");
    let [newest, others @ ..] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    for version in others {
        let introduced = said(&format!("{}\n", hello(version))).remove(0);
        assert_eq!(introduced["result"]["protocolVersion"], version);
        assert!(page.contains(version), "docs/mcp.md does not name {version}");
    }
    for unknown in ["1999-01-01", newest] {
        let introduced = said(&format!("{}\n", hello(unknown))).remove(0);
        assert_eq!(introduced["result"]["protocolVersion"], "2025-11-25", "the newest that begins with `initialize`");
    }
    // The newest has no `initialize`: each request says what the client is.
    let meta = j!({"io.modelcontextprotocol/protocolVersion": newest, "io.modelcontextprotocol/clientCapabilities": {},
                   "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}});
    let discover = j!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}});
    let show = j!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "show", "arguments": {"game": "tic-tac-toe"}, "_meta": meta}});
    let bare = call(3, "show", &j!({"game": "tic-tac-toe"}));
    let mut said = said(&format!("{discover}\n{show}\n{bare}\n"));
    said.sort_by_key(|answer| answer["id"].as_u64());
    let versions = said[0]["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&j!(newest)) && versions.len() == 1 + others.len(), "{versions:?}");
    assert!(page.contains(newest), "docs/mcp.md does not name {newest}");
    assert_eq!(
        (&said[1]["result"]["resultType"], &said[1]["result"]["isError"]),
        (&j!("complete"), &j!(false)),
        "{said:?}"
    );
    assert_eq!(said[2]["error"]["code"], -32602, "{said:?}");
}

#[test]
fn every_tool_answers_with_its_fields() {
    let win = j!({"certificate": certificate()});
    let rules = "rule win\n  only wins\nrule anything\n";
    for (tool, arguments) in [
        ("games", j!({})),
        ("rules", j!({"game": "connect-four"})),
        ("show", j!({"game": "tic-tac-toe", "moves": "b2 a1"})),
        ("play", j!({"game": "tic-tac-toe", "move": "b2"})),
        ("solve", j!({"game": "tic-tac-toe"})),
        ("values", j!({"game": "tic-tac-toe", "position": "XOX/.O./..."})),
        ("explain", j!({"game": "nim:3+5+7"})),
        ("analyse", j!({"game": "tic-tac-toe", "moves": "b2 b1 a1"})),
        ("grade", j!({"game": "tic-tac-toe", "games": "b2 b1 a1\nb2 a1"})),
        ("verify", j!({"game": "tic-tac-toe", "text": rules, "side": "second"})),
        ("check", win),
        ("puzzles", j!({"game": "tic-tac-toe", "seconds": 30})),
    ] {
        let answer = found(tool, &arguments);
        for (field, of) in agon_api::operation(tool).unwrap().fields {
            assert!(agon_api::schema::fits(&answer[field], *of), "{tool}: {field} of {answer}");
        }
    }
}

fn certificate() -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("win.agon");
    assert_eq!(common::agon(&["solve", "mnk:4,4,3", "--certificate", file.to_str().unwrap()]).code, 0);
    std::fs::read_to_string(&file).unwrap()
}

#[test]
fn answers_are_those_of_the_command_line() {
    let mut solved = found("solve", &j!({"game": "tic-tac-toe", "moves": "b2 b1"}));
    let mut printed = common::json(&["solve", "tic-tac-toe", "--moves", "b2 b1"]);
    for answer in [&mut solved, &mut printed] {
        // Times differ from run to run.
        answer["seconds"] = j!(0);
    }
    assert_eq!(
        (&solved["value"], &solved["best"], &solved["pv"]),
        (&printed["value"], &printed["best"], &printed["pv"])
    );
    assert_eq!(found("games", &j!({})), common::json(&["games"]));
    let refuted = found("verify", &j!({"game": "tic-tac-toe", "text": "rule anything\n", "side": "x", "claim": "win"}));
    assert_eq!(refuted["holds"], false);
    assert!(refuted["shortest_counterexample"]["moves"].is_array(), "{refuted}");
    let checked = found("check", &j!({"certificate": certificate()}));
    assert_eq!((&checked["holds"], &checked["game"]), (&j!(true), &j!("mnk:4,4,3")));
    let false_claim = certificate().replace("claim value win", "claim value draw");
    assert_eq!(found("check", &j!({"certificate": false_claim}))["holds"], false);
}

#[test]
fn no_file_is_opened_and_no_program_started() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret.toml");
    std::fs::write(&secret, "men = 2 # a secret").unwrap();
    let secret = secret.to_str().unwrap();
    for (tool, arguments) in [
        ("show", j!({"game": format!("board:{secret}")})),
        ("solve", j!({"game": format!("board:{secret}")})),
        ("check", j!({"certificate": format!("agon-certificate 1\ngame board:{secret}#{}\n", "0".repeat(32))})),
        ("show", j!({"game": "tic-tac-toe", "position": secret})),
        ("show", j!({"game": "tic-tac-toe", "load": secret})),
        ("solve", j!({"game": "tic-tac-toe", "table": secret})),
        ("verify", j!({"game": "tic-tac-toe", "text": format!("{secret}.rules"), "side": "first"})),
        (
            "verify",
            j!({"game": "tic-tac-toe", "text": "rule anything\n", "side": "first", "strategy": format!("x@{secret}")}),
        ),
        ("play", j!({"game": "tic-tac-toe", "move": "engine:sh -c true"})),
    ] {
        let result = asked(tool, &arguments);
        let said = result.to_string();
        let refused = result["isError"] == true || result["structuredContent"]["verdict"] == "corrupt";
        assert!(refused && !said.contains("a secret"), "{tool} {arguments}: {said}");
    }
}

#[test]
fn every_call_has_limits() {
    for (tool, arguments, why) in [
        ("solve", j!({"game": "tic-tac-toe", "seconds": 100_000}), "expected a number from 0.01 to 60"),
        ("show", j!({"game": "nim:1000000"}), "expected at most 100,000"),
        ("show", j!({"game": "nim:24+24", "moves": "24>23 ".repeat(2001)}), "2,001 moves is too long"),
        ("puzzles", j!({"game": "tic-tac-toe", "count": 1_000}), "expected a whole number from 1 to 10"),
        ("show", j!({"game": "x".repeat(2000)}), "expected at most 1,024"),
        ("show", j!({"game": "tic-tac-toe", "position": "x".repeat(70_000)}), "expected at most 65,536"),
        ("show", j!({}), "`game` is missing"),
        ("show", j!({"game": "chess"}), "chess"),
        ("play", j!({"game": "tic-tac-toe", "moves": "b2", "move": "b2"}), "expected one of"),
    ] {
        let said = refusal(tool, &arguments);
        assert!(said.contains(why), "{tool}: {said}");
    }
    // A value that is not proven in time is no failure.
    let open = found("solve", &j!({"game": "connect-four", "seconds": 0.2}));
    assert_eq!(open["value"], "unknown", "{open}");
    assert!(open["estimate"]["move"].is_string(), "{open}");
}

#[test]
fn calls_can_be_cancelled_and_other_messages_are_heard_meanwhile() {
    let slow = call(7, "solve", &j!({"game": "connect-four", "seconds": 60}));
    let ping = j!({"jsonrpc": "2.0", "id": 8, "method": "ping"});
    let cancel = j!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    let next = call(9, "show", &j!({"game": "tic-tac-toe"}));
    let said = answers(&[slow, ping, cancel, next]);
    let ids: Vec<&Json> = said.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&j!(8), &j!(9)], "a cancelled call is not answered");
}

#[test]
fn calls_that_still_run_when_the_input_ends_are_answered() {
    // Longer than the five seconds for which the SDK waits.
    let slow = call(1, "solve", &j!({"game": "connect-four", "seconds": 7}));
    let said = answers(&[slow, call(2, "show", &j!({"game": "tic-tac-toe"}))]);
    let ids: Vec<&Json> = said.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&j!(1), &j!(2)], "in their order");
    assert_eq!(said[0]["result"]["isError"], false, "{said:?}");
}

#[test]
fn only_so_many_calls_wait() {
    let slow = call(100, "solve", &j!({"game": "connect-four", "seconds": 2}));
    let others = (0..20).map(|id| call(id, "show", &j!({"game": "tic-tac-toe"})));
    let said = answers(&std::iter::once(slow).chain(others).collect::<Vec<_>>());
    assert_eq!(said.len(), 21);
    let full = said.iter().filter(|answer| answer["result"]["isError"] == true).collect::<Vec<_>>();
    assert_eq!(full.len(), 4, "{full:?}");
    assert!(full.iter().all(|answer| answer.to_string().contains("16 calls are waiting already")), "{full:?}");
}

#[test]
fn what_is_no_request_is_refused_as_json_rpc_says() {
    let long = format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{}\"}}", "x".repeat(17 << 20));
    let ping = j!({"jsonrpc": "2.0", "id": 5, "method": "ping"});
    for (line, id, code) in [
        ("{", j!(null), -32700),
        ("[]", j!(null), -32600),
        ("7", j!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": 1}"#, j!(1), -32600),
        (r#"{"id": 1, "method": "ping"}"#, j!(1), -32600),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, j!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": [1], "method": "ping"}"#, j!(null), -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "files/read"}"#, j!(1), -32601),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shell"}}"#, j!(1), -32602),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "show", "arguments": 7}}"#,
            j!(1),
            -32602,
        ),
        (long.as_str(), j!(null), -32600),
    ] {
        let answers = said(&format!("{}\n{line}\n{ping}\n", hello("2025-11-25")));
        let wrong = answers.iter().find(|answer| answer["error"].is_object()).unwrap_or_else(|| panic!("{line:.80}"));
        assert_eq!((&wrong["error"]["code"], &wrong["id"]), (&j!(code), &id), "{line:.80}");
        assert!(answers.len() == 3 && answers.iter().any(|answer| answer["id"] == 5), "{line:.80}: {answers:?}");
    }
    let twice = call(7, "solve", &j!({"game": "connect-four", "seconds": 1}));
    let said_twice = answers(&[twice.clone(), twice]);
    assert_eq!((said_twice.len(), &said_twice[0]["error"]["code"], &said_twice[1]["id"]), (2, &j!(-32600), &j!(7)));
    let nothing = said(
        "\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/other\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n\u{0}\n",
    );
    assert_eq!(nothing.len(), 1, "{nothing:?}");
    let before =
        said(&format!("{}\n{}\n{}\n", call(1, "show", &j!({"game": "tic-tac-toe"})), ping, hello("2025-11-25")));
    assert_eq!(before[0]["error"]["code"], -32602, "a session begins with `initialize`");
    assert_eq!((&before[1]["result"], &before[2]["id"]), (&j!({}), &j!("hello")));
}
