"""What happened, as events: told from two positions, outside the rules.

The action is played again on the position before, and each thing that the engine does by itself
after it, so that every event is told from what the rules did.  Spaces, safe islands, explorers,
boats and creatures are named in details as in notation; ``names`` is a list of them as text.  Backs
and values come from the position after, so a narration made from two views of a seat tells what
that seat may know.
"""

from __future__ import annotations

from typing import Any, Final

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import boat_in
from archipel.rules.hex_sea.places import ABOARD, GONE
from archipel.rules.hex_sea.telling import SeaTelling, aboard, lost, one_or_many, replayed, winners
from archipel.rules.kit import Stream, clone
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.components import (
    BOATS,
    COLOURS,
    CREATURE_KINDS,
    CREATURES,
    EXPLORERS,
    FIRST_RED,
    SYMBOLS,
    TERRAINS,
)
from archipel.rules.the_island.end import rank, score
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.knowledge import deal_values
from archipel.rules.the_island.names import (
    NAMES,
    SEA_PIECES,
    boat_name,
    creature_name,
    explorer_name,
    space_name,
)
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.state import SERPENT_BIT, UNKNOWN, Action, Phase, State, owner
from archipel.rules.the_island.turn import act, go_on_once

TELLING: Final = SeaTelling(SEA_PIECES, "explorer", "explorers", "creature", "creatures")


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """Everything that an action brought about, in order."""
    s = clone(before)
    for tile in range(TILES):
        if s.back[tile] == UNKNOWN:  # what a view does not tell afterwards went to another's hand
            s.back[tile] = FIRST_RED if after.back[tile] == UNKNOWN else after.back[tile]
    for colour in range(COLOURS):  # which values, nobody is told; but the rules count them
        deal_values(s, colour, Stream())
    events: list[Event] = []
    steps = replayed(s, action, outcomes, act, go_on_once, Phase.FIRST_AUTOMATIC)
    earlier, s = next(steps)
    _TELL[before.phase](earlier, action, s, after, events)
    if s.phase == Phase.OVER:
        _tell_over(after, events)
    for earlier, s in steps:
        _tell_automatic(earlier, s, after, events)
    return events


# ---- set-up -------------------------------------------------------------------------------------


def _tell_tile_at_set_up(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    if s.phase == Phase.NAME_VALUE:
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
    if s.phase == Phase.PLACE_BOAT:
        events.append(Event("place.boats_next", {"seat": s.to_move}))


def _tell_boat_start(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    boat = boat_in(s, action)
    details = {"seat": earlier.to_move, "boat": boat_name(boat), "space": space_name(action)}
    events.append(Event("place.boat", details))
    if s.phase == Phase.TURN_BEGINS:
        events.append(Event("play_begins", {"seat": s.turn}))
        all_see = s.memory == (1 << s.seats) - 1
        if not s.all_equal and not all_see:  # IS-S7
            events.append(Event("play_begins.secret", {}))


# ---- step 1 -------------------------------------------------------------------------------------


def _tell_tile_of_hand(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    seat = earlier.to_move
    if action == Action.STOP:
        events.append(Event("tile.none", {"seat": seat}))
        return
    tile = TILE_OF[action]
    details = {"seat": seat, "space": space_name(action), "terrain": TERRAINS[s.terrain[tile]]}
    events.append(Event(f"tile.{SYMBOLS[s.playing]}", details))


def _tell_tile_step(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    seat, chosen = earlier.to_move, earlier.chosen
    if action == Action.STOP:
        events.append(Event("tile.enough", {"seat": seat}))
    elif chosen >= Action.CREATURE:
        creature = chosen - Action.CREATURE
        moved = TELLING.creature_move(earlier, seat, creature, action)
        events.append(Event(f"tile.moves.{NAMES.kind(creature)}", moved))
    elif chosen >= Action.BOAT:
        _tell_sailing(earlier, action, s, events, "wind")
    else:
        details = TELLING.move(earlier, seat, chosen - Action.EXPLORER, action)
        events.append(Event("tile.dolphin_swims", details))
        _tell_eaten(earlier, s, action, events)


# ---- step 2 -------------------------------------------------------------------------------------


def _tell_piece(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    """A piece is chosen, for step 1, 2 or 4; or none."""
    seat = earlier.to_move
    if action == Action.STOP:
        key = "creature.none" if earlier.phase == Phase.CREATURE else "move.enough"
        events.append(Event(key, {"seat": seat, "points": earlier.points}))
    else:
        events.append(TELLING.chosen(earlier, seat, action))


def _tell_move(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    if earlier.chosen >= Action.BOAT:
        _tell_sailing(earlier, action, s, events, "sail")
        return
    explorer = earlier.chosen - Action.EXPLORER
    details = TELLING.move(earlier, earlier.to_move, explorer, action)
    details["points"] = s.points
    events.append(Event(f"move.{TELLING.way(earlier, explorer, action)}", details))
    if action < Action.ISLAND:
        _tell_eaten(earlier, s, action, events)


def _tell_sailing(earlier: State, action: int, s: State, events: list[Event], how: str) -> None:
    boat = earlier.chosen - Action.BOAT
    events.append(TELLING.sailing(earlier, earlier.to_move, action, s.points, how))
    if s.boat[boat] == GONE:
        by = "serpent" if s.space[action] & SERPENT_BIT else "whale"
        crew = aboard(earlier, boat)
        sunk = TELLING.sunk(earlier, boat) | {"space": space_name(action)}
        events.append(Event(f"capsize.{by}.{one_or_many(crew)}", sunk))
        _tell_eaten(earlier, s, action, events)


# ---- step 3 -------------------------------------------------------------------------------------


def _tell_removal(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    seat, tile = earlier.to_move, TILE_OF[action]
    fallen = [e for e in range(EXPLORERS) if earlier.place[e] == action]
    terrain = TERRAINS[s.terrain[tile]]
    details = {"seat": seat, "space": space_name(action), **TELLING.named(fallen)}
    events.append(Event(f"remove.{terrain}", details))
    if fallen:
        events.append(Event(f"fall.{one_or_many(fallen)}", details))
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
    if symbol == "volcano" and s.phase != Phase.OVER:
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
        rescued = aboard(s, boat)
        if rescued:
            told = {"boat": boat_name(boat), "space": space_name(space), **TELLING.named(rescued)}
            events.append(Event(f"rescue.{one_or_many(rescued)}", told))
    elif symbol == "whirlpool" or (symbol == "volcano" and s.phase != Phase.OVER):
        events += TELLING.whirlpool(earlier, s, space)  # IS-K9


def _tell_passenger(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    explorer = action - Action.EXPLORER
    boat = s.place[explorer] - ABOARD
    details = {
        "seat": earlier.to_move,
        "other": owner(s, explorer),
        "explorer": explorer_name(explorer),
        **TELLING.boat(s, boat),
    }
    events.append(Event("pick", details))


# ---- step 4 and defence -------------------------------------------------------------------------


def _tell_creature_step(
    earlier: State, action: int, s: State, after: State, events: list[Event]
) -> None:
    if action == Action.STOP:
        events.append(Event("creature.enough", {"seat": earlier.to_move}))
        return
    creature = earlier.chosen - Action.CREATURE
    details = TELLING.creature_move(earlier, earlier.to_move, creature, action)
    events.append(Event(f"creature.{NAMES.kind(creature)}", details))


def _tell_answer(earlier: State, action: int, s: State, after: State, events: list[Event]) -> None:
    """IS-D3: a no is told alike whatever is in the hand."""
    seat, creature = earlier.to_move, earlier.chosen - Action.CREATURE
    details = {"seat": seat, "other": earlier.turn, **TELLING.beast(earlier, creature)}
    if action == Action.YES:
        tile = next(t for t in range(TILES) if earlier.holder[t] != s.holder[t])
        details["tile"] = space_name(TILE_SPACES[tile])
        events.append(Event(f"defend.{NAMES.kind(creature)}", details))
    else:
        events.append(Event("defend.no", details))


# ---- what the engine does by itself -------------------------------------------------------------


def _tell_automatic(earlier: State, s: State, after: State, events: list[Event]) -> None:
    seat = earlier.turn
    if s.phase == Phase.OVER:
        _tell_over(after, events)
    elif earlier.phase == Phase.ARRIVED:
        _tell_arrival(earlier, s, events)
    elif earlier.phase == Phase.ROLL:
        kind = CREATURE_KINDS[s.die]
        nothing = "" if s.phase == Phase.CREATURE else ".nothing"
        events.append(Event(f"die.{kind}{nothing}", {"seat": seat, "die": kind}))
    elif earlier.phase == Phase.TURN_ENDS:
        events.append(Event("turn", {"seat": s.turn}))
    elif earlier.phase == Phase.BEGIN_MOVING and s.phase == Phase.BEGIN_REMOVING:
        events.append(Event("move.nobody", {"seat": seat}))
    elif (
        earlier.phase == Phase.KEEP_MOVING
        and s.phase == Phase.BEGIN_REMOVING
        and earlier.points > 0
    ):
        events.append(Event("move.stuck", {"seat": seat, "points": earlier.points}))
    elif earlier.phase == Phase.BEGIN_REMOVING and s.phase == Phase.ROLL:
        events.append(Event("remove.none_left", {"seat": seat}))


def _tell_arrival(earlier: State, s: State, events: list[Event]) -> None:
    creature = earlier.chosen - Action.CREATURE
    kind = NAMES.kind(creature)
    space = s.creature[creature]
    if s.phase == Phase.DEFEND:
        details = {"seat": s.to_move, "other": s.turn, **TELLING.beast(s, creature)}
        events.append(Event(f"asked.{kind}", details))
        return
    boats = [boat for boat in range(BOATS) if earlier.boat[boat] != s.boat[boat]]
    victims = lost(earlier, s)
    if boats and kind != "shark":
        crew = aboard(earlier, boats[0])
        how = "capsize.whale" if kind == "whale" else "devour"
        events.append(Event(f"{how}.{one_or_many(crew)}", TELLING.sunk(earlier, boats[0])))
        if kind == "serpent":
            victims = [explorer for explorer in victims if explorer not in crew]
    events += TELLING.eaten(_eater(s, space), victims, space)


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
            **TELLING.named(saved),
            "values": values,
            "addition": " + ".join(map(str, values)),
            "points": score(after, seat),
        }
        if not saved:
            events.append(Event("score.nobody", details))
        elif after.all_equal:
            events.append(Event(f"score.count.{one_or_many(saved)}", details))
        else:
            events.append(Event(f"score.{one_or_many(saved)}", details))
    seats = range(after.seats)
    ranks, scores = [rank(after, seat) for seat in seats], [score(after, seat) for seat in seats]
    events += winners(ranks, scores, "points")


def _tell_eaten(earlier: State, s: State, space: int, events: list[Event]) -> None:
    events += TELLING.eaten(_eater(s, space), lost(earlier, s), space)


def _eater(s: State, space: int) -> str:
    return "serpent" if s.space[space] & SERPENT_BIT else "shark"


_TELL = {
    Phase.PLACE_EXPLORER: _tell_tile_at_set_up,
    Phase.NAME_VALUE: _tell_placed,
    Phase.PLACE_BOAT: _tell_boat_start,
    Phase.PLAY_TILE: _tell_tile_of_hand,
    Phase.TILE_PIECE: _tell_piece,
    Phase.TILE_STEP: _tell_tile_step,
    Phase.MOVE: _tell_piece,
    Phase.MOVE_TO: _tell_move,
    Phase.REMOVE: _tell_removal,
    Phase.FILL_BOAT: _tell_passenger,
    Phase.CREATURE: _tell_piece,
    Phase.CREATURE_STEP: _tell_creature_step,
    Phase.DEFEND: _tell_answer,
}
