"""A worker of ``archipel serve --workers``, started by the supervisor, never by hand.

Its instructions come on standard input, because every user can read a command line. The supervisor
keeps the other end open as long as it runs.
"""

from __future__ import annotations

import json
import os
import sys

from archipel.cli import main
from archipel.serve.cluster_worker import Part


def run() -> int:
    told = bytearray()
    while not told.endswith(b"\n"):
        piece = os.read(0, 4096)
        if not piece:
            return 1
        told += piece
    part = json.loads(told)
    arguments = part.pop("arguments")
    return main(arguments, part=Part(**part))


if __name__ == "__main__":
    sys.exit(run())
