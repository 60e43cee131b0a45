"""A bot worker process: answers one request after the other until its input ends.

usage: python -m archipel.bots.external.bot_worker

A fallback bot answers until the search is compiled. The server may kill the process at any moment.
It exits by itself if it exceeds the time limit, in case the server is gone.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from archipel.bots.all_bots import fallback_bot, player_named
from archipel.bots.contract import BotInfo, Level
from archipel.bots.external.worker_protocol import (
    READY,
    Candidate,
    Choice,
    Question,
    encode_line,
    read_question,
    unpack_view,
)
from archipel.bots.live import Bot
from archipel.bots.search.search import search_program
from archipel.rules.kit.core.loading import can_compile, is_compiled_already, load_backend
from archipel.rules.kit.core.program import Backend

#: Seconds after the caller's time limit at which a worker exits.
GRACE = 5

#: Seconds between checks of the compile cache.
POLL_SECONDS = 5.0

#: Time limit of an interpreted search in milliseconds, where there is no compiler.
INTERPRETED_MILLISECONDS = 1500.0


@dataclass(frozen=True)
class Ready:
    """A bot and the time limit of its search; None: the budget of its settings."""

    bot: Bot
    milliseconds: float | None = None


class ReadyBots:
    """The bots of one process. Loads searches in background threads."""

    def __init__(self, load: Callable[[str], Backend] | None = None) -> None:
        """``load`` replaces `load_search`, for tests."""
        self._load = load or load_search
        self._bots: dict[tuple[str, str], Bot] = {}
        self._backends: dict[str, Backend] = {}
        self._loading: dict[str, threading.Thread] = {}

    def best(self, game: str, name: str, *, wait: bool = False) -> Ready:
        """Return the bot of that name, or the fallback until it is ready; ``wait`` blocks.

        Raises `UnknownGameError` or `UnknownBotError`.
        """
        info = player_named(game, name)
        if not isinstance(info, Level):
            return Ready(self._bot(info))
        if not can_compile():
            return Ready(self._bot(info), INTERPRETED_MILLISECONDS)
        if game not in self._loading:
            thread = threading.Thread(target=self._load_backend, args=(game,), daemon=True)
            self._loading[game] = thread
            thread.start()
        if wait:
            self._loading[game].join()
        if game in self._backends:
            return Ready(self._bot(info, self._backends[game]))
        return Ready(self._bot(fallback_bot(game)))

    def _bot(self, info: BotInfo, backend: Backend | None = None) -> Bot:
        key = (info.game, info.name)
        if key not in self._bots:
            self._bots[key] = Bot(info, backend)
        return self._bots[key]

    def _load_backend(self, game: str) -> None:
        self._backends[game] = self._load(game)


def load_search(game: str) -> Backend:
    """Wait until the search of a game is in the compile cache, and load it."""
    program = search_program(game)
    while not is_compiled_already(program):
        time.sleep(POLL_SECONDS)
    return load_backend(program, compiled=True)


def answer(question: Question, bots: ReadyBots) -> Choice:
    """Answer a request; an exception becomes an error response."""
    try:
        view = unpack_view(question.game, question.view)
        found = bots.best(question.game, question.bot, wait=question.consider)
        if found.milliseconds is None and not question.consider:
            action = found.bot.choose(view, question.legal, seed=question.seed)
            return Choice(int(action), found.bot.name)
        result = found.bot.search(view, seed=question.seed, milliseconds=found.milliseconds)
        candidates = [
            Candidate(c.action, c.chance, c.visits) for c in result.candidates if c.visits
        ]
        return Choice(int(result.action), found.bot.name, candidates)
    except Exception as error:
        return Choice(error=f"{type(error).__name__}: {error}")


def main() -> int:
    # Send what a bot prints to standard error, away from the responses.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    bots = ReadyBots()
    for line in sys.stdin.buffer:
        answers.write(line if line == READY else _answer_in_time(read_question(line), bots))
        answers.flush()
    return 0


def _answer_in_time(question: Question, bots: ReadyBots) -> bytes:
    _exit_after(math.ceil(question.seconds) + GRACE)
    line = encode_line(answer(question, bots))
    _exit_after(0)
    return line


def _exit_after(seconds: int) -> None:
    """Set an alarm that also ends code which never returns to Python; 0 cancels it."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


if __name__ == "__main__":
    sys.exit(main())
