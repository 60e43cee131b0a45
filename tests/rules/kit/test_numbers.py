"""Roots, logarithms and powers by table: near the true ones everywhere, and exact in the table."""

from __future__ import annotations

import math

import pytest

from archipel.rules.kit.numbers import LOWEST, TABLED, decay, logarithm, root


@pytest.mark.parametrize("number", [1, 2, 10, TABLED - 1])
def test_small_numbers_are_exact(number: int) -> None:
    assert logarithm(number) == math.log(number)
    assert root(number) == math.sqrt(number)


@pytest.mark.parametrize("number", [TABLED, 3 * TABLED + 5, 10**6, 10**9 + 7, 10**15])
def test_large_numbers_are_near(number: int) -> None:
    assert logarithm(number) == pytest.approx(math.log(number), abs=1 / 2000)
    assert root(number) == pytest.approx(math.sqrt(number), rel=1 / 2000)


def test_nothing() -> None:
    assert logarithm(0) == 0
    assert root(0) == 0


def test_powers() -> None:
    for step in range(2000):
        amount = step * LOWEST / 2000
        assert decay(amount) == pytest.approx(math.exp(-amount), rel=1 / 30_000)
    assert decay(0.0) == 1
    assert decay(LOWEST - 1e-9) > 0
    assert decay(LOWEST) == decay(1e9) == 0
