"""The values of places and spaces.

A person's place is a space of the board, then a safe island, then a boat, or off the board.
"""

from __future__ import annotations

from typing import Final

# The place of a person. Spaces and safe islands come first; a boat is ABOARD plus its number.
ABOARD: Final = 200
LOST: Final = 250
WAITING: Final = 251  # not placed yet

# The place of a boat or a creature that is not on the board.
IN_STOCK: Final = 252
GONE: Final = 253  # out of the game

# The contents of a space, as bits: a boat's number plus 1, land, and a bit per kind of creature.
BOAT_BITS: Final = 15
MOST_BOATS: Final = 14
LAND: Final = 16
FIRST_CREATURE_BIT: Final = 32
NO_FREE_SEA: Final = LAND | BOAT_BITS  # sea without a boat has none of these bits

NO_BOAT: Final = -1
NO_CREATURE: Final = -1

BOAT_ROOM: Final = 3  # people in a full boat
