"""Scenes: the position as things to draw and to tap (see `archipel.rules.scene`).

Cells: every space of the board by its name, the safe islands, and per seat ``hand1``, ``lost1``...
`archipel.rules.hex_sea.scene` describes their properties and those of the pieces.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK
from archipel.rules.hex_sea.places import LOST, WAITING
from archipel.rules.hex_sea.scene import SeaScene
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene, gauges_for_others
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SHORE_OF, SPACES, TILE_OF, TILE_SPACES
from archipel.rules.the_island.creatures import finds_prey, harm
from archipel.rules.the_island.end import score
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.knowledge import is_in_hand
from archipel.rules.the_island.names import COLOUR_NAMES, NAMES
from archipel.rules.the_island.narration import EVENTS
from archipel.rules.the_island.notation import action_text
from archipel.rules.the_island.position import ENDINGS, PHASES
from archipel.rules.the_island.refusals import refusal
from archipel.rules.the_island.sea import any_tile_left
from archipel.rules.the_island.setup import explorers_waiting, values_left
from archipel.rules.the_island.sinking import terrain_due
from archipel.rules.the_island.state import UNKNOWN, Action, Phase, State, colours_in_play, owner
from archipel.rules.the_island.turn import act, apply, legal_actions

SEA_SCENE: Final = SeaScene(
    EVENTS, "safe_island", PHASES, ENDINGS, legal_actions, act, apply, finds_prey, harm, refusal
)

_OWNERS: Final = BoundedCache[tuple[int, ...]](8)
_COUNTS: Final = BoundedCache[dict[str, Property]](1_024)

_LAKES: Final = tuple(
    space
    for space in range(SPACES)
    if TILE_OF[space] < 0 and all(TILE_OF[near] >= 0 for near in BOARD.neighbours[space])
)


def scene(s: State, seat: int) -> Scene:
    """The scene of a seat's view, with the legal actions if the seat is to move."""
    return _for_seat(s, seat, Scene(_cells(s), _pieces(s), _gauges(s), ()))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, made from the known scene of another view of the same position."""
    gauges = gauges_for_others(known.gauges)
    if gauges["private"]:
        gauges = {**gauges, "values": (), "private": False}
    pieces = known.pieces
    if s.value != other.value:
        pieces = _pieces(s)
    elif s.back != other.back:
        tiles = _tiles(s)
        pieces = (*pieces[: len(pieces) - len(tiles)], *tiles)
    return _for_seat(s, seat, Scene(known.cells, pieces, gauges, ()))


def _for_seat(s: State, seat: int, known: Scene) -> Scene:
    """Add what only the seat sees: its tray, and its choices if it is to move."""
    if values := _values_in_tray(s, seat):
        # IS-S5, IS-I4: only the owner sees which value is placed on which tile.
        gauges = {**known.gauges, "values": values, "private": True}
        known = Scene(known.cells, known.pieces, gauges, ())
    if s.phase == Phase.OVER or s.to_move != seat or not _is_view_of(s, seat):
        return known
    own = [explorer for explorer, whose in enumerate(_owners(s)) if whose == seat]
    return SEA_SCENE.for_seat_to_move(s, known, own, _choice)


def _is_view_of(s: State, seat: int) -> bool:
    """Whether this can be the seat's own view: others see neither its hand nor its values."""
    if any(holder == seat and back == UNKNOWN for holder, back in zip(s.holder, s.back)):
        return False
    if s.all_equal or s.phase >= Phase.PLACE_BOAT:
        return True
    placed = [e for e in range(box.EXPLORERS) if s.place[e] != WAITING and owner(s, e) == seat]
    return not any(s.value[explorer] == UNKNOWN for explorer in placed)


# ---- cells and pieces ---------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    return SEA_SCENE.cells(s, tuple(s.terrain), lambda: _all_cells(s))


def _all_cells(s: State) -> tuple[Cell, ...]:
    spaces = [_space(s, space) for space in range(SPACES)]
    hands, lost = (SEA_SCENE.of_each_seat(s, kind) for kind in ("hand", "lost"))
    return (*spaces, *SEA_SCENE.shores(), *hands, *lost)


def _space(s: State, space: int) -> Cell:
    properties: dict[str, Property] = {
        "exit": None if SHORE_OF[space] < 0 else NAMES.island(SHORE_OF[space]),
        "lake": space in _LAKES,
    }
    kind = "sea" if is_sea(s, space) else box.TERRAINS[s.terrain[TILE_OF[space]]]
    return SEA_SCENE.space(space, kind, properties)


def _pieces(s: State) -> tuple[Piece, ...]:
    known = (tuple(s.value), s.all_equal, s.phase == Phase.OVER, _wet(s))
    explorers = SEA_SCENE.people(s, known, lambda: _explorers(s))
    return (*SEA_SCENE.afloat(s), *explorers, *_tiles(s))


def _tiles(s: State) -> list[Piece]:
    over = s.phase == Phase.OVER
    return [
        _tile_in_hand(tile, s.terrain[tile], holder, s.back[tile], over)
        for tile, holder in enumerate(s.holder)
        if is_in_hand(s, tile)
    ]


def _wet(s: State) -> int:
    """The explorers who may not go into or out of the water again in this turn."""
    return s.wet_moved if s.strict_swimming else 0


def _explorers(s: State) -> tuple[Piece, ...]:
    # IS-V3: explorers without values show no number.
    values = [None] * box.EXPLORERS if s.all_equal else s.value
    # IS-I4: until the game is over, only the owner sees a value.
    shown = [
        (value, value not in (None, UNKNOWN) and s.phase != Phase.OVER, _wet(s) >> explorer & 1)
        for explorer, value in enumerate(values)
    ]
    return SEA_SCENE.everybody(s, _owners(s), shown, lambda e: _about(e, *shown[e]))


def _owners(s: State) -> tuple[int, ...]:
    return _OWNERS.get_or_make(s.seats, lambda: tuple(owner(s, e) for e in range(box.EXPLORERS)))


def _about(explorer: int, value: int | None, secret: bool, wet: int) -> dict[str, Property]:
    colour = COLOUR_NAMES[explorer * len(COLOUR_NAMES) // box.EXPLORERS]
    about: dict[str, Property] = {"colour": colour, "secret": secret}
    if value is not None:
        about["value"] = None if value == UNKNOWN else value
    if wet:
        about["wet"] = True
    return about


@lru_cache(maxsize=4096)
def _tile_in_hand(tile: int, terrain: int, holder: int, back: int, over: bool) -> Piece:
    properties: dict[str, Property] = {
        "terrain": box.TERRAINS[terrain],
        "from": NAMES.space(TILE_SPACES[tile]),
        "symbol": None if back == UNKNOWN else box.SYMBOLS[back],
        # IS-I2: only the holder sees it, until the game is over.
        "secret": back != UNKNOWN and not over,
    }
    return Piece(_tile_id(tile), "tile", f"hand{holder + 1}", holder, properties)


def _tile_id(tile: int) -> str:
    return f"tile-{NAMES.space(TILE_SPACES[tile])}"


# ---- gauges -------------------------------------------------------------------------------------


def _gauges(s: State) -> dict[str, Property]:
    seats = range(s.seats)
    due = s.phase != Phase.OVER and any_tile_left(s)
    return {
        **SEA_SCENE.gauges(s, box.MOVEMENT_POINTS, box.TERRAINS[terrain_due(s)] if due else None),
        "die": None if s.die == UNKNOWN else box.CREATURE_KINDS[s.die],
        "playing": None if s.playing == UNKNOWN else box.SYMBOLS[s.playing],
        "tiles_left": tuple(s.land_left),
        "waiting": tuple(explorers_waiting(s, other) for other in seats),
        **_COUNTS.get_or_make((tuple(s.place), s.seats), lambda: _counts(s)),
        "scores": tuple(score(s, other) for other in seats) if s.phase == Phase.OVER else (),
        "values": (),
        "private": False,
    }


def _counts(s: State) -> dict[str, Property]:
    saved, lost = [0] * s.seats, [0] * s.seats
    for explorer, seat in enumerate(_owners(s)):
        saved[seat] += is_saved(s, explorer)
        lost[seat] += s.place[explorer] == LOST
    return {"saved": tuple(saved), "lost": tuple(lost)}


def _values_in_tray(s: State, seat: int) -> tuple[int, ...]:
    """The values of the seat's explorers that are not placed yet (IS-S5)."""
    if seat < 0 or s.all_equal or s.phase >= Phase.PLACE_BOAT or not _is_view_of(s, seat):
        return ()
    values = []
    for colour in range(seat, colours_in_play(s), s.seats):
        counts = values_left(s, colour)
        for value in range(1, box.HIGHEST_VALUE + 1):
            values += [value] * (counts >> COUNT_BITS * value & COUNT_MASK)
    return tuple(values)


# ---- choices ------------------------------------------------------------------------------------


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if action == Action.STOP or action == Action.YES:
        return Choice(action, text, _word_key(s, action), final=action == Action.YES)
    if action >= Action.VALUE:
        slot, value = divmod(action - Action.VALUE, box.HIGHEST_VALUE)
        colour = COLOUR_NAMES[s.to_move + slot * s.seats]
        key = f"action.{'colour' if s.all_equal else 'value'}.{colour}"
        return Choice(action, text, key, {"value": value + 1})
    if action < Action.ISLAND:
        return _space_choice(s, action, text)
    if action < Action.EXPLORER:
        island = NAMES.island(action - Action.ISLAND)
        return Choice(action, text, "action.ashore", {"island": island}, (island,))
    word = "pick" if s.phase == Phase.FILL_BOAT else "explorer"
    return SEA_SCENE.piece_choice(action, text, word, boards=s.phase == Phase.MOVE_TO)


def _word_key(s: State, action: int) -> str:
    if s.phase == Phase.DEFEND:
        return f"action.{'yes' if action == Action.YES else 'no'}.{box.CREATURE_KINDS[s.die]}"
    words = {Phase.PLAY_TILE: "no_tile", Phase.MOVE: "enough_moving", Phase.CREATURE: "no_creature"}
    return f"action.{words.get(s.phase, 'enough')}"


def _space_choice(s: State, space: int, text: str) -> Choice:
    if s.phase == Phase.PLAY_TILE:
        tile = TILE_OF[space]
        key = f"action.play.{box.SYMBOLS[s.back[tile]]}"
        details = {"space": NAMES.space(space)}
        return Choice(space, text, key, details, (_tile_id(tile),), final=True)
    words = {
        Phase.PLACE_EXPLORER: "place_explorer",
        Phase.PLACE_BOAT: "place_boat",
        Phase.REMOVE: "remove",
    }
    word = words.get(s.phase) or SEA_SCENE.way_word(s, space)
    final = s.phase == Phase.REMOVE
    return SEA_SCENE.space_choice(s, space, text, word, final, forecast=s.phase not in words)
