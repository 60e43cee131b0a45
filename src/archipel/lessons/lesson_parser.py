"""Parse the text of a lesson or a guide. `lesson_validation` checks a lesson against the rules.

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

A guide has remarks of the form::

    when: take.chip level=1, take.pile
    en: ...
    fr: ...

``when`` has the keys of narrated events; ``key name=value`` also requires a detail of the event.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from archipel.lessons import lesson as parts
from archipel.lessons.lesson import Lesson, Occasion, Remark, ScriptedMove, Words
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import UnknownGameError

MOST_CHARACTERS = 60_000
#: Longer texts do not fit next to a board on a phone.
LONGEST_TEXT = 330
MOST_STEPS = 30
_MOVE = re.compile(r"([^\[\]]+?)\s*(?:\[([^\[\]]*)\])?")
_NAME = re.compile(r"[a-z][a-z-]{1,30}")
_REPLY = "=>"
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
            pending = replace(pending, value=f"{pending.value} {raw.strip()}".strip())
            continue
        if pending is not None:
            yield pending
        found = _LINE.fullmatch(raw.rstrip())
        if found is None:
            raise LessonError(file, number, f"expected 'word: value', not {raw[:40]!r}")
        pending = Line(number, found[1], (found[2] or "").strip())
    if pending is not None:
        yield pending


class Text:
    """A text in every language, collected line by line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        self._file, self._line, self._what = file, line, what
        self._words: dict[str, str] = {}

    def add(self, line: Line) -> None:
        why = ""
        if line.word in self._words:
            why = f"{self._what} has two texts in {line.word!r}"
        elif not line.value:
            why = f"the text in {line.word!r} is empty"
        elif len(line.value) > LONGEST_TEXT:
            why = f"{len(line.value)} characters; more than {LONGEST_TEXT} do not fit on a phone"
        if why:
            raise LessonError(self._file, line.number, why)
        self._words[line.word] = typeset(line.value, line.word)

    def words(self) -> Words:
        """Return the text by language; raises `LessonError` if a language is missing."""
        for language in LANGUAGES:
            if language not in self._words:
                why = f"{self._what} has no text in {language!r}"
                raise LessonError(self._file, self._line, why)
        return self._words


def typeset(text: str, language: str) -> str:
    """Replace typewriter apostrophes and spaces by typographic ones."""
    text = text.replace("'", "’")
    if language == "fr":
        text = re.sub(r" +([;!?])", "\u202f\\1", text)
        text = re.sub(r" +:", "\u00a0:", text)
        text = re.sub(r"« *", "«\u00a0", text)
        text = re.sub(r" *»", "\u00a0»", text)
    return text


def read_lesson(text: str, name: str, file: str) -> Lesson:
    """Parse a lesson; raises `LessonError`."""
    if not _NAME.fullmatch(name):
        raise LessonError(
            file, 1, f"the name of a lesson has small letters and hyphens, unlike {name!r}"
        )
    return _LessonParser(file).lesson(name, text)


class _LessonParser:
    def __init__(self, file: str) -> None:
        self.file = file
        self.title = Text(file, 1, "the title")
        self.header: dict[str, Line] = {}

    def fault(self, line: Line, why: str) -> LessonError:
        return LessonError(self.file, line.number, why)

    def lesson(self, name: str, text: str) -> Lesson:
        steps, remember = self._sections(text)
        if "game" not in self.header:
            raise LessonError(self.file, 1, "the line 'game: ...' is missing")
        if len(steps) < 2 or not remember:
            raise LessonError(
                self.file,
                text.count("\n") + 1,
                "a lesson has at least two steps, and 'remember' at its end",
            )
        return Lesson(
            game=self.header["game"].value,
            name=name,
            title=self.title.words(),
            seat=self._seat(),
            steps=tuple(self._step(*step) for step in steps),
            remember=tuple(self._remembered(*point) for point in remember),
            then=self.header["then"].value if "then" in self.header else "",
            file=self.file,
            edition=hashlib.sha256(text.encode()).hexdigest()[:12],
        )

    def _sections(self, text: str) -> tuple[list[list[Line]], list[list[Line]]]:
        """Read the header; return the lines of each step, and of each point to remember."""
        steps: list[list[Line]] = []
        remember: list[list[Line]] = []
        section: list[Line] | None = None
        for line in lines_of(text, self.file):
            if line.word == "step":
                if line.value:
                    raise self.fault(line, "'step' takes no value")
                if len(steps) == MOST_STEPS:
                    raise self.fault(line, f"a lesson has at most {MOST_STEPS} steps")
                section = [line]
                steps.append(section)
            elif line.word == "remember":
                section = [line]
                remember.append(section)
            elif remember and line.word not in LANGUAGES:
                raise self.fault(line, "nothing may follow 'remember'")
            elif section is not None:
                section.append(line)
            else:
                self._header_line(line)
        return steps, remember

    def _header_line(self, line: Line) -> None:
        if line.word in LANGUAGES:
            self.title.add(line)
        elif line.word not in ("game", "you", "then", "base"):
            raise self.fault(line, f"expected game, you, then, base or step, not {line.word!r}")
        elif line.word in self.header:
            raise self.fault(line, f"{line.word!r} appears twice")
        else:
            self.header[line.word] = line

    def _seat(self) -> int:
        line = self.header.get("you")
        if line is None:
            return 0
        if line.value not in tuple("123456"):
            raise self.fault(line, f"you: expected the number of a seat, not {line.value!r}")
        return int(line.value) - 1

    def _remembered(self, first: Line, *lines: Line) -> Words:
        text = Text(self.file, first.number, "this point to remember")
        for line in lines:
            text.add(line)
        return text.words()

    def _step(self, first: Line, *lines: Line) -> parts.LessonStep:
        position: str | None = None
        plays: list[ScriptedMove] = []
        look: tuple[str, ...] = ()
        #: Each with the refusals of other moves.
        does: list[tuple[Line, list[tuple[Line, Text]]]] = []
        answers: list[tuple[Line, Text, Text]] = []
        said = current = Text(self.file, first.number, "this step")
        reply: Text | None = None
        for line in lines:
            match line.word:
                case "en" | "fr":
                    self._say(line, current, reply)
                case "position":
                    if position is not None:
                        raise self.fault(line, "a step has one position")
                    position = self._position(line.value)
                case "play":
                    plays += self._moves(line)[:1]
                    if "|" in line.value:
                        raise self.fault(line, "'play' has no alternatives")
                case "look":
                    look += tuple(line.value.replace(",", " ").split())
                case "do":
                    does.append((line, []))
                case "no":
                    if not does:
                        raise self.fault(line, "'no' must follow a 'do'")
                    current, reply = Text(self.file, line.number, "this refusal"), None
                    does[-1][1].append((line, current))
                case "right" | "wrong":
                    current = Text(self.file, line.number, "this answer")
                    reply = Text(self.file, line.number, "the reply to this answer")
                    answers.append((line, current, reply))
                    if line.value:
                        why = f"{line.word!r} takes no value; the answer follows in en and fr"
                        raise self.fault(line, why)
                case _:
                    raise self.fault(
                        line,
                        f"expected position, play, look, do, no, right, wrong, en, fr, step or "
                        f"remember, not {line.word!r}",
                    )
        return parts.LessonStep(
            said.words(),
            position,
            tuple(plays),
            look,
            tuple(self._decision(line, refusals) for line, refusals in does),
            tuple(
                parts.LessonAnswer(line.word == "right", label.words(), words.words(), line.number)
                for line, label, words in answers
            ),
            first.number,
        )

    def _say(self, line: Line, text: Text, reply: Text | None) -> None:
        if reply is None:
            text.add(line)
            return
        label, arrow, answer = (part.strip() for part in line.value.partition(_REPLY))
        if not arrow:
            raise self.fault(line, f"expected 'answer {_REPLY} reply'")
        text.add(replace(line, value=label))
        reply.add(replace(line, value=answer))

    def _position(self, words: str) -> str:
        """Combine the lesson's base position with the words of this one, which take precedence."""
        own = {word.partition("=")[0] for word in words.split()}
        base = self.header["base"].value.split() if "base" in self.header else []
        return " ".join([*(each for each in base if each.partition("=")[0] not in own), words])

    def _decision(self, do: Line, refusals: Sequence[tuple[Line, Text]]) -> parts.LearnerDecision:
        replies = []
        for line, text in refusals:
            names = () if line.value == "others" else _parts(line.value, ",")
            if line.value != "others" and not names:
                raise self.fault(line, "expected actions, or 'others'")
            replies.append(parts.LessonRefusal(names, text.words(), line.number))
        return parts.LearnerDecision(self._moves(do), tuple(replies), do.number)

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


def _parts(value: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(mark) if part.strip())


def read_guide(text: str, file: str) -> tuple[Remark, ...]:
    """Parse the remarks of a guide; raises `LessonError`."""
    lines = list(lines_of(text, file))
    if not lines or lines[0].word != "game":
        raise LessonError(file, 1, "the first line must be 'game: ...'")
    try:
        known = game_named(lines[0].value).catalogue("en").sentences
    except UnknownGameError as error:
        raise LessonError(file, lines[0].number, str(error)) from None
    remarks: list[tuple[list[Occasion], list[Occasion], Text]] = []
    for line in lines[1:]:
        if line.word == "when":
            occasions = list(_occasions(line, known, file))
            remarks.append((occasions, [], Text(file, line.number, "this remark")))
        elif line.word == "until" and remarks:
            remarks[-1][1].extend(_occasions(line, known, file))
        elif line.word in LANGUAGES and remarks:
            remarks[-1][2].add(line)
        else:
            raise LessonError(
                file, line.number, f"expected when, until, en or fr, not {line.word!r}"
            )
    return tuple(
        Remark(tuple(occasions), tuple(until), said.words()) for occasions, until, said in remarks
    )


def _occasions(line: Line, known: Iterable[str], file: str) -> Iterable[Occasion]:
    for part in line.value.split(","):
        key, _, detail = part.strip().partition(" ")
        if key not in known:
            raise LessonError(file, line.number, f"{line.word}: no event is called {key!r}")
        name, equals, value = detail.partition("=")
        if detail and not equals:
            message = f"{line.word}: expected 'name=value', not {detail!r}"
            raise LessonError(file, line.number, message)
        yield Occasion(key, name, value)
