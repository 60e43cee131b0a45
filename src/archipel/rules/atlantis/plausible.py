"""Whether a position written by hand can be met in a game: that its phase has something to ask."""

from __future__ import annotations

from archipel.rules.atlantis.animals import is_on_board
from archipel.rules.atlantis.components import FIRST_OF_KIND, KIND_OF, PER_TRIBE, TRIBE_OF, T
from archipel.rules.atlantis.moving import boat_can_move, person_can_move
from archipel.rules.atlantis.sea import any_piece_left, next_seat
from archipel.rules.atlantis.setup import has_room_at_set_up
from archipel.rules.atlantis.spinner import can_be_moved
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    BOAT,
    MOST_LEGAL,
    MOVE,
    MOVE_TO,
    NOTHING,
    OVER,
    PERSON,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    SINK,
    STOP,
    UNKNOWN,
    State,
)
from archipel.rules.atlantis.turn import legal
from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import WAITING


def check_phase(s: State) -> None:
    """`NotationError` if the player whose turn it is could not be asked this."""
    _check_fields(s)
    if s.phase == OVER:
        return
    if s.phase == PLACE:
        _check_placing(s)
    elif s.phase == MOVE_TO:
        _check_chosen_to_move(s)
    elif s.phase == SINK:
        _require(any_piece_left(s), "phase=sink: no piece is left (AT-T2)")
    elif s.phase in (RELOCATE, RELOCATE_TO):
        _check_relocation(s)
    elif s.phase in (ANIMAL, ANIMAL_STEP):
        _check_animal(s)
    count = legal(s, [0] * MOST_LEGAL)
    least = 2 if s.phase in (MOVE, ANIMAL, RELOCATE, RELOCATE_TO) else 1
    _require(count >= least, "the player whose turn it is has nothing to choose from (AT-T3)")


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise NotationError(complaint)


def _check_fields(s: State) -> None:
    """What is only told in some phases is not told in the others."""
    moving = s.phase in (MOVE, MOVE_TO)
    _require(moving == (s.points > 0), "points: in step 1, and only there (AT-T1)")
    _require(moving or s.sea_stepped == 0, "swam: only in step 1 (AT-M5)")
    _require(
        all(TRIBE_OF[p] == s.turn for p in range(len(s.place)) if s.sea_stepped >> p & 1),
        "swam: only people of the player whose turn it is (AT-M9)",
    )
    _require(
        (s.phase in (ANIMAL, ANIMAL_STEP)) == (s.spun != UNKNOWN),
        "spun: in step 3, and only there (AT-W1)",
    )
    stepping = s.phase == ANIMAL_STEP
    _require(stepping == (s.steps > 0), "steps: while an animal is on its way (AT-W2)")
    _require(stepping == (s.origin != NOTHING), "origin: while an animal is on its way (AT-W2)")
    choosing = s.phase in (MOVE_TO, RELOCATE_TO, ANIMAL_STEP)
    _require(choosing == (s.chosen != NOTHING), "chosen: once a piece is chosen, and only then")
    idle = not any_piece_left(s) or s.idle_turns == 0
    _require(idle and s.idle_turns >= 0, "idle: only with no piece left (AT-E3)")


def _check_placing(s: State) -> None:
    """AT-S3: everyone has placed as many as the others, or one more before the turn came round."""
    waiting = []
    seat = s.turn
    for _ in range(s.seats):
        people = s.place[seat * PER_TRIBE : (seat + 1) * PER_TRIBE]
        _require(
            people == sorted(people, key=lambda place: place == WAITING),
            "people are numbered in the order they are placed (AT-M11)",
        )
        waiting.append(people.count(WAITING))
        seat = next_seat(s, seat)
    _require(waiting[0] > 0, "the player whose turn it is has nobody left to place (AT-S3)")
    _require(
        waiting == sorted(waiting, reverse=True) and waiting[0] - waiting[-1] <= 1,
        "people are placed in turn, one at a time (AT-S3)",
    )
    _require(
        any(has_room_at_set_up(s, piece) for piece in range(len(s.symbol))),
        "there is no room for another one (AT-S3)",
    )


def _check_chosen_to_move(s: State) -> None:
    if PERSON <= s.chosen < BOAT:
        person = s.chosen - PERSON
        can_move = TRIBE_OF[person] == s.turn and person_can_move(s, person)
    else:
        boat = s.chosen - BOAT
        can_move = BOAT <= s.chosen < ANIMAL_PIECE and boat_can_move(s, boat, s.turn)
    _require(can_move, "chosen: this piece cannot move (AT-T1)")


def _check_relocation(s: State) -> None:
    on_land = s.sinking != NOTHING and not is_sea(s, s.sinking)
    _require(on_land and s.crowd[s.sinking] > 0, "sinking: which piece, with people on it? (AT-K2)")
    if s.phase == RELOCATE:
        _require(s.crowd[s.sinking] > 1, "sinking: one person is not asked about (AT-T3)")
        return
    there = PERSON <= s.chosen < BOAT and s.place[s.chosen - PERSON] == s.sinking
    _require(there, "chosen: somebody on the sinking piece (AT-K2)")


def _check_animal(s: State) -> None:
    if s.phase == ANIMAL:
        kind = range(FIRST_OF_KIND[s.spun], FIRST_OF_KIND[s.spun + 1])
        _require(
            any(can_be_moved(s, animal) for animal in kind),
            "spun: no such animal can move (AT-W2)",
        )
        return
    _require(ANIMAL_PIECE <= s.chosen < STOP, "chosen: which animal moves? (AT-W1)")
    animal = s.chosen - ANIMAL_PIECE
    _require(
        KIND_OF[animal] == s.spun and is_on_board(s, animal),
        "chosen: not an animal of the spinner on the board (AT-W1)",
    )
    first = s.creature[animal] == s.origin
    full = 1 if s.part == T else s.part
    _require(
        s.steps == full if first else s.steps < full,
        "steps: not what the spinner says, less those it made (AT-W2)",
    )
    _require(is_sea(s, s.origin), "origin: it came from the sea (AT-X4)")
