"""Simulation: equal games compiled, interpreted and in threads; counts and statistics."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from fractions import Fraction

import pytest

from archipel import OptionError, UnknownGameError
from archipel.bots import Bot, UnknownBotError
from archipel.rules import play_out
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.rules.kit.core.loading import can_compile
from archipel.study import Progress, UnfinishedGameError, simulate
from archipel.study.progress import COMPILING, NO_COMPILER
from archipel.study.simulation import simulate as module
from archipel.study.simulation.simulate import SimulationResult, Tally

needs_numba = pytest.mark.skipif(not can_compile(), reason="Numba is not installed")

MIXED = ["greedy-1", "random", "greedy-1"]


def test_same_games_as_live_bots() -> None:
    """Games with live bots and the same random streams."""
    definition = game_named("deep-sea")
    names, seed = ["greedy-1", "random", "random"], 11
    tally = Tally(3)
    for number in range(6):
        key = stream_key(seed, number)
        chance = Stream(key)
        s = definition.new(definition.make_options(3), chance)
        moves = 0
        while (seat := definition.to_move(s)) >= 0:
            choices = Stream(stream_key(stream_key(key, 1), moves))
            bot = Bot.named("deep-sea", names[(seat - number) % 3])
            legal = definition.legal_actions(s)
            action = bot.choose(definition.seen(s, seat), legal, chance=choices)
            definition.apply(s, action, chance)
            moves += 1
        seats = [(entrant + number) % 3 for entrant in range(3)]
        tally.add(
            [number % 3],
            [moves],
            [[definition.rank(s, seat)] for seat in seats],
            [[definition.score(s, seat)] for seat in seats],
        )
    assert simulate("deep-sea", names, 6, seed=seed, compiled=False).tally == tally


@needs_numba
@pytest.mark.parametrize("rotate", [True, False])
def test_compiled_and_interpreted_results_are_equal(rotate: bool) -> None:
    interpreted = simulate("deep-sea", MIXED, 60, seed=4, rotate=rotate, compiled=False)
    compiled = simulate("deep-sea", MIXED, 60, seed=4, rotate=rotate, compiled=True)
    assert not interpreted.compiled
    assert compiled.compiled
    assert compiled == interpreted
    assert str(compiled) == str(interpreted)
    assert json.dumps(compiled.to_dict()) == json.dumps(interpreted.to_dict())


@needs_numba
def test_result_does_not_depend_on_threads() -> None:
    texts = {str(simulate("deep-sea", MIXED, 2_100, seed=9, workers=jobs)) for jobs in (1, 2, 5)}
    assert len(texts) == 1


def test_result_does_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate("deep-sea", MIXED, 20, compiled=False)
    monkeypatch.setattr(module, "BATCH", 7)
    assert simulate("deep-sea", MIXED, 20, compiled=False) == whole


def test_seeds_give_different_games() -> None:
    first, second = (simulate("deep-sea", MIXED, 20, seed=seed, compiled=False) for seed in (1, 2))
    assert first.tally != second.tally


def test_seats_rotate() -> None:
    rotating = simulate("deep-sea", ["greedy", "random"], 20, compiled=False)
    assert [won.games for won in rotating["greedy-1"].by_seat] == [10, 10]
    assert "Seats rotate" in str(rotating)
    fixed = simulate("deep-sea", ["greedy", "random"], 20, compiled=False, rotate=False)
    assert [won.games for won in fixed["greedy-1"].by_seat] == [20, 0]
    assert "Seats are fixed: greedy-1 in seat 1, random in seat 2." in str(fixed)


def test_options() -> None:
    definition = game_named("deep-sea")
    options = definition.make_options(2, drop_order="chosen", first=2)
    by_options = simulate("deep-sea", ["random"] * 2, 10, options=options, compiled=False)
    by_names = simulate(
        "deep-sea",
        ["random"] * 2,
        10,
        options={"drop_order": "chosen", "first": 2},
        compiled=False,
    )
    assert by_options == by_names
    assert by_options.to_dict()["options"] == {"first": "2", "drop_order": "chosen"}


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(UnknownGameError):
        simulate("chess", ["random"], 1)
    with pytest.raises(UnknownBotError):
        simulate("deep-sea", ["random", "deep-blue"], 1)
    with pytest.raises(OptionError, match="2 to 6 players, not 1"):
        simulate("deep-sea", ["random"], 1)
    options = game_named("deep-sea").make_options(3)
    with pytest.raises(OptionError, match="2 bots for 3 seats"):
        simulate("deep-sea", ["random"] * 2, 1, options=options)
    with pytest.raises(ValueError, match="0 games"):
        simulate("deep-sea", ["random"] * 2, 0)
    with pytest.raises(ValueError, match="workers=0"):
        simulate("deep-sea", ["random"] * 2, 1, workers=0)


def test_endless_game_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_out, "MAX_DECISIONS", 20)
    with pytest.raises(UnfinishedGameError, match="game 0 of seed 5 did not end within 20"):
        simulate("deep-sea", ["random"] * 2, 3, seed=5, compiled=False)


# ---- progress -----------------------------------------------------------------------------------


def test_progress() -> None:
    reported: list[Progress] = []
    simulate("deep-sea", ["random"] * 2, 600, compiled=False, on_progress=reported.append)
    assert [progress.done for progress in reported] == [250, 500, 600]
    assert {progress.games for progress in reported} == {600}


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("archipel.study.progress", "archipel.rules.kit.core.loading"):
        monkeypatch.setattr(f"{place}.can_compile", lambda: False)
    reported: list[Progress] = []
    result = simulate("deep-sea", ["random"] * 2, 10, on_progress=reported.append)
    assert not result.compiled
    assert reported[0].note == NO_COMPILER
    with pytest.raises(ModuleNotFoundError, match="Numba"):
        simulate("deep-sea", ["random"] * 2, 10, compiled=True)


@needs_numba
def test_compilation_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate("deep-sea", ["random"] * 2, 1)
    reported: list[Progress] = []
    simulate("deep-sea", ["random"] * 2, 1, on_progress=reported.append)
    assert not any(progress.note for progress in reported)
    monkeypatch.setattr("archipel.study.progress.is_compiled_already", lambda program: False)
    simulate("deep-sea", ["random"] * 2, 1, on_progress=reported.append)
    assert [progress.note for progress in reported if progress.note] == [COMPILING]


# ---- stopping -----------------------------------------------------------------------------------


@needs_numba
def test_failing_callback_leaves_no_thread() -> None:
    def fail(progress: Progress) -> None:
        if progress.done:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        simulate("deep-sea", ["random"] * 2, 10**9, workers=2, on_progress=fail)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("study")]


INTERRUPTED = """
import signal, sys
from archipel.study import simulate
signal.signal(signal.SIGINT, signal.default_int_handler)  # background scripts ignore it
def report(progress):
    if progress.done:
        print("begun", flush=True)
try:
    simulate("deep-sea", ["random"] * 4, 10**9, workers=2, on_progress=report)
except KeyboardInterrupt:
    sys.exit(42)
"""


@needs_numba
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c_stops_the_simulation() -> None:
    simulate("deep-sea", ["random"] * 4, 1)  # compiled here, so that the process starts quickly
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, env=path, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    process.stdout.close()
    try:
        assert process.wait(timeout=30) in (42, 120)  # 120: its output was closed
    finally:
        process.kill()


# ---- counting -----------------------------------------------------------------------------------


def result_from(
    bots: tuple[str, ...], games: dict[tuple[int, ...], int], rotate: bool = True
) -> SimulationResult:
    """A result from games with these seat offsets and ranks; all scores are 1."""
    tally = Tally(len(bots))
    for (offset, *ranks), count in games.items():
        row = [[rank] * count for rank in ranks]
        tally.add([offset] * count, [10] * count, row, [[1] * count for _ in bots])
    return SimulationResult(
        game="deep-sea",
        rules_version=1,
        options=game_named("deep-sea").make_options(len(bots)),
        bots=bots,
        seed=0,
        rotate=rotate,
        tally=tally,
        compiled=False,
        seconds=0.0,
    )


def test_shared_wins_are_split_exactly() -> None:
    result = result_from(("x", "y", "z"), {(0, 0, 0, 0): 1, (1, 0, 0, 2): 1, (2, 2, 0, 1): 2})
    assert result["x"].won.wins == Fraction(1, 3) + Fraction(1, 2)
    assert result["y"].won.wins == Fraction(1, 3) + Fraction(1, 2) + 2
    assert result["z"].won.wins == Fraction(1, 3)
    assert [result[bot].won.shared for bot in "xyz"] == [2, 2, 1]
    assert sum((bot.won.wins for bot in result.results), Fraction()) == result.games


def test_wins_by_seat() -> None:
    result = result_from(("x", "y"), {(0, 0, 1): 3, (1, 0, 1): 2, (1, 1, 0): 5})
    assert [won.wins for won in result["x"].by_seat] == [3, 2]
    assert [won.games for won in result["x"].by_seat] == [3, 7]
    assert [won.wins for won in result["y"].by_seat] == [5, 0]
    assert [won.wins for won in result.by_seat] == [8, 2]
    assert [won.games for won in result.by_seat] == [10, 10]


def test_copies_of_a_bot_are_added_up() -> None:
    result = result_from(("x", "y", "x"), {(0, 0, 1, 2): 4, (0, 1, 0, 2): 6, (0, 2, 1, 0): 2})
    bot = result["x"]
    assert (bot.copies, bot.won.games) == (2, 24)
    assert bot.won.wins == 6
    assert bot.won.rate == 0.25
    # At most one of two copies wins a game, which varies less than 24 games of one bot.
    assert bot.won.interval.low > 0.1
    assert bot.scores == {1: 24}
    assert [each.name for each in result.results] == ["x", "y"]


def test_unknown_bot_in_result() -> None:
    with pytest.raises(KeyError, match="z did not play; x, y did"):
        result_from(("x", "y"), {(0, 0, 1): 1})["z"]


def test_json_form() -> None:
    result = simulate("deep-sea", ["greedy", "random"], 40, seed=3, compiled=False)
    data = json.loads(json.dumps(result.to_dict()))
    assert data["schema"] == "archipel.simulation"
    assert data["version"] == 1
    assert data["bots"] == ["greedy-1", "random"]
    greedy, random = data["results"]
    assert greedy["games"] == random["games"] == 40
    assert Fraction(greedy["wins_exact"]) + Fraction(random["wins_exact"]) == 40
    assert sum(greedy["scores"].values()) == 40
    assert sum(int(length) * count for length, count in data["decisions"].items()) == (
        result.decisions
    )
    low, high = greedy["win_rate_95"]
    assert low < greedy["win_rate"] < high
    assert list(greedy["score_quantiles"]) == ["5", "25", "50", "75", "95"]


def test_text_table() -> None:
    text = str(simulate("deep-sea", ["greedy", "random"], 40, seed=3, compiled=False))
    head, rotation, _, columns, *_ = text.splitlines()
    assert head == "deep-sea, seats=2 first=drawn drop_order=piled: 40 games, seed 3"
    assert rotation.startswith("Seats rotate")
    assert columns.split()[:4] == ["bot", "games", "wins", "shared"]
    assert "Decisions in a game" in text


def test_tally_counts() -> None:
    tally = Tally(2)
    tally.add([0, 1], [5, 5], [[0, 0], [1, 0]], [[3, 3], [1, 3]])
    assert tally.games == 2
    assert tally.lengths == Counter({5: 2})
    assert tally.scores == [Counter({3: 2}), Counter({1: 1, 3: 1})]
