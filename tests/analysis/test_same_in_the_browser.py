"""The account that Python makes of one set of measures, kept for the browser's test to compare."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from archipel.analysis.correction import Correction
from archipel.analysis.summing import Measures, sum_up

#: What `client/tests/summing.test.ts` reads, too.
KEPT = Path(__file__).with_name("account.json")


def test_the_account() -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    measures = msgspec.convert(kept["measures"], Measures)
    assert msgspec.to_builtins(sum_up(measures)) == kept["summary"]
    assert kept["summary"]["mistakes"], "or little would be compared"
    assert kept["summary"]["turns"]


def test_the_corrections() -> None:
    for each in json.loads(KEPT.read_text("utf-8"))["corrections"]:
        correction = Correction(each["power"], each["floor"])
        assert correction.apply(each["stated"]) == pytest.approx(each["corrected"], rel=1e-12)
        slopes = [correction.slope(each["stated"], seat) for seat in range(len(each["stated"]))]
        assert slopes == pytest.approx(each["slopes"], rel=1e-12)
