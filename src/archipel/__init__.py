"""Archipel: four board games, with bots to play against, a server and a browser client.

>>> import archipel
>>> game = archipel.Game.new("deep-sea", seats=3, seed=1)
>>> game.legal
[<0: dive>]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archipel.game import Action, Actions, Decision, Game, Move, Position, games
    from archipel.record import Record, RecordError, load_record, parse_record
    from archipel.rules.contract import NotationError, Outcome, RuleError, UnknownGameError
    from archipel.rules.kit import ChanceError
    from archipel.rules.options import OptionError

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Actions",
    "ChanceError",
    "Decision",
    "Game",
    "Move",
    "NotationError",
    "OptionError",
    "Outcome",
    "Position",
    "Record",
    "RecordError",
    "RuleError",
    "UnknownGameError",
    "games",
    "load_record",
    "parse_record",
]

# Loaded when they are first asked for: the command line first sees which boards to play on.
_HOMES = {
    "archipel.game": ("Action", "Actions", "Decision", "Game", "Move", "Position", "games"),
    "archipel.record": ("Record", "RecordError", "load_record", "parse_record"),
    "archipel.rules.contract": ("NotationError", "Outcome", "RuleError", "UnknownGameError"),
    "archipel.rules.kit": ("ChanceError",),
    "archipel.rules.options": ("OptionError",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'archipel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["__version__", *__all__]
