"""Positions as text, and back: the words, and the positions that can occur in a game.

``seats=2 phase=move turn=1 points=3 land=d4?,d5:boat,... sunk=d6:shark red=d4,d4,boat1,nw,lost,...
blue=... boats=c3,d2 monsters=- sharks=d6 octopuses=- dolphins=x``
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.atlantis import board
from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.animals import is_on_board, put_animal
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.end import somebody_is_done
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.moving import boat_can_move, person_can_move
from archipel.rules.atlantis.names import NAMES, TRIBE_NAMES, spun_name
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.setup import has_room_at_set_up
from archipel.rules.atlantis.spinner import any_can_be_moved
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Action, Ending, Phase, State
from archipel.rules.atlantis.turn import legal_actions
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.places import LAND, LOST, NO_BOAT, WAITING
from archipel.rules.hex_sea.position import SeaWords, require
from archipel.rules.hex_sea.sea import TURNS_WITHOUT_EVENT
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
    NAMES, "a person", NOTHING,
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
    if at.text not in WORDS.chosen:
        at.refuse("chosen={text}: expected something like R3, boat2, shark1 or -")
    at.s.chosen = WORDS.chosen[at.text]


def _space(attribute: str) -> Written:
    """A space, or ``-``."""

    def write(s: State, index: int) -> str:
        space = getattr(s, attribute)
        return "-" if space == NOTHING else NAMES.space(space)

    def read(at: Reading[State]) -> None:
        if at.text != "-" and at.text not in NAMES.spaces:
            at.refuse("{name}={value}: there is no such space", value=at.text)
        setattr(at.s, attribute, NAMES.spaces.get(at.text, NOTHING))

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
        pieces = [p for p in range(board.PIECES) if is_sea(s, board.PIECE_SPACES[p]) != on_board]
        return listed([_piece_text(s, piece) for piece in pieces])

    def read(at: Reading[State]) -> None:
        for part in at.parts:
            for piece in _read_piece(at, part):
                space = board.PIECE_SPACES[piece]
                if piece in at.named:
                    parts = {"part": part, "space": NAMES.space(space)}
                    at.refuse("{name}: {part}: piece {space} is already named", parts)
                at.named.add(piece)
                at.s.space[space] |= LAND if on_board else 0

    return Written(write, read)


def _piece_text(s: State, piece: int) -> str:
    symbol = "?" if s.symbol[piece] == UNKNOWN else f":{SYMBOLS[s.symbol[piece]]}"
    return f"{NAMES.space(board.PIECE_SPACES[piece])}{symbol}"


def _read_piece(at: Reading[State], text: str) -> list[int]:
    """One piece, or all of a terrain. Symbols that are not given are dealt (AT-S1)."""
    if text in TERRAIN_WORDS:
        terrain = TERRAIN_WORDS.index(text)
        return [piece for piece in range(board.PIECES) if board.TERRAIN_OF[piece] == terrain]
    match = _PIECE.fullmatch(text)
    piece = board.PIECE_OF[NAMES.spaces[match[1]]] if match and match[1] in NAMES.spaces else -1
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
    """Put pieces that are not given on the board."""
    s = at.s
    _check_symbols(s)
    for piece, space in enumerate(board.PIECE_SPACES):
        if piece not in at.named:
            s.space[space] |= LAND
        s.land_left[board.TERRAIN_OF[piece]] += not is_sea(s, space)


def _check_symbols(s: State) -> None:
    for terrain, name in enumerate(TERRAINS):
        known = Counter(
            s.symbol[piece] for piece in range(board.PIECES) if board.TERRAIN_OF[piece] == terrain
        )
        for symbol, count in enumerate(BOX.symbols[terrain]):
            if known[symbol] > count:
                refuse(
                    "{known} {terrain} pieces bear {symbol}, but there are {count} (AT-C4)",
                    {"known": known[symbol], "terrain": Sentence(name), "count": count},
                    symbol=SYMBOLS[symbol],
                )
    if box.CENTRE_SYMBOL >= 0:  # AT-C2: one such symbol is reserved for the largest mountain
        mountains = [
            p
            for p in range(board.PIECES)
            if board.TERRAIN_OF[p] == board.TERRAIN_OF[board.CENTRE] and p != board.CENTRE
        ]
        others = sum(s.symbol[piece] == box.CENTRE_SYMBOL for piece in mountains)
        free = BOX.symbols[board.TERRAIN_OF[board.CENTRE]][box.CENTRE_SYMBOL] - others
        if s.symbol[board.CENTRE] not in (UNKNOWN, box.CENTRE_SYMBOL) or free < 1:
            parts = {
                "space": NAMES.space(board.PIECE_SPACES[board.CENTRE]),
                "symbol": SYMBOLS[box.CENTRE_SYMBOL],
            }
            refuse("{space} is the largest mountain, which bears {symbol} (AT-C2)", parts)


# ---- people -------------------------------------------------------------------------------------


def _tribe_text(s: State, tribe: int) -> str:
    return ",".join(
        map(WORDS.place_text, s.place[tribe * box.PER_TRIBE : (tribe + 1) * box.PER_TRIBE])
    )


def _read_tribe(at: Reading[State]) -> None:
    s, tribe, parts = at.s, at.index, at.parts
    if tribe >= s.seats:
        if parts:
            at.refuse("{name}: this tribe does not play (AT-C1)")
        return
    if len(parts) > box.PER_TRIBE:
        at.refuse("{name}: a tribe has {count} people (AT-C1)", count=box.PER_TRIBE)
    parts += ["-" if s.phase == Phase.PLACE else "lost"] * (box.PER_TRIBE - len(parts))
    for person, text in enumerate(parts, tribe * box.PER_TRIBE):
        place = WORDS.read_place(text)
        if place is None:
            island = next(iter(NAMES.islands))
            at.refuse(
                "{name}: {text!r} is not where a person can be; write f7, boat2, {island}, lost "
                "or -",
                text=text,
                island=island,
            )
        WORDS.put_person(s, person, place, tribe)
        if place < board.SPACES:
            s.crowd[place] += 1
        s.left[tribe] += not is_saved(s, person) and place != LOST


# ---- which positions can occur ------------------------------------------------------------------


def _check_people(s: State) -> None:
    if s.phase != Phase.OVER and somebody_is_done(s):
        refuse(
            "{tribe} has nobody left on the board: the game is over (AT-E1)",
            tribe=next(TRIBE_NAMES[tribe] for tribe in range(s.seats) if s.left[tribe] == 0),
        )
    on_board = [animal for animal in range(len(s.creature)) if is_on_board(s, animal)]
    WORDS.check_placing(s, s.seats * box.PER_TRIBE, s.phase == Phase.PLACE)
    WORDS.check_swimmers(
        s, s.seats * box.PER_TRIBE, [a for a in on_board if box.KIND_OF[a] <= box.SHARK]
    )
    for space, crowd in enumerate(s.crowd):
        if crowd > box.PIECE_ROOM and not is_sea(s, space):
            people = ", ".join(map(NAMES.person, pieces_in(s.place, space)))
            parts = {"space": NAMES.space(space), "people": people}
            refuse("more than three people are on {space}: {people} (AT-M1)", parts)
    for animal in on_board:
        space = s.creature[animal]
        if box.KIND_OF[animal] == box.MONSTER and boat_in(s, space) != NO_BOAT:
            refuse(
                "boat {boat} is on {space}, where {creature} is (AT-X1)",
                {"boat": boat_in(s, space) + 1, "space": NAMES.space(space)},
                creature=WORDS.creature_name(animal),
            )


def _check_end(s: State) -> None:
    over = s.phase == Phase.OVER
    require(
        over == (s.ending != Ending.NOT_OVER),
        "ending: with phase=over, and only there, say why it ended: tribe_gone or stalemate "
        "(AT-E1)",
    )
    require(
        not over or (s.ending == Ending.TRIBE_GONE) == somebody_is_done(s),
        "ending: tribe_gone is when a tribe has nobody left on the board, and only then (AT-E1)",
    )
    WORDS.check_idle(s, s.phase != Phase.PLACE)
    most = TURNS_WITHOUT_EVENT * s.seats
    require(
        s.ending != Ending.STALEMATE or s.idle_turns == most,
        "ending=stalemate idle={idle}: it takes {most} turns with no piece left (AT-E3)",
        idle=s.idle_turns,
        most=most,
    )


def _check_words(s: State) -> None:
    """Words occur only in their phases."""
    moving, stepping = s.phase in _MOVING, s.phase == Phase.ANIMAL_STEP
    relocating, spinning = s.phase in _RELOCATING, s.phase in _SPINNING
    choosing = s.phase in (Phase.MOVE_TO, Phase.RELOCATE_TO, Phase.ANIMAL_STEP)
    others = [person for person, tribe in enumerate(box.TRIBE_OF) if tribe != s.turn]
    swam = any(s.sea_stepped >> person & 1 for person in others)
    require(moving == (s.points > 0), "points: required in step 1, not allowed elsewhere (AT-T1)")
    require(moving or not s.sea_stepped, "swam: only in step 1 (AT-M5)")
    require(not swam, "swam: only people of the player whose turn it is (AT-M9)")
    require(
        spinning == (s.spun != UNKNOWN), "spun: required in step 3, not allowed elsewhere (AT-W1)"
    )
    require(stepping == (s.steps > 0), "steps: while an animal is on its way (AT-W2)")
    require(stepping == (s.origin != NOTHING), "origin: while an animal is on its way (AT-W2)")
    require(
        choosing == (s.chosen != NOTHING),
        "chosen: required once a piece is chosen, not allowed otherwise",
    )
    require(
        relocating == (s.sinking != NOTHING),
        "sinking: while people of a sinking piece are placed elsewhere, and only then (AT-K2)",
    )


def _check_phase(_: State, s: State) -> None:
    """Check that the decision is possible, in a position without unknowns."""
    if s.phase == Phase.OVER:
        return
    if s.phase == Phase.PLACE:
        _check_placing(s)
    elif s.phase == Phase.MOVE_TO:
        piece = WORDS.chosen_text(s.chosen)
        require(_can_move(s), "chosen={piece}: it cannot move (AT-T1)", piece=piece)
    elif s.phase == Phase.SINK:
        require(any(s.land_left), "phase=sink: no piece is left (AT-T2)")
    elif s.phase in _RELOCATING:
        _check_relocation(s)
    elif s.phase in _SPINNING:
        _check_animal(s)
    least = 2 if s.phase in (Phase.MOVE, Phase.ANIMAL, *_RELOCATING) else 1
    require(
        len(legal_actions(s)) >= least,
        "turn={seat}: there is nothing to choose from in this phase (AT-T3)",
        seat=s.turn + 1,
    )


def _check_placing(s: State) -> None:
    """AT-S3: players place in turn, so their counts differ by one at most."""
    WORDS.check_land(s, board.PIECE_SPACES)
    waiting = []
    for seat in [*range(s.turn, s.seats), *range(s.turn)]:
        people = s.place[seat * box.PER_TRIBE : (seat + 1) * box.PER_TRIBE]
        waiting.append(people.count(WAITING))
        require(
            WAITING not in people[: box.PER_TRIBE - waiting[-1]],
            "{tribe}: people are numbered in the order they are placed (AT-M11)",
            tribe=TRIBE_NAMES[seat],
        )
    seat, tribe, has_any = s.turn + 1, TRIBE_NAMES[s.turn], waiting[0] > 0
    require(
        has_any, "turn={seat}: {tribe} has nobody left to place (AT-S3)", seat=seat, tribe=tribe
    )
    in_turn = waiting == sorted(waiting, reverse=True) and waiting[0] - waiting[-1] <= 1
    require(
        in_turn, "turn={seat}: people are placed in turn, one at a time (AT-S3)", seat=s.turn + 1
    )
    has_room = any(has_room_at_set_up(s, piece) for piece in range(board.PIECES))
    require(has_room, "there is no room for another one (AT-S3)")


def _can_move(s: State) -> bool:
    person, boat = s.chosen - Action.PERSON, s.chosen - Action.BOAT
    if Action.PERSON <= s.chosen < Action.BOAT:
        return box.TRIBE_OF[person] == s.turn and person_can_move(s, person)
    return Action.BOAT <= s.chosen < Action.ANIMAL and boat_can_move(s, boat, s.turn)


def _check_relocation(s: State) -> None:
    on_land = not is_sea(s, s.sinking) and s.crowd[s.sinking] > 0
    require(on_land, "sinking: which piece, with people on it? (AT-K2)")
    if s.phase == Phase.RELOCATE:
        require(s.crowd[s.sinking] > 1, "sinking: one person is not asked about (AT-T3)")
        return
    is_person = Action.PERSON <= s.chosen < Action.BOAT
    require(
        is_person and s.place[s.chosen - Action.PERSON] == s.sinking,
        "chosen={piece}: not somebody on the sinking piece, {space} (AT-K2)",
        piece=WORDS.chosen_text(s.chosen),
        space=NAMES.space(s.sinking),
    )


def _check_animal(s: State) -> None:
    if s.phase == Phase.ANIMAL:
        require(any_can_be_moved(s, s.spun), "spun: no such animal can move (AT-W2)")
        return
    require(Action.ANIMAL <= s.chosen < Action.STOP, "chosen: which animal moves? (AT-W1)")
    animal = s.chosen - Action.ANIMAL
    spun = box.KIND_OF[animal] == s.spun and is_on_board(s, animal)
    require(spun, "chosen: not an animal of the spinner on the board (AT-W1)")
    full = 1 if s.part == box.T else s.part
    fits = s.steps == full if s.creature[animal] == s.origin else s.steps < full
    require(fits, "steps: not what the spinner says, less those it made (AT-W2)")
    require(is_sea(s, s.origin), "origin: it came from the sea (AT-X4)")


# ---- the table ----------------------------------------------------------------------------------

_STEPPING: Final = "phase=animal_step spun=shark-{} chosen=shark1 steps=2 sharks={} origin=a1"

POSITION: Final = PositionTable(
    State,
    (
        seats_field(box.FEWEST_SEATS, box.MOST_SEATS, lambda s: (TRIBE_NAMES,),
                    example="seats=3 yellow=f4"),
        Field("board", Written(lambda s, index: BOX.name, _read_board),
              "the board it was played on, as positions of this board write it",
              BOX.name, "the board in use"),
        Field("swimmers_land", Switch("swimmers_land"),
              "the option: may swimmers land on the Coral Islands?", "off",
              example="swimmers_land=on"),
        Field("wiped_out_ends", Switch("wiped_out_ends"),
              "the option: does a tribe that is lost to the last end the game?", "on",
              left_out="on", example="wiped_out_ends=off seats=3 yellow=f4 blue=lost"),
        Field("phase", Choice("phase", PHASES),
              "what is decided: `place`, `move`, `move_to` (where to), `sink`, `relocate` (who of "
              "a sunken piece), `relocate_to`, `animal`, `animal_step`, `over`",
              "move", example="phase=sink"),
        Field("turn", Number("turn", 1, seats_of, first=1), "the seat whose turn it is", "1",
              example="turn=2"),
        Field("points", Number("points", 0, box.MOVEMENT_POINTS),
              f"movement points left, 0 to {box.MOVEMENT_POINTS}",
              lambda s: box.MOVEMENT_POINTS if s.phase in _MOVING else 0,
              f"`{box.MOVEMENT_POINTS}`; 0 unless somebody moves", "points=1"),
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
        *(WORDS.creatures_field(word, range(*box.FIRST_OF_KIND[kind : kind + 2]), put_animal)
          for kind, word in enumerate(ANIMAL_WORDS)),
    ),
    shortest="red=d4 blue=e4", shortest_meaning="seat 1 moves, and nothing has sunk",
    deal_unseen=deal_unseen, fault=fault, faults=FAULTS,
    checks=(_check_people, _check_end, _check_words), dealt_checks=(_check_phase,),
)  # fmt: skip
position_text = POSITION.write
parse_position = POSITION.read
