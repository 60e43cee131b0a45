"""What becomes of a choice, as a rule: playouts that add up the points of every seat."""

from __future__ import annotations

from archipel.bots.playout_kernel import PLAYED, play_on
from archipel.rules.kit import U64, Stream, rule
from archipel.rules.slots import GameState, score


@rule
def play_for_points(
    states: list[GameState],
    actions: list[int],
    bot: int,
    opening: int,
    chance: Stream,
    choices: Stream,
    seats: int,
    hopes: int,
    most_decisions: int,
    seed: U64,
    playouts: int,
    undecided: list[list[int]],
    counts: list[list[int]],
    points: list[int],
) -> None:
    """As `play_on`, from the first playout of a seed on; ``points`` are summed up seat by seat."""
    for playout in range(playouts):
        play_on(
            states,
            actions,
            bot,
            opening,
            chance,
            choices,
            seats,
            hopes,
            most_decisions,
            seed,
            playout,
            1,
            undecided,
            counts,
        )
        for seat in range(seats):
            points[seat] += score(states[PLAYED], seat)
