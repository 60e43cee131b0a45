"""A worker with misbehaving bots: ``hang`` (ignoring signals), ``crash``, ``babble`` (an unreadable
answer), ``mumble`` (not UTF-8) and ``cheat`` (an illegal action). Any other bot plays the first
legal action.

usage: python -m tests.serve.misbehaving_worker [FILE]; a hanging bot writes its process id to FILE
"""

import os
import signal
import sys
import time
from pathlib import Path

from archipel.bots.external.worker_protocol import READY, Choice, encode_line, read_question


def main() -> None:
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        if line == READY:
            out.write(READY)
        else:
            question = read_question(line)
            out.write(answer(question.bot, question.legal))
        out.flush()


def answer(bot: str, legal: list[int]) -> bytes:
    if bot == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for file in sys.argv[1:]:
            Path(file).write_text(str(os.getpid()))
        while True:
            time.sleep(60)
    if bot == "crash":
        os._exit(3)
    if bot == "babble":
        return b"I would rather not say\n"
    if bot == "mumble":
        return b'{"by":"\xff"}\n'
    return encode_line(Choice(999 if bot == "cheat" else legal[0], bot))


if __name__ == "__main__":
    main()
