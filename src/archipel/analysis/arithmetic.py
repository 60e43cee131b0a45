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

#: The worlds of a measurement are divided into this many batches; their spread gives the error.
BATCHES = 16

#: A turn is a mistake if it lost at least this much, and this many standard errors.
MISTAKE_LOSS = 0.03
MISTAKE_ERRORS = 3.0
#: A step is a turning point if a seat's chance changed by this much, and this many standard errors.
TURN_CHANGE = 0.1
TURN_ERRORS = 3.0
MOST_TURNS = 8

#: Half the width of a 95 % interval, in standard errors.
NORMAL_95 = 1.959963984540054

#: Luck is told as a part of a game if it is at least this large, and this many standard errors.
LUCK_TOLD = 0.05
LUCK_ERRORS = 2.0
#: The parts of a game that a verdict names.
PARTS_OF_A_GAME = [0.1, 0.2, 0.3333333333333333, 0.5, 0.75, 1.0]

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


class MoveFacts(Struct, frozen=True):
    """A move: who decided among how many options, and what came after it.

    ``outcome``: chance was drawn, or something was revealed that nobody knew. ``ends_step``: an
    outcome, or another seat decides next.
    """

    seat: int
    options: int
    ends_step: bool
    outcome: bool


class Point(Struct, frozen=True):
    """A point of the timeline: the position after a number of moves.

    ``chosen``: the next move has been chosen, and its outcome is open. ``by_chance``: only an
    outcome lies between the last point and this one; otherwise only decisions of ``seat`` do.
    """

    after: int
    chosen: bool
    seat: int
    by_chance: bool


class Span(Struct, frozen=True):
    """A turn: the moves of one seat from its first decision until an outcome or another seat's."""

    first: int
    until: int
    seat: int


class BatchSums(Struct, frozen=True):
    """Sums of first places, by batch and seat. ``worlds`` is the size of each batch."""

    worlds: int
    shares: list[list[float]]


class Chances(Struct, frozen=True):
    """The chance of each seat to win, with standard errors, and by batch and seat."""

    chances: list[float]
    errors: list[float]
    batches: list[list[float]]


class PositionMeasure(Struct, frozen=True):
    """A point of the timeline with its chances."""

    after: int
    chosen: bool
    seat: int
    by_chance: bool
    chances: list[float]
    errors: list[float]
    batches: list[list[float]]


class TurnMeasure(Struct, frozen=True):
    """What a turn lost against the best turn that was found, for its seat, by what it could know.

    0 if nothing better was found.
    """

    first: int
    until: int
    seat: int
    loss: float
    error: float


class Measures(Struct, frozen=True):
    """All measurements of a game. If it was finished, the last position is the result."""

    seats: int
    positions: list[PositionMeasure]
    turns: list[TurnMeasure]


class Step(Struct, frozen=True):
    """The change between two points: by the decisions of a seat, or by an outcome."""

    first: int
    until: int
    seat: int
    by_chance: bool
    change: list[float]
    change_errors: list[float]


class TurningPoint(Struct, frozen=True):
    """A turning point: the number of its step, and the seat that it changed most."""

    step: int
    seat: int
    change: float


class Interval95(Struct, frozen=True):
    """A 95 % confidence interval."""

    low: float
    high: float


class SeatSum(Struct, frozen=True):
    """The summary of a seat: ``result = start + luck + own + others``.

    ``loss`` is the sum of its mistakes; ``turns`` and ``mistakes`` are numbers.
    """

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
    turns: int
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
    """The summary of a game: ``mistakes`` are numbers of turns, the worst first."""

    steps: list[Step]
    seats: list[SeatSum]
    mistakes: list[int]
    turning_points: list[TurningPoint]


# ---- sums ---------------------------------------------------------------------------------------


def total(numbers: Sequence[float]) -> float:
    result = 0.0
    for number in numbers:
        result += number
    return result


def root_sum(errors: Sequence[float]) -> float:
    """The standard error of a sum of independent terms."""
    return math.sqrt(total([error * error for error in errors]))


def spread_error(batches: Sequence[float]) -> float:
    """The standard error of the mean of independent batches."""
    count = len(batches)
    mean = total(batches) / count
    return math.sqrt(total([(each - mean) ** 2 for each in batches]) / (count * (count - 1)))


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


# ---- the timeline -------------------------------------------------------------------------------


def points_of(moves: Sequence[MoveFacts]) -> list[Point]:
    """The points to evaluate: before and after each outcome, and where another seat decides.

    Points without a decision or an outcome since the last one are left out: nothing changed.
    """
    points = [Point(0, False, -1, False)]
    decider = -1
    last = 0
    for number in range(len(moves)):
        move = moves[number]
        if move.options > 1:
            decider = move.seat
        if move.outcome:
            if decider >= 0:
                points.append(Point(number, True, decider, False))
            points.append(Point(number + 1, False, move.seat, True))
            decider = -1
            last = number + 1
        elif decider >= 0 and move.ends_step:
            points.append(Point(number + 1, False, decider, False))
            decider = -1
            last = number + 1
    if last < len(moves):
        points.append(Point(len(moves), False, moves[len(moves) - 1].seat, False))
    return points


def turns_of(moves: Sequence[MoveFacts]) -> list[Span]:
    """The turns with something to decide."""
    turns: list[Span] = []
    first = -1
    for number in range(len(moves)):
        move = moves[number]
        if first < 0 and move.options > 1:
            first = number
        if first >= 0 and (move.ends_step or number == len(moves) - 1):
            turns.append(Span(first, number + 1, move.seat))
            first = -1
    return turns


# ---- a position or a turn -----------------------------------------------------------------------


def chances_of(correction: Correction, sums: BatchSums) -> Chances:
    """The calibrated chances of a position or a turn."""
    count = len(sums.shares)
    seats = range(len(sums.shares[0]))
    means = [
        total([batch[seat] for batch in sums.shares]) / (count * sums.worlds) for seat in seats
    ]
    chances = corrected(correction, means)
    slopes = [slope_at(correction, means, seat) for seat in seats]
    batches = [
        [chances[seat] + slopes[seat] * (batch[seat] / sums.worlds - means[seat]) for seat in seats]
        for batch in sums.shares
    ]
    errors = [spread_error([batch[seat] for batch in batches]) for seat in seats]
    return Chances(chances, errors, batches)


def certain(shares: list[float]) -> Chances:
    """The result of a game as chances."""
    return Chances(shares, [0.0 for _ in shares], [shares for _ in range(BATCHES)])


def position_measure(point: Point, found: Chances) -> PositionMeasure:
    return PositionMeasure(
        point.after,
        point.chosen,
        point.seat,
        point.by_chance,
        found.chances,
        found.errors,
        found.batches,
    )


def ranked(racing: Sequence[int], means: Sequence[float]) -> list[int]:
    """Candidates by falling mean; ``means`` are by number of candidate."""
    return sorted(racing, key=lambda number: (-means[number], number))


def better_half(ranking: list[int]) -> list[int]:
    return ranking[: math.ceil(len(ranking) / 2)]


def turn_measure(
    turn: Span, correction: Correction, played: BatchSums, best: BatchSums
) -> TurnMeasure:
    """The loss of the played turn against another, both measured in the same worlds."""
    mine = chances_of(correction, played)
    better = chances_of(correction, best)
    seat = turn.seat
    gaps = [
        better.batches[number][seat] - mine.batches[number][seat]
        for number in range(len(mine.batches))
    ]
    return TurnMeasure(
        turn.first,
        turn.until,
        seat,
        better.chances[seat] - mine.chances[seat],
        spread_error(gaps),
    )


def lossless(turn: Span) -> TurnMeasure:
    """The measure of a turn for which nothing better was found."""
    return TurnMeasure(turn.first, turn.until, turn.seat, 0.0, 0.0)


def needs_confirmation(turn: TurnMeasure) -> bool:
    return turn.loss > max(MISTAKE_LOSS, 2.0 * turn.error)


def is_mistake(turn: TurnMeasure) -> bool:
    """Whether a loss is significant and large enough to matter."""
    return turn.loss >= max(MISTAKE_LOSS, MISTAKE_ERRORS * turn.error)


# ---- luck and skill -----------------------------------------------------------------------------


def sum_up(measures: Measures) -> Summary:
    steps = steps_of(measures)
    turns = measures.turns
    mistakes = [number for number in range(len(turns)) if is_mistake(turns[number])]
    return Summary(
        steps=steps,
        seats=[seat_sum(measures, seat) for seat in range(measures.seats)],
        mistakes=sorted(mistakes, key=lambda number: (-turns[number].loss, number)),
        turning_points=turning_points_of(steps),
    )


def steps_of(measures: Measures) -> list[Step]:
    steps: list[Step] = []
    for place in range(1, len(measures.positions)):
        before = measures.positions[place - 1]
        after = measures.positions[place]
        until = after.after + 1 if after.chosen else after.after
        steps.append(
            Step(
                before.after,
                until,
                after.seat,
                after.by_chance,
                [after.chances[seat] - before.chances[seat] for seat in range(measures.seats)],
                [spread_error(differences(before, after, seat)) for seat in range(measures.seats)],
            )
        )
    return steps


def differences(before: PositionMeasure, after: PositionMeasure, seat: int) -> list[float]:
    """The change of a seat's chance, by batch."""
    return [
        after.batches[number][seat] - before.batches[number][seat]
        for number in range(len(after.batches))
    ]


#: The parts of the sum: outcomes, decisions of the seat, decisions of others.
LUCK = 0
OWN = 1
OTHERS = 2


def part_of(after: PositionMeasure, seat: int) -> int:
    if after.by_chance:
        return LUCK
    return OWN if after.seat == seat else OTHERS


def part_sum(positions: Sequence[PositionMeasure], seat: int, part: int) -> float:
    result = 0.0
    for place in range(1, len(positions)):
        if part_of(positions[place], seat) == part:
            result += positions[place].chances[seat] - positions[place - 1].chances[seat]
    return result


def part_error(positions: Sequence[PositionMeasure], seat: int, part: int) -> float:
    batches = [0.0 for _ in positions[0].batches]
    for place in range(1, len(positions)):
        if part_of(positions[place], seat) == part:
            batches = added(batches, differences(positions[place - 1], positions[place], seat))
    return spread_error(batches)


def seat_sum(measures: Measures, seat: int) -> SeatSum:
    positions = measures.positions
    mine = [turn for turn in measures.turns if turn.seat == seat]
    mistakes = [turn for turn in mine if is_mistake(turn)]
    return SeatSum(
        start=positions[0].chances[seat],
        luck=part_sum(positions, seat, LUCK),
        luck_error=part_error(positions, seat, LUCK),
        own=part_sum(positions, seat, OWN),
        own_error=part_error(positions, seat, OWN),
        others=part_sum(positions, seat, OTHERS),
        others_error=part_error(positions, seat, OTHERS),
        result=positions[len(positions) - 1].chances[seat],
        loss=total([turn.loss for turn in mistakes]),
        loss_error=root_sum([turn.error for turn in mistakes]),
        turns=len(mine),
        mistakes=len(mistakes),
    )


def part_of_a_game(luck: float, error: float) -> int:
    """The number of the part of a game that describes the luck best, or -1 if it is unclear."""
    if abs(luck) < max(LUCK_TOLD, LUCK_ERRORS * error):
        return -1
    best = 0
    for number in range(len(PARTS_OF_A_GAME)):
        if abs(abs(luck) - PARTS_OF_A_GAME[number]) < abs(abs(luck) - PARTS_OF_A_GAME[best]):
            best = number
    return best


def turning_points_of(steps: Sequence[Step]) -> list[TurningPoint]:
    """The largest turning points, in the order of the game."""
    found: list[TurningPoint] = []
    for number in range(len(steps)):
        step = steps[number]
        seat = 0
        for other in range(len(step.change)):
            if abs(step.change[other]) > abs(step.change[seat]):
                seat = other
        change = step.change[seat]
        if abs(change) >= max(TURN_CHANGE, TURN_ERRORS * step.change_errors[seat]):
            found.append(TurningPoint(number, seat, change))
    largest = sorted(found, key=lambda turn: (-abs(turn.change), turn.step))[:MOST_TURNS]
    return sorted(largest, key=lambda turn: (turn.step,))
