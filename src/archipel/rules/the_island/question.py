"""What the seat to move is asked now."""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, load
from archipel.rules.hex_sea.places import BOAT_ROOM, IN_STOCK, NO_BOAT
from archipel.rules.the_island.components import (
    BOATS_PER_PLAYER,
    CREATURE_KINDS,
    CREATURE_STEPS,
    KIND_OF,
    MOST_TILE_STEPS,
    SYMBOLS,
    TERRAINS,
)
from archipel.rules.the_island.names import boat_name, creature_name, explorer_name, space_name
from archipel.rules.the_island.setup import explorers_waiting
from archipel.rules.the_island.sinking import terrain_due
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    OVER,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    TILE_PIECE,
    TILE_STEP,
    State,
    hand_size,
)
from archipel.rules.wording import counted


def question(s: State) -> Event:
    details: dict[str, Any] = {"seat": s.to_move}
    if s.phase == PLACE_EXPLORER:
        return counted("ask.place_explorer", details, explorers_waiting(s, s.to_move))
    if s.phase == NAME_VALUE:
        return Event("ask.name_value", details | {"space": space_name(s.chosen)})
    if s.phase == PLACE_BOAT:
        placed = sum(space != IN_STOCK for space in s.boat) // s.seats
        return counted("ask.place_boat", details, BOATS_PER_PLAYER - placed)
    if s.phase == PLAY_TILE:
        return counted("ask.play_tile", details, hand_size(s, s.to_move))
    if s.phase == TILE_PIECE:
        return Event(f"ask.tile_piece.{SYMBOLS[s.playing]}", details)
    if s.phase == TILE_STEP:
        return _ask_tile_step(s, details)
    if s.phase == MOVE:
        return counted("ask.move", details, s.points)
    if s.phase == MOVE_TO:
        return _ask_where(s, details)
    if s.phase == REMOVE:
        return Event(f"ask.remove.{TERRAINS[terrain_due(s)]}", details)
    if s.phase == FILL_BOAT:
        room = BOAT_ROOM - load(s, s.chosen - BOAT)
        return counted("ask.fill_boat", details, room)
    if s.phase == CREATURE:
        return Event(f"ask.creature.{CREATURE_KINDS[s.die]}", details)
    if s.phase == CREATURE_STEP:
        return _ask_creature_step(s, details)
    if s.phase == DEFEND:
        return _ask_defence(s)
    assert s.phase == OVER
    return Event("ask.over")


def _ask_tile_step(s: State, details: dict[str, Any]) -> Event:
    details["steps"] = s.steps
    if s.chosen >= CREATURE_PIECE:
        return Event(f"ask.tile_step.{_kind(s)}", details | _creature(s))
    more = "first" if s.steps == MOST_TILE_STEPS else "more"
    if s.chosen >= BOAT:
        details["boat"] = boat_name(s.chosen - BOAT)
        return Event(f"ask.tile_step.boat.{more}", details)
    details["explorer"] = explorer_name(s.chosen - EXPLORER)
    return Event(f"ask.tile_step.explorer.{more}", details)


def _ask_where(s: State, details: dict[str, Any]) -> Event:
    details["points"] = s.points
    if s.chosen >= BOAT:
        return Event("ask.move_to.boat", details | {"boat": boat_name(s.chosen - BOAT)})
    explorer = explorer_name(s.chosen - EXPLORER)
    return Event("ask.move_to.explorer", details | {"explorer": explorer})


def _ask_creature_step(s: State, details: dict[str, Any]) -> Event:
    details |= _creature(s) | {"steps": s.steps}
    more = "first" if s.steps == CREATURE_STEPS[s.die] else "more"
    return Event(f"ask.creature_step.{_kind(s)}.{more}", details)


def _kind(s: State) -> str:
    return CREATURE_KINDS[KIND_OF[s.chosen - CREATURE_PIECE]]


def _creature(s: State) -> dict[str, Any]:
    creature = s.chosen - CREATURE_PIECE
    return {
        "creature": creature_name(creature),
        "number": creature_name(creature).split()[1],
        "space": space_name(s.creature[creature]),
    }


def _ask_defence(s: State) -> Event:
    details: dict[str, Any] = {"seat": s.to_move, "other": s.turn, **_creature(s)}
    boat = boat_in(s, s.creature[s.chosen - CREATURE_PIECE])
    if boat != NO_BOAT:
        details["boat"] = boat_name(boat)
    return Event(f"ask.defend.{CREATURE_KINDS[s.die]}", details)
