"""Parse the text of a lesson or a guide. `archipel.lessons.lesson_validation` checks a lesson
against the rules.

::

    game: deep-sea
    en: Your first dive
    fr: Votre première plongée

    step
    position: seats=2
    en: You dive from this submarine.
    fr: Vous plongez de ce sous-marin.
    look: diver1
    do: dive [2 1]

A line has the form ``word: value``; indented lines continue the value. A line in ``en`` or ``fr``
belongs to the item above it: the lesson, a step, a refusal (``no``), an answer (``right``,
``wrong``) or a point to remember (``remember``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from archipel.lessons.lesson import (
    LearnerDecision,
    Lesson,
    LessonAnswer,
    LessonRefusal,
    LessonStep,
    ScriptedMove,
    Words,
)
from archipel.rules.booklet import LANGUAGES

MOST_CHARACTERS = 60_000
#: Longer texts do not fit next to a board on a phone.
LONGEST_TEXT = 330
_LINE = re.compile(r"([a-z]+)(?::\s*(.*))?")


class LessonError(ValueError):
    """A lesson is invalid: the file, the line and the reason."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass(frozen=True)
class Line:
    number: int
    word: str
    value: str


def lines_of(text: str, file: str) -> Iterator[Line]:
    """Yield the lines of a text, each joined with the indented lines below it."""
    if len(text) > MOST_CHARACTERS:
        raise LessonError(file, 1, f"longer than {MOST_CHARACTERS} characters")
    pending: Line | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip() or raw.startswith("#"):
            continue
        if raw[0].isspace():
            if pending is None:
                raise LessonError(file, number, "an indented line continues the line above it")
            joined = f"{pending.value} {raw.strip()}".strip()
            pending = Line(pending.number, pending.word, joined)
            continue
        if pending is not None:
            yield pending
        found = _LINE.fullmatch(raw.rstrip())
        if found is None:
            raise LessonError(file, number, f"expected 'word: value', not {raw[:40]!r}")
        pending = Line(number, found[1], (found[2] or "").strip())
    if pending is not None:
        yield pending


class Speech:
    """A text in every language, collected line by line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        self._file = file
        self._line = line
        self._what = what
        self._words: dict[str, str] = {}

    def add(self, line: Line) -> None:
        if line.word in self._words:
            raise LessonError(
                self._file, line.number, f"{self._what} has two texts in {line.word!r}"
            )
        if not line.value:
            raise LessonError(self._file, line.number, f"the text in {line.word!r} is empty")
        if len(line.value) > LONGEST_TEXT:
            raise LessonError(
                self._file,
                line.number,
                f"{len(line.value)} characters; more than {LONGEST_TEXT} do not fit on a phone",
            )
        self._words[line.word] = typeset(line.value, line.word)

    def words(self) -> Words:
        """Return the text by language; raises `LessonError` if a language is missing."""
        for language in LANGUAGES:
            if language not in self._words:
                raise LessonError(
                    self._file, self._line, f"{self._what} has no text in {language!r}"
                )
        return dict(self._words)


def typeset(text: str, language: str) -> str:
    """Replace typewriter apostrophes and spaces by typographic ones."""
    text = text.replace("'", "’")
    if language == "fr":
        text = re.sub(r" +([;!?])", "\u202f\\1", text)
        text = re.sub(r" +:", "\u00a0:", text)
        text = re.sub(r"« *", "«\u00a0", text)
        text = re.sub(r" *»", "\u00a0»", text)
    return text


MOST_STEPS = 30
_MOVE = re.compile(r"([^\[\]]+?)\s*(?:\[([^\[\]]*)\])?")
_NAME = re.compile(r"[a-z][a-z-]{1,30}")
_REPLY = "=>"


class _Do:
    def __init__(self, moves: tuple[ScriptedMove, ...], line: int) -> None:
        self.moves = moves
        self.line = line
        self.refusals: list[tuple[tuple[str, ...], Speech, int]] = []

    def made(self) -> LearnerDecision:
        refusals = tuple(
            LessonRefusal(names, said.words(), at) for names, said, at in self.refusals
        )
        return LearnerDecision(self.moves, refusals, self.line)


class _Step:
    def __init__(self, file: str, line: int) -> None:
        self.line = line
        self.said = Speech(file, line, "this step")
        self.position: str | None = None
        self.plays: list[ScriptedMove] = []
        self.look: tuple[str, ...] = ()
        self.does: list[_Do] = []
        self.answers: list[tuple[bool, Speech, Speech, int]] = []

    def made(self) -> LessonStep:
        return LessonStep(
            self.said.words(),
            self.position,
            tuple(self.plays),
            self.look,
            tuple(do.made() for do in self.does),
            tuple(
                LessonAnswer(right, label.words(), reply.words(), at)
                for right, label, reply, at in self.answers
            ),
            self.line,
        )


class _Reader:
    """Builds a lesson line by line; a line in a language goes to ``speech``."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.title = Speech(file, 1, "the title")
        self.header: dict[str, Line] = {}
        self.steps: list[_Step] = []
        self.remember: list[Speech] = []
        self.speech: Speech = self.title
        #: The reply to the answer whose lines are being read.
        self.reply: Speech | None = None

    def fault(self, line: Line, why: str) -> LessonError:
        return LessonError(self.file, line.number, why)

    def read(self, line: Line) -> None:
        if line.word in LANGUAGES:
            self._say(line)
        elif line.word == "step":
            self._begin_step(line)
        elif line.word == "remember":
            self.remember.append(Speech(self.file, line.number, "this point to remember"))
            self._speak(self.remember[-1])
        elif self.remember:
            raise self.fault(line, "nothing may follow 'remember'")
        elif self.steps:
            self._in_step(line, self.steps[-1])
        elif line.word in ("game", "you", "then", "base"):
            if line.word in self.header:
                raise self.fault(line, f"{line.word!r} appears twice")
            self.header[line.word] = line
        else:
            raise self.fault(line, f"expected game, you, then, base or step, not {line.word!r}")

    def _speak(self, speech: Speech, reply: Speech | None = None) -> None:
        self.speech, self.reply = speech, reply

    def _say(self, line: Line) -> None:
        if self.reply is None:
            self.speech.add(line)
            return
        label, arrow, reply = (part.strip() for part in line.value.partition(_REPLY))
        if not arrow:
            raise self.fault(line, f"expected 'answer {_REPLY} reply'")
        self.speech.add(Line(line.number, line.word, label))
        self.reply.add(Line(line.number, line.word, reply))

    def _begin_step(self, line: Line) -> None:
        if line.value:
            raise self.fault(line, "'step' takes no value")
        if len(self.steps) == MOST_STEPS:
            raise self.fault(line, f"a lesson has at most {MOST_STEPS} steps")
        self.steps.append(_Step(self.file, line.number))
        self._speak(self.steps[-1].said)

    def _in_step(self, line: Line, step: _Step) -> None:
        match line.word:
            case "position":
                if step.position is not None:
                    raise self.fault(line, "a step has one position")
                step.position = self._position(line.value)
            case "play":
                step.plays += self._moves(line)[:1]
                if "|" in line.value:
                    raise self.fault(line, "'play' has no alternatives")
            case "look":
                step.look += tuple(line.value.replace(",", " ").split())
            case "do":
                step.does.append(_Do(self._moves(line), line.number))
            case "no":
                self._refuse(line, step)
            case "right" | "wrong":
                self._answer(line, step)
            case _:
                raise self.fault(
                    line,
                    f"expected position, play, look, do, no, right, wrong, en, fr, step or "
                    f"remember, not {line.word!r}",
                )

    def _position(self, words: str) -> str:
        """Combine the lesson's base position with the words of this one, which take precedence."""
        base = self.header.get("base")
        own = {word.partition("=")[0] for word in words.split()}
        common = [] if base is None else base.value.split()
        return " ".join([*(each for each in common if each.partition("=")[0] not in own), words])

    def _refuse(self, line: Line, step: _Step) -> None:
        if not step.does:
            raise self.fault(line, "'no' must follow a 'do'")
        names = () if line.value == "others" else _parts(line.value, ",")
        if line.value != "others" and not names:
            raise self.fault(line, "expected actions, or 'others'")
        said = Speech(self.file, line.number, "this refusal")
        step.does[-1].refusals.append((names, said, line.number))
        self._speak(said)

    def _answer(self, line: Line, step: _Step) -> None:
        if line.value:
            raise self.fault(line, f"{line.word!r} takes no value; the answer follows in en and fr")
        label = Speech(self.file, line.number, "this answer")
        reply = Speech(self.file, line.number, "the reply to this answer")
        step.answers.append((line.word == "right", label, reply, line.number))
        self._speak(label, reply)

    def _moves(self, line: Line) -> tuple[ScriptedMove, ...]:
        moves = []
        for part in _parts(line.value, "|"):
            found = _MOVE.fullmatch(part)
            if found is None:
                raise self.fault(line, f"expected 'action [chance]', not {part!r}")
            moves.append(ScriptedMove(found[1], found[2] or "", line.number))
        if not moves:
            raise self.fault(line, f"{line.word!r} needs an action")
        return tuple(moves)

    def lesson(self, name: str, text: str) -> Lesson:
        game = self.header.get("game")
        if game is None:
            raise LessonError(self.file, 1, "the line 'game: ...' is missing")
        if len(self.steps) < 2 or not self.remember:
            raise LessonError(
                self.file,
                text.count("\n") + 1,
                "a lesson has at least two steps, and 'remember' at its end",
            )
        then = self.header.get("then")
        return Lesson(
            game=game.value,
            name=name,
            title=self.title.words(),
            seat=self._seat(),
            steps=tuple(step.made() for step in self.steps),
            remember=tuple(self._remembered()),
            then="" if then is None else then.value,
            file=self.file,
            edition=hashlib.sha256(text.encode()).hexdigest()[:12],
        )

    def _remembered(self) -> list[Words]:
        return [speech.words() for speech in self.remember]

    def _seat(self) -> int:
        line = self.header.get("you")
        if line is None:
            return 0
        if line.value not in tuple("123456"):
            raise self.fault(line, f"you: expected the number of a seat, not {line.value!r}")
        return int(line.value) - 1


def _parts(value: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(mark) if part.strip())


def read_lesson(text: str, name: str, file: str) -> Lesson:
    """Parse a lesson; raises `LessonError`."""
    if not _NAME.fullmatch(name):
        raise LessonError(
            file, 1, f"the name of a lesson has small letters and hyphens, unlike {name!r}"
        )
    reader = _Reader(file)
    for line in lines_of(text, file):
        reader.read(line)
    return reader.lesson(name, text)
