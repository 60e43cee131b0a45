"""The beginning of a game that is played to be learned from, as a rule."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import U64, Stream, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.slots import GameState, set_up

# The states that a batch of games needs.
BLANK: Final = 0  # the options, before set-up
PLAYED: Final = 1
SEEN: Final = 2
STATES: Final = 3


@rule
def begin_game(
    states: list[GameState], chance: Stream, choices: Stream, seed: U64, game: int
) -> None:
    """Set up a game of a seed; its chance and its choices come from streams of their own."""
    copy_state(states, BLANK, PLAYED)
    chance.key = stream_key(seed, game)
    chance.counter = 0
    choices.key = stream_key(chance.key, 1)
    choices.counter = 0
    set_up(states[PLAYED], chance)
