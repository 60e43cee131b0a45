"""Whether a position written by hand can be met in a game: that its phase has something to ask."""

from __future__ import annotations

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import load
from archipel.rules.hex_sea.places import BOAT_ROOM, GONE, LOST
from archipel.rules.hex_sea.plausible import (
    check_idle,
    check_placing,
    check_swimmers,
    require,
    require_land,
)
from archipel.rules.hex_sea.position import name_of
from archipel.rules.kit import Stream, clone
from archipel.rules.the_island.board import TILE_SPACES
from archipel.rules.the_island.components import (
    BOATS_PER_PLAYER,
    CREATURE_STEPS,
    DOLPHIN,
    FIRST_DEFENCE,
    FIRST_OF_KIND,
    KIND_OF,
    MOST_TILE_STEPS,
    MOVE_SERPENT,
    PER_COLOUR,
    VOLCANO,
    WHALE,
)
from archipel.rules.the_island.creatures import finds_prey, is_on_board
from archipel.rules.the_island.defence import is_asked
from archipel.rules.the_island.end import nobody_left
from archipel.rules.the_island.explorers import is_saved, swims
from archipel.rules.the_island.invariants import FAULTS, fault
from archipel.rules.the_island.knowledge import deal_unseen
from archipel.rules.the_island.names import explorer_name
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.sea import any_tile_left, next_seat
from archipel.rules.the_island.sea_words import WORDS
from archipel.rules.the_island.setup import explorers_waiting
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    ERUPTION,
    EXPLORER,
    FILL_BOAT,
    LAST_TILE,
    MOST_LEGAL,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOBODY,
    NOBODY_LEFT,
    NOT_OVER,
    NOTHING,
    OUT,
    OVER,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    STALEMATE,
    TILE_PIECE,
    TILE_STEP,
    UNKNOWN,
    VALUE,
    State,
    colours_in_play,
    hand_size,
)
from archipel.rules.the_island.turn import legal


def check_position(s: State) -> None:
    """`NotationError` if this cannot be met: who and where."""
    explorers = colours_in_play(s) * PER_COLOUR
    check_placing(s, WORDS, explorers, s.phase < PLAY_TILE, "IS-S5")
    check_swimmers(s, WORDS, explorers, _hungry(s), "IS-M11")
    _check_end(s)
    _check_fields(s)
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    _check_phase(world)


def _hungry(s: State) -> list[int]:
    """Serpents and sharks, but for one whose harm can still be turned away (IS-D3)."""
    moving = s.chosen - CREATURE_PIECE if s.phase == DEFEND else NOBODY
    spared = s.creature[moving] if 0 <= moving < len(s.creature) else NOBODY
    return [
        creature
        for creature in range(FIRST_OF_KIND[WHALE])
        if is_on_board(s, creature) and s.creature[creature] != spared
    ]


def _check_end(s: State) -> None:
    over = s.phase == OVER
    require(
        over == (s.ending != NOT_OVER),
        "ending: with phase=over, and only there, say why it ended (IS-E1)",
    )
    check_idle(s, any_tile_left(s), s.phase >= PLAY_TILE, "IS-V2")
    if not over:
        require(
            s.phase < PLAY_TILE or not nobody_left(s),
            "no explorer is left on the board: the game is over (IS-E3)",
        )
        return
    erupted = any(s.back[t] == VOLCANO and s.holder[t] == OUT for t in range(len(s.back)))
    possible = {
        ERUPTION: erupted and s.last_one == 0 and s.sunken == 0,
        NOBODY_LEFT: True,
        LAST_TILE: s.sunken != 0 and not any_tile_left(s),
        STALEMATE: not any_tile_left(s),
    }
    require(
        possible[s.ending],
        "ending={ending}: the game cannot have ended like this here (IS-E1, IS-E3, IS-V2, IS-V4)",
        ending=name_of(ENDINGS, s.ending),
    )
    for explorer in range(colours_in_play(s) * PER_COLOUR):
        require(
            s.place[explorer] == LOST or is_saved(s, explorer),
            "phase=over: {person} is neither on a safe island nor lost (IS-E1)",
            person=explorer_name(explorer),
        )


def _check_phase(s: State) -> None:
    """Whether the seat to move could be asked this."""
    if s.phase == OVER:
        return
    if s.phase in (PLACE_EXPLORER, NAME_VALUE, PLACE_BOAT):
        _check_placing(s)
    elif s.phase in (PLAY_TILE, TILE_PIECE, TILE_STEP):
        _check_tile(s)
    elif s.phase in (MOVE, MOVE_TO):
        require(s.points > 0, "phase=move: no points are left (IS-T2)")
    elif s.phase == REMOVE:
        require(any_tile_left(s), "phase=remove: no tile is left (IS-T3)")
    elif s.phase == FILL_BOAT:
        require(
            BOAT <= s.chosen < CREATURE_PIECE and load(s, s.chosen - BOAT) < BOAT_ROOM,
            "phase=fill_boat: chosen=boat..., one that has room (IS-K8)",
        )
    else:
        _check_creature(s)
    require(
        legal(_with_piece(s), [0] * MOST_LEGAL) > 0,
        "turn={seat}: there is nothing to choose from in this phase (IS-T7)",
        seat=s.turn + 1,
    )


def _check_fields(s: State) -> None:
    """What is only told in some phases is not told in the others."""
    moving = s.phase in (MOVE, MOVE_TO)
    require(moving or s.points == 0, "points: only in step 2 (IS-T2)")
    require(moving or s.sea_stepped == 0, "swam: only in step 2 (IS-M12)")
    require(moving or s.wet_moved == 0, "wet: only in step 2 (IS-M7)")
    rolled = s.phase in (CREATURE, CREATURE_STEP, DEFEND)
    require(rolled == (s.die != UNKNOWN), "die: in step 4, and only there (IS-T4)")
    played = s.phase in (TILE_PIECE, TILE_STEP)
    require(played == (s.playing != UNKNOWN), "playing: while a tile is played (IS-T1)")
    stepping = s.phase in (TILE_STEP, CREATURE_STEP)
    require(stepping or s.phase == DEFEND or s.steps == 0, "steps: while a piece is on its way")
    require(not stepping or s.steps > 0, "steps: how many spaces can it still go?")
    choosing = s.phase in (NAME_VALUE, TILE_STEP, MOVE_TO, FILL_BOAT, CREATURE_STEP, DEFEND)
    require(choosing == (s.chosen != NOTHING), "chosen: once a piece is chosen, and only then")


def _check_placing(s: State) -> None:
    """IS-S4: everyone has placed as many as the others, or one more before the turn came round."""
    require_land(s, TILE_SPACES, WORDS, "IS-S2")
    placed = [space < len(s.space) for space in s.boat]
    most = BOATS_PER_PLAYER * s.seats - 1 if s.phase == PLACE_BOAT else 0
    require(
        placed == sorted(placed, reverse=True) and sum(placed) <= most and GONE not in s.boat,
        "boats: they are placed one after the other, once all explorers are (IS-S6)",
    )
    seats = range(s.seats)
    if s.phase == PLACE_BOAT:
        require(
            all(explorers_waiting(s, seat) == 0 for seat in seats),
            "phase=place_boat: all explorers and not all boats are placed (IS-S6)",
        )
        return
    waiting = [explorers_waiting(s, seat) for seat in seats]
    order = []
    seat = s.turn
    for _ in seats:
        order.append(waiting[seat])
        seat = next_seat(s, seat)
    require(
        order[0] > 0,
        "turn={seat}: seat {seat} has no explorer left to place (IS-S5)",
        seat=s.turn + 1,
    )
    require(
        order == sorted(order, reverse=True) and order[0] - order[-1] <= 1,
        "explorers are placed in turn, one at a time (IS-S5)",
    )
    if s.phase == NAME_VALUE:
        buffer = [0] * MOST_LEGAL
        asking = clone(s)
        asking.phase = PLACE_EXPLORER
        tiles = buffer[: legal(asking, buffer)]
        require(s.chosen in tiles, "chosen: no explorer can be placed there (IS-S5)")


def _check_tile(s: State) -> None:
    if s.phase == PLAY_TILE:
        require(hand_size(s, s.turn) > 0, "phase=play_tile: the hand is empty (IS-T6)")
        return
    require(DOLPHIN <= s.playing < FIRST_DEFENCE, "playing: not a tile for step 1 (IS-T1)")
    if s.phase == TILE_STEP:
        require(s.steps <= MOST_TILE_STEPS, "steps: three at most (IS-H1)")
        kinds = {0: EXPLORER, 1: BOAT}.get(s.playing - DOLPHIN, CREATURE_PIECE)
        ends = {EXPLORER: BOAT, BOAT: CREATURE_PIECE, CREATURE_PIECE: VALUE}
        require(kinds <= s.chosen < ends[kinds], "chosen: not a piece for this tile (IS-H1)")
        require(
            _is_there(s),
            "chosen={piece}: it is not where this tile can move it (IS-H1)",
            piece=WORDS.chosen_text(s.chosen),
        )


def _is_there(s: State) -> bool:
    """A swimmer, a boat on the board, or a creature of the tile on the board."""
    if s.chosen < BOAT:
        return swims(s, s.chosen - EXPLORER)
    if s.chosen < CREATURE_PIECE:
        return s.boat[s.chosen - BOAT] < len(s.space)
    creature = s.chosen - CREATURE_PIECE
    return KIND_OF[creature] == s.playing - MOVE_SERPENT and is_on_board(s, creature)


def _check_creature(s: State) -> None:
    if s.phase == CREATURE:
        return
    require(CREATURE_PIECE <= s.chosen < VALUE, "chosen: which creature moves? (IS-T4)")
    creature = s.chosen - CREATURE_PIECE
    require(
        KIND_OF[creature] == s.die and is_on_board(s, creature),
        "chosen: not a creature of the die on the board (IS-T4)",
    )
    require(s.steps <= CREATURE_STEPS[s.die], "steps: more than the creature has (IS-X2 to X4)")
    if s.phase == DEFEND:
        require(
            s.to_move != s.turn and finds_prey(s, creature) and is_asked(s, creature, s.to_move),
            "asked: this seat is not asked to defend (IS-D3)",
        )


def _with_piece(s: State) -> State:
    """The position, unless its chosen piece could not be looked at."""
    if s.phase == MOVE_TO:
        require(EXPLORER <= s.chosen < CREATURE_PIECE, "chosen: an explorer or a boat (IS-T2)")
        asking = clone(s)
        asking.phase = MOVE
        buffer = [0] * MOST_LEGAL
        pieces = buffer[: legal(asking, buffer)]
        require(
            s.chosen in pieces,
            "chosen={piece}: it cannot move (IS-T2)",
            piece=WORDS.chosen_text(s.chosen),
        )
    return s
