"""The events that an action causes, from the positions before and after it.

The action and the automatic steps after it are played again on the position before, so that every
event follows from what the rules did.  Details name spaces, Coral Islands, people, boats and
animals as in notation; ``names`` is a list of people as text.  The symbol that is shown comes from
the position after, so two views of a seat give the same events as the full positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from archipel.rules.atlantis.board import LANDING, PIECE_OF, PIECES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import DOLPHIN, KIND_OF, PART_NAMES, PER_TRIBE, TRIBE_OF, T
from archipel.rules.atlantis.end import is_done, rank, score, somebody_is_done
from archipel.rules.atlantis.names import NAMES
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Action, Phase, State
from archipel.rules.atlantis.turn import act, go_on_once
from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import SeaEvents, aboard, lost, one_or_many, replay, winners
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.kit import clone
from archipel.rules.position_fields import name_of

EVENTS: Final = SeaEvents(NAMES, "person", "people", "animal", "animals")
Events = Iterator[Event]


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """The events that an action caused, in order."""
    s = clone(before)
    for piece in range(PIECES):
        if s.symbol[piece] == UNKNOWN:
            s.symbol[piece] = after.symbol[piece]
    return list(_events(s, action, outcomes))


def _events(s: State, action: int, outcomes: tuple[int, ...]) -> Events:
    steps = replay(s, action, outcomes, act, go_on_once, Phase.FIRST_AUTOMATIC)
    earlier, s = next(steps)
    yield from _BY_PHASE[earlier.phase](earlier, action, s)
    yield from _wiped_out(earlier, s)
    for earlier, s in steps:
        yield from _automatic_step(earlier, s)
        yield from _wiped_out(earlier, s)


# ---- set-up -------------------------------------------------------------------------------------


def _person_placed(earlier: State, action: int, s: State) -> Events:
    person = next(p for p in range(len(s.place)) if s.place[p] != earlier.place[p])
    details = {"seat": earlier.turn, "person": NAMES.person(person), "space": NAMES.space(action)}
    yield Event("place", details)
    if s.phase == Phase.TURN_BEGINS:
        yield Event("play_begins", {"seat": s.turn})


# ---- step 1 -------------------------------------------------------------------------------------


def _piece_chosen(earlier: State, action: int, s: State) -> Events:
    """A piece is chosen for step 1 or 3; or none."""
    if action == Action.STOP:
        key = "animal.none" if earlier.phase == Phase.ANIMAL else "move.enough"
        yield Event(key, {"seat": earlier.turn, "points": earlier.points})
    else:
        yield EVENTS.chosen(earlier, earlier.turn, action)


def _move(earlier: State, action: int, s: State) -> Events:
    if earlier.chosen >= Action.BOAT:
        yield EVENTS.sailing(earlier, earlier.turn, action, s.points, "sail")
        return
    person = earlier.chosen - Action.PERSON
    if Action.RIDE <= action < Action.BOAT:
        way, details = "ride", _ride(earlier, person, action - Action.RIDE, s)
    else:
        way = EVENTS.way(earlier, person, action)
        details = EVENTS.move(earlier, earlier.turn, person, action)
    yield Event(f"move.{way}", details | {"points": s.points})


def _ride(earlier: State, person: int, island: int, s: State) -> dict[str, Any]:
    """AT-M8: ashore on the dolphin that was in the swimmer's space and is on the landing now."""
    start = earlier.place[person]
    dolphin = next(
        animal
        for animal in pieces_in(earlier.creature, start)
        if KIND_OF[animal] == DOLPHIN and s.creature[animal] == LANDING[island]
    )
    return {
        "seat": earlier.turn,
        "person": NAMES.person(person),
        "start": NAMES.space(start),
        **EVENTS.one_creature(s, dolphin),
        "island": NAMES.island(island),
    }


# ---- step 2 -------------------------------------------------------------------------------------


def _sinking(earlier: State, action: int, s: State) -> Events:
    fleeing = EVENTS.named(pieces_in(earlier.place, action))
    details = {"seat": earlier.turn, "space": NAMES.space(action), **fleeing}
    yield Event(f"sink.{TERRAINS[TERRAIN_OF_SPACE[action]]}", details)


def _person_to_relocate_chosen(earlier: State, action: int, s: State) -> Events:
    if s.chosen == NOTHING:
        yield _relocation(earlier, action - Action.PERSON, s)  # there was only one place to go
        return
    details = {"seat": earlier.turn, "person": NAMES.person(action - Action.PERSON)}
    yield Event("choose.person", details | {"space": NAMES.space(earlier.sinking)})


def _relocated(earlier: State, action: int, s: State) -> Events:
    yield _relocation(earlier, earlier.chosen - Action.PERSON, s)


def _relocation(earlier: State, person: int, s: State) -> Event:
    details = {
        "seat": earlier.turn,
        "other": TRIBE_OF[person],
        "person": NAMES.person(person),
        "start": NAMES.space(earlier.sinking),
        "space": NAMES.space(s.place[person]),
    }
    return Event(f"relocate.{_land_or_sea(s, s.place[person])}", details)


def _all_relocated(earlier: State, s: State) -> Events:
    """AT-T3: everyone went to the only place, or there was none."""
    fleeing = pieces_in(earlier.place, earlier.sinking)
    if not fleeing or s.phase in (Phase.RELOCATE, Phase.RELOCATE_TO):
        return
    details = {"start": NAMES.space(earlier.sinking), **EVENTS.named(fleeing)}
    if s.phase == Phase.SHOW_SYMBOL:
        yield Event(f"relocate.nowhere.{one_or_many(fleeing)}", details)
        return
    space = s.place[fleeing[0]]
    key = f"relocate.all_{_land_or_sea(s, space)}.{one_or_many(fleeing)}"
    yield Event(key, details | {"space": NAMES.space(space)})


def _land_or_sea(s: State, space: int) -> str:
    return "sea" if is_sea(s, space) else "land"


def _symbol_shown(earlier: State, s: State) -> Events:
    space = earlier.sinking
    symbol = SYMBOLS[s.symbol[PIECE_OF[space]]]
    details: dict[str, Any] = {"seat": s.turn, "space": NAMES.space(space), "symbol": symbol}
    if symbol == "whirlpool":
        yield Event("reveal.whirlpool", details)
        yield from EVENTS.whirlpool(earlier, s, space)  # AT-K5
        return
    if s.space[space] == 0:
        yield Event(f"reveal.{symbol}.none_left", details)  # AT-K4
        return
    if symbol == "boat":
        details["boat"] = NAMES.boat(boat_in(s, space))
    else:
        details |= EVENTS.one_creature(s, s.creature.index(space))
    yield Event(f"reveal.{symbol}", details)
    yield from EVENTS.eaten(symbol, lost(earlier, s), space)


# ---- step 3 -------------------------------------------------------------------------------------


def _spin(s: State) -> Event:
    kind = ANIMAL_KINDS[s.spun]
    details: dict[str, Any] = {"seat": s.turn, "animal": kind, "part": PART_NAMES[s.part]}
    return Event(f"spin.{kind}{'.nothing' if s.phase == Phase.TURN_ENDS else ''}", details)


def _animal_step(earlier: State, action: int, s: State) -> Events:
    animal = earlier.chosen - Action.ANIMAL
    kind = NAMES.kind(animal)
    if action == Action.STOP:
        details = {"seat": earlier.turn, **EVENTS.one_creature(earlier, animal)}
        yield Event(f"animal.enough.{kind}", details)
        return
    details = EVENTS.creature_move(earlier, earlier.turn, animal, s.creature[animal])
    details["steps"] = s.steps
    yield Event(f"animal.{kind}{'.t' if earlier.part == T else ''}", details)


def _arrival(earlier: State, s: State) -> Events:
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
        yield Event(key, EVENTS.sunk(earlier, boat))
    yield from EVENTS.eaten(eater, victims, space)


# ---- automatic steps ----------------------------------------------------------------------------


def _automatic_step(earlier: State, s: State) -> Events:
    if s.phase == Phase.OVER:
        yield from _game_over(s)
        return
    match earlier.phase, s.phase:
        case Phase.RELOCATING, _:
            yield from _all_relocated(earlier, s)
        case Phase.SHOW_SYMBOL, _:
            yield from _symbol_shown(earlier, s)
        case Phase.SPIN, _:
            yield _spin(s)
        case Phase.ARRIVED, _:
            yield from _arrival(earlier, s)
        case Phase.TURN_ENDS, _:
            yield Event("turn", {"seat": s.turn})
        case Phase.KEEP_MOVING, Phase.BEGIN_SINKING if earlier.points > 0:
            yield Event("move.stuck", {"seat": s.turn, "points": earlier.points})
        case Phase.BEGIN_SINKING, Phase.SPIN:
            yield Event("sink.none_left", {"seat": s.turn})


def _wiped_out(earlier: State, s: State) -> Events:
    """AT-E4: a tribe was lost to the last, and the game goes on."""
    for seat in range(s.seats):
        if s.left[seat] == 0 < earlier.left[seat] and not somebody_is_done(s):
            yield Event("wiped_out", {"seat": seat})


def _game_over(s: State) -> Events:
    """AT-E1, AT-E2, AT-E3: why the game ended, the number saved by each player, and the winners."""
    nobody_left = not any(s.left[: s.seats])
    for seat in range(s.seats):
        if is_done(s, seat) or nobody_left:
            yield Event("done", {"seat": seat})
    yield Event(f"over.{name_of(ENDINGS, s.ending)}")
    for seat in range(s.seats):
        tribe = range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE)
        saved = [person for person in tribe if is_saved(s, person)]
        key = f"score.{one_or_many(saved) if saved else 'nobody'}"
        yield Event(key, {"seat": seat, **EVENTS.named(saved)})
    yield from winners(s, rank, score, "count")


_BY_PHASE: Final = {
    Phase.PLACE: _person_placed,
    Phase.MOVE: _piece_chosen,
    Phase.MOVE_TO: _move,
    Phase.SINK: _sinking,
    Phase.RELOCATE: _person_to_relocate_chosen,
    Phase.RELOCATE_TO: _relocated,
    Phase.ANIMAL: _piece_chosen,
    Phase.ANIMAL_STEP: _animal_step,
}
