"""Questions to players, and events derived from the positions before and after an action.

Spaces and cells are named as in notation; explorers are numbered from 1. Only cards that are played
openly are named, so a narration made from two views contains only what a seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from archipel.rules.contract import Event
from archipel.rules.kit import clone
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import artefacts_at, artefacts_with, carrier
from archipel.rules.mauna_kea.components import CardKind, Tile
from archipel.rules.mauna_kea.end import objective_points, rank, score
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
            events += _placing(before, action, after)
        case Phase.PLAY | Phase.EXPLORER | Phase.REFILL:
            events += _turn(before, action, outcomes, after)
        case Phase.SPACE | Phase.TURN:
            space = grid.space_name(before.chosen if before.phase == Phase.TURN else action)
            details = {"seat": before.to_move, "tile": box.TILE_NAMES[before.held], "space": space}
            events.append(Event("aim" if after.phase == Phase.TURN else "lay", details))
        case Phase.LEAVE:
            colour = box.COLOUR_NAMES[action]
            events += [Event(f"leave.{colour}", _at(before, colour=colour))]
            events += _boarding(before, after)
        case _:
            events += _card(before, action, outcomes, after)
    if before.ending == Ending.NOT_YET and after.ending not in (Ending.NOT_YET, Ending.CLOCK):
        game = "expert." if after.expert else ""
        key = f"end_begins.{game}{ENDINGS[after.ending]}"
        events.append(Event(key, {"seat": before.to_move}))
    if after.phase == Phase.OVER:
        events += _game_over(after)
    return events


def _at(s: State, **details: object) -> dict[str, Any]:
    """Details of an action of the active explorer on its cell."""
    cell = grid.cell_name(s.explorer[s.to_move][s.active])
    return {"seat": s.to_move, "explorer": s.active + 1, "cell": cell, **details}


def _one_or_many(count: int) -> str:
    return "one" if count == 1 else "many"


def _none_one_or_many(count: int) -> str:
    return _one_or_many(count) if count else "none"


def _placing(before: State, cell: int, after: State) -> Iterator[Event]:
    yield Event("place", {"seat": before.to_move, "cell": grid.cell_name(cell)})
    if after.phase == Phase.PLAY:
        for seat in range(after.seats):
            tiles = [box.TILE_NAMES[tile] for tile in after.front[seat] if tile != Tile.NONE]
            dealt = {"count": len(tiles), "points": points_in_front(after, seat), "tiles": tiles}
            yield Event("deal", {"seat": seat, **dealt})
        yield Event("begin", {"seat": after.to_move})


def _turn(s: State, action: int, outcomes: tuple[int, ...], after: State) -> Iterator[Event]:
    seat = s.to_move
    if action == Action.END_PLAY:
        yield from _end_of_play(s, outcomes)
    elif action == Action.DRAW:
        yield from _draws(clone(s), outcomes)
    elif action == Action.END_TURN:
        yield Event("end_turn", {"seat": seat})
    elif action < Action.SPEND:
        tile = s.front[seat][action - Action.TILE]
        yield Event("pick", {"seat": seat, "tile": box.TILE_NAMES[tile]})
    elif action < Action.NAME:
        tile = s.front[seat][action - Action.SPEND]
        name, points = box.TILE_NAMES[tile], box.POINTS[tile]
        details = {"seat": seat, "tile": name, "points": points, "pool": after.pool}
        yield Event(f"spend.{_one_or_many(points)}", details)
    elif action < Action.STEP:
        explorer = action - Action.NAME
        place = grid.cell_name(s.explorer[seat][explorer])
        yield Event("name", {"seat": seat, "explorer": explorer + 1, "cell": place})
    elif action >= Action.CARD:
        card = box.CARD_NAMES[action - Action.CARD]
        yield Event(f"card.{card}", {"seat": seat, "card": card})
    elif action < Action.TAKE:
        start = s.explorer[seat][s.active]
        cell = grid.NEXT_CELL[action - Action.STEP][start]
        ground = terrain_at(s, cell)
        step = _at(s, start=grid.cell_name(start), cost=box.COST[ground], pool=after.pool)
        yield Event(f"step.{GROUNDS[ground]}", step | {"cell": grid.cell_name(cell)})
    elif action < Action.PUT:
        colour = box.COLOUR_NAMES[action - Action.TAKE]
        yield Event(f"take.{colour}", _at(s, colour=colour))
    elif action < Action.BOARD:
        colour = box.COLOUR_NAMES[action - Action.PUT]
        yield Event(f"put.{colour}", _at(s, colour=colour))
    else:
        yield from _boarding(s, after)


def _boarding(s: State, after: State) -> Iterator[Event]:
    if after.phase == Phase.LEAVE:
        if s.phase != Phase.LEAVE:
            yield Event("too_much", _at(s))
        return
    assert after.explorer[s.to_move][s.active] == ExplorerPlace.SAVED
    boat = next(number for number in range(box.BOATS) if s.boat[number] != after.boat[number])
    load = artefacts_at(after, ArtefactPlace.ABOARD + boat)
    by_choice = 1 if s.phase == Phase.LEAVE else 0
    left = artefacts_at(s, carrier(s.to_move, s.active)) - load - by_choice
    if left > 0:
        yield Event(f"left.{_one_or_many(left)}", _at(s, count=left))
    details = _at(s, boat=boat + 1, count=load, empty=box.PLACES[boat] - load)
    yield Event(f"board.{_none_one_or_many(load)}", details)


def _end_of_play(s: State, outcomes: tuple[int, ...]) -> Iterator[Event]:
    unused = [tile for tile in s.front[s.to_move] if tile != Tile.NONE]
    yield Event("end_play", {"seat": s.to_move})
    if unused:
        names = [box.TILE_NAMES[tile] for tile in unused]
        details = {"seat": s.to_move, "count": len(unused), "tiles": names}
        yield Event(f"unused.{_one_or_many(len(unused))}", details)
    world = clone(s)
    for tile in unused:
        if not world.expert:
            world.bag[tile] += 1
    yield from _draws(world, outcomes)


def _draws(world: State, outcomes: tuple[int, ...]) -> Iterator[Event]:
    """The tiles drawn in a refill. The world is updated, because lava flows on from lava."""
    quiet = world.quiet_first_round and world.turn_number < world.seats
    for outcome in outcomes:
        kind = kind_in_bag(world, outcome)
        world.bag[kind] -= 1
        details = {"seat": world.to_move, "tile": box.TILE_NAMES[kind]}
        if not is_lava(kind):
            points = box.POINTS[kind]
            yield Event(f"draw.{_one_or_many(points)}", details | {"points": points})
        elif quiet:
            yield Event("lava.aside", details)
        else:
            yield from _lava(world, kind)


def _lava(world: State, kind: int) -> Iterator[Event]:
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    name = grid.DIRECTION_NAMES[box.FIRST_HEADING[world.layout][flow]]
    details: dict[str, Any] = {"seat": world.to_move, "tile": box.TILE_NAMES[kind], "flow": name}
    end = next_end(world, kind)
    if end == NO_END:
        yield Event(f"lava.gone.{name}", details)
    else:
        space, before = landing(world, flow, end), end // 4 - 1
        nearest = box.FIRST_SPACE[world.layout][flow]
        if before >= 0:
            nearest = grid.NEXT_SPACE[end & 3][world.flow_space[flow][before]]
        details |= {"space": grid.space_name(space), "heading": grid.DIRECTION_NAMES[end & 3]}
        yield Event(f"lava.{'under.' if space != nearest else ''}{name}", details)
        yield from _burial(world, space)
    erupt(world, kind)


def _burial(world: State, space: int) -> Iterator[Event]:
    for seat in range(world.seats):
        for explorer, cell in enumerate(world.explorer[seat]):
            if cell >= 0 and cell // grid.QUARTERS == space:
                carried = [n + 1 for n in artefacts_with(world, carrier(seat, explorer))]
                details = {"seat": seat, "explorer": explorer + 1, "cell": grid.cell_name(cell)}
                details |= {"count": len(carried), "artefacts": carried}
                yield Event(f"lost.{_none_one_or_many(len(carried))}", details)
    lying = [n for n, cell in enumerate(world.artefact) if cell // grid.QUARTERS == space]
    if lying:
        buried = {
            "space": grid.space_name(space),
            "count": len(lying),
            "colours": [box.COLOUR_NAMES[box.COLOUR[artefact]] for artefact in lying],
            "artefacts": [artefact + 1 for artefact in lying],
        }
        yield Event(f"buried.{_one_or_many(len(lying))}", buried)


def _card(s: State, action: int, outcomes: tuple[int, ...], after: State) -> Iterator[Event]:
    seat: dict[str, Any] = {"seat": s.to_move}
    match s.phase:
        case Phase.CARD_EXPLORER:
            place = grid.cell_name(s.explorer[s.to_move][action])
            details = seat | {"explorer": action + 1, "cell": place}
            if s.card == CardKind.HELICOPTER:
                load = artefacts_at(s, carrier(s.to_move, action))
                yield Event(f"lift.{_none_one_or_many(load)}", details | {"count": load})
            else:
                yield Event("name", details)
        case Phase.CARD_CELL:
            start = grid.cell_name(s.explorer[s.to_move][s.active])
            yield Event("card_move", _at(s, start=start) | {"cell": grid.cell_name(action)})
        case Phase.QUAKE_TURN:
            details = seat | {"space": grid.space_name(s.chosen), "turns": action}
            yield Event(f"quake.turn.{int(action)}", details)
        case Phase.QUAKE_SPACE if action != QuakeAction.SKIP_TO_DRAW:
            yield Event("quake.aim", seat | {"space": grid.space_name(action)})
        case Phase.QUAKE_DRAW if action == QuakeAction.STOP:
            yield Event("quake.stop", seat)
        case _:
            world = clone(s)
            kind = kind_in_bag(world, outcomes[0])
            world.bag[kind] -= 1
            if is_lava(kind):
                yield from _lava(world, kind)
            else:
                key = "quake.draw" if after.phase == Phase.SPACE else "quake.no_room"
                yield Event(key, seat | {"tile": box.TILE_NAMES[kind]})


def _game_over(after: State) -> Iterator[Event]:
    """MK-G1, MK-G2: the scores, the winners, and what broke a tie."""
    yield Event(f"game_over.{ENDINGS[after.ending]}")
    seats = range(after.seats)
    for seat in seats:
        cards = [box.CARD_NAMES[card] for card in after.hand[seat] if card != NO_CARD]
        objectives = objective_points(after, seat)
        points = {"seat": seat, "points": score(after, seat), "objectives": objectives}
        yield Event("score.expert" if after.expert else "score.base", points | {"cards": cards})
    winners = [seat for seat in seats if rank(after, seat) == 0]
    for seat in winners:
        points = {"seat": seat, "points": score(after, seat)}
        level = [o for o in seats if o not in winners and score(after, o) == score(after, seat)]
        if len(winners) > 1:
            yield Event("win.shared", points)
        elif not level:
            yield Event("win.alone", points)
        else:
            on_island = explorers_on_island(after, seat)
            first = all(explorers_on_island(after, other) < on_island for other in level)
            yield Event("win.by_explorers" if first else "win.by_artefacts", points)


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
            return Event("ask.explorer", _at(s, pool=s.pool))
        case Phase.LEAVE:
            return Event("ask.leave", _at(s, pool=s.pool))
        case Phase.CARD_CELL:
            return Event("ask.card_cell", _at(s, pool=s.pool))
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
