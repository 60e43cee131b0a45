"""Whether a position written by hand can be met in a game: that its phase has something to ask."""

from __future__ import annotations

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.places import IN_STOCK
from archipel.rules.kit import clone
from archipel.rules.the_island.components import (
    BOATS_PER_PLAYER,
    CREATURE_STEPS,
    DOLPHIN,
    FIRST_DEFENCE,
    KIND_OF,
    MOST_TILE_STEPS,
)
from archipel.rules.the_island.creatures import finds_prey, is_on_board
from archipel.rules.the_island.defence import is_asked
from archipel.rules.the_island.end import nobody_left
from archipel.rules.the_island.sea import any_tile_left, next_seat
from archipel.rules.the_island.setup import explorers_waiting
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    MOST_LEGAL,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOTHING,
    OVER,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    TILE_PIECE,
    TILE_STEP,
    UNKNOWN,
    VALUE,
    State,
    hand_size,
)
from archipel.rules.the_island.turn import legal


def check_phase(s: State) -> None:
    """`NotationError` if the seat to move could not be asked this."""
    if s.phase == OVER:
        return
    if s.phase >= PLAY_TILE and nobody_left(s):
        raise NotationError("no explorer is left on the board: the game is over (IS-E3)")
    _check_fields(s)
    if s.phase in (PLACE_EXPLORER, NAME_VALUE, PLACE_BOAT):
        _check_placing(s)
    elif s.phase in (PLAY_TILE, TILE_PIECE, TILE_STEP):
        _check_tile(s)
    elif s.phase in (MOVE, MOVE_TO):
        _require(s.points > 0, "phase=move: no points are left (IS-T2)")
    elif s.phase == REMOVE:
        _require(any_tile_left(s), "phase=remove: no tile is left (IS-T3)")
    elif s.phase == FILL_BOAT:
        _require(BOAT <= s.chosen < CREATURE_PIECE, "phase=fill_boat: chosen=boat... (IS-K8)")
    else:
        _check_creature(s)
    if legal(_with_piece(s), [0] * MOST_LEGAL) == 0:
        raise NotationError("the seat to move has nothing to choose from in this phase")


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise NotationError(complaint)


def _check_fields(s: State) -> None:
    """What is only told in some phases is not told in the others."""
    moving = s.phase in (MOVE, MOVE_TO)
    _require(moving or s.points == 0, "points: only in step 2 (IS-T2)")
    _require(moving or s.sea_stepped == 0, "swam: only in step 2 (IS-M12)")
    _require(moving or s.wet_moved == 0, "wet: only in step 2 (IS-M7)")
    rolled = s.phase in (CREATURE, CREATURE_STEP, DEFEND)
    _require(rolled == (s.die != UNKNOWN), "die: in step 4, and only there (IS-T4)")
    played = s.phase in (TILE_PIECE, TILE_STEP)
    _require(played == (s.playing != UNKNOWN), "playing: while a tile is played (IS-T1)")
    stepping = s.phase in (TILE_STEP, CREATURE_STEP)
    _require(stepping or s.phase == DEFEND or s.steps == 0, "steps: while a piece is on its way")
    _require(not stepping or s.steps > 0, "steps: how many spaces can it still go?")
    choosing = s.phase in (NAME_VALUE, TILE_STEP, MOVE_TO, FILL_BOAT, CREATURE_STEP, DEFEND)
    _require(choosing == (s.chosen != NOTHING), "chosen: once a piece is chosen, and only then")


def _check_placing(s: State) -> None:
    """IS-S4: everyone has placed as many as the others, or one more before the turn came round."""
    seats = range(s.seats)
    if s.phase == PLACE_BOAT:
        placed = sum(space != IN_STOCK for space in s.boat)
        _require(
            all(explorers_waiting(s, seat) == 0 for seat in seats)
            and placed < BOATS_PER_PLAYER * s.seats,
            "phase=place_boat: all explorers and not all boats are placed (IS-S6)",
        )
        return
    waiting = [explorers_waiting(s, seat) for seat in seats]
    order = []
    seat = s.turn
    for _ in seats:
        order.append(waiting[seat])
        seat = next_seat(s, seat)
    _require(order[0] > 0, "the seat to move has no explorer left to place (IS-S5)")
    _require(
        order == sorted(order, reverse=True) and order[0] - order[-1] <= 1,
        "explorers are placed in turn, one at a time (IS-S5)",
    )
    if s.phase == NAME_VALUE:
        buffer = [0] * MOST_LEGAL
        asking = clone(s)
        asking.phase = PLACE_EXPLORER
        tiles = buffer[: legal(asking, buffer)]
        _require(s.chosen in tiles, "chosen: no explorer can be placed there (IS-S5)")


def _check_tile(s: State) -> None:
    if s.phase == PLAY_TILE:
        _require(hand_size(s, s.turn) > 0, "phase=play_tile: the hand is empty (IS-T6)")
        return
    _require(DOLPHIN <= s.playing < FIRST_DEFENCE, "playing: not a tile for step 1 (IS-T1)")
    if s.phase == TILE_STEP:
        _require(s.steps <= MOST_TILE_STEPS, "steps: three at most (IS-H1)")
        kinds = {0: EXPLORER, 1: BOAT}.get(s.playing - DOLPHIN, CREATURE_PIECE)
        ends = {EXPLORER: BOAT, BOAT: CREATURE_PIECE, CREATURE_PIECE: VALUE}
        _require(kinds <= s.chosen < ends[kinds], "chosen: not a piece for this tile (IS-H1)")


def _check_creature(s: State) -> None:
    if s.phase == CREATURE:
        return
    _require(CREATURE_PIECE <= s.chosen < VALUE, "chosen: which creature moves? (IS-T4)")
    creature = s.chosen - CREATURE_PIECE
    _require(
        KIND_OF[creature] == s.die and is_on_board(s, creature),
        "chosen: not a creature of the die on the board (IS-T4)",
    )
    _require(s.steps <= CREATURE_STEPS[s.die], "steps: more than the creature has (IS-X2 to X4)")
    if s.phase == DEFEND:
        _require(
            s.to_move != s.turn and finds_prey(s, creature) and is_asked(s, creature, s.to_move),
            "asked: this seat is not asked to defend (IS-D3)",
        )


def _with_piece(s: State) -> State:
    """The position, unless its chosen piece could not be looked at."""
    if s.phase == MOVE_TO:
        _require(EXPLORER <= s.chosen < CREATURE_PIECE, "chosen: an explorer or a boat (IS-T2)")
        asking = clone(s)
        asking.phase = MOVE
        buffer = [0] * MOST_LEGAL
        pieces = buffer[: legal(asking, buffer)]
        _require(s.chosen in pieces, "chosen: this piece cannot move (IS-T2)")
    return s
