"""Shorthand for positions in tests.

The chips always have the same values: a1 and a2 are worth 0, a3 and a4 worth 1, ... d7 and d8 worth
15. ``...`` stands for the chips that are not named, in order; by default they are the line.
"""

from __future__ import annotations

import re

from archipel.game import Game
from archipel.rules.deep_sea.state import State

CHIPS = [f"{level}{number}" for level in "abcd" for number in range(1, 9)]

_ROW = re.compile(r"([a-d][1-8])-([a-d][1-8])")
_CHIP = re.compile(r"[a-d][1-8]")


def chip_value(chip: str) -> int:
    """The value of a chip in every position of these tests."""
    return "abcd".index(chip[0]) * 4 + (int(chip[1]) - 1) // 2


def table(**words: object) -> Game:
    """A game from a position, by default for two. Dice that are not scripted come from a seed."""
    texts = {word: _ROW.sub(_row, str(value)) for word, value in ({"seats": 2} | words).items()}
    if not any("..." in text for text in texts.values()):
        texts.setdefault("line", "...")
    named = {chip for text in texts.values() for chip in _CHIP.findall(text)}
    others = ",".join(chip for chip in CHIPS if chip not in named)
    for word, text in texts.items():
        full = text.replace("...", others)
        texts[word] = _CHIP.sub(lambda found: f"{found[0]}:{chip_value(found[0])}", full)
    return Game.from_position("deep-sea", seed=1, **texts)


def _row(found: re.Match[str]) -> str:
    first, last = CHIPS.index(found[1]), CHIPS.index(found[2])
    return ",".join(CHIPS[first : last + 1])


def look(game: Game, word: str) -> str:
    """A field of the position text without values: ``look(game, "diver1")``."""
    found = dict(part.split("=", 1) for part in game.position.text.split())[word]
    return re.sub(r"([a-d][1-8]):\d+", r"\1", found)


def seen(game: Game, seat: int | None, word: str) -> str:
    """A field of the position text as a seat sees it, with values and question marks."""
    return dict(part.split("=", 1) for part in game.view(seat).text.split())[word]


def actions(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def state_of(game: Game) -> State:
    state: State = game.state
    return state


def dive(game: Game, first: int, second: int) -> None:
    """Play a throw with these dice: outwards, or homewards after turning back."""
    game.play(game.legal[0], dice=(first, second))


def tail(game: Game, count: int) -> str:
    """The last units of the line."""
    return ",".join(look(game, "line").split(",")[-count:])
