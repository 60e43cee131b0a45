"""The goal of being home before the air runs out."""

from __future__ import annotations

import pytest

from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.game_rules import GOAL_MISSED, GOAL_OPEN, GOAL_REACHED
from archipel.rules.kit import clone
from archipel.testing.random_games import random_game, some_options
from tests.rules.deep_sea.tables import dive, state_of, table


def statuses(*, turn: int, **words: object) -> list[int]:
    """The goal status of both divers after a throw of 1 and 1."""
    game = table(turn=turn, **words)
    start = clone(state_of(game))
    dive(game, 1, 1)
    return [DEEP_SEA.goal_status(state_of(game), start, seat, 0) for seat in range(2)]


def test_the_goal_is_open_in_the_water_and_reached_at_home() -> None:
    game = table(turn=1, diver1="3>[]", diver2="home[a1]")
    start = state_of(game)
    assert DEEP_SEA.goal_status(start, start, 0, 0) == GOAL_OPEN
    assert DEEP_SEA.goal_status(start, start, 1, 0) == GOAL_REACHED
    assert statuses(turn=1, diver1="1<[a1]", diver2="5>[]") == [GOAL_REACHED, GOAL_OPEN]


def test_coming_home_on_the_last_air_reaches_the_goal() -> None:
    given = {"turn": 1, "air": 1, "diver1": "1<[a1]", "diver2": "5>[a2]"}
    assert statuses(**given) == [GOAL_REACHED, GOAL_MISSED]  # type: ignore[arg-type]
    last = statuses(**given, round=3)  # type: ignore[arg-type]
    assert last == [GOAL_REACHED, GOAL_MISSED]


def test_the_goal_is_missed_while_drowned_divers_lay_down_units() -> None:
    found = statuses(turn=1, air=1, drop_order="chosen", diver1="1<[a1]", diver2="5>[a2,a3]")
    assert found == [GOAL_REACHED, GOAL_MISSED]


@pytest.mark.parametrize("seed", range(6))
def test_the_goal_status_agrees_with_the_narration(seed: int) -> None:
    """From the first decision of each round on, the goal agrees with the narration."""
    options = some_options(DEEP_SEA, 6)[seed]
    start = None
    home: set[int] = set()
    decided: dict[int, int] = {}
    rounds = 0
    for game in random_game(DEEP_SEA, options, seed):
        if start is not None:
            keys = [(event.key.split(".")[0], event.details.get("seat")) for event in game.events()]
            home |= {int(seat) for key, seat in keys if key == "home" and seat is not None}
            for seat in set(range(game.seats)) - set(decided):
                status = DEEP_SEA.goal_status(game.state, start, seat, 0)
                if status != GOAL_OPEN:
                    decided[seat] = status
            if "round_end" in {key for key, _ in keys}:
                rounds += 1
                assert decided == {
                    seat: GOAL_REACHED if seat in home else GOAL_MISSED
                    for seat in range(game.seats)
                }
                start = None
        if (
            start is None
            and not game.is_over
            and DEEP_SEA.action_text(game.state, DEEP_SEA.legal_actions(game.state)[0]) == "dive"
        ):
            start, home, decided = clone(game.state), set(), {}
    assert rounds > 0
