"""Play a game to its end in plain Python, and the limit on its length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from archipel.rules.contract import NOBODY, Definition
from archipel.rules.kit import Chance

#: Longer games are reported as endless. Real games take fewer than a thousand decisions.
MAX_DECISIONS: Final = 100_000


class UnfinishedGameError(RuntimeError):
    """A game exceeded the limit on its number of decisions."""


def play_out(
    definition: Definition[Any],
    state: Any,
    chance: Chance,
    choose: Callable[[int, list[int], int], int],
) -> Iterator[int]:
    """Play ``state`` to its end in place.

    Yields the number of decisions so far: first 0, then again after every action.  Calls
    ``choose(seat, legal, decisions)`` for each decision.  Raises `UnfinishedGameError`.
    """
    decisions = 0
    yield decisions
    while (seat := definition.to_move(state)) != NOBODY:
        if decisions == MAX_DECISIONS:
            raise UnfinishedGameError(f"the game did not end within {MAX_DECISIONS} decisions")
        action = choose(seat, definition.legal_actions(state), decisions)
        definition.apply(state, action, chance)
        decisions += 1
        yield decisions
