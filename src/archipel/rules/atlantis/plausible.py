"""Whether a position written by hand can be met in a game: that its phase has something to ask."""

from __future__ import annotations

from archipel.rules.atlantis.animals import is_on_board
from archipel.rules.atlantis.board import PIECE_SPACES
from archipel.rules.atlantis.components import (
    FIRST_OF_KIND,
    KIND_OF,
    MONSTER,
    PER_TRIBE,
    PIECE_ROOM,
    SHARK,
    TRIBE_OF,
    T,
)
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.moving import boat_can_move, person_can_move
from archipel.rules.atlantis.names import TRIBE_NAMES, person_name, space_name
from archipel.rules.atlantis.sea import any_piece_left, next_seat
from archipel.rules.atlantis.sea_words import WORDS
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
    NOT_OVER,
    NOTHING,
    OVER,
    PERSON,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    SINK,
    STALEMATE,
    STOP,
    TRIBE_GONE,
    UNKNOWN,
    State,
)
from archipel.rules.atlantis.turn import legal
from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.places import NO_BOAT, WAITING
from archipel.rules.hex_sea.plausible import (
    check_idle,
    check_placing,
    check_swimmers,
    require,
    require_land,
)
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.kit import Stream, clone


def check_position(s: State) -> None:
    """`NotationError` if this cannot be met: who and where."""
    _check_tribes(s)
    people = s.seats * PER_TRIBE
    hungry = [a for a in range(FIRST_OF_KIND[SHARK + 1]) if is_on_board(s, a)]
    check_placing(s, WORDS, people, s.phase == PLACE, "AT-S3")
    check_swimmers(s, WORDS, people, hungry, "AT-M10")
    _check_crowds(s)
    _check_monsters(s)
    _check_end(s)
    _check_fields(s)
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    _check_phase(world)


def _check_tribes(s: State) -> None:
    for tribe in range(s.seats):
        require(
            s.left[tribe] > 0 or s.phase == OVER,
            "{tribe} has nobody left on the board: the game is over (AT-E1)",
            tribe=TRIBE_NAMES[tribe],
        )


def _check_crowds(s: State) -> None:
    for space, crowd in enumerate(s.crowd):
        people = [person for person, place in enumerate(s.place) if place == space]
        require(
            is_sea(s, space) or crowd <= PIECE_ROOM,
            "more than three people stand on {space}: {people} (AT-M1)",
            space=space_name(space),
            people=", ".join(map(person_name, people)),
        )


def _check_monsters(s: State) -> None:
    for animal in range(FIRST_OF_KIND[MONSTER], FIRST_OF_KIND[MONSTER + 1]):
        if is_on_board(s, animal):
            boat = boat_in(s, s.creature[animal])
            require(
                boat == NO_BOAT,
                "boat {boat} is on {space}, where {creature} is (AT-X1)",
                boat=boat + 1,
                space=space_name(s.creature[animal]),
                creature=WORDS.creature_name(animal),
            )


def _check_end(s: State) -> None:
    over = s.phase == OVER
    require(
        over == (s.ending != NOT_OVER),
        "ending: with phase=over, and only there, say why it ended: tribe_gone or stalemate "
        "(AT-E1)",
    )
    gone = [tribe for tribe in range(s.seats) if s.left[tribe] == 0]
    require(
        not over or (s.ending == TRIBE_GONE) == bool(gone),
        "ending: tribe_gone is when a tribe has nobody left on the board, and only then (AT-E1)",
    )
    check_idle(s, any_piece_left(s), s.phase != PLACE, "AT-E3")
    require(
        s.ending != STALEMATE or s.idle_turns == TURNS_WITHOUT_EVENT * s.seats,
        "ending=stalemate idle={idle}: it takes {most} turns with no piece left (AT-E3)",
        idle=s.idle_turns,
        most=TURNS_WITHOUT_EVENT * s.seats,
    )


def _check_phase(s: State) -> None:
    """Whether the player whose turn it is could be asked this."""
    if s.phase == OVER:
        return
    if s.phase == PLACE:
        _check_placing(s)
    elif s.phase == MOVE_TO:
        _check_chosen_to_move(s)
    elif s.phase == SINK:
        require(any_piece_left(s), "phase=sink: no piece is left (AT-T2)")
    elif s.phase in (RELOCATE, RELOCATE_TO):
        _check_relocation(s)
    elif s.phase in (ANIMAL, ANIMAL_STEP):
        _check_animal(s)
    count = legal(s, [0] * MOST_LEGAL)
    least = 2 if s.phase in (MOVE, ANIMAL, RELOCATE, RELOCATE_TO) else 1
    require(
        count >= least,
        "turn={seat}: there is nothing to choose from in this phase (AT-T3)",
        seat=s.turn + 1,
    )


def _check_fields(s: State) -> None:
    """What is only told in some phases is not told in the others."""
    moving = s.phase in (MOVE, MOVE_TO)
    require(moving == (s.points > 0), "points: in step 1, and only there (AT-T1)")
    require(moving or s.sea_stepped == 0, "swam: only in step 1 (AT-M5)")
    require(
        all(TRIBE_OF[p] == s.turn for p in range(len(s.place)) if s.sea_stepped >> p & 1),
        "swam: only people of the player whose turn it is (AT-M9)",
    )
    require(
        (s.phase in (ANIMAL, ANIMAL_STEP)) == (s.spun != UNKNOWN),
        "spun: in step 3, and only there (AT-W1)",
    )
    stepping = s.phase == ANIMAL_STEP
    require(stepping == (s.steps > 0), "steps: while an animal is on its way (AT-W2)")
    require(stepping == (s.origin != NOTHING), "origin: while an animal is on its way (AT-W2)")
    choosing = s.phase in (MOVE_TO, RELOCATE_TO, ANIMAL_STEP)
    require(choosing == (s.chosen != NOTHING), "chosen: once a piece is chosen, and only then")
    require(
        (s.sinking != NOTHING) == (s.phase in (RELOCATE, RELOCATE_TO)),
        "sinking: while people of a sinking piece are placed elsewhere, and only then (AT-K2)",
    )


def _check_placing(s: State) -> None:
    """AT-S3: everyone has placed as many as the others, or one more before the turn came round."""
    require_land(s, PIECE_SPACES, WORDS, "AT-S1")
    waiting = []
    seat = s.turn
    for _ in range(s.seats):
        people = s.place[seat * PER_TRIBE : (seat + 1) * PER_TRIBE]
        require(
            people == sorted(people, key=lambda place: place == WAITING),
            "{tribe}: people are numbered in the order they are placed (AT-M11)",
            tribe=TRIBE_NAMES[seat],
        )
        waiting.append(people.count(WAITING))
        seat = next_seat(s, seat)
    require(
        waiting[0] > 0,
        "turn={seat}: {tribe} has nobody left to place (AT-S3)",
        seat=s.turn + 1,
        tribe=TRIBE_NAMES[s.turn],
    )
    require(
        waiting == sorted(waiting, reverse=True) and waiting[0] - waiting[-1] <= 1,
        "turn={seat}: people are placed in turn, one at a time (AT-S3)",
        seat=s.turn + 1,
    )
    require(
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
    require(can_move, "chosen={piece}: it cannot move (AT-T1)", piece=WORDS.chosen_text(s.chosen))


def _check_relocation(s: State) -> None:
    on_land = s.sinking != NOTHING and not is_sea(s, s.sinking)
    require(on_land and s.crowd[s.sinking] > 0, "sinking: which piece, with people on it? (AT-K2)")
    if s.phase == RELOCATE:
        require(s.crowd[s.sinking] > 1, "sinking: one person is not asked about (AT-T3)")
        return
    there = PERSON <= s.chosen < BOAT and s.place[s.chosen - PERSON] == s.sinking
    require(
        there,
        "chosen={piece}: not somebody on the sinking piece, {space} (AT-K2)",
        piece=WORDS.chosen_text(s.chosen),
        space=space_name(s.sinking),
    )


def _check_animal(s: State) -> None:
    if s.phase == ANIMAL:
        kind = range(FIRST_OF_KIND[s.spun], FIRST_OF_KIND[s.spun + 1])
        require(
            any(can_be_moved(s, animal) for animal in kind),
            "spun: no such animal can move (AT-W2)",
        )
        return
    require(ANIMAL_PIECE <= s.chosen < STOP, "chosen: which animal moves? (AT-W1)")
    animal = s.chosen - ANIMAL_PIECE
    require(
        KIND_OF[animal] == s.spun and is_on_board(s, animal),
        "chosen: not an animal of the spinner on the board (AT-W1)",
    )
    first = s.creature[animal] == s.origin
    full = 1 if s.part == T else s.part
    require(
        s.steps == full if first else s.steps < full,
        "steps: not what the spinner says, less those it made (AT-W2)",
    )
    require(is_sea(s, s.origin), "origin: it came from the sea (AT-X4)")
