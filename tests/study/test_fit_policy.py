"""Fit a linear policy to the choices of another bot."""

from __future__ import annotations

import pytest

from archipel.bots import roster_of
from archipel.bots.linear_policy import BITS, SCALE
from archipel.study.fitting.fit_policy import choices_of, choices_program, fit, fit_policy, main
from archipel.study.fitting.samples import CHOSEN, COLUMNS, DECISION, TRAITS

numpy = pytest.importorskip("numpy")


def test_fit_recovers_weights() -> None:
    """Choices drawn with known weights: the fit is close."""
    generator = numpy.random.default_rng(2)
    true = numpy.array([0.0, 1.5, -0.7, 0.4, 0.0])
    rows = []
    for decision in range(8000):
        pairs = generator.integers(0, 5, size=(3, 2))
        scores = true[pairs].sum(axis=1)
        chances = numpy.exp(scores) / numpy.exp(scores).sum()
        chosen = generator.choice(3, p=chances)
        for number, (one, other) in enumerate(pairs):
            rows.append((decision, int(number == chosen), one | other << BITS))
    found = fit(numpy.array(rows, dtype=numpy.int64), 5)
    assert found.decisions == 7200
    # Choices determine only differences of weights: the last one is 0, like no trait.
    assert numpy.array(found.weights) / SCALE == pytest.approx(true, abs=0.12)
    assert found.loss < found.blind - 0.2


def test_sampled_choices_include_all_legal_actions() -> None:
    roster = roster_of("mauna-kea")
    backend = choices_program("mauna-kea").interpreted()
    rows = choices_of("mauna-kea", "greedy", 2, 1, 4, 5, backend)
    assert rows.shape[1] == COLUMNS
    decisions = rows[:, DECISION]
    assert sorted(set(decisions)) == list(range(int(decisions[-1]) + 1))
    for decision in range(int(decisions[-1]) + 1):
        of_one = rows[decisions == decision]
        assert len(of_one) > 1
        assert of_one[:, CHOSEN].sum() == 1
    assert rows[:, TRAITS].max() > 0
    assert (rows[:, TRAITS] & (1 << BITS) - 1).max() < roster.traits


def test_equal_seeds_give_equal_weights() -> None:
    first, again, other = (
        fit_policy("mauna-kea", "greedy", 3, 1, seed, compiled=False) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.weights != other.weights
    assert first.loss < first.blind


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess", "quick_1"], "chess"),
        (["mauna-kea", "quick_1", "--teacher", "gredy"], "no bot called 'gredy'"),
        (["mauna-kea", "quick_1", "--games", "0"], "at least one game"),
    ],
)
def test_bad_input_is_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert why in capsys.readouterr().err
