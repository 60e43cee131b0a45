"""Metrics for studies: turns, survivors, and the last spaces of lost people."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD, PIECE_OF
from archipel.rules.atlantis.components import PEOPLE
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.sea import SEA
from archipel.rules.hex_sea.metrics import sea_metrics

METRICS: Final = sea_metrics(BOARD, PIECE_OF, PEOPLE, ENDINGS, SEA)
