"""Positions as text, and back: the words of a position and how their values are written.

``seats=2 phase=play turn=1 pool=2 board=d4:jjjl3.1,c5:s07.2 north=straight@e4n^0
front1=jjjm3,jjll2 explorers1=d5nw,saved,lost white=c5nw,1.1,boat3 boats=n1,1,e1,...``

`position_checks` says which positions can occur in a game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from archipel.rules.kit import clone
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid, position_checks
from archipel.rules.mauna_kea.artefacts import carrier
from archipel.rules.mauna_kea.box_files import BOX_NAME
from archipel.rules.mauna_kea.box_format import LAYOUTS
from archipel.rules.mauna_kea.components import SpaceKind, Tile
from archipel.rules.mauna_kea.invariants import FAULTS, fault
from archipel.rules.mauna_kea.knowledge import deal_unseen
from archipel.rules.mauna_kea.lava import can_take, end_at, exit_of, is_lava, landing, next_in_arm
from archipel.rules.mauna_kea.notation import ENDINGS, PHASES, cards_played
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    OWNED,
    UNKNOWN,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    State,
    explorers_each,
)
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
    numbered,
    refuse,
    seats_field,
    seats_of,
)

EXPLORERS: Final = numbered("explorers", box.MOST_SEATS)
FRONTS: Final = numbered("front", box.MOST_SEATS)
CARDS: Final = numbered("cards", box.MOST_SEATS)
REJECTED: Final = numbered("rejected", box.MOST_SEATS)
EXPLORER_PLACES: Final = {
    "-": ExplorerPlace.UNPLACED,
    "lost": ExplorerPlace.LOST,
    "saved": ExplorerPlace.SAVED,
    "lifted": ExplorerPlace.LIFTED,
    **grid.CELL_NUMBERS,
}
EXPLORER_NAMES: Final = {place: name for name, place in EXPLORER_PLACES.items()}
ARTEFACT_PLACES: Final = {
    "out": ArtefactPlace.GONE,
    **grid.CELL_NUMBERS,
    **{
        f"{seat + 1}.{explorer + 1}": carrier(seat, explorer)
        for seat in range(box.MOST_SEATS)
        for explorer in range(box.MOST_EXPLORERS)
    },
    **{f"boat{boat + 1}": ArtefactPlace.ABOARD + boat for boat in range(box.BOATS)},
    **{f"helicopter{seat + 1}": ArtefactPlace.ON_CARD + seat for seat in range(box.MOST_SEATS)},
}
ARTEFACT_NAMES: Final = {place: name for name, place in ARTEFACT_PLACES.items()}
#: The explorer and the bit of `State.handled`.
HANDLED: Final = {
    f"{explorer + 1}{sign}{colour[0]}": (explorer, 3 * put + number)
    for explorer in range(box.MOST_EXPLORERS)
    for put, sign in enumerate("+-")
    for number, colour in enumerate(box.COLOUR_NAMES)
}
#: More turns than any game has: those added in the rest of the game must fit.
MOST_TURNS: Final = 20_000

_ARTEFACTS: Final = [
    [artefact for artefact, other in enumerate(box.COLOUR) if other == colour]
    for colour in range(len(box.COLOUR_NAMES))
]
_HEADINGS: Final = "nesw"
_COUNTED: Final = re.compile(r"([a-z0-9-]+?)(?:\*(\d{1,2}))?")
_LAID: Final = re.compile(r"([a-i][1-9]):([a-z0-9-]+?)(?:\.([0-3]))?")
_FLOWED: Final = re.compile(r"([a-z]+)@([a-i][1-9])([nesw])\^(\d{1,2})")


def _read_box(at: Reading[State]) -> None:
    if at.text != BOX_NAME:
        wrong = "box={box}: this position is of another box than the one in use, {used} (MK-C6)"
        at.refuse(wrong, box=at.text, used=BOX_NAME)


def _optional(
    attribute: str,
    none: int,
    name: Callable[[int], str],
    number: Callable[[Reading[State], str], int],
) -> Written:
    """A value with a name, or ``-`` for none."""

    def write(s: State, index: int) -> str:
        value = getattr(s, attribute)
        return "-" if value == none else name(value)

    def read(at: Reading[State]) -> None:
        setattr(at.s, attribute, none if at.text == "-" else number(at, at.text))

    return Written(write, read)


def _read_tile(at: Reading[State], name: str, kinds: int = Tile.FIRST_LAVA) -> int:
    """A tile of the first ``kinds`` kinds; by default, a terrain tile."""
    kind = box.TILE_NUMBERS.get(name, box.KINDS)
    if kind >= kinds:
        at.refuse("{where}: {name!r} is not a tile for this; one is jjjl3 (MK-C1)", name=name)
    return kind


def _read_space(at: Reading[State], name: str) -> int:
    if name not in grid.SPACE_NUMBERS:
        at.refuse("{where}: {name!r} is not a space; they are a1 to i9 (MK-C2)", name=name)
    return grid.SPACE_NUMBERS[name]


def _read_card(at: Reading[State], name: str, kinds: int = box.ACTION_KINDS) -> int:
    """A card of the first ``kinds`` kinds; by default, an action card."""
    if name not in box.CARD_NAMES[:kinds]:
        known = ", ".join(box.CARD_NAMES[:kinds])
        at.refuse(
            "{where}: {name!r} is not a card for this: {known} (MK-X1)", name=name, known=known
        )
    return box.CARD_NAMES.index(name)


# ---- tiles --------------------------------------------------------------------------------------


def _board_text(s: State, index: int) -> str:
    laid = [n for n, tile in enumerate(s.tile) if tile < box.KINDS and not is_lava(tile)]
    turns = {n: f".{s.turn[n]}" if s.turn[n] else "" for n in laid}
    return listed([f"{grid.space_name(n)}:{box.TILE_NAMES[s.tile[n]]}{turns[n]}" for n in laid])


def _read_board(at: Reading[State]) -> None:
    s = at.s
    printed = {SpaceKind.VOLCANO: Tile.VOLCANO, SpaceKind.EXPLORER: Tile.PRINTED}
    s.tile[:] = [printed.get(kind, Tile.EMPTY) for kind in box.SPACE_KIND[s.layout]]
    for part in at.parts:
        match = _LAID.fullmatch(part)
        if not match:
            at.refuse("board: {part!r}: write a tile on a space as d4:jjjl3.1", part=part)
        space, tile = _read_space(at, match[1]), _read_tile(at, match[2], box.KINDS)
        if s.tile[space] != Tile.EMPTY or is_lava(tile):
            at.refuse("board: {part}: no such tile can lie there (MK-T2)", part=part)
        s.tile[space] = tile
        s.turn[space] = box.LEAST_TURN[tile][int(match[3] or 0)]


def _counts_text(counts: list[int], first: int = 0) -> str:
    """The tiles of each kind with their counts."""
    return listed(
        [
            box.TILE_NAMES[kind] + (f"*{count}" if count > 1 else "")
            for kind, count in enumerate(counts, first)
            if count
        ]
    )


def _read_counts(at: Reading[State], first: int = 0) -> Counter[int]:
    """The counts of tiles of the bag, of the kinds from ``first`` on."""
    counts: Counter[int] = Counter()
    for part in at.parts:
        match = _COUNTED.fullmatch(part)
        kind = box.TILE_NUMBERS.get(match[1], box.KINDS) if match else box.KINDS
        if not match or not first <= kind < Tile.FIRST_START:
            at.refuse("{where}: {part!r}: write tiles as jjjl3 or jjjl3*2 (MK-C1)", part=part)
        counts[kind] += int(match[2] or 1)
    return counts


def _read_aside(at: Reading[State]) -> None:
    for kind, count in _read_counts(at, Tile.FIRST_LAVA).items():
        at.s.aside[kind - Tile.FIRST_LAVA] = count


def _front_text(s: State, seat: int) -> str:
    return listed([box.TILE_NAMES[tile] for tile in s.front[seat] if tile != Tile.NONE])


def _read_front(at: Reading[State]) -> None:
    tiles = sorted(_read_tile(at, part) for part in at.parts)
    if len(tiles) > box.MOST_TILES:
        at.refuse("{name}: at most {most} tiles lie in front (MK-T4)", most=box.MOST_TILES)
    at.s.front[at.index][: len(tiles)] = tiles


def _read_bag(at: Reading[State]) -> None:
    if at.text:
        if "out" in at.words:
            at.refuse("give bag or out, not both: the rest follows (MK-C1)")
        _share_out(at, in_bag=True)


def _read_out(at: Reading[State]) -> None:
    if not any(at.s.bag) and not any(at.s.out):  # otherwise ``bag`` was given
        _share_out(at, in_bag=False)


def _share_out(at: Reading[State], in_bag: bool) -> None:
    """Put tiles in the bag, and the rest out of the game, or the other way round."""
    s, counts = at.s, _read_counts(at)
    found = Counter([*s.tile, s.held, *(tile for front in s.front for tile in front)])
    found.update({kind: count for kind, count in enumerate(s.aside, Tile.FIRST_LAVA)})
    for kind, count in enumerate(box.COUNT):
        rest = count - found[kind] - counts[kind]
        if rest < 0:
            tile = box.TILE_NAMES[kind]
            refuse("{tile}: there are only {count} of these (MK-C1)", tile=tile, count=count)
        s.out[kind] = rest if in_bag or kind >= box.BAG_KINDS else counts[kind]
        if kind < box.BAG_KINDS:
            s.bag[kind] = counts[kind] if in_bag else rest


# ---- lava ---------------------------------------------------------------------------------------


def _flow_text(s: State, flow: int) -> str:
    tiles = []
    for node, space in enumerate(s.flow_space[flow][: s.flow_length[flow]]):
        shape = box.TILE_NAMES[s.tile[space]].partition("-")[2]
        before = s.flow_from[flow][node] + 1
        tiles.append(f"{shape}@{grid.space_name(space)}{_HEADINGS[s.turn[space]]}^{before}")
    return listed(tiles)


def _read_flow(at: Reading[State]) -> None:
    s, flow = at.s, at.index
    for node, part in enumerate(at.parts):
        match = _FLOWED.fullmatch(part)
        if not match or node == box.MOST_LAVA:
            at.refuse("{name}: {part!r}: write a lava tile as straight@e4n^0", part=part)
        tile = box.TILE_NUMBERS.get(f"{at.word}-{match[1]}", box.KINDS)
        space, before = _read_space(at, match[2]), int(match[4]) - 1
        taken = s.tile[space] == Tile.VOLCANO or is_lava(s.tile[space])
        if tile == box.KINDS or before >= node or taken:
            at.refuse("{name}: {part}: no such lava tile can lie there (MK-L1)", part=part)
        if s.tile[space] < box.KINDS:
            at.refuse("{name}: {part}: lava covers the tile there: list only the lava", part=part)
        s.tile[space] = tile
        s.turn[space] = _HEADINGS.index(match[3])
        s.flow_space[flow][node] = space
        s.flow_from[flow][node] = before
        s.flow_length[flow] = node + 1


def _check_flows(at: Reading[State]) -> None:
    """MK-L1, MK-L4: each lava tile lies where the flow could have brought it. Each is taken away in
    turn, the last first, and must be able to come back."""
    world = clone(at.s)
    for flow in range(box.FLOWS):
        for node in reversed(range(world.flow_length[flow])):
            space, before = world.flow_space[flow][node], world.flow_from[flow][node]
            kind, heading = world.tile[space], world.turn[space]
            world.tile[space] = Tile.EMPTY
            world.flow_length[flow] = node
            headings = [box.FIRST_HEADING[world.layout][flow]]
            if before >= 0:
                headings = [exit_of(world, flow, before, number) for number in range(2)]
            end, free = end_at(before, heading), next_in_arm(world, flow, before, heading) < 0
            ahead = heading in headings and landing(world, flow, end) == space
            if not (free and ahead and can_take(world, kind, end)):
                refuse(
                    "{flow}: the tile on {space} does not prolong the flow (MK-L1, MK-L4)",
                    flow=box.FLOW_NAMES[flow],
                    space=grid.space_name(space),
                )
            world.tile[space] = kind


# ---- explorers, artefacts and boats -------------------------------------------------------------


def _explorers_text(s: State, seat: int) -> str:
    return ",".join(EXPLORER_NAMES[place] for place in s.explorer[seat][: explorers_each(s)])


def _read_explorers(at: Reading[State]) -> None:
    s, each = at.s, explorers_each(at.s)
    for part in at.parts:
        if part not in EXPLORER_PLACES:
            at.refuse(
                "{where}: {place!r}: expected a cell like e4nw, saved, lifted or lost", place=part
            )
    if len(at.parts) > each:
        at.refuse(
            "{name}: with {seats} players there are {each} each (MK-C1)", seats=s.seats, each=each
        )
    begun = s.phase not in (Phase.CHOOSE, Phase.PLACE)
    s.explorer[at.index][:each] = [
        *(EXPLORER_PLACES[part] for part in at.parts),
        *[ExplorerPlace.LOST if begun else ExplorerPlace.UNPLACED] * (each - len(at.parts)),
    ]


def _handled_text(s: State, index: int) -> str:
    handled = [(name, s.handled[explorer] >> bit & 1) for name, (explorer, bit) in HANDLED.items()]
    return listed([name for name, done in handled if done])


def _read_handled(at: Reading[State]) -> None:
    for part in at.parts:
        if part not in HANDLED:
            at.refuse("handled: {part!r}: write 1+w (took) or 1-w (put down) (MK-A2)", part=part)
        explorer, bit = HANDLED[part]
        at.s.handled[explorer] |= 1 << bit


def _artefacts_text(s: State, colour: int) -> str:
    places = [s.artefact[number] for number in _ARTEFACTS[colour]]
    while places and places[-1] == ArtefactPlace.GONE:
        places.pop()
    return listed([ARTEFACT_NAMES[place] for place in places])


def _read_artefacts(at: Reading[State]) -> None:
    for part in at.parts:
        if part not in ARTEFACT_PLACES:
            at.refuse(
                "{where}: {place!r}: expected a cell like e4nw, an explorer like 1.2, boat1, "
                "helicopter1 or out",
                place=part,
            )
    numbers = _ARTEFACTS[at.index]
    if len(at.parts) > len(numbers):
        at.refuse("{name}: there are only {count} of these (MK-C1)", count=len(numbers))
    for artefact, part in zip(numbers, at.parts, strict=False):
        at.s.artefact[artefact] = ARTEFACT_PLACES[part]


def _boats_text(s: State, index: int) -> str:
    coves = box.COVE_NAMES[s.layout]
    return ",".join(coves[p] if p < OWNED else str(p - OWNED + 1) for p in s.boat)


def _read_boats(at: Reading[State]) -> None:
    """Put boats that are not given in the remaining coves, in order."""
    names, seats = box.COVE_NAMES[at.s.layout], numbered("", at.s.seats)
    for part in at.parts:
        if part not in (*names, *seats):
            coves = ", ".join(names)
            at.refuse(
                "boats: {place!r}: expected a cove ({coves}) or a seat", place=part, coves=coves
            )
    if len(at.parts) > box.BOATS:
        at.refuse("boats: there are {count} of them (MK-C1)", count=box.BOATS)
    places = [(*names, *seats).index(part) for part in at.parts]
    free = [cove for cove in range(box.COVES) if cove not in places]
    at.s.boat[:] = (places + free)[: box.BOATS]


def _cards(attribute: str, room: int) -> Written:
    """The cards of a seat, ``?`` for a hidden one."""

    def write(s: State, seat: int) -> str:
        cards = [card for card in getattr(s, attribute)[seat] if card != NO_CARD]
        return listed(["?" if card == UNKNOWN else box.CARD_NAMES[card] for card in cards])

    def read(at: Reading[State]) -> None:
        kinds = len(box.CARD_NAMES)
        cards = [UNKNOWN if part == "?" else _read_card(at, part, kinds) for part in at.parts]
        if len(cards) > room:
            at.refuse("{name}: at most {room} (MK-X1)", room=room)
        getattr(at.s, attribute)[at.index][: len(cards)] = sorted(cards)

    return Written(write, read)


def _read_played(at: Reading[State]) -> None:
    for part in at.parts:
        at.s.played[_read_card(at, part)] += 1


def _fill_hands(at: Reading[State]) -> None:
    """MK-X1: cards that each seat must have and that the text does not name are unknown."""
    s = at.s
    if s.expert == 0:
        return
    choosing, over = s.phase == Phase.CHOOSE, s.phase == Phase.OVER
    rejected = dict(position_checks.in_placement_order(s))
    if not choosing:
        rejected = dict.fromkeys(range(s.seats), not over)
    missing = box.KEPT * s.seats - sum(s.played) - sum(map(position_checks.count_cards, s.hand))
    for seat in range(s.seats):
        if rejected[seat] and s.rejected[seat][0] == NO_CARD:
            s.rejected[seat][:] = [UNKNOWN] * box.REJECTED
        if s.hand[seat][0] == NO_CARD:
            held = max(0, min(missing, box.KEPT))
            if choosing:
                held = box.DEALT - position_checks.count_cards(s.rejected[seat])
            s.hand[seat][:held] = [UNKNOWN] * held
            missing -= held


# ---- the table ----------------------------------------------------------------------------------

_QUIET: Final = box.CLOCK_ROUNDS

POSITION: Final = PositionTable(
    State,
    (
        seats_field(box.FEWEST_SEATS, box.MOST_SEATS,
                    lambda s: (EXPLORERS, FRONTS, CARDS, REJECTED),
                    example="seats=3 explorers3=d5nw"),
        Field("box", Written(lambda s, index: BOX_NAME, _read_box),
              "the box it was played with, as positions of this box write it", BOX_NAME,
              "the box in use"),
        Field("expert", Switch("expert"), "the option: the expert game", "off", left_out="off",
              example="expert=on"),
        Field("layout", Choice("layout", {name: n for n, name in enumerate(LAYOUTS)}),
              "the board: `orthogonal` or `diagonal`", LAYOUTS[0], left_out=LAYOUTS[0],
              example="layout=diagonal explorers1=d4nw explorers2=f6se"),
        Field("quiet_first_round", Switch("quiet_first_round"),
              "the option: lava of the first refill is set aside", "off", left_out="off",
              example="quiet_first_round=on"),
        Field("last_refill", Switch("last_refill"),
              "the option: players refill in the last turns too", "off", left_out="off",
              example="last_refill=on"),
        Field("phase", Choice("phase", PHASES),
              "what is decided: `play`, `choose` (cards to keep), `place`, `explorer`, `leave` "
              "(artefacts that the boat has no room for), `space`, `turn` (of a tile), `refill`, "
              "`card-explorer`, `card-cell`, `quake-space`, `quake-turn`, `quake-draw`, `over`",
              "play", example="phase=explorer active=1 pool=2"),
        Field("turn", Number("to_move", 1, seats_of, first=1), "the seat that decides", "1",
              example="turn=2"),
        Field("first", Number("first", 1, seats_of, first=1), "the seat that began", "1",
              example="first=2"),
        Field("resume", Choice("resume", {"play": Phase.PLAY, "refill": Phase.REFILL}),
              "what goes on after this: `play` or `refill`", "play", left_out="play",
              example="resume=play"),
        Field("active", SeatOrNobody("active", explorers_each),
              "the explorer that is being moved, by its number", left_out="-",
              example="phase=explorer active=1 pool=2"),
        Field("held", _optional("held", Tile.NONE, box.TILE_NAMES.__getitem__, _read_tile),
              "the tile in hand that is being laid", left_out="-",
              example="phase=space held=jjjj3"),
        Field("chosen", _optional("chosen", grid.NOWHERE, grid.space_name, _read_space),
              "the space that it is laid on, or the tile that is turned", left_out="-",
              example="phase=turn held=jjjl3 chosen=d4"),
        Field("card", _optional("card", NO_CARD, box.CARD_NAMES.__getitem__, _read_card),
              "the action card that is being played", left_out="-",
              example="expert=on phase=card-explorer card=helicopter played=helicopter "
              "explorers1=e4nw,e4ne"),
        Field("number", Number("turn_number", 0, MOST_TURNS), "turns that have been played",
              "0", left_out="0", example="number=7"),
        Field("pool", Number("pool", 0, 3 * box.MOST_TILES), "movement points left", "0",
              left_out="0", example="pool=3"),
        Field("stirred", Number("stirred", 0, 1), "1 if this turn has reset the clock, or 0",
              "0", left_out="0", example="stirred=1"),
        Field("quiet", Number("quiet_turns", 0, lambda s: _QUIET * int(s.seats)),
              "turns in a row that did not reset the clock",
              lambda s: _QUIET * s.seats if s.ending == Ending.CLOCK else 0,
              "`0`; the most there can be with `ending=clock`", left_out="0", example="quiet=5",
              needs=("ending",)),
        Field("ending", Choice("ending", ENDINGS),
              "how the end began: `no-explorer`, `no-way-out`, `clock`, `empty-bag`",
              left_out="-", example="explorers2=lost ending=no-explorer closer=1"),
        Field("closer", SeatOrNobody("closer"), "the seat whose turn it was when the end began",
              left_out="-", example="explorers2=lost ending=no-explorer closer=1"),
        Field("board", Written(_board_text, _read_board),
              "terrain and start tiles: a space, a tile and its quarter turns", left_out="-",
              example="board=d4:jjjl3.1,c5:s07"),
        Field(box.FLOW_NAMES, Written(_flow_text, _read_flow),
              "the lava tiles of each flow in their order, each with its space, its heading and "
              "the number of the tile before it, 0 for the volcano", left_out="-",
              example="north=straight@e4n^0 explorers1=e6ne", then=_check_flows),
        Field("aside", Written(lambda s, index: _counts_text(s.aside, Tile.FIRST_LAVA),
                               _read_aside),
              "lava tiles set aside until the first refill is over, with their number",
              left_out="-",
              example="expert=on quiet_first_round=on phase=refill aside=north-fork"),
        Field("out", Written(lambda s, index: _counts_text(s.out[: Tile.FIRST_START]), _read_out),
              "tiles out of the game, with their number; the others are in the bag",
              left_out="-", example="out=jjjj3*2", needs=("bag",)),
        Field("bag", Written(lambda s, index: "", _read_bag),
              "tiles in the bag, instead of `out`; the others are out of the game", "",
              "every tile that is nowhere else", example="bag=jjjj3*2,north-left",
              needs=("front1", "aside"), count=lambda s: 0, read_all=True),
        Field(FRONTS, Written(_front_text, _read_front), "tiles in front of a seat",
              left_out="-", example="front1=jjjm3,jjll2", count=seats_of),
        Field(EXPLORERS, Written(_explorers_text, _read_explorers),
              "the explorers of a seat in their order: a cell, `saved`, `lifted`, `lost`, or `-` "
              "before they are placed; those not named are lost", usual="nobody",
              example="explorers1=e4nw,lost", count=seats_of),
        Field("handled", Written(_handled_text, _read_handled),
              "artefacts that explorers took (`1+w`) or put down (`1-w`) this turn where they "
              "stand", left_out="-",
              example="phase=explorer active=1 white=1.1 handled=1+w pool=1"),
        Field(box.COLOUR_NAMES, Written(_artefacts_text, _read_artefacts),
              "places of the artefacts of each colour: a cell, an explorer as `1.2` (seat and "
              "number), `boat1`, `helicopter1` (of a seat) or `out`", usual="out of the game",
              left_out="-", example="white=e4nw,1.1"),
        Field("boats", Written(_boats_text, _read_boats),
              "each boat in a cove, or in front of a seat; those not named lie in the coves that "
              "are left", usual="in the coves, in their order", example="boats=n2,e1"),
        Field(CARDS, _cards("hand", box.DEALT),
              "cards in the hand of a seat, `?` for a hidden one", usual="dealt in the expert game",
              example="expert=on cards1=helicopter,jungle,3white,?", left_out="-", count=seats_of,
              group="cards"),
        Field(REJECTED, _cards("rejected", box.REJECTED), "cards that a seat did not keep",
              usual="dealt in the expert game", example="expert=on rejected1=lake,?",
              left_out="-", count=seats_of, group="cards"),
        Field("played", Written(lambda s, index: listed(cards_played(s)), _read_played),
              "action cards that have been played", left_out="-",
              example="expert=on played=earthquake", then=_fill_hands),
    ),
    shortest="explorers1=e4nw explorers2=e6nw",
    shortest_meaning="seat 1 plays, and no tile has been laid",
    deal_unseen=deal_unseen, fault=fault, faults=FAULTS,
    checks=position_checks.CHECKS, dealt_checks=position_checks.DEALT_CHECKS, any_case=True,
)  # fmt: skip
position_text = POSITION.write
parse_position = POSITION.read
