"""The arithmetic of luck and skill, by hand."""

from __future__ import annotations

import pytest

from archipel.analysis.arithmetic import (
    Chances,
    DecisionMeasure,
    Measures,
    PositionMeasure,
    is_mistake,
    losses_of,
    sum_up,
)


def decision(
    move: int, gap: float, play: float = 0.0, *, goes_on: bool = False, error: float = 0.001
) -> DecisionMeasure:
    return DecisionMeasure(move, 0, gap, error, [play, -play], [0.002, 0.002], goes_on)


def test_a_summary_by_hand() -> None:
    measures = Measures(
        2,
        Chances([0.5, 0.5], [0.01, 0.01]),
        [
            PositionMeasure(0, [0.6, 0.4], [0.02, 0.02]),
            PositionMeasure(1, [0.4, 0.6], [0.02, 0.02]),
            PositionMeasure(3, [1.0, 0.0], [0.0, 0.0]),
        ],
        [
            DecisionMeasure(0, 0, 0.3, 0.01, [-0.25, 0.25], [0.01, 0.01], False),
            DecisionMeasure(2, 1, 0.0, 0.0, [0.05, -0.05], [0.01, 0.01], False),
        ],
    )
    found = sum_up(measures)
    deal, first, last = found.steps
    assert deal.luck == pytest.approx([0.1, -0.1])
    assert first.luck == pytest.approx([0.05, -0.05])
    assert last.luck == pytest.approx([0.55, -0.55])
    mine = found.seats[0]
    assert mine.own == pytest.approx(-0.25)
    assert mine.others == pytest.approx(0.05)
    assert mine.luck == pytest.approx(0.7)
    assert mine.luck_error == pytest.approx((0.01**2 * 3) ** 0.5)
    assert (mine.loss, mine.mistakes, found.mistakes) == (0.3, 1, [0])
    assert [(turn.step, turn.seat) for turn in found.turns] == [(1, 0), (2, 0)]


def test_a_recoverable_disadvantage_is_no_loss() -> None:
    """The wrong piece is no loss while it can still reach the right place."""
    choose, go = decision(0, 0.3, goes_on=True), decision(1, 0.3)
    assert [loss.loss for loss in losses_of([choose, go])] == pytest.approx([0.0, 0.3])
    choose = decision(0, 0.1, goes_on=True)
    assert [loss.loss for loss in losses_of([choose, go])] == pytest.approx([0.0, 0.3])


def test_an_irrecoverable_disadvantage_is_a_loss() -> None:
    choose, go = decision(0, 0.3, goes_on=True), decision(1, 0.1)
    assert [loss.loss for loss in losses_of([choose, go])] == pytest.approx([0.2, 0.1])


def test_turns_are_independent() -> None:
    first, second = decision(0, 0.3), decision(5, 0.3)
    assert [loss.loss for loss in losses_of([first, second])] == pytest.approx([0.3, 0.3])


def test_losses_and_play_add_up_within_a_turn() -> None:
    """The best turn minus the policy's turn is the sum of losses and gains."""
    turn = [
        decision(0, 0.2, -0.05, goes_on=True),
        decision(1, 0.0, 0.1, goes_on=True),
        decision(2, 0.15, -0.15),
    ]
    losses = losses_of(turn)
    assert all(loss.loss >= 0 for loss in losses)
    ahead = 0.0
    for measure, loss in zip(reversed(turn), reversed(losses), strict=True):
        ahead = loss.loss + ahead + measure.play[0]
    assert ahead == pytest.approx(max(0.2, 0.0 + 0.1 + 0.0) - 0.05)


@pytest.mark.parametrize(
    ("gap", "error", "is_one"),
    [(0.05, 0.001, True), (0.05, 0.02, False), (0.02, 0.001, False), (-0.2, 0.001, False)],
)
def test_a_mistake_is_significant_and_large(gap: float, error: float, is_one: bool) -> None:
    assert is_mistake(losses_of([decision(0, gap, error=error)])[0]) is is_one
