"""What the player whose turn it is is asked now."""

from __future__ import annotations

from typing import Any

from archipel.rules.atlantis.box_files import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.components import PART_NAMES, PER_TRIBE, T
from archipel.rules.atlantis.names import NAMES
from archipel.rules.atlantis.sinking import refuges, terrain_due
from archipel.rules.atlantis.state import Action, Phase, State
from archipel.rules.contract import Event
from archipel.rules.hex_sea.places import WAITING


def question(s: State) -> Event:
    details: dict[str, Any] = {"seat": s.turn}
    if s.phase == Phase.PLACE:
        waiting = s.place[s.turn * PER_TRIBE : (s.turn + 1) * PER_TRIBE].count(WAITING)
        return Event.counted("ask.place", details, waiting)
    if s.phase == Phase.MOVE:
        return Event.counted("ask.move", details, s.points)
    if s.phase == Phase.MOVE_TO:
        return _ask_where(s, details)
    if s.phase == Phase.SINK:
        return Event(f"ask.sink.{TERRAINS[terrain_due(s)]}", details)
    if s.phase == Phase.RELOCATE:
        details |= {"space": NAMES.space(s.sinking), "count": s.crowd[s.sinking]}
        return Event("ask.relocate", details)
    if s.phase == Phase.RELOCATE_TO:
        person = NAMES.person(s.chosen - Action.PERSON)
        details |= {"person": person, "space": NAMES.space(s.sinking)}
        return Event(f"ask.relocate_to.{'land' if refuges(s) else 'sea'}", details)
    if s.phase == Phase.ANIMAL:
        details["part"] = PART_NAMES[s.part]
        many = "t" if s.part == T else "number"
        return Event(f"ask.animal.{ANIMAL_KINDS[s.spun]}.{many}", details)
    if s.phase == Phase.ANIMAL_STEP:
        return _ask_animal_step(s, details)
    assert s.phase == Phase.OVER
    return Event("ask.over")


def _ask_where(s: State, details: dict[str, Any]) -> Event:
    details["points"] = s.points
    if s.chosen >= Action.BOAT:
        return Event("ask.move_to.boat", details | {"boat": NAMES.boat(s.chosen - Action.BOAT)})
    return Event("ask.move_to.person", details | {"person": NAMES.person(s.chosen - Action.PERSON)})


def _ask_animal_step(s: State, details: dict[str, Any]) -> Event:
    animal = s.chosen - Action.ANIMAL
    here = s.creature[animal]
    details |= {
        "number": NAMES.creature_number(animal),
        "space": NAMES.space(here),
        "steps": s.steps,
    }
    if s.part == T:
        when = "t"
    else:
        when = "first" if here == s.origin else "more"
    return Event(f"ask.animal_step.{ANIMAL_KINDS[s.spun]}.{when}", details)
