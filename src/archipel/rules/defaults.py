"""Parts that a game may leave out of its `Definition`, written in terms of its other parts.

``define`` uses them for games that bring no notation of outcomes, positions, narration, text
picture or drawing of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from html import escape
from typing import Any

from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Event, NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.fields import check_ranges
from archipel.rules.position_words import PositionWords
from archipel.rules.text_layout import hanging


def fill_in(parts: dict[str, Any], titles: Callable[[str], str]) -> None:
    """Add the default for each part that is missing.  ``titles`` gives the title by language."""
    defaults = _Defaults(parts, titles)
    for names in (
        ("outcomes_text", "parse_outcomes"),
        ("position_text", "parse_position"),
        ("narrate",),
        ("picture",),
        ("drawing",),
    ):
        if not any(name in parts for name in names):
            parts.update({name: getattr(defaults, name) for name in names})


@dataclasses.dataclass
class _Defaults:
    """The default parts of a game, each in terms of ``parts``."""

    parts: dict[str, Any]
    titles: Callable[[str], str]

    # Outcomes as numbers.

    def outcomes_text(self, s: Any, action: int, outcomes: tuple[int, ...]) -> str:
        return " ".join(map(str, outcomes))

    def parse_outcomes(self, s: Any, action: int, text: str) -> tuple[int, ...]:
        words = text.replace(",", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise NotationError("{word!r}: expected a number", word=word)
        return tuple(map(int, words))

    # Positions: the fields of the state that differ from a new one, ``seats=2 hand=1,0/3,4``.

    def position_text(self, s: Any) -> str:
        changed = {
            name: getattr(s, name)
            for name, value in self._new_fields().items()
            if getattr(s, name) != value
        }
        return " ".join(f"{name}={_field_text(value)}" for name, value in changed.items())

    def parse_position(self, text: str) -> Any:
        s = self.parts["state"]()
        words = PositionWords(text)
        for name, value in self._new_fields().items():
            if name in words:
                setattr(s, name, _read_field(name, words.text(name, ""), value))
        words.finish()
        try:
            check_ranges(s)
            world = clone(s)
            self.parts["deal_unseen"](world, Stream())
            fault = self.parts["fault"](world)
        except (IndexError, ValueError) as error:
            raise NotationError("a number is out of range") from error
        if fault:
            raise NotationError(self.parts["faults"][fault])
        return s

    def _new_fields(self) -> dict[str, Any]:
        new = self.parts["state"]()
        return {field.name: getattr(new, field.name) for field in dataclasses.fields(new)}

    # Narration of the action alone; the text of the position as picture and as SVG.

    def narrate(
        self, before: Any, action: int, outcomes: tuple[int, ...], after: Any
    ) -> list[Event]:
        text = self.parts["action_text"](before, action)
        return [Event(Catalogue.PLAYED, {"seat": self.parts["to_move"](before), "action": text})]

    def picture(self, s: Any, language: str) -> str:
        return f"{self.titles(language)}\n\n{hanging('  ', self.parts['position_text'](s))}"

    def drawing(self, s: Any, language: str) -> str:
        lines = self.parts["picture"](s, language).split("\n")
        width = 9 * max(map(len, lines)) + 16
        texts = "".join(
            f'<text x="8" y="{20 * number}" xml:space="preserve">{escape(line)}</text>'
            for number, line in enumerate(lines, 1)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{20 * len(lines) + 12}" font-family="monospace" font-size="14">'
            f'<rect width="100%" height="100%" fill="#fff"/>{texts}</svg>'
        )


def _field_text(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if isinstance(value[0], list):
        return "/".join(map(_field_text, value))
    return ",".join(map(str, value))


def _read_field(name: str, text: str, default: Any) -> Any:
    try:
        if not isinstance(default, list):
            return int(text)
        if isinstance(default[0], list):
            return [[int(number) for number in row.split(",")] for row in text.split("/")]
        return [int(number) for number in text.split(",")]
    except ValueError:
        example = _field_text(default)
        parts = {"name": name, "text": text, "example": example}
        raise NotationError("{name}={text}: expected numbers like {example}", **parts) from None
