"""Step 2: sinking a piece, its people, and its symbol (chapter Sinking)."""

from __future__ import annotations

from archipel.rules.atlantis import board
from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.animals import harm, next_in_stock, put_animal
from archipel.rules.atlantis.moving import is_safe_water
from archipel.rules.atlantis.people import go_to
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import NOTHING, Action, Phase, State
from archipel.rules.hex_sea.boats import is_sea, put_boat
from archipel.rules.hex_sea.places import NO_BOAT, NO_CREATURE
from archipel.rules.kit import rule, rule_apart

terrain_due = SEA.terrain_due  # AT-K1: plains, then hills, then mountains
uncover = SEA.uncover
next_boat_in_stock = SEA.next_boat_in_stock  # AT-K4
whirlpool = SEA.whirlpool  # AT-K5; AT-K6: also takes people in the space itself


@rule
def legal_sinkings(s: State, actions: list[int]) -> int:
    """AT-K1: any piece of the terrain due, occupied or not."""
    due = terrain_due(s)
    count = 0
    for piece in range(board.PIECES):
        if board.TERRAIN_OF[piece] == due and not is_sea(s, board.PIECE_SPACES[piece]):
            actions[count] = Action.SPACE + board.PIECE_SPACES[piece]
            count += 1
    return count


@rule
def choose_piece_to_sink(s: State, space: int) -> None:
    s.sinking = space
    s.phase = Phase.RELOCATING


# ---- relocation ---------------------------------------------------------------------------------


@rule
def is_refuge(s: State, space: int) -> bool:
    """AT-K2: another piece with room, plains included."""
    return space != s.sinking and not is_sea(s, space) and s.crowd[space] < box.PIECE_ROOM


@rule_apart
def refuges(s: State) -> int:
    """The number of pieces with room for people of the sinking one."""
    count = 0
    for piece in range(board.PIECES):
        if is_refuge(s, board.PIECE_SPACES[piece]):
            count += 1
    return count


@rule
def diving_places(s: State) -> int:
    """AT-K3: the number of safe sea spaces beside the sinking piece."""
    count = 0
    for near in range(board.FIRST_NEAR[s.sinking], board.FIRST_NEAR[s.sinking + 1]):
        if is_safe_water(s, board.NEAR[near]):
            count += 1
    return count


@rule
def relocate(s: State) -> None:
    """AT-K2, AT-K3: ask for the next person, or relocate people without a choice (AT-T3)."""
    people = s.crowd[s.sinking]
    land = refuges(s)
    places = land if land > 0 else diving_places(s)
    if people == 0 or places == 0:
        # Without a place to go, people stay in the uncovered space.
        s.phase = Phase.SHOW_SYMBOL
    elif places == 1 and (land == 0 or box.PIECE_ROOM - s.crowd[only_place(s)] >= people):
        send_everyone(s, only_place(s))
    elif people == 1:
        s.chosen = Action.PERSON + first_to_relocate(s)
        s.phase = Phase.RELOCATE_TO
    else:
        s.phase = Phase.RELOCATE


@rule
def only_place(s: State) -> int:
    """The first place to go: a piece with room or, if there is none, water."""
    for piece in range(board.PIECES):
        if is_refuge(s, board.PIECE_SPACES[piece]):
            return board.PIECE_SPACES[piece]
    for near in range(board.FIRST_NEAR[s.sinking], board.FIRST_NEAR[s.sinking + 1]):
        if is_safe_water(s, board.NEAR[near]):
            return board.NEAR[near]
    return s.sinking


@rule
def first_to_relocate(s: State) -> int:
    person = 0
    while s.place[person] != s.sinking:
        person += 1
    return person


@rule
def send_everyone(s: State, space: int) -> None:
    for person in range(box.PEOPLE):
        if s.place[person] == s.sinking:
            go_to(s, person, space)


@rule
def legal_people_to_relocate(s: State, actions: list[int]) -> int:
    """AT-K2: fill in the people on the sinking piece, of all tribes."""
    count = 0
    for person in range(box.PEOPLE):
        if s.place[person] == s.sinking:
            actions[count] = Action.PERSON + person
            count += 1
    return count


@rule
def choose_person_to_relocate(s: State, action: int) -> None:
    s.chosen = action
    land = refuges(s)
    if land + (diving_places(s) if land == 0 else 0) == 1:
        relocate_to(s, only_place(s))
    else:
        s.phase = Phase.RELOCATE_TO


@rule
def legal_relocations(s: State, actions: list[int]) -> int:
    """AT-K2: pieces with room; AT-K3: water only if there is none."""
    count = 0
    for piece in range(board.PIECES):
        if is_refuge(s, board.PIECE_SPACES[piece]):
            actions[count] = board.PIECE_SPACES[piece]
            count += 1
    if count > 0:
        return count
    for near in range(board.FIRST_NEAR[s.sinking], board.FIRST_NEAR[s.sinking + 1]):
        if is_safe_water(s, board.NEAR[near]):
            actions[count] = board.NEAR[near]
            count += 1
    return count


@rule
def relocate_to(s: State, space: int) -> None:
    go_to(s, s.chosen - Action.PERSON, space)
    s.chosen = NOTHING
    s.phase = Phase.RELOCATING


# ---- the symbol ---------------------------------------------------------------------------------


@rule
def show_symbol(s: State) -> None:
    """AT-K4: the piece leaves the game, its space becomes sea, and its symbol acts."""
    space = s.sinking
    piece = board.PIECE_OF[space]
    uncover(s, space, board.TERRAIN_OF[piece])
    s.sinking = NOTHING
    s.phase = Phase.SPIN
    if s.symbol[piece] == box.WHIRLPOOL:
        whirlpool(s, space)
    elif s.symbol[piece] == box.BOAT_SYMBOL:
        bring_boat(s, space)
    else:
        bring_animal(s, s.symbol[piece], space)


@rule
def bring_animal(s: State, kind: int, space: int) -> None:
    """AT-K6: a shark or a monster eats the people in the uncovered space."""
    animal = next_in_stock(s, kind)
    if animal != NO_CREATURE:
        put_animal(s, animal, space)
        harm(s, animal)


@rule
def bring_boat(s: State, space: int) -> None:
    """AT-K4, AT-K6: an empty boat, beside swimmers in its space."""
    boat = next_boat_in_stock(s)
    if boat != NO_BOAT:
        put_boat(s, boat, space)
