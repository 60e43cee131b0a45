"""The parts of a lesson or a guide as its file states them, before the rules have checked them.

Every part has the number of its first line, for error messages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: A text by language.
Words = Mapping[str, str]
#: In a text, stands for the name of the player in a seat.
NAMED_SEAT = re.compile(r"\{([1-9])\}")


@dataclass(frozen=True)
class ScriptedMove:
    """An action and its chance outcomes, in notation."""

    action: str
    chance: str
    line: int


@dataclass(frozen=True)
class LessonRefusal:
    """The reply to other choices; without ``actions``, to all that have no reply of their own."""

    actions: tuple[str, ...]
    words: Words
    line: int


@dataclass(frozen=True)
class LearnerDecision:
    """A decision of the learner: the accepted moves, and the replies to all others."""

    moves: tuple[ScriptedMove, ...]
    refusals: tuple[LessonRefusal, ...]
    line: int


@dataclass(frozen=True)
class LessonAnswer:
    """A possible answer to a question, and the reply to it."""

    right: bool
    label: Words
    reply: Words
    line: int


@dataclass(frozen=True)
class LessonStep:
    """A step: a text, highlighted pieces (``look``), and the learner's decisions or answers.

    It starts from a new position or continues from the last one; then ``plays`` are played. The
    learner confirms a step that has no decision and no question.
    """

    said: Words
    position: str | None
    plays: tuple[ScriptedMove, ...]
    look: tuple[str, ...]
    does: tuple[LearnerDecision, ...]
    answers: tuple[LessonAnswer, ...]
    line: int


@dataclass(frozen=True)
class Lesson:
    """A lesson. ``seat`` is the learner's, from 0; ``edition`` is a hash of the file.

    A ``puzzle`` has one decision, in its first step, and then one step for each accepted move: it
    plays the rest of the turn and ends.
    """

    game: str
    name: str
    title: Words
    seat: int
    steps: tuple[LessonStep, ...]
    remember: tuple[Words, ...]
    then: str
    file: str
    edition: str
    puzzle: bool = False


@dataclass(frozen=True)
class Occasion:
    """A narrated event: its key, and perhaps a detail that it must have."""

    key: str
    name: str = ""
    value: str = ""


@dataclass(frozen=True)
class Remark:
    """A text shown once, at one of its occasions. An event of ``until`` makes it untrue: it is not
    shown after one."""

    occasions: tuple[Occasion, ...]
    until: tuple[Occasion, ...]
    words: Words
