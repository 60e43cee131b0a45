"""What a worker of the house is asked, and how it answers: one line of JSON each way.

A view goes as the fields of its state and nothing else does, so a worker cannot know more than the
seat that it thinks for.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from archipel.rules.all_games import game_named

#: Said to a worker before anything else; it says the same as soon as it can be asked.
READY = b'"ready"\n'


class Question(Struct, frozen=True, omit_defaults=True):
    """Choose for the seat to move. ``consider``: tell the candidates with their chances, too."""

    game: str
    bot: str
    view: msgspec.Raw
    legal: list[int]
    seed: int
    seconds: float  # after which nobody waits for the answer any more
    consider: bool = False


class Candidate(Struct, frozen=True):
    """An action that a bot thought about: how good it looked, and how often it was tried."""

    action: int
    chance: float  # to win, a shared first place in shares
    tried: int


class Choice(Struct, frozen=True, omit_defaults=True):
    """The action chosen, by which bot; or the error that prevented it."""

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
    """Raises `msgspec.DecodeError` where it is no state of the game."""
    return msgspec.json.decode(packed, type=game_named(game).state)


def question_line(question: Question) -> bytes:
    return _ENCODER.encode(question) + b"\n"


def read_question(line: bytes) -> Question:
    return _QUESTIONS.decode(line)


def choice_line(choice: Choice) -> bytes:
    return _ENCODER.encode(choice) + b"\n"


def read_choice(line: bytes) -> Choice:
    return _CHOICES.decode(line)
