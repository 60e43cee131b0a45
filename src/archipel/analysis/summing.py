"""Luck and skill apart: the arithmetic that makes an account of a game from what was measured.

The browser does the same (`client/src/analysis/summing.ts`); a test holds both to the same figures.
`docs/analysis.md` says what the figures mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

#: A decision is called a mistake if it lost at least so much, and so many standard errors.
MISTAKE_LOSS = 0.03
MISTAKE_ERRORS = 3.0
#: A step is a turning point if a seat's chance changed by so much, and so many standard errors.
TURN_CHANGE = 0.1
TURN_ERRORS = 3.0
MOST_TURNS = 8

#: Half the width of a 95 % interval, in standard errors.
NORMAL_95 = 1.959963984540054


class Chances(Struct, frozen=True):
    """Everybody's chance of winning, with standard errors."""

    chances: list[float]
    errors: list[float]


class PositionMeasure(Struct, frozen=True):
    """The position after so many moves."""

    after: int
    chances: list[float]
    errors: list[float]


class DecisionMeasure(Struct, frozen=True):
    """A decision (the number of its move, from 0), with the policy playing on after it: how much
    better the best was, and what was done for every seat against the choice of the policy.

    ``goes_on``: the next decision of the list is of the same turn, with nothing in between.
    """

    move: int
    seat: int
    gap: float
    gap_error: float
    play: list[float]
    play_errors: list[float]
    goes_on: bool


class Measures(Struct, frozen=True):
    """What was measured of a game. The last position is the result, if the game was finished."""

    seats: int
    start: Chances
    positions: list[PositionMeasure]
    decisions: list[DecisionMeasure]


class Loss(Struct, frozen=True):
    """What a decision gave away for good, with the standard error."""

    move: int
    seat: int
    loss: float
    error: float

    @property
    def is_mistake(self) -> bool:
        """Beyond chance, and beyond what matters."""
        return self.loss >= max(MISTAKE_LOSS, MISTAKE_ERRORS * self.error)


class Step(Struct, frozen=True):
    """What happened between two positions of the course; the deal is before move 0."""

    first: int
    until: int
    change: list[float]
    change_errors: list[float]
    luck: list[float]
    luck_errors: list[float]
    play: list[float]


class Turn(Struct, frozen=True):
    """A turning point: the number of its step, whom it changed most, and by what."""

    step: int
    seat: int
    change: float
    luck: float
    play: float


class Interval95(Struct, frozen=True):
    low: float
    high: float


class SeatSum(Struct, frozen=True):
    """A seat's account: ``result = start + luck + own + others``."""

    start: float
    luck: float
    luck_error: float
    own: float
    own_error: float
    others: float
    others_error: float
    result: float
    loss: float
    loss_error: float
    decisions: int
    mistakes: int

    @property
    def luck_interval(self) -> Interval95:
        half = NORMAL_95 * self.luck_error
        return Interval95(self.luck - half, self.luck + half)

    @property
    def skill_interval(self) -> Interval95:
        """Of all decisions together, own and others'."""
        half, skill = NORMAL_95 * _root_sum((self.own_error, self.others_error)), self.own
        return Interval95(skill + self.others - half, skill + self.others + half)


class Summary(Struct, frozen=True):
    """The account of a game."""

    steps: list[Step]
    losses: list[Loss]
    seats: list[SeatSum]
    mistakes: list[int]
    """Numbers of moves, the worst first."""
    turns: list[Turn]
    """Turning points in the order of the game."""


def sum_up(measures: Measures) -> Summary:
    steps, losses = _steps(measures), losses_of(measures.decisions)
    return Summary(
        steps,
        losses,
        [_seat_sum(measures, losses, seat) for seat in range(measures.seats)],
        _mistakes(losses),
        _turns(steps),
    )


def losses_of(decisions: Sequence[DecisionMeasure]) -> list[Loss]:
    """What each decision gave away that could not be had any more later in the same turn.

    A turn is gone through from its end: ``ahead`` is how much better it could go on than the policy
    would play it.  As long as that is still to be had, no earlier decision of the turn lost it.
    """
    found: list[Loss] = []
    ahead = ahead_error = 0.0
    for decision in reversed(decisions):
        if not decision.goes_on:
            ahead = ahead_error = 0.0
        loss, error = decision.gap - ahead, _root_sum((decision.gap_error, ahead_error))
        if decision.goes_on and loss < 0.0:
            loss = error = 0.0
        else:
            ahead_error = decision.gap_error
        ahead += loss + decision.play[decision.seat]
        ahead_error = _root_sum((ahead_error, decision.play_errors[decision.seat]))
        found.append(Loss(decision.move, decision.seat, loss, error))
    return found[::-1]


def _steps(measures: Measures) -> list[Step]:
    course = measures.positions
    deal = _step(0, 0, measures.start, course[0], [], measures.seats)
    return [
        deal,
        *(
            _step(
                before.after,
                after.after,
                before,
                after,
                [d for d in measures.decisions if before.after <= d.move < after.after],
                measures.seats,
            )
            for before, after in pairwise(course)
        ),
    ]


def _step(
    first: int,
    until: int,
    before: Chances | PositionMeasure,
    after: PositionMeasure,
    decisions: Sequence[DecisionMeasure],
    seats: int,
) -> Step:
    change, errors, luck, luck_errors, play = [], [], [], [], []
    for seat in range(seats):
        done = _sum(decision.play[seat] for decision in decisions)
        error = _root_sum((before.errors[seat], after.errors[seat]))
        play_error = _root_sum(decision.play_errors[seat] for decision in decisions)
        change.append(after.chances[seat] - before.chances[seat])
        errors.append(error)
        play.append(done)
        luck.append(change[seat] - done)
        luck_errors.append(_root_sum((error, play_error)))
    return Step(first, until, change, errors, luck, luck_errors, play)


def _seat_sum(measures: Measures, losses: Sequence[Loss], seat: int) -> SeatSum:
    start, end = measures.start, measures.positions[-1]
    mine = [decision for decision in measures.decisions if decision.seat == seat]
    theirs = [decision for decision in measures.decisions if decision.seat != seat]
    lost = [loss for loss in losses if loss.seat == seat]
    own = _sum(decision.play[seat] for decision in mine)
    others = _sum(decision.play[seat] for decision in theirs)
    own_error = _root_sum(decision.play_errors[seat] for decision in mine)
    others_error = _root_sum(decision.play_errors[seat] for decision in theirs)
    return SeatSum(
        start=start.chances[seat],
        luck=end.chances[seat] - start.chances[seat] - own - others,
        luck_error=_root_sum((start.errors[seat], end.errors[seat], own_error, others_error)),
        own=own,
        own_error=own_error,
        others=others,
        others_error=others_error,
        result=end.chances[seat],
        loss=_sum(loss.loss for loss in lost),
        loss_error=_root_sum(loss.error for loss in lost),
        decisions=len(mine),
        mistakes=sum(loss.is_mistake for loss in lost),
    )


def _mistakes(losses: Sequence[Loss]) -> list[int]:
    mistakes = [loss for loss in losses if loss.is_mistake]
    return [loss.move for loss in sorted(mistakes, key=lambda found: (-found.loss, found.move))]


def _turns(steps: Sequence[Step]) -> list[Turn]:
    found = []
    for number, step in enumerate(steps):
        if number == 0:
            continue  # the deal turned nothing
        seat = max(range(len(step.change)), key=lambda seat: abs(step.change[seat]))
        change = step.change[seat]
        if abs(change) >= max(TURN_CHANGE, TURN_ERRORS * step.change_errors[seat]):
            found.append(Turn(number, seat, change, step.luck[seat], step.play[seat]))
    largest = sorted(found, key=lambda turn: (-abs(turn.change), turn.step))[:MOST_TURNS]
    return sorted(largest, key=lambda turn: turn.step)


def _sum(numbers: Iterable[float]) -> float:
    """In order, so that the browser comes to the same last digit."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _root_sum(errors: Iterable[float]) -> float:
    return math.sqrt(_sum(error * error for error in errors))
