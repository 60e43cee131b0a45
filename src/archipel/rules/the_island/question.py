"""What the seat to move is asked now."""

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
    if s.phase == Phase.PLACE_EXPLORER:
        return Event.counted("ask.place_explorer", details, explorers_waiting(s, s.to_move))
    if s.phase == Phase.NAME_VALUE:
        return Event("ask.name_value", details | {"space": NAMES.space(s.chosen)})
    if s.phase == Phase.PLACE_BOAT:
        placed = sum(space != IN_STOCK for space in s.boat) // s.seats
        return Event.counted("ask.place_boat", details, box.BOATS_PER_PLAYER - placed)
    if s.phase == Phase.PLAY_TILE:
        return Event.counted("ask.play_tile", details, hand_size(s, s.to_move))
    if s.phase == Phase.TILE_PIECE:
        return Event(f"ask.tile_piece.{box.SYMBOLS[s.playing]}", details)
    if s.phase == Phase.TILE_STEP:
        return _ask_tile_step(s, details)
    if s.phase == Phase.MOVE:
        return Event.counted("ask.move", details, s.points)
    if s.phase == Phase.MOVE_TO:
        return _ask_where(s, details)
    if s.phase == Phase.REMOVE:
        return Event(f"ask.remove.{box.TERRAINS[terrain_due(s)]}", details)
    if s.phase == Phase.FILL_BOAT:
        room = BOAT_ROOM - load(s, s.chosen - Action.BOAT)
        return Event.counted("ask.fill_boat", details, room)
    if s.phase == Phase.CREATURE:
        return Event(f"ask.creature.{box.CREATURE_KINDS[s.die]}", details)
    if s.phase == Phase.CREATURE_STEP:
        return _ask_creature_step(s, details)
    if s.phase == Phase.DEFEND:
        return _ask_defence(s)
    assert s.phase == Phase.OVER
    return Event("ask.over")


def _ask_tile_step(s: State, details: dict[str, Any]) -> Event:
    details["steps"] = s.steps
    if s.chosen >= Action.CREATURE:
        return Event(f"ask.tile_step.{_kind(s)}", details | _creature(s))
    more = "first" if s.steps == box.MOST_TILE_STEPS else "more"
    if s.chosen >= Action.BOAT:
        details["boat"] = NAMES.boat(s.chosen - Action.BOAT)
        return Event(f"ask.tile_step.boat.{more}", details)
    details["explorer"] = NAMES.person(s.chosen - Action.EXPLORER)
    return Event(f"ask.tile_step.explorer.{more}", details)


def _ask_where(s: State, details: dict[str, Any]) -> Event:
    details["points"] = s.points
    if s.chosen >= Action.BOAT:
        return Event("ask.move_to.boat", details | {"boat": NAMES.boat(s.chosen - Action.BOAT)})
    explorer = NAMES.person(s.chosen - Action.EXPLORER)
    return Event("ask.move_to.explorer", details | {"explorer": explorer})


def _ask_creature_step(s: State, details: dict[str, Any]) -> Event:
    details |= _creature(s) | {"steps": s.steps}
    more = "first" if s.steps == box.CREATURE_STEPS[s.die] else "more"
    return Event(f"ask.creature_step.{_kind(s)}.{more}", details)


def _kind(s: State) -> str:
    return box.CREATURE_KINDS[box.KIND_OF[s.chosen - Action.CREATURE]]


def _creature(s: State) -> dict[str, Any]:
    creature = s.chosen - Action.CREATURE
    return {
        "creature": NAMES.creature(creature),
        "number": NAMES.creature(creature).split()[1],
        "space": NAMES.space(s.creature[creature]),
    }


def _ask_defence(s: State) -> Event:
    details: dict[str, Any] = {"seat": s.to_move, "other": s.turn, **_creature(s)}
    boat = boat_in(s, s.creature[s.chosen - Action.CREATURE])
    if boat != NO_BOAT:
        details["boat"] = NAMES.boat(boat)
    return Event(f"ask.defend.{box.CREATURE_KINDS[s.die]}", details)
