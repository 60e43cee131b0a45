"""The parts of a sea game that the shared rules need: its board, its box, its phases and actions.

A game makes one `archipel.rules.hex_sea.metrics.Sea` of them, in its module ``sea``.  The shared
rules are the methods of that object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from archipel.rules.hex_sea.fields import HasSea

S = TypeVar("S", bound=HasSea)


@dataclass(frozen=True, kw_only=True)
class SeaParts(Generic[S]):
    """The data and rules that a game supplies; a missing one is an error in mypy and at import."""

    # The board.
    spaces: int
    shores: int  # safe islands
    first_near: list[int]  # neighbours of a space: near[first_near[space]] up to the next space's
    near: list[int]
    shore_of: list[int]  # the safe island that a space is an exit of, or -1
    # The box.
    terrains: tuple[str, ...]
    most_seats: int
    people: int  # numbered colour by colour
    per_colour: int
    boats: int
    movement_points: int
    creatures: int  # numbered kind by kind
    creature_kinds: tuple[str, ...]
    first_of_kind: list[int]  # and one more for the end
    kind_of: list[int]
    # Phases.
    last_of_set_up: int  # the phases after it are turns
    move: int
    move_to: int
    over: int
    not_over: int  # the ending of a game that goes on
    first_automatic: int
    begin_sinking: int
    arrived: int
    turn_ends: int
    # Actions.
    island: int
    person: int
    boat: int
    creature_piece: int
    stop: int
    # Rules.
    colours_in_play: Callable[[S], int]
    """Colours follow seats, round and round; a game of one colour each has as many as seats."""
    seat_of: Callable[[S, int], int]
    """The seat that a person belongs to."""
    take_up: Callable[[S, int], None]
    """Take a person off their space or boat; the caller says where they go."""
