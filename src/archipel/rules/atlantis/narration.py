"""What happened, as events: told from two positions, outside the rules.

The action is played again on the position before, and each thing that the engine does by itself
after it, so that every event is told from what the rules did.  Spaces, Coral Islands, people, boats
and animals are named in details as in notation; ``names`` is a list of people as text.  The symbol
that is shown comes from the position after, so two views of a seat do as well as the truth.
"""

from __future__ import annotations

from typing import Any

from archipel.rules.atlantis.board import LANDING, PIECE_OF, PIECES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box import ANIMAL_KINDS, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import (
    ANIMALS,
    BOATS,
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
    animal_name,
    animal_number,
    boat_name,
    island_name,
    person_name,
    space_name,
)
from archipel.rules.atlantis.people import is_saved, swims
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    ARRIVED,
    BEGIN_SINKING,
    BOAT,
    FIRST_AUTOMATIC,
    ISLAND,
    KEEP_MOVING,
    MOVE,
    MOVE_TO,
    NOTHING,
    OVER,
    PERSON,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    RELOCATING,
    RIDE,
    SHOW_SYMBOL,
    SINK,
    SPIN,
    STOP,
    TURN_BEGINS,
    TURN_ENDS,
    UNKNOWN,
    State,
)
from archipel.rules.atlantis.turn import act, go_on_once
from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, is_sea, load, space_of
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.kit import Tape, clone


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """Everything that an action brought about, in order."""
    s = clone(before)
    for piece in range(PIECES):
        if s.symbol[piece] == UNKNOWN:
            s.symbol[piece] = after.symbol[piece]
    events: list[Event] = []
    earlier = clone(s)
    act(s, action)
    _TELL[before.phase](earlier, action, s, events)
    tape = Tape(outcomes)
    while s.phase >= FIRST_AUTOMATIC:
        earlier = clone(s)
        go_on_once(s, tape)
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
    if s.phase == TURN_BEGINS:
        events.append(Event("play_begins", {"seat": s.turn}))


# ---- step 1 -------------------------------------------------------------------------------------


def _tell_piece(earlier: State, action: int, s: State, events: list[Event]) -> None:
    """A piece is chosen for step 1 or 3; or none."""
    seat = earlier.turn
    if action == STOP:
        key = "animal.none" if earlier.phase == ANIMAL else "move.enough"
        events.append(Event(key, {"seat": seat, "points": earlier.points}))
    elif action >= ANIMAL_PIECE:
        animal = action - ANIMAL_PIECE
        details = {"seat": seat, **_animal(earlier, animal)}
        events.append(Event(f"choose.{ANIMAL_KINDS[KIND_OF[animal]]}", details))
    elif action >= BOAT:
        events.append(Event("choose.boat", {"seat": seat, **_boat(earlier, action - BOAT)}))
    else:
        person = action - PERSON
        details = {"seat": seat, "person": person_name(person)}
        events.append(Event("choose.person", details | {"space": _where(earlier, person)}))


def _tell_move(earlier: State, action: int, s: State, events: list[Event]) -> None:
    if earlier.chosen >= BOAT:
        _tell_sailing(earlier, action, s, events)
        return
    person = earlier.chosen - PERSON
    details: dict[str, Any] = {
        "seat": earlier.turn,
        "person": person_name(person),
        "start": _where(earlier, person),
        "points": s.points,
    }
    if earlier.place[person] >= ABOARD:
        details["from_boat"] = boat_name(earlier.place[person] - ABOARD)
    if action >= BOAT:
        details["boat"] = boat_name(action - BOAT)
        details["space"] = space_name(s.boat[action - BOAT])
    elif action >= RIDE:
        dolphin = next(a for a in range(ANIMALS) if _rode(earlier, s, a, person, action - RIDE))
        details |= _animal(s, dolphin) | {"island": island_name(action - RIDE)}
    elif action >= ISLAND:
        details["island"] = details["space"] = island_name(action - ISLAND)
    else:
        details["space"] = space_name(action)
    events.append(Event(f"move.{_way(earlier, person, action)}", details))


def _rode(earlier: State, s: State, animal: int, person: int, island: int) -> bool:
    """Whether this is the dolphin: it left the swimmer's space, or was on the landing already."""
    if KIND_OF[animal] != DOLPHIN or earlier.creature[animal] != earlier.place[person]:
        return False
    return s.creature[animal] == LANDING[island]


def _way(s: State, person: int, action: int) -> str:
    """How a person goes where it goes."""
    aboard, swimming = s.place[person] >= ABOARD, swims(s, person)
    if action >= BOAT:
        return "change_boat" if aboard else "climb" if swimming else "board"
    if action >= RIDE:
        return "ride"
    if action >= ISLAND:
        return "ashore_from_boat" if aboard else "ashore_swimming"
    if not is_sea(s, action):
        return "walk"
    return "overboard" if aboard else "swim" if swimming else "dive"


def _tell_sailing(earlier: State, action: int, s: State, events: list[Event]) -> None:
    boat = earlier.chosen - BOAT
    crew = _aboard(earlier, boat)
    details: dict[str, Any] = {
        "seat": earlier.turn,
        "boat": boat_name(boat),
        "load": len(crew),
        "start": space_name(earlier.boat[boat]),
        "space": space_name(action),
        **_people(crew),
        "points": s.points,
    }
    events.append(Event(f"sail.{'occupied' if crew else 'empty'}", details))


# ---- step 2 -------------------------------------------------------------------------------------


def _tell_sinking(earlier: State, action: int, s: State, events: list[Event]) -> None:
    fleeing = [p for p in range(PEOPLE) if earlier.place[p] == action]
    details = {"seat": earlier.turn, "space": space_name(action), **_people(fleeing)}
    events.append(Event(f"sink.{TERRAINS[TERRAIN_OF_SPACE[action]]}", details))


def _tell_chosen_to_relocate(earlier: State, action: int, s: State, events: list[Event]) -> None:
    if s.chosen == NOTHING:
        _tell_relocation(earlier, action - PERSON, s, events)  # there was one place only
        return
    details = {"seat": earlier.turn, "person": person_name(action - PERSON)}
    details["space"] = space_name(earlier.sinking)
    events.append(Event("choose.person", details))


def _tell_relocated(earlier: State, action: int, s: State, events: list[Event]) -> None:
    _tell_relocation(earlier, earlier.chosen - PERSON, s, events)


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
    if not fleeing or s.phase in (RELOCATE, RELOCATE_TO):
        return
    details = {"start": space_name(earlier.sinking), **_people(fleeing)}
    if s.phase == SHOW_SYMBOL:
        events.append(Event(f"relocate.nowhere.{_one_or_many(fleeing)}", details))
        return
    space = s.place[fleeing[0]]
    key = f"relocate.all_{_land_or_sea(s, space)}.{_one_or_many(fleeing)}"
    events.append(Event(key, details | {"space": space_name(space)}))


def _land_or_sea(s: State, space: int) -> str:
    return "sea" if is_sea(s, space) else "land"


def _tell_symbol(earlier: State, s: State, events: list[Event]) -> None:
    space = earlier.sinking
    symbol = SYMBOLS[s.symbol[PIECE_OF[space]]]
    details: dict[str, Any] = {"seat": s.turn, "space": space_name(space), "symbol": symbol}
    if symbol == "whirlpool":
        events.append(Event("reveal.whirlpool", details))
        _tell_whirlpool(earlier, s, space, events)
        return
    if s.space[space] == 0:
        events.append(Event(f"reveal.{symbol}.none_left", details))  # AT-K4
        return
    if symbol == "boat":
        details["boat"] = boat_name(boat_in(s, space))
    else:
        details |= _animal(s, next(a for a in range(ANIMALS) if s.creature[a] == space))
    events.append(Event(f"reveal.{symbol}", details))
    _tell_eaten(_lost(earlier, s), symbol, space, events)


def _tell_whirlpool(earlier: State, s: State, space: int, events: list[Event]) -> None:
    """AT-K5: all that went down, at once."""
    lost = _lost(earlier, s)
    boats = [boat for boat in range(BOATS) if earlier.boat[boat] != s.boat[boat]]
    animals = [a for a in range(ANIMALS) if earlier.creature[a] != s.creature[a]]
    details: dict[str, Any] = {
        "space": space_name(space),
        **_people(lost),
        "boats": [boat_name(boat) for boat in boats],
        "boat_count": len(boats),
        "animals": [animal_name(animal) for animal in animals],
        "animal_count": len(animals),
    }
    if not lost and not boats and not animals:
        events.append(Event("whirlpool.nothing", details))
    if lost:
        events.append(Event(f"whirlpool.people.{_one_or_many(lost)}", details))
    if boats:
        events.append(Event(f"whirlpool.boats.{_one_or_many(boats)}", details))
    if animals:
        events.append(Event(f"whirlpool.animals.{_one_or_many(animals)}", details))


# ---- step 3 -------------------------------------------------------------------------------------


def _tell_spin(s: State, events: list[Event]) -> None:
    kind, part = ANIMAL_KINDS[s.spun], PART_NAMES[s.part]
    details: dict[str, Any] = {"seat": s.turn, "animal": kind, "part": part}
    if s.phase == TURN_ENDS:
        events.append(Event(f"spin.{kind}.nothing", details))
    else:
        events.append(Event(f"spin.{kind}", details))


def _tell_animal_step(earlier: State, action: int, s: State, events: list[Event]) -> None:
    animal = earlier.chosen - ANIMAL_PIECE
    kind = ANIMAL_KINDS[KIND_OF[animal]]
    if action == STOP:
        details = {"seat": earlier.turn, **_animal(earlier, animal)}
        events.append(Event(f"animal.enough.{kind}", details))
        return
    details = {
        "seat": earlier.turn,
        **_animal(s, animal),
        "start": space_name(earlier.creature[animal]),
        "steps": s.steps,
    }
    events.append(Event(f"animal.{kind}{'.t' if earlier.part == T else ''}", details))


def _tell_arrival(earlier: State, s: State, events: list[Event]) -> None:
    animal = earlier.chosen - ANIMAL_PIECE
    kind = ANIMAL_KINDS[KIND_OF[animal]]
    space = s.creature[animal]
    boat = boat_in(earlier, space)
    lost = _lost(earlier, s)
    if boat == NO_BOAT or boat == boat_in(s, space):
        _tell_eaten(lost, kind, space, events)
        return
    crew = _aboard(earlier, boat)
    details = {"boat": boat_name(boat), "space": space_name(space), **_people(crew)}
    if kind == "monster":
        events.append(Event(f"devour.{_one_or_many(crew) if crew else 'empty'}", details))
        _tell_eaten([p for p in lost if p not in crew], kind, space, events)
    else:
        events.append(Event(f"capsize.{_one_or_many(crew)}", details))
        _tell_eaten(lost, "shark", space, events)


def _tell_eaten(lost: list[int], by: str, space: int, events: list[Event]) -> None:
    if lost:
        details = {"space": space_name(space), **_people(lost)}
        events.append(Event(f"eaten.{by}.{_one_or_many(lost)}", details))


# ---- what the engine does by itself -------------------------------------------------------------


def _tell_automatic(earlier: State, s: State, events: list[Event]) -> None:
    if s.phase == OVER:
        _tell_over(s, events)
    elif earlier.phase == RELOCATING:
        _tell_all_relocated(earlier, s, events)
    elif earlier.phase == SHOW_SYMBOL:
        _tell_symbol(earlier, s, events)
    elif earlier.phase == SPIN:
        _tell_spin(s, events)
    elif earlier.phase == ARRIVED:
        _tell_arrival(earlier, s, events)
    elif earlier.phase == TURN_ENDS:
        events.append(Event("turn", {"seat": s.turn}))
    elif earlier.phase == KEEP_MOVING and s.phase == BEGIN_SINKING and earlier.points > 0:
        events.append(Event("move.stuck", {"seat": s.turn, "points": earlier.points}))
    elif earlier.phase == BEGIN_SINKING and s.phase == SPIN:
        events.append(Event("sink.none_left", {"seat": s.turn}))


def _tell_over(s: State, events: list[Event]) -> None:
    """AT-E1, AT-E2, AT-E3: why it ended, how many each has saved, and who won."""
    events += [Event("done", {"seat": seat}) for seat in range(s.seats) if s.left[seat] == 0]
    ending = next(name for name, number in ENDINGS.items() if number == s.ending)
    events.append(Event(f"over.{ending}"))
    for seat in range(s.seats):
        tribe = range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE)
        saved = [person for person in tribe if is_saved(s, person)]
        key = f"score.{_one_or_many(saved) if saved else 'nobody'}"
        events.append(Event(key, {"seat": seat, **_people(saved)}))
    winners = [seat for seat in range(s.seats) if rank(s, seat) == 0]
    for seat in winners:
        told = {"seat": seat, "count": score(s, seat)}
        events.append(Event("win.alone" if len(winners) == 1 else "win.shared", told))


# ---- parts of events ----------------------------------------------------------------------------


def _people(people: list[int]) -> dict[str, Any]:
    names = [person_name(person) for person in people]
    return {"people": names, "names": ", ".join(names), "count": len(names)}


def _where(s: State, person: int) -> str:
    return space_name(space_of(s, person))


def _aboard(s: State, boat: int) -> list[int]:
    return [person for person in range(PEOPLE) if s.place[person] == ABOARD + boat]


def _lost(earlier: State, s: State) -> list[int]:
    return [p for p in range(PEOPLE) if s.place[p] == LOST != earlier.place[p]]


def _boat(s: State, boat: int) -> dict[str, Any]:
    return {"boat": boat_name(boat), "space": space_name(s.boat[boat]), "load": load(s, boat)}


def _animal(s: State, animal: int) -> dict[str, Any]:
    return {
        "animal": animal_name(animal),
        "number": animal_number(animal),
        "space": space_name(s.creature[animal]),
    }


def _one_or_many(pieces: list[int]) -> str:
    return "one" if len(pieces) == 1 else "many"


_TELL = {
    PLACE: _tell_placed,
    MOVE: _tell_piece,
    MOVE_TO: _tell_move,
    SINK: _tell_sinking,
    RELOCATE: _tell_chosen_to_relocate,
    RELOCATE_TO: _tell_relocated,
    ANIMAL: _tell_piece,
    ANIMAL_STEP: _tell_animal_step,
}
