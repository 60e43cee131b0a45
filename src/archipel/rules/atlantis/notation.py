"""Actions and chance as text, and back.

An action is a word or two; what a number means depends on the phase::

    place f7                one of one's people, at set-up
    person R3, boat 2, shark 1                            the piece
    to f7, swim f7, overboard, board 2, ashore nw, ride nw    where to
    sink f7, stop, pass

Chance is the result of the spinner: ``shark-2``, ``dolphin-T/3`` (the third dolphin sector).
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.box_files import ANIMAL_KINDS
from archipel.rules.atlantis.names import NAMES, OUTCOME_NAMES, TRIBE_LETTERS
from archipel.rules.atlantis.state import Action, Phase, State
from archipel.rules.hex_sea.notation import SeaNotation
from archipel.rules.position_fields import refuse
from archipel.rules.sentence import Sentence

PIECE_LETTERS: Final = TRIBE_LETTERS
_NOTATION: Final = SeaNotation(NAMES, "person", Phase.MOVE_TO)
_PLACING: Final = {Phase.PLACE: "place", Phase.SINK: "sink"}
_HELP: Final = Sentence(
    "say something like place f7, person R3, boat 2, shark 1, to f7, swim f7, overboard, board 2, "
    "ashore nw, ride nw, sink f7, pass or stop"
)
_OUTCOMES: Final = {name.lower(): number for number, name in enumerate(OUTCOME_NAMES)}


# ---- writing ------------------------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    """The text of an action in the phase of a position."""
    if action < Action.ISLAND and s.phase in _PLACING:
        return f"{_PLACING[s.phase]} {NAMES.space(action)}"
    if action < Action.ISLAND:
        return _NOTATION.step_text(s, action)
    if action < Action.RIDE:
        return f"ashore {NAMES.island(action - Action.ISLAND)}"
    if action < Action.PERSON:
        return f"ride {NAMES.island(action - Action.RIDE)}"
    if action < Action.STOP:
        return _NOTATION.piece_text(s, action)
    return "pass" if s.phase == Phase.ANIMAL else "stop"


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The result of the spinner."""
    return " ".join(OUTCOME_NAMES[outcome] for outcome in outcomes)


# ---- reading ------------------------------------------------------------------------------------


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    words = text.lower().split()
    if words in (["stop"], ["pass"]):
        return Action.STOP
    if words == ["overboard"]:
        space = _NOTATION.own_boat_space(s)
        if space is None:
            refuse("{text!r}: nobody in a boat is chosen; choose someone first", text=text)
        return space
    found = _parse_pair(*words) if len(words) == 2 else None
    if found is None:
        refuse("{text!r} is not an action: {help}", text=text, help=_HELP)
    return found


def _parse_pair(word: str, name: str) -> int | None:
    parts: dict[str, object] = {"word": word, "name": name}
    if word in ("to", "swim", "place", "sink"):
        if name not in NAMES.spaces:
            refuse(
                "{word} {name}: there is no such space; rows are a to {last}, and spaces are "
                "numbered from 1 in each",
                parts,
                last=next(reversed(NAMES.spaces))[0],
            )
        return NAMES.spaces[name]
    if word in ("ashore", "ride"):
        if name not in NAMES.islands:
            known = ", ".join(NAMES.islands)
            refuse("{word} {name}: Coral Islands are {known}", parts, known=known)
        return (Action.ISLAND if word == "ashore" else Action.RIDE) + NAMES.islands[name]
    if word == "person":
        if name.upper() not in NAMES.people:
            refuse(
                "person {name}: there is no such person; they are {first} to {last}",
                parts,
                first=next(iter(NAMES.people)),
                last=next(reversed(NAMES.people)),
            )
        return Action.PERSON + NAMES.people[name.upper()]
    if word in ("boat", "board"):
        return _NOTATION.parse_boat(word, name)
    if word in ANIMAL_KINDS:
        if f"{word} {name}" not in NAMES.creatures:
            refuse("{word} {name}: there is no such animal", parts)
        return Action.ANIMAL + NAMES.creatures[f"{word} {name}"]
    return None


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    found = text.lower().replace(",", " ").split()
    for part in found:
        if part not in _OUTCOMES:
            parts = {"text": text, "known": ", ".join(OUTCOME_NAMES), "part": part}
            refuse("spinner {text!r}: it shows {known}, not {part} (AT-C5)", parts)
    return tuple(_OUTCOMES[part] for part in found)
