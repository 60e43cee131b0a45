"""A worker of the house: answers one question after the other, until its input ends.

usage: python -m archipel.bots.outside.worker

It is meant to be killed at any moment, and ends itself if it is late and nobody is left to do so.
"""

from __future__ import annotations

import math
import os
import signal
import sys

from archipel.bots.live import Bot
from archipel.bots.outside.questions import (
    READY,
    Choice,
    Question,
    choice_line,
    read_question,
    unpack_view,
)

#: How much later than whoever asks a worker gives itself up.
GRACE = 5


def answer(question: Question) -> Choice:
    """Think; whatever goes wrong is told, so that the worker lives on."""
    try:
        view = unpack_view(question.game, question.view)
        bot = Bot.named(question.game, question.bot)
        action = bot.choose(view, question.legal, seed=question.seed)
        return Choice(int(action), bot.name)
    except Exception as error:
        return Choice(error=f"{type(error).__name__}: {error}")


def main() -> int:
    # What a bot prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin.buffer:
        answers.write(line if line == READY else _in_time(read_question(line)))
        answers.flush()
    return 0


def _in_time(question: Question) -> bytes:
    _end_unless_done_in(math.ceil(question.seconds) + GRACE)
    line = choice_line(answer(question))
    _end_unless_done_in(0)
    return line


def _end_unless_done_in(seconds: int) -> None:
    """The system's own alarm: it also ends what never comes back to Python. 0 cancels it."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


if __name__ == "__main__":
    sys.exit(main())
