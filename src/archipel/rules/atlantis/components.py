"""The components (chapter Components), as numbers and tables for the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd
from typing import Final

from archipel.rules.atlantis import box_files
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, BOX, PARTS, TERRAINS, TRIBES
from archipel.rules.hex_sea.counts import in_one_number

FEWEST_SEATS: Final = box_files.FEWEST_SEATS
MOST_SEATS: Final = box_files.MOST_SEATS
PIECE_ROOM: Final = box_files.PIECE_ROOM

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

# AT-C4: the number of pieces of each terrain, and of each symbol among them.
TERRAIN_PIECES: Final = [sum(counts) for counts in BOX.symbols]
SYMBOL_COUNTS: Final = [in_one_number(counts) for counts in BOX.symbols]
CENTRE_SYMBOL: Final = -1 if BOX.centre_symbol is None else BOX.centre_symbol  # AT-C2

# AT-C5: the parts of the spinner, each equally likely, with their animals and texts. Widths and
# numbers of sectors are divided by their common divisor.
T: Final = 4  # after 1, 2 and 3 spaces


def parts_of_spinner(sectors: Sequence[int], widths: Sequence[int]) -> list[tuple[int, int]]:
    """From the number of sectors of each animal, and the widths of the parts (AT-C10)."""
    sector, width_of_one = reduce(gcd, sectors), reduce(gcd, widths)
    return [
        (kind, part + 1)
        for kind, count in enumerate(sectors)
        for _ in range(count // sector)
        for part, width in enumerate(widths)
        for _ in range(width // width_of_one)
    ]


SPINNER: Final = parts_of_spinner(BOX.sectors, BOX.parts)
SPUN_KIND: Final = [kind for kind, _ in SPINNER]
SPUN_PART: Final = [part for _, part in SPINNER]
PART_NAMES: Final = ("-", *PARTS)
