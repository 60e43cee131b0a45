"""The question to the seat to move."""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, load
from archipel.rules.hex_sea.places import BOAT_ROOM, IN_STOCK, NO_BOAT
from archipel.rules.the_island import components as box
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.setup import explorers_waiting
from archipel.rules.the_island.sinking import terrain_due
from archipel.rules.the_island.state import Action, Phase, State, hand_size


def question(s: State) -> Event:
    details: dict[str, Any] = {"seat": s.to_move}
    match s.phase:
        case Phase.PLACE_EXPLORER:
            return Event.counted("ask.place_explorer", details, explorers_waiting(s, s.to_move))
        case Phase.NAME_VALUE:
            return Event("ask.name_value", details | {"space": NAMES.space(s.chosen)})
        case Phase.PLACE_BOAT:
            placed = sum(space != IN_STOCK for space in s.boat) // s.seats
            return Event.counted("ask.place_boat", details, box.BOATS_PER_PLAYER - placed)
        case Phase.PLAY_TILE:
            return Event.counted("ask.play_tile", details, hand_size(s, s.to_move))
        case Phase.TILE_PIECE:
            return Event(f"ask.tile_piece.{box.SYMBOLS[s.playing]}", details)
        case Phase.TILE_STEP:
            return _ask_tile_step(s, details | {"steps": s.steps})
        case Phase.MOVE:
            return Event.counted("ask.move", details, s.points)
        case Phase.MOVE_TO:
            kind, piece = _piece(s)
            return Event(f"ask.move_to.{kind}", details | {"points": s.points, kind: piece})
        case Phase.REMOVE:
            return Event(f"ask.remove.{box.TERRAINS[terrain_due(s)]}", details)
        case Phase.FILL_BOAT:
            room = BOAT_ROOM - load(s, s.chosen - Action.BOAT)
            return Event.counted("ask.fill_boat", details, room)
        case Phase.CREATURE:
            return Event(f"ask.creature.{box.CREATURE_KINDS[s.die]}", details)
        case Phase.CREATURE_STEP:
            more = "first" if s.steps == box.CREATURE_STEPS[s.die] else "more"
            details |= _creature(s) | {"steps": s.steps}
            return Event(f"ask.creature_step.{box.CREATURE_KINDS[s.die]}.{more}", details)
        case Phase.DEFEND:
            details |= {"other": s.turn, **_creature(s)}
            boat = boat_in(s, s.creature[s.chosen - Action.CREATURE])
            if boat != NO_BOAT:
                details["boat"] = NAMES.boat(boat)
            return Event(f"ask.defend.{box.CREATURE_KINDS[s.die]}", details)
    assert s.phase == Phase.OVER
    return Event("ask.over")


def _ask_tile_step(s: State, details: dict[str, Any]) -> Event:
    if s.chosen >= Action.CREATURE:
        kind = NAMES.kind(s.chosen - Action.CREATURE)
        return Event(f"ask.tile_step.{kind}", details | _creature(s))
    kind, piece = _piece(s)
    more = "first" if s.steps == box.MOST_TILE_STEPS else "more"
    return Event(f"ask.tile_step.{kind}.{more}", details | {kind: piece})


def _piece(s: State) -> tuple[str, str]:
    """The kind and the name of the chosen boat or explorer."""
    if s.chosen >= Action.BOAT:
        return "boat", NAMES.boat(s.chosen - Action.BOAT)
    return "explorer", NAMES.person(s.chosen - Action.EXPLORER)


def _creature(s: State) -> dict[str, Any]:
    creature = s.chosen - Action.CREATURE
    name, space = NAMES.creature(creature), NAMES.space(s.creature[creature])
    return {"creature": name, "number": name.split()[1], "space": space}
