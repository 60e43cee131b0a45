"""Pictures of positions beside the rules they explain, from ``docs/pictures/<game>.json``.

A picture names its rule, a position in the game's notation, a caption in both languages and
optionally the visible ``frame`` of the drawing: left, top, width and height. With ``play``, a list
of actions (each with its chance outcomes, or null), there are two drawings: before and after.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel.game import Game
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, NotationError, RuleError
from archipel.rules.kit import ChanceError
from tools.documents.pages import DocumentsError

FOLDER = "docs/pictures"
_KNOWN = {"rule", "position", "play", "frame", "caption"}
_SIZE = re.compile(r'viewBox="[^"]*" width="[^"]*"')
_VIEW = re.compile(r'viewBox="([^"]*)"')
#: The seed for the hidden parts of a position, so that every build is the same.
_SEED = 1


@dataclass(frozen=True)
class Picture:
    """A position, optionally with actions to play, drawn beside a rule."""

    file: str
    rule: str
    position: str
    caption: Mapping[str, str]
    play: tuple[tuple[str, str | None], ...] = ()
    frame: tuple[float, ...] | None = None

    def drawings(self, definition: Definition[Any], language: str) -> list[str]:
        """Return the drawings, as the seat to move sees them."""
        try:
            game = Game.from_position(definition.name, self.position, seed=_SEED)
            seat = game.to_move
            states = [game.state]
            for action, chance in self.play:
                game.play(action, chance=chance)
            if self.play:
                states.append(game.state)
        except (NotationError, RuleError, ChanceError) as error:
            raise DocumentsError(f"{self.file}, {self.rule}: {error}") from error
        seen = [state if seat is None else definition.seen(state, seat) for state in states]
        return [self._framed(definition.drawing(state, language)) for state in seen]

    def _framed(self, drawing: str) -> str:
        if self.frame is None:
            return drawing
        left, top, width, height = self.frame
        whole = _VIEW.search(drawing)
        assert whole
        _, _, widest, highest = map(float, whole[1].split())
        if not (0 <= left < left + width <= widest and 0 <= top < top + height <= highest):
            raise DocumentsError(
                f"{self.file}, {self.rule}: the frame is not within {widest:g} by {highest:g}"
            )
        view = f'viewBox="{left:g} {top:g} {width:g} {height:g}" width="{width:g}"'
        return _SIZE.sub(view, drawing, count=1)


def read_pictures(root: Path, definition: Definition[Any]) -> list[Picture]:
    """Return the pictures of a game; an empty list if it has no file."""
    name = f"{FOLDER}/{definition.name}.json"
    if not (root / name).is_file():
        return []
    try:
        entries = json.loads((root / name).read_text("utf-8"))
    except ValueError as error:
        raise DocumentsError(f"{name} is not JSON: {error}") from error
    rules = {rule.id for rule in definition.booklet("en")}
    return [_picture(name, entry, rules) for entry in entries]


def _picture(file: str, entry: dict[str, Any], rules: set[str]) -> Picture:
    unknown = entry.keys() - _KNOWN
    if unknown:
        raise DocumentsError(f"{file}: no picture has {', '.join(sorted(unknown))}")
    rule = entry.get("rule", "")
    if rule not in rules:
        raise DocumentsError(f"{file}: there is no rule {rule!r}")
    caption = entry.get("caption", {})
    if sorted(caption) != sorted(LANGUAGES) or not all(caption.values()):
        raise DocumentsError(f"{file}, {rule}: a caption is needed in {', '.join(LANGUAGES)}")
    play = tuple((str(action), chance) for action, chance in entry.get("play", ()))
    frame = tuple(map(float, entry["frame"])) if "frame" in entry else None
    if frame is not None and len(frame) != 4:
        raise DocumentsError(f"{file}, {rule}: a frame is left, top, width and height")
    return Picture(file, rule, str(entry.get("position", "")), caption, play, frame)
