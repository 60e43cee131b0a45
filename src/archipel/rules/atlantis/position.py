"""Positions as text, and back: the words, and which positions can occur in a game.

``seats=2 phase=move turn=1 points=3 land=d4?,d5:boat,... sunk=d6:shark red=d4,d4,boat1,nw,lost,...
blue=... boats=c3,d2 monsters=- sharks=d6 octopuses=- dolphins=x``
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.atlantis.animals import is_on_board, put_animal
from archipel.rules.atlantis.board import (
    CENTRE,
    PIECE_OF,
    PIECE_SPACES,
    PIECES,
    SPACES,
    TERRAIN_OF,
)
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import (
    CENTRE_SYMBOL,
    FEWEST_SEATS,
    FIRST_OF_KIND,
    KIND_OF,
    MONSTER,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PER_TRIBE,
    PIECE_ROOM,
    SHARK,
    TRIBE_OF,
    T,
)
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.moving import boat_can_move, person_can_move
from archipel.rules.atlantis.names import (
    ISLAND_NUMBERS,
    NAMES,
    SPACE_NUMBERS,
    TRIBE_NAMES,
    person_name,
    space_name,
    spun_name,
)
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.setup import has_room_at_set_up
from archipel.rules.atlantis.spinner import can_be_moved
from archipel.rules.atlantis.state import MOST_LEGAL, NOTHING, UNKNOWN, Action, Ending, Phase, State
from archipel.rules.atlantis.turn import legal
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.places import LAND, LOST, NO_BOAT, WAITING
from archipel.rules.hex_sea.position import SeaWords
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.position_fields import (
    Choice,
    Field,
    Number,
    PositionTable,
    Reading,
    Switch,
    Written,
    listed,
    names_in,
    refuse,
    seats_field,
    seats_of,
)
from archipel.rules.sentence import Sentence

PHASES: Final = names_in(Phase, Phase.OVER)
ENDINGS: Final = names_in(Ending, Ending.STALEMATE, none=Ending.NOT_OVER)
TERRAIN_WORDS: Final = tuple(f"{terrain}s" for terrain in TERRAINS)
ANIMAL_WORDS: Final = ("monsters", "sharks", "octopuses", "dolphins")
SPUN: Final = {"-": (UNKNOWN, 0)} | {
    spun_name(kind, part): (kind, part) for kind in range(len(ANIMAL_KINDS)) for part in range(1, 5)
}
WORDS: Final = SeaWords(
    NAMES, "a person",
    person_action=Action.PERSON, boat_action=Action.BOAT, creature_action=Action.ANIMAL,
    nothing=NOTHING,
    rules={"box": "AT-C1", "boats": "AT-B2", "crew": "AT-M2", "creatures": "AT-X4",
           "placing": "AT-S3", "land": "AT-S1", "swimmers": "AT-M10", "idle": "AT-E3"},
)  # fmt: skip

_PIECE: Final = re.compile(r"([a-z]\d+)(?:\?|:([a-z]+))?")
_MOVING: Final = (Phase.MOVE, Phase.MOVE_TO)
_RELOCATING: Final = (Phase.RELOCATE, Phase.RELOCATE_TO)
_SPINNING: Final = (Phase.ANIMAL, Phase.ANIMAL_STEP)


# ---- whose decision it is -----------------------------------------------------------------------


def _read_board(at: Reading[State]) -> None:
    if at.text != BOX.name:
        at.refuse(
            "board={board}: this position is of another board than the one in use, {used} (AT-C7)",
            board=at.text,
            used=BOX.name,
        )


def _read_chosen(at: Reading[State]) -> None:
    chosen = WORDS.read_chosen(at.text)
    if chosen is None:
        at.refuse("chosen={text}: expected something like R3, boat2, shark1 or -")
    at.s.chosen = chosen


def _space(attribute: str) -> Written:
    """A space, or ``-``."""

    def write(s: State, index: int) -> str:
        space = getattr(s, attribute)
        return "-" if space == NOTHING else space_name(space)

    def read(at: Reading[State]) -> None:
        if at.text != "-" and at.text not in SPACE_NUMBERS:
            at.refuse("{name}={value}: there is no such space", value=at.text)
        setattr(at.s, attribute, SPACE_NUMBERS.get(at.text, NOTHING))

    return Written(write, read)


def _spun_text(s: State, index: int) -> str:
    return "-" if s.spun == UNKNOWN else spun_name(s.spun, s.part)


def _read_spun(at: Reading[State]) -> None:
    if at.text not in SPUN:
        known = ", ".join(SPUN)
        at.refuse("spun={spun}: expected one of {known} (AT-C5)", spun=at.text, known=known)
    at.s.spun, at.s.part = SPUN[at.text]


def _usual_idle_turns(s: State) -> int:
    """AT-E3: a turn that begins with no piece left counts."""
    if s.ending == Ending.STALEMATE:
        return TURNS_WITHOUT_EVENT * s.seats
    return int(s.phase not in (Phase.PLACE, Phase.OVER) and not any(s.land_left))


# ---- pieces of the island -----------------------------------------------------------------------


def _pieces_text(on_board: bool) -> Written:
    def write(s: State, index: int) -> str:
        pieces = [p for p in range(PIECES) if is_sea(s, PIECE_SPACES[p]) != on_board]
        return listed([_piece_text(s, piece) for piece in pieces])

    def read(at: Reading[State]) -> None:
        for part in at.parts:
            for piece in _read_piece(at, part):
                space = PIECE_SPACES[piece]
                if piece in at.named:
                    parts = {"part": part, "space": space_name(space)}
                    at.refuse("{name}: {part}: piece {space} is already named", parts)
                at.named.add(piece)
                at.s.space[space] |= LAND if on_board else 0

    return Written(write, read)


def _piece_text(s: State, piece: int) -> str:
    symbol = "?" if s.symbol[piece] == UNKNOWN else f":{SYMBOLS[s.symbol[piece]]}"
    return f"{space_name(PIECE_SPACES[piece])}{symbol}"


def _read_piece(at: Reading[State], text: str) -> list[int]:
    """One piece, or all of a terrain. Symbols that are not told are dealt (AT-S1)."""
    if text in TERRAIN_WORDS:
        terrain = TERRAIN_WORDS.index(text)
        return [piece for piece in range(PIECES) if TERRAIN_OF[piece] == terrain]
    match = _PIECE.fullmatch(text)
    piece = PIECE_OF[SPACE_NUMBERS[match[1]]] if match and match[1] in SPACE_NUMBERS else -1
    if match is None or piece < 0:
        at.refuse(
            "{where}: {text!r} is not a piece; write d4? or d4:shark, or a terrain: {terrains}",
            text=text,
            terrains=", ".join(TERRAIN_WORDS),
        )
    if match[2] is not None:
        if match[2] not in SYMBOLS:
            at.refuse("{where}: {text}: symbols are {known}", text=text, known=", ".join(SYMBOLS))
        at.s.symbol[piece] = SYMBOLS.index(match[2])
    return [piece]


def _lay_the_rest(at: Reading[State]) -> None:
    """Pieces that are named nowhere lie on the board."""
    s = at.s
    _check_symbols(s)
    for piece, space in enumerate(PIECE_SPACES):
        if piece not in at.named:
            s.space[space] |= LAND
        s.land_left[TERRAIN_OF[piece]] += not is_sea(s, space)


def _check_symbols(s: State) -> None:
    for terrain, name in enumerate(TERRAINS):
        known = Counter(s.symbol[piece] for piece in range(PIECES) if TERRAIN_OF[piece] == terrain)
        for symbol, count in enumerate(BOX.symbols[terrain]):
            if known[symbol] > count:
                refuse(
                    "{known} {terrain} pieces bear {symbol}, but there are {count} (AT-C4)",
                    {"known": known[symbol], "terrain": Sentence(name), "count": count},
                    symbol=SYMBOLS[symbol],
                )
    if CENTRE_SYMBOL >= 0:  # AT-C2: a symbol of the largest mountain, which no other takes
        mountains = [
            p for p in range(PIECES) if TERRAIN_OF[p] == TERRAIN_OF[CENTRE] and p != CENTRE
        ]
        others = sum(s.symbol[piece] == CENTRE_SYMBOL for piece in mountains)
        free = BOX.symbols[TERRAIN_OF[CENTRE]][CENTRE_SYMBOL] - others
        if s.symbol[CENTRE] not in (UNKNOWN, CENTRE_SYMBOL) or free < 1:
            parts = {"space": space_name(PIECE_SPACES[CENTRE]), "symbol": SYMBOLS[CENTRE_SYMBOL]}
            refuse("{space} is the largest mountain, which bears {symbol} (AT-C2)", parts)


# ---- people -------------------------------------------------------------------------------------


def _tribe_text(s: State, tribe: int) -> str:
    return ",".join(map(WORDS.place_text, s.place[tribe * PER_TRIBE : (tribe + 1) * PER_TRIBE]))


def _read_tribe(at: Reading[State]) -> None:
    s, tribe, parts = at.s, at.index, at.parts
    if tribe >= s.seats:
        if parts:
            at.refuse("{name}: this tribe does not play (AT-C1)")
        return
    if len(parts) > PER_TRIBE:
        at.refuse("{name}: a tribe has {count} people (AT-C1)", count=PER_TRIBE)
    parts += ["-" if s.phase == Phase.PLACE else "lost"] * (PER_TRIBE - len(parts))
    for person, text in enumerate(parts, tribe * PER_TRIBE):
        place = WORDS.read_place(text)
        if place is None:
            island = next(iter(ISLAND_NUMBERS))
            at.refuse(
                "{name}: {text!r} is not where a person can be; write f7, boat2, {island}, lost "
                "or -",
                text=text,
                island=island,
            )
        WORDS.put_person(s, person, place, tribe)
        if place < SPACES:
            s.crowd[place] += 1
        s.left[tribe] += not is_saved(s, person) and place != LOST


# ---- which positions can occur ------------------------------------------------------------------


def _check_people(s: State) -> None:
    for tribe in range(s.seats):
        if s.left[tribe] == 0 and s.phase != Phase.OVER:
            refuse(
                "{tribe} has nobody left on the board: the game is over (AT-E1)",
                tribe=TRIBE_NAMES[tribe],
            )
    on_board = [animal for animal in range(len(s.creature)) if is_on_board(s, animal)]
    WORDS.check_placing(s, s.seats * PER_TRIBE, s.phase == Phase.PLACE)
    WORDS.check_swimmers(s, s.seats * PER_TRIBE, [a for a in on_board if KIND_OF[a] <= SHARK])
    for space, crowd in enumerate(s.crowd):
        if crowd > PIECE_ROOM and not is_sea(s, space):
            people = [person_name(person) for person, place in enumerate(s.place) if place == space]
            parts = {"space": space_name(space), "people": ", ".join(people)}
            refuse("more than three people stand on {space}: {people} (AT-M1)", parts)
    for animal in on_board:
        space = s.creature[animal]
        if KIND_OF[animal] == MONSTER and boat_in(s, space) != NO_BOAT:
            refuse(
                "boat {boat} is on {space}, where {creature} is (AT-X1)",
                {"boat": boat_in(s, space) + 1, "space": space_name(space)},
                creature=WORDS.creature_name(animal),
            )


def _check_end(s: State) -> None:
    if (s.phase == Phase.OVER) != (s.ending != Ending.NOT_OVER):
        refuse(
            "ending: with phase=over, and only there, say why it ended: tribe_gone or stalemate "
            "(AT-E1)"
        )
    if s.phase == Phase.OVER and (s.ending == Ending.TRIBE_GONE) != (0 in s.left[: s.seats]):
        refuse(
            "ending: tribe_gone is when a tribe has nobody left on the board, and only then (AT-E1)"
        )
    WORDS.check_idle(s, s.phase != Phase.PLACE)
    most = TURNS_WITHOUT_EVENT * s.seats
    if s.ending == Ending.STALEMATE and s.idle_turns != most:
        refuse(
            "ending=stalemate idle={idle}: it takes {most} turns with no piece left (AT-E3)",
            idle=s.idle_turns,
            most=most,
        )


def _check_words(s: State) -> None:
    """Words that belong to some phases are not there in the others."""
    moving, stepping = s.phase in _MOVING, s.phase == Phase.ANIMAL_STEP
    if moving != (s.points > 0):
        refuse("points: in step 1, and only there (AT-T1)")
    if s.sea_stepped and not moving:
        refuse("swam: only in step 1 (AT-M5)")
    if any(
        s.sea_stepped >> person & 1 for person in range(len(s.place)) if TRIBE_OF[person] != s.turn
    ):
        refuse("swam: only people of the player whose turn it is (AT-M9)")
    if (s.phase in _SPINNING) != (s.spun != UNKNOWN):
        refuse("spun: in step 3, and only there (AT-W1)")
    if stepping != (s.steps > 0):
        refuse("steps: while an animal is on its way (AT-W2)")
    if stepping != (s.origin != NOTHING):
        refuse("origin: while an animal is on its way (AT-W2)")
    if (s.phase in (Phase.MOVE_TO, Phase.RELOCATE_TO, Phase.ANIMAL_STEP)) != (s.chosen != NOTHING):
        refuse("chosen: once a piece is chosen, and only then")
    if (s.phase in _RELOCATING) != (s.sinking != NOTHING):
        refuse(
            "sinking: while people of a sinking piece are placed elsewhere, and only then (AT-K2)"
        )


def _check_phase(_: State, s: State) -> None:
    """Whether the player whose turn it is could be asked this, in a position without unknowns."""
    if s.phase == Phase.OVER:
        return
    if s.phase == Phase.PLACE:
        _check_placing(s)
    elif s.phase == Phase.MOVE_TO and not _can_move(s):
        refuse("chosen={piece}: it cannot move (AT-T1)", piece=WORDS.chosen_text(s.chosen))
    elif s.phase == Phase.SINK and not any(s.land_left):
        refuse("phase=sink: no piece is left (AT-T2)")
    elif s.phase in _RELOCATING:
        _check_relocation(s)
    elif s.phase in _SPINNING:
        _check_animal(s)
    least = 2 if s.phase in (Phase.MOVE, Phase.ANIMAL, *_RELOCATING) else 1
    if legal(s, [0] * MOST_LEGAL) < least:
        seat = s.turn + 1
        refuse("turn={seat}: there is nothing to choose from in this phase (AT-T3)", seat=seat)


def _check_placing(s: State) -> None:
    """AT-S3: everyone has placed as many as the others, or one more before the turn came round."""
    WORDS.check_land(s, PIECE_SPACES)
    waiting = []
    for seat in [*range(s.turn, s.seats), *range(s.turn)]:
        people = s.place[seat * PER_TRIBE : (seat + 1) * PER_TRIBE]
        waiting.append(people.count(WAITING))
        if WAITING in people[: PER_TRIBE - waiting[-1]]:
            refuse(
                "{tribe}: people are numbered in the order they are placed (AT-M11)",
                tribe=TRIBE_NAMES[seat],
            )
    parts = {"seat": s.turn + 1, "tribe": TRIBE_NAMES[s.turn]}
    if waiting[0] == 0:
        refuse("turn={seat}: {tribe} has nobody left to place (AT-S3)", parts)
    if waiting != sorted(waiting, reverse=True) or waiting[0] - waiting[-1] > 1:
        refuse("turn={seat}: people are placed in turn, one at a time (AT-S3)", parts)
    if not any(has_room_at_set_up(s, piece) for piece in range(PIECES)):
        refuse("there is no room for another one (AT-S3)")


def _can_move(s: State) -> bool:
    person = s.chosen - Action.PERSON
    if Action.PERSON <= s.chosen < Action.BOAT:
        return TRIBE_OF[person] == s.turn and person_can_move(s, person)
    return Action.BOAT <= s.chosen < Action.ANIMAL and boat_can_move(
        s, s.chosen - Action.BOAT, s.turn
    )


def _check_relocation(s: State) -> None:
    if is_sea(s, s.sinking) or s.crowd[s.sinking] == 0:
        refuse("sinking: which piece, with people on it? (AT-K2)")
    if s.phase == Phase.RELOCATE:
        if s.crowd[s.sinking] == 1:
            refuse("sinking: one person is not asked about (AT-T3)")
    elif (
        not Action.PERSON <= s.chosen < Action.BOAT
        or s.place[s.chosen - Action.PERSON] != s.sinking
    ):
        parts = {"piece": WORDS.chosen_text(s.chosen), "space": space_name(s.sinking)}
        refuse("chosen={piece}: not somebody on the sinking piece, {space} (AT-K2)", parts)


def _check_animal(s: State) -> None:
    if s.phase == Phase.ANIMAL:
        kind = range(FIRST_OF_KIND[s.spun], FIRST_OF_KIND[s.spun + 1])
        if not any(can_be_moved(s, animal) for animal in kind):
            refuse("spun: no such animal can move (AT-W2)")
        return
    if not Action.ANIMAL <= s.chosen < Action.STOP:
        refuse("chosen: which animal moves? (AT-W1)")
    animal = s.chosen - Action.ANIMAL
    if KIND_OF[animal] != s.spun or not is_on_board(s, animal):
        refuse("chosen: not an animal of the spinner on the board (AT-W1)")
    full = 1 if s.part == T else s.part
    if s.steps != full if s.creature[animal] == s.origin else s.steps >= full:
        refuse("steps: not what the spinner says, less those it made (AT-W2)")
    if not is_sea(s, s.origin):
        refuse("origin: it came from the sea (AT-X4)")


# ---- the table ----------------------------------------------------------------------------------

_STEPPING: Final = "phase=animal_step spun=shark-{} chosen=shark1 steps=2 sharks={} origin=a1"

POSITION: Final = PositionTable(
    State,
    (
        seats_field(FEWEST_SEATS, MOST_SEATS, lambda s: (TRIBE_NAMES,),
                    example="seats=3 yellow=f4"),
        Field("board", Written(lambda s, index: BOX.name, _read_board),
              "the board it was played on, as positions of this board write it",
              BOX.name, "the board in use"),
        Field("swimmers_land", Switch("swimmers_land"),
              "the option: may swimmers land on the island?", "on", example="swimmers_land=off"),
        Field("phase", Choice("phase", PHASES),
              "what is decided: `place`, `move`, `move_to` (where to), `sink`, `relocate` (who of "
              "a sunken piece), `relocate_to`, `animal`, `animal_step`, `over`",
              "move", example="phase=sink"),
        Field("turn", Number("turn", 1, seats_of, first=1), "the seat whose turn it is", "1",
              example="turn=2"),
        Field("points", Number("points", 0, MOVEMENT_POINTS),
              f"movement points left, 0 to {MOVEMENT_POINTS}",
              lambda s: MOVEMENT_POINTS if s.phase in _MOVING else 0,
              f"`{MOVEMENT_POINTS}`; 0 unless somebody moves", "points=1"),
        Field("chosen", Written(lambda s, index: WORDS.chosen_text(s.chosen), _read_chosen),
              "the piece that is being moved: `R3`, `boat2`, `shark1`",
              example="phase=move_to chosen=R1"),
        Field("sinking", _space("sinking"), "the piece whose people are being moved away",
              example="phase=relocate sinking=d4 red=d4,d4"),
        Field("spun", Written(_spun_text, _read_spun), "an animal and 1, 2, 3 or T",
              example="phase=animal spun=shark-2 sharks=a1"),
        Field("steps", Number("steps", 0, 3), "how many spaces the animal can still go", "0",
              example=_STEPPING.format(2, "a1")),
        Field("origin", _space("origin"), "the space that the animal started from",
              example=_STEPPING.format(3, "a2")),
        WORDS.people_set("swam", "sea_stepped", "people who have made their sea step this turn",
                         "swam=R1 points=2"),
        WORDS.idle_field(_usual_idle_turns, "piece", "sunk", "sunk=plains,hills,mountains "
                         "red=boat1 blue=boat1 boats=a1 idle=3"),
        Field("ending", Choice("ending", ENDINGS), "why it is over: `tribe_gone`, `stalemate`",
              example="phase=over ending=tribe_gone red=nw blue=lost"),
        Field("land", _pieces_text(on_board=True),
              "pieces on the board: `d4` or `d4?` with a hidden underside, `d4:shark` with a known "
              "one, `plains` all of a terrain", usual="every piece that has not sunk",
              example="land=d4:shark"),
        Field("sunk", _pieces_text(on_board=False),
              "pieces that have sunk, in the same way; undersides that are not told are dealt",
              example="sunk=e5,d5:boat", needs=("land",), then=_lay_the_rest),
        Field(TRIBE_NAMES, Written(_tribe_text, _read_tribe),
              "the people of seats 1 to 4 in their order: a space, `boat2`, a Coral Island, "
              "`lost`, or `-` before they are placed; those not named are lost", usual="nobody",
              example="red=d4,boat1,nw boats=a1", needs=("boats",), count=seats_of, read_all=True),
        WORDS.boats_field(needs="sunk"),
        *(WORDS.creatures_field(word, range(*FIRST_OF_KIND[kind : kind + 2]), put_animal)
          for kind, word in enumerate(ANIMAL_WORDS)),
    ),
    shortest="red=d4 blue=e4", shortest_meaning="seat 1 moves, and nothing has sunk",
    deal_unseen=deal_unseen, fault=fault, faults=FAULTS,
    checks=(_check_people, _check_end, _check_words), dealt_checks=(_check_phase,),
)  # fmt: skip
position_text = POSITION.write
parse_position = POSITION.read
