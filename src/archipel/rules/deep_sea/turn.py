"""A diver's turn (chapter The turn)."""

from __future__ import annotations

from archipel.rules.deep_sea.components import DICE, DIE_RESULTS, MOST_SEATS
from archipel.rules.deep_sea.round_end import end_round, lay_down, lose_units, round_is_over
from archipel.rules.deep_sea.state import (
    DISC,
    SUBMARINE,
    Action,
    Phase,
    Purpose,
    State,
    is_occupied,
    leave_hand,
)
from archipel.rules.kit import Chance, draw_for, rule


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order and return how many there are."""
    match s.phase:
        case Phase.THROW:
            return legal_throws(s, actions)
        case Phase.SEARCH:
            return legal_searches(s, actions)
        case Phase.LAY:
            for slot in range(s.load[s.to_move]):
                actions[slot] = Action.LAY_DOWN + slot
            return s.load[s.to_move]
        case _:
            return 0


@rule
def legal_throws(s: State, actions: list[int]) -> int:
    """DS-T10, DS-T2: only a diver who holds a unit may turn back, once a round."""
    diver = s.to_move
    if s.turned[diver] != 0:
        actions[0] = Action.SWIM_ON
        return 1
    actions[0] = Action.DIVE
    if s.load[diver] == 0:
        return 1
    actions[1] = Action.TURN_BACK
    return 2


@rule
def legal_searches(s: State, actions: list[int]) -> int:
    """DS-T6: do nothing, take the unit here, or put a unit on a disc."""
    diver = s.to_move
    actions[0] = Action.NOTHING
    if s.line[s.place[diver]] != DISC:
        actions[1] = Action.TAKE
        return 2
    if s.turned[diver] != 0 and s.load[diver] == 1:  # DS-T7
        return 1
    for slot in range(s.load[diver]):
        actions[1 + slot] = Action.PUT + slot
    return 1 + s.load[diver]


@rule
def apply(s: State, action: int, chance: Chance) -> None:
    """Play a legal action and go on to the next decision."""
    diver = s.to_move
    match s.phase:
        case Phase.THROW:
            breathe(s, diver)
            if action == Action.TURN_BACK:
                s.turned[diver] = 1
            throw_and_move(s, diver, chance)
            if may_search(s, diver):
                s.phase = Phase.SEARCH
            else:
                end_turn(s)
        case Phase.SEARCH:
            if action == Action.TAKE:
                take(s, diver)
            elif action >= Action.PUT:
                put_down(s, diver, action - Action.PUT)
            end_turn(s)
        case Phase.LAY:
            lay_down(s, diver, action - Action.LAY_DOWN)
            lose_units(s)


@rule
def breathe(s: State, diver: int) -> None:
    """DS-T1: the air drops by the diver's load, but not below 0."""
    s.air = max(0, s.air - s.load[diver])
    s.stirred = 1 if s.load[diver] > 0 else 0


@rule
def throw_and_move(s: State, diver: int, chance: Chance) -> None:
    """DS-T3, DS-T10: throw one die after the other and move by their sum less the load."""
    steps = -s.load[diver]
    purpose = Purpose.DICE + s.round_number * MOST_SEATS + diver
    for _ in range(DICE):
        steps += 1 + draw_for(chance, purpose, DIE_RESULTS)
    if s.turned[diver] != 0:
        swim_home(s, diver, steps)
    else:
        swim_out(s, diver, steps)


@rule
def swim_out(s: State, diver: int, steps: int) -> None:
    """DS-T3, DS-T4: swim out, at most to the last free space; occupied spaces do not count."""
    space = s.place[diver] + 1
    while steps > 0 and space < s.line_length:
        if not is_occupied(s, space):
            s.place[diver] = space
            s.stirred = 1
            steps -= 1
        space += 1


@rule
def swim_home(s: State, diver: int, steps: int) -> None:
    """DS-T3, DS-T5: swim back; the submarine is the step after the first space and has room for
    all."""
    space = s.place[diver] - 1
    while steps > 0:
        if space == SUBMARINE:
            come_home(s, diver)
            return
        if not is_occupied(s, space):
            s.place[diver] = space
            steps -= 1
        space -= 1


@rule
def come_home(s: State, diver: int) -> None:
    """DS-T8: the diver is out for the round. The last one home may start the next (DS-E6)."""
    s.place[diver] = SUBMARINE
    s.home[diver] = 1
    s.starter = diver


@rule
def may_search(s: State, diver: int) -> bool:
    """DS-T6: not in the submarine; DS-T13: not if doing nothing is the only choice."""
    if s.place[diver] == SUBMARINE:
        return False
    if s.line[s.place[diver]] != DISC:
        return True
    return s.load[diver] > s.turned[diver]  # DS-T7: a diver heading home keeps a unit


@rule
def take(s: State, diver: int) -> None:
    """DS-T6: put the unit at the end of the hand, face down, and leave a white disc."""
    space = s.place[diver]
    s.hand[diver][s.load[diver]] = s.line[space]
    s.load[diver] += 1
    s.line[space] = DISC
    s.stirred = 1


@rule
def put_down(s: State, diver: int, slot: int) -> None:
    """DS-T6: replace the white disc by a unit of the hand."""
    s.line[s.place[diver]] = leave_hand(s, diver, slot)


@rule
def end_turn(s: State) -> None:
    """DS-T8: go on to the next diver in the water, unless the round is over (DS-E1, DS-E7)."""
    s.idle_turns = 0 if s.stirred != 0 else s.idle_turns + 1
    if round_is_over(s):
        end_round(s)
        return
    s.phase = Phase.THROW
    s.to_move = next_seat(s, s.to_move)
    while s.home[s.to_move] != 0:
        s.to_move = next_seat(s, s.to_move)


@rule
def next_seat(s: State, seat: int) -> int:
    """DS-S2: the next seat clockwise, without a division, which would be slow."""
    return seat + 1 if seat + 1 < s.seats else 0
