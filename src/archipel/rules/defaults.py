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

Parts = dict[str, Any]


def fill_in(parts: Parts, titles: Callable[[str], str]) -> None:
    """Add the default for each part that is missing.  ``titles`` gives the title by language."""
    for names, make in (
        (("outcomes_text", "parse_outcomes"), _outcomes),
        (("position_text", "parse_position"), _positions),
        (("narrate",), _narration),
        (("picture",), lambda known: _picture(known, titles)),
        (("drawing",), _drawing),
    ):
        if not any(name in parts for name in names):
            parts.update(zip(names, make(parts), strict=True))


# ---- outcomes and positions ---------------------------------------------------------------------


def _outcomes(parts: Parts) -> tuple[Any, ...]:
    """Outcomes as numbers."""

    def outcomes_text(s: Any, action: int, outcomes: tuple[int, ...]) -> str:
        return " ".join(map(str, outcomes))

    def parse_outcomes(s: Any, action: int, text: str) -> tuple[int, ...]:
        words = text.replace(",", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise NotationError("{word!r}: expected a number", word=word)
        return tuple(map(int, words))

    return outcomes_text, parse_outcomes


def _positions(parts: Parts) -> tuple[Any, ...]:
    """The fields of the state that differ from a new one: ``seats=2 hand=1,0/3,4``."""
    state, faults = parts["state"], parts["faults"]
    names = [field.name for field in dataclasses.fields(state)]

    def position_text(s: Any) -> str:
        new = state()
        values = {name: getattr(s, name) for name in names}
        changed = {name: value for name, value in values.items() if value != getattr(new, name)}
        return " ".join(f"{name}={_field_text(value)}" for name, value in changed.items())

    def parse_position(text: str) -> Any:
        s = state()
        words = PositionWords(text)
        for name in names:
            if name in words:
                setattr(s, name, _read_field(name, words.text(name, ""), getattr(s, name)))
        words.finish()
        try:
            check_ranges(s)
            world = clone(s)
            parts["deal_unseen"](world, Stream())
            fault = parts["fault"](world)
        except (IndexError, ValueError) as error:
            raise NotationError("a number is out of range") from error
        if fault:
            raise NotationError(faults[fault])
        return s

    return position_text, parse_position


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
        raise NotationError(
            "{name}={text}: expected numbers like {example}",
            name=name,
            text=text,
            example=_field_text(default),
        ) from None


# ---- narration and pictures ---------------------------------------------------------------------


def _narration(parts: Parts) -> tuple[Any, ...]:
    """Tells everybody the action, and nothing else."""

    def narrate(before: Any, action: int, outcomes: tuple[int, ...], after: Any) -> list[Event]:
        details = {"seat": parts["to_move"](before), "action": parts["action_text"](before, action)}
        return [Event(Catalogue.PLAYED, details)]

    return (narrate,)


def _picture(parts: Parts, titles: Callable[[str], str]) -> tuple[Any, ...]:
    """The title and the text of the position."""

    def picture(s: Any, language: str) -> str:
        return f"{titles(language)}\n\n{hanging('  ', parts['position_text'](s))}"

    return (picture,)


def _drawing(parts: Parts) -> tuple[Any, ...]:
    """The text picture as an SVG."""

    def drawing(s: Any, language: str) -> str:
        lines = parts["picture"](s, language).split("\n")
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

    return (drawing,)
