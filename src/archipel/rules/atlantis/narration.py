"""What happened, as events: told from two positions, outside the rules.

The action is played again on the position before, and each thing that the engine does by itself
after it, so that every event is told from what the rules did.  Spaces, Coral Islands, people, boats
and animals are named in details as in notation; ``names`` is a list of people as text.  The symbol
that is shown comes from the position after, so two views of a seat do as well as the truth.
"""

from __future__ import annotations

from typing import Any, Final

from archipel.rules.atlantis.board import LANDING, PIECE_OF, PIECES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box import ANIMAL_KINDS, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import (
    ANIMALS,
    DOLPHIN,
    KIND_OF,
    PART_NAMES,
    PEOPLE,
    PER_TRIBE,
    TRIBE_OF,
    T,
)
from archipel.rules.atlantis.end import rank, score
from archipel.rules.atlantis.names import (
    NAMES,
    SEA_PIECES,
    boat_name,
    island_name,
    person_name,
    space_name,
)
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Action, Phase, State
from archipel.rules.atlantis.turn import act, go_on_once
from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.hex_sea.telling import SeaTelling, aboard, lost, one_or_many, replayed, winners
from archipel.rules.kit import clone

TELLING: Final = SeaTelling(SEA_PIECES, "person", "people", "animal", "animals")


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """Everything that an action brought about, in order."""
    s = clone(before)
    for piece in range(PIECES):
        if s.symbol[piece] == UNKNOWN:
            s.symbol[piece] = after.symbol[piece]
    events: list[Event] = []
    steps = replayed(s, action, outcomes, act, go_on_once, Phase.FIRST_AUTOMATIC)
    earlier, s = next(steps)
    _TELL[before.phase](earlier, action, s, events)
    for earlier, s in steps:
        _tell_automatic(earlier, s, events)
    return events


# ---- set-up -------------------------------------------------------------------------------------


def _tell_placed(earlier: State, action: int, s: State, events: list[Event]) -> None:
    person = next(p for p in range(PEOPLE) if s.place[p] != earlier.place[p])
    details = {
        "seat": earlier.turn,
        "person": person_name(person),
        "space": space_name(action),
    }
    events.append(Event("place", details))
    if s.phase == Phase.TURN_BEGINS:
        events.append(Event("play_begins", {"seat": s.turn}))


# ---- step 1 -------------------------------------------------------------------------------------


def _tell_piece(earlier: State, action: int, s: State, events: list[Event]) -> None:
    """A piece is chosen for step 1 or 3; or none."""
    seat = earlier.turn
    if action == Action.STOP:
        key = "animal.none" if earlier.phase == Phase.ANIMAL else "move.enough"
        events.append(Event(key, {"seat": seat, "points": earlier.points}))
    else:
        events.append(TELLING.chosen(earlier, seat, action))


def _tell_move(earlier: State, action: int, s: State, events: list[Event]) -> None:
    if earlier.chosen >= Action.BOAT:
        events.append(TELLING.sailing(earlier, earlier.turn, action, s.points, "sail"))
        return
    person = earlier.chosen - Action.PERSON
    if Action.RIDE <= action < Action.BOAT:
        way, details = "ride", _ride(earlier, person, action - Action.RIDE, s)
    else:
        way = TELLING.way(earlier, person, action)
        details = TELLING.move(earlier, earlier.turn, person, action)
    events.append(Event(f"move.{way}", details | {"points": s.points}))


def _ride(earlier: State, person: int, island: int, s: State) -> dict[str, Any]:
    """AT-M8: ashore on a dolphin's back."""
    dolphin = next(a for a in range(ANIMALS) if _rode(earlier, s, a, person, island))
    return {
        "seat": earlier.turn,
        "person": person_name(person),
        "start": space_name(earlier.place[person]),
        **TELLING.beast(s, dolphin),
        "island": island_name(island),
    }


def _rode(earlier: State, s: State, animal: int, person: int, island: int) -> bool:
    """Whether this is the dolphin: it left the swimmer's space, or was on the landing already."""
    if KIND_OF[animal] != DOLPHIN or earlier.creature[animal] != earlier.place[person]:
        return False
    return s.creature[animal] == LANDING[island]


# ---- step 2 -------------------------------------------------------------------------------------


def _tell_sinking(earlier: State, action: int, s: State, events: list[Event]) -> None:
    fleeing = [p for p in range(PEOPLE) if earlier.place[p] == action]
    details = {"seat": earlier.turn, "space": space_name(action), **TELLING.named(fleeing)}
    events.append(Event(f"sink.{TERRAINS[TERRAIN_OF_SPACE[action]]}", details))


def _tell_chosen_to_relocate(earlier: State, action: int, s: State, events: list[Event]) -> None:
    if s.chosen == NOTHING:
        _tell_relocation(earlier, action - Action.PERSON, s, events)  # there was one place only
        return
    details = {"seat": earlier.turn, "person": person_name(action - Action.PERSON)}
    details["space"] = space_name(earlier.sinking)
    events.append(Event("choose.person", details))


def _tell_relocated(earlier: State, action: int, s: State, events: list[Event]) -> None:
    _tell_relocation(earlier, earlier.chosen - Action.PERSON, s, events)


def _tell_relocation(earlier: State, person: int, s: State, events: list[Event]) -> None:
    details = {
        "seat": earlier.turn,
        "other": TRIBE_OF[person],
        "person": person_name(person),
        "start": space_name(earlier.sinking),
        "space": space_name(s.place[person]),
    }
    events.append(Event(f"relocate.{_land_or_sea(s, s.place[person])}", details))


def _tell_all_relocated(earlier: State, s: State, events: list[Event]) -> None:
    """AT-T3: everyone went the only way there was; or there was none."""
    fleeing = [p for p in range(PEOPLE) if earlier.place[p] == earlier.sinking]
    if not fleeing or s.phase in (Phase.RELOCATE, Phase.RELOCATE_TO):
        return
    details = {"start": space_name(earlier.sinking), **TELLING.named(fleeing)}
    if s.phase == Phase.SHOW_SYMBOL:
        events.append(Event(f"relocate.nowhere.{one_or_many(fleeing)}", details))
        return
    space = s.place[fleeing[0]]
    key = f"relocate.all_{_land_or_sea(s, space)}.{one_or_many(fleeing)}"
    events.append(Event(key, details | {"space": space_name(space)}))


def _land_or_sea(s: State, space: int) -> str:
    return "sea" if is_sea(s, space) else "land"


def _tell_symbol(earlier: State, s: State, events: list[Event]) -> None:
    space = earlier.sinking
    symbol = SYMBOLS[s.symbol[PIECE_OF[space]]]
    details: dict[str, Any] = {"seat": s.turn, "space": space_name(space), "symbol": symbol}
    if symbol == "whirlpool":
        events.append(Event("reveal.whirlpool", details))
        events += TELLING.whirlpool(earlier, s, space)  # AT-K5
        return
    if s.space[space] == 0:
        events.append(Event(f"reveal.{symbol}.none_left", details))  # AT-K4
        return
    if symbol == "boat":
        details["boat"] = boat_name(boat_in(s, space))
    else:
        details |= TELLING.beast(s, next(a for a in range(ANIMALS) if s.creature[a] == space))
    events.append(Event(f"reveal.{symbol}", details))
    events += TELLING.eaten(symbol, lost(earlier, s), space)


# ---- step 3 -------------------------------------------------------------------------------------


def _tell_spin(s: State, events: list[Event]) -> None:
    kind, part = ANIMAL_KINDS[s.spun], PART_NAMES[s.part]
    details: dict[str, Any] = {"seat": s.turn, "animal": kind, "part": part}
    if s.phase == Phase.TURN_ENDS:
        events.append(Event(f"spin.{kind}.nothing", details))
    else:
        events.append(Event(f"spin.{kind}", details))


def _tell_animal_step(earlier: State, action: int, s: State, events: list[Event]) -> None:
    animal = earlier.chosen - Action.ANIMAL
    kind = NAMES.kind(animal)
    if action == Action.STOP:
        details = {"seat": earlier.turn, **TELLING.beast(earlier, animal)}
        events.append(Event(f"animal.enough.{kind}", details))
        return
    details = TELLING.creature_move(earlier, earlier.turn, animal, s.creature[animal])
    details["steps"] = s.steps
    events.append(Event(f"animal.{kind}{'.t' if earlier.part == T else ''}", details))


def _tell_arrival(earlier: State, s: State, events: list[Event]) -> None:
    animal = earlier.chosen - Action.ANIMAL
    kind = NAMES.kind(animal)
    space = s.creature[animal]
    boat = boat_in(earlier, space)
    victims, eater = lost(earlier, s), kind
    if boat != NO_BOAT and boat != boat_in(s, space):
        crew = aboard(earlier, boat)
        if kind == "monster":
            key = f"devour.{one_or_many(crew) if crew else 'empty'}"
            victims = [person for person in victims if person not in crew]
        else:
            key, eater = f"capsize.{one_or_many(crew)}", "shark"
        events.append(Event(key, TELLING.sunk(earlier, boat)))
    events += TELLING.eaten(eater, victims, space)


# ---- what the engine does by itself -------------------------------------------------------------


def _tell_automatic(earlier: State, s: State, events: list[Event]) -> None:
    if s.phase == Phase.OVER:
        _tell_over(s, events)
    elif earlier.phase == Phase.RELOCATING:
        _tell_all_relocated(earlier, s, events)
    elif earlier.phase == Phase.SHOW_SYMBOL:
        _tell_symbol(earlier, s, events)
    elif earlier.phase == Phase.SPIN:
        _tell_spin(s, events)
    elif earlier.phase == Phase.ARRIVED:
        _tell_arrival(earlier, s, events)
    elif earlier.phase == Phase.TURN_ENDS:
        events.append(Event("turn", {"seat": s.turn}))
    elif (
        earlier.phase == Phase.KEEP_MOVING and s.phase == Phase.BEGIN_SINKING and earlier.points > 0
    ):
        events.append(Event("move.stuck", {"seat": s.turn, "points": earlier.points}))
    elif earlier.phase == Phase.BEGIN_SINKING and s.phase == Phase.SPIN:
        events.append(Event("sink.none_left", {"seat": s.turn}))


def _tell_over(s: State, events: list[Event]) -> None:
    """AT-E1, AT-E2, AT-E3: why it ended, how many each has saved, and who won."""
    events += [Event("done", {"seat": seat}) for seat in range(s.seats) if s.left[seat] == 0]
    ending = next(name for name, number in ENDINGS.items() if number == s.ending)
    events.append(Event(f"over.{ending}"))
    for seat in range(s.seats):
        tribe = range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE)
        saved = [person for person in tribe if is_saved(s, person)]
        key = f"score.{one_or_many(saved) if saved else 'nobody'}"
        events.append(Event(key, {"seat": seat, **TELLING.named(saved)}))
    seats = range(s.seats)
    ranks, scores = [rank(s, seat) for seat in seats], [score(s, seat) for seat in seats]
    events += winners(ranks, scores, "count")


_TELL = {
    Phase.PLACE: _tell_placed,
    Phase.MOVE: _tell_piece,
    Phase.MOVE_TO: _tell_move,
    Phase.SINK: _tell_sinking,
    Phase.RELOCATE: _tell_chosen_to_relocate,
    Phase.RELOCATE_TO: _tell_relocated,
    Phase.ANIMAL: _tell_piece,
    Phase.ANIMAL_STEP: _tell_animal_step,
}
