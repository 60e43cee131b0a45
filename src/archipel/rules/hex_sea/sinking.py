"""What happens where land sinks: which is due, new boats, and whirlpools."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import HasBoats, boat_in, is_sea
from archipel.rules.hex_sea.creatures import remove_creatures
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import BOATS, FIRST_NEAR, NEAR, TERRAINS
from archipel.rules.hex_sea.people import lose_boat, lose_swimmers
from archipel.rules.hex_sea.places import IN_STOCK, LAND, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart


@rule
def any_land_left(s: HasSea) -> bool:
    for terrain in range(len(TERRAINS)):
        if s.land_left[terrain] > 0:
            return True
    return False


@rule
def terrain_due(s: HasSea) -> int:
    """The terrains sink one after the other: the first of which there is any."""
    terrain = 0
    while s.land_left[terrain] == 0:
        terrain += 1
    return terrain


@rule
def uncover(s: HasSea, space: int, terrain: int) -> None:
    """Land of a terrain is sea from now on."""
    s.space[space] = s.space[space] & ~LAND
    s.land_left[terrain] -= 1


@rule
def next_boat_in_stock(s: HasBoats) -> int:
    """The next boat to come into play, or none."""
    for boat in range(BOATS):
        if s.boat[boat] == IN_STOCK:
            return boat
    return NO_BOAT


@rule_apart
def whirlpool(s: HasSea, space: int) -> None:
    """It takes everything in its space and on the sea around it."""
    swallow(s, space)
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            swallow(s, NEAR[near])


@rule_apart
def swallow(s: HasSea, space: int) -> None:
    lose_swimmers(s, space)
    boat = boat_in(s, space)
    if boat != NO_BOAT:
        lose_boat(s, boat)
    if s.space[space] != 0:
        remove_creatures(s, space)
