"""Step 3: removing a tile, and the effect of its back (chapter Step 3)."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import climb_aboard, has_room, is_sea, put_boat
from archipel.rules.hex_sea.places import BOAT_ROOM, NO_BOAT, NO_CREATURE
from archipel.rules.hex_sea.swimmers import swimmers_in
from archipel.rules.kit import rule, rule_apart
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.end import end_game
from archipel.rules.the_island.explorers import lose_swimmers
from archipel.rules.the_island.sea import SEA, next_in_stock, put_creature, touches_sea
from archipel.rules.the_island.state import NOTHING, OUT, Action, Ending, Phase, State, owner

terrain_due = SEA.terrain_due  # IS-K1: beaches, then forests, then mountains
uncover = SEA.uncover
next_boat_in_stock = SEA.next_boat_in_stock  # IS-K11
whirlpool = SEA.whirlpool  # IS-K9


@rule_apart
def legal_removals(s: State, actions: list[int]) -> int:
    """IS-K2: tiles of the terrain due that touch the sea; IS-K3: if none does, any of them."""
    due = terrain_due(s)
    count = 0
    for tile in range(TILES):
        space = TILE_SPACES[tile]
        if s.terrain[tile] == due and not is_sea(s, space) and touches_sea(s, space):
            actions[count] = Action.SPACE + space
            count += 1
    if count > 0:
        return count
    for tile in range(TILES):
        if s.terrain[tile] == due and not is_sea(s, TILE_SPACES[tile]):
            actions[count] = Action.SPACE + TILE_SPACES[tile]
            count += 1
    return count


@rule
def remove_tile(s: State, space: int) -> None:
    """IS-K4: its explorers are in the water; IS-K5: green backs act, red ones go to the hand."""
    tile = TILE_OF[space]
    uncover(s, space, s.terrain[tile])
    s.phase = Phase.TILE_RESOLVED
    back = s.back[tile]
    if back >= box.FIRST_RED:
        s.holder[tile] = s.turn
        return
    s.holder[tile] = OUT
    if back == box.SHARK_TILE:
        bring_shark(s, space)
    elif back == box.WHALE_TILE:
        bring_whale(s, space)
    elif back == box.BOAT_TILE:
        bring_boat(s, space)
    elif back == box.VOLCANO and s.last_one == 0 and s.sunken == 0:
        end_game(s, Ending.ERUPTION)  # IS-K10, IS-E1
    else:
        whirlpool(s, space)  # IS-K9; IS-V2, IS-V4: the volcano too


@rule
def bring_shark(s: State, space: int) -> None:
    """IS-K6: the shark eats the explorers who fell; nobody can defend (IS-D4)."""
    shark = next_in_stock(s, box.SHARK)
    if shark != NO_CREATURE:
        put_creature(s, shark, space)
        lose_swimmers(s, space)


@rule
def bring_whale(s: State, space: int) -> None:
    """IS-K7: a whale appears, where there is no boat to sink."""
    whale = next_in_stock(s, box.WHALE)
    if whale != NO_CREATURE:
        put_creature(s, whale, space)


@rule
def bring_boat(s: State, space: int) -> None:
    """IS-K8: the swimmers go aboard; if they are more than three, the player picks."""
    boat = next_boat_in_stock(s)
    if boat == NO_BOAT:
        return  # IS-K11
    put_boat(s, boat, space)
    if swimmers_in(s, space) > BOAT_ROOM:
        s.chosen = Action.BOAT + boat
        s.phase = Phase.FILL_BOAT
        return
    for explorer in range(box.EXPLORERS):
        if s.place[explorer] == space:
            climb_aboard(s, explorer, owner(s, explorer), boat)


@rule
def legal_passengers(s: State, actions: list[int]) -> int:
    """IS-K8: fill in the swimmers in the space of the new boat."""
    space = s.boat[s.chosen - Action.BOAT]
    count = 0
    for explorer in range(box.EXPLORERS):
        if s.place[explorer] == space:
            actions[count] = Action.EXPLORER + explorer
            count += 1
    return count


@rule
def take_aboard(s: State, explorer: int) -> None:
    """IS-K8: take swimmers aboard one by one, until the boat is full."""
    boat = s.chosen - Action.BOAT
    climb_aboard(s, explorer, owner(s, explorer), boat)
    if not has_room(s, boat):
        s.chosen = NOTHING
        s.phase = Phase.TILE_RESOLVED
