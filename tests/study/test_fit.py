"""Fit the weights of an evaluation to results."""

from __future__ import annotations

import pytest

from archipel.bots import roster_of
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.study.fitting.fit_evaluation import count_features, fit, main, samples_program
from archipel.study.simulation.game_kernel import BLANK, STATES

numpy = pytest.importorskip("numpy")


def test_fit_recovers_weights() -> None:
    """Results drawn with known weights: the fit is close, and its loss near the minimum."""
    generator = numpy.random.default_rng(1)
    true = numpy.array([1.5, -0.7, 0.0])
    features = generator.normal(size=(20_000, 3, 3))
    scores = features @ true
    chances = numpy.exp(scores) / numpy.exp(scores).sum(axis=1, keepdims=True)
    winners = (generator.random((20_000, 1)) > chances.cumsum(axis=1)).sum(axis=1)
    shares = numpy.eye(3)[winners]
    weights, loss, blind, right = fit(features, shares)
    assert weights == pytest.approx(true, abs=0.06)
    held = chances[18_000:]
    minimum = -(held * numpy.log(held)).sum(axis=1).mean()
    assert loss == pytest.approx(minimum, abs=0.03)
    assert blind == pytest.approx(numpy.log(3))
    assert right == pytest.approx(held.max(axis=1).mean(), abs=0.03)


def test_sampled_positions_have_features_and_results() -> None:
    roster = roster_of("deep-sea")
    known = count_features(roster, 3)
    backend = samples_program("deep-sea").interpreted()
    states = backend.states(STATES)
    backend.write(states, BLANK, DEEP_SEA.blank(DEEP_SEA.make_options(3)))
    samples, shares = backend.fractions(50, 3 * known), backend.fractions(50, 3)
    rows = backend.sample_positions(
        states,
        backend.numbers(DEEP_SEA.most_legal),
        backend.fractions(known),
        roster.named("greedy").index,
        3,
        backend.stream(0),
        backend.stream(0),
        5,
        0,
        12,
        1,
        True,
        True,
        samples,
        shares,
    )
    assert 5 < rows <= 24, "rounds two and three of each game begin with treasure"
    assert all(sum(row) == pytest.approx(1) for row in shares[:rows])
    assert all(any(row) for row in samples[:rows])
    assert not any(any(row) for row in samples[rows:])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess", "evaluation_1"], "chess"),
        (["deep-sea", "evaluation_1", "--bot", "gredy"], "no bot called 'gredy'"),
        (["deep-sea", "evaluation_1", "--games", "0"], "at least one game"),
    ],
)
def test_bad_input_is_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert why in capsys.readouterr().err
