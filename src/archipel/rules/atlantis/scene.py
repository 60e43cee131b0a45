"""Scenes: the position as things to draw and to tap (see `archipel.rules.scene`).

Cells: every space of the board by its name, the Coral Islands, and per seat ``lost1``...
`archipel.rules.hex_sea.scene` describes their properties and those of the pieces.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.animals import finds_prey, harm
from archipel.rules.atlantis.board import PIECE_OF, PIECE_SPACES, SHORE_OF, SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import MOVEMENT_POINTS, PART_NAMES, PER_TRIBE, TRIBE_OF
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.names import NAMES, TRIBE_NAMES
from archipel.rules.atlantis.narration import EVENTS
from archipel.rules.atlantis.notation import action_text
from archipel.rules.atlantis.position import ENDINGS, PHASES
from archipel.rules.atlantis.refusals import refusal
from archipel.rules.atlantis.sea import any_piece_left
from archipel.rules.atlantis.sinking import terrain_due
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Action, Phase, State
from archipel.rules.atlantis.turn import act, apply, legal_actions
from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import LAND, LOST, WAITING
from archipel.rules.hex_sea.scene import SeaScene
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene, gauges_for_others

SEA_SCENE: Final = SeaScene(
    EVENTS, "coral_island", PHASES, ENDINGS, legal_actions, act, apply, finds_prey, harm, refusal
)

_NOTHING_ELSE: Final = (None,) * len(TRIBE_OF)
_COUNTS: Final = BoundedCache[dict[str, Property]](1_024)


def scene(s: State, seat: int) -> Scene:
    """The scene of a seat's view, with the legal actions if the seat is to move."""
    return _for_seat(s, seat, Scene(_cells(s), _pieces(s), _gauges(s), ()))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, made from the known scene of another view, which shows the same."""
    return _for_seat(s, seat, Scene(known.cells, known.pieces, gauges_for_others(known.gauges), ()))


def _for_seat(s: State, seat: int, known: Scene) -> Scene:
    if s.phase == Phase.OVER or s.turn != seat:
        return known
    own = range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE)
    return SEA_SCENE.for_seat_to_move(s, known, own, _choice)


# ---- cells and pieces ---------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    return SEA_SCENE.cells(s, (s.sinking, tuple(s.symbol)), lambda: _all_cells(s))


def _all_cells(s: State) -> tuple[Cell, ...]:
    spaces = [_space(s, space) for space in range(SPACES)]
    return (*spaces, *SEA_SCENE.shores(), *SEA_SCENE.of_each_seat(s, "lost"))


def _space(s: State, space: int) -> Cell:
    properties: dict[str, Property] = {
        "landing": None if SHORE_OF[space] < 0 else NAMES.island(SHORE_OF[space]),
        "centre": space == BOX.centre,
        "sinking": space == s.sinking,
    }
    if PIECE_OF[space] >= 0 and is_sea(s, space):
        # AT-K4: a symbol that was shown stays known.
        properties["sunk"] = TERRAINS[TERRAIN_OF_SPACE[space]]
        properties["symbol"] = SYMBOLS[s.symbol[PIECE_OF[space]]]
    kind = "sea" if is_sea(s, space) else TERRAINS[TERRAIN_OF_SPACE[space]]
    return SEA_SCENE.space(space, kind, properties)


def _pieces(s: State) -> tuple[Piece, ...]:
    return (*SEA_SCENE.afloat(s), *SEA_SCENE.people(s, None, lambda: _people(s)))


def _people(s: State) -> tuple[Piece, ...]:
    return SEA_SCENE.everybody(s, TRIBE_OF, _NOTHING_ELSE, _about)


def _about(person: int) -> dict[str, Property]:
    seat = TRIBE_OF[person]
    return {"tribe": TRIBE_NAMES[seat], "number": person - seat * PER_TRIBE + 1}


# ---- gauges -------------------------------------------------------------------------------------


def _gauges(s: State) -> dict[str, Property]:
    due = s.phase != Phase.OVER and any_piece_left(s)
    return {
        **SEA_SCENE.gauges(s, MOVEMENT_POINTS, TERRAINS[terrain_due(s)] if due else None),
        "spun": None if s.spun == UNKNOWN else ANIMAL_KINDS[s.spun],
        "part": None if s.spun == UNKNOWN else PART_NAMES[s.part],
        "sinking": None if s.sinking == NOTHING else NAMES.space(s.sinking),
        "pieces_left": tuple(s.land_left),
        "unseen": _unseen(s),
        **_COUNTS.get_or_make((tuple(s.place), s.seats), lambda: _counts(s)),
        "idle": s.idle_turns,
        "board": BOX.name,
    }


def _counts(s: State) -> dict[str, Property]:
    seats = range(s.seats)
    return {
        "waiting": tuple(_count(s, seat, WAITING) for seat in seats),
        "saved": tuple(score(s, seat) for seat in seats),
        "lost": tuple(_count(s, seat, LOST) for seat in seats),
    }


def _count(s: State, seat: int, place: int) -> int:
    return s.place[seat * PER_TRIBE : (seat + 1) * PER_TRIBE].count(place)


def _unseen(s: State) -> tuple[int, ...]:
    """AT-S6: per symbol, the number of pieces of the terrain due that still hide it."""
    if not any_piece_left(s):
        return ()
    due = terrain_due(s)
    counts = list(BOX.symbols[due])
    for piece, space in enumerate(PIECE_SPACES):
        if TERRAIN_OF_SPACE[space] == due and not s.space[space] & LAND:
            counts[s.symbol[piece]] -= 1
    return tuple(counts)


# ---- choices ------------------------------------------------------------------------------------


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if action == Action.STOP:
        words = {Phase.MOVE: "enough_moving", Phase.ANIMAL: "no_animal"}
        return Choice(action, text, f"action.{words.get(s.phase, 'enough')}")
    if action < Action.ISLAND:
        forecast = s.phase == Phase.ANIMAL_STEP
        return SEA_SCENE.space_choice(
            s, action, text, _space_word(s, action), _is_final(s), forecast
        )
    if action < Action.PERSON:
        way, first = ("ride", Action.RIDE) if action >= Action.RIDE else ("ashore", Action.ISLAND)
        island = NAMES.island(action - first)
        return Choice(action, text, f"action.{way}", {"island": island}, (island,))
    word = "relocate" if s.phase == Phase.RELOCATE else "person"
    return SEA_SCENE.piece_choice(action, text, word, boards=s.phase == Phase.MOVE_TO)


def _is_final(s: State) -> bool:
    """Sinking a piece shows its symbol at once, unless people must be placed first."""
    return s.phase == Phase.SINK or (s.phase == Phase.RELOCATE_TO and s.crowd[s.sinking] == 1)


def _space_word(s: State, space: int) -> str:
    words = {Phase.PLACE: "place", Phase.SINK: "sink", Phase.ANIMAL_STEP: "to"}
    if s.phase in words:
        return words[s.phase]
    if s.phase == Phase.RELOCATE_TO:
        return "flee_to_sea" if is_sea(s, space) else "flee"
    return SEA_SCENE.way_word(s, space)
