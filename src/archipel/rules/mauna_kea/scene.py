"""The scene of a position (see `archipel.rules.scene`).

Cells: the 81 spaces ``a1`` to ``i9``; the four cells (``d5nw`` ...) of every space with terrain;
the coves (``cove-n1`` ...); per seat ``front1`` (tiles, and explorers not yet placed), ``saved1``
(boats and helicopters) and ``cards1``; ``bag`` (tiles to draw); and ``gone`` (out of the game).

A choice has its ``cost`` and, where a tile is laid or turned, its resulting ``terrain`` letters.
The gauges give the phase, the points in the pool, the bag and the end; ``reach`` lists where the
active explorer can walk with the pool. ``warning`` is the key of a sentence, for a choice that
would risk all explorers at once.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import carrier
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.end import score
from archipel.rules.mauna_kea.lava import SOURCE, end_at, is_lava, landing
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.notation import action_text
from archipel.rules.mauna_kea.picture import round_number
from archipel.rules.mauna_kea.position_checks import ENDINGS, PHASES
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    OWNED,
    Action,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    QuakeAction,
    State,
    explorers_each,
    explorers_on_island,
    is_occupied,
    seat_to_move,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import points_in_front, tiles_in_bag
from archipel.rules.mauna_kea.turn import legal
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene

GROUND_KINDS: Final = ("jungle", "lake", "mountain")
_ROOM: Final = 400

_ISLANDS: Final = BoundedCache[tuple[Cell, ...]](1_024)
_SPACES: Final = BoundedCache[Cell](16_384)
_SCORES: Final = BoundedCache[tuple[int, ...]](1_024)
_REACHES: Final = BoundedCache[tuple[str, ...]](1_024)


def scene(s: State, seat: int) -> Scene:
    """The scene of a seat's view, with the legal actions if the seat is to move."""
    return _for_seat(s, seat, Scene(_cells(s), _pieces(s), _gauges(s), ()))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, reusing the scene of another view of the same position."""
    if s.hand != other.hand or s.rejected != other.rejected:
        known = Scene(known.cells, _pieces(s), _gauges(s), ())
    return _for_seat(s, seat, known)


def _for_seat(s: State, seat: int, known: Scene) -> Scene:
    deciding = seat_to_move(s) == seat and seat >= 0
    choices = _choices(s) if deciding else ()
    return Scene(known.cells, known.pieces, known.gauges, choices)


# ---- cells --------------------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    flows = tuple(map(tuple, s.flow_space))
    island = (tuple(s.tile), tuple(s.turn), flows, s.layout, s.seats)
    return _ISLANDS.get_or_make(island, lambda: _all_cells(s))


def _all_cells(s: State) -> tuple[Cell, ...]:
    cells = [_space(s, space) for space in range(grid.SPACES)]
    for space in range(grid.SPACES):
        if box.pattern_of(s.tile[space], s.turn[space]):
            numbers = range(space * grid.QUARTERS, (space + 1) * grid.QUARTERS)
            cells += [_ground(c, terrain_at(s, c)) for c in numbers]
    return (*cells, *_cells_beside_island(s.layout, s.seats))


@cache
def _ground(cell: int, terrain: int) -> Cell:
    return Cell(grid.cell_name(cell), GROUND_KINDS[terrain])


@cache
def _cells_beside_island(layout: int, seats: int) -> tuple[Cell, ...]:
    cells = [
        Cell(f"cove-{name}", "cove", {"cells": tuple(grid.cell_name(c) for c in touched)})
        for name, touched in zip(box.COVE_NAMES[layout], box.COVE_CELLS[layout], strict=True)
    ]
    for seat in range(seats):
        cells += [Cell(f"{kind}{seat + 1}", kind) for kind in ("front", "saved", "cards")]
    return (*cells, Cell("bag", "bag"), Cell("gone", "gone"))


def _space(s: State, space: int) -> Cell:
    tile = s.tile[space]
    number = s.flow_space[box.FLOW_OF[tile - Tile.FIRST_LAVA]].index(space) if is_lava(tile) else 0
    things = (space, tile, s.turn[space], number, s.layout)
    return _SPACES.get_or_make(things, lambda: _make_space(s, space))


def _make_space(s: State, space: int) -> Cell:
    tile, name = s.tile[space], grid.space_name(space)
    if tile == Tile.EMPTY:
        return Cell(name, "empty")
    if tile == Tile.VOLCANO:
        return Cell(name, "volcano")
    if is_lava(tile):
        return Cell(name, "lava", _lava(s, space))
    terrain = box.pattern_of(tile, s.turn[space])
    if tile == Tile.PRINTED:
        return Cell(name, "printed", {"terrain": terrain})
    start = tile >= Tile.FIRST_LAVA + box.LAVA_KINDS
    return Cell(
        name, "start" if start else "tile", {"terrain": terrain, "tile": box.TILE_NAMES[tile]}
    )


def _lava(s: State, space: int) -> dict[str, Property]:
    lava = s.tile[space] - Tile.FIRST_LAVA
    flow, heading = box.FLOW_OF[lava], s.turn[space]
    exits = [
        grid.DIRECTION_NAMES[(heading + out) % 4] for out in box.EXITS[lava] if out != box.NO_EXIT
    ]
    number = s.flow_space[flow].index(space)
    return {
        "flow": grid.DIRECTION_NAMES[box.FIRST_HEADING[s.layout][flow]],
        "arrow": BOX.boards[s.layout].flows[flow].arrow,
        "tile": box.TILE_NAMES[s.tile[space]],
        "heading": grid.DIRECTION_NAMES[heading],
        "exits": tuple(exits),
        "dot": exits[0] if len(exits) > 1 else None,
        "number": number + 1,
    }


# ---- pieces -------------------------------------------------------------------------------------


def _pieces(s: State) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    loads = _loads(s)
    for seat in range(s.seats):
        pieces += [_explorer(s, seat, number, loads) for number in range(explorers_each(s))]
        pieces += [
            _front(seat, place, tile)
            for place, tile in enumerate(s.front[seat])
            if tile != Tile.NONE
        ]
        pieces += _cards(s, seat)
    pieces += [_artefact(s, artefact) for artefact in range(box.ARTEFACTS)]
    pieces += [_boat(s, boat) for boat in range(box.BOATS)]
    if s.held != Tile.NONE:
        pieces.append(Piece("held", "tile", f"front{s.to_move + 1}", s.to_move, _tile(s.held)))
    kinds = [kind for kind in range(box.BAG_KINDS) if s.bag[kind]]
    inside: dict[str, Property] = {
        "tiles": tuple(box.TILE_NAMES[kind] for kind in kinds),
        "counts": tuple(s.bag[kind] for kind in kinds),
    }
    pieces.append(Piece("bag-inside", "bag", "bag", None, inside))
    return tuple(pieces)


@cache
def _front(seat: int, place: int, tile: int) -> Piece:
    return Piece(_front_id(seat, place), "tile", f"front{seat + 1}", seat, _tile(tile))


def _front_id(seat: int, place: int) -> str:
    return f"tile-{seat + 1}-{place + 1}"


def _tile(tile: int) -> dict[str, Property]:
    return {
        "tile": box.TILE_NAMES[tile],
        "terrain": box.pattern_of(tile, 0),
        "points": box.POINTS[tile],
    }


def _explorer_id(seat: int, number: int) -> str:
    return f"explorer-{seat + 1}-{number + 1}"


def _loads(s: State) -> dict[int, tuple[int, ...]]:
    """The artefacts carried, by the place number of their explorer."""
    loads: dict[int, tuple[int, ...]] = {}
    for artefact, place in enumerate(s.artefact):
        if ArtefactPlace.CARRIED <= place < ArtefactPlace.ABOARD:
            loads[place] = (*loads.get(place, ()), artefact)
    return loads


def _explorer(s: State, seat: int, number: int, loads: dict[int, tuple[int, ...]]) -> Piece:
    carried = loads.get(carrier(seat, number), ())
    active = seat == s.to_move and number == s.active
    return _explorer_at(seat, number, s.explorer[seat][number], carried, active)


@lru_cache(maxsize=8192)
def _explorer_at(
    seat: int, number: int, place: int, carried: tuple[int, ...], active: bool
) -> Piece:
    properties: dict[str, Property] = {
        "number": number + 1,
        "load": tuple(box.COLOUR_NAMES[box.COLOUR[artefact]] for artefact in carried),
        "active": active,
        "lifted": place == ExplorerPlace.LIFTED,
    }
    off = {ExplorerPlace.UNPLACED: f"front{seat + 1}", ExplorerPlace.LOST: "gone"}.get(
        place, f"saved{seat + 1}"
    )
    cell = grid.cell_name(place) if place >= 0 else off
    return Piece(_explorer_id(seat, number), "explorer", cell, seat, properties)


def _artefact_id(artefact: int) -> str:
    return f"artefact-{artefact + 1}"


def _artefact(s: State, artefact: int) -> Piece:
    place = s.artefact[artefact]
    holder = 0
    if ArtefactPlace.CARRIED <= place < ArtefactPlace.ABOARD:
        seat, number = divmod(place - ArtefactPlace.CARRIED, box.MOST_EXPLORERS)
        holder = s.explorer[seat][number]
    elif ArtefactPlace.ABOARD <= place < ArtefactPlace.ON_CARD:
        holder = s.boat[place - ArtefactPlace.ABOARD]
    return _artefact_at(artefact, place, holder)


@lru_cache(maxsize=8192)
def _artefact_at(artefact: int, place: int, holder: int) -> Piece:
    """``holder`` is the cell of the explorer that carries it, or the place of its boat."""
    properties: dict[str, Property] = {"colour": box.COLOUR_NAMES[box.COLOUR[artefact]]}
    seat: int | None = None
    if place == ArtefactPlace.GONE:
        cell = "gone"
    elif place < ArtefactPlace.CARRIED:
        cell = grid.cell_name(place)
    elif place < ArtefactPlace.ABOARD:
        seat, number = divmod(place - ArtefactPlace.CARRIED, box.MOST_EXPLORERS)
        cell = grid.cell_name(holder)
        properties["carried_by"] = _explorer_id(seat, number)
    elif place < ArtefactPlace.ON_CARD:
        seat = holder - OWNED
        cell = f"saved{seat + 1}"
        properties["boat"] = f"boat-{place - ArtefactPlace.ABOARD + 1}"
    else:
        seat = place - ArtefactPlace.ON_CARD
        cell = f"saved{seat + 1}"
    return Piece(_artefact_id(artefact), "artefact", cell, seat, properties)


def _boat(s: State, boat: int) -> Piece:
    return _boat_at(boat, s.boat[boat], s.layout)


@cache
def _boat_at(boat: int, place: int, layout: int) -> Piece:
    properties: dict[str, Property] = {"colour": BOX.boats[boat].colour, "places": box.PLACES[boat]}
    if place < OWNED:
        cove = f"cove-{box.COVE_NAMES[layout][place]}"
        return Piece(f"boat-{boat + 1}", "boat", cove, None, properties)
    seat = place - OWNED
    return Piece(f"boat-{boat + 1}", "boat", f"saved{seat + 1}", seat, properties)


def _cards(s: State, seat: int) -> list[Piece]:
    """MK-V1: others' cards are face down until the end; rejected cards are seen only by their seat,
    and by nobody at the end (MK-X1)."""
    pieces = []
    for kind, cards in (("card", s.hand[seat]), ("rejected", s.rejected[seat])):
        for place, card in enumerate(cards):
            if card == NO_CARD or (kind == "rejected" and (card < 0 or s.phase == Phase.OVER)):
                continue
            pieces.append(_card(kind, seat, place, card, s.phase == Phase.OVER))
    return pieces


@lru_cache(maxsize=4096)
def _card(kind: str, seat: int, place: int, card: int, over: bool) -> Piece:
    properties: dict[str, Property] = {"card": box.CARD_NAMES[card] if card >= 0 else None}
    if card >= 0 and box.OBJECTIVE_POINTS[card] > 0:
        properties["points"] = box.OBJECTIVE_POINTS[card]
    if card >= 0 and not over:
        properties["secret"] = True
    return Piece(f"{kind}-{seat + 1}-{place + 1}", kind, f"cards{seat + 1}", seat, properties)


def _gauges(s: State) -> dict[str, Property]:
    return {
        "phase": _PHASE_KEYS[s.phase],
        "turn": s.to_move + 1,
        "round": round_number(s),
        "pool": s.pool,
        "bag": tiles_in_bag(s),
        "lava_in_bag": sum(s.bag[Tile.FIRST_LAVA :]),
        "draw_until": box.DRAW_UNTIL,
        "points": _points(s),
        "in_front": tuple(points_in_front(s, seat) for seat in range(s.seats)),
        "ending": next(name for name, number in ENDINGS.items() if number == s.ending),
        "closer": None if s.closer == NOBODY else s.closer + 1,
        "card": None if s.card == NO_CARD else box.CARD_NAMES[s.card],
        "played": tuple(
            box.CARD_NAMES[card] for card, count in enumerate(s.played) for _ in range(count)
        ),
        "expert": bool(s.expert),
        "chosen": None if s.active == NOBODY else _explorer_id(s.to_move, s.active),
        "onto": None if s.chosen == grid.NOWHERE else grid.space_name(s.chosen),
        "reach": _reach(s),
    }


_PHASE_KEYS: Final = {number: f"phase.{name}" for name, number in PHASES.items()}


def _points(s: State) -> tuple[int, ...]:
    hands = tuple(map(tuple, s.hand))
    things = (s.seats, s.expert, tuple(s.artefact), tuple(s.boat), hands)
    if s.expert:  # objectives depend on more than this key
        return tuple(score(s, seat) for seat in range(s.seats))
    return _SCORES.get_or_make(things, lambda: tuple(score(s, seat) for seat in range(s.seats)))


def _reach(s: State) -> tuple[str, ...]:
    """Where the active explorer can walk with the pool, beyond one step, and the boats it can
    board.

    Each entry is the cost of the cheapest way, its actions, and the cells on the way, with the boat
    at its end.
    """
    if s.active == NOBODY or s.phase not in (Phase.PLAY, Phase.EXPLORER, Phase.REFILL):
        return ()
    start = s.explorer[s.to_move][s.active]
    if start < 0:
        return ()
    explorers = tuple(map(tuple, s.explorer))
    ground = (tuple(s.tile), tuple(s.turn), s.layout, tuple(s.boat))
    return _REACHES.get_or_make(
        (start, s.pool, s.seats, explorers, ground), lambda: _ways(s, start)
    )


def _ways(s: State, start: int) -> tuple[str, ...]:
    best: Ways = {start: (0, (), ())}
    for cost in range(s.pool):
        for cell in [cell for cell, way in best.items() if way[0] == cost]:
            _go_on(s, cell, best)
    return tuple(
        f"{spent} {','.join(map(str, steps))} {','.join(passed)}"
        for spent, steps, passed in (*best.values(), *_onto_boats(s, best))
        if len(steps) > 1
    )


# By cell: the cost of walking there, the actions, and the names of the cells on the way.
Way = tuple[int, tuple[int, ...], tuple[str, ...]]
Ways = dict[int, Way]


def _onto_boats(s: State, best: Ways) -> list[Way]:
    """The cheapest way to each boat."""
    found: dict[int, Way] = {}
    for cell, (spent, steps, passed) in sorted(best.items(), key=lambda item: item[1][0]):
        boat = boat_at(s, cell)
        if boat not in found and boat != NO_BOAT and spent + box.BOARDING_COST <= s.pool:
            found[boat] = (
                spent + box.BOARDING_COST,
                (*steps, Action.BOARD),
                (*passed, f"boat-{boat + 1}"),
            )
    return list(found.values())


def _go_on(s: State, cell: int, best: Ways) -> None:
    """Add each step from a cell that the pool allows and that is a cheaper way."""
    spent, steps, passed = best[cell]
    for direction in range(grid.DIRECTIONS):
        onto = grid.NEXT_CELL[direction][cell]
        cost = 0 if onto == grid.NOWHERE or is_occupied(s, onto) else box.COST[terrain_at(s, onto)]
        least = best[onto][0] if onto in best else s.pool + 1
        if cost > 0 and spent + cost < least:
            best[onto] = (
                spent + cost,
                (*steps, Action.STEP + direction),
                (*passed, grid.cell_name(onto)),
            )


# ---- choices ------------------------------------------------------------------------------------


def _choices(s: State) -> tuple[Choice, ...]:
    actions = [0] * _ROOM
    return tuple(_choice(s, action) for action in actions[: legal(s, actions)])


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if s.phase in _CHOICES:
        key, details, targets, final = _CHOICES[s.phase](s, action)
    elif Action.STEP <= action < Action.CARD:
        key, details, targets, final = _explorer_choice(s, action)
    else:
        key, details, targets, final = _turn_choice(s, action)
    return Choice(action, text, f"action.{key}", details, targets, final)


Parts = tuple[str, dict[str, Any], tuple[str, ...], bool]


def _turn_choice(s: State, action: int) -> Parts:
    seat = s.to_move
    if action == Action.END_PLAY:
        refills = not s.expert and s.ending == Ending.NOT_YET
        unused = sum(tile != Tile.NONE for tile in s.front[seat])
        return "end_play", {"unused": unused}, (), refills
    if action in (Action.DRAW, Action.END_TURN):
        return ("draw" if action == Action.DRAW else "end_turn"), {}, (), True
    if action >= Action.CARD:
        card = action - Action.CARD
        place = s.hand[seat].index(card)
        return f"card.{box.CARD_NAMES[card]}", {}, (f"card-{seat + 1}-{place + 1}",), True
    if action >= Action.NAME:
        number = action - Action.NAME
        details = {"number": number + 1, "cell": grid.cell_name(s.explorer[seat][number])}
        return "explorer", details, (_explorer_id(seat, number),), False
    spending = action >= Action.SPEND
    place = action - (Action.SPEND if spending else Action.TILE)
    tile = s.front[seat][place]
    details = {"number": place + 1, "tile": box.TILE_NAMES[tile], "points": box.POINTS[tile]}
    return ("spend" if spending else "tile"), details, (_front_id(seat, place),), False


def _explorer_choice(s: State, action: int) -> Parts:
    seat, place = s.to_move, s.explorer[s.to_move][s.active]
    if action < Action.TAKE:
        cell = grid.NEXT_CELL[action - Action.STEP][place]
        details = {"cell": grid.cell_name(cell), "cost": box.COST[terrain_at(s, cell)]}
        return grid.DIRECTION_NAMES[action - Action.STEP], details, (grid.cell_name(cell),), False
    if action == Action.BOARD:
        boat = boat_at(s, place)
        details = {"cost": box.BOARDING_COST, "places": box.PLACES[boat]}
        return "board", details, (f"boat-{boat + 1}",), False
    taking = action < Action.PUT
    colour = action - (Action.TAKE if taking else Action.PUT)
    where = place if taking else carrier(seat, s.active)
    name = box.COLOUR_NAMES[colour]
    return f"{'take' if taking else 'put'}.{name}", {}, (_artefact_of(s, colour, where),), False


def _artefact_of(s: State, colour: int, place: int) -> str:
    return next(
        _artefact_id(artefact)
        for artefact in range(box.ARTEFACTS)
        if box.COLOUR[artefact] == colour and s.artefact[artefact] == place
    )


def _reject_choice(s: State, action: int) -> Parts:
    card = box.CARD_NAMES[s.hand[s.to_move][action]]
    return "reject", {"card": card}, (f"card-{s.to_move + 1}-{action + 1}",), False


def _place_choice(s: State, action: int) -> Parts:
    placed = sum(explorers_on_island(s, seat) for seat in range(s.seats))
    final = placed + 1 == s.seats * explorers_each(s)
    details: dict[str, object] = {"cell": grid.cell_name(action)}
    if _risks_all_explorers(s, action // grid.QUARTERS):
        details["warning"] = "warn.start_tile"
    return "place", details, (grid.cell_name(action),), final


def _risks_all_explorers(s: State, space: int) -> bool:
    """MK-L3: whether all explorers placed so far, and one more, would be buried together."""
    flows = range(len(box.FIRST_HEADING[s.layout]))
    first = [landing(s, flow, end_at(SOURCE, box.FIRST_HEADING[s.layout][flow])) for flow in flows]
    placed = [
        cell // grid.QUARTERS
        for cell in s.explorer[s.to_move]
        if 0 <= cell < grid.SPACES * grid.QUARTERS
    ]
    return space in first and bool(placed) and set(placed) == {space}


def _space_choice(s: State, action: int) -> Parts:
    return "space", {"space": grid.space_name(action)}, (grid.space_name(action),), False


def _turning_choice(s: State, action: int) -> Parts:
    quaking = s.phase == Phase.QUAKE_TURN
    tile = s.tile[s.chosen] if quaking else s.held
    turn = (s.turn[s.chosen] + action) % 4 if quaking else action
    details = {
        "turns": action,
        "terrain": box.pattern_of(tile, turn),
        "space": grid.space_name(s.chosen),
    }
    return ("quake_turn" if quaking else "turn"), details, (grid.space_name(s.chosen),), False


def _leave_choice(s: State, action: int) -> Parts:
    artefact = _artefact_of(s, action, carrier(s.to_move, s.active))
    return f"leave.{box.COLOUR_NAMES[action]}", {}, (artefact,), False


def _card_explorer_choice(s: State, action: int) -> Parts:
    details = {"number": action + 1, "cell": grid.cell_name(s.explorer[s.to_move][action])}
    return "explorer", details, (_explorer_id(s.to_move, action),), False


def _card_cell_choice(s: State, action: int) -> Parts:
    return (
        "card_cell",
        {"cell": grid.cell_name(action), "cost": 0},
        (grid.cell_name(action),),
        False,
    )


def _quake_space_choice(s: State, action: int) -> Parts:
    if action == QuakeAction.SKIP_TO_DRAW:
        return "quake_skip", {}, (), True
    return "quake_space", {"space": grid.space_name(action)}, (grid.space_name(action),), False


def _quake_draw_choice(s: State, action: int) -> Parts:
    drawing = action == QuakeAction.DRAW
    return ("quake_draw" if drawing else "quake_stop"), {}, (), drawing


_CHOICES = {
    Phase.CHOOSE: _reject_choice,
    Phase.PLACE: _place_choice,
    Phase.SPACE: _space_choice,
    Phase.LEAVE: _leave_choice,
    Phase.CARD_EXPLORER: _card_explorer_choice,
    Phase.CARD_CELL: _card_cell_choice,
    Phase.QUAKE_SPACE: _quake_space_choice,
    Phase.QUAKE_DRAW: _quake_draw_choice,
    Phase.QUAKE_TURN: _turning_choice,
    Phase.TURN: _turning_choice,
}
