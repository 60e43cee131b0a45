"""Positions as text, and back: the words, and the positions that can occur in a game.

``seats=2 phase=move turn=1 points=3 land=d4b?,d5f:boat,... hand1=e3b:dolphin out=f3b:shark
white=d4?,d4:5,boat1?,nw?,lost? yellow=... boats=c3,d2 serpents=... sharks=d8 whales=-``
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from archipel.rules.contract import NOBODY
from archipel.rules.hex_sea.boats import load
from archipel.rules.hex_sea.places import BOAT_ROOM, GONE, LAND, LOST, WAITING
from archipel.rules.hex_sea.position import SeaWords, require
from archipel.rules.kit import clone
from archipel.rules.position_fields import (
    Choice,
    Field,
    Number,
    PositionTable,
    Reading,
    SeatOrNobody,
    Switch,
    Written,
    listed,
    name_of,
    names_in,
    numbered,
    refuse,
    seats_field,
    seats_of,
)
from archipel.rules.sentence import Sentence
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import SERPENT_STARTS, TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.creatures import finds_prey
from archipel.rules.the_island.defence import is_asked
from archipel.rules.the_island.end import nobody_left
from archipel.rules.the_island.explorers import is_saved, swims
from archipel.rules.the_island.invariants import FAULTS, fault
from archipel.rules.the_island.knowledge import deal_unseen, is_in_hand, volcano_may_be_out
from archipel.rules.the_island.names import COLOUR_NAMES, NAMES
from archipel.rules.the_island.sea import is_on_board, put_creature
from archipel.rules.the_island.setup import explorers_waiting
from archipel.rules.the_island.state import (
    NOTHING,
    ON_BOARD,
    OUT,
    UNKNOWN,
    Action,
    Ending,
    Phase,
    State,
    colours_in_play,
    hand_size,
    owner,
)
from archipel.rules.the_island.turn import legal_actions

PHASES: Final = names_in(Phase, Phase.OVER)
ENDINGS: Final = names_in(Ending, Ending.STALEMATE, none=Ending.NOT_OVER)
SWITCHES: Final = {
    "two_colours": "the option: two players with two colours each",
    "crowded": "the challenge: two explorers may be placed on an inner tile",
    "last_one": "the challenge: the game goes on until nobody is left on the board",
    "all_equal": "the challenge: explorers have no values",
    "sunken": "the challenge: the game goes on until the last tile",
    "strict_swimming": "the option: an explorer makes one move a turn that begins or ends in the "
    "water",
}
TERRAIN_LETTERS: Final = "".join(terrain[0] for terrain in box.TERRAINS)
TERRAIN_WORDS: Final = ("beaches", "forests", "mountains")
HANDS: Final = numbered("hand", box.MOST_SEATS)
RED: Final = range(box.FIRST_RED, len(box.SYMBOLS))
WORDS: Final = SeaWords(
    NAMES, "an explorer", NOTHING,
    rules={"box": "IS-C1", "boats": "IS-B2", "crew": "IS-M2", "creatures": "IS-X6",
           "placing": "IS-S5", "land": "IS-S2", "swimmers": "IS-M11", "idle": "IS-V2"},
)  # fmt: skip

_TILE: Final = re.compile(rf"([a-z]\d+)([{TERRAIN_LETTERS}])(?:\?|:([a-z_]+))?")
_EXPLORER: Final = re.compile(r"(-|[a-z]+\d*)(\?|:(\d))?")
_MOVING: Final = (Phase.MOVE, Phase.MOVE_TO)
_CHOOSING: Final = (Phase.NAME_VALUE, Phase.MOVE_TO, Phase.FILL_BOAT, Phase.DEFEND)


# ---- whose decision it is -----------------------------------------------------------------------


def _check_colours(at: Reading[State]) -> None:
    if at.s.two_colours and at.s.seats != 2:
        at.refuse("two_colours=on: it is for two players only (IS-P1)")


def seats_text(seats: int) -> str:
    """A set of seats: their numbers in a row."""
    return "".join(str(seat + 1) for seat in range(box.MOST_SEATS) if seats >> seat & 1) or "-"


def parse_seats(text: str, seats: int) -> int:
    """Read a set of seats from their numbers in a row, ``-`` for none."""
    found = 0
    for number in text.removeprefix("-"):
        if number not in "1234"[:seats] or text.count(number) > 1 or text.startswith("-"):
            refuse("memory={text}: expected numbers of seats in a row, such as 13", text=text)
        found |= 1 << int(number) - 1
    return found


def _read_memory(at: Reading[State]) -> None:
    at.s.memory = parse_seats(at.text, at.s.seats)


class _Asked(SeatOrNobody):
    """The seat that decides, written only in defence, on another seat's turn."""

    def write(self, s: Any, index: int) -> str:
        return super().write(s, index) if s.phase == Phase.DEFEND else "-"


def _check_asked(at: Reading[State]) -> None:
    if (at.s.to_move != NOBODY) != (at.s.phase == Phase.DEFEND):
        at.refuse("asked: required with phase=defend, not allowed elsewhere (IS-D3)")
    if at.s.to_move == NOBODY:
        at.s.to_move = at.s.turn


def _read_chosen(at: Reading[State]) -> None:
    """The piece that is chosen; or, while explorers are placed, the tile (IS-S8)."""
    if at.text not in WORDS.chosen:
        at.refuse("chosen={text}: expected something like f7, w3, boat2, shark1 or -")
    at.s.chosen = WORDS.chosen[at.text]


def _usual_idle_turns(s: State) -> int:
    """IS-V2: a turn that begins with no tile left counts."""
    return int(Phase.PLAY_TILE <= s.phase < Phase.OVER and not any(s.land_left))


# ---- tiles --------------------------------------------------------------------------------------


def tile_text(s: State, tile: int) -> str:
    back = "?" if s.back[tile] == UNKNOWN else f":{box.SYMBOLS[s.back[tile]]}"
    return f"{NAMES.space(TILE_SPACES[tile])}{TERRAIN_LETTERS[s.terrain[tile]]}{back}"


def _tiles(holder: int | None) -> Written:
    """The tiles with a holder; without one given, those in the hand of the seat."""

    def write(s: State, seat: int) -> str:
        where = seat if holder is None else holder
        return listed([tile_text(s, tile) for tile in range(TILES) if s.holder[tile] == where])

    def read(at: Reading[State]) -> None:
        for part in at.parts:
            if holder == OUT and part in TERRAIN_WORDS:
                continue  # for `_lay_the_rest`
            tile = _read_tile(at, part)
            if tile in at.named:
                at.refuse("{name}: tile {part} is already somewhere else", part=part)
            at.named.add(tile)
            at.s.holder[tile] = at.index if holder is None else holder
            _check_holder(at, tile, part)

    return Written(write, read)


def _read_tile(at: Reading[State], text: str) -> int:
    match = _TILE.fullmatch(text)
    tile = TILE_OF[NAMES.spaces[match[1]]] if match and match[1] in NAMES.spaces else -1
    if match is None or tile < 0:
        at.refuse(
            "{where}: {text!r} is not a tile; write d4b? or d4b:shark: space, terrain "
            "({letters}) and back; out takes terrains, too: {terrains}",
            {"letters": ", ".join(TERRAIN_LETTERS), "terrains": ", ".join(TERRAIN_WORDS)},
            text=text,
        )
    at.s.terrain[tile] = TERRAIN_LETTERS.index(match[2])
    if match[3] is not None:
        if match[3] not in box.SYMBOLS:
            at.refuse("{where}: {text}: backs are {known}", text=text, known=", ".join(box.SYMBOLS))
        at.s.back[tile] = box.SYMBOLS.index(match[3])
    return tile


def _check_holder(at: Reading[State], tile: int, part: str) -> None:
    """Whether a tile with this back can be in this place."""
    s = at.s
    if is_in_hand(s, tile) and s.back[tile] not in (UNKNOWN, *RED):
        at.refuse("{name}: {part}: only red tiles are kept in a hand (IS-K5)", part=part)
    if s.holder[tile] == OUT and s.back[tile] == box.VOLCANO and not volcano_may_be_out(s):
        at.refuse("{name}: {part}: the volcano was found, but the game goes on (IS-E1)", part=part)


def _lay_the_rest(at: Reading[State]) -> None:
    """Put tiles that are not given on the board, unless ``out`` names their terrain."""
    s = at.s
    counts = Counter(s.terrain[tile] for tile in at.named)
    left: list[int] = []  # the terrains of the tiles that are not given, in order
    for terrain, name in enumerate(box.TERRAINS):
        given, count = counts[terrain], box.TERRAIN_TILES[terrain]
        if given > count:
            parts = {"given": given, "terrain": Sentence(name), "count": count}
            refuse("{given} tiles are {terrain}, but there are {count} (IS-C1)", parts)
        left += [terrain] * (count - given)
    unnamed = [tile for tile in range(TILES) if tile not in at.named]
    for tile, terrain in zip(unnamed, left, strict=True):
        s.terrain[tile] = terrain
        if TERRAIN_WORDS[terrain] in at.parts:
            s.holder[tile] = OUT
    _check_backs(s)
    for tile in range(TILES):
        if s.holder[tile] == ON_BOARD:
            s.space[TILE_SPACES[tile]] |= LAND
            s.land_left[s.terrain[tile]] += 1


def _check_backs(s: State) -> None:
    for terrain, name in enumerate(box.TERRAINS):
        tiles = [tile for tile in range(TILES) if s.terrain[tile] == terrain]
        known = Counter(s.back[tile] for tile in tiles)
        left = [count - known[symbol] for symbol, count in enumerate(box.BOX.backs[terrain])]
        parts: dict[str, object] = {"terrain": Sentence(name)}
        for symbol, rest in enumerate(left):
            if rest < 0:
                refuse(
                    "{given} {terrain} tiles are {symbol}, but there are {count} (IS-C3)",
                    {**parts, "given": known[symbol], "symbol": box.SYMBOLS[symbol]},
                    count=box.BOX.backs[terrain][symbol],
                )
        hidden = [tile for tile in tiles if s.back[tile] == UNKNOWN]
        held, red = sum(is_in_hand(s, tile) for tile in hidden), sum(left[box.FIRST_RED :])
        if held > red:
            refuse(
                "{held} hidden {terrain} tiles are in hands, but {red} red ones are left (IS-K5)",
                parts,
                held=held,
                red=red,
            )
        kept = 0 if volcano_may_be_out(s) else left[box.VOLCANO]
        if sum(s.holder[tile] != ON_BOARD for tile in hidden) > sum(left) - kept:
            refuse(
                "out: the volcano would be among the {terrain} tiles, but the game goes on (IS-E1)",
                parts,
            )


# ---- explorers ----------------------------------------------------------------------------------


def _colour_text(s: State, colour: int) -> str:
    return ",".join(
        _explorer_text(s, colour * box.PER_COLOUR + number) for number in range(box.PER_COLOUR)
    )


def _explorer_text(s: State, explorer: int) -> str:
    place, value = s.place[explorer], s.value[explorer]
    if place == WAITING:
        return "-"
    return WORDS.place_text(place) + ("?" if value == UNKNOWN else f":{value}")


def _read_colour(at: Reading[State]) -> None:
    s, parts, first = at.s, at.parts, at.index * box.PER_COLOUR
    if at.index >= colours_in_play(s):
        if parts:
            at.refuse("{name}: this colour does not play (IS-S3)")
        return
    if len(parts) > box.PER_COLOUR:
        at.refuse("{name}: a colour has {count} explorers (IS-C1)", count=box.PER_COLOUR)
    absent = "-" if s.phase in (Phase.PLACE_EXPLORER, Phase.NAME_VALUE) else "lost"
    for explorer, text in enumerate(parts + [absent] * (box.PER_COLOUR - len(parts)), first):
        _read_explorer(at, explorer, text)
    known = Counter(s.value[first : first + box.PER_COLOUR])
    for value in range(1, 1 if s.all_equal else box.HIGHEST_VALUE + 1):
        if known[value] > box.BOX.values.count(value):
            at.refuse(
                "{colour}: {given} explorers of {value}, but a colour has {count} (IS-C2)",
                {"colour": at.word, "given": known[value], "value": value},
                count=box.BOX.values.count(value),
            )


def _read_explorer(at: Reading[State], explorer: int, text: str) -> None:
    s = at.s
    match = _EXPLORER.fullmatch(text)
    place = WORDS.read_place(match[1]) if match else None
    if match is None or place is None:
        at.refuse(
            "{name}: {text!r} is not an explorer; write f7? or f7:5, boat2?, nw?, lost? or -",
            text=text,
        )
    WORDS.put_person(s, explorer, place, owner(s, explorer))
    s.left[owner(s, explorer)] += not is_saved(s, explorer) and place != LOST
    if place == WAITING:
        return
    s.value[explorer] = 1 if s.all_equal else UNKNOWN
    if match[3] is not None:
        if not 1 <= int(match[3]) <= (1 if s.all_equal else box.HIGHEST_VALUE):
            at.refuse("{name}: {text}: there is no such value (IS-C2, IS-V3)", text=text)
        s.value[explorer] = int(match[3])


# ---- which positions can occur ------------------------------------------------------------------


def _check_people(s: State) -> None:
    explorers = colours_in_play(s) * box.PER_COLOUR
    WORDS.check_placing(s, explorers, s.phase < Phase.PLAY_TILE)
    # Serpents and sharks, except one that a seat can still defend against (IS-D3).
    moving = s.chosen - Action.CREATURE if s.phase == Phase.DEFEND else NOBODY
    spared = s.creature[moving] if 0 <= moving < len(s.creature) else NOBODY
    hungry = [c for c in range(box.FIRST_OF_KIND[box.WHALE]) if is_on_board(s, c)]
    WORDS.check_swimmers(s, explorers, [c for c in hungry if s.creature[c] != spared])


def _check_end(s: State) -> None:
    over, started = s.phase == Phase.OVER, s.phase >= Phase.PLAY_TILE
    exclusive = not (s.last_one and s.sunken)
    require(exclusive, "last_one=on sunken=on: they exclude each other (IS-V0)")
    has_reason = over == (s.ending != Ending.NOT_OVER)
    require(has_reason, "ending: with phase=over, and only there, say why it ended (IS-E1)")
    WORDS.check_idle(s, started)
    if not over:
        goes_on = not (started and nobody_left(s))
        require(goes_on, "no explorer is left on the board: the game is over (IS-E3)")
        return
    erupted = any(s.back[t] == box.VOLCANO and s.holder[t] == OUT for t in range(TILES))
    possible = {
        Ending.ERUPTION: erupted and s.last_one == 0 and s.sunken == 0,
        Ending.NOBODY_LEFT: True,
        Ending.LAST_TILE: s.sunken != 0 and not any(s.land_left),
        Ending.STALEMATE: not any(s.land_left),
    }
    require(
        possible[s.ending],
        "ending={ending}: the game cannot have ended like this here (IS-E1, IS-E3, IS-V2, IS-V4)",
        ending=name_of(ENDINGS, s.ending),
    )
    for explorer in range(colours_in_play(s) * box.PER_COLOUR):
        require(
            s.place[explorer] == LOST or is_saved(s, explorer),
            "phase=over: {person} is neither on a safe island nor lost (IS-E1)",
            person=NAMES.person(explorer),
        )


def _check_words(s: State) -> None:
    """Words occur only in their phases."""
    moving, stepping = s.phase in _MOVING, s.phase in (Phase.TILE_STEP, Phase.CREATURE_STEP)
    rolled = s.phase in (Phase.CREATURE, Phase.CREATURE_STEP, Phase.DEFEND)
    playing = s.phase in (Phase.TILE_PIECE, Phase.TILE_STEP)
    choosing = stepping or s.phase in _CHOOSING
    require(moving or s.points == 0, "points: only in step 2 (IS-T2)")
    require(moving or not s.sea_stepped, "swam: only in step 2 (IS-M12)")
    require(moving or not s.wet_moved, "wet: only in step 2 (IS-M7)")
    require(rolled == (s.die != UNKNOWN), "die: required in step 4, not allowed elsewhere (IS-T4)")
    require(playing == (s.playing != UNKNOWN), "playing: while a tile is played (IS-T1)")
    may_step = stepping or s.phase == Phase.DEFEND or s.steps == 0
    require(may_step, "steps: while a piece is on its way")
    require(s.steps > 0 or not stepping, "steps: how many spaces can it still go?")
    require(
        choosing == (s.chosen != NOTHING),
        "chosen: required once a piece is chosen, not allowed otherwise",
    )


def _check_phase(_: State, s: State) -> None:
    """Check that the decision is possible, in a position without unknowns."""
    if s.phase == Phase.OVER:
        return
    if s.phase < Phase.PLAY_TILE:
        _check_placing(s)
    elif s.phase in (Phase.PLAY_TILE, Phase.TILE_PIECE, Phase.TILE_STEP):
        _check_tile(s)
    elif s.phase in _MOVING:
        _check_moving(s)
    elif s.phase == Phase.REMOVE:
        require(any(s.land_left), "phase=remove: no tile is left (IS-T3)")
    elif s.phase == Phase.FILL_BOAT:
        is_boat = Action.BOAT <= s.chosen < Action.CREATURE
        room = is_boat and load(s, s.chosen - Action.BOAT) < BOAT_ROOM
        require(room, "phase=fill_boat: chosen=boat..., one that has room (IS-K8)")
    elif s.phase in (Phase.CREATURE_STEP, Phase.DEFEND):
        _check_creature(s)
    require(
        bool(_legal_in(s, s.phase)),
        "turn={seat}: there is nothing to choose from in this phase (IS-T7)",
        seat=s.turn + 1,
    )


def _legal_in(s: State, phase: int) -> list[int]:
    """The actions that would be legal in a phase."""
    asking = s if phase == s.phase else clone(s)
    asking.phase = phase
    return legal_actions(asking)


def _check_placing(s: State) -> None:
    """IS-S4: players place in turn, so their counts differ by one at most."""
    WORDS.check_land(s, TILE_SPACES)
    placed = [space < len(s.space) for space in s.boat]
    placing_boats = s.phase == Phase.PLACE_BOAT
    most = box.BOATS_PER_PLAYER * s.seats - 1 if placing_boats else 0
    in_order = placed == sorted(placed, reverse=True) and sum(placed) <= most and GONE not in s.boat
    require(in_order, "boats: they are placed one after the other, once all explorers are (IS-S6)")
    waiting = [explorers_waiting(s, seat) for seat in (*range(s.turn, s.seats), *range(s.turn))]
    if placing_boats:
        ready = not any(waiting)
        require(ready, "phase=place_boat: all explorers and not all boats are placed (IS-S6)")
        return
    seat = s.turn + 1
    has_any = waiting[0] > 0
    require(has_any, "turn={seat}: seat {seat} has no explorer left to place (IS-S5)", seat=seat)
    in_turn = waiting == sorted(waiting, reverse=True) and waiting[0] - waiting[-1] <= 1
    require(in_turn, "explorers are placed in turn, one at a time (IS-S5)")
    if s.phase == Phase.NAME_VALUE:
        fits = s.chosen in _legal_in(s, Phase.PLACE_EXPLORER)
        require(fits, "chosen: no explorer can be placed there (IS-S5)")


def _check_tile(s: State) -> None:
    if s.phase == Phase.PLAY_TILE:
        require(hand_size(s, s.turn) > 0, "phase=play_tile: the hand is empty (IS-T6)")
        return
    in_step_1 = box.FIRST_RED <= s.playing < box.FIRST_DEFENCE
    require(in_step_1, "playing: not a tile for step 1 (IS-T1)")
    if s.phase == Phase.TILE_STEP:
        require(s.steps <= box.MOST_TILE_STEPS, "steps: three at most (IS-H1)")
        starts = (Action.EXPLORER, Action.BOAT, Action.CREATURE, Action.VALUE)
        kind = min(s.playing - box.DOLPHIN, 2)  # a swimmer, a boat or a creature
        is_piece = starts[kind] <= s.chosen < starts[kind + 1]
        require(is_piece, "chosen: not a piece for this tile (IS-H1)")
        require(
            _is_there(s),
            "chosen={piece}: it is not where this tile can move it (IS-H1)",
            piece=WORDS.chosen_text(s.chosen),
        )


def _is_there(s: State) -> bool:
    """A swimmer, a boat on the board, or a creature of the tile on the board."""
    if s.chosen < Action.BOAT:
        return swims(s, s.chosen - Action.EXPLORER)
    if s.chosen < Action.CREATURE:
        return s.boat[s.chosen - Action.BOAT] < len(s.space)
    creature = s.chosen - Action.CREATURE
    return box.KIND_OF[creature] == s.playing - box.MOVE_SERPENT and is_on_board(s, creature)


def _check_moving(s: State) -> None:
    require(s.points > 0, "phase=move: no points are left (IS-T2)")
    if s.phase == Phase.MOVE_TO:
        is_piece = Action.EXPLORER <= s.chosen < Action.CREATURE
        require(is_piece, "chosen: an explorer or a boat (IS-T2)")
        piece, can_move = WORDS.chosen_text(s.chosen), s.chosen in _legal_in(s, Phase.MOVE)
        require(can_move, "chosen={piece}: it cannot move (IS-T2)", piece=piece)


def _check_creature(s: State) -> None:
    is_creature = Action.CREATURE <= s.chosen < Action.VALUE
    require(is_creature, "chosen: which creature moves? (IS-T4)")
    creature = s.chosen - Action.CREATURE
    of_die = box.KIND_OF[creature] == s.die and is_on_board(s, creature)
    require(of_die, "chosen: not a creature of the die on the board (IS-T4)")
    in_reach = s.steps <= box.CREATURE_STEPS[s.die]
    require(in_reach, "steps: more than the creature has (IS-X2 to X4)")
    if s.phase == Phase.DEFEND:
        asked = s.to_move != s.turn and is_asked(s, creature, s.to_move) and finds_prey(s, creature)
        require(asked, "asked: this seat is not asked to defend (IS-D3)")


# ---- the table ----------------------------------------------------------------------------------


def _or_none(names: tuple[str, ...]) -> dict[str, int]:
    return {"-": UNKNOWN, **{name: number for number, name in enumerate(names)}}


_SERPENTS: Final = ",".join(map(NAMES.space, SERPENT_STARTS))

POSITION: Final = PositionTable(
    State,
    (
        seats_field(box.FEWEST_SEATS, box.MOST_SEATS,
                    lambda s: (HANDS, COLOUR_NAMES[:2] if s.two_colours else COLOUR_NAMES),
                    example="seats=3 sky=d6", needs=("two_colours",), then=_check_colours),
        *(Field(word, Switch(word), meaning, "off", example=f"{word}=on")
          for word, meaning in SWITCHES.items()),
        Field("memory", Written(lambda s, index: seats_text(s.memory), _read_memory),
              "the seats that may look at the values of their explorers, in a row",
              example="memory=12", needs=("seats",)),
        Field("phase", Choice("phase", PHASES),
              "what is decided: `place_explorer`, `name_value`, `place_boat`, `play_tile`, "
              "`tile_piece`, `tile_step`, `move`, `move_to`, `remove`, `fill_boat` (who comes "
              "aboard), `creature`, `creature_step`, `defend`, `over`",
              "move", example="phase=remove"),
        Field("turn", Number("turn", 1, seats_of, first=1), "the seat whose turn it is", "1",
              example="turn=2"),
        Field("asked", _Asked("to_move"),
              "in `phase=defend`: the seat that may play a defence tile", then=_check_asked,
              example="phase=defend asked=2 yellow=a2 sharks=a2 die=shark chosen=shark1 steps=1 "
              "hand2=d4b"),
        Field("points", Number("points", 0, box.MOVEMENT_POINTS),
              f"movement points left, 0 to {box.MOVEMENT_POINTS}",
              lambda s: box.MOVEMENT_POINTS if s.phase in _MOVING else 0,
              f"`{box.MOVEMENT_POINTS}`; 0 unless somebody moves", "points=1"),
        Field("chosen", Written(lambda s, index: WORDS.chosen_text(s.chosen), _read_chosen),
              "the piece that is being moved (`w3`, `boat2`, `shark1`), or the tile an explorer is "
              "placed on", example="phase=move_to chosen=w1"),
        Field("steps", Number("steps", 0, 3), "how many spaces it can still go", "0",
              example="phase=creature_step die=shark chosen=shark1 sharks=a1 steps=2"),
        Field("playing", Choice("playing", _or_none(box.SYMBOLS)),
              "the tile of the hand that is being played",
              example="phase=tile_piece playing=dolphin white=a1"),
        Field("die", Choice("die", _or_none(box.CREATURE_KINDS)),
              "the kind that the creature die shows", example="phase=creature die=shark sharks=a1"),
        WORDS.people_set("swam", "sea_stepped", "explorers who have made their sea step this turn",
                         "swam=w1 points=2"),
        WORDS.people_set("wet", "wet_moved", "explorers who have made a move this turn that begins "
                         "or ends in the water", "strict_swimming=on wet=w1 points=2"),
        WORDS.idle_field(_usual_idle_turns, "tile", "out", "out=beaches,forests,mountains "
                         "last_one=on white=boat1 yellow=boat1 boats=a1 idle=3"),
        Field("ending", Choice("ending", ENDINGS),
              "why it is over: `eruption`, `nobody_left`, `last_tile`, `stalemate`",
              example="phase=over ending=nobody_left white=nw yellow=lost"),
        Field("land", _tiles(ON_BOARD),
              "tiles on the board: space, terrain (`b`, `f`, `m`) and back: `d4b:shark`, or `d4b` "
              "or `d4b?` where it is hidden", usual="every tile that is named nowhere else",
              example="land=d4m,d5b:boat"),
        Field(HANDS, _tiles(None), "tiles in the hand of a seat, in the same way",
              example="hand1=e4b:dolphin,e5b", count=seats_of),
        Field("out", _tiles(OUT),
              "tiles out of the game, in the same way; or `beaches`, `forests`, `mountains`: those "
              "of the terrain that are named nowhere else. Backs that are not told are dealt",
              example="out=beaches,g5f white=j4 yellow=j5", needs=("land", "hand1"),
              then=_lay_the_rest),
        Field(COLOUR_NAMES, Written(_colour_text, _read_colour),
              "the explorers of seats 1 to 4, or the first and second colours of two seats, in "
              "their order: a space, `boat2`, a safe island, `lost`, or `-` before they are "
              "placed, each with its value (`d4:5`), or `?` or nothing where it is hidden; those "
              "not named are lost", usual="nobody", example="white=d4:5,d4,nw,boat1 boats=a1",
              needs=("boats",), count=colours_in_play, read_all=True),
        WORDS.boats_field(needs="out"),
        *(WORDS.creatures_field(f"{name}s", range(*box.FIRST_OF_KIND[kind : kind + 2]),
                                put_creature, _SERPENTS if kind == box.SERPENT else "-")
          for kind, name in enumerate(box.CREATURE_KINDS)),
    ),
    shortest="white=d4 yellow=d5", shortest_meaning="seat 1 moves, and no tile has been removed",
    deal_unseen=deal_unseen, fault=fault, faults=FAULTS,
    checks=(_check_people, _check_end, _check_words), dealt_checks=(_check_phase,),
)  # fmt: skip
position_text = POSITION.write
parse_position = POSITION.read
