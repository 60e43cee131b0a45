"""The arithmetic of an analysis: calibration, paired differences, and luck apart from skill.

`client/scripts/python_to_typescript.py` translates this module for the browser, so it keeps to a
small subset of Python: constants, classes of data, and functions of numbers, lists and such data.
The translation leaves methods out. Sums run in order, so that the last digit is the same in both
languages. `docs/analysis.md` explains the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

#: A decision is a mistake if it lost at least this much, and this many standard errors.
MISTAKE_LOSS = 0.03
MISTAKE_ERRORS = 3.0
#: A step is a turning point if a seat's chance changed by this much, and this many standard errors.
TURN_CHANGE = 0.1
TURN_ERRORS = 3.0
MOST_TURNS = 8

#: Half the width of a 95 % interval, in standard errors.
NORMAL_95 = 1.959963984540054

#: Losses are measured in worlds with numbers from here on; candidates are selected in those from 0.
FRESH_WORLDS = 4294967296
#: The selection of the best candidate ends with this many.
FINALISTS = 2
#: An apparent mistake is measured again, in this many times as many worlds.
CONFIRMATION = 4


class Correction(Struct, frozen=True):
    """A calibration of chances: a power above 1 makes them bolder, one below 1 more modest."""

    power: float = 1.0
    floor: float = 0.0

    def apply(self, chances: Sequence[float]) -> list[float]:
        return corrected(self, chances)


class CorrectedChance(Struct, frozen=True):
    chance: float
    error: float


class RolloutSums(Struct, frozen=True):
    """Sums over worlds, one number per seat, for a candidate or a position.

    ``gaps`` are squared differences from the first of the candidates evaluated together.
    """

    worlds: int
    shares: list[float]
    squares: list[float]
    gaps: list[float]

    def __add__(self, other: RolloutSums) -> RolloutSums:
        return plus(self, other)

    def mean(self, seat: int) -> float:
        return mean_of(self, seat)

    @property
    def means(self) -> list[float]:
        return means_of(self)

    def error(self, seat: int) -> float:
        return mean_error(self, seat)

    def gap_error(self, first: RolloutSums, seat: int) -> float:
        return gap_error(self, first, seat)


class Chances(Struct, frozen=True):
    """The chance of each seat to win, with standard errors."""

    chances: list[float]
    errors: list[float]


class PositionMeasure(Struct, frozen=True):
    """The position after a number of moves."""

    after: int
    chances: list[float]
    errors: list[float]


class DecisionMeasure(Struct, frozen=True):
    """The measured value of a decision, identified by the number of its move from 0.

    ``gap`` is the advantage of the best candidate over the played one. ``play`` is, for every seat,
    the value of the played candidate less that of the policy's choice. ``goes_on`` says that the
    next decision of the list belongs to the same turn, with nothing in between.
    """

    move: int
    seat: int
    gap: float
    gap_error: float
    play: list[float]
    play_errors: list[float]
    goes_on: bool


class Measures(Struct, frozen=True):
    """All measurements of a game. If it was finished, the last position is the result."""

    seats: int
    start: Chances
    positions: list[PositionMeasure]
    decisions: list[DecisionMeasure]


class Loss(Struct, frozen=True):
    """The chance that a decision gave away for good, with its standard error."""

    move: int
    seat: int
    loss: float
    error: float


class Step(Struct, frozen=True):
    """The changes between two positions of the timeline; the deal is the step before move 0."""

    first: int
    until: int
    change: list[float]
    change_errors: list[float]
    luck: list[float]
    luck_errors: list[float]
    play: list[float]


class Turn(Struct, frozen=True):
    """A turning point: the number of its step, the seat that it changed most, and the causes."""

    step: int
    seat: int
    change: float
    luck: float
    play: float


class Interval95(Struct, frozen=True):
    """A 95 % confidence interval."""

    low: float
    high: float


class SeatSum(Struct, frozen=True):
    """The summary of a seat: ``result = start + luck + own + others``."""

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
        """The effect of all decisions, own and others'."""
        half = NORMAL_95 * root_sum([self.own_error, self.others_error])
        return Interval95(self.own + self.others - half, self.own + self.others + half)


class Summary(Struct, frozen=True):
    """The summary of a game: ``mistakes`` are numbers of moves, the worst first."""

    steps: list[Step]
    losses: list[Loss]
    seats: list[SeatSum]
    mistakes: list[int]
    turns: list[Turn]


# ---- sums ---------------------------------------------------------------------------------------


def total(numbers: Sequence[float]) -> float:
    result = 0.0
    for number in numbers:
        result += number
    return result


def root_sum(errors: Sequence[float]) -> float:
    """The standard error of a sum of independent terms."""
    return math.sqrt(total([error * error for error in errors]))


# ---- calibration --------------------------------------------------------------------------------


def corrected(correction: Correction, chances: Sequence[float]) -> list[float]:
    """Add the floor to each chance, raise it to the power, and normalise.

    For two seats this is a straight line through the log-odds; for any number of seats it keeps
    their order and their sum.
    """
    if is_identity(correction) or len([chance for chance in chances if chance > 0.0]) == 1:
        return list(chances)
    raised = [(max(0.0, chance) + correction.floor) ** correction.power for chance in chances]
    whole = total(raised)
    if whole <= 0.0:
        return list(chances)
    return [chance / whole for chance in raised]


def is_identity(correction: Correction) -> bool:
    return correction.power == 1.0 and correction.floor == 0.0


def slope_at(correction: Correction, chances: Sequence[float], seat: int) -> float:
    """The derivative of a seat's corrected chance, which scales its error.

    The other seats give way in proportion.
    """
    if is_identity(correction):
        return 1.0
    before = chances[seat] + correction.floor
    after = corrected(correction, chances)[seat]
    rest = max(1e-9, total(chances) - chances[seat] + correction.floor * (len(chances) - 1))
    return correction.power * after * (1.0 - after) * (1.0 / max(1e-9, before) + 1.0 / rest)


def corrected_alone(
    correction: Correction, chance: float, error: float, seats: int
) -> CorrectedChance:
    """Correct one seat's chance, assuming that the other seats share the rest equally.

    This is nearly as good as knowing their chances (`docs/studies/calibration.md`).
    """
    every = [chance if seat == 0 else (1.0 - chance) / (seats - 1) for seat in range(seats)]
    return CorrectedChance(
        chance=corrected(correction, every)[0], error=error * slope_at(correction, every, 0)
    )


# ---- tallies ------------------------------------------------------------------------------------


def plus(one: RolloutSums, other: RolloutSums) -> RolloutSums:
    return RolloutSums(
        one.worlds + other.worlds,
        added(one.shares, other.shares),
        added(one.squares, other.squares),
        added(one.gaps, other.gaps),
    )


def added(left: Sequence[float], right: Sequence[float]) -> list[float]:
    return [left[place] + right[place] for place in range(len(left))]


def mean_of(sums: RolloutSums, seat: int) -> float:
    return sums.shares[seat] / sums.worlds


def means_of(sums: RolloutSums) -> list[float]:
    return [share / sums.worlds for share in sums.shares]


def standard_error(variance: float, worlds: int) -> float:
    return math.sqrt(max(0.0, variance) / max(1, worlds - 1))


def mean_error(sums: RolloutSums, seat: int) -> float:
    """The standard error of a mean."""
    mean = mean_of(sums, seat)
    return standard_error(sums.squares[seat] / sums.worlds - mean * mean, sums.worlds)


def gap_error(sums: RolloutSums, first: RolloutSums, seat: int) -> float:
    """The standard error of the difference from the mean of the first candidate."""
    gap = mean_of(sums, seat) - mean_of(first, seat)
    return standard_error(sums.gaps[seat] / sums.worlds - gap * gap, sums.worlds)


# ---- a position ---------------------------------------------------------------------------------


def position_chances(correction: Correction, sums: RolloutSums) -> Chances:
    means = means_of(sums)
    errors = [mean_error(sums, seat) for seat in range(len(means))]
    return calibrated(correction, means, errors)


def start_chances(correction: Correction, deals: Sequence[RolloutSums]) -> Chances:
    """The chances before the deal, from one position per deal.

    Deals differ more than the worlds of one deal, so the error is that of the mean over deals.
    """
    count = len(deals)
    seats = len(deals[0].shares)
    means = [total([mean_of(deal, seat) for deal in deals]) / count for seat in range(seats)]
    errors = [
        math.sqrt(
            total([(mean_of(deal, seat) - means[seat]) ** 2 for deal in deals])
            / (count * (count - 1))
        )
        for seat in range(seats)
    ]
    return calibrated(correction, means, errors)


def calibrated(correction: Correction, means: Sequence[float], errors: Sequence[float]) -> Chances:
    return Chances(
        chances=corrected(correction, means),
        errors=[slope_at(correction, means, seat) * errors[seat] for seat in range(len(means))],
    )


# ---- a decision ---------------------------------------------------------------------------------


def ranked(racing: Sequence[int], means: Sequence[float]) -> list[int]:
    """Candidates by falling mean; ``means`` are by number of candidate."""
    return sorted(racing, key=lambda number: (-means[number], number))


def better_half(ranking: list[int]) -> list[int]:
    return ranking[: math.ceil(len(ranking) / 2)]


def needs_confirmation(measure: DecisionMeasure) -> bool:
    return measure.gap > max(MISTAKE_LOSS, 2.0 * measure.gap_error)


def measured(
    decision: DecisionMeasure,
    correction: Correction,
    played: RolloutSums,
    best: RolloutSums,
    advised: RolloutSums,
) -> DecisionMeasure:
    """Fill in the measurements of a decision from its sums in fresh worlds."""
    seats = range(len(played.shares))
    shown = corrected(correction, means_of(played))
    policy = corrected(correction, means_of(advised))
    slopes = [slope_at(correction, means_of(advised), seat) for seat in seats]
    return DecisionMeasure(
        move=decision.move,
        seat=decision.seat,
        gap=corrected(correction, means_of(best))[decision.seat] - shown[decision.seat],
        gap_error=slope_at(correction, means_of(best), decision.seat)
        * gap_error(best, played, decision.seat),
        play=[shown[seat] - policy[seat] for seat in seats],
        play_errors=[slopes[seat] * gap_error(advised, played, seat) for seat in seats],
        goes_on=decision.goes_on,
    )


def unmeasured(move: int, seat: int, seats: int, goes_on: bool) -> DecisionMeasure:
    """The measurements of a decision in which only one candidate matters."""
    zeros = [0.0 for _ in range(seats)]
    return DecisionMeasure(move, seat, 0.0, 0.0, zeros, zeros, goes_on)


# ---- luck and skill -----------------------------------------------------------------------------


def sum_up(measures: Measures) -> Summary:
    steps = steps_of(measures)
    losses = losses_of(measures.decisions)
    mistakes = [loss for loss in losses if is_mistake(loss)]
    return Summary(
        steps=steps,
        losses=losses,
        seats=[seat_sum(measures, losses, seat) for seat in range(measures.seats)],
        mistakes=[loss.move for loss in sorted(mistakes, key=lambda loss: (-loss.loss, loss.move))],
        turns=turns_of(steps),
    )


def is_mistake(loss: Loss) -> bool:
    """Whether a loss is significant and large enough to matter."""
    return loss.loss >= max(MISTAKE_LOSS, MISTAKE_ERRORS * loss.error)


def losses_of(decisions: Sequence[DecisionMeasure]) -> list[Loss]:
    """The chance that each decision gave away and that no later decision of its turn could regain.

    Goes through a turn from its end: ``ahead`` is the advantage of the best rest of the turn over
    the policy's. An earlier decision of the turn has not lost what can still be gained.
    """
    found: list[Loss] = []
    ahead = 0.0
    ahead_error = 0.0
    for decision in reversed(decisions):
        if not decision.goes_on:
            ahead = 0.0
            ahead_error = 0.0
        loss = decision.gap - ahead
        error = root_sum([decision.gap_error, ahead_error])
        if decision.goes_on and loss < 0.0:
            loss = 0.0
            error = 0.0
        else:
            ahead_error = decision.gap_error
        ahead += loss + decision.play[decision.seat]
        ahead_error = root_sum([ahead_error, decision.play_errors[decision.seat]])
        found.append(Loss(move=decision.move, seat=decision.seat, loss=loss, error=error))
    return found[::-1]


def steps_of(measures: Measures) -> list[Step]:
    positions = measures.positions
    steps = [step_of(0, 0, measures.start, positions[0], [], measures.seats)]
    for place in range(1, len(positions)):
        before = positions[place - 1]
        after = positions[place]
        start = Chances(chances=before.chances, errors=before.errors)
        made = [d for d in measures.decisions if before.after <= d.move and d.move < after.after]
        steps.append(step_of(before.after, after.after, start, after, made, measures.seats))
    return steps


def step_of(
    first: int,
    until: int,
    before: Chances,
    after: PositionMeasure,
    decisions: Sequence[DecisionMeasure],
    seats: int,
) -> Step:
    step: Step = Step(first, until, [], [], [], [], [])
    for seat in range(seats):
        change = after.chances[seat] - before.chances[seat]
        error = root_sum([before.errors[seat], after.errors[seat]])
        play = total([decision.play[seat] for decision in decisions])
        play_error = root_sum([decision.play_errors[seat] for decision in decisions])
        step.change.append(change)
        step.change_errors.append(error)
        step.play.append(play)
        step.luck.append(change - play)
        step.luck_errors.append(root_sum([error, play_error]))
    return step


def seat_sum(measures: Measures, losses: Sequence[Loss], seat: int) -> SeatSum:
    start = measures.start
    end = measures.positions[-1]
    mine = [decision for decision in measures.decisions if decision.seat == seat]
    theirs = [decision for decision in measures.decisions if decision.seat != seat]
    lost = [loss for loss in losses if loss.seat == seat]
    own = total([decision.play[seat] for decision in mine])
    others = total([decision.play[seat] for decision in theirs])
    own_error = root_sum([decision.play_errors[seat] for decision in mine])
    others_error = root_sum([decision.play_errors[seat] for decision in theirs])
    return SeatSum(
        start=start.chances[seat],
        luck=end.chances[seat] - start.chances[seat] - own - others,
        luck_error=root_sum([start.errors[seat], end.errors[seat], own_error, others_error]),
        own=own,
        own_error=own_error,
        others=others,
        others_error=others_error,
        result=end.chances[seat],
        loss=total([loss.loss for loss in lost]),
        loss_error=root_sum([loss.error for loss in lost]),
        decisions=len(mine),
        mistakes=len([loss for loss in lost if is_mistake(loss)]),
    )


def turns_of(steps: Sequence[Step]) -> list[Turn]:
    """The largest turning points, in the order of the game. The deal is none."""
    found: list[Turn] = []
    for number in range(1, len(steps)):
        step = steps[number]
        seat = 0
        for other in range(len(step.change)):
            if abs(step.change[other]) > abs(step.change[seat]):
                seat = other
        change = step.change[seat]
        if abs(change) >= max(TURN_CHANGE, TURN_ERRORS * step.change_errors[seat]):
            found.append(Turn(number, seat, change, step.luck[seat], step.play[seat]))
    largest = sorted(found, key=lambda turn: (-abs(turn.change), turn.step))[:MOST_TURNS]
    return sorted(largest, key=lambda turn: (turn.step,))
