"""Figures of a measurement, in words."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def in_milliseconds(values: Sequence[float]) -> str:
    parts = [
        f"p{round(100 * share)} {1000 * percentile(values, share):.1f} ms"
        for share in (0.5, 0.9, 0.99)
    ]
    longest = f"longest {1000 * max(values, default=float('nan')):.1f} ms"
    return ", ".join((*parts, longest))
