"""Games in which choices are noted with the traits of all that could be chosen, as a rule: quick
bots learn from it."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import U64, Stream, draw, rule
from archipel.rules.slots import (
    GameState,
    apply,
    choose,
    describe,
    glance,
    legal,
    recall,
    to_move,
)
from archipel.study.self_play_kernel import PLAYED, SEEN, begin_game

# Columns of what is noted, one row for each action that was legal.
DECISION: Final = 0
CHOSEN: Final = 1
TRAITS: Final = 2
COLUMNS: Final = 3

# Of so many decisions one is made at random, so that what comes of mistakes is seen too.
ONE_AT_RANDOM_IN: Final = 12


@rule
def note_choices(
    states: list[GameState],
    actions: list[int],
    teacher: int,
    player: int,
    chance: Stream,
    choices: Stream,
    seed: U64,
    first: int,
    games: int,
    one_noted_in: int,
    noted: list[list[int]],
) -> int:
    """Play games of a seed with one bot in every seat, and note what another would choose, in one
    decision of so many; how many rows were noted (as there is room for)."""
    rows = 0
    decisions = 0
    for game in range(first, first + games):
        begin_game(states, chance, choices, seed, game)
        s = states[PLAYED]
        mover = to_move(s)
        while mover >= 0:
            count = legal(s, actions)
            action = actions[0]
            if count > 1:
                recall(s, mover, states[SEEN])
                noting = draw(choices, one_noted_in) == 0 and rows + count <= len(noted)
                if noting:
                    wished = choose(states[SEEN], teacher, actions, count, choices)
                    seen = glance(states[SEEN])
                    for number in range(count):
                        noted[rows][DECISION] = decisions
                        noted[rows][CHOSEN] = 1 if actions[number] == wished else 0
                        noted[rows][TRAITS] = describe(states[SEEN], seen, actions[number])
                        rows += 1
                    decisions += 1
                if draw(choices, ONE_AT_RANDOM_IN) == 0:
                    action = actions[draw(choices, count)]
                else:
                    action = choose(states[SEEN], player, actions, count, choices)
            apply(s, action, chance)
            mover = to_move(s)
    return rows
