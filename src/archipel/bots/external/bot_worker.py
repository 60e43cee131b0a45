"""A bot worker process: answers one request after the other until its input ends.

usage: python -m archipel.bots.external.bot_worker

The server may kill it at any moment. It exits by itself if it exceeds the time limit, in case the
server is gone.
"""

from __future__ import annotations

import math
import os
import signal
import sys

from archipel.bots.external.ready_bots import ReadyBots
from archipel.bots.external.worker_protocol import (
    READY,
    Candidate,
    Choice,
    Question,
    encode_line,
    read_question,
    unpack_view,
)

#: Seconds after the caller's time limit at which a worker exits.
GRACE = 5


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
