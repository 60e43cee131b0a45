"""A worker whose bots do what their names say: hang, for ever and deaf to signals; crash; babble;
cheat with an action that is not legal. Any other plays the first legal action.

usage: python -m tests.serve.stubborn_worker [FILE], where it writes its process id before it hangs
"""

from __future__ import annotations

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
    return encode_line(Choice(999 if bot == "cheat" else legal[0], bot))


if __name__ == "__main__":
    main()
