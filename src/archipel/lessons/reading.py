"""From the text of a lesson to a `Lesson`; `archipel.lessons.checking` holds it against the rules.

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

A line in ``en`` or ``fr`` belongs to what stands above it: the lesson, a step, a refusal (``no``),
an answer (``right``, ``wrong``) or something to take away (``remember``).
"""

from __future__ import annotations

import hashlib
import re

from archipel.lessons.lines import LessonError, Line, Speech, lines_of
from archipel.lessons.text import Answer, Do, Lesson, Move, No, Step, Words
from archipel.rules.booklet import LANGUAGES

__all__ = ["LessonError", "read_lesson"]

MOST_STEPS = 30
_MOVE = re.compile(r"([^\[\]]+?)\s*(?:\[([^\[\]]*)\])?")
_NAME = re.compile(r"[a-z][a-z-]{1,30}")
_REPLY = "=>"


class _Do:
    def __init__(self, moves: tuple[Move, ...], line: int) -> None:
        self.moves = moves
        self.line = line
        self.refusals: list[tuple[tuple[str, ...], Speech, int]] = []

    def made(self) -> Do:
        refusals = tuple(No(names, said.words(), at) for names, said, at in self.refusals)
        return Do(self.moves, refusals, self.line)


class _Step:
    def __init__(self, file: str, line: int) -> None:
        self.line = line
        self.said = Speech(file, line, "this step")
        self.position: str | None = None
        self.plays: list[Move] = []
        self.look: tuple[str, ...] = ()
        self.does: list[_Do] = []
        self.answers: list[tuple[bool, Speech, Speech, int]] = []

    def made(self) -> Step:
        return Step(
            self.said.words(),
            self.position,
            tuple(self.plays),
            self.look,
            tuple(do.made() for do in self.does),
            tuple(
                Answer(right, label.words(), reply.words(), at)
                for right, label, reply, at in self.answers
            ),
            self.line,
        )


class _Reader:
    """Reads line after line; ``speech`` is what a line in a language belongs to."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.title = Speech(file, 1, "the title")
        self.header: dict[str, Line] = {}
        self.steps: list[_Step] = []
        self.remember: list[Speech] = []
        self.speech: Speech = self.title
        #: What is said to whoever chooses an answer, while its line is read.
        self.reply: Speech | None = None

    def fault(self, line: Line, why: str) -> LessonError:
        return LessonError(self.file, line.number, why)

    def read(self, line: Line) -> None:
        if line.word in LANGUAGES:
            self._say(line)
        elif line.word == "step":
            self._begin_step(line)
        elif line.word == "remember":
            self.remember.append(Speech(self.file, line.number, "what to take away"))
            self._speak(self.remember[-1])
        elif self.remember:
            raise self.fault(line, "after what to take away nothing else follows")
        elif self.steps:
            self._in_step(line, self.steps[-1])
        elif line.word in ("game", "you", "then", "base"):
            if line.word in self.header:
                raise self.fault(line, f"{line.word!r} is there twice")
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
            raise self.fault(line, f"expected 'the answer {_REPLY} what is said to it'")
        self.speech.add(Line(line.number, line.word, label))
        self.reply.add(Line(line.number, line.word, reply))

    def _begin_step(self, line: Line) -> None:
        if line.value:
            raise self.fault(line, "'step' stands alone on its line")
        if len(self.steps) == MOST_STEPS:
            raise self.fault(line, f"more than {MOST_STEPS} steps are no lesson")
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
                    raise self.fault(line, "what happens by itself has no alternatives")
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
        """What every position of the lesson says, and what this one says in its place."""
        base = self.header.get("base")
        own = {word.partition("=")[0] for word in words.split()}
        common = [] if base is None else base.value.split()
        return " ".join([*(each for each in common if each.partition("=")[0] not in own), words])

    def _refuse(self, line: Line, step: _Step) -> None:
        if not step.does:
            raise self.fault(line, "'no' stands after the 'do' that it belongs to")
        names = () if line.value == "others" else _parts(line.value, ",")
        if line.value != "others" and not names:
            raise self.fault(line, "expected actions, or 'others'")
        said = Speech(self.file, line.number, "this refusal")
        step.does[-1].refusals.append((names, said, line.number))
        self._speak(said)

    def _answer(self, line: Line, step: _Step) -> None:
        if line.value:
            raise self.fault(line, f"{line.word!r} stands alone; the answer follows in en and fr")
        label = Speech(self.file, line.number, "this answer")
        reply = Speech(self.file, line.number, "the reply to this answer")
        step.answers.append((line.word == "right", label, reply, line.number))
        self._speak(label, reply)

    def _moves(self, line: Line) -> tuple[Move, ...]:
        moves = []
        for part in _parts(line.value, "|"):
            found = _MOVE.fullmatch(part)
            if found is None:
                raise self.fault(line, f"expected 'action [chance]', not {part!r}")
            moves.append(Move(found[1], found[2] or "", line.number))
        if not moves:
            raise self.fault(line, f"{line.word!r} needs an action")
        return tuple(moves)

    def lesson(self, name: str, text: str) -> Lesson:
        game = self.header.get("game")
        if game is None:
            raise LessonError(self.file, 1, "no line says which game it is: 'game: ...'")
        if len(self.steps) < 2 or not self.remember:
            raise LessonError(
                self.file,
                text.count("\n") + 1,
                "a lesson has steps, and at its end something to take away: 'remember'",
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
    """The lesson a text tells; raises `LessonError`, which names file and line."""
    if not _NAME.fullmatch(name):
        raise LessonError(file, 1, f"a lesson is called by small letters and hyphens, not {name!r}")
    reader = _Reader(file)
    for line in lines_of(text, file):
        reader.read(line)
    return reader.lesson(name, text)
