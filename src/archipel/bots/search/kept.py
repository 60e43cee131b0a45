"""The tree through a turn: what a search found out about the decision that follows its own.

A turn is several decisions, such as a piece and then where it goes.  Where neither chance nor
another seat comes in between, and nothing hidden is shown, the next search begins with what the
last one knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from archipel.bots.search.plan import get_field
from archipel.bots.search.thinking import NONE
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone

Record = tuple[int, float, float, float]  # visits, rewards, their squares, first places


class ChanceComes(Exception):
    """Something is drawn after all."""


class _NoChance:
    def draw(self, n: int, /) -> int:
        raise ChanceComes


@dataclass(frozen=True)
class Kept:
    """What is known of the actions in a view, strand by strand."""

    view: Any
    strands: tuple[Mapping[int, Record], ...]

    def give(self, strands: Any, count: int) -> None:
        """Let a search that has just begun with this view have it."""
        for strand, found in zip(range(count), self.strands, strict=False):
            t = strands[strand]
            for number in range(int(get_field(t, "count"))):
                record = found.get(int(get_field(t, "candidate")[number]))
                if record is not None:
                    visits, worth, squares, won = record
                    get_field(t, "visits")[number] += visits
                    get_field(t, "worth")[number] += worth
                    get_field(t, "squares")[number] += squares
                    get_field(t, "won")[number] += won


def keep(
    definition: Definition[Any], view: Any, action: int, strands: Any, count: int, chosen: int
) -> Kept | None:
    """What is known of the decision after an action, if it is the same seat's and comes at once."""
    seat = definition.to_move(view)
    found = tuple(_children(strands[strand], chosen, seat) for strand in range(count))
    if not any(found):
        return None
    world = clone(view)
    definition.deal_unseen(world, Stream(0))
    try:
        definition.apply(world, action, _NoChance())
    except ChanceComes:
        return None
    if definition.to_move(world) != seat:
        return None
    return Kept(definition.seen(world, seat), found)


def _children(t: Any, candidate: int, seat: int) -> dict[int, Record]:
    node = int(get_field(t, "below")[candidate])
    found: dict[int, Record] = {}
    child = NONE if node == NONE else int(get_field(t, "first")[node])
    while child != NONE:
        action = int(get_field(t, "key")[child])
        if action >= 0 and int(get_field(t, "mover")[child]) == seat:
            found[action] = (
                int(get_field(t, "tried")[child]),
                float(get_field(t, "total")[child]),
                float(get_field(t, "total_squares")[child]),
                float(get_field(t, "total_won")[child]),
            )
        child = int(get_field(t, "following")[child])
    return found
