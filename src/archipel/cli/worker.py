"""A worker of ``archipel serve --workers``, started by the supervisor, never by hand.

Its instructions come on standard input, because every user can read a command line. The supervisor
keeps the other end open as long as it runs.
"""

from __future__ import annotations

import json
import sys

from archipel.cli import main
from archipel.serve.cluster_worker import Part


def run() -> int:
    with open(0, "rb", buffering=0, closefd=False) as standard_input:
        line = standard_input.readline()
    if not line.endswith(b"\n"):
        return 1
    part = json.loads(line)
    arguments = part.pop("arguments")
    return main(arguments, part=Part(**part))


if __name__ == "__main__":
    sys.exit(run())
