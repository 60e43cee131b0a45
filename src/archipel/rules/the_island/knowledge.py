"""The knowledge of each seat, and possible worlds for it (chapter Information).

Spectators know what is public and nothing else (IS-I3).
"""

from __future__ import annotations

from archipel.rules.contract import NOBODY
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK, nth_counted
from archipel.rules.kit import Chance, draw, rule, rule_apart, shared
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import TILES
from archipel.rules.the_island.sea import SEA
from archipel.rules.the_island.state import NO_VALUE, ON_BOARD, OUT, UNKNOWN, Phase, State, owner

view_of_sea = SEA.view_of_sea  # IS-I1


@rule_apart
def view(s: State, seat: int, seen: State) -> None:
    """Fill in what a seat (or a spectator: nobody) sees; unseen values and backs are unknown."""
    view_of_sea(s, seen)
    view_of_turn(s, seen)
    for tile in range(TILES):
        seen.terrain[tile] = s.terrain[tile]
        seen.holder[tile] = s.holder[tile]
        seen.back[tile] = s.back[tile] if knows_back(s, seat, tile) else UNKNOWN
    for explorer in range(box.EXPLORERS):
        seen.value[explorer] = s.value[explorer] if knows_value(s, seat, explorer) else UNKNOWN


def sees(s: State, seat: int) -> int:
    """A key of the views: they differ by seat in hands and values, until the end."""
    return NOBODY if s.phase == Phase.OVER else seat


def veiled(s: State, seat: int) -> State:
    """As `view`, read-only."""
    seen = shared(s)
    if s.phase == Phase.OVER:
        return seen
    mine = OUT if seat == NOBODY else seat
    seen.back = [
        back if holder in (OUT, mine) else UNKNOWN
        for back, holder in zip(s.back, s.holder, strict=True)
    ]
    if s.all_equal == 0:
        may_look = seat != NOBODY and (s.phase < Phase.PLAY_TILE or s.memory >> seat & 1 != 0)
        seen.value = [
            value if value == NO_VALUE or (may_look and owner(s, explorer) == seat) else UNKNOWN
            for explorer, value in enumerate(s.value)
        ]
    return seen


@rule_apart
def recall(s: State, seat: int, seen: State) -> None:
    """IS-S7: the view of a bot's seat, which knows the values it placed."""
    view(s, seat, seen)
    seen.memory = s.memory | 1 << seat
    for explorer in range(box.EXPLORERS):
        if owner(s, explorer) == seat:
            seen.value[explorer] = s.value[explorer]


def forget(seen: State, today: State, seat: int) -> None:
    """IS-S7, IS-I5: hide the values in a past view that the seat may not see any more."""
    for explorer in range(box.EXPLORERS):
        if seen.value[explorer] != NO_VALUE and not knows_value(today, seat, explorer):
            seen.value[explorer] = UNKNOWN


def forgets(past: State, today: State) -> bool:
    """IS-S7: whether seats forgot their own values, which they do when play begins."""
    return past.phase < Phase.PLAY_TILE <= today.phase and today.phase != Phase.OVER


@rule
def view_of_turn(s: State, seen: State) -> None:
    """IS-I1: copy the options and the state of the turn."""
    seen.two_colours = s.two_colours
    seen.crowded = s.crowded
    seen.last_one = s.last_one
    seen.all_equal = s.all_equal
    seen.sunken = s.sunken
    seen.strict_swimming = s.strict_swimming
    seen.memory = s.memory
    seen.auto_setup = s.auto_setup
    seen.to_move = s.to_move
    seen.playing = s.playing
    seen.die = s.die
    seen.wet_moved = s.wet_moved


@rule
def knows_back(s: State, seat: int, tile: int) -> bool:
    """IS-I1, IS-I2, IS-I6: a seat knows shown backs and its own hand; at the end, all backs."""
    if s.phase == Phase.OVER or s.holder[tile] == OUT:
        return True
    return s.holder[tile] == seat and seat != NOBODY


@rule
def knows_value(s: State, seat: int, explorer: int) -> bool:
    """IS-S7: a seat's own until play begins, and then only by option; all at the end (IS-I6), under
    `all_equal` (IS-V3), and of explorers that are not placed yet."""
    if s.phase == Phase.OVER or s.all_equal != 0 or s.value[explorer] == NO_VALUE:
        return True
    if seat == NOBODY or owner(s, explorer) != seat:
        return False
    return s.phase < Phase.PLAY_TILE or s.memory >> seat & 1 != 0


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """IS-I7: deal unseen values and backs; at set-up all are unseen, so this is the deal."""
    for colour in range(box.COLOURS):
        deal_values(s, colour, chance)
    for terrain in range(len(box.TERRAINS)):
        deal_backs(s, terrain, chance)


@rule_apart
def deal_values(s: State, colour: int, chance: Chance) -> None:
    """Deal the remaining values of a colour to its explorers of unknown value."""
    counts = box.VALUE_COUNTS
    remaining = box.PER_COLOUR
    for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
        if s.value[explorer] > NO_VALUE:
            counts -= 1 << COUNT_BITS * s.value[explorer]
            remaining -= 1
    for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
        if s.value[explorer] == UNKNOWN:
            value = nth_counted(counts, 1, draw(chance, remaining))
            counts -= 1 << COUNT_BITS * value
            remaining -= 1
            s.value[explorer] = value


@rule_apart
def deal_backs(s: State, terrain: int, chance: Chance) -> None:
    """Deal red backs of a terrain to tiles in hands, then others to tiles that are out of the game
    with an unknown back, then the rest to those on the board."""
    counts = box.BACK_COUNTS[terrain]
    untold = 0
    for tile in range(TILES):
        if s.terrain[tile] == terrain:
            if s.back[tile] != UNKNOWN:
                counts -= 1 << COUNT_BITS * s.back[tile]
            elif s.holder[tile] == OUT:
                untold += 1
    red = counted(counts, box.FIRST_RED)
    for tile in range(TILES):
        if s.terrain[tile] == terrain and s.back[tile] == UNKNOWN and is_in_hand(s, tile):
            back = nth_counted(counts, box.FIRST_RED, draw(chance, red))
            counts -= 1 << COUNT_BITS * back
            red -= 1
            s.back[tile] = back
    if untold > 0:
        counts = deal_backs_of_those_out(s, terrain, counts, chance)
    remaining = counted(counts, 0)
    for tile in range(TILES):
        if s.terrain[tile] == terrain and s.back[tile] == UNKNOWN:
            back = nth_counted(counts, 0, draw(chance, remaining))
            counts -= 1 << COUNT_BITS * back
            remaining -= 1
            s.back[tile] = back


@rule
def is_in_hand(s: State, tile: int) -> bool:
    return s.holder[tile] not in (ON_BOARD, OUT)


@rule_apart
def deal_backs_of_those_out(s: State, terrain: int, counts: int, chance: Chance) -> int:
    """Return the remaining backs; the volcano is not dealt if it would have ended the game."""
    kept = 0 if volcano_may_be_out(s) else counts & COUNT_MASK << COUNT_BITS * box.VOLCANO
    counts -= kept
    remaining = counted(counts, 0)
    for tile in range(TILES):
        if s.terrain[tile] == terrain and s.back[tile] == UNKNOWN and s.holder[tile] == OUT:
            back = nth_counted(counts, 0, draw(chance, remaining))
            counts -= 1 << COUNT_BITS * back
            remaining -= 1
            s.back[tile] = back
    return counts + kept


@rule
def volcano_may_be_out(s: State) -> bool:
    """IS-E1, IS-V2, IS-V4: at the end, and if the volcano does not end the game."""
    return s.phase == Phase.OVER or s.last_one != 0 or s.sunken != 0


@rule
def counted(counts: int, first: int) -> int:
    """The number of things of a kind and all kinds after it."""
    total = 0
    for kind in range(first, max(len(box.SYMBOLS), box.HIGHEST_VALUE + 1)):
        total += counts >> COUNT_BITS * kind & COUNT_MASK
    return total


@rule
def nth_bit(bits: int, n: int) -> int:
    """The position of the n-th set bit, counted from 0 at the low end."""
    for _ in range(n):
        bits &= bits - 1
    position = 0
    while bits >> position & 1 == 0:
        position += 1
    return position
