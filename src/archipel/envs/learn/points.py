"""How far learning is, as it is written down."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Point:
    """One point of the curve."""

    seconds: float
    processor_seconds: float
    decisions: int
    games: int
    share: float
    """Of first place, in the games that ended since the last point."""

    def to_dict(self) -> dict[str, float]:
        return asdict(self)
