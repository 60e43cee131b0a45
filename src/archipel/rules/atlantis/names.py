"""How people call things: spaces, Coral Islands, people, boats, animals, symbols.

Rows of the board are small letters and spaces are numbered in their row: ``f7``.  People are a
capital letter for their tribe and their number in the order of placement: ``R3``.
"""

from __future__ import annotations

import re
from typing import Final

from archipel.rules.atlantis.board import BOARD, SPACES
from archipel.rules.atlantis.box import ANIMAL_KINDS
from archipel.rules.atlantis.components import (
    BOATS,
    FIRST_OF_KIND,
    KIND_OF,
    PART_NAMES,
    PEOPLE,
    PER_TRIBE,
    SPUN_KIND,
    SPUN_PART,
)

TRIBE_NAMES: Final = ("red", "blue", "yellow", "green")
TRIBE_LETTERS: Final = "RBYG"

SPACE_NUMBERS: Final = {name: space for space, name in enumerate(BOARD.names)}
ISLAND_NUMBERS: Final = {name: island for island, name in enumerate(BOARD.shores)}

_PERSON: Final = re.compile(rf"([{TRIBE_LETTERS}])([1-9]\d?)")


def space_name(space: int) -> str:
    return BOARD.names[space]


def island_name(island: int) -> str:
    return BOARD.shores[island]


def place_name(place: int) -> str:
    """A space or a Coral Island."""
    return space_name(place) if place < SPACES else island_name(place - SPACES)


def person_name(person: int) -> str:
    tribe, number = divmod(person, PER_TRIBE)
    return f"{TRIBE_LETTERS[tribe]}{number + 1}"


def person_number(name: str) -> int | None:
    match = _PERSON.fullmatch(name)
    if match is None or int(match[2]) > PER_TRIBE:
        return None
    return TRIBE_LETTERS.index(match[1]) * PER_TRIBE + int(match[2]) - 1


def boat_name(boat: int) -> str:
    return str(boat + 1)


def animal_name(animal: int) -> str:
    """The kind and the number within the kind: ``shark 2``."""
    return f"{ANIMAL_KINDS[KIND_OF[animal]]} {animal_number(animal)}"


def animal_number(animal: int) -> int:
    return animal - FIRST_OF_KIND[KIND_OF[animal]] + 1


def spun_name(kind: int, part: int) -> str:
    """What the spinner shows: ``shark-2``, ``dolphin-T``."""
    return f"{ANIMAL_KINDS[kind]}-{PART_NAMES[part]}"


def _outcome_names() -> tuple[str, ...]:
    """Of every part of the spinner; of several alike, which one it is follows: ``dolphin-T/2``."""
    shown = [spun_name(kind, part) for kind, part in zip(SPUN_KIND, SPUN_PART, strict=True)]
    return tuple(
        name + (f"/{shown[: index + 1].count(name)}" if shown.count(name) > 1 else "")
        for index, name in enumerate(shown)
    )


OUTCOME_NAMES: Final = _outcome_names()
ANIMAL_NUMBERS: Final = {animal_name(animal): animal for animal in range(len(KIND_OF))}
PERSON_NAMES: Final = tuple(person_name(person) for person in range(PEOPLE))
BOAT_NUMBERS: Final = {boat_name(boat): boat for boat in range(BOATS)}
