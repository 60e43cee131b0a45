"""Actions and chance as text, and back.

An action is a word or two; what a number means depends on the phase::

    place f7                one of one's people, at set-up
    person R3, boat 2, shark 1                            the piece
    to f7, swim f7, overboard, board 2, ashore nw, ride nw    where to
    sink f7, stop, pass

Chance is what the spinner shows: ``shark-2``, ``dolphin-T/3`` (the third dolphin sector).
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.box import ANIMAL_KINDS
from archipel.rules.atlantis.names import (
    ANIMAL_NUMBERS,
    BOAT_NUMBERS,
    ISLAND_NUMBERS,
    OUTCOME_NAMES,
    PERSON_NAMES,
    SPACE_NUMBERS,
    animal_name,
    boat_name,
    island_name,
    person_name,
    person_number,
    space_name,
)
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    BOAT,
    ISLAND,
    MOVE_TO,
    PERSON,
    PLACE,
    RELOCATE_TO,
    RIDE,
    SINK,
    SPACE,
    STOP,
    State,
)
from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.sentence import Sentence

_TO_SPACE: Final = ("to", "swim", "place", "sink")
_HELP: Final = Sentence(
    "say something like place f7, person R3, boat 2, shark 1, to f7, swim f7, overboard, board 2, "
    "ashore nw, ride nw, sink f7, pass or stop"
)
_CASES: Final = {name.lower(): name for name in OUTCOME_NAMES}


# ---- writing ------------------------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    """An action as it is said in the phase of a position."""
    if action < ISLAND:
        return _space_text(s, action - SPACE)
    if action < RIDE:
        return f"ashore {island_name(action - ISLAND)}"
    if action < PERSON:
        return f"ride {island_name(action - RIDE)}"
    if action < BOAT:
        return f"person {person_name(action - PERSON)}"
    if action < ANIMAL_PIECE:
        word = "board" if s.phase == MOVE_TO else "boat"
        return f"{word} {boat_name(action - BOAT)}"
    if action < STOP:
        return animal_name(action - ANIMAL_PIECE)
    return "pass" if s.phase == ANIMAL else "stop"


def _space_text(s: State, space: int) -> str:
    name = space_name(space)
    if s.phase == PLACE:
        return f"place {name}"
    if s.phase == SINK:
        return f"sink {name}"
    if s.phase in (MOVE_TO, RELOCATE_TO) and PERSON <= s.chosen < BOAT:
        if space == _own_boat_space(s):
            return "overboard"
        return f"swim {name}" if is_sea(s, space) else f"to {name}"
    return f"to {name}"


def _own_boat_space(s: State) -> int | None:
    """The space of the boat that the chosen person is in."""
    if not PERSON <= s.chosen < BOAT:
        return None
    place = s.place[s.chosen - PERSON]
    return s.boat[place - ABOARD] if ABOARD <= place < ABOARD + len(s.boat) else None


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """What the spinner shows."""
    return " ".join(OUTCOME_NAMES[outcome] for outcome in outcomes)


# ---- reading ------------------------------------------------------------------------------------


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    words = text.lower().split()
    if words in (["stop"], ["pass"]):
        return STOP
    if words == ["overboard"]:
        space = _own_boat_space(s)
        if space is None:
            raise NotationError(
                Sentence("{text!r}: nobody in a boat is chosen; choose someone first", text=text)
            )
        return SPACE + space
    if len(words) == 2:
        found = _parse_pair(*words)
        if found is not None:
            return found
    raise NotationError(Sentence("{text!r} is not an action: {help}", text=text, help=_HELP))


def _parse_pair(word: str, name: str) -> int | None:
    if word in _TO_SPACE:
        if name in SPACE_NUMBERS:
            return SPACE + SPACE_NUMBERS[name]
        last = next(reversed(SPACE_NUMBERS))
        raise NotationError(
            Sentence(
                "{word} {name}: there is no such space; rows are a to {last}, and spaces are "
                "numbered from 1 in each",
                word=word,
                name=name,
                last=last[0],
            )
        )
    if word in ("ashore", "ride"):
        if name not in ISLAND_NUMBERS:
            raise NotationError(
                Sentence(
                    "{word} {name}: Coral Islands are {known}",
                    word=word,
                    name=name,
                    known=", ".join(ISLAND_NUMBERS),
                )
            )
        return (ISLAND if word == "ashore" else RIDE) + ISLAND_NUMBERS[name]
    if word == "person":
        person = person_number(name.upper())
        if person is None:
            raise NotationError(
                Sentence(
                    "person {name}: there is no such person; they are {first} to {last}",
                    name=name,
                    first=PERSON_NAMES[0],
                    last=PERSON_NAMES[-1],
                )
            )
        return PERSON + person
    if word in ("boat", "board"):
        if name not in BOAT_NUMBERS:
            raise NotationError(
                Sentence(
                    "{word} {name}: boats are 1 to {count}",
                    word=word,
                    name=name,
                    count=len(BOAT_NUMBERS),
                )
            )
        return BOAT + BOAT_NUMBERS[name]
    if word in ANIMAL_KINDS:
        if f"{word} {name}" not in ANIMAL_NUMBERS:
            raise NotationError(
                Sentence("{word} {name}: there is no such animal", word=word, name=name)
            )
        return ANIMAL_PIECE + ANIMAL_NUMBERS[f"{word} {name}"]
    return None


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    found = []
    for part in text.lower().replace(",", " ").split():
        if part not in _CASES:
            raise NotationError(
                Sentence(
                    "spinner {text!r}: it shows {known}, not {part} (AT-C5)",
                    text=text,
                    known=", ".join(OUTCOME_NAMES),
                    part=part,
                )
            )
        found.append(OUTCOME_NAMES.index(_CASES[part]))
    return tuple(found)
