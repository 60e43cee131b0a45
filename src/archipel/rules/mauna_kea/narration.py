"""Questions to players, and events derived from the positions before and after an action.

Spaces and cells are named as in notation; explorers are numbered from 1. Only cards that are played
openly are named, so a narration made from two views tells what a seat may know.
"""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Event
from archipel.rules.kit import clone
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.components import CardKind, Tile
from archipel.rules.mauna_kea.end import artefacts_carried, objective_points, rank, score
from archipel.rules.mauna_kea.lava import NO_END, erupt, is_lava, landing, next_end
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    Action,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    QuakeAction,
    State,
    explorers_each,
    explorers_on_island,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import kind_in_bag, points_in_front
from archipel.rules.mauna_kea.turn import must_draw

GROUNDS = ("jungle", "lake")
ENDINGS = ("", "no_explorer", "no_way_out", "clock", "empty_bag")


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """The events of an action, in order."""
    events: list[Event] = []
    match before.phase:
        case Phase.CHOOSE:
            events.append(Event("reject", {"seat": before.to_move}))
        case Phase.PLACE:
            _tell_placing(before, action, after, events)
        case Phase.PLAY | Phase.EXPLORER | Phase.REFILL:
            _tell_turn(before, action, outcomes, after, events)
        case Phase.SPACE | Phase.TURN:
            _tell_laying(before, action, after, events)
        case Phase.LEAVE:
            colour = box.COLOUR_NAMES[action]
            events.append(Event(f"leave.{colour}", _at(before, {"colour": colour})))
            _tell_boarding(before, after, events)
        case _:
            _tell_card(before, action, outcomes, after, events)
    if before.ending == Ending.NOT_YET and after.ending not in (Ending.NOT_YET, Ending.CLOCK):
        game = "expert." if after.expert else ""
        key = f"end_begins.{game}{ENDINGS[after.ending]}"
        events.append(Event(key, {"seat": before.to_move}))
    if after.phase == Phase.OVER:
        _tell_game_over(after, events)
    return events


def _at(s: State, details: dict[str, Any]) -> dict[str, Any]:
    """Details of an action of the active explorer on its cell."""
    place = s.explorer[s.to_move][s.active]
    return {"seat": s.to_move, "explorer": s.active + 1, "cell": grid.cell_name(place), **details}


def _one_or_many(count: int) -> str:
    return "one" if count == 1 else "many"


def _none_one_or_many(count: int) -> str:
    return _one_or_many(count) if count else "none"


# ---- set-up -------------------------------------------------------------------------------------


def _tell_placing(before: State, cell: int, after: State, events: list[Event]) -> None:
    details = {"seat": before.to_move, "cell": grid.cell_name(cell)}
    events.append(Event("place", details))
    if after.phase == Phase.PLAY:
        for seat in range(after.seats):
            tiles = [tile for tile in after.front[seat] if tile != Tile.NONE]
            dealt = {
                "seat": seat,
                "count": len(tiles),
                "points": points_in_front(after, seat),
                "tiles": [box.TILE_NAMES[tile] for tile in tiles],
            }
            events.append(Event("deal", dealt))
        events.append(Event("begin", {"seat": after.to_move}))


# ---- the turn -----------------------------------------------------------------------------------


def _tell_turn(
    s: State, action: int, outcomes: tuple[int, ...], after: State, events: list[Event]
) -> None:
    seat = s.to_move
    if action == Action.END_PLAY:
        _tell_end_of_play(s, outcomes, events)
    elif action == Action.DRAW:
        _tell_draws(clone(s), outcomes, events)
    elif action == Action.END_TURN:
        events.append(Event("end_turn", {"seat": seat}))
    elif action < Action.SPEND:
        tile = box.TILE_NAMES[s.front[seat][action - Action.TILE]]
        events.append(Event("pick", {"seat": seat, "tile": tile}))
    elif action < Action.NAME:
        tile_kind = s.front[seat][action - Action.SPEND]
        points = box.POINTS[tile_kind]
        details = {
            "seat": seat,
            "tile": box.TILE_NAMES[tile_kind],
            "points": points,
            "pool": after.pool,
        }
        events.append(Event(f"spend.{_one_or_many(points)}", details))
    elif action < Action.STEP:
        explorer = action - Action.NAME
        place = grid.cell_name(s.explorer[seat][explorer])
        events.append(Event("name", {"seat": seat, "explorer": explorer + 1, "cell": place}))
    elif action >= Action.CARD:
        name = box.CARD_NAMES[action - Action.CARD]
        events.append(Event(f"card.{name}", {"seat": seat, "card": name}))
    else:
        _tell_act(s, action, after, events)


def _tell_act(s: State, action: int, after: State, events: list[Event]) -> None:
    start = s.explorer[s.to_move][s.active]
    if action < Action.TAKE:
        cell = grid.NEXT_CELL[action - Action.STEP][start]
        ground = terrain_at(s, cell)
        details = _at(
            s, {"start": grid.cell_name(start), "cost": box.COST[ground], "pool": after.pool}
        )
        details["cell"] = grid.cell_name(cell)
        events.append(Event(f"step.{GROUNDS[ground]}", details))
    elif action < Action.PUT:
        name = box.COLOUR_NAMES[action - Action.TAKE]
        events.append(Event(f"take.{name}", _at(s, {"colour": name})))
    elif action < Action.BOARD:
        name = box.COLOUR_NAMES[action - Action.PUT]
        events.append(Event(f"put.{name}", _at(s, {"colour": name})))
    else:
        _tell_boarding(s, after, events)


def _tell_boarding(s: State, after: State, events: list[Event]) -> None:
    seat = s.to_move
    if after.phase == Phase.LEAVE:
        if s.phase != Phase.LEAVE:
            events.append(Event("too_much", _at(s, {})))
        return
    assert after.explorer[seat][s.active] == ExplorerPlace.SAVED
    boat = next(number for number in range(box.BOATS) if s.boat[number] != after.boat[number])
    load = artefacts_at(after, ArtefactPlace.ABOARD + boat)
    carried = artefacts_at(s, carrier(seat, s.active))
    by_choice = 1 if s.phase == Phase.LEAVE else 0
    if carried - load - by_choice > 0:
        left = carried - load - by_choice
        events.append(Event(f"left.{_one_or_many(left)}", _at(s, {"count": left})))
    details = _at(s, {"boat": boat + 1, "count": load, "empty": box.PLACES[boat] - load})
    events.append(Event(f"board.{_none_one_or_many(load)}", details))


def _tell_laying(s: State, action: int, after: State, events: list[Event]) -> None:
    space = s.chosen if s.phase == Phase.TURN else action
    details = {"seat": s.to_move, "tile": box.TILE_NAMES[s.held], "space": grid.space_name(space)}
    events.append(Event("aim" if after.phase == Phase.TURN else "lay", details))


# ---- the end of the play and the draws ----------------------------------------------------------


def _tell_end_of_play(s: State, outcomes: tuple[int, ...], events: list[Event]) -> None:
    seat = s.to_move
    unused = [tile for tile in s.front[seat] if tile != Tile.NONE]
    events.append(Event("end_play", {"seat": seat}))
    if unused:
        details = {"seat": seat, "count": len(unused), "tiles": [box.TILE_NAMES[t] for t in unused]}
        events.append(Event(f"unused.{_one_or_many(len(unused))}", details))
    world = clone(s)
    for tile in unused:
        if not world.expert:
            world.bag[tile] += 1
    _tell_draws(world, outcomes, events)


def _tell_draws(world: State, outcomes: tuple[int, ...], events: list[Event]) -> None:
    """The tiles drawn in a refill; the world is updated to tell where lava flows."""
    seat = world.to_move
    quiet = world.quiet_first_round and world.turn_number < world.seats
    for outcome in outcomes:
        kind = kind_in_bag(world, outcome)
        world.bag[kind] -= 1
        if not is_lava(kind):
            _tell_terrain(seat, kind, events)
        elif quiet:
            details = {"seat": seat, "tile": box.TILE_NAMES[kind]}
            events.append(Event("lava.aside", details))
        else:
            _tell_lava(world, kind, events)


def _tell_terrain(seat: int, kind: int, events: list[Event]) -> None:
    details = {"seat": seat, "tile": box.TILE_NAMES[kind], "points": box.POINTS[kind]}
    events.append(Event(f"draw.{_one_or_many(box.POINTS[kind])}", details))


def _tell_lava(world: State, kind: int, events: list[Event]) -> None:
    seat = world.to_move
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    name = grid.DIRECTION_NAMES[box.FIRST_HEADING[world.layout][flow]]
    details: dict[str, Any] = {"seat": seat, "tile": box.TILE_NAMES[kind], "flow": name}
    end = next_end(world, kind)
    if end == NO_END:
        events.append(Event(f"lava.gone.{name}", details))
        erupt(world, kind)
        return
    space = landing(world, flow, end)
    before = end // 4 - 1
    first = box.FIRST_SPACE[world.layout][flow]
    nearest = first if before < 0 else grid.NEXT_SPACE[end & 3][world.flow_space[flow][before]]
    details |= {"space": grid.space_name(space), "heading": grid.DIRECTION_NAMES[end & 3]}
    slid = "under." if space != nearest else ""
    events.append(Event(f"lava.{slid}{name}", details))
    _tell_burial(world, space, events)
    erupt(world, kind)


def _numbers_at(s: State, place: int) -> list[int]:
    """The numbers of the artefacts at a place, from 1."""
    return [artefact + 1 for artefact in range(box.ARTEFACTS) if s.artefact[artefact] == place]


def _tell_burial(world: State, space: int, events: list[Event]) -> None:
    for seat in range(world.seats):
        for explorer in range(box.MOST_EXPLORERS):
            cell = world.explorer[seat][explorer]
            if cell >= 0 and cell // grid.QUARTERS == space:
                carried = _numbers_at(world, carrier(seat, explorer))
                load = len(carried)
                details = {
                    "seat": seat,
                    "explorer": explorer + 1,
                    "cell": grid.cell_name(cell),
                    "count": load,
                    "artefacts": carried,
                }
                events.append(Event(f"lost.{_none_one_or_many(load)}", details))
    lying = [
        artefact
        for artefact in range(box.ARTEFACTS)
        if world.artefact[artefact] >= 0 and world.artefact[artefact] // grid.QUARTERS == space
    ]
    if lying:
        buried = {
            "space": grid.space_name(space),
            "count": len(lying),
            "colours": [box.COLOUR_NAMES[box.COLOUR[a]] for a in lying],
            "artefacts": [artefact + 1 for artefact in lying],
        }
        events.append(Event(f"buried.{_one_or_many(len(lying))}", buried))


# ---- cards --------------------------------------------------------------------------------------


def _tell_card(
    s: State, action: int, outcomes: tuple[int, ...], after: State, events: list[Event]
) -> None:
    seat = s.to_move
    if s.phase == Phase.CARD_EXPLORER:
        place = grid.cell_name(s.explorer[seat][action])
        details: dict[str, Any] = {"seat": seat, "explorer": action + 1, "cell": place}
        if s.card == CardKind.HELICOPTER:
            details["count"] = artefacts_at(s, carrier(seat, action))
            events.append(Event(f"lift.{_none_one_or_many(details['count'])}", details))
        else:
            events.append(Event("name", details))
    elif s.phase == Phase.CARD_CELL:
        details = _at(s, {"start": grid.cell_name(s.explorer[seat][s.active])})
        events.append(Event("card_move", details | {"cell": grid.cell_name(action)}))
    elif s.phase == Phase.QUAKE_TURN:
        details = {"seat": seat, "space": grid.space_name(s.chosen), "turns": action}
        events.append(Event(f"quake.turn.{int(action)}", details))
    elif s.phase == Phase.QUAKE_SPACE and action != QuakeAction.SKIP_TO_DRAW:
        events.append(Event("quake.aim", {"seat": seat, "space": grid.space_name(action)}))
    elif s.phase != Phase.QUAKE_SPACE and action == QuakeAction.STOP:
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
        key = "quake.draw" if after.phase == Phase.SPACE else "quake.no_room"
        events.append(Event(key, {"seat": s.to_move, "tile": box.TILE_NAMES[kind]}))


# ---- the end ------------------------------------------------------------------------------------


def _tell_game_over(after: State, events: list[Event]) -> None:
    """MK-G1, MK-G2: the scores, the winners, and what broke a tie."""
    events.append(Event(f"game_over.{ENDINGS[after.ending]}"))
    seats = range(after.seats)
    for seat in seats:
        cards = [box.CARD_NAMES[card] for card in after.hand[seat][: box.DEALT] if card != NO_CARD]
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


# ---- the question -------------------------------------------------------------------------------


def question(s: State) -> Event:
    """The question to the seat to move."""
    seat = s.to_move
    about: dict[str, Any] = {"seat": seat}
    match s.phase:
        case Phase.OVER:
            return Event("ask.over")
        case Phase.CHOOSE:
            held = sum(card != NO_CARD for card in s.hand[seat][: box.DEALT])
            return Event(f"ask.choose.{_one_or_many(held - box.KEPT)}", about)
        case Phase.PLACE:
            left = explorers_each(s) - explorers_on_island(s, seat)
            return Event(f"ask.place.{_one_or_many(left)}", about | {"count": left})
        case Phase.PLAY:
            return _ask_play(s, seat)
        case Phase.REFILL:
            key = "ask.refill.draw" if must_draw(s) else "ask.refill.done"
            return Event(key, about | {"points": points_in_front(s, seat)})
        case Phase.EXPLORER:
            return Event("ask.explorer", _at(s, {"pool": s.pool}))
        case Phase.LEAVE:
            return Event("ask.leave", _at(s, {"pool": s.pool}))
        case Phase.CARD_CELL:
            return Event("ask.card_cell", _at(s, {"pool": s.pool}))
        case Phase.CARD_EXPLORER:
            return Event(f"ask.card_explorer.{box.CARD_NAMES[s.card]}", about)
        case Phase.SPACE:
            return Event("ask.space.quake" if s.card != NO_CARD else "ask.space", about)
        case Phase.QUAKE_SPACE:
            return Event("ask.quake_space", about)
        case Phase.QUAKE_DRAW:
            return Event("ask.quake_draw", about)
        case _:
            key = "ask.quake_turn" if s.phase == Phase.QUAKE_TURN else "ask.turn"
            return Event(key, about | {"space": grid.space_name(s.chosen)})


def _ask_play(s: State, seat: int) -> Event:
    tiles = sum(tile != Tile.NONE for tile in s.front[seat])
    details = {"seat": seat, "tiles": tiles, "points": points_in_front(s, seat), "pool": s.pool}
    when = "" if s.ending == Ending.NOT_YET else ".last"
    if tiles == 0 and s.pool == 0:
        return Event(f"ask.play.done{when}", details)
    return Event(f"ask.play{'.pool' if s.pool else '.tiles'}{when}", details)
