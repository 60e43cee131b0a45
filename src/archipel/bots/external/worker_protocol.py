"""The protocol between the server and its bot workers: one line of JSON each way.

A request has only the fields of a view, so a worker cannot know more than the seat that it plays.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from archipel.rules.all_games import game_named

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


_ENCODER = msgspec.json.Encoder()
_QUESTIONS = msgspec.json.Decoder(Question)
_CHOICES = msgspec.json.Decoder(Choice)


def pack_view(view: Any) -> msgspec.Raw:
    return msgspec.Raw(_ENCODER.encode(view))


def unpack_view(game: str, packed: msgspec.Raw) -> Any:
    """Decode a view; raises `msgspec.DecodeError` if it is no state of the game."""
    return msgspec.json.decode(packed, type=game_named(game).state)


def question_line(question: Question) -> bytes:
    return _ENCODER.encode(question) + b"\n"


def read_question(line: bytes) -> Question:
    return _QUESTIONS.decode(line)


def choice_line(choice: Choice) -> bytes:
    return _ENCODER.encode(choice) + b"\n"


def read_choice(line: bytes) -> Choice:
    return _CHOICES.decode(line)
