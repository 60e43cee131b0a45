"""What happened, as events: told from two positions, outside the rules.

Spaces and cells are named as in notation, explorers numbered from 1.  Cards come from what is
played in the open, so a narration made from two views tells what a seat may know.
"""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Event
from archipel.rules.kit import clone
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    BOATS,
    CARD_NAMES,
    COLOUR,
    COLOUR_NAMES,
    COST,
    DEALT,
    FIRST_HEADING,
    FIRST_LAVA,
    FIRST_SPACE,
    FLOW_OF,
    HELICOPTER,
    MOST_EXPLORERS,
    NO_TILE,
    PLACES,
    POINTS,
    TILE_NAMES,
)
from archipel.rules.mauna_kea.end import artefacts_carried, objective_points, rank, score
from archipel.rules.mauna_kea.geometry import (
    DIRECTION_NAMES,
    NEXT_CELL,
    NEXT_SPACE,
    QUARTERS,
    cell_name,
    space_name,
)
from archipel.rules.mauna_kea.lava import NO_END, erupt, is_lava, landing, next_end
from archipel.rules.mauna_kea.state import (
    ABOARD,
    BOARD,
    CARD,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    CLOCK,
    DRAW,
    END_PLAY,
    END_TURN,
    EXPLORER,
    LEAVE,
    NAME,
    NO_CARD,
    NOT_YET,
    OVER,
    PLACE,
    PLAY,
    PUT,
    QUAKE_SKIP_TO_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SAVED,
    SPACE,
    SPEND,
    STEP,
    STOP,
    TAKE,
    TILE,
    TURN,
    State,
    explorers_on_island,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import kind_in_bag, points_in_front

GROUNDS = ("jungle", "lake")
ENDINGS = ("", "no_explorer", "no_way_out", "clock", "empty_bag")


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """Everything that an action brought about, in order."""
    events: list[Event] = []
    if before.phase == CHOOSE:
        events.append(Event("reject", {"seat": before.to_move}))
    elif before.phase == PLACE:
        _tell_placing(before, action, after, events)
    elif before.phase in (PLAY, EXPLORER, REFILL):
        _tell_turn(before, action, outcomes, after, events)
    elif before.phase in (SPACE, TURN):
        _tell_laying(before, action, after, events)
    elif before.phase == LEAVE:
        details = _at(before, {"colour": COLOUR_NAMES[action]})
        events.append(Event(f"leave.{COLOUR_NAMES[action]}", details))
        _tell_boarding(before, after, events)
    else:
        _tell_card(before, action, outcomes, after, events)
    if before.ending == NOT_YET and after.ending not in (NOT_YET, CLOCK):
        game = "expert." if after.expert else ""
        key = f"end_begins.{game}{ENDINGS[after.ending]}"
        events.append(Event(key, {"seat": before.to_move}))
    if after.phase == OVER:
        _tell_game_over(after, events)
    return events


def _at(s: State, details: dict[str, Any]) -> dict[str, Any]:
    """Details of something that the active explorer does where it stands."""
    place = s.explorer[s.to_move][s.active]
    return {"seat": s.to_move, "explorer": s.active + 1, "cell": cell_name(place), **details}


def _one_or_many(count: int) -> str:
    return "one" if count == 1 else "many"


def _none_one_or_many(count: int) -> str:
    return _one_or_many(count) if count else "none"


# ---- set-up -------------------------------------------------------------------------------------


def _tell_placing(before: State, cell: int, after: State, events: list[Event]) -> None:
    details = {"seat": before.to_move, "cell": cell_name(cell)}
    events.append(Event("place", details))
    if after.phase == PLAY:
        for seat in range(after.seats):
            tiles = [tile for tile in after.front[seat] if tile != NO_TILE]
            dealt = {
                "seat": seat,
                "count": len(tiles),
                "points": points_in_front(after, seat),
                "tiles": [TILE_NAMES[tile] for tile in tiles],
            }
            events.append(Event("deal", dealt))
        events.append(Event("begin", {"seat": after.to_move}))


# ---- the turn -----------------------------------------------------------------------------------


def _tell_turn(
    s: State, action: int, outcomes: tuple[int, ...], after: State, events: list[Event]
) -> None:
    seat = s.to_move
    if action == END_PLAY:
        _tell_end_of_play(s, outcomes, events)
    elif action == DRAW:
        _tell_draws(clone(s), outcomes, events)
    elif action == END_TURN:
        events.append(Event("end_turn", {"seat": seat}))
    elif action < SPEND:
        tile = TILE_NAMES[s.front[seat][action - TILE]]
        events.append(Event("pick", {"seat": seat, "tile": tile}))
    elif action < NAME:
        tile_kind = s.front[seat][action - SPEND]
        points = POINTS[tile_kind]
        details = {
            "seat": seat,
            "tile": TILE_NAMES[tile_kind],
            "points": points,
            "pool": after.pool,
        }
        events.append(Event(f"spend.{_one_or_many(points)}", details))
    elif action < STEP:
        explorer = action - NAME
        place = cell_name(s.explorer[seat][explorer])
        events.append(Event("name", {"seat": seat, "explorer": explorer + 1, "cell": place}))
    elif action >= CARD:
        name = CARD_NAMES[action - CARD]
        events.append(Event(f"card.{name}", {"seat": seat, "card": name}))
    else:
        _tell_act(s, action, after, events)


def _tell_act(s: State, action: int, after: State, events: list[Event]) -> None:
    start = s.explorer[s.to_move][s.active]
    if action < TAKE:
        cell = NEXT_CELL[action - STEP][start]
        ground = terrain_at(s, cell)
        details = _at(s, {"start": cell_name(start), "cost": COST[ground], "pool": after.pool})
        details["cell"] = cell_name(cell)
        events.append(Event(f"step.{GROUNDS[ground]}", details))
    elif action < PUT:
        name = COLOUR_NAMES[action - TAKE]
        events.append(Event(f"take.{name}", _at(s, {"colour": name})))
    elif action < BOARD:
        name = COLOUR_NAMES[action - PUT]
        events.append(Event(f"put.{name}", _at(s, {"colour": name})))
    else:
        _tell_boarding(s, after, events)


def _tell_boarding(s: State, after: State, events: list[Event]) -> None:
    seat = s.to_move
    if after.phase == LEAVE:
        if s.phase != LEAVE:
            events.append(Event("too_much", _at(s, {})))
        return
    assert after.explorer[seat][s.active] == SAVED
    boat = next(number for number in range(BOATS) if s.boat[number] != after.boat[number])
    load = artefacts_at(after, ABOARD + boat)
    carried = artefacts_at(s, carrier(seat, s.active))
    by_choice = 1 if s.phase == LEAVE else 0
    if carried - load - by_choice > 0:
        left = carried - load - by_choice
        events.append(Event(f"left.{_one_or_many(left)}", _at(s, {"count": left})))
    details = _at(s, {"boat": boat + 1, "count": load, "empty": PLACES[boat] - load})
    events.append(Event(f"board.{_none_one_or_many(load)}", details))


def _tell_laying(s: State, action: int, after: State, events: list[Event]) -> None:
    space = s.chosen if s.phase == TURN else action
    details = {"seat": s.to_move, "tile": TILE_NAMES[s.held], "space": space_name(space)}
    events.append(Event("aim" if after.phase == TURN else "lay", details))


# ---- the end of the play and the draws ----------------------------------------------------------


def _tell_end_of_play(s: State, outcomes: tuple[int, ...], events: list[Event]) -> None:
    seat = s.to_move
    unused = [tile for tile in s.front[seat] if tile != NO_TILE]
    events.append(Event("end_play", {"seat": seat}))
    if unused:
        details = {"seat": seat, "count": len(unused), "tiles": [TILE_NAMES[t] for t in unused]}
        events.append(Event(f"unused.{_one_or_many(len(unused))}", details))
    world = clone(s)
    for tile in unused:
        if not world.expert:
            world.bag[tile] += 1
    _tell_draws(world, outcomes, events)


def _tell_draws(world: State, outcomes: tuple[int, ...], events: list[Event]) -> None:
    """Each tile drawn in a refill; the world goes along, so that lava is told where it flows."""
    seat = world.to_move
    quiet = world.quiet_first_round and world.turn_number < world.seats
    for outcome in outcomes:
        kind = kind_in_bag(world, outcome)
        world.bag[kind] -= 1
        if not is_lava(kind):
            _tell_terrain(seat, kind, events)
        elif quiet:
            details = {"seat": seat, "tile": TILE_NAMES[kind]}
            events.append(Event("lava.aside", details))
        else:
            _tell_lava(world, kind, events)


def _tell_terrain(seat: int, kind: int, events: list[Event]) -> None:
    details = {"seat": seat, "tile": TILE_NAMES[kind], "points": POINTS[kind]}
    events.append(Event(f"draw.{_one_or_many(POINTS[kind])}", details))


def _tell_lava(world: State, kind: int, events: list[Event]) -> None:
    seat = world.to_move
    flow = FLOW_OF[kind - FIRST_LAVA]
    name = DIRECTION_NAMES[FIRST_HEADING[world.layout][flow]]
    details: dict[str, Any] = {"seat": seat, "tile": TILE_NAMES[kind], "flow": name}
    end = next_end(world, kind)
    if end == NO_END:
        events.append(Event(f"lava.gone.{name}", details))
        erupt(world, kind)
        return
    space = landing(world, flow, end)
    before = end // 4 - 1
    first = FIRST_SPACE[world.layout][flow]
    nearest = first if before < 0 else NEXT_SPACE[end & 3][world.flow_space[flow][before]]
    details |= {"space": space_name(space), "heading": DIRECTION_NAMES[end & 3]}
    slid = "under." if space != nearest else ""
    events.append(Event(f"lava.{slid}{name}", details))
    _tell_burial(world, space, events)
    erupt(world, kind)


def _numbers_at(s: State, place: int) -> list[int]:
    """The artefacts at a place, counted from 1."""
    return [artefact + 1 for artefact in range(ARTEFACTS) if s.artefact[artefact] == place]


def _tell_burial(world: State, space: int, events: list[Event]) -> None:
    for seat in range(world.seats):
        for explorer in range(MOST_EXPLORERS):
            cell = world.explorer[seat][explorer]
            if cell >= 0 and cell // QUARTERS == space:
                carried = _numbers_at(world, carrier(seat, explorer))
                load = len(carried)
                details = {
                    "seat": seat,
                    "explorer": explorer + 1,
                    "cell": cell_name(cell),
                    "count": load,
                    "artefacts": carried,
                }
                events.append(Event(f"lost.{_none_one_or_many(load)}", details))
    lying = [
        artefact
        for artefact in range(ARTEFACTS)
        if world.artefact[artefact] >= 0 and world.artefact[artefact] // QUARTERS == space
    ]
    if lying:
        buried = {
            "space": space_name(space),
            "count": len(lying),
            "colours": [COLOUR_NAMES[COLOUR[a]] for a in lying],
            "artefacts": [artefact + 1 for artefact in lying],
        }
        events.append(Event(f"buried.{_one_or_many(len(lying))}", buried))


# ---- cards --------------------------------------------------------------------------------------


def _tell_card(
    s: State, action: int, outcomes: tuple[int, ...], after: State, events: list[Event]
) -> None:
    seat = s.to_move
    if s.phase == CARD_EXPLORER:
        place = cell_name(s.explorer[seat][action])
        details: dict[str, Any] = {"seat": seat, "explorer": action + 1, "cell": place}
        if s.card == HELICOPTER:
            details["count"] = artefacts_at(s, carrier(seat, action))
            events.append(Event(f"lift.{_none_one_or_many(details['count'])}", details))
        else:
            events.append(Event("name", details))
    elif s.phase == CARD_CELL:
        details = _at(s, {"start": cell_name(s.explorer[seat][s.active])})
        events.append(Event("card_move", details | {"cell": cell_name(action)}))
    elif s.phase == QUAKE_TURN:
        details = {"seat": seat, "space": space_name(s.chosen), "turns": action}
        events.append(Event(f"quake.turn.{int(action)}", details))
    elif s.phase == QUAKE_SPACE and action != QUAKE_SKIP_TO_DRAW:
        events.append(Event("quake.aim", {"seat": seat, "space": space_name(action)}))
    elif s.phase != QUAKE_SPACE and action == STOP:
        events.append(Event("quake.stop", {"seat": seat}))
    else:
        _tell_quake_draw(s, outcomes[0], after, events)


def _tell_quake_draw(s: State, outcome: int, after: State, events: list[Event]) -> None:
    world = clone(s)
    kind = kind_in_bag(world, outcome)
    world.bag[kind] -= 1
    if is_lava(kind):
        _tell_lava(world, kind, events)
    else:
        key = "quake.draw" if after.phase == SPACE else "quake.no_room"
        events.append(Event(key, {"seat": s.to_move, "tile": TILE_NAMES[kind]}))


# ---- the end ------------------------------------------------------------------------------------


def _tell_game_over(after: State, events: list[Event]) -> None:
    """MK-G1, MK-G2: the scores, who won, and by what when points are equal."""
    events.append(Event(f"game_over.{ENDINGS[after.ending]}"))
    seats = range(after.seats)
    for seat in seats:
        cards = [CARD_NAMES[card] for card in after.hand[seat][:DEALT] if card != NO_CARD]
        points = objective_points(after, seat)
        details = {"seat": seat, "points": score(after, seat), "objectives": points, "cards": cards}
        events.append(Event("score.expert" if after.expert else "score.base", details))
    winners = [seat for seat in seats if rank(after, seat) == 0]
    for seat in winners:
        points = score(after, seat)
        level_with = [o for o in seats if o not in winners and score(after, o) == points]
        details = {"seat": seat, "points": points}
        if len(winners) > 1:
            events.append(Event("win.shared", details))
        elif level_with:
            events.append(Event(f"win.{_tie_break(after, seat, level_with)}", details))
        else:
            events.append(Event("win.alone", details))


def _tie_break(s: State, winner: int, others: list[int]) -> str:
    mine = explorers_on_island(s, winner)
    if all(explorers_on_island(s, other) < mine for other in others):
        return "by_explorers"
    assert artefacts_carried(s, winner) > 0
    return "by_artefacts"
