"""Beside OpenSpiel. It is needed; AGON_WITHOUT_OPENSPIEL=1 leaves these tests out where it cannot be installed."""

import concurrent.futures
import importlib.metadata
import json
import multiprocessing
import os
import pathlib
import random

import pytest

if os.environ.get("AGON_WITHOUT_OPENSPIEL"):
    pytest.skip("OpenSpiel is left out by AGON_WITHOUT_OPENSPIEL", allow_module_level=True)

import pyspiel

import agon
import agon.openspiel as bridge

#: States of each game that are compared: 100,000 in all.
STATES = int(os.environ.get("AGON_OPENSPIEL_STATES", 100_000 // len(bridge.GAMES)))
PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/results/openspiel.md").read_text(encoding="utf-8")

#: The differences that docs/results/openspiel.md explains.
EXPLAINED = {
    "nim(pile_sizes=2;3;3;6,is_misere=False)": {"OpenSpiel counts moves of equal heaps apart"},
    "nim(pile_sizes=1;3;5;7,is_misere=True)": {"OpenSpiel counts moves of equal heaps apart"},
    "nine_mens_morris": {"OpenSpiel ends the play by its number of turns"},
}


@pytest.fixture(scope="module")
def compared():
    """The comparison of every game, two at a time, the longest first."""
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield {name: pool.submit(bridge.compare, name, STATES, seed=1) for name in reversed(bridge.GAMES)}


@pytest.mark.parametrize("name", bridge.GAMES)
def test_rules_agree_along_random_plays_but_for_what_is_explained(name, compared):
    answer = compared[name].result()
    assert answer["states"] == STATES and answer["perft"] > 0
    assert set(answer["differences"]) <= EXPLAINED.get(name, set()), answer["differences"]
    # Random plays depend on the order in which OpenSpiel lists moves.
    if STATES == 12_500 and f"OpenSpiel {importlib.metadata.version('open_spiel')}" in PAGE:
        assert bridge._table([answer]).splitlines()[-1] in PAGE.splitlines()


@pytest.mark.parametrize("name", bridge.GAMES)
def test_games_go_over_and_back(name):
    spiel = pyspiel.load_game(name)
    assert bridge.game(bridge.spiel_game(bridge.game(spiel))) == bridge.game(spiel)


@pytest.mark.parametrize("name", bridge.GAMES)
def test_states_go_over_and_back_by_history_and_by_board(name):
    spiel, chance = pyspiel.load_game(name), random.Random(3)
    for _ in range(5):
        state = spiel.new_initial_state()
        for _ in range(chance.randrange(14)):
            if state.is_terminal():
                break
            state.apply_action(chance.choice(state.legal_actions()))
            while "Capture time" in str(state):
                state.apply_action(chance.choice(state.legal_actions()))
        position = bridge.position(state)
        assert bridge.position(state, by="board") == position
        again = bridge.state(position)
        assert bridge.position(again) == position
        if "nim" not in name:
            assert str(again) == str(state)
        if name != "nine_mens_morris":
            other = bridge.state(position, by="board")
            assert bridge.position(other, by="board") == position


def test_a_board_of_a_json_state_is_read():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state(
        '{"board": ["x", "x", ".", "o", "o", ".", ".", ".", "."], "current_player": "x"}'
    )
    position = bridge.position(state, by="board")
    assert repr(position) == "XX./OO./..." and position.best() == "c3"


def test_what_has_no_counterpart_is_refused():
    with pytest.raises(agon.errors.UsageError, match="does not know the OpenSpiel game `kuhn_poker`"):
        bridge.game("kuhn_poker")
    with pytest.raises(agon.errors.UsageError, match="OpenSpiel does not know tak:5"):
        bridge.spiel_game("tak:5")
    morris = agon.game("morris:nine").position("WW./.../.../....../.../.../.BB:w:7-7")
    with pytest.raises(agon.errors.UsageError, match="cannot set up a board"):
        bridge.state(morris)
    state = pyspiel.load_game("nine_mens_morris").new_initial_state()
    for action in [0, 3, 1, 4, 2]:
        state.apply_action(action)
    with pytest.raises(agon.errors.UsageError, match="capture"):
        bridge.position(state)
    with pytest.raises(agon.errors.UsageError, match="needs tables"):
        bridge.Bot("nine_mens_morris")


@pytest.mark.parametrize("name", ["tic_tac_toe", "mnk(m=4,n=3,k=3)", "nim(pile_sizes=1;3;5;7,is_misere=True)", "connect_four(rows=4,columns=4,x_in_row=4)"])
def test_the_bot_never_gives_its_value_away(name):
    spiel, chance = pyspiel.load_game(name), random.Random(11)
    bot = bridge.Bot(spiel)
    start = int(bridge.game(spiel).start().value())
    for seat in (0, 1):
        for _ in range(15):
            state = spiel.new_initial_state()
            bot.restart()
            while not state.is_terminal():
                action = bot.step(state) if state.current_player() == seat else chance.choice(state.legal_actions())
                state.apply_action(action)
            assert state.returns()[seat] >= (start if seat == 0 else -start)


def test_the_bot_plays_in_the_loop_of_openspiel():
    spiel = pyspiel.load_game("tic_tac_toe")
    bots = [bridge.Bot(spiel), bridge.Bot(spiel)]
    assert pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 1) == [0.0, 0.0]
    policy, action = bots[0].step_with_policy(spiel.new_initial_state())
    assert dict(policy)[action] == 1.0


def three_against_three(chance):
    """A state of nine men's morris with three men on each side and nothing in hand."""
    spiel = pyspiel.load_game("nine_mens_morris")
    while True:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            parts = bridge._Morris().parts(state)
            # Enough turns are left for a win by force.
            if parts["board"].count("W") == parts["board"].count("B") == 3 and not parts["capturing"]:
                if parts["hands"] == ["0", "0"] and parts["turn"] < 120 and not state.is_terminal():
                    return state


def test_the_bot_wins_what_is_won_in_nine_mens_morris(tmp_path):
    # Three men against three: this table is small, and it leads to no other.
    table = agon.Table.solve("morris:nine", tmp_path / "tables", only="3-3")
    bot, chance, won = bridge.Bot("nine_mens_morris", table=table), random.Random(2), 0
    for _ in range(3):
        state = three_against_three(chance)
        side = state.current_player()
        value = table.value(table.game.position(bridge._Morris().board(state)))
        bot.restart()
        while not state.is_terminal():
            state.apply_action(bot.step(state) if state.current_player() == side else chance.choice(state.legal_actions()))
        assert state.returns()[side] >= int(value)
        won += value == "win"
    assert won > 0


def test_the_examples_of_the_bridge_are_true():
    import doctest

    assert doctest.testmod(bridge, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_the_table_of_the_results_names_what_is_explained():
    for name in bridge.GAMES:
        assert f"`{pyspiel.load_game(name)}`" in PAGE
    for what in set().union(*EXPLAINED.values()):
        assert what in PAGE


def test_the_bot_plays_the_usual_connect_four_from_the_middle_of_a_game():
    spiel, chance, moves = pyspiel.load_game("connect_four"), random.Random(5), 0
    bot = bridge.Bot(spiel, time=300)
    while moves < 4:
        state = spiel.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 24:
            state.apply_action(chance.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        position = bridge.position(state)
        chosen = position.values()[bridge.move(state, bot.step(state))]
        assert chosen == max(position.values().values())
        moves += 1
    with pytest.raises(agon.errors.Stopped):
        bridge.Bot(spiel, time=0.01).step(spiel.new_initial_state())


@pytest.mark.parametrize("name", bridge.GAMES)
def test_histories_of_openspiel_are_graded(name):
    spiel, chance, games = pyspiel.load_game(name), random.Random(9), []
    for _ in range(3):
        state = spiel.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 40:
            state.apply_action(chance.choice(state.legal_actions()))
        while not state.is_terminal() and "Capture time" in str(state):
            state.apply_action(chance.choice(state.legal_actions()))
        games.append(state)
    written = [{"game": str(spiel), "history": state.history()} for state in games]
    # What a file of OpenSpiel holds, and a list of numbers without a name.
    texts = [json.dumps(written[0]), pyspiel.serialize_game_and_state(spiel, games[1]), json.dumps(games[2].history())]
    for state, text in zip(games, texts):
        report = agon.grade(bridge.game(spiel), text, proven_only=True, time=0.001)
        assert report["unread"] == [] and [player["illegal"] for player in report["players"]] == [0, 0]
        assert report["games"][0]["moves"] == bridge.position(state).history()
