"""Talks to `agon mcp` as an assistant would, with the client of the official Python SDK, in two versions of the protocol:
the newest, whose sessions begin with `server/discover`, and the newest that begins with `initialize`."""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp import Client, StdioServerParameters

AGON = str(Path(sys.argv[1]).resolve())
RULES = "rule win\n  only wins\nrule anything\n"


async def answer(session, tool, **arguments):
    """The answer of a tool; the client checks it against the schema of the tool."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, f"{tool}: {result.content[0].text}"
    assert json.loads(result.content[0].text) == result.structured_content, tool
    return result.structured_content


async def refusal(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert result.is_error, f"{tool} {arguments}: {result.structured_content}"
    return result.content[0].text


async def talk(session):
    assert session.server_info.name == "agon" and session.instructions, session.server_info
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert {"games", "rules", "show", "play", "solve", "explain", "verify", "check", "puzzles"} <= set(tools), tools
    assert all(tool.output_schema and tool.annotations.read_only_hint for tool in tools.values())

    families = (await answer(session, "games"))["families"]
    assert any(family["family"] == "mnk" for family in families)
    assert (await answer(session, "rules", game="connect-four"))["first_move_count"] == 7

    # A game from the start to its end, with the moves that the tools give.
    moves = []
    while True:
        shown = await answer(session, "show", game="tic-tac-toe", moves=" ".join(moves))
        if shown["over"]:
            break
        moves.append((await answer(session, "solve", game="tic-tac-toe", moves=" ".join(moves)))["best"])
    assert shown["status"] == "draw", shown

    lost = await answer(session, "values", game="tic-tac-toe", position="XOX/.O./...")
    assert [move["move"] for move in lost["values"] if move["value"] == "draw"] == ["b1"], lost
    why = await answer(session, "explain", game="tic-tac-toe", moves="b2 b1")
    assert "wins" in why["sentence"], why
    analysed = await answer(session, "analyse", game="tic-tac-toe", moves="b2 b1 a1")
    assert analysed["first_mistake"] == 2, analysed
    graded = await answer(session, "grade", game="tic-tac-toe", games="b2 b1 a1\nb2 a1")
    assert graded["players"][1]["given_away"]["draw_to_loss"] == 1, graded
    verified = await answer(session, "verify", game="tic-tac-toe", text=RULES, side="second", claim="draw")
    assert verified["holds"] is False and verified["shortest_counterexample"]["moves"], verified
    puzzle = (await answer(session, "puzzles", game="tic-tac-toe", seconds=60))["puzzles"][0]
    assert puzzle["solution"], puzzle

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "win.agon")
        subprocess.run([AGON, "solve", "mnk:4,4,3", "--certificate", file, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        text = file.read_text()
    assert (await answer(session, "check", certificate=text))["holds"] is True
    assert (await answer(session, "check", certificate=text.replace("win", "loss")))["holds"] is False

    assert "expected one of" in await refusal(session, "play", game="tic-tac-toe", moves="b2", move="b2")
    assert "board" in await refusal(session, "show", game="board:/etc/passwd")
    assert "0.01 to 60" in await refusal(session, "solve", game="tic-tac-toe", seconds=3600)
    return len(tools)


async def main():
    server = StdioServerParameters(command=AGON, args=["mcp"])
    for mode, expected in [("auto", "2026-07-28"), ("legacy", "2025-11-25")]:
        async with Client(server, mode=mode) as session:
            version = session.protocol_version
            # The client falls back to older versions, so it says which one it speaks.
            assert version == expected, f"the protocol of mode {mode} is {version}, not {expected}"
            if mode == "legacy":
                await session.session.send_ping()
            tools = await talk(session)
        print(f"{tools} tools answer the client of the Python SDK in version {version}, and their answers fit their schemas")


asyncio.run(main())
