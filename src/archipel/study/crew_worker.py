"""A process of a crew: does one task after the other until its input ends.

usage: python -m archipel.study.crew_worker

A message is a length in four bytes and as many bytes: the name of the work, a zero byte and the
task; the answer likewise.
"""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from archipel.study.crew import answer_to

LENGTH = 4


def write_message(file: BinaryIO, message: bytes) -> None:
    file.write(len(message).to_bytes(LENGTH, "big") + message)
    file.flush()


def read_message(file: BinaryIO) -> bytes | None:
    """None where the other side has ended."""
    head = file.read(LENGTH)
    if len(head) < LENGTH:
        return None
    length = int.from_bytes(head, "big")
    message = file.read(length)
    return message if len(message) == length else None


def main() -> int:
    # What a bot prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while (message := read_message(sys.stdin.buffer)) is not None:
        name, _, task = message.partition(b"\0")
        write_message(answers, answer_to(name.decode(), task))
    return 0


if __name__ == "__main__":
    sys.exit(main())
