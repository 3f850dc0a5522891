"""The package from outside: positions, values, reports, exceptions."""

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import agon


def test_a_position_knows_its_moves_and_is_its_notation():
    start = agon.game("tic-tac-toe").start()
    assert start.moves() == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    after = start.play("b2 a1")
    assert (repr(after), after.history(), after.turn) == (".../.X./O..", ["b2", "a1"], "first")
    assert after.origin() == start and start.history() == []


def test_equal_positions_are_one_key():
    game = agon.game("tic-tac-toe")
    one, other = game.start().play("a1 b2 c3"), agon.game("mnk:3,3,3").start().play("c3 b2 a1")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != game.start() and one != repr(one) and one != agon.game("mnk:4,3,3").start()


def test_the_number_of_the_move_is_no_part_of_a_tak_position():
    game = agon.game("tak:3")
    one, other = game.start().play("a1 b2 c3"), game.position("x2,1/x,1,x/2,x2 2 7")
    assert one.turn == other.turn
    assert (one == other) == (hash(one) == hash(other))


def test_values_are_words_with_distances_and_order_by_preference():
    value = agon.game("tic-tac-toe").position("XX./OO./...").value()
    assert value == "win" and value.plies == 1 and int(value) == 1 and str(value) == "win in 1"
    values = agon.game("tic-tac-toe").position("XX./OO./...").values()
    assert max(values.values()) == value and values["c1"] < values["c3"]
    assert {"win": "a word"}[value] == "a word"


def test_the_best_move_takes_the_quickest_win_and_the_longest_defence():
    game = agon.game("tic-tac-toe")
    assert game.position("XX./OO./...").best() == "c3"
    assert game.position("XXX/OO./...").best() is None
    assert game.position("X.X/.O./...").best() == "b3"
    chance = random.Random(3)
    for spelling in ["tic-tac-toe", "mnk:4,4,3", "drop:5,4,4", "nim:2+3+4,play=misere", "antrin:3", "cram:3x3"]:
        for _ in range(20):
            position = agon.game(spelling).start()
            for _ in range(chance.randrange(8)):
                if not position.over:
                    position = position.play(chance.choice(position.moves()))
            if not position.over:
                best = position.best()
                values = position.values()
                assert values[best] == max(values.values()), (spelling, position, best, values)


def test_batches_are_arrays_of_numpy():
    start = agon.game("tic-tac-toe").start()
    children = [start.play(move).play(reply) for move in start.moves() for reply in start.play(move).moves()]
    values, plies = agon.values(children, plies=True)
    assert values.dtype == np.int8 and plies.dtype == np.int32 and values.flags.writeable
    assert values.tolist() == [int(child.value()) for child in children]
    assert all((value == 0) == (distance == -1) for value, distance in zip(values, plies))
    assert agon.values([]).shape == (0,)
    assert agon.values([start, agon.game("nim:1+2").start()]).tolist() == [0, 1]


def test_nim_values_are_those_of_winning_ways():
    # Kayles, Winning Ways, chapter 4.
    kayles = agon.grundy("0.77", 71)
    assert kayles.dtype == np.uint32 and len(kayles) == 72
    assert kayles[:12].tolist() == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    assert agon.grundy("0.77", 1000)[71 + 12 :].tolist() == agon.grundy("0.77", 1000)[71:-12].tolist()
    assert agon.grundy("0.77", 0).tolist() == [0]
    with pytest.raises(agon.errors.UsageError):
        agon.grundy("no code", 5)


def test_connect_four_is_valued_from_a_position_with_few_moves_left():
    game = agon.game("connect-four")
    position = game.start().play("4444445222522552366")
    assert position.value() == max(position.values().values())


def test_reports_are_dictionaries_that_read_as_text():
    report = agon.solve("mnk:4,4,3")
    assert report["value"] == "win" and report["plies"] == 5 and report.certificate is None
    assert "value  win for x, the mover" in str(report) and repr(report) == str(report)
    assert pickle.loads(pickle.dumps(report)) == report
    assert agon.count("tic-tac-toe")["positions"] == 5478


def test_a_certificate_is_checked_and_a_damaged_one_is_refused():
    certificate = agon.solve("tic-tac-toe", certificate=True).certificate
    assert agon.check(certificate)["verdict"] == "proved"
    with pytest.raises(agon.errors.Damaged) as damaged:
        agon.check(certificate[:-20])
    assert damaged.value.code == 4
    with pytest.raises(agon.errors.UsageError):
        agon.check(certificate, game="mnk:4,4,3")


def test_a_certificate_is_read_from_a_file(tmp_path):
    path = tmp_path / "proof.agon"
    path.write_bytes(agon.solve("nim:3+5", certificate=True).certificate)
    assert agon.check(path)["holds"] and agon.check(str(path))["holds"]


def test_a_strategy_is_a_name_a_text_or_a_function():
    game = agon.game("tic-tac-toe")
    named = agon.verify(game, "singh-objectives", side="second")
    written = agon.verify(game, game.strategy_text("singh-objectives"), side="second")
    assert named["holds"] is False and named["counterexample"] == written["counterexample"]

    def perfect(position):
        values = position.values()
        return [move for move, value in values.items() if value == max(values.values()).result]

    report = agon.verify(game, perfect, side="second", certificate=True)
    assert report["holds"] and report["strategy"] == "perfect"
    assert agon.check(report.certificate)["holds"]


def test_a_function_that_loses_is_refuted_with_a_line_and_repaired():
    def almost(position):
        """Perfect, but for the answer to the centre."""
        return "b3" if position.history() == [] and repr(position) == ".../.X./..." else position.best()

    report = agon.verify("tic-tac-toe", almost, side="second", claim="draw", repair=True)
    assert report["holds"] is False and report["shortest_counterexample"]["moves"][:2] == ["b2", "b3"]
    assert report["repair"]["holds"] is True and len(report["repair"]["exceptions"]) == 1


def test_what_a_function_raises_is_raised():
    def broken(position):
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        agon.verify("tic-tac-toe", broken)
    with pytest.raises(agon.errors.UsageError, match="the strategy plays `z9`"):
        agon.verify("tic-tac-toe", lambda position: "z9")
    with pytest.raises(agon.errors.UsageError, match="of type `int`"):
        agon.verify("tic-tac-toe", 7)


def test_a_function_without_an_answer_breaks_its_claim():
    assert agon.verify("tic-tac-toe", lambda position: None)["holds"] is False


def test_why_reads_as_text_and_has_its_parts():
    why = agon.game("tic-tac-toe").position("XX./OO./...").why()
    assert why["value"] == "win" and why["best"] == "c3" and "c3" in str(why)
    assert agon.why("nim:1+2")["value"] == "win"


def test_pictures_are_svg_and_text_with_marks_if_wanted():
    start = agon.game("tic-tac-toe").start()
    position = start.play("b2 a1")
    assert position._repr_svg_().startswith("<svg") and "X" in position.text()
    assert "▲" in position.text(values=True) or "■" in position.text(values=True)
    assert "[?" in position.text(values={"c3": "?"})
    with pytest.raises(agon.errors.UsageError):
        position.svg(values=["c3"])


def test_tables_hold_every_position(tmp_path):
    table = agon.Table.solve("antrin:3", tmp_path / "antrin")
    start = table.game.start()
    assert table.value(start) == "draw" and start.value() == "draw" and start in table
    children = [start.play(move) for move in start.moves()]
    assert table.values(children).tolist() == [int(table.value(child)) for child in children]
    assert agon.Table(tmp_path / "antrin").check()["verdict"] == "proved"
    assert table.longest().over and table.stats()[0]["name"] == "3-3"
    with pytest.raises(agon.errors.UsageError):
        table.value(agon.game("tic-tac-toe").start())
    with pytest.raises(agon.errors.UsageError):
        agon.Table.solve("antrin:3", tmp_path / "antrin")
    with pytest.raises(agon.errors.UsageError):
        agon.Table.solve("tic-tac-toe", tmp_path / "none")


def test_players_choose_legal_moves_and_repeat_themselves():
    start = agon.game("connect-four").start()
    for spelling in ["random", "mcts:playouts=100", "negamax:depth=2"]:
        moves = {agon.agent(spelling, seed=5).choose(start) for _ in range(3)}
        assert len(moves) == 1 and moves <= set(start.moves())
    assert agon.agent("perfect")(agon.game("tic-tac-toe").position("XX./OO./...")) == "c3"
    for wrong in ["tei:program", "engine:program", "human"]:
        with pytest.raises(agon.errors.UsageError):
            agon.agent(wrong)
    with pytest.raises(agon.errors.UsageError):
        agon.agent("nobody").choose(start)
    with pytest.raises(agon.errors.UsageError):
        agon.agent("random").choose(agon.game("tic-tac-toe").position("XXX/OO./..."))


def test_a_tournament_is_reproducible():
    play = lambda: agon.arena("tic-tac-toe", ["perfect", "random"], games=20, seed=3)
    report = play()
    assert report["games"] == 20 and {row["player"] for row in report["standings"]} == {"perfect", "random"}
    assert report["standings"] == play()["standings"]
    for players, games in [(["perfect"], 2), (["perfect", "random"], 3), (["tei:x", "random"], 2)]:
        with pytest.raises(agon.errors.UsageError):
            agon.arena("tic-tac-toe", players, games=games)


def test_failures_carry_codes_and_data():
    with pytest.raises(agon.errors.UsageError, match="did you mean connect-four") as wrong:
        agon.game("conect-four")
    assert wrong.value.code == 2 and isinstance(wrong.value, ValueError)
    with pytest.raises(agon.errors.NotOffered) as none:
        agon.solve("tic-tac-toe", method="magic")
    assert "alphabeta" in none.value.data["offered"]
    with pytest.raises(agon.errors.UsageError, match="expected one of"):
        agon.game("tic-tac-toe").start().play("z9")
    error = pickle.loads(pickle.dumps(none.value))
    assert (error.code, error.data) == (none.value.code, none.value.data)


def test_a_limit_leaves_an_exception_with_the_bounds():
    with pytest.raises(agon.errors.Stopped) as stopped:
        agon.game("tak:5").start().value(nodes=1000)
    assert stopped.value.data == {"stopped": "nodes", "lo": "loss", "hi": "win"} and stopped.value.code == 1
    with pytest.raises(agon.errors.Stopped) as stopped:
        agon.game("tak:5").start().values(time=0.01)
    assert stopped.value.data["stopped"] == "time"
    with pytest.raises(agon.errors.Stopped):
        agon.values([agon.game("connect-four").start()], nodes=1000)
    # What was open stays open only for this question.
    assert agon.game("tic-tac-toe").start().value() == "draw"


def test_positions_are_pickled_with_their_moves():
    position = agon.game("connect-four").start().play("4455")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.history() == position.history()


def test_other_threads_run_while_agon_works():
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    agon.count("mnk:4,4,4", plies=9)
    done.set()
    thread.join()
    assert counted[0] > 3


def test_ctrl_c_stops_long_work():
    code = (
        "import agon, sys\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    agon.solve('tak:6', time=600)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out == "interrupted\n" and process.returncode == 0


def test_progress_of_long_work_is_heard():
    heard = []
    agon.progress.show(lambda task, done, total, nodes: heard.append((task, nodes)))
    try:
        with pytest.raises(agon.errors.Stopped):
            agon.game("tak:6").start().value(time=3)
    finally:
        agon.progress.show(True)
    assert heard and heard[-1][1] > 0


def test_an_exception_of_the_listener_stops_the_work():
    def broken(*event):
        raise RuntimeError("no display")

    agon.progress.show(broken)
    try:
        with pytest.raises(RuntimeError, match="no display"):
            agon.game("tak:6").start().value(time=600)
    finally:
        agon.progress.show(True)


def test_games_are_listed_and_loaded():
    assert "drop" in [family["name"] for family in agon.games()]
    game = agon.game("connect-four")
    assert game.title == "Connect four" and "null-window" in game.methods and "human" not in game.players
    assert game.load("1. d d 2. e").history() == ["d", "d", "e"]
    assert hash(game) == hash(agon.game("drop:7,6,4")) and game == agon.game("drop:7,6,4")
