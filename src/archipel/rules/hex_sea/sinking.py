"""What happens where land sinks: which is due, new boats, and whirlpools."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.creatures import Creatures
from archipel.rules.hex_sea.places import IN_STOCK, LAND, NO_BOAT
from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart


class Sinking(Creatures[S]):
    """What happens where land sinks."""

    @rule
    def any_land_left(self, s: S) -> bool:
        for terrain in range(len(self.terrains)):
            if s.land_left[terrain] > 0:
                return True
        return False

    @rule
    def terrain_due(self, s: S) -> int:
        """The terrain that sinks next: the first of which there is any left."""
        terrain = 0
        while s.land_left[terrain] == 0:
            terrain += 1
        return terrain

    @rule
    def uncover(self, s: S, space: int, terrain: int) -> None:
        """Turn land of a terrain into sea."""
        s.space[space] = s.space[space] & ~LAND
        s.land_left[terrain] -= 1

    @rule
    def next_boat_in_stock(self, s: S) -> int:
        """Return the next boat of the stock, or `NO_BOAT`."""
        for boat in range(self.boats):
            if s.boat[boat] == IN_STOCK:
                return boat
        return NO_BOAT

    @rule_apart
    def whirlpool(self, s: S, space: int) -> None:
        """Remove everything in a space and on the adjacent sea."""
        self.swallow(s, space)
        for near in range(self.first_near[space], self.first_near[space + 1]):
            if is_sea(s, self.near[near]):
                self.swallow(s, self.near[near])

    @rule_apart
    def swallow(self, s: S, space: int) -> None:
        self.lose_swimmers(s, space)
        boat = boat_in(s, space)
        if boat != NO_BOAT:
            self.lose_boat(s, boat)
        if s.space[space] != 0:
            self.remove_creatures(s, space)
