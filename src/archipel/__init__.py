"""Archipel: four board games, with bots to play against, a server and a browser client.

>>> import archipel
>>> game = archipel.Game.new("deep-sea", seats=3, seed=1)
>>> game.legal
[<0: dive>]
"""

from archipel.game import Action, Decision, Game, Move, Position
from archipel.record import Record, RecordError, load_record, parse_record
from archipel.rules.contract import NotationError, Outcome, RuleError, UnknownGameError
from archipel.rules.kit import ChanceError
from archipel.rules.options import OptionError

__version__ = "0.1.0"

__all__ = [
    "Action",
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
    "load_record",
    "parse_record",
]
