"""Set-up (chapter Set-up): the deal, and the placing of explorers and boats."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import put_boat
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK
from archipel.rules.hex_sea.places import LAND, WAITING
from archipel.rules.kit import Chance, draw, rule, rule_apart
from archipel.rules.the_island import board
from archipel.rules.the_island import components as box
from archipel.rules.the_island.knowledge import deal_unseen, nth_bit
from archipel.rules.the_island.sea import SEA, next_seat, put_creature
from archipel.rules.the_island.state import (
    NO_VALUE,
    NOBODY,
    NOTHING,
    ON_BOARD,
    UNKNOWN,
    Action,
    Ending,
    Phase,
    State,
    colours_in_play,
)

clear_board = SEA.clear_board
next_explorer = SEA.next_to_place  # IS-I4
next_boat_in_stock = SEA.next_boat_in_stock


@rule_apart
def clear(s: State) -> None:
    """Clear everything but the options and the first player."""
    s.points = 0
    s.chosen = NOTHING
    s.steps = 0
    s.playing = UNKNOWN
    s.die = UNKNOWN
    s.sea_stepped = 0
    s.wet_moved = 0
    s.idle_turns = 0
    s.ending = Ending.NOT_OVER
    clear_board(s)
    for explorer in range(box.EXPLORERS):
        s.value[explorer] = NO_VALUE


@rule
def deal(s: State, chance: Chance) -> None:
    """IS-S1, IS-S2, IS-S4: place the serpents, deal the tiles, choose the first player."""
    clear(s)
    for creature in range(len(board.SERPENT_STARTS)):
        put_creature(s, creature, board.SERPENT_STARTS[creature])
    deal_terrain(s, chance)
    deal_unseen(s, chance)
    if s.turn == NOBODY:
        s.turn = draw(chance, s.seats)
    s.to_move = s.turn
    s.phase = Phase.PLACE_EXPLORER


@rule_apart
def deal_terrain(s: State, chance: Chance) -> None:
    """IS-S2: shuffle the terrains of the tiles; their backs are still unknown."""
    for terrain in range(len(box.TERRAINS)):
        s.land_left[terrain] = box.TERRAIN_TILES[terrain]
    for tile in range(board.TILES):
        drawn = draw(chance, board.TILES - tile)
        terrain = 0
        while drawn >= s.land_left[terrain]:
            drawn -= s.land_left[terrain]
            terrain += 1
        s.land_left[terrain] -= 1
        s.terrain[tile] = terrain
        s.back[tile] = UNKNOWN
        s.holder[tile] = ON_BOARD
        s.space[board.TILE_SPACES[tile]] |= LAND
    for terrain in range(len(box.TERRAINS)):
        s.land_left[terrain] = box.TERRAIN_TILES[terrain]


# ---- explorers ----------------------------------------------------------------------------------


@rule_apart
def free_tiles(s: State) -> int:
    """The set of tiles with room for another explorer (IS-S5, IS-V1)."""
    once = 0
    twice = 0
    for explorer in range(box.EXPLORERS):
        if s.place[explorer] != WAITING:
            tile = 1 << board.TILE_OF[s.place[explorer]]
            twice |= once & tile
            once |= tile
    free = 0
    for tile in range(board.TILES):
        if once >> tile & 1 == 0:
            free |= 1 << tile
        elif s.crowded != 0 and board.IS_INNER[tile] != 0 and twice >> tile & 1 == 0:
            free |= 1 << tile
    return free


@rule_apart
def values_left(s: State, colour: int) -> int:
    """The number of explorers of each value still to place, packed into one int."""
    counts = box.VALUE_COUNTS
    for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
        if s.value[explorer] != NO_VALUE:
            counts -= 1 << COUNT_BITS * s.value[explorer]
    return counts


@rule
def explorers_waiting(s: State, seat: int) -> int:
    count = 0
    for colour in range(seat, colours_in_play(s), s.seats):
        for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
            if s.place[explorer] == WAITING:
                count += 1
    return count


@rule
def legal_tiles(s: State, actions: list[int]) -> int:
    """IS-S5: fill in the tiles that take another explorer, by their spaces."""
    free = free_tiles(s)
    count = 0
    for tile in range(board.TILES):
        if free >> tile & 1 != 0:
            actions[count] = board.TILE_SPACES[tile]
            count += 1
    return count


@rule
def legal_values(s: State, actions: list[int]) -> int:
    """IS-S5, IS-P1: the remaining values of the player; under IS-V3 only colours."""
    count = 0
    for colour in range(s.to_move, colours_in_play(s), s.seats):
        first = Action.VALUE + colour // s.seats * box.HIGHEST_VALUE
        if next_explorer(s, colour) == NOBODY:
            continue
        if s.all_equal != 0:
            actions[count] = first
            count += 1
            continue
        counts = values_left(s, colour)
        for value in range(1, box.HIGHEST_VALUE + 1):
            if counts >> COUNT_BITS * value & COUNT_MASK != 0:
                actions[count] = first + value - 1
                count += 1
    return count


@rule
def choose_tile(s: State, space: int) -> None:
    """IS-S8: first the tile, then the explorer, unless only one is left."""
    s.chosen = space
    only = NOBODY
    colours = 0
    for colour in range(s.to_move, colours_in_play(s), s.seats):
        if next_explorer(s, colour) != NOBODY:
            only = colour
            colours += 1
    if colours > 1 or (s.all_equal == 0 and explorers_waiting(s, s.to_move) > 1):
        s.phase = Phase.NAME_VALUE
    else:
        place_explorer(s, only, only_value(s, only))


@rule
def only_value(s: State, colour: int) -> int:
    """The lowest value left: the only one if there is no choice."""
    if s.all_equal != 0:
        return 1
    counts = values_left(s, colour)
    value = 1
    while counts >> COUNT_BITS * value & COUNT_MASK == 0:
        value += 1
    return value


@rule
def name_value(s: State, action: int) -> None:
    slot = (action - Action.VALUE) // box.HIGHEST_VALUE
    place_explorer(
        s, s.to_move + slot * s.seats, action - Action.VALUE - slot * box.HIGHEST_VALUE + 1
    )


@rule_apart
def place_explorer(s: State, colour: int, value: int) -> None:
    """Place an explorer on the chosen tile; the next player or the boats follow (IS-S6)."""
    explorer = next_explorer(s, colour)
    s.place[explorer] = s.chosen
    s.value[explorer] = value
    s.chosen = NOTHING
    pass_on(s)
    s.phase = Phase.PLACE_EXPLORER if explorers_waiting(s, s.to_move) > 0 else Phase.PLACE_BOAT


@rule
def pass_on(s: State) -> None:
    s.turn = next_seat(s, s.turn)
    s.to_move = s.turn


# ---- boats --------------------------------------------------------------------------------------


@rule
def legal_boat_starts(s: State, actions: list[int]) -> int:
    """IS-S6: fill in sea spaces that touch a tile, with neither boat nor serpent."""
    count = 0
    for start in range(len(board.BOAT_STARTS)):
        if s.space[board.BOAT_STARTS[start]] == 0:
            actions[count] = board.BOAT_STARTS[start]
            count += 1
    return count


@rule
def place_boat(s: State, space: int) -> None:
    """Place the next boat of the stock (IS-S3); after the last one play begins."""
    boat = next_boat_in_stock(s)
    put_boat(s, boat, space)
    pass_on(s)
    if boat + 1 == box.BOATS_PER_PLAYER * s.seats:
        s.phase = Phase.TURN_BEGINS


# ---- dealt instead of placed (IS-S9) ------------------------------------------------------------


@rule_apart
def place_all(s: State, chance: Chance) -> None:
    """Place explorers on random tiles with random values, and boats beside them."""
    s.auto_setup = 0
    for number in range(box.PER_COLOUR):
        for round_of_colours in range(0, colours_in_play(s), s.seats):
            for _ in range(s.seats):
                explorer = (s.turn + round_of_colours) * box.PER_COLOUR + number
                free = free_tiles(s)
                s.place[explorer] = board.TILE_SPACES[nth_bit(free, draw(chance, bits_in(free)))]
                s.value[explorer] = 1 if s.all_equal != 0 else UNKNOWN
                pass_on(s)
    deal_unseen(s, chance)
    s.phase = Phase.PLACE_BOAT
    while s.phase == Phase.PLACE_BOAT:
        starts = boat_starts_beside(s, s.turn)
        place_boat(s, board.BOAT_STARTS[nth_bit(starts, draw(chance, bits_in(starts)))])


@rule_apart
def boat_starts_beside(s: State, seat: int) -> int:
    """The set of free boat spaces beside the seat's explorers, or all free ones."""
    beside = 0
    free = 0
    for start in range(len(board.BOAT_STARTS)):
        space = board.BOAT_STARTS[start]
        if s.space[space] == 0:
            free |= 1 << start
            for near in range(board.FIRST_NEAR[space], board.FIRST_NEAR[space + 1]):
                if stands_on(s, seat, board.NEAR[near]):
                    beside |= 1 << start
    return beside if beside != 0 else free


@rule
def stands_on(s: State, seat: int, space: int) -> bool:
    for colour in range(seat, box.COLOURS, s.seats):
        for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
            if s.place[explorer] == space:
                return True
    return False


@rule
def bits_in(bits: int) -> int:
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count
