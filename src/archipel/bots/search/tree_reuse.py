"""Tree reuse: start the search of a decision from the subtree of the previous one.

A turn is several decisions, such as a piece and then its destination. Where neither chance nor
another seat comes in between, and nothing hidden is revealed, the next search starts from the
statistics of the last one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from archipel.bots.search.config import get_field
from archipel.bots.search.search_state import NONE
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone

Statistics = tuple[int, float, float, float]  # visits, sums of rewards, squared rewards and wins
STATISTICS = ("visits", "worth", "squares", "won")  # fields of a candidate


class ChanceNeeded(Exception):
    """An action drew an outcome where none was allowed."""


class NoChance:
    """A chance that raises `ChanceNeeded` when a rule draws from it."""

    def draw(self, n: int, /) -> int:
        raise ChanceNeeded


@dataclass(frozen=True)
class Subtree:
    """Statistics of the actions in a view, by thread."""

    view: Any
    threads: tuple[Mapping[int, Statistics], ...]

    def add_to(self, threads: Any, count: int) -> None:
        """Add the statistics to a search of the same view that has just begun."""
        for thread, found in zip(range(count), self.threads, strict=False):
            t = threads[thread]
            for number in range(int(get_field(t, "count"))):
                known = found.get(int(get_field(t, "candidate")[number]))
                if known is not None:
                    for name, more in zip(
                        ("visits", "worth", "squares", "won"), known, strict=True
                    ):
                        get_field(t, name)[number] += more


def subtree_after(
    definition: Definition[Any], view: Any, action: int, threads: Any, count: int, chosen: int
) -> Subtree | None:
    """Return the subtree below an action, or None if another seat or chance comes next."""
    seat = definition.to_move(view)
    found = tuple(_children(threads[thread], chosen, seat) for thread in range(count))
    if not any(found):
        return None
    world = clone(view)
    definition.deal_unseen(world, Stream(0))
    try:
        definition.apply(world, action, NoChance())
    except ChanceNeeded:
        return None
    if definition.to_move(world) != seat:
        return None
    return Subtree(definition.seen(world, seat), found)


def _children(t: Any, candidate: int, seat: int) -> dict[int, Statistics]:
    node = int(get_field(t, "below")[candidate])
    found: dict[int, Statistics] = {}
    child = NONE if node == NONE else int(get_field(t, "first")[node])
    while child != NONE:
        action = int(get_field(t, "key")[child])
        if action >= 0 and int(get_field(t, "mover")[child]) == seat:
            visits = int(get_field(t, "tried")[child])
            total, squares, won = (
                float(get_field(t, name)[child]) for name in ("total", "total_squares", "total_won")
            )
            found[action] = (visits, total, squares, won)
        child = int(get_field(t, "following")[child])
    return found
