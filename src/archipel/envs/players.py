"""Who plays in an environment: a learner and the bots it is pitted against."""

from __future__ import annotations

from collections.abc import Sequence

from archipel.envs.batch import OUTSIDE
from archipel.rules.all_games import game_named

ROTATE = "rotate"


def players_of(
    game: str, seats: int | None, opponents: str | Sequence[str], seat: int | str
) -> tuple[list[str], bool]:
    """Who plays, the learner among them, and whether they change seats from game to game.

    Raises ValueError where there are too many of them, or no such seat.
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
