"""Matches: any function may play."""

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
    assert result["shy"].mean_score == 0  # who never takes anything brings nothing home
    assert sum(result[name].won.wins for name in ("bold", "shy", "greedy-1")) == 30


def test_equal_seeds_give_equal_tables() -> None:
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


def test_a_player_sees_its_view_only() -> None:
    def peek(decision: Decision) -> int:
        assert "?" in decision.view.text
        return decision.legal[0]

    match("deep-sea", [peek, "random"], games=1)


def test_an_illegal_action_is_refused_with_its_rule() -> None:
    with pytest.raises(RuleError, match="DS-T2"):
        match("deep-sea", [lambda decision: "turn back", "random"], games=1)


def test_progress_is_told() -> None:
    told: list[Progress] = []
    match("deep-sea", [shy, "random"], games=3, on_progress=told.append)
    assert [progress.done for progress in told] == [0, 2, 4]
    assert {progress.games for progress in told} == {4}
