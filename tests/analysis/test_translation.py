"""The summary of stored measurements; `client/tests/arithmetic.test.ts` has the same test."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from archipel.analysis.arithmetic import Correction, Measures, slope_at, sum_up
from client.scripts.python_to_typescript import Untranslatable, typescript

MEASURES = Path(__file__).with_name("measures.json")


def test_summary() -> None:
    stored = json.loads(MEASURES.read_text("utf-8"))
    measures = msgspec.convert(stored["measures"], Measures)
    assert msgspec.to_builtins(sum_up(measures)) == stored["summary"]
    assert stored["summary"]["mistakes"], "otherwise the test compares little"
    assert stored["summary"]["turning_points"]


def test_corrections() -> None:
    for each in json.loads(MEASURES.read_text("utf-8"))["corrections"]:
        correction = Correction(each["power"], each["floor"])
        assert correction.apply(each["stated"]) == pytest.approx(each["corrected"], rel=1e-12)
        slopes = [slope_at(correction, each["stated"], seat) for seat in range(len(each["stated"]))]
        assert slopes == pytest.approx(each["slopes"], rel=1e-12)


def test_a_construct_outside_the_subset_is_refused_with_its_line() -> None:
    with pytest.raises(Untranslatable, match="line 2: no TypeScript for While"):
        typescript("def f(a: int) -> int:\n    while a: pass\n", "f.py")
