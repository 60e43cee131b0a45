"""The position as things to draw and to tap (see `archipel.rules.scene`).

Cells: every space of the board by its name, the Coral Islands, and per seat ``lost1``...  Somebody
aboard a boat is in the boat's space and names its boat.  Spaces say where they lie (``at``): how
many half spaces from the left, and in which row.

Choices foretell: where people or a boat would be lost at once, ``lost`` and ``sunk`` name them.
The gauges hold, for the seat to move, its pieces that cannot be chosen now (``not_now``), each with
its refusal (``not_now_why``) and rule (``not_now_rules``), in parallel.
"""

from __future__ import annotations

from archipel.rules.atlantis.animals import finds_prey, harm
from archipel.rules.atlantis.board import (
    BOARD,
    LANDING,
    PIECE_OF,
    PIECE_SPACES,
    SHORE_OF,
    SPACES,
    TERRAIN_OF_SPACE,
)
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import (
    ANIMALS,
    BOATS,
    KIND_OF,
    MOVEMENT_POINTS,
    PART_NAMES,
    PEOPLE,
    PER_TRIBE,
    TRIBE_OF,
)
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.names import (
    NAMES,
    TRIBE_NAMES,
    animal_number,
    boat_name,
    island_name,
    person_name,
    space_name,
)
from archipel.rules.atlantis.notation import action_text
from archipel.rules.atlantis.people import is_saved, swims
from archipel.rules.atlantis.position import ENDINGS, PHASES
from archipel.rules.atlantis.refusals import refusal
from archipel.rules.atlantis.sea import any_piece_left
from archipel.rules.atlantis.sinking import terrain_due
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    ARRIVED,
    BOAT,
    ISLAND,
    MOST_LEGAL,
    MOVE,
    MOVE_TO,
    NOTHING,
    OVER,
    PERSON,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    RIDE,
    SINK,
    STOP,
    UNKNOWN,
    State,
)
from archipel.rules.atlantis.turn import act, legal
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST, WAITING
from archipel.rules.hex_sea.scene import (
    boat_id,
    boat_of,
    boat_piece,
    cell_of,
    creature_id,
    foretold,
    not_now,
)
from archipel.rules.kit import clone
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene


def scene(s: State, seat: int) -> Scene:
    """What a seat sees in its view; its legal actions if it is to move."""
    deciding = s.phase != OVER and s.turn == seat
    gauges = _gauges(s) | (_not_now(s) if deciding else {})
    return Scene(_cells(s), _pieces(s), gauges, _choices(s) if deciding else ())


# ---- cells and pieces ---------------------------------------------------------------------------


def _cells(s: State) -> tuple[Cell, ...]:
    spaces = [_space(s, space) for space in range(SPACES)]
    islands = [
        Cell(name, "coral_island", {"exits": (space_name(LANDING[island]),)})
        for island, name in enumerate(BOARD.shores)
    ]
    lost = [Cell(f"lost{seat + 1}", "lost") for seat in range(s.seats)]
    return (*spaces, *islands, *lost)


def _space(s: State, space: int) -> Cell:
    properties: dict[str, Property] = {
        "at": (BOARD.half_columns[space], BOARD.rows[space]),
        "landing": None if SHORE_OF[space] < 0 else island_name(SHORE_OF[space]),
        "centre": space == BOX.centre,
        "sinking": space == s.sinking,
    }
    if PIECE_OF[space] >= 0 and is_sea(s, space):
        # AT-K4: what was shown stays known.
        properties["sunk"] = TERRAINS[TERRAIN_OF_SPACE[space]]
        properties["symbol"] = SYMBOLS[s.symbol[PIECE_OF[space]]]
    kind = "sea" if is_sea(s, space) else TERRAINS[TERRAIN_OF_SPACE[space]]
    return Cell(space_name(space), kind, properties)


def _pieces(s: State) -> tuple[Piece, ...]:
    pieces = [boat_piece(NAMES, s, boat, s.seats) for boat in range(BOATS) if s.boat[boat] < SPACES]
    pieces += [_animal(s, animal) for animal in range(ANIMALS) if s.creature[animal] < SPACES]
    pieces += [_person(s, person) for person in range(PEOPLE) if s.place[person] != WAITING]
    return tuple(pieces)


def _animal(s: State, animal: int) -> Piece:
    kind = ANIMAL_KINDS[KIND_OF[animal]]
    properties: dict[str, Property] = {"number": animal_number(animal)}
    return Piece(
        creature_id(NAMES, animal), kind, space_name(s.creature[animal]), properties=properties
    )


def _person(s: State, person: int) -> Piece:
    seat = TRIBE_OF[person]
    properties: dict[str, Property] = {
        "tribe": TRIBE_NAMES[seat],
        "number": person - seat * PER_TRIBE + 1,
        "swimming": swims(s, person),
        "boat": boat_of(NAMES, s, person),
        "swam": bool(s.sea_stepped >> person & 1),
    }
    cell = cell_of(NAMES, s, person, seat)
    return Piece(person_name(person), "person", cell, seat, properties)


# ---- gauges -------------------------------------------------------------------------------------


def _gauges(s: State) -> dict[str, Property]:
    seats = range(s.seats)
    phase = next(name for name, number in PHASES.items() if number == s.phase)
    ending = next(name for name, number in ENDINGS.items() if number == s.ending)
    due = s.phase != OVER and any_piece_left(s)
    return {
        "phase": f"phase.{phase}",
        "over": s.phase == OVER,
        "ending": None if s.phase != OVER else f"end.{ending}",
        "turn": s.turn,
        "points": s.points,
        "full_points": MOVEMENT_POINTS,
        "spun": None if s.spun == UNKNOWN else ANIMAL_KINDS[s.spun],
        "part": None if s.spun == UNKNOWN else PART_NAMES[s.part],
        "steps": s.steps,
        "chosen": None if s.chosen == NOTHING else _piece_id(s.chosen),
        "sinking": None if s.sinking == NOTHING else space_name(s.sinking),
        "pieces_left": tuple(s.land_left),
        "due": TERRAINS[terrain_due(s)] if due else None,
        "unseen": _unseen(s),
        "waiting": tuple(_count(s, seat, WAITING) for seat in seats),
        "left": tuple(s.left[: s.seats]),
        "saved": tuple(score(s, seat) for seat in seats),
        "lost": tuple(_count(s, seat, LOST) for seat in seats),
        "idle": s.idle_turns,
        "board": BOX.name,
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
        if TERRAIN_OF_SPACE[space] == due and is_sea(s, space):
            counts[s.symbol[piece]] -= 1
    return tuple(counts)


def _piece_id(action: int) -> str:
    if action < BOAT:
        return person_name(action - PERSON)
    if action < ANIMAL_PIECE:
        return boat_id(NAMES, action - BOAT)
    return creature_id(NAMES, action - ANIMAL_PIECE)


def _not_now(s: State) -> dict[str, Property]:
    """One's own people, and boats, that cannot be chosen in step 1, and why."""
    if s.phase != MOVE:
        return {}
    possible = {choice.action for choice in _choices(s)}
    thinkable = [
        PERSON + person
        for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE)
        if s.place[person] < ABOARD + BOATS and not is_saved(s, person)
    ]
    thinkable += [BOAT + boat for boat in range(BOATS) if s.boat[boat] < SPACES]
    refused = {
        _piece_id(action): refusal(s, action) for action in thinkable if action not in possible
    }
    return not_now(refused)


# ---- choices ------------------------------------------------------------------------------------


def _choices(s: State) -> tuple[Choice, ...]:
    actions = [0] * MOST_LEGAL
    return tuple(_choice(s, action) for action in actions[: legal(s, actions)])


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if action == STOP:
        words = {MOVE: "enough_moving", ANIMAL: "no_animal"}
        return Choice(action, text, f"action.{words.get(s.phase, 'enough')}")
    if action < ISLAND:
        details: dict[str, object] = {"space": space_name(action), **_forecast(s, action)}
        key = f"action.{_space_word(s, action)}"
        target = (space_name(action),)
        return Choice(action, text, key, details, target, final=_is_final(s))
    if action < PERSON:
        island = island_name(action - (RIDE if action >= RIDE else ISLAND))
        key = "action.ride" if action >= RIDE else "action.ashore"
        return Choice(action, text, key, {"island": island}, (island,))
    return _piece_choice(s, action, text)


def _is_final(s: State) -> bool:
    """Sinking a piece with nobody to place shows its symbol at once."""
    return s.phase == SINK or (s.phase == RELOCATE_TO and s.crowd[s.sinking] == 1)


def _space_word(s: State, space: int) -> str:
    words = {PLACE: "place", SINK: "sink", ANIMAL_STEP: "to"}
    if s.phase in words:
        return words[s.phase]
    if s.phase == RELOCATE_TO:
        return "flee_to_sea" if is_sea(s, space) else "flee"
    if s.chosen >= BOAT:
        return "sail"
    if not is_sea(s, space):
        return "walk"
    person = s.chosen - PERSON
    if s.place[person] >= ABOARD:
        return "overboard"
    return "swim" if swims(s, person) else "dive"


def _piece_choice(s: State, action: int, text: str) -> Choice:
    target = (_piece_id(action),)
    if action < BOAT:
        word = "relocate" if s.phase == RELOCATE else "person"
        details: dict[str, object] = {"person": person_name(action - PERSON)}
        return Choice(action, text, f"action.{word}", details, target)
    if action < ANIMAL_PIECE:
        word = "board" if s.phase == MOVE_TO else "boat"
        return Choice(action, text, f"action.{word}", {"boat": boat_name(action - BOAT)}, target)
    animal = action - ANIMAL_PIECE
    key = f"action.{ANIMAL_KINDS[KIND_OF[animal]]}"
    return Choice(action, text, key, {"number": animal_number(animal)}, target)


def _forecast(s: State, action: int) -> dict[str, object]:
    """Who would be lost, and which boats, to the animal that is moved: all of it is public."""
    if s.phase != ANIMAL_STEP:
        return {}
    after = clone(s)
    act(after, action)
    assert after.phase == ARRIVED
    if finds_prey(after, after.chosen - ANIMAL_PIECE):
        harm(after, after.chosen - ANIMAL_PIECE)
    return foretold(NAMES, s, after)
