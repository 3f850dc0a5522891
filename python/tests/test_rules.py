"""Games that are written in Python."""

import pytest

import agon


class Counters:
    """A move takes one, two or three counters; the player who takes the last one wins."""

    def __init__(self, counters=21):
        self.counters = counters

    def start(self):
        return self.counters

    def moves(self, left):
        return range(1, min(left, 3) + 1)

    def play(self, left, taken):
        return left - taken

    def outcome(self, left):
        return "loss" if left == 0 else None


class TicTacToe:
    """Three in a row; a position is the nine cells."""

    name = "my-tic-tac-toe"
    players = ("x", "o")
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    cells = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]

    def start(self):
        return "........."

    def turn(self, board):
        return "x" if board.count("X") == board.count("O") else "o"

    def moves(self, board):
        return [name for name, mark in zip(self.cells, board) if mark == "."]

    def play(self, board, move):
        at = self.cells.index(move)
        return board[:at] + self.turn(board).upper() + board[at + 1 :]

    def outcome(self, board):
        for line in self.lines:
            marks = {board[i] for i in line}
            if len(marks) == 1 and marks != {"."}:
                return marks.pop().lower()
        return None if "." in board else "draw"

    def show(self, board):
        return board

    def parse(self, text):
        if len(text) != 9 or set(text) - set("XO."):
            raise ValueError("expected nine of X, O and .")
        return text

    def height(self, board):
        return board.count(".")

    def board(self, board):
        return [board[:3], board[3:6], board[6:]]

    def path(self, board, move):
        return [move]


class Circle:
    """Play can cycle: a token on a ring of five; whoever reaches 0 by a step of two wins."""

    def start(self):
        return (1, "first")

    def turn(self, position):
        return position[1]

    def moves(self, position):
        return ["one", "two"]

    def play(self, position, move):
        after = (position[0] + (1 if move == "one" else 2)) % 5
        other = "second" if position[1] == "first" else "first"
        return (10, other) if move == "two" and after == 0 else (after, other)

    def outcome(self, position):
        return "loss" if position[0] == 10 else None


def test_the_rules_of_four_methods_suffice():
    game = agon.game(Counters(8))
    start = game.start()
    assert repr(start) == "8:first" and start.moves() == ["1", "2", "3"]
    assert start.value() == "loss" and start.play("1").best() == "3"
    assert agon.solve(game)["plies"] == agon.solve(Counters(8))["plies"] == 4
    assert game.spelling == "counters" and "one, two or three" in game.rules


def test_it_is_counted_and_valued_like_the_game_that_agon_knows():
    own, known = agon.game(TicTacToe()), agon.game("tic-tac-toe")
    assert agon.count(own)["positions"] == agon.count(known)["positions"] == 5478
    assert agon.count(own)["games"] == agon.count(known)["games"]
    assert own.start().value() == known.start().value() == "draw"
    for moves in ["b2 b1", "a1 a2", "a1 c3 c1 b1", "a1 b2 c3"]:
        mine, theirs = own.start().play(moves), known.start().play(moves)
        assert {m: v.result for m, v in mine.values().items()} == {m: v.result for m, v in theirs.values().items()}
        assert mine.value().plies == theirs.value().plies
    assert own.start().perft(4) == known.start().perft(4)


def test_it_is_drawn_like_the_others():
    own, known = agon.game(TicTacToe()).start(), agon.game("tic-tac-toe").start()
    assert own.play("b2 a1").text() == known.play("b2 a1").text()
    assert own.play("b2").svg().startswith("<svg") and "■" in own.play("b2 a1 c1").text(values=True)
    assert agon.game(Counters()).start().text().strip() == "21:first"


def test_its_strategies_are_verified_and_its_certificates_checked():
    def leave_fours(position):
        left = int(repr(position).split(":")[0])
        return str(left % 4) if left % 4 else None

    game = agon.game(Counters())
    report = agon.verify(game, leave_fours, side="first", claim="win", certificate=True)
    assert report["holds"]
    assert agon.check(report.certificate, game=game)["verdict"] == "proved"
    # Another process would read the positions again.
    assert agon.check(report.certificate, game=Counters())["verdict"] == "proved"
    with pytest.raises(agon.errors.Damaged):
        agon.check(report.certificate)
    solved = agon.solve(agon.game(TicTacToe()), certificate=True)
    assert agon.check(solved.certificate, game=TicTacToe())["holds"]


def test_its_players_play():
    game = agon.game(TicTacToe())
    assert agon.agent("perfect").choose(game.position("XX.OO....")) == "c3"
    report = agon.arena(game, ["perfect", "mcts:playouts=50"], games=4)
    assert report["games"] == 4
    assert agon.why(game.position("XX.OO...."))["best"] == "c3"


def test_play_may_cycle():
    game = agon.game(Circle())
    values = {position: agon.solve(game.position(position))["value"] for position in ["(3,'first')", "(2,'second')"]}
    assert values["(3,'first')"] == "win"
    assert agon.count(game)["positions"] >= 10


def test_positions_are_read_again_from_their_text():
    game = agon.game(Counters())
    assert game.position("5:second").moves() == ["1", "2", "3"]
    for wrong in ["5", "five:first", "5:third", "[:first"]:
        with pytest.raises(agon.errors.UsageError):
            game.position(wrong)
    assert agon.game(TicTacToe()).position("X........").turn == "second"
    with pytest.raises(agon.errors.UsageError, match="expected nine of X, O and"):
        agon.game(TicTacToe()).position("XX")


@pytest.mark.parametrize(
    "name, answer, says",
    [
        ("outcome", lambda self, left: "maybe", "outcome returned `maybe`"),
        ("moves", lambda self, left: [], "the play goes on"),
        ("moves", lambda self, left: [1, 1], "two moves at `3:first` have the name `1`"),
        ("moves", lambda self, left: [""], "has the name"),
        ("play", lambda self, left, taken: None, "play returned None"),
        ("show", lambda self, left: "same", "two different positions have the text"),
        ("show", lambda self, left: "with blanks", "without blanks"),
        ("height", lambda self, left: 5, "expected it to decrease"),
        ("turn", lambda self, left: "nobody", "turn returned `nobody`"),
    ],
)
def test_rules_that_contradict_themselves_are_named(name, answer, says):
    broken = type("Broken", (Counters,), {name: answer})
    with pytest.raises(agon.errors.RulesError, match=says):
        agon.game(broken(3)).start().value()


def test_what_the_rules_raise_is_raised_from_then_on():
    class Broken(Counters):
        def moves(self, left):
            if left == 4:
                raise ZeroDivisionError("at four")
            return super().moves(left)

    game = agon.game(Broken())
    for ask in [agon.solve, agon.count, lambda game: game.start().value(), lambda game: game.start().moves()]:
        with pytest.raises(ZeroDivisionError, match="at four"):
            ask(game)


def test_positions_must_be_hashable_and_rules_complete():
    class Lists(Counters):
        def start(self):
            return [1]

    with pytest.raises(TypeError):
        agon.game(Lists())
    with pytest.raises(agon.errors.UsageError, match="it has no start, moves, play, outcome"):
        agon.game(7)
    with pytest.raises(agon.errors.UsageError, match="call it first"):
        agon.game(Counters)


def test_positions_of_two_games_are_different():
    assert agon.game(Counters()).start() != agon.game(Counters()).start()
