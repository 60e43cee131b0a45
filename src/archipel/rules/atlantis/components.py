"""What is in the box (chapter Components), as numbers and tables for the rules."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import Final

from archipel.rules.atlantis import box
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX, PARTS, TERRAINS, TRIBES

FEWEST_SEATS: Final = box.FEWEST_SEATS
MOST_SEATS: Final = box.MOST_SEATS
PIECE_ROOM: Final = box.PIECE_ROOM

PLAIN: Final = TERRAINS.index("plain")
ROOM_ON_A_PLAIN_AT_SET_UP: Final = 1  # AT-S3

# Animals and symbols share their numbers; the symbols that are no animal follow (AT-C4).
MONSTER: Final = 0
SHARK: Final = 1
OCTOPUS: Final = 2
DOLPHIN: Final = 3
BOAT_SYMBOL: Final = 4
WHIRLPOOL: Final = 5

MOVEMENT_POINTS: Final = 3  # AT-T1
RESCUE_POINTS: Final = 3  # AT-M8

# AT-C1: people are numbered tribe by tribe; tribes follow seats.
PER_TRIBE: Final = BOX.people
PEOPLE: Final = TRIBES * PER_TRIBE
TRIBE_OF: Final = [person // PER_TRIBE for person in range(PEOPLE)]

BOATS: Final = BOX.boats

# Animals are numbered kind by kind.
ANIMALS: Final = sum(BOX.animals)
FIRST_OF_KIND: Final = [sum(BOX.animals[:kind]) for kind in range(len(ANIMAL_KINDS) + 1)]
KIND_OF: Final = [kind for kind, count in enumerate(BOX.animals) for _ in range(count)]

# Counts of several things in one number, so that a rule can hold them in a variable: so many bits
# for each.
COUNT_BITS: Final = 5
COUNT_MASK: Final = (1 << COUNT_BITS) - 1

# AT-C4: how many pieces of each terrain there are, and how many of each symbol among them.
TERRAIN_PIECES: Final = [sum(counts) for counts in BOX.symbols]
SYMBOL_COUNTS: Final = [
    sum(count << COUNT_BITS * symbol for symbol, count in enumerate(counts))
    for counts in BOX.symbols
]
CENTRE_SYMBOL: Final = -1 if BOX.centre_symbol is None else BOX.centre_symbol  # AT-C2

# AT-C5: the parts of the spinner, each equally likely; of each its animal and what it says. Parts
# that differ in nothing but their width are one outcome if all are.
T: Final = 4  # after 1, 2 and 3 spaces
_SECTOR: Final = reduce(gcd, BOX.sectors)
_PART: Final = reduce(gcd, BOX.parts)
_SPINNER: Final = [
    (kind, part + 1)
    for kind, sectors in enumerate(BOX.sectors)
    for _ in range(sectors // _SECTOR)
    for part, width in enumerate(BOX.parts)
    for _ in range(width // _PART)
]
SPUN_KIND: Final = [kind for kind, _ in _SPINNER]
SPUN_PART: Final = [part for _, part in _SPINNER]
PART_NAMES: Final = ("-", *PARTS)

TURNS_WITHOUT_EVENT: Final = 12  # per player (AT-E3)
