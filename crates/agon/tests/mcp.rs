//! `agon mcp` as a client sees it: lines of JSON in, lines of JSON out.

mod common;

use common::agon_with_input;
use serde_json::{Value as Json, json as j};

/// The answers to these messages, by the text of their ids.
fn answers(messages: &[Json]) -> Vec<Json> {
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    said(&lines)
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
    let hello = j!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let ready = j!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = j!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"});
    let ping = j!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let said = answers(&[hello, ready, list, ping]);
    assert_eq!(said.len(), 3, "a notification has no answer: {said:?}");
    assert_eq!((&said[0]["id"], &said[0]["result"]["protocolVersion"]), (&j!(0), &j!("2025-06-18")));
    assert_eq!((&said[0]["result"]["serverInfo"]["name"], &said[2]["result"]), (&j!("agon"), &j!({})));
    let tools = said[1]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["games", "rules", "show", "play", "solve", "values", "explain", "verify", "check", "puzzles", "grade"]
    {
        assert!(names.contains(&name), "{names:?}");
    }
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|about| about.ends_with('.')), "{tool}");
    }
    let other = j!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}});
    assert_eq!(answers(&[other])[0]["result"]["protocolVersion"], "2025-11-25");
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
fn what_is_no_request_is_refused_as_json_rpc_says() {
    let long = format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{}\"}}", "x".repeat(17 << 20));
    for (line, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "files/read"}"#, -32601),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shell"}}"#, -32602),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "show", "arguments": 7}}"#, -32602),
        (long.as_str(), -32600),
    ] {
        let answers = said(&format!("{line}\n{}\n", j!({"jsonrpc": "2.0", "id": 5, "method": "ping"})));
        assert_eq!(answers[0]["error"]["code"], code, "{:.80}", line);
        assert_eq!(answers[1]["id"], 5, "{:.80}", line);
    }
    let nothing = said("\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/other\"}\n\u{0}\n");
    assert_eq!(nothing.len(), 1, "{nothing:?}");
}
