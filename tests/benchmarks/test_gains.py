"""Gains of search configurations in evaluated positions."""

from __future__ import annotations

import pytest

from benchmarks.gains import Position, gain_of, main

FORK = Position(None, (4, 7, 9), (0.5, 0.25, 0.75), 0)
PLAIN = Position(None, (1, 2), (0.0, 1.0), 1)


def test_a_gain_is_relative_to_greedys_choice() -> None:
    assert [FORK.gain(action) for action in FORK.candidates] == [0.0, -0.25, 0.25]
    assert [PLAIN.gain(action) for action in PLAIN.candidates] == [-1.0, 0.0]


def test_gains_are_means_over_positions() -> None:
    gain = gain_of([(FORK, 9), (PLAIN, 2), (FORK, 7), (FORK, 9)], 0.002)
    assert gain.mean == pytest.approx(0.0625)
    assert gain.error == pytest.approx(0.1197, abs=1e-4)
    assert gain.others == 0.75
    assert gain.milliseconds == pytest.approx(0.5)


def test_one_position_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["deep-sea", "master", "--positions", "1"])
    assert "at least two positions" in capsys.readouterr().err
