"""The arithmetic of luck and skill, by hand."""

from __future__ import annotations

import pytest

from archipel.analysis.arithmetic import (
    BATCHES,
    BatchSums,
    Chances,
    Correction,
    Measures,
    MoveFacts,
    Point,
    Span,
    TurnMeasure,
    certain,
    chances_of,
    is_mistake,
    part_of_a_game,
    points_of,
    position_measure,
    sum_up,
    turn_measure,
    turns_of,
)

#: Seat, options, whether the step ends, whether chance or a reveal came with it.
MOVES = [
    MoveFacts(0, 3, False, False),  # a piece
    MoveFacts(0, 2, True, True),  # its destination, and dice
    MoveFacts(1, 1, True, True),  # forced, and dice
    MoveFacts(1, 1, True, False),  # forced: nothing changes
    MoveFacts(0, 2, True, False),  # a decision without chance
    MoveFacts(1, 1, False, False),  # forced until the end
]


def test_points_separate_decisions_from_outcomes() -> None:
    assert points_of(MOVES) == [
        Point(0, False, -1, False),
        Point(1, True, 0, False),  # seat 0 has decided, the dice have not fallen
        Point(2, False, 0, True),
        Point(3, False, 1, True),
        Point(5, False, 0, False),
        Point(6, False, 1, False),
    ]
    assert turns_of(MOVES) == [Span(0, 2, 0), Span(4, 5, 0)]


def sure(first: float, error: float = 0.0) -> Chances:
    """Chances of two seats whose batches spread by the error."""
    half = error * (BATCHES - 1) ** 0.5
    batches = [
        [first + (half if number % 2 else -half), 1 - first - (half if number % 2 else -half)]
        for number in range(BATCHES)
    ]
    return Chances([first, 1 - first], [error, error], batches)


def test_a_summary_by_hand() -> None:
    values = [sure(0.5, 0.01), sure(0.3), sure(0.7), sure(0.6), sure(0.65), certain([1.0, 0.0])]
    positions = [position_measure(p, v) for p, v in zip(points_of(MOVES), values, strict=True)]
    turns = [TurnMeasure(0, 2, 0, 0.2, 0.01), TurnMeasure(4, 5, 0, 0.0, 0.0)]
    found = sum_up(Measures(2, positions, turns))
    mine, other = found.seats
    assert (mine.start, mine.result) == (0.5, 1.0)
    assert mine.luck == pytest.approx(0.4 - 0.1)
    assert mine.own == pytest.approx(-0.2 + 0.05)
    assert mine.others == pytest.approx(0.35)
    assert other.luck == pytest.approx(-mine.luck)
    assert other.own == pytest.approx(-0.35)
    assert mine.own_error == pytest.approx(0.01), "the error of the first position"
    assert mine.luck_error == pytest.approx(0.0), "no chance before or after that position"
    assert (mine.loss, mine.turns, mine.mistakes, found.mistakes) == (0.2, 2, 1, [0])
    assert [(turn.step, turn.seat) for turn in found.turning_points] == [(0, 0), (1, 0), (4, 0)]
    step = found.steps[0]
    assert (step.first, step.until, step.seat, step.by_chance) == (0, 2, 0, False)
    assert step.change_errors == pytest.approx([0.01, 0.01])


def test_a_decision_without_chance_has_no_luck() -> None:
    values = [sure(0.5), sure(0.3, 0.02), sure(0.4), sure(0.1, 0.05)]
    moves = [MoveFacts(seat % 2, 2, True, False) for seat in range(3)]
    positions = [position_measure(p, v) for p, v in zip(points_of(moves), values, strict=True)]
    for seat in sum_up(Measures(2, positions, [])).seats:
        assert (seat.luck, seat.luck_error) == (0.0, 0.0)


def test_errors_come_from_the_batches() -> None:
    shares = [[float(number % 3), 4.0 - number % 3] for number in range(BATCHES)]
    found = chances_of(Correction(), BatchSums(4, shares))
    mean = sum(batch[0] for batch in shares) / (4 * BATCHES)
    spread = sum((batch[0] / 4 - mean) ** 2 for batch in shares)
    assert found.chances == pytest.approx([mean, 1 - mean])
    assert found.errors[0] == pytest.approx((spread / (BATCHES * (BATCHES - 1))) ** 0.5)


def test_a_loss_is_measured_in_pairs() -> None:
    """What differs between worlds alone is no error of the difference."""
    played = BatchSums(10, [[2.0 + number % 4, 0.0] for number in range(BATCHES)])
    best = BatchSums(10, [[3.0 + number % 4, 0.0] for number in range(BATCHES)])
    found = turn_measure(Span(3, 5, 0), Correction(), played, best)
    assert (found.first, found.until, found.seat) == (3, 5, 0)
    assert found.loss == pytest.approx(0.1)
    assert found.error == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("loss", "error", "is_one"),
    [(0.05, 0.001, True), (0.05, 0.02, False), (0.02, 0.001, False), (-0.2, 0.001, False)],
)
def test_a_mistake_is_significant_and_large(loss: float, error: float, is_one: bool) -> None:
    assert is_mistake(TurnMeasure(0, 1, 0, loss, error)) is is_one


@pytest.mark.parametrize(
    ("luck", "error", "part"),
    [(0.21, 0.02, 1), (-0.21, 0.02, 1), (0.21, 0.2, -1), (0.02, 0.0, -1), (1.4, 0.1, 5)],
)
def test_luck_is_told_as_a_part_of_a_game(luck: float, error: float, part: int) -> None:
    assert part_of_a_game(luck, error) == part
