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
from archipel.rules.atlantis.state import Action, Phase, State
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
    if action < Action.ISLAND:
        return _space_text(s, action - Action.SPACE)
    if action < Action.RIDE:
        return f"ashore {island_name(action - Action.ISLAND)}"
    if action < Action.PERSON:
        return f"ride {island_name(action - Action.RIDE)}"
    if action < Action.BOAT:
        return f"person {person_name(action - Action.PERSON)}"
    if action < Action.ANIMAL:
        word = "board" if s.phase == Phase.MOVE_TO else "boat"
        return f"{word} {boat_name(action - Action.BOAT)}"
    if action < Action.STOP:
        return animal_name(action - Action.ANIMAL)
    return "pass" if s.phase == Phase.ANIMAL else "stop"


def _space_text(s: State, space: int) -> str:
    name = space_name(space)
    if s.phase == Phase.PLACE:
        return f"place {name}"
    if s.phase == Phase.SINK:
        return f"sink {name}"
    if s.phase in (Phase.MOVE_TO, Phase.RELOCATE_TO) and Action.PERSON <= s.chosen < Action.BOAT:
        if space == _own_boat_space(s):
            return "overboard"
        return f"swim {name}" if is_sea(s, space) else f"to {name}"
    return f"to {name}"


def _own_boat_space(s: State) -> int | None:
    """The space of the boat that the chosen person is in."""
    if not Action.PERSON <= s.chosen < Action.BOAT:
        return None
    place = s.place[s.chosen - Action.PERSON]
    return s.boat[place - ABOARD] if ABOARD <= place < ABOARD + len(s.boat) else None


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """What the spinner shows."""
    return " ".join(OUTCOME_NAMES[outcome] for outcome in outcomes)


# ---- reading ------------------------------------------------------------------------------------


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    words = text.lower().split()
    if words in (["stop"], ["pass"]):
        return Action.STOP
    if words == ["overboard"]:
        space = _own_boat_space(s)
        if space is None:
            raise NotationError(
                Sentence("{text!r}: nobody in a boat is chosen; choose someone first", text=text)
            )
        return Action.SPACE + space
    if len(words) == 2:
        found = _parse_pair(*words)
        if found is not None:
            return found
    raise NotationError(Sentence("{text!r} is not an action: {help}", text=text, help=_HELP))


def _parse_pair(word: str, name: str) -> int | None:
    if word in _TO_SPACE:
        if name in SPACE_NUMBERS:
            return Action.SPACE + SPACE_NUMBERS[name]
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
        return (Action.ISLAND if word == "ashore" else Action.RIDE) + ISLAND_NUMBERS[name]
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
        return Action.PERSON + person
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
        return Action.BOAT + BOAT_NUMBERS[name]
    if word in ANIMAL_KINDS:
        if f"{word} {name}" not in ANIMAL_NUMBERS:
            raise NotationError(
                Sentence("{word} {name}: there is no such animal", word=word, name=name)
            )
        return Action.ANIMAL + ANIMAL_NUMBERS[f"{word} {name}"]
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
