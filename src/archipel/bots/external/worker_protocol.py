"""The protocol between the server and its bot workers: one line of JSON each way.

A request has only the fields of a view, so a worker cannot know more than the seat that it plays.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from archipel.rules.all_games import game_named

#: Errors of decoding a line that another process sent.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

#: The first line sent to a worker, which echoes it when it is ready.
READY = b'"ready"\n'


class Question(Struct, frozen=True, omit_defaults=True):
    """A request to choose for the seat to move; ``consider`` also asks for the candidates."""

    game: str
    bot: str
    view: msgspec.Raw
    legal: list[int]
    seed: int
    seconds: float  # time limit of the caller
    consider: bool = False


class Candidate(Struct, frozen=True):
    """A candidate of a bot's search: its win probability and its visits."""

    action: int
    chance: float  # win probability; a shared first place counts in shares
    tried: int


class Choice(Struct, frozen=True, omit_defaults=True):
    """The response: the action and the bot that chose it, or an error."""

    action: int = -1
    by: str = ""
    candidates: list[Candidate] = []
    error: str = ""


def pack_view(view: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(view))


def unpack_view(game: str, packed: msgspec.Raw) -> Any:
    """Decode a view; raises `msgspec.DecodeError` if it is no state of the game."""
    return msgspec.json.decode(packed, type=game_named(game).state)


def encode_line(message: Struct) -> bytes:
    return msgspec.json.encode(message) + b"\n"


read_question = msgspec.json.Decoder(Question).decode
read_choice = msgspec.json.Decoder(Choice).decode
