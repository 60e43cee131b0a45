"""Games whose positions are noted with what became of them, as a rule: appraisals learn from it."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import U64, Stream, draw, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.slots import (
    GameState,
    apply,
    appraise,
    choose,
    legal,
    rank,
    to_move,
    view,
)
from archipel.study.self_play_kernel import PLAYED, SEEN, begin_game

# A game begins with up to so many turns in which a decision in so many is made at random: bots
# alone would always come to the same kinds of positions.
MOST_SCRAMBLED: Final = 80
ONE_AT_RANDOM_IN: Final = 5


@rule_apart
def note_position(
    s: GameState, seats: int, features: list[float], noted: list[list[float]], row: int
) -> bool:
    """Side by side, what speaks for each seat; False where that is not to be judged."""
    for seat in range(seats):
        known = appraise(s, seat, features)
        if known == 0:
            return False
        for feature in range(known):
            noted[row][seat * known + feature] = features[feature]
    return True


@rule_apart
def note_outcome(
    s: GameState, seats: int, shares: list[list[float]], first: int, until: int
) -> None:
    winners = 0
    for seat in range(seats):
        if rank(s, seat) == 0:
            winners += 1
    for row in range(first, until):
        for seat in range(seats):
            shares[row][seat] = 1.0 / winners if rank(s, seat) == 0 else 0.0


@rule
def play_and_note(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    bot: int,
    seats: int,
    chance: Stream,
    choices: Stream,
    seed: U64,
    first: int,
    games: int,
    one_noted_in: int,
    anywhere: bool,
    early: bool,
    noted: list[list[float]],
    shares: list[list[float]],
) -> int:
    """Play games of a seed, a bot in every seat, and note positions, one in so many: those where it
    is another seat's turn to decide, or all; how many were noted (as there is room for).

    ``early`` games have fewer random turns, so that more of their beginning is noted.
    """
    rows = 0
    for game in range(first, first + games):
        begin_game(states, chance, choices, seed, game)
        s = states[PLAYED]
        most_scrambled = draw(choices, MOST_SCRAMBLED) + 1 if early else MOST_SCRAMBLED
        scrambled = draw(choices, most_scrambled)
        begun = rows
        turns = 0
        last = -1
        mover = to_move(s)
        while mover >= 0:
            count = legal(s, actions)
            if mover != last:
                turns += 1
            wanted = turns > scrambled and (anywhere or mover != last)
            last = mover
            wanted = wanted and rows < len(noted) and draw(choices, one_noted_in) == 0
            if wanted and note_position(s, seats, features, noted, rows):
                rows += 1
            action = actions[draw(choices, count)]
            if turns > scrambled or draw(choices, ONE_AT_RANDOM_IN) > 0:
                view(s, mover, states[SEEN])
                action = choose(states[SEEN], bot, actions, count, choices)
            apply(s, action, chance)
            mover = to_move(s)
        note_outcome(s, seats, shares, begun, rows)
    return rows
