"""Play, count, solve and prove abstract strategy games; test strategies; check certificates.

>>> import agon
>>> start = agon.game("tic-tac-toe").start()
>>> start.value()
Value('draw')
>>> start.play("b2 b1").values()["a3"]
Value('win', plies=5)

A Game makes positions, and a Position answers questions: `moves`, `play`, `value`, `values`, `best`, `why`, `svg`.
`solve`, `count`, `verify`, `check` and `arena` give the reports of the command line, as dictionaries that read as text
when they are printed. Values are exact: they are proven, or there is an exception that says what stopped the proof.

Long work releases the lock of the interpreter, shows progress if tqdm is installed, and stops on Ctrl-C.
"""

import json as _json
import os as _os
import pathlib as _pathlib
import typing as _t

from agon import _agon, errors, progress
from agon._agon import (
    Agent,
    Game,
    Position,
    Table,
    Value,
    __version__,
    arena,
    check,
    count,
    game,
    games,
    grundy,
    solve,
    values,
    verify,
    why,
)
from agon.errors import AgonError
from agon.report import Report

__all__ = [
    "Agent",
    "AgonError",
    "Game",
    "Position",
    "Report",
    "Table",
    "Value",
    "__version__",
    "agent",
    "arena",
    "check",
    "count",
    "errors",
    "game",
    "games",
    "grade",
    "grundy",
    "progress",
    "solve",
    "values",
    "verify",
    "why",
]


def agent(spelling: str, *, seed: int = 1) -> Agent:
    """A player by its spelling: "perfect", "random", "mcts:playouts=500", "negamax:depth=4", or a strategy of a game.

    >>> agent("random", seed=7).choose(game("tic-tac-toe").start()) in game("tic-tac-toe").start().moves()
    True
    """
    return Agent(spelling, seed=seed)


#: A game, its spelling, or the rules of a game in Python.
_AnyGame = _t.Union[str, Game, _t.Any]
#: Games that are written down: a text, a file, a dictionary, a Position.
_Written = _t.Union[str, "_os.PathLike[str]", _t.Dict[str, _t.Any], Position]


def grade(
    game: _AnyGame,
    games: _t.Union[_Written, _t.Iterable[_Written]],
    *,
    table: _t.Union[None, str, "_os.PathLike[str]", Table] = None,
    proven_only: bool = False,
    time: float = 1.0,
    nodes: _t.Optional[int] = None,
    threads: _t.Optional[int] = None,
) -> Report:
    """Grades the players of games: legal moves, moves that keep the proven value, and what the others gave away.

    `games` is a text that `agon grade` reads (JSON lines, PTN, saved games, lists of moves, OpenSpiel histories), a
    path to a file of them, a dictionary like `{"players": [...], "moves": [...]}`, a Position, or a list of any of
    these. `table` is a directory of tables, or a Table. `time` in seconds and `nodes` limit each position. The report
    has the keys of `agon grade --json`, and `report.csv` is a line for each player.

    >>> played = {"players": ["ada", "bob"], "moves": "b2 b1 a1 c3 a3 a2 c1"}
    >>> report = grade("tic-tac-toe", played)
    >>> [(player["name"], player["given_away"]["draw_to_loss"]) for player in report["players"]]
    [('ada', 0), ('bob', 1)]
    """
    if table is not None:
        game = (table if isinstance(table, Table) else Table(table)).game
    return _agon.grade(game, _texts(games), proven_only=proven_only, time=time, nodes=nodes, threads=threads)


def _texts(games: _t.Any) -> _t.List[_t.Tuple[_t.Optional[str], str]]:
    """The games as texts, each with the name of its file."""
    if isinstance(games, str):
        return [(None, games)]
    if isinstance(games, _os.PathLike):
        try:
            return [(_os.fspath(games), _pathlib.Path(games).read_text(encoding="utf-8"))]
        except UnicodeDecodeError:
            data = {"path": _os.fspath(games), "why": "it is not a text file"}
            raise errors.Damaged(f"`{_os.fspath(games)}`: it is not a text file", 4, data) from None
    if isinstance(games, Position):
        return [(None, _json.dumps({"from": repr(games.origin()), "moves": games.history()}))]
    if isinstance(games, dict):
        return [(None, _json.dumps(games))]
    return [text for one in games for text in _texts(one)]


def _restored(spelling: str, origin: str, moves: list) -> Position:
    """A position that was pickled."""
    position = game(spelling).position(origin)
    for move in moves:
        position = position.play(move)
    return position
