"""Random games with everything checked at every step, as a rule."""

from __future__ import annotations

from archipel.rules.kit import U64, Stream, draw, mix, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.slots import GameState, apply, fault, legal, set_up, to_move

# The states that a batch of games needs.
BLANK = 0  # the options, before set-up
PLAYED = 1
STATES = 2

ALL_WELL = -1  # instead of the number of a game that failed

# Entries of the report: decisions taken so far, then where and how the first failure was.
DECISIONS = 0
FAILED_AT = 1
FAILURE = 2
REPORT = 3

# Failures that are not among the faults of a game, which are numbered from 1.
ENDLESS = -1
NO_ACTION = -2
DISORDER = -3


@rule
def soak_games(
    states: list[GameState],
    actions: list[int],
    chance: Stream,
    choices: Stream,
    most_decisions: int,
    seed: U64,
    first: int,
    games: int,
    report: list[int],
) -> int:
    """Play games number ``first`` and following of a seed; the number of the first that fails."""
    for game in range(first, first + games):
        copy_state(states, BLANK, PLAYED)
        s = states[PLAYED]
        chance.key = stream_key(seed, game)
        chance.counter = 0
        choices.key = mix(chance.key)
        choices.counter = 0
        set_up(s, chance)
        failure = play_on(s, actions, chance, choices, most_decisions, report)
        if failure != 0:
            report[FAILURE] = failure
            return game
    return ALL_WELL


@rule
def play_on(
    s: GameState,
    actions: list[int],
    chance: Stream,
    choices: Stream,
    most_decisions: int,
    report: list[int],
) -> int:
    """Play from a position to the end; 0, or what went wrong first."""
    decisions = 0
    failure = fault(s)
    while failure == 0 and to_move(s) >= 0:
        count = legal(s, actions)
        failure = fault_of_actions(actions, count)
        if decisions == most_decisions:
            failure = ENDLESS
        if failure == 0:
            apply(s, actions[draw(choices, count)], chance)
            decisions += 1
            failure = fault(s)
    report[DECISIONS] += decisions
    report[FAILED_AT] = decisions
    return failure


@rule
def fault_of_actions(actions: list[int], count: int) -> int:
    """0, unless there are no legal actions or they do not ascend."""
    if count <= 0:
        return NO_ACTION
    for index in range(1, count):
        if actions[index] <= actions[index - 1]:
            return DISORDER
    return 0
