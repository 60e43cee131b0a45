"""`archipel` as anybody starts it, but for the limits on what one address and one socket may do:
those who play in a benchmark are many people at one.

    python -m benchmarks.load.unlimited serve --workers 2

Without arguments it is one of the workers.
"""

from __future__ import annotations

import sys
from functools import partial

from archipel.cli import main, worker
from archipel.serve import command, supervisor
from archipel.serve.settings import Settings
from tests.serve.running import UNLIMITED

NAME = "benchmarks.load.unlimited"


def remove_limits() -> None:
    unlimited = partial(
        Settings,
        messages=UNLIMITED,
        requests=UNLIMITED,
        tables=UNLIMITED,
        joins=UNLIMITED,
        hellos=UNLIMITED,
        all_messages=UNLIMITED,
        connections_per_address=100_000,
        sockets_per_address=100_000,
    )
    vars(command)["Settings"] = unlimited
    supervisor.WORKER = NAME


if __name__ == "__main__":
    remove_limits()
    sys.exit(main() if sys.argv[1:] else worker.run())
