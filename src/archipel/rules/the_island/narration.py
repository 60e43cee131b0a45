"""What happened, as events: told from two positions, outside the rules.

The action is played again on the position before, and each thing that the engine does by itself
after it, so that every event is told from what the rules did.  Spaces, safe islands, explorers,
boats and creatures are named in details as in notation; ``names`` is a list of them as text.  Backs
and values come from the position after, so a narration made from two views of a seat tells what
that seat may know.
"""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in, is_sea, load, space_of
from archipel.rules.hex_sea.places import ABOARD, GONE, LOST
from archipel.rules.kit import Stream, Tape, clone
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.components import (
    BOATS,
    COLOURS,
    CREATURE_KINDS,
    CREATURES,
    EXPLORERS,
    FIRST_RED,
    KIND_OF,
    SYMBOLS,
    TERRAINS,
)
from archipel.rules.the_island.end import rank, score
from archipel.rules.the_island.explorers import is_saved, swims
from archipel.rules.the_island.knowledge import deal_values
from archipel.rules.the_island.names import (
    boat_name,
    creature_name,
    explorer_name,
    island_name,
    place_name,
    space_name,
)
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.state import (
    ARRIVED,
    BEGIN_MOVING,
    BEGIN_REMOVING,
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    FIRST_AUTOMATIC,
    ISLAND,
    KEEP_MOVING,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    OVER,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    ROLL,
    SERPENT_BIT,
    STOP,
    TILE_PIECE,
    TILE_STEP,
    TURN_BEGINS,
    TURN_ENDS,
    UNKNOWN,
    YES,
    State,
    owner,
)
from archipel.rules.the_island.turn import act, go_on_once


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """Everything that an action brought about, in order."""
    s = clone(before)
    for tile in range(TILES):
        if s.back[tile] == UNKNOWN:  # what a view does not tell afterwards went to another's hand
            s.back[tile] = FIRST_RED if after.back[tile] == UNKNOWN else after.back[tile]
    for colour in range(COLOURS):  # which values, nobody is told; but the rules count them
        deal_values(s, colour, Stream())
    events: list[Event] = []
    earlier = clone(s)
    act(s, action)
    _TELL[before.phase](earlier, action, s, after, events)
    if s.phase == OVER:
        _tell_over(after, events)
    tape = Tape(outcomes)
    while s.phase >= FIRST_AUTOMATIC:
        earlier = clone(s)
        go_on_once(s, tape)
        _tell_automatic(earlier, s, after, events)
    return events


# ---- set-up -------------------------------------------------------------------------------------


def _tell_tile_at_set_up(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    if s.phase == NAME_VALUE:
        details = {"seat": earlier.to_move, "space": space_name(action)}
        events.append(Event("place.tile", details))
    else:
        _tell_placed(earlier, action, s, after, events)


def _tell_placed(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    """IS-I5: the value is for its owner's eyes, and the table keeps it only until play begins."""
    explorer = next(e for e in range(EXPLORERS) if s.place[e] != earlier.place[e])
    details: dict[str, Any] = {
        "seat": earlier.to_move,
        "explorer": explorer_name(explorer),
        "space": space_name(s.place[explorer]),
    }
    events.append(Event("place.explorer", details))
    if after.value[explorer] != UNKNOWN and not s.all_equal:
        value = {**details, "value": after.value[explorer]}
        events.append(Event("place.value", value, seen_by=frozenset({earlier.to_move})))
    if s.phase == PLACE_BOAT:
        events.append(Event("place.boats_next", {"seat": s.to_move}))


def _tell_boat_start(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    boat = boat_in(s, action)
    details = {"seat": earlier.to_move, "boat": boat_name(boat), "space": space_name(action)}
    events.append(Event("place.boat", details))
    if s.phase == TURN_BEGINS:
        events.append(Event("play_begins", {"seat": s.turn}))


# ---- step 1 -------------------------------------------------------------------------------------


def _tell_tile_of_hand(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    seat = earlier.to_move
    if action == STOP:
        events.append(Event("tile.none", {"seat": seat}))
        return
    tile = TILE_OF[action]
    details = {"seat": seat, "space": space_name(action), "terrain": TERRAINS[s.terrain[tile]]}
    events.append(Event(f"tile.{SYMBOLS[s.playing]}", details))


def _tell_tile_step(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    seat, chosen = earlier.to_move, earlier.chosen
    if action == STOP:
        events.append(Event("tile.enough", {"seat": seat}))
    elif chosen >= CREATURE_PIECE:
        creature = chosen - CREATURE_PIECE
        key = f"tile.moves.{CREATURE_KINDS[KIND_OF[creature]]}"
        events.append(Event(key, _creature_move(earlier, creature, action)))
    elif chosen >= BOAT:
        _tell_sailing(earlier, action, s, events, "wind")
    else:
        details = _explorer_move(earlier, chosen - EXPLORER, action)
        events.append(Event("tile.dolphin_swims", details))
        _tell_eaten(earlier, s, action, events)


# ---- step 2 -------------------------------------------------------------------------------------


def _tell_piece(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    """A piece is chosen, for step 1, 2 or 4; or none."""
    seat = earlier.to_move
    if action == STOP:
        key = "creature.none" if earlier.phase == CREATURE else "move.enough"
        events.append(Event(key, {"seat": seat, "points": earlier.points}))
    elif action >= CREATURE_PIECE:
        creature = action - CREATURE_PIECE
        details = {"seat": seat, **_creature(earlier, creature)}
        events.append(Event(f"choose.{CREATURE_KINDS[KIND_OF[creature]]}", details))
    elif action >= BOAT:
        events.append(Event("choose.boat", {"seat": seat, **_boat(earlier, action - BOAT)}))
    else:
        details = {"seat": seat, "explorer": explorer_name(action - EXPLORER)}
        events.append(Event("choose.explorer", details))


def _tell_move(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    if earlier.chosen >= BOAT:
        _tell_sailing(earlier, action, s, events, "sail")
        return
    explorer = earlier.chosen - EXPLORER
    details = _explorer_move(earlier, explorer, action)
    details["points"] = s.points
    events.append(Event(f"move.{_way(earlier, explorer, action)}", details))
    if action < ISLAND:
        _tell_eaten(earlier, s, action, events)


def _way(s: State, explorer: int, action: int) -> str:
    """How an explorer goes where it goes."""
    afloat = "boat" if s.place[explorer] >= ABOARD else "water" if swims(s, explorer) else ""
    if action >= BOAT:
        return {"boat": "change_boat", "water": "climb"}.get(afloat, "board")
    if action >= ISLAND:
        return "ashore_from_boat" if afloat == "boat" else "ashore_swimming"
    if not is_sea(s, action):
        return "walk"
    return {"boat": "overboard", "water": "swim"}.get(afloat, "dive")


def _tell_sailing(earlier: State, action: int, s: State, events: list[Event], how: str) -> None:
    boat = earlier.chosen - BOAT
    crew = _aboard(earlier, boat)
    details: dict[str, Any] = {
        "seat": earlier.to_move,
        **_boat(earlier, boat),
        "start": space_name(earlier.boat[boat]),
        "space": space_name(action),
        **_people(crew),
        "points": s.points,
    }
    events.append(Event(f"{how}.{'occupied' if crew else 'empty'}", details))
    if s.boat[boat] == GONE:
        bits = s.space[action]
        by = "serpent" if bits & SERPENT_BIT else "whale"
        sunk = {"boat": boat_name(boat), "space": space_name(action), **_people(crew)}
        events.append(Event(f"capsize.{by}.{_one_or_many(crew)}", sunk))
        _tell_eaten(earlier, s, action, events)


# ---- step 3 -------------------------------------------------------------------------------------


def _tell_removal(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    seat, tile = earlier.to_move, TILE_OF[action]
    fallen = [e for e in range(EXPLORERS) if earlier.place[e] == action]
    terrain = TERRAINS[s.terrain[tile]]
    details = {"seat": seat, "space": space_name(action), **_people(fallen)}
    events.append(Event(f"remove.{terrain}", details))
    if fallen:
        events.append(Event(f"fall.{_one_or_many(fallen)}", details))
    back = after.back[tile]
    if s.holder[tile] == seat:
        events.append(Event("keep", details))
        if back != UNKNOWN:
            own = {**details, "symbol": SYMBOLS[back]}
            events.append(Event(f"keep.{SYMBOLS[back]}", own, seen_by=frozenset({seat})))
        return
    _tell_reveal(earlier, s, action, SYMBOLS[back], events)


def _tell_reveal(earlier: State, s: State, space: int, symbol: str, events: list[Event]) -> None:
    details: dict[str, Any] = {"seat": earlier.to_move, "space": space_name(space)}
    if symbol == "volcano" and s.phase != OVER:
        events.append(Event("reveal.volcano_sinks", details))
    elif symbol in ("shark", "whale", "boat") and s.space[space] == 0:
        events.append(Event(f"reveal.{symbol}_not_left", details))  # IS-K11
        return
    else:
        if symbol in ("shark", "whale"):
            details["creature"] = creature_name(
                next(c for c in range(CREATURES) if s.creature[c] == space)
            )
        elif symbol == "boat":
            details["boat"] = boat_name(boat_in(s, space))
        events.append(Event(f"reveal.{symbol}", details))
    if symbol == "shark":
        _tell_eaten(earlier, s, space, events)
    elif symbol == "boat":
        boat = boat_in(s, space)
        rescued = _aboard(s, boat)
        if rescued:
            told = {"boat": boat_name(boat), "space": space_name(space), **_people(rescued)}
            events.append(Event(f"rescue.{_one_or_many(rescued)}", told))
    elif symbol == "whirlpool" or (symbol == "volcano" and s.phase != OVER):
        _tell_whirlpool(earlier, s, space, events)


def _tell_whirlpool(earlier: State, s: State, space: int, events: list[Event]) -> None:
    """IS-K9: all that went down, at once."""
    lost = _lost(earlier, s)
    boats = [boat for boat in range(BOATS) if earlier.boat[boat] != s.boat[boat]]
    creatures = [c for c in range(CREATURES) if earlier.creature[c] != s.creature[c]]
    details: dict[str, Any] = {
        "space": space_name(space),
        **_people(lost),
        "boats": [boat_name(boat) for boat in boats],
        "boat_count": len(boats),
        "creatures": [creature_name(creature) for creature in creatures],
        "creature_count": len(creatures),
    }
    if not lost and not boats and not creatures:
        events.append(Event("whirlpool.nothing", details))
        return
    if lost:
        events.append(Event(f"whirlpool.explorers.{_one_or_many(lost)}", details))
    if boats:
        events.append(Event(f"whirlpool.boats.{_one_or_many(boats)}", details))
    if creatures:
        events.append(Event(f"whirlpool.creatures.{_one_or_many(creatures)}", details))


def _tell_passenger(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    explorer = action - EXPLORER
    boat = s.place[explorer] - ABOARD
    details = {
        "seat": earlier.to_move,
        "other": owner(s, explorer),
        "explorer": explorer_name(explorer),
        **_boat(s, boat),
    }
    events.append(Event("pick", details))


# ---- step 4 and defence -------------------------------------------------------------------------


def _tell_creature_step(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    if action == STOP:
        events.append(Event("creature.enough", {"seat": earlier.to_move}))
        return
    creature = earlier.chosen - CREATURE_PIECE
    key = f"creature.{CREATURE_KINDS[KIND_OF[creature]]}"
    events.append(Event(key, _creature_move(earlier, creature, action)))


def _tell_answer(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    """IS-D3: a no is told alike whatever is in the hand."""
    seat, creature = earlier.to_move, earlier.chosen - CREATURE_PIECE
    details = {"seat": seat, "other": earlier.turn, **_creature(earlier, creature)}
    if action == YES:
        tile = next(t for t in range(TILES) if earlier.holder[t] != s.holder[t])
        details["tile"] = space_name(TILE_SPACES[tile])
        events.append(Event(f"defend.{CREATURE_KINDS[KIND_OF[creature]]}", details))
    else:
        events.append(Event("defend.no", details))


# ---- what the engine does by itself -------------------------------------------------------------


def _tell_automatic(earlier: State, s: State, after: State, events: list[Event]) -> None:
    seat = earlier.turn
    if s.phase == OVER:
        _tell_over(after, events)
    elif earlier.phase == ARRIVED:
        _tell_arrival(earlier, s, events)
    elif earlier.phase == ROLL:
        kind = CREATURE_KINDS[s.die]
        nothing = "" if s.phase == CREATURE else ".nothing"
        events.append(Event(f"die.{kind}{nothing}", {"seat": seat, "die": kind}))
    elif earlier.phase == TURN_ENDS:
        events.append(Event("turn", {"seat": s.turn}))
    elif earlier.phase == BEGIN_MOVING and s.phase == BEGIN_REMOVING:
        events.append(Event("move.nobody", {"seat": seat}))
    elif earlier.phase == KEEP_MOVING and s.phase == BEGIN_REMOVING and earlier.points > 0:
        events.append(Event("move.stuck", {"seat": seat, "points": earlier.points}))
    elif earlier.phase == BEGIN_REMOVING and s.phase == ROLL:
        events.append(Event("remove.none_left", {"seat": seat}))


def _tell_arrival(earlier: State, s: State, events: list[Event]) -> None:
    creature = earlier.chosen - CREATURE_PIECE
    kind = CREATURE_KINDS[KIND_OF[creature]]
    space = s.creature[creature]
    if s.phase == DEFEND:
        details = {"seat": s.to_move, "other": s.turn, **_creature(s, creature)}
        events.append(Event(f"asked.{kind}", details))
        return
    boats = [boat for boat in range(BOATS) if earlier.boat[boat] != s.boat[boat]]
    lost = _lost(earlier, s)
    if kind == "whale" and boats:
        crew = _aboard(earlier, boats[0])
        sunk = {"boat": boat_name(boats[0]), "space": space_name(space), **_people(crew)}
        events.append(Event(f"capsize.whale.{_one_or_many(crew)}", sunk))
    elif kind == "serpent" and boats:
        crew = _aboard(earlier, boats[0])
        sunk = {"boat": boat_name(boats[0]), "space": space_name(space), **_people(crew)}
        events.append(Event(f"devour.{_one_or_many(crew)}", sunk))
        lost = [explorer for explorer in lost if explorer not in crew]
    if lost:
        _append_eaten(s, lost, space, events)


# ---- the end ------------------------------------------------------------------------------------


def _tell_over(after: State, events: list[Event]) -> None:
    """IS-E2, IS-I6: why it ended, the score of each, and who won."""
    ending = next(name for name, number in ENDINGS.items() if number == after.ending)
    events.append(Event(f"over.{ending}"))
    for seat in range(after.seats):
        saved = [e for e in range(EXPLORERS) if is_saved(after, e) and owner(after, e) == seat]
        values = [after.value[explorer] for explorer in saved]
        details: dict[str, Any] = {
            "seat": seat,
            **_people(saved),
            "values": values,
            "addition": " + ".join(map(str, values)),
            "points": score(after, seat),
        }
        if not saved:
            events.append(Event("score.nobody", details))
        elif after.all_equal:
            events.append(Event(f"score.count.{_one_or_many(saved)}", details))
        else:
            events.append(Event(f"score.{_one_or_many(saved)}", details))
    winners = [seat for seat in range(after.seats) if rank(after, seat) == 0]
    for seat in winners:
        told = {"seat": seat, "points": score(after, seat)}
        key = "win.alone" if len(winners) == 1 else "win.shared"
        events.append(Event(key, told))


# ---- parts of events ----------------------------------------------------------------------------


def _people(explorers: list[int]) -> dict[str, Any]:
    names = [explorer_name(explorer) for explorer in explorers]
    return {"explorers": names, "names": ", ".join(names), "count": len(names)}


def _aboard(s: State, boat: int) -> list[int]:
    return [e for e in range(EXPLORERS) if s.place[e] == ABOARD + boat]


def _lost(earlier: State, s: State) -> list[int]:
    return [e for e in range(EXPLORERS) if s.place[e] == LOST != earlier.place[e]]


def _tell_eaten(earlier: State, s: State, space: int, events: list[Event]) -> None:
    lost = _lost(earlier, s)
    if lost:
        _append_eaten(s, lost, space, events)


def _append_eaten(s: State, lost: list[int], space: int, events: list[Event]) -> None:
    by = "serpent" if s.space[space] & SERPENT_BIT else "shark"
    details = {"space": space_name(space), **_people(lost)}
    events.append(Event(f"eaten.{by}.{_one_or_many(lost)}", details))


def _explorer_move(s: State, explorer: int, action: int) -> dict[str, Any]:
    """Where from and where to; a boat is named where one is left or boarded."""
    details: dict[str, Any] = {
        "seat": s.to_move,
        "explorer": explorer_name(explorer),
        "start": space_name(space_of(s, explorer)),
    }
    if s.place[explorer] >= ABOARD:
        details["from_boat"] = boat_name(s.place[explorer] - ABOARD)
    if action >= BOAT:
        details["boat"] = boat_name(action - BOAT)
        details["space"] = space_name(s.boat[action - BOAT])
    elif action >= ISLAND:
        details["island"] = island_name(action - ISLAND)
        details["space"] = place_name(action)
    else:
        details["space"] = space_name(action)
    return details


def _boat(s: State, boat: int) -> dict[str, Any]:
    return {"boat": boat_name(boat), "space": space_name(s.boat[boat]), "load": load(s, boat)}


def _creature(s: State, creature: int) -> dict[str, Any]:
    name = creature_name(creature)
    return {"creature": name, "number": name.split()[1], "space": space_name(s.creature[creature])}


def _creature_move(s: State, creature: int, space: int) -> dict[str, Any]:
    start = s.creature[creature]
    return {
        "seat": s.to_move,
        **_creature(s, creature),
        "start": space_name(start),
        "space": space_name(space),
    }


def _one_or_many(pieces: list[int]) -> str:
    return "one" if len(pieces) == 1 else "many"


_TELL = {
    PLACE_EXPLORER: _tell_tile_at_set_up,
    NAME_VALUE: _tell_placed,
    PLACE_BOAT: _tell_boat_start,
    PLAY_TILE: _tell_tile_of_hand,
    TILE_PIECE: _tell_piece,
    TILE_STEP: _tell_tile_step,
    MOVE: _tell_piece,
    MOVE_TO: _tell_move,
    REMOVE: _tell_removal,
    FILL_BOAT: _tell_passenger,
    CREATURE: _tell_piece,
    CREATURE_STEP: _tell_creature_step,
    DEFEND: _tell_answer,
}
