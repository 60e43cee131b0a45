"""Notation of actions, dice and chips.

An action is a word or two: ``dive``, ``turn back``, ``swim on``, ``take``, ``put 2``, ``nothing``,
``lay 1``. Chips are named by level and number, a1 to d8.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.state import Action, Phase, State
from archipel.rules.position_fields import refuse

WORDS: Final = {
    "dive": Action.DIVE,
    "turn back": Action.TURN_BACK,
    "swim on": Action.SWIM_ON,
    "nothing": Action.NOTHING,
    "take": Action.TAKE,
}
NUMBERED_WORDS: Final = {"put": Action.PUT, "lay": Action.LAY_DOWN}
HAND_PLACES: Final = tuple(str(place + 1) for place in range(box.MOST_UNITS_HELD))
LEVEL_LETTERS: Final = "abcd"
PHASES: Final = {"throw": Phase.THROW, "search": Phase.SEARCH, "lay": Phase.LAY, "over": Phase.OVER}

_TEXTS: Final = {action: word for word, action in WORDS.items()} | {
    first + slot: f"{word} {slot + 1}"
    for word, first in NUMBERED_WORDS.items()
    for slot in range(box.MOST_UNITS_HELD)
}


def action_text(s: State, action: int) -> str:
    return _TEXTS[action]


def parse_action(s: State, text: str) -> int:
    """Return the action that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if words in WORDS:
        return WORDS[words]
    name, _, number = words.partition(" ")
    if name in NUMBERED_WORDS:
        if not number and s.load[s.to_move] == 1:
            return NUMBERED_WORDS[name]
        if number in HAND_PLACES:
            return NUMBERED_WORDS[name] + HAND_PLACES.index(number)
        parts = {"text": text, "name": name, "most": box.MOST_UNITS_HELD}
        refuse("{text!r}: say which chip of the hand, {name} 1 to {name} {most}", parts)
    parts = {"text": text, "known": ", ".join(WORDS)}
    refuse("{text!r} is not an action: say {known}, put 1 to 6 or lay 1 to 6", parts)


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The faces of the dice."""
    return " ".join(str(outcome + 1) for outcome in outcomes)


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    faces = text.replace(",", " ").split()
    if len(faces) > box.DICE:
        refuse("dice {text!r}: there are {count} dice (DS-C2)", text=text, count=box.DICE)
    for face in faces:
        if face not in {str(result + 1) for result in range(box.DIE_RESULTS)}:
            parts = {"text": text, "face": face}
            refuse("dice {text!r}: a die shows 1, 2 or 3, not {face} (DS-C2)", parts)
    return tuple(int(face) - 1 for face in faces)


@cache
def chip_name(chip: int) -> str:
    level, number = divmod(chip, box.CHIPS_PER_LEVEL)
    return f"{LEVEL_LETTERS[level]}{number + 1}"


@lru_cache(maxsize=4096)  # a server asks for the same few units all the time
def chips_in(unit: int) -> tuple[int, ...]:
    return tuple(chip for chip in range(box.CHIPS) if unit >> chip & 1)
