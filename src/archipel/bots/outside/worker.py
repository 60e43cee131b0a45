"""A worker of the house: answers one question after the other, until its input ends.

usage: python -m archipel.bots.outside.worker

It is meant to be killed at any moment, and ends itself if it is late and nobody is left to do so.
"""

from __future__ import annotations

import math
import os
import signal
import sys

from archipel.bots.outside.questions import (
    READY,
    Candidate,
    Choice,
    Question,
    choice_line,
    read_question,
    unpack_view,
)
from archipel.bots.outside.ready_bots import ReadyBots

#: How much later than whoever asks a worker gives itself up.
GRACE = 5


def answer(question: Question, bots: ReadyBots) -> Choice:
    """Think; whatever goes wrong is told, so that the worker lives on."""
    try:
        view = unpack_view(question.game, question.view)
        found = bots.best(question.game, question.bot, wait=question.consider)
        if found.milliseconds is None and not question.consider:
            action = found.bot.choose(view, question.legal, seed=question.seed)
            return Choice(int(action), found.bot.name)
        thought = found.bot.think(view, seed=question.seed, milliseconds=found.milliseconds)
        candidates = [
            Candidate(c.action, c.chance, c.visits) for c in thought.candidates if c.visits
        ]
        return Choice(int(thought.action), found.bot.name, candidates)
    except Exception as error:
        return Choice(error=f"{type(error).__name__}: {error}")


def main() -> int:
    # What a bot prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    bots = ReadyBots()
    for line in sys.stdin.buffer:
        answers.write(line if line == READY else _in_time(read_question(line), bots))
        answers.flush()
    return 0


def _in_time(question: Question, bots: ReadyBots) -> bytes:
    _end_unless_done_in(math.ceil(question.seconds) + GRACE)
    line = choice_line(answer(question, bots))
    _end_unless_done_in(0)
    return line


def _end_unless_done_in(seconds: int) -> None:
    """The system's own alarm: it also ends what never comes back to Python. 0 cancels it."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


if __name__ == "__main__":
    sys.exit(main())
