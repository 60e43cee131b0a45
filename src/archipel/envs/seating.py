"""Seats of a learner and its opponents."""

from __future__ import annotations

from collections.abc import Sequence

from archipel.envs.batch import OUTSIDE
from archipel.rules.all_games import game_named

ROTATE = "rotate"


def players_of(
    game: str, seats: int | None, opponents: str | Sequence[str], seat: int | str
) -> tuple[list[str], bool]:
    """Players by seat, and whether seats rotate from game to game.

    Raises ValueError for too many opponents or an unknown seat.
    """
    names = [opponents] if isinstance(opponents, str) else list(opponents)
    if not names:
        raise ValueError("the learner needs opponents: name at least one bot")
    if seats is None:
        seats = max(game_named(game).seats[0], len(names) + 1)
    if len(names) >= seats:
        raise ValueError(f"{len(names)} opponents and the learner do not fit on {seats} seats")
    names = [names[number % len(names)] for number in range(seats - 1)]
    if seat == ROTATE:
        return [OUTSIDE, *names], True
    if not isinstance(seat, int) or not 0 <= seat < seats:
        raise ValueError(f"seat {seat!r} is not one of 0 to {seats - 1}, nor {ROTATE!r}")
    return [*names[:seat], OUTSIDE, *names[seat:]], False
