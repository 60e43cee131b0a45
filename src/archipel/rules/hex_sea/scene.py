"""What the scenes of both games have in common: boats, where people are, and what is foretold."""

from __future__ import annotations

from collections.abc import Mapping

from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import HasBoats, controls
from archipel.rules.hex_sea.names import SeaNames
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.scene import Piece, Property


def boat_id(names: SeaNames, boat: int) -> str:
    return f"boat-{names.boat(boat)}"


def creature_id(names: SeaNames, creature: int) -> str:
    return names.creature(creature).replace(" ", "-")


def boat_piece(names: SeaNames, s: HasBoats, boat: int, seats: int) -> Piece:
    """A boat with its crew, and who may move it."""
    crew = [person for person in range(len(s.place)) if s.place[person] == ABOARD + boat]
    properties: dict[str, Property] = {
        "number": boat + 1,
        "crew": tuple(names.person(person) for person in crew),
        "control": tuple(seat for seat in range(seats) if controls(s, boat, seat)),
    }
    return Piece(boat_id(names, boat), "boat", names.space(s.boat[boat]), properties=properties)


def boat_of(names: SeaNames, s: HasBoats, person: int) -> str | None:
    """The boat that a person is in."""
    boat = s.place[person] - ABOARD
    return boat_id(names, boat) if 0 <= boat < len(s.boat) else None


def cell_of(names: SeaNames, s: HasBoats, person: int, seat: int) -> str:
    """Where a person is drawn: aboard a boat, in its space."""
    place = s.place[person]
    if place == LOST:
        return f"lost{seat + 1}"
    return names.space(s.boat[place - ABOARD]) if place >= ABOARD else names.place(place)


def not_now(refused: Mapping[str, Refusal]) -> dict[str, Property]:
    """Pieces that cannot be chosen now, each with its refusal and rule, in parallel."""
    return {
        "not_now": tuple(refused),
        "not_now_why": tuple(why.key for why in refused.values()),
        "not_now_rules": tuple(why.rule for why in refused.values()),
    }


def foretold(names: SeaNames, before: HasBoats, after: HasBoats) -> dict[str, object]:
    """Who would be lost, and which boats."""
    lost = [p for p in range(len(before.place)) if after.place[p] == LOST != before.place[p]]
    spaces = len(before.space)
    sunk = [b for b in range(len(before.boat)) if before.boat[b] < spaces <= after.boat[b]]
    found: dict[str, object] = {}
    if lost:
        found["lost"] = tuple(names.person(person) for person in lost)
    if sunk:
        found["sunk"] = tuple(boat_id(names, boat) for boat in sunk)
    return found
