"""The conformance suite for Low Tide."""

from __future__ import annotations

from archipel.testing import GameConformance
from low_tide.definition import LOW_TIDE


class TestConformance(GameConformance):
    game = LOW_TIDE
