"""External bot programs, in any language, with a protocol of JSON lines.

docs/writing-bots.md describes the protocol. Every line that a program gets is made here from a
view, so it cannot know more than the seat that it plays.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from msgspec import Struct

from archipel.bots.external.line_process import (
    LineProcess,
    ProcessFailed,
    program_environment,
    python_command,
)
from archipel.bots.external.worker_protocol import UNREADABLE, Candidate, encode_line
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import Definition
from archipel.rules.kit import Chance
from archipel.rules.options import choice_text

PROTOCOL = 1

#: Time limits in seconds: to start, if the limit per decision is not longer, and per decision.
STARTUP_SECONDS = 30.0
DECISION_SECONDS = 5.0

#: The program that plays a policy file.
POLICY_BOT = "archipel.envs.learn.policy_bot"
#: In place of a policy file: the trained policies of a kind that come with the package.
BASELINE = "baseline:"

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,23}")


class BadProgram(ValueError):
    """The description of a program is invalid."""


class Hello(Struct, frozen=True, tag="hello"):
    """The first line sent to a program."""

    protocol: int
    games: list[str]


class LegalAction(Struct, frozen=True):
    action: int
    text: str


class Choose(Struct, frozen=True, tag="choose"):
    """A decision. It does not depend on earlier lines."""

    game: str
    rules_version: int
    board: str
    seats: int
    options: dict[str, str]
    seat: int
    position: str  # in notation
    view: Any  # the same view as fields
    legal: list[LegalAction]
    seed: int
    milliseconds: int


class _Ready(Struct, frozen=True, tag="ready"):
    """The program is ready; without ``games`` it plays all games."""

    games: list[str] | None = None


class _SentCandidate(Struct, frozen=True):
    action: int | str
    chance: float
    tried: int = 0


class _Chosen(Struct, frozen=True):
    action: int | str | None = None
    candidates: list[_SentCandidate] = []
    error: str = ""


@dataclass(frozen=True)
class BotProgram:
    """A program as configured, and the games it plays (None: unknown so far)."""

    name: str
    command: tuple[str, ...]
    seconds: float = DECISION_SECONDS
    games: tuple[str, ...] | None = None

    def plays(self, game: str) -> bool:
        return self.games is None or game in self.games


def read_program(text: str, seconds: float = DECISION_SECONDS) -> BotProgram:
    """Parse ``NAME=COMMAND``, with shell quoting; raises `BadProgram`.

    A file of ``archipel learn --save`` (``NAME=FILE.npz``) may stand for a command, and so may
    trained policies of the package (``NAME=baseline:self-play``, ``NAME=baseline:bots``).
    """
    name, equals, command = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise BadProgram(
            f"{text!r} is not NAME=COMMAND, where a name is up to 24 of a-z, 0-9, - and _"
        )
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise BadProgram(f"{name}: the command cannot be read: {error}") from None
    if not words:
        raise BadProgram(f"{name}: a command is missing")
    if len(words) == 1 and (words[0].endswith(".npz") or words[0].startswith(BASELINE)):
        words = (*python_command(POLICY_BOT), words[0])
    return BotProgram(name, words, seconds)


def query_games(program: BotProgram) -> BotProgram:
    """Start a program to ask which games it plays; raises `ProcessFailed`."""
    with closing(ProgramPlayer(program)) as player:
        return replace(program, games=player.greet())


class ProgramPlayer:
    """A running program. The first decision triggers the greeting."""

    def __init__(self, program: BotProgram, *, cores: Sequence[int] = ()) -> None:
        """Start the program; raises `ProcessFailed`."""
        self.program = program
        self._process = LineProcess(program.command, cores=cores, environment=program_environment())
        self._is_greeted = False

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    def choose(
        self, game: str, view: Any, legal: Sequence[int], seed: int
    ) -> tuple[int, list[Candidate]]:
        """Return one of the legal actions, and the candidates if the program sends them.

        Raises `ProcessFailed` after stopping the program.
        """
        if not self._is_greeted:
            self.greet()
        definition = game_named(game)
        texts = {int(action): definition.action_text(view, int(action)) for action in legal}
        seconds = self.program.seconds
        said = self._process.ask(_choose_line(definition, view, texts, seed, seconds), seconds)
        try:
            answer = msgspec.json.decode(said, type=_Chosen)
        except UNREADABLE as error:
            raise self._failure(f"its answer {_quoted(said)} cannot be read: {error}") from None
        if answer.error:
            raise self._failure(f"it says: {_one_line(answer.error)}")
        action = _action(answer.action, texts)
        if action is None:
            raise self._failure(
                f"its answer {_quoted(said)} is not one of the legal actions "
                f"{', '.join(texts.values())}"
            )
        return action, _candidates(answer, texts)

    def close(self) -> None:
        self._process.close()

    def kill(self) -> None:
        self._process.kill()

    def greet(self) -> tuple[str, ...]:
        """Greet the program and return the games it plays; raises `ProcessFailed`."""
        known = [game.name for game in games()]
        seconds = max(STARTUP_SECONDS, self.program.seconds)
        said = self._process.ask(encode_line(Hello(PROTOCOL, known)), seconds)
        try:
            ready = msgspec.json.decode(said, type=_Ready)
        except UNREADABLE:
            raise self._failure(
                f'it answers hello with {_quoted(said)}, not with {{"type":"ready"}}'
            ) from None
        self._is_greeted = True
        return tuple(known if ready.games is None else [g for g in known if g in ready.games])

    def _failure(self, why: str) -> ProcessFailed:
        self._process.kill()
        return ProcessFailed(why)


class ProgramBot:
    """A program with the interface of `Bot`, for one game. Starts at the first decision."""

    def __init__(self, game: str, program: BotProgram) -> None:
        self.game = game
        self.program = program
        self._player: ProgramPlayer | None = None

    @property
    def name(self) -> str:
        return self.program.name

    def choose(
        self, view: Any, legal: Sequence[int], *, chance: Chance | None = None, seed: int = 0
    ) -> int:
        """Return a legal action; raises `ProcessFailed`. The next call restarts the program."""
        return self.consider(view, legal, chance=chance, seed=seed)[0]

    def consider(
        self, view: Any, legal: Sequence[int], *, chance: Chance | None = None, seed: int = 0
    ) -> tuple[int, list[Candidate]]:
        """Return a legal action and the program's candidates; raises `ProcessFailed`."""
        if self._player is None or not self._player.is_running:
            self._player = ProgramPlayer(self.program)
        if chance is not None:
            seed = chance.draw(2**31)
        return self._player.choose(self.game, view, legal, seed)

    def close(self) -> None:
        if self._player is not None:
            self._player.close()


def _choose_line(
    definition: Definition[Any], view: Any, texts: Mapping[int, str], seed: int, seconds: float
) -> bytes:
    options = definition.read_options(view)
    return encode_line(
        Choose(
            game=definition.name,
            rules_version=definition.rules_version,
            board=definition.board,
            seats=options.seats,
            options={name: choice_text(value) for name, value in options},
            seat=definition.to_move(view),
            position=definition.position_text(view),
            view=view,
            legal=[LegalAction(action, text) for action, text in texts.items()],
            seed=seed % 2**53,  # exact as a double
            milliseconds=int(seconds * 1000),
        )
    )


def _action(answer: int | str | None, texts: dict[int, str]) -> int | None:
    """Return the legal action that an answer names by number or notation, or None."""
    if isinstance(answer, int):
        return answer if answer in texts else None
    wanted = " ".join((answer or "").split())
    return next((number for number, text in texts.items() if text == wanted), None)


def _candidates(answer: _Chosen, texts: dict[int, str]) -> list[Candidate]:
    """Return the valid candidates of an answer."""
    found: dict[int, Candidate] = {}
    for candidate in answer.candidates:
        action = _action(candidate.action, texts)
        if action is not None and 0 <= candidate.chance <= 1 and candidate.tried >= 0:
            found[action] = Candidate(action, candidate.chance, candidate.tried)
    return list(found.values())


def _quoted(said: bytes) -> str:
    return repr(_one_line(said.decode("utf-8", "replace")))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:120]
