"""Matches between functions and bots."""

from __future__ import annotations

import pytest

from archipel import RuleError
from archipel.game import Decision
from archipel.study import Progress, match


def bold(decision: Decision) -> int:
    return decision.legal[-1]


def shy(decision: Decision) -> str:
    return decision.legal[0].text


def test_functions_and_bots_play_each_other() -> None:
    result = match("deep-sea", [bold, shy, "greedy"], games=30, seed=2)
    assert result["greedy-1"].won.rate > 0.8
    assert result["shy"].mean_score == 0  # a diver who takes nothing scores nothing
    assert sum(result[name].won.wins for name in ("bold", "shy", "greedy-1")) == 30


def test_equal_seeds_give_equal_results() -> None:
    tables = [str(match("deep-sea", ["random", "greedy"], games=20, seed=5)) for _ in range(2)]
    assert tables[0] == tables[1]
    assert tables[0] != str(match("deep-sea", ["random", "greedy"], games=20, seed=6))


def test_seats_rotate() -> None:
    seats = []

    def remember(decision: Decision) -> int:
        seats.append(decision.seat)
        return decision.legal[0]

    match("deep-sea", [remember, "random"], games=2)
    assert set(seats) == {0, 1}


def test_player_sees_only_its_view() -> None:
    def peek(decision: Decision) -> int:
        assert "?" in decision.view.text
        return decision.legal[0]

    match("deep-sea", [peek, "random"], games=1)


def test_illegal_action_names_the_rule() -> None:
    with pytest.raises(RuleError, match="DS-T2"):
        match("deep-sea", [lambda decision: "turn back", "random"], games=1)


def test_progress_is_reported() -> None:
    reported: list[Progress] = []
    match("deep-sea", [shy, "random"], games=3, on_progress=reported.append)
    assert [progress.done for progress in reported] == [0, 2, 4]
    assert {progress.games for progress in reported} == {4}
