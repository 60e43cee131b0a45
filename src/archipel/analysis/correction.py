"""Chances corrected by what became of positions that had such chances.

Each seat's chance is raised to a power, after a little was added to it, and then all are divided by
their sum: for two seats that is a straight line through the log-odds, and for any number it keeps
their order and their sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Correction(Struct, frozen=True):
    """A power above 1 makes chances bolder, one below 1 more modest."""

    power: float = 1.0
    floor: float = 0.0

    @property
    def is_none(self) -> bool:
        return self.power == 1.0 and self.floor == 0.0

    def apply(self, chances: Sequence[float]) -> list[float]:
        if self.is_none or sum(chance > 0 for chance in chances) == 1:
            return list(chances)
        raised = [(max(0.0, chance) + self.floor) ** self.power for chance in chances]
        whole = sum(raised)
        return [chance / whole for chance in raised] if whole > 0 else list(chances)

    def slope(self, chances: Sequence[float], seat: int) -> float:
        """How much a seat's corrected chance changes for a small change of its chance, the others
        giving way in proportion: errors are stretched as much."""
        if self.is_none:
            return 1.0
        before, after = chances[seat] + self.floor, self.apply(chances)[seat]
        rest = max(1e-9, sum(chances) - chances[seat] + self.floor * (len(chances) - 1))
        return self.power * after * (1 - after) * (1 / max(1e-9, before) + 1 / rest)
