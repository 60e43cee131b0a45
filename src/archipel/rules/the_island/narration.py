"""The events that an action causes, from the positions before and after it.

The action and the automatic steps after it are played again on the position before, so that every
event follows from what the rules did.  Details name spaces, safe islands, explorers, boats and
creatures as in notation; ``names`` is a list of them as text.  Backs and values come from the
position after, so the narration of two views of a seat contains only what that seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import SeaEvents, aboard, lost, one_or_many, replay, winners
from archipel.rules.hex_sea.places import ABOARD, GONE
from archipel.rules.kit import Stream, clone
from archipel.rules.position_fields import name_of
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.end import rank, score
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.knowledge import deal_values
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.state import SERPENT_BIT, UNKNOWN, Action, Phase, State, owner
from archipel.rules.the_island.turn import act, go_on_once

EVENTS: Final = SeaEvents(NAMES, "explorer", "explorers", "creature", "creatures")
Events = Iterator[Event]


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """The events that an action caused, in order."""
    s = clone(before)
    for tile in range(TILES):
        if s.back[tile] == UNKNOWN:  # a back still unknown in the view went to another's hand
            s.back[tile] = box.FIRST_RED if after.back[tile] == UNKNOWN else after.back[tile]
    for colour in range(
        box.COLOURS
    ):  # any values will do: no event shows them, but the rules count
        deal_values(s, colour, Stream())
    return list(_events(s, action, outcomes, after))


def _events(s: State, action: int, outcomes: tuple[int, ...], after: State) -> Events:
    steps = replay(s, action, outcomes, act, go_on_once, Phase.FIRST_AUTOMATIC)
    earlier, s = next(steps)
    yield from _BY_PHASE[earlier.phase](earlier, action, s, after)
    if s.phase == Phase.OVER:
        yield from _game_over(after)
    for earlier, s in steps:
        yield from _automatic_step(earlier, s, after)


# ---- set-up -------------------------------------------------------------------------------------


def _tile_chosen(earlier: State, action: int, s: State, after: State) -> Events:
    if s.phase == Phase.NAME_VALUE:
        yield Event("place.tile", {"seat": earlier.to_move, "space": NAMES.space(action)})
    else:
        yield from _explorer_placed(earlier, action, s, after)


def _explorer_placed(earlier: State, action: int, s: State, after: State) -> Events:
    """IS-I5: only the owner sees the value, and the log keeps it only until play begins."""
    seat = earlier.to_move
    explorer = next(e for e in range(box.EXPLORERS) if s.place[e] != earlier.place[e])
    space = NAMES.space(s.place[explorer])
    details: dict[str, Any] = {"seat": seat, "explorer": NAMES.person(explorer), "space": space}
    yield Event("place.explorer", details)
    if after.value[explorer] != UNKNOWN and not s.all_equal:
        value = {**details, "value": after.value[explorer]}
        yield Event("place.value", value, seen_by=frozenset({seat}))
    if s.phase == Phase.PLACE_BOAT:
        yield Event("place.boats_next", {"seat": s.to_move})


def _boat_placed(earlier: State, action: int, s: State, after: State) -> Events:
    boat = NAMES.boat(boat_in(s, action))
    details = {"seat": earlier.to_move, "boat": boat, "space": NAMES.space(action)}
    yield Event("place.boat", details)
    if s.phase == Phase.TURN_BEGINS:
        yield Event("play_begins", {"seat": s.turn})
        all_see = s.memory == (1 << s.seats) - 1
        if not s.all_equal and not all_see:  # IS-S7
            yield Event("play_begins.secret", {})


# ---- step 1 -------------------------------------------------------------------------------------


def _tile_played(earlier: State, action: int, s: State, after: State) -> Events:
    details: dict[str, Any] = {"seat": earlier.to_move}
    if action == Action.STOP:
        yield Event("tile.none", details)
    else:
        details |= {
            "space": NAMES.space(action),
            "terrain": box.TERRAINS[s.terrain[TILE_OF[action]]],
        }
        yield Event(f"tile.{box.SYMBOLS[s.playing]}", details)


def _tile_step(earlier: State, action: int, s: State, after: State) -> Events:
    seat, chosen = earlier.to_move, earlier.chosen
    if action == Action.STOP:
        yield Event("tile.enough", {"seat": seat})
    elif chosen >= Action.CREATURE:
        creature = chosen - Action.CREATURE
        moved = EVENTS.creature_move(earlier, seat, creature, action)
        yield Event(f"tile.moves.{NAMES.kind(creature)}", moved)
    elif chosen >= Action.BOAT:
        yield from _sailing(earlier, action, s, "wind")
    else:
        details = EVENTS.move(earlier, seat, chosen - Action.EXPLORER, action)
        yield Event("tile.dolphin_swims", details)
        yield from _eaten(earlier, s, action)


# ---- step 2 -------------------------------------------------------------------------------------


def _piece_chosen(earlier: State, action: int, s: State, after: State) -> Events:
    """A piece is chosen, for step 1, 2 or 4; or none."""
    seat = earlier.to_move
    if action == Action.STOP:
        key = "creature.none" if earlier.phase == Phase.CREATURE else "move.enough"
        yield Event(key, {"seat": seat, "points": earlier.points})
    else:
        yield EVENTS.chosen(earlier, seat, action)


def _move(earlier: State, action: int, s: State, after: State) -> Events:
    if earlier.chosen >= Action.BOAT:
        yield from _sailing(earlier, action, s, "sail")
        return
    explorer = earlier.chosen - Action.EXPLORER
    details = EVENTS.move(earlier, earlier.to_move, explorer, action) | {"points": s.points}
    yield Event(f"move.{EVENTS.way(earlier, explorer, action)}", details)
    if action < Action.ISLAND:
        yield from _eaten(earlier, s, action)


def _sailing(earlier: State, action: int, s: State, how: str) -> Events:
    boat = earlier.chosen - Action.BOAT
    yield EVENTS.sailing(earlier, earlier.to_move, action, s.points, how)
    if s.boat[boat] == GONE:
        by = "serpent" if s.space[action] & SERPENT_BIT else "whale"
        sunk = EVENTS.sunk(earlier, boat) | {"space": NAMES.space(action)}
        yield Event(f"capsize.{by}.{one_or_many(aboard(earlier, boat))}", sunk)
        yield from _eaten(earlier, s, action)


# ---- step 3 -------------------------------------------------------------------------------------


def _removal(earlier: State, action: int, s: State, after: State) -> Events:
    seat, tile = earlier.to_move, TILE_OF[action]
    fallen = pieces_in(earlier.place, action)
    details = {"seat": seat, "space": NAMES.space(action), **EVENTS.named(fallen)}
    yield Event(f"remove.{box.TERRAINS[s.terrain[tile]]}", details)
    if fallen:
        yield Event(f"fall.{one_or_many(fallen)}", details)
    back = after.back[tile]
    if s.holder[tile] != seat:
        yield from _revealed(earlier, s, action, box.SYMBOLS[back])
        return
    yield Event("keep", details)
    if back != UNKNOWN:
        own = {**details, "symbol": box.SYMBOLS[back]}
        yield Event(f"keep.{box.SYMBOLS[back]}", own, seen_by=frozenset({seat}))


def _revealed(earlier: State, s: State, space: int, symbol: str) -> Events:
    details: dict[str, Any] = {"seat": earlier.to_move, "space": NAMES.space(space)}
    if symbol in ("shark", "whale", "boat") and s.space[space] == 0:
        yield Event(f"reveal.{symbol}_not_left", details)  # IS-K11
        return
    whirls = symbol == "whirlpool" or (symbol == "volcano" and s.phase != Phase.OVER)
    if symbol in ("shark", "whale"):
        details["creature"] = NAMES.creature(s.creature.index(space))
    elif symbol == "boat":
        details["boat"] = NAMES.boat(boat_in(s, space))
    yield Event(f"reveal.{symbol}{'_sinks' if whirls and symbol == 'volcano' else ''}", details)
    if symbol == "shark":
        yield from _eaten(earlier, s, space)
    elif symbol == "boat" and (rescued := aboard(s, boat_in(s, space))):
        saved = {"boat": details["boat"], "space": details["space"], **EVENTS.named(rescued)}
        yield Event(f"rescue.{one_or_many(rescued)}", saved)
    elif whirls:
        yield from EVENTS.whirlpool(earlier, s, space)  # IS-K9


def _passenger_picked(earlier: State, action: int, s: State, after: State) -> Events:
    explorer = action - Action.EXPLORER
    details: dict[str, Any] = {"seat": earlier.to_move, "other": owner(s, explorer)}
    details |= {"explorer": NAMES.person(explorer), **EVENTS.boat(s, s.place[explorer] - ABOARD)}
    yield Event("pick", details)


# ---- step 4 and defence -------------------------------------------------------------------------


def _creature_step(earlier: State, action: int, s: State, after: State) -> Events:
    seat, creature = earlier.to_move, earlier.chosen - Action.CREATURE
    if action == Action.STOP:
        yield Event("creature.enough", {"seat": seat})
    else:
        details = EVENTS.creature_move(earlier, seat, creature, action)
        yield Event(f"creature.{NAMES.kind(creature)}", details)


def _answer(earlier: State, action: int, s: State, after: State) -> Events:
    """IS-D3: the event of a no does not depend on the hand."""
    creature = earlier.chosen - Action.CREATURE
    details: dict[str, Any] = {"seat": earlier.to_move, "other": earlier.turn}
    details |= EVENTS.one_creature(earlier, creature)
    if action == Action.YES:
        tile = next(t for t in range(TILES) if earlier.holder[t] != s.holder[t])
        details["tile"] = NAMES.space(TILE_SPACES[tile])
        yield Event(f"defend.{NAMES.kind(creature)}", details)
    else:
        yield Event("defend.no", details)


# ---- automatic steps ----------------------------------------------------------------------------


def _automatic_step(earlier: State, s: State, after: State) -> Events:
    seat = {"seat": earlier.turn}
    if s.phase == Phase.OVER:
        yield from _game_over(after)
        return
    match earlier.phase, s.phase:
        case Phase.ARRIVED, _:
            yield from _arrival(earlier, s)
        case Phase.ROLL, _:
            kind = box.CREATURE_KINDS[s.die]
            nothing = "" if s.phase == Phase.CREATURE else ".nothing"
            yield Event(f"die.{kind}{nothing}", seat | {"die": kind})
        case Phase.TURN_ENDS, _:
            yield Event("turn", {"seat": s.turn})
        case Phase.BEGIN_MOVING, Phase.BEGIN_REMOVING:
            yield Event("move.nobody", seat)
        case Phase.KEEP_MOVING, Phase.BEGIN_REMOVING if earlier.points > 0:
            yield Event("move.stuck", seat | {"points": earlier.points})
        case Phase.BEGIN_REMOVING, Phase.ROLL:
            yield Event("remove.none_left", seat)


def _arrival(earlier: State, s: State) -> Events:
    creature = earlier.chosen - Action.CREATURE
    kind = NAMES.kind(creature)
    space = s.creature[creature]
    if s.phase == Phase.DEFEND:
        details = {"seat": s.to_move, "other": s.turn, **EVENTS.one_creature(s, creature)}
        yield Event(f"asked.{kind}", details)
        return
    victims = lost(earlier, s)
    boats = [boat for boat, place in enumerate(s.boat) if place != earlier.boat[boat]]
    if boats and kind != "shark":
        crew = aboard(earlier, boats[0])
        how = "capsize.whale" if kind == "whale" else "devour"
        yield Event(f"{how}.{one_or_many(crew)}", EVENTS.sunk(earlier, boats[0]))
        if kind == "serpent":
            victims = [explorer for explorer in victims if explorer not in crew]
    yield from EVENTS.eaten(_eater(s, space), victims, space)


# ---- the end ------------------------------------------------------------------------------------


def _game_over(after: State) -> Events:
    """IS-E2, IS-I6: why the game ended, the scores, and the winners."""
    yield Event(f"over.{name_of(ENDINGS, after.ending)}")
    for seat in range(after.seats):
        saved = [e for e in range(box.EXPLORERS) if is_saved(after, e) and owner(after, e) == seat]
        values = [after.value[explorer] for explorer in saved]
        details: dict[str, Any] = {
            "seat": seat,
            **EVENTS.named(saved),
            "values": values,
            "addition": " + ".join(map(str, values)),
            "points": score(after, seat),
        }
        count = f"{'count.' if after.all_equal else ''}{one_or_many(saved)}"
        yield Event(f"score.{count if saved else 'nobody'}", details)
    yield from winners(after, rank, score, "points")


def _eaten(earlier: State, s: State, space: int) -> Events:
    yield from EVENTS.eaten(_eater(s, space), lost(earlier, s), space)


def _eater(s: State, space: int) -> str:
    return "serpent" if s.space[space] & SERPENT_BIT else "shark"


_BY_PHASE: Final = {
    Phase.PLACE_EXPLORER: _tile_chosen,
    Phase.NAME_VALUE: _explorer_placed,
    Phase.PLACE_BOAT: _boat_placed,
    Phase.PLAY_TILE: _tile_played,
    Phase.TILE_PIECE: _piece_chosen,
    Phase.TILE_STEP: _tile_step,
    Phase.MOVE: _piece_chosen,
    Phase.MOVE_TO: _move,
    Phase.REMOVE: _removal,
    Phase.FILL_BOAT: _passenger_picked,
    Phase.CREATURE: _piece_chosen,
    Phase.CREATURE_STEP: _creature_step,
    Phase.DEFEND: _answer,
}
