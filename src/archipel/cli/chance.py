"""Chance that begins with what the command line says."""

from __future__ import annotations

from collections.abc import Iterable

from archipel.cli.errors import UserError
from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.kit import Chance, Stream, clone, stream_key


class ScriptedFirst:
    """The outcomes of a script, across moves, and after them those of another source."""

    def __init__(self, script: Iterable[int], source: Chance) -> None:
        self._script = list(script)
        self._source = source

    def draw(self, n: int, /) -> int:
        if not self._script:
            return self._source.draw(n)
        if self._script[0] >= n:
            raise UserError("error.chance", outcome=self._script[0] + 1, most=n)
        return self._script.pop(0)


def read_script(game: Game, text: str) -> list[int]:
    """Outcomes in notation, separated by commas or spaces."""
    script: list[int] = []
    for part in text.replace(",", " ").split():
        try:
            script += game.definition.parse_outcomes(game.state, 0, part)
        except NotationError as error:
            raise UserError("error.dice", reason=error) from None
    if not script:
        raise UserError("error.dice_empty", text=text)
    return script


def with_script(game: Game, script: list[int], seed: int) -> Game:
    """The same game, its next outcomes scripted."""
    chance = ScriptedFirst(script, Stream(stream_key(seed, 0)))
    scripted = Game(game.definition, clone(game.start.state), game.options, chance)
    for move in game.moves:
        scripted.replay(move.action, move.outcomes)
    return scripted
