"""The scene of a position (see `archipel.rules.scene`).

Cells: the 81 spaces ``a1`` to ``i9``; the four cells (``d5nw`` ...) of every space with terrain;
the coves (``cove-n1`` ...); per seat ``front1`` (tiles, and explorers not yet placed), ``saved1``
(boats and helicopters) and ``cards1``; ``bag`` (tiles to draw); and ``gone`` (out of the game).

A choice has its ``cost`` and, where a tile is laid or turned, its resulting ``terrain`` letters.
The gauges give the phase, the points in the pool, the bag and the end. The paths are the cells
and boats that the active explorer can reach with the pool; ``cells`` are those on the way.
``warning`` is the key of a sentence, for a choice that would risk all explorers at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import artefacts_with, carrier
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.end import score
from archipel.rules.mauna_kea.lava import SOURCE, end_at, is_lava, landing
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.notation import (
    ENDINGS,
    PHASES,
    PLAY_WORDS,
    action_text,
    cards_played,
)
from archipel.rules.mauna_kea.picture import round_number
from archipel.rules.mauna_kea.state import (
    MOST_LEGAL,
    NO_CARD,
    NOBODY,
    OWNED,
    Action,
    ArtefactPlace,
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
from archipel.rules.mauna_kea.turn import legal, may_refill
from archipel.rules.position_fields import name_of
from archipel.rules.scene import MOST_PATHS, Cell, Choice, Path, Piece, Property, Scene

GROUND_KINDS: Final = ("jungle", "lake", "mountain")
_PHASE_KEYS: Final = {number: f"phase.{name}" for name, number in PHASES.items()}

_ISLANDS: Final = BoundedCache[tuple[Cell, ...]](1_024)
_SCORES: Final = BoundedCache[tuple[int, ...]](1_024)
_PLAY_TEXTS: Final = {action: text for text, action in PLAY_WORDS.items()}
_PATHS: Final = BoundedCache[tuple[Path, ...]](1_024)


def scene(s: State, seat: int) -> Scene:
    """The scene of a seat's view, with the legal actions if the seat is to move."""
    return Scene(_cells(s), _pieces(s), _gauges(s), _choices(s, seat), _paths(s, seat))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, reusing the scene of another view of the same position."""
    if s.hand != other.hand or s.rejected != other.rejected:
        known = Scene(known.cells, _pieces(s), _gauges(s), ())
    return Scene(known.cells, known.pieces, known.gauges, _choices(s, seat), _paths(s, seat))


# ---- cells --------------------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    flows = tuple(map(tuple, s.flow_space))
    island = (tuple(s.tile), tuple(s.turn), flows, s.layout, s.seats)
    return _ISLANDS.get_or_make(island, lambda: _make_cells(s))


def _make_cells(s: State) -> tuple[Cell, ...]:
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
    flow = s.flow_space[box.FLOW_OF[tile - Tile.FIRST_LAVA]] if is_lava(tile) else [space]
    return _space_with(space, tile, s.turn[space], flow.index(space) + 1, s.layout)


@lru_cache(maxsize=16_384)
def _space_with(space: int, tile: int, turn: int, number: int, layout: int) -> Cell:
    """A space with a tile; ``number`` is the place of a lava tile in its flow."""
    name, terrain = grid.space_name(space), box.pattern_of(tile, turn)
    if is_lava(tile):
        return Cell(name, "lava", _lava(tile - Tile.FIRST_LAVA, turn, number, layout))
    if tile == Tile.PRINTED:
        return Cell(name, "printed", {"terrain": terrain})
    if tile >= box.KINDS:
        return Cell(name, "volcano" if tile == Tile.VOLCANO else "empty")
    kind = "start" if tile >= Tile.FIRST_START else "tile"
    return Cell(name, kind, {"terrain": terrain, "tile": box.TILE_NAMES[tile]})


def _lava(lava: int, heading: int, number: int, layout: int) -> dict[str, Property]:
    flow, names = box.FLOW_OF[lava], grid.DIRECTION_NAMES
    exits = [names[(heading + out) % 4] for out in box.EXITS[lava] if out != box.NO_EXIT]
    return {
        "flow": names[box.FIRST_HEADING[layout][flow]],
        "arrow": BOX.boards[layout].flows[flow].arrow,
        "tile": box.TILE_NAMES[Tile.FIRST_LAVA + lava],
        "heading": names[heading],
        "exits": tuple(exits),
        "dot": exits[0] if len(exits) > 1 else None,
        "number": number,
    }


# ---- pieces -------------------------------------------------------------------------------------


def _pieces(s: State) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for seat in range(s.seats):
        for number, place in enumerate(s.explorer[seat][: explorers_each(s)]):
            carried = artefacts_with(s, carrier(seat, number))
            active = seat == s.to_move and number == s.active
            pieces.append(_explorer(seat, number, place, carried, active))
        tiles = [tile for tile in s.front[seat] if tile != Tile.NONE]
        pieces += [_front(seat, place, tile) for place, tile in enumerate(tiles)]
        pieces += _cards(s, seat)
    pieces += [_artefact(n, place, _holder(s, place)) for n, place in enumerate(s.artefact)]
    pieces += [_boat(boat, place, s.layout) for boat, place in enumerate(s.boat)]
    if s.held != Tile.NONE:
        pieces.append(Piece("held", "tile", f"front{s.to_move + 1}", s.to_move, _tile(s.held)))
    kinds = [kind for kind in range(box.BAG_KINDS) if s.bag[kind]]
    inside: dict[str, Property] = {
        "tiles": tuple(box.TILE_NAMES[kind] for kind in kinds),
        "counts": tuple(s.bag[kind] for kind in kinds),
    }
    return (*pieces, Piece("bag-inside", "bag", "bag", None, inside))


@cache
def _front(seat: int, place: int, tile: int) -> Piece:
    return Piece(_front_id(seat, place), "tile", f"front{seat + 1}", seat, _tile(tile))


def _front_id(seat: int, place: int) -> str:
    return f"tile-{seat + 1}-{place + 1}"


def _tile(tile: int) -> dict[str, Property]:
    terrain, points = box.pattern_of(tile, 0), box.POINTS[tile]
    return {"tile": box.TILE_NAMES[tile], "terrain": terrain, "points": points}


def _explorer_id(seat: int, number: int) -> str:
    return f"explorer-{seat + 1}-{number + 1}"


@lru_cache(maxsize=8192)
def _explorer(seat: int, number: int, place: int, carried: tuple[int, ...], active: bool) -> Piece:
    properties: dict[str, Property] = {
        "number": number + 1,
        "load": tuple(box.COLOUR_NAMES[box.COLOUR[artefact]] for artefact in carried),
        "active": active,
        "lifted": place == ExplorerPlace.LIFTED,
    }
    elsewhere = {ExplorerPlace.UNPLACED: f"front{seat + 1}", ExplorerPlace.LOST: "gone"}
    cell = grid.cell_name(place) if place >= 0 else elsewhere.get(place, f"saved{seat + 1}")
    return Piece(_explorer_id(seat, number), "explorer", cell, seat, properties)


def _holder(s: State, place: int) -> int:
    """The cell of the explorer that carries an artefact, or the place of its boat."""
    if ArtefactPlace.CARRIED <= place < ArtefactPlace.ABOARD:
        seat, number = divmod(place - ArtefactPlace.CARRIED, box.MOST_EXPLORERS)
        return s.explorer[seat][number]
    aboard = ArtefactPlace.ABOARD <= place < ArtefactPlace.ON_CARD
    return s.boat[place - ArtefactPlace.ABOARD] if aboard else 0


@lru_cache(maxsize=8192)
def _artefact(artefact: int, place: int, holder: int) -> Piece:
    properties: dict[str, Property] = {"colour": box.COLOUR_NAMES[box.COLOUR[artefact]]}
    seat: int | None = None
    if place < ArtefactPlace.CARRIED:
        cell = "gone" if place == ArtefactPlace.GONE else grid.cell_name(place)
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
    return Piece(f"artefact-{artefact + 1}", "artefact", cell, seat, properties)


@cache
def _boat(boat: int, place: int, layout: int) -> Piece:
    properties: dict[str, Property] = {"colour": BOX.boats[boat].colour, "places": box.PLACES[boat]}
    seat = place - OWNED if place >= OWNED else None
    cell = f"cove-{box.COVE_NAMES[layout][place]}" if seat is None else f"saved{seat + 1}"
    return Piece(f"boat-{boat + 1}", "boat", cell, seat, properties)


def _cards(s: State, seat: int) -> list[Piece]:
    """MK-V1: others' cards are face down until the end; rejected cards are seen only by their seat,
    and by nobody at the end (MK-X1)."""
    over = s.phase == Phase.OVER
    held = [("card", n, card) for n, card in enumerate(s.hand[seat]) if card != NO_CARD]
    if not over:
        held += [("rejected", n, card) for n, card in enumerate(s.rejected[seat]) if card >= 0]
    return [_card(kind, seat, place, card, over) for kind, place, card in held]


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
        "ending": name_of(ENDINGS, s.ending),
        "closer": None if s.closer == NOBODY else s.closer + 1,
        "card": None if s.card == NO_CARD else box.CARD_NAMES[s.card],
        "played": cards_played(s),
        "expert": bool(s.expert),
        "chosen": None if s.active == NOBODY else _explorer_id(s.to_move, s.active),
        "onto": None if s.chosen == grid.NOWHERE else grid.space_name(s.chosen),
    }


def _points(s: State) -> tuple[int, ...]:
    def points() -> tuple[int, ...]:
        return tuple(score(s, seat) for seat in range(s.seats))

    if s.expert:  # objectives depend on more than artefacts and boats
        return points()
    return _SCORES.get_or_make((s.seats, tuple(s.artefact), tuple(s.boat)), points)


# The cost of walking to a cell, the actions, and the names of the cells on the way.
Way = tuple[int, tuple[int, ...], tuple[str, ...]]


def _paths(s: State, seat: int) -> tuple[Path, ...]:
    """Where the active explorer can walk with the pool, beyond one step, by the cheapest way; and
    the boats it can board."""
    if seat < 0 or seat_to_move(s) != seat or s.active == NOBODY:
        return ()
    if s.phase not in (Phase.PLAY, Phase.EXPLORER, Phase.REFILL):
        return ()
    start = s.explorer[s.to_move][s.active]
    if start < 0:
        return ()
    ground = (tuple(s.tile), tuple(s.turn), s.layout, tuple(s.boat))
    key = (start, s.pool, s.seats, tuple(map(tuple, s.explorer)), ground)
    return _PATHS.get_or_make(key, lambda: _find_paths(s, start))


def _find_paths(s: State, start: int) -> tuple[Path, ...]:
    best: dict[int, Way] = {start: (0, (), ())}
    for cost in range(s.pool):
        for cell in [cell for cell, way in best.items() if way[0] == cost]:
            _add_steps(s, cell, best)
    walks = [_path(way, "walk") for way in best.values() if len(way[1]) > 1]
    boats = [
        _path(way, "board", places=box.PLACES[boat])
        for boat, way in _ways_to_boats(s, best).items()
        if len(way[1]) > 1
    ]
    return (*boats, *walks)[:MOST_PATHS]


def _path(way: Way, word: str, **more: int) -> Path:
    cost, actions, passed = way
    text = ", ".join(_PLAY_TEXTS[action] for action in actions)
    details = {"cell": passed[-1], "cells": passed, "cost": cost, **more}
    return Path(actions[0], text, f"action.{word}", details, passed[-1:], then=actions[1:])


def _add_steps(s: State, cell: int, best: dict[int, Way]) -> None:
    """Add each step from a cell that the pool allows and that is a cheaper way."""
    spent, steps, passed = best[cell]
    for direction in range(grid.DIRECTIONS):
        onto = grid.NEXT_CELL[direction][cell]
        cost = 0 if onto == grid.NOWHERE or is_occupied(s, onto) else box.COST[terrain_at(s, onto)]
        least = best[onto][0] if onto in best else s.pool + 1
        if cost > 0 and spent + cost < least:
            names = (*passed, grid.cell_name(onto))
            best[onto] = (spent + cost, (*steps, Action.STEP + direction), names)


def _ways_to_boats(s: State, best: dict[int, Way]) -> dict[int, Way]:
    """The cheapest way to each boat."""
    found: dict[int, Way] = {}
    for cell, (spent, steps, passed) in sorted(best.items(), key=lambda item: item[1][0]):
        boat, cost = boat_at(s, cell), spent + box.BOARDING_COST
        if boat not in found and boat != NO_BOAT and cost <= s.pool:
            found[boat] = (cost, (*steps, Action.BOARD), (*passed, f"boat-{boat + 1}"))
    return found


# ---- choices ------------------------------------------------------------------------------------


def _choices(s: State, seat: int) -> tuple[Choice, ...]:
    if seat < 0 or seat_to_move(s) != seat:
        return ()
    actions = [0] * MOST_LEGAL
    return tuple(_choice(s, action) for action in actions[: legal(s, actions)])


def _choice(s: State, action: int) -> Choice:
    def choice(key: str, *targets: str, final: bool = False, **details: object) -> Choice:
        return Choice(action, action_text(s, action), f"action.{key}", details, targets, final)

    match s.phase:
        case Phase.CHOOSE:
            card = box.CARD_NAMES[s.hand[s.to_move][action]]
            return choice("reject", f"card-{s.to_move + 1}-{action + 1}", card=card)
        case Phase.PLACE:
            cell = grid.cell_name(action)
            placed = sum(explorers_on_island(s, seat) for seat in range(s.seats))
            risky = _risks_all_explorers(s, action // grid.QUARTERS)
            warning = {"warning": "warn.start_tile"} if risky else {}
            final = placed + 1 == s.seats * explorers_each(s)
            return choice("place", cell, final=final, cell=cell, **warning)
        case Phase.LEAVE:
            artefact = _artefact_of(s, action, carrier(s.to_move, s.active))
            return choice(f"leave.{box.COLOUR_NAMES[action]}", artefact)
        case Phase.SPACE:
            return choice("space", grid.space_name(action), space=grid.space_name(action))
        case Phase.TURN:
            terrain, space = box.pattern_of(s.held, action), grid.space_name(s.chosen)
            return choice("turn", space, turns=action, terrain=terrain, space=space)
        case Phase.QUAKE_TURN:
            turn, space = (s.turn[s.chosen] + action) % 4, grid.space_name(s.chosen)
            terrain = box.pattern_of(s.tile[s.chosen], turn)
            return choice("quake_turn", space, turns=action, terrain=terrain, space=space)
        case Phase.QUAKE_SPACE if action == QuakeAction.SKIP_TO_DRAW:
            return choice("quake_skip", final=True)
        case Phase.QUAKE_SPACE:
            return choice("quake_space", grid.space_name(action), space=grid.space_name(action))
        case Phase.QUAKE_DRAW:
            drawing = action == QuakeAction.DRAW
            return choice("quake_draw" if drawing else "quake_stop", final=drawing)
        case Phase.CARD_EXPLORER:
            return _explorer_choice(s, action, choice)
        case Phase.CARD_CELL:
            cell = grid.cell_name(action)
            return choice("card_cell", cell, cell=cell, cost=0)
        case _:
            return _turn_choice(s, action, choice)


def _explorer_choice(s: State, number: int, choice: Callable[..., Choice]) -> Choice:
    cell = grid.cell_name(s.explorer[s.to_move][number])
    return choice("explorer", _explorer_id(s.to_move, number), number=number + 1, cell=cell)


def _turn_choice(s: State, action: int, choice: Callable[..., Choice]) -> Choice:
    seat = s.to_move
    if action == Action.END_PLAY:
        unused = sum(tile != Tile.NONE for tile in s.front[seat])
        return choice("end_play", final=not s.expert and may_refill(s), unused=unused)
    if action in (Action.DRAW, Action.END_TURN):
        return choice("draw" if action == Action.DRAW else "end_turn", final=True)
    if action >= Action.CARD:
        card = action - Action.CARD
        held = f"card-{seat + 1}-{s.hand[seat].index(card) + 1}"
        return choice(f"card.{box.CARD_NAMES[card]}", held, final=True)
    if action < Action.NAME:
        place = (action - Action.TILE) % box.MOST_TILES
        name, points = box.TILE_NAMES[s.front[seat][place]], box.POINTS[s.front[seat][place]]
        key, target = "spend" if action >= Action.SPEND else "tile", _front_id(seat, place)
        return choice(key, target, number=place + 1, tile=name, points=points)
    if action < Action.STEP:
        return _explorer_choice(s, action - Action.NAME, choice)
    start = s.explorer[seat][s.active]
    if action < Action.TAKE:
        cell = grid.NEXT_CELL[action - Action.STEP][start]
        name, cost = grid.cell_name(cell), box.COST[terrain_at(s, cell)]
        return choice(grid.DIRECTION_NAMES[action - Action.STEP], name, cell=name, cost=cost)
    if action < Action.PUT:
        colour = action - Action.TAKE
        return choice(f"take.{box.COLOUR_NAMES[colour]}", _artefact_of(s, colour, start))
    if action < Action.BOARD:
        colour = action - Action.PUT
        artefact = _artefact_of(s, colour, carrier(seat, s.active))
        return choice(f"put.{box.COLOUR_NAMES[colour]}", artefact)
    boat = boat_at(s, start)
    cost, places = box.BOARDING_COST, box.PLACES[boat]
    return choice("board", f"boat-{boat + 1}", cost=cost, places=places)


def _artefact_of(s: State, colour: int, place: int) -> str:
    """The id of the first artefact of a colour at a place."""
    artefact = next(n for n in artefacts_with(s, place) if box.COLOUR[n] == colour)
    return f"artefact-{artefact + 1}"


def _risks_all_explorers(s: State, space: int) -> bool:
    """MK-L3: whether all explorers placed so far, and one more, would be buried together."""
    headings = enumerate(box.FIRST_HEADING[s.layout])
    first = [landing(s, flow, end_at(SOURCE, heading)) for flow, heading in headings]
    placed = [cell // grid.QUARTERS for cell in s.explorer[s.to_move] if cell >= 0]
    return space in first and bool(placed) and set(placed) == {space}
