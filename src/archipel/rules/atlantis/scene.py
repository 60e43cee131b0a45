"""The position as things to draw and to tap (see `archipel.rules.scene`).

Cells: every space of the board by its name, the Coral Islands, and per seat ``lost1``...
`archipel.rules.hex_sea.scene` tells what they and the pieces say in both games at sea.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.animals import finds_prey, harm
from archipel.rules.atlantis.board import (
    BOARD,
    PIECE_OF,
    PIECE_SPACES,
    SHORE_OF,
    SPACES,
    TERRAIN_OF_SPACE,
)
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import (
    MOVEMENT_POINTS,
    PART_NAMES,
    PEOPLE,
    PER_TRIBE,
    TRIBE_OF,
)
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.names import (
    TRIBE_NAMES,
    island_name,
    space_name,
)
from archipel.rules.atlantis.narration import TELLING
from archipel.rules.atlantis.notation import action_text
from archipel.rules.atlantis.position import ENDINGS, PHASES
from archipel.rules.atlantis.refusals import refusal
from archipel.rules.atlantis.sea import any_piece_left
from archipel.rules.atlantis.sinking import terrain_due
from archipel.rules.atlantis.state import MOST_LEGAL, NOTHING, UNKNOWN, Action, Phase, State
from archipel.rules.atlantis.turn import act, legal
from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import LAND, LOST, WAITING
from archipel.rules.hex_sea.scene import SeaScene
from archipel.rules.kit import clone
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene, gauges_for_others

SEA_SCENE: Final = SeaScene(
    TELLING,
    BOARD,
    shore="coral_island",
    phases=PHASES,
    endings=ENDINGS,
    full_points=MOVEMENT_POINTS,
    over=Phase.OVER,
    nothing=NOTHING,
    most_legal=MOST_LEGAL,
    legal=legal,
    refusal=refusal,
)


_NOTHING_ELSE: Final = (None,) * PEOPLE
_COUNTS: Final = BoundedCache[dict[str, Property]](1_024)


def scene(s: State, seat: int) -> Scene:
    """What a seat sees in its view; its legal actions if it is to move."""
    return _for_seat(s, seat, Scene(_cells(s), _pieces(s), _gauges(s), ()))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, where that of another view of the same position is known: all see the same."""
    return _for_seat(s, seat, Scene(known.cells, known.pieces, gauges_for_others(known.gauges), ()))


def _for_seat(s: State, seat: int, known: Scene) -> Scene:
    """What the seat to move is told beside what all are."""
    if s.phase == Phase.OVER or s.turn != seat:
        return known
    gauges = known.gauges
    if s.phase == Phase.MOVE:
        own = SEA_SCENE.not_now(s, range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE))
        gauges = {**gauges, **own}
    return Scene(known.cells, known.pieces, gauges, _choices(s))


# ---- cells and pieces ---------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    return SEA_SCENE.cells(s, (s.sinking, tuple(s.symbol)), lambda: _all_cells(s))


def _all_cells(s: State) -> tuple[Cell, ...]:
    spaces = [_space(s, space) for space in range(SPACES)]
    return (*spaces, *SEA_SCENE.shores(), *SEA_SCENE.of_each_seat(s, "lost"))


def _space(s: State, space: int) -> Cell:
    properties: dict[str, Property] = {
        "landing": None if SHORE_OF[space] < 0 else island_name(SHORE_OF[space]),
        "centre": space == BOX.centre,
        "sinking": space == s.sinking,
    }
    if PIECE_OF[space] >= 0 and is_sea(s, space):
        # AT-K4: what was shown stays known.
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
        **SEA_SCENE.gauges(s, TERRAINS[terrain_due(s)] if due else None),
        "spun": None if s.spun == UNKNOWN else ANIMAL_KINDS[s.spun],
        "part": None if s.spun == UNKNOWN else PART_NAMES[s.part],
        "sinking": None if s.sinking == NOTHING else space_name(s.sinking),
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
    """AT-S6: per symbol, how many pieces of the terrain now due still hide it."""
    if not any_piece_left(s):
        return ()
    due = terrain_due(s)
    counts = list(BOX.symbols[due])
    for piece, space in enumerate(PIECE_SPACES):
        if TERRAIN_OF_SPACE[space] == due and not s.space[space] & LAND:
            counts[s.symbol[piece]] -= 1
    return tuple(counts)


# ---- choices ------------------------------------------------------------------------------------


def _choices(s: State) -> tuple[Choice, ...]:
    return tuple(_choice(s, action) for action in SEA_SCENE.legal_actions(s))


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if action == Action.STOP:
        words = {Phase.MOVE: "enough_moving", Phase.ANIMAL: "no_animal"}
        return Choice(action, text, f"action.{words.get(s.phase, 'enough')}")
    if action < Action.ISLAND:
        foretold = _forecast(s, action)
        key = f"action.{_space_word(s, action)}"
        if not foretold:
            return SEA_SCENE.space_choice(action, text, key, action, _is_final(s))
        name = space_name(action)
        details: dict[str, object] = {"space": name, **foretold}
        return Choice(action, text, key, details, (name,), final=_is_final(s))
    if action < Action.PERSON:
        island = island_name(action - (Action.RIDE if action >= Action.RIDE else Action.ISLAND))
        key = "action.ride" if action >= Action.RIDE else "action.ashore"
        return Choice(action, text, key, {"island": island}, (island,))
    word = "relocate" if s.phase == Phase.RELOCATE else "person"
    return SEA_SCENE.piece_choice(s, action, text, word, boards=s.phase == Phase.MOVE_TO)


def _is_final(s: State) -> bool:
    """Sinking a piece with nobody to place shows its symbol at once."""
    return s.phase == Phase.SINK or (s.phase == Phase.RELOCATE_TO and s.crowd[s.sinking] == 1)


def _space_word(s: State, space: int) -> str:
    words = {Phase.PLACE: "place", Phase.SINK: "sink", Phase.ANIMAL_STEP: "to"}
    if s.phase in words:
        return words[s.phase]
    if s.phase == Phase.RELOCATE_TO:
        return "flee_to_sea" if is_sea(s, space) else "flee"
    return SEA_SCENE.way_word(s, space)


def _forecast(s: State, action: int) -> dict[str, object]:
    """Who would be lost, and which boats, to the animal that is moved: all of it is public."""
    if s.phase != Phase.ANIMAL_STEP or SEA_SCENE.is_empty(s, action):
        return {}
    after = clone(s)
    act(after, action)
    assert after.phase == Phase.ARRIVED
    if finds_prey(after, after.chosen - Action.ANIMAL):
        harm(after, after.chosen - Action.ANIMAL)
    return SEA_SCENE.foretold(s, after)
