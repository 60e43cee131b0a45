"""Playing on from what a seat sees, again and again, as a rule: written once for every game."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import U64, Stream, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.slots import (
    HOPE_FULFILLED,
    HOPE_OPEN,
    GameState,
    apply,
    choose,
    deal_unseen,
    hoped,
    legal,
    rank,
    recall,
    to_move,
)

# The states that playouts need.
VIEW: Final = 0  # what the seat sees, as it was given
START: Final = 1  # a world that looks like it
PLAYED: Final = 2
SEEN: Final = 3
STATES: Final = 4

# Rows of the counts, one column per seat.
WINS: Final = 0
HOPES: Final = 1  # one row for each

#: No action: a bot chooses.
NONE: Final = -1

#: What a first place counts: it can be shared among up to ten without a remainder.
WIN: Final = 2520


@rule
def play_on(
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
    first: int,
    playouts: int,
    undecided: list[list[int]],
    counts: list[list[int]],
) -> None:
    """Add up what comes of playouts number ``first`` and following of a seed, a bot in every seat.

    Chance of a playout, beginning with the world it is played in, and the choices of its bots come
    from streams of their own.  The first action is ``opening``, if it is one.  A playout that does
    not end is won by nobody.  ``undecided`` is room for one number per hope and seat.
    """
    for playout in range(first, first + playouts):
        chance.key = stream_key(seed, playout)
        chance.counter = 0
        choices_key = stream_key(chance.key, 1)
        copy_state(states, VIEW, START)
        deal_unseen(states[START], chance)
        copy_state(states, START, PLAYED)
        s = states[PLAYED]
        for hope in range(hopes):
            for seat in range(seats):
                undecided[hope][seat] = 1
        count_hopes(s, states[START], seats, hopes, undecided, counts)
        decisions = 0
        mover = to_move(s)
        while mover >= 0 and decisions < most_decisions:
            count = legal(s, actions)
            recall(s, mover, states[SEEN])
            choices.key = stream_key(choices_key, decisions)
            choices.counter = 0
            action = opening
            if decisions > 0 or opening == NONE:
                action = choose(states[SEEN], bot, actions, count, choices)
            apply(s, action, chance)
            decisions += 1
            count_hopes(s, states[START], seats, hopes, undecided, counts)
            mover = to_move(s)
        if mover < 0:
            count_win(s, seats, counts)


@rule
def count_hopes(
    s: GameState,
    start: GameState,
    seats: int,
    hopes: int,
    undecided: list[list[int]],
    counts: list[list[int]],
) -> None:
    """Ask about every hope that was open so far."""
    for hope in range(hopes):
        for seat in range(seats):
            if undecided[hope][seat] != 0:
                answer = hoped(s, start, seat, hope)
                if answer != HOPE_OPEN:
                    undecided[hope][seat] = 0
                if answer == HOPE_FULFILLED:
                    counts[HOPES + hope][seat] += 1


@rule
def count_win(s: GameState, seats: int, counts: list[list[int]]) -> None:
    winners = 0
    for seat in range(seats):
        if rank(s, seat) == 0:
            winners += 1
    for seat in range(seats):
        if rank(s, seat) == 0:
            counts[WINS][seat] += WIN // winners
