"""What a lesson says and lets happen, as its file tells it: texts, not yet looked at by the rules.

Every part remembers the line it begins on, for whoever has to put it right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: What is said, by language.
Words = Mapping[str, str]
#: In what is said, the name of whoever sits in a seat.
NAMED_SEAT = re.compile(r"\{([1-9])\}")


@dataclass(frozen=True)
class Move:
    """An action in notation, and what chance brings with it."""

    action: str
    chance: str
    line: int


@dataclass(frozen=True)
class No:
    """What is said to some of the other choices; to all that nothing else is said to, if it names
    none."""

    actions: tuple[str, ...]
    words: Words
    line: int


@dataclass(frozen=True)
class Do:
    """A decision of the learner's: what is let through, and what is said to everything else."""

    moves: tuple[Move, ...]
    refusals: tuple[No, ...]
    line: int


@dataclass(frozen=True)
class Answer:
    """An answer to choose, and what is said to whoever chose it."""

    right: bool
    label: Words
    reply: Words
    line: int


@dataclass(frozen=True)
class Step:
    """One step: how it begins, what is said and ringed, what the learner does or answers.

    It begins with a new position or goes on from the last one; then ``plays`` happen by themselves.
    A step without anything to do is read.
    """

    said: Words
    position: str | None
    plays: tuple[Move, ...]
    look: tuple[str, ...]
    does: tuple[Do, ...]
    answers: tuple[Answer, ...]
    line: int


@dataclass(frozen=True)
class Lesson:
    """A lesson. ``seat`` is the learner's, from 0; ``edition`` is another one when its file is.  A
    ``puzzle`` is over once it is solved: what it ends with is not confirmed as read."""

    game: str
    name: str
    title: Words
    seat: int
    steps: tuple[Step, ...]
    remember: tuple[Words, ...]
    then: str
    file: str
    edition: str
    puzzle: bool = False
