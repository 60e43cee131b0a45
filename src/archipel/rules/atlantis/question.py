"""The question to the player whose turn it is."""

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
    match s.phase:
        case Phase.PLACE:
            waiting = s.place[s.turn * PER_TRIBE : (s.turn + 1) * PER_TRIBE].count(WAITING)
            return Event.counted("ask.place", details, waiting)
        case Phase.MOVE:
            return Event.counted("ask.move", details, s.points)
        case Phase.MOVE_TO:
            details["points"] = s.points
            if s.chosen >= Action.BOAT:
                boat = NAMES.boat(s.chosen - Action.BOAT)
                return Event("ask.move_to.boat", details | {"boat": boat})
            person = NAMES.person(s.chosen - Action.PERSON)
            return Event("ask.move_to.person", details | {"person": person})
        case Phase.SINK:
            return Event(f"ask.sink.{TERRAINS[terrain_due(s)]}", details)
        case Phase.RELOCATE:
            details |= {"space": NAMES.space(s.sinking), "count": s.crowd[s.sinking]}
            return Event("ask.relocate", details)
        case Phase.RELOCATE_TO:
            person = NAMES.person(s.chosen - Action.PERSON)
            details |= {"person": person, "space": NAMES.space(s.sinking)}
            return Event(f"ask.relocate_to.{'land' if refuges(s) else 'sea'}", details)
        case Phase.ANIMAL:
            details["part"] = PART_NAMES[s.part]
            many = "t" if s.part == T else "number"
            return Event(f"ask.animal.{ANIMAL_KINDS[s.spun]}.{many}", details)
        case Phase.ANIMAL_STEP:
            animal = s.chosen - Action.ANIMAL
            here = s.creature[animal]
            details |= {"number": NAMES.creature_number(animal), "space": NAMES.space(here)}
            when = "t" if s.part == T else "first" if here == s.origin else "more"
            kind = ANIMAL_KINDS[s.spun]
            return Event(f"ask.animal_step.{kind}.{when}", details | {"steps": s.steps})
    assert s.phase == Phase.OVER
    return Event("ask.over")
