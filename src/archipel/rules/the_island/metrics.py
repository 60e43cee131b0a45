"""Metrics for studies: turns, survivors, and the last spaces of lost explorers."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.metrics import sea_metrics
from archipel.rules.the_island.board import BOARD, TILE_OF
from archipel.rules.the_island.components import EXPLORERS
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.sea import SEA

METRICS: Final = sea_metrics(BOARD, TILE_OF, EXPLORERS, ENDINGS, SEA)
