"""The players of a benchmark: bots, external programs, and programs that read and write text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from archipel.bots import Bot
from archipel.bots.external.bot_program import BotProgram, ProgramBot
from archipel.bots.external.line_process import LineProcess, program_environment
from archipel.bots.external.worker_protocol import UNREADABLE, encode_line
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Chance
from archipel.study.benchmark.submission import Effort


class Question(Struct, frozen=True, tag="decide"):
    """What a language model reads. ``error`` says what was wrong with its previous answer."""

    game: str
    view: str
    position: str
    question: str
    legal: list[str]
    tries_left: int
    error: str = ""


class _Reply(Struct, frozen=True):
    answer: str


class TextProgram:
    """A program that gets the view as text and answers in notation.

    Each line is a JSON object: a `Question`, answered by ``{"answer": "dive"}``. After ``tries``
    wrong answers a random legal action is played.
    """

    def __init__(self, game: str, program: BotProgram, tries: int) -> None:
        self._definition = game_named(game)
        self._program = program
        self._tries = tries
        self._process: LineProcess | None = None
        self.retries = self.forfeits = 0

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        definition = self._definition
        texts = {definition.action_text(view, action): action for action in legal}
        seat = definition.to_move(view)
        names = {other: str(other + 1) for other in range(definition.read_options(view).seats)}
        asked = definition.tell(definition.question(definition.seen(view, seat)), "en", names)
        shown = definition.picture(view, "en"), definition.position_text(view), asked
        error = ""
        for tried in range(self._tries):
            question = Question(definition.name, *shown, list(texts), self._tries - tried, error)
            said = self._ask(encode_line(question))
            action, error = _action_in(definition, view, texts, said)
            if action is not None:
                return action
            self.retries += 1
        self.retries -= 1  # the last wrong answer was no retry
        self.forfeits += 1
        return legal[chance.draw(len(legal))]

    def _ask(self, line: bytes) -> bytes:
        if self._process is None or not self._process.is_running:
            self._process = LineProcess(self._program.command, environment=program_environment())
        return self._process.ask(line, self._program.seconds)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


def _action_in(
    definition: Definition[Any], view: Any, texts: dict[str, int], said: bytes
) -> tuple[int | None, str]:
    """The legal action of an answer, or what is wrong with it."""
    try:
        answer = " ".join(msgspec.json.decode(said, type=_Reply).answer.split())
    except UNREADABLE:
        return None, 'answer with a line such as {"answer": "..."}'
    if answer in texts:
        return texts[answer], ""
    with suppress(NotationError):
        action = definition.parse_action(view, answer)
        if action in texts.values():
            return action, ""
        return None, str(definition.refuse(view, action))
    return None, f"{answer[:80]!r} is not the notation of an action"


class Entrant:
    """The entrant with the effort that it spends."""

    def __init__(self, game: str, name: str, program: BotProgram | None, tries: int) -> None:
        """``tries`` above 0: the program reads and writes text."""
        self._player: Bot | ProgramBot | TextProgram
        if program is None:
            self._player = Bot.named(game, name)
        elif tries:
            self._player = TextProgram(game, program, tries)
        else:
            self._player = ProgramBot(game, program)
        self._decisions, self._seconds = 0, 0.0
        self._retries = self._forfeits = 0

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        """Return a legal action; raises `ProcessFailed`."""
        begun = time.perf_counter()
        action = self._player.choose(view, legal, chance=chance)
        self._seconds += time.perf_counter() - begun
        self._decisions += 1
        return action

    def effort(self) -> Effort:
        """The effort since the last call."""
        retries = forfeits = 0
        if isinstance(self._player, TextProgram):
            retries, forfeits = self._player.retries, self._player.forfeits
            self._player.retries = self._player.forfeits = 0
        effort = Effort(self._decisions, round(self._seconds, 6), retries, forfeits)
        self._decisions, self._seconds = 0, 0.0
        return effort

    def close(self) -> None:
        if not isinstance(self._player, Bot):
            self._player.close()
