"""A bridge to OpenSpiel: the games that both know, their states and moves, and a bot that plays perfectly there.

It needs the package `open_spiel`. The games are `tic_tac_toe`, `connect_four`, `mnk`, `nim` and `nine_mens_morris`;
docs/results/openspiel.md lists where the rules differ.

>>> import agon.openspiel, pyspiel
>>> state = pyspiel.load_game("connect_four").new_initial_state()
>>> state.apply_action(3)
>>> position = agon.openspiel.position(state)
>>> position.history()
['d']
>>> agon.openspiel.state(position.play("d")).history()
[3, 3]
"""

from __future__ import annotations

import random
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import pyspiel

import agon
from agon.errors import UsageError

__all__ = ["Bot", "actions", "compare", "game", "move", "position", "spiel_game", "state"]

#: The points of nine men's morris in OpenSpiel's order, by the names that agon gives them.
_POINTS = (
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
).split()
_PLACE = {name: number for number, name in enumerate(_POINTS)}
#: The points in the rows of agon's notation.
_ROWS = (3, 3, 3, 6, 3, 3, 3)
#: An OpenSpiel game of nine men's morris is a draw after so many turns; agon's has no end by count.
MOST_TURNS = 200


class _Rows:
    """Marks in a grid: tic_tac_toe and mnk."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows

    def move(self, state: Any, action: int) -> str:
        row, column = divmod(action, self.columns)
        return f"{chr(ord('a') + column)}{self.rows - row}"

    def turns(self, state: Any) -> Iterator[Tuple[str, Any]]:
        """Every move of a state with the state after it."""
        for action in state.legal_actions():
            yield self.move(state, action), state.child(action)

    def count(self, state: Any) -> int:
        """The number of different moves of a state."""
        return len(state.legal_actions())

    def actions(self, state: Any, move: str) -> List[int]:
        column, row = ord(move[0]) - ord("a"), self.rows - int(move[1:])
        return [row * self.columns + column]

    def board(self, state: Any) -> str:
        return "/".join(str(state).split()[: self.rows]).upper()

    def order(self, start: Any, text: str) -> List[int]:
        cells = text.replace("/", "")
        places = [[i for i, cell in enumerate(cells) if cell == mark] for mark in "XO"]
        return _arranged(start, places)


class _Columns(_Rows):
    """Pieces that fall: connect_four."""

    def move(self, state: Any, action: int) -> str:
        return chr(ord("a") + action)

    def actions(self, state: Any, move: str) -> List[int]:
        return [ord(move) - ord("a")]

    def order(self, start: Any, text: str) -> List[int]:
        rows = text.split("/")
        stacks = ["".join(row[x] for row in reversed(rows)).rstrip(".") for x in range(self.columns)]
        heights, states, played, dead = [0] * self.columns, [start], [], set()

        def build() -> bool:
            """Plays the pieces in some legal order; a play that ends too early is taken back."""
            if sum(heights) == sum(map(len, stacks)):
                return True
            if tuple(heights) in dead or states[-1].is_terminal():
                return False
            mark = "XO"[sum(heights) % 2]
            for column, stack in enumerate(stacks):
                if heights[column] < len(stack) and stack[heights[column]] == mark:
                    states.append(states[-1].child(column))
                    heights[column] += 1
                    played.append(column)
                    if build():
                        return True
                    states.pop()
                    heights[column] -= 1
                    played.pop()
            dead.add(tuple(heights))
            return False

        if not build():
            raise UsageError(f"no play leads to `{text}`", 2)
        return played


class _Heaps(_Rows):
    """Nim: OpenSpiel tells equal heaps apart, agon does not."""

    def __init__(self, heaps: Sequence[int]) -> None:
        self.heaps = list(heaps)

    def now(self, state: Any) -> List[int]:
        return [int(heap) for heap in str(state).split(":")[1].split()]

    def move(self, state: Any, action: int) -> str:
        take, heap = divmod(action, len(self.heaps))
        size = self.now(state)[heap]
        return f"{size}>{size - take - 1}"

    def count(self, state: Any) -> int:
        now = self.now(state)
        return len({(action // len(now), now[action % len(now)]) for action in state.legal_actions()})

    def actions(self, state: Any, move: str) -> List[int]:
        size, left = (int(number) for number in move.split(">"))
        return [(size - left - 1) * len(self.heaps) + heap for heap, now in enumerate(self.now(state)) if now == size]

    def board(self, state: Any) -> str:
        heaps = sorted(heap for heap in self.now(state) if heap)
        side = "@second" if str(state).startswith("(1)") else ""
        return ("+".join(map(str, heaps)) or "0") + side

    def order(self, start: Any, text: str) -> List[int]:
        body, _, side = text.partition("@")
        left = sorted((int(heap) for heap in body.split("+") if heap != "0"), reverse=True)
        left += [0] * (len(self.heaps) - len(left))
        # The largest heaps come from the largest heaps.
        by_size = sorted(range(len(self.heaps)), key=lambda heap: -self.heaps[heap])
        target = dict(zip(by_size, left))
        surplus = [(heap, self.heaps[heap] - target[heap]) for heap in by_size]
        if len(left) > len(self.heaps) or any(more < 0 for _, more in surplus):
            raise UsageError(f"no play leads from {self.heaps} to `{text}`", 2)
        surplus = [(heap, more) for heap, more in surplus if more]
        odd = side == "second"
        takes = list(surplus)
        if len(takes) % 2 != odd:
            splittable = next((i for i, (_, more) in enumerate(takes) if more > 1), None)
            if splittable is None:
                raise UsageError(f"no play leads to `{text}` with that side to move", 2)
            heap, more = takes[splittable]
            takes[splittable : splittable + 1] = [(heap, 1), (heap, more - 1)]
        return [(more - 1) * len(self.heaps) + heap for heap, more in takes]


class _Morris(_Rows):
    """Nine men's morris. A move of agon that closes a mill is two actions of OpenSpiel: the move, and the capture."""

    def __init__(self) -> None:
        pass

    def turns(self, state: Any) -> Iterator[Tuple[str, Any]]:
        mover = state.current_player()
        for action in state.legal_actions():
            name, after = self.move(state, action), state.child(action)
            if after.current_player() == mover:
                # The same side is to move once more: a capture is due.
                for capture in after.legal_actions():
                    yield f"{name}x{_POINTS[capture]}", after.child(capture)
            else:
                yield name, after

    def count(self, state: Any) -> int:
        mover, total = state.current_player(), 0
        for action in state.legal_actions():
            after = state.child(action)
            total += len(after.legal_actions()) if after.current_player() == mover else 1
        return total

    def move(self, state: Any, action: int) -> str:
        if action < len(_POINTS):
            return _POINTS[action]
        source, target = divmod(action - len(_POINTS), len(_POINTS))
        return f"{_POINTS[source]}-{_POINTS[target]}"

    def actions(self, state: Any, move: str) -> List[int]:
        body, _, taken = move.partition("x")
        source, _, target = body.partition("-")
        first = len(_POINTS) * (1 + _PLACE[source]) + _PLACE[target] if target else _PLACE[source]
        return [first, _PLACE[taken]] if taken else [first]

    def parts(self, state: Any) -> Dict[str, Any]:
        """What stands below the board of a state."""
        lines = str(state).splitlines()
        facts = dict(line.split(": ", 1) for line in lines if ": " in line)
        return {
            "board": "".join(c for line in lines[:13] for c in line if c in ".WB"),
            "side": facts["Current player"].strip().lower(),
            "hands": facts["Men to deploy"].split(),
            "turn": int(facts["Turn number"]),
            "capturing": "Capture time!" in str(state),
        }

    def board(self, state: Any) -> str:
        parts = self.parts(state)
        rows, at = [], 0
        for length in _ROWS:
            rows.append(parts["board"][at : at + length])
            at += length
        return "/".join(rows) + f":{parts['side']}:" + "-".join(parts["hands"])

    def order(self, start: Any, text: str) -> List[int]:
        raise UsageError(
            "OpenSpiel cannot set up a board of nine men's morris; give a position that was reached by moves", 2
        )


def _arranged(start: Any, places: List[List[int]]) -> List[int]:
    """Moves that place the marks one after the other. No line may be complete before the last mark."""
    total = sum(map(len, places))
    if not 0 <= len(places[0]) - len(places[1]) <= 1:
        raise UsageError("no play leads to this board: x moves first, and the sides take turns", 2)
    played: List[int] = []

    def build(state: Any, left: List[List[int]]) -> bool:
        if len(played) == total:
            return True
        if state.is_terminal():
            return False
        side = len(played) % 2
        for place in left[side]:
            played.append(place)
            rest = list(left)
            rest[side] = [other for other in left[side] if other != place]
            if build(state.child(place), rest):
                return True
            played.pop()
        return False

    if not build(start, places):
        raise UsageError("no play leads to this board", 2)
    return played


def _kind(game: Any) -> Any:
    """How states and actions of an OpenSpiel game are read."""
    name, values = game.get_type().short_name, game.get_parameters()
    if name == "tic_tac_toe":
        return _Rows(3, 3)
    if name == "mnk":
        return _Rows(int(values.get("m", 3)), int(values.get("n", 3)))
    if name == "connect_four":
        return _Columns(int(values.get("columns", 7)), int(values.get("rows", 6)))
    if name == "nim":
        return _Heaps([int(heap) for heap in str(values.get("pile_sizes", "1;3;5;7")).split(";")])
    if name == "nine_mens_morris":
        return _Morris()
    known = "tic_tac_toe, connect_four, mnk, nim, nine_mens_morris"
    raise UsageError(f"agon does not know the OpenSpiel game `{name}`: expected one of {known}", 2)


def game(spiel: Any) -> agon.Game:
    """The game of agon for a game of OpenSpiel, or for its name.

    >>> game("mnk(m=5,n=4,k=4)")
    Game('mnk:5,4,4')
    """
    spiel = pyspiel.load_game(spiel) if isinstance(spiel, str) else spiel
    _kind(spiel)
    name, values = spiel.get_type().short_name, spiel.get_parameters()
    if name == "tic_tac_toe":
        return agon.game("mnk:3,3,3")
    if name == "mnk":
        return agon.game("mnk:{},{},{}".format(values.get("m", 3), values.get("n", 3), values.get("k", 3)))
    if name == "connect_four":
        sizes = values.get("columns", 7), values.get("rows", 6), values.get("x_in_row", 4)
        return agon.game("drop:{},{},{}".format(*sizes))
    if name == "nim":
        heaps = str(values.get("pile_sizes", "1;3;5;7")).replace(";", "+")
        return agon.game(f"nim:{heaps}" + (",play=misere" if values.get("is_misere", True) else ""))
    return agon.game("morris:nine")


def spiel_game(game: Union[str, agon.Game]) -> Any:
    """The game of OpenSpiel for a game of agon.

    >>> str(spiel_game("drop:6,5,4"))
    'connect_four(columns=6,rows=5,x_in_row=4)'
    """
    game = game if isinstance(game, agon.Game) else agon.game(game)
    family, _, rest = game.spelling.partition(":")
    if game.spelling == "mnk:3,3,3":
        return pyspiel.load_game("tic_tac_toe")
    if family == "mnk":
        m, n, k = rest.split(",")
        return pyspiel.load_game(f"mnk(m={m},n={n},k={k})")
    if family == "drop":
        m, n, k = rest.split(",")
        return pyspiel.load_game("connect_four", {"columns": int(m), "rows": int(n), "x_in_row": int(k)})
    if family == "nim":
        heaps, *keyed = rest.split(",")
        values = {"pile_sizes": heaps.replace("+", ";"), "is_misere": "play=misere" in keyed}
        return pyspiel.load_game("nim", values)
    if game.spelling == "morris:nine":
        return pyspiel.load_game("nine_mens_morris")
    raise UsageError(f"OpenSpiel does not know {game.spelling}: expected mnk, drop, nim or morris:nine", 2)


def move(state: Any, action: int) -> str:
    """The move of an action, as agon writes it. In nine men's morris, the capture that may follow is not part of it."""
    return _kind(state.get_game()).move(state, action)


def actions(state: Any, move: str) -> List[int]:
    """The actions of a move: one, or in nine men's morris two if it closes a mill; in nim, one for each equal heap."""
    return _kind(state.get_game()).actions(state, move)


def _moves(state: Any) -> Iterator[str]:
    """The moves that led to a state. A capture belongs to the move before it."""
    kind, now, pending = _kind(state.get_game()), state.get_game().new_initial_state(), None
    for action in state.history():
        name = kind.move(now, action)
        now.apply_action(action)
        if pending is not None:
            yield f"{pending}x{name}"
            pending = None
        elif isinstance(kind, _Morris) and not now.is_terminal() and kind.parts(now)["capturing"]:
            pending = name
        else:
            yield name
    if pending is not None:
        raise UsageError(f"after `{pending}` a capture is due; agon has no such position: capture first", 2)


def position(state: Any, *, by: str = "history") -> agon.Position:
    """The position of a state: by its history, or by its board (a state that was set up has no history)."""
    own = game(state.get_game())
    if by == "board":
        kind = _kind(state.get_game())
        if isinstance(kind, _Morris) and kind.parts(state)["capturing"]:
            raise UsageError("a capture is due; agon has no such position: capture first", 2)
        return own.position(kind.board(state))
    if by != "history":
        raise UsageError(f"invalid by `{by}`: expected history or board", 2)
    found = own.start()
    for name in _moves(state):
        found = found.play(name)
    return found


def state(position: agon.Position, *, by: str = "history") -> Any:
    """The state of a position: by its moves from the start, or by its board.

    A board becomes a state by some play that leads to it; OpenSpiel has no boards of nine men's morris.
    """
    spiel = spiel_game(position.game)
    kind, now = _kind(spiel), spiel.new_initial_state()
    if by == "history" and position.origin() == position.game.start():
        for name in position.history():
            for action in kind.actions(now, name)[: None if isinstance(kind, _Morris) else 1]:
                now.apply_action(action)
        return now
    if by not in ("history", "board"):
        raise UsageError(f"invalid by `{by}`: expected history or board", 2)
    for action in kind.order(now, repr(position)):
        now.apply_action(action)
    return now


class Bot(pyspiel.Bot):
    """A bot for OpenSpiel that plays perfectly: a quickest win, a draw, or the longest defence.

    It solves each position where it has to move: from the start of a Connect Four of 7 x 6 that takes about half a
    minute, and less with every move. `time` limits a move, in seconds. Nine men's morris is too large to solve while
    playing: give the directory of its tables (`agon.Table.solve`).

    >>> ttt = pyspiel.load_game("tic_tac_toe")
    >>> state = ttt.new_initial_state()
    >>> for action in [0, 8, 1]:
    ...     state.apply_action(action)
    >>> Bot(ttt).step(state)
    2
    """

    def __init__(self, spiel: Any, *, table: Optional[Any] = None, time: Optional[float] = None) -> None:
        super().__init__()
        self._time = time
        spiel = pyspiel.load_game(spiel) if isinstance(spiel, str) else spiel
        self._own, self._kind = game(spiel), _kind(spiel)
        table = agon.Table(table) if table is not None and not isinstance(table, agon.Table) else table
        if isinstance(self._kind, _Morris) and table is None:
            raise UsageError("nine men's morris needs tables: Bot(game, table=DIRECTORY), from agon.Table.solve", 2)
        if table is not None:
            self._own = table.game
        #: The capture that belongs to the move that was just made.
        self._pending: Optional[int] = None

    def restart(self) -> None:
        self._pending = None

    def restart_at(self, state: Any) -> None:
        self._pending = None

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        pass

    def step(self, state: Any) -> int:
        """A best action. With a `time`, `agon.errors.Stopped` says that none is proven within it."""
        if self._pending is not None and self._pending in state.legal_actions() and self._kind.parts(state)["capturing"]:
            action, self._pending = self._pending, None
            return action
        self._pending = None
        if isinstance(self._kind, _Morris) and self._kind.parts(state)["capturing"]:
            return self._capture(state)
        best = self._own.position(self._kind.board(state)).best(time=self._time)
        first, *rest = self._kind.actions(state, best)
        if isinstance(self._kind, _Morris) and rest:
            self._pending = rest[0]
        return first

    def _capture(self, state: Any) -> int:
        """The best capture after a move that somebody else has chosen."""
        best: Optional[agon.Value] = None
        chosen = state.legal_actions()[0]
        for action in state.legal_actions():
            after = state.child(action)
            if after.is_terminal():
                return action
            value = self._own.position(self._kind.board(after)).value(time=self._time)
            # The value is the opponent's: the least is the best.
            if best is None or value < best:
                best, chosen = value, action
        return chosen

    def step_with_policy(self, state: Any):
        action = self.step(state)
        return [(other, float(other == action)) for other in state.legal_actions()], action


#: The games of the comparison.
GAMES = (
    "tic_tac_toe",
    "connect_four",
    "connect_four(rows=5,columns=6,x_in_row=4)",
    "mnk(m=5,n=4,k=4)",
    "mnk(m=3,n=6,k=3)",
    "nim(pile_sizes=1;3;5;7,is_misere=True)",
    "nim(pile_sizes=2;3;3;6,is_misere=False)",
    "nine_mens_morris",
)


def compare(spiel: Any, states: int, *, seed: int = 1) -> Dict[str, Any]:
    """Compares the rules of OpenSpiel and agon along random plays.

    At each state: the position by history and by board, the moves and whether the play is over, the winner, and the
    number of moves after each move (perft to depth 2). The answer counts the states and each kind of difference, with
    an example.

    >>> compare("tic_tac_toe", 200)["differences"]
    {}
    """
    spiel = pyspiel.load_game(spiel) if isinstance(spiel, str) else spiel
    own, kind, chance = game(spiel), _kind(spiel), random.Random(seed)
    answer: Dict[str, Any] = {
        "game": str(spiel), "agon": own.spelling, "states": 0, "over": 0, "plays": 0, "perft": 0, "differences": {},
    }

    def differs(what: str, state: Any, position: Any) -> None:
        entry = answer["differences"].setdefault(what, {"count": 0, "example": repr(position), "history": state.history()})
        entry["count"] += 1

    def result(now: Any) -> Optional[str]:
        """`first`, `second` or `draw`."""
        returns = now.returns()
        return "first" if returns[0] > 0 else "second" if returns[1] > 0 else "draw"

    while answer["states"] < states:
        now, here = spiel.new_initial_state(), own.start()
        answer["plays"] += 1
        while answer["states"] < states:
            answer["states"] += 1
            if own.position(kind.board(now)) != here:
                differs("the board is another position than the history", now, here)
            if now.is_terminal():
                answer["over"] += 1
                capped = isinstance(kind, _Morris) and kind.parts(now)["turn"] >= MOST_TURNS
                if not here.over:
                    differs("OpenSpiel ends the play by its number of turns" if capped else "only OpenSpiel ends the play", now, here)
                elif (here.winner or "draw") != result(now):
                    differs("the winner is another one", now, here)
                break
            if here.over:
                differs("only agon ends the play", now, here)
                break
            if ("first", "second")[now.current_player()] != here.turn:
                differs("the side to move is another one", now, here)
            after = list(kind.turns(now))
            names, moves = [name for name, _ in after], here.moves()
            if set(names) != set(moves):
                differs("the moves are others", now, here)
                break
            if len(names) != len(moves):
                differs("OpenSpiel counts moves of equal heaps apart", now, here)
            # perft to depth 2, move by move: in nim, one of the equal heaps stands for all.
            children = dict(after)
            for name in moves:
                count, theirs = len(here.play(name).moves()), kind.count(children[name])
                answer["perft"] += count
                if count != theirs:
                    capped = isinstance(kind, _Morris) and kind.parts(children[name])["turn"] >= MOST_TURNS
                    differs("OpenSpiel ends the play by its number of turns" if capped else "perft is another number", now, here)
            name, now = chance.choice(after)
            here = here.play(name)
    return answer


def _table(answers: Sequence[Dict[str, Any]]) -> str:
    """The comparison as a table of Markdown."""
    rows = ["| OpenSpiel | agon | states | finished | moves after moves compared | differences |", "|---|---|---:|---:|---:|---|"]
    for answer in answers:
        found = "; ".join(f"{what} ({entry['count']:,})" for what, entry in sorted(answer["differences"].items())) or "none"
        rows.append(
            f"| `{answer['game']}` | `{answer['agon']}` | {answer['states']:,} | {answer['over']:,} | {answer['perft']:,} | {found} |"
        )
    return "\n".join(rows)


def _main() -> None:
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m agon.openspiel",
        description="Compares the rules of OpenSpiel and agon along random plays.",
        epilog="Example: python -m agon.openspiel --states 100000",
    )
    parser.add_argument("--states", type=int, default=100_000, help="states in all games together (default: 100000)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random plays (default: 1)")
    parser.add_argument("games", nargs="*", default=GAMES, help="games of OpenSpiel (default: all that both know)")
    args = parser.parse_args()
    share, more = divmod(args.states, len(args.games))
    answers = [compare(name, share + (i < more), seed=args.seed) for i, name in enumerate(args.games)]
    print(_table(answers))


if __name__ == "__main__":
    _main()
