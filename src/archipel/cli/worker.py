"""One of the workers of ``archipel serve --workers``: run by the supervisor, never by hand.

What it is to do comes on its standard input, since anyone can read a command line. The other end
stays open as long as there is a supervisor.
"""

from __future__ import annotations

import json
import os
import sys

from archipel.cli import main
from archipel.serve.shared import Part


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
