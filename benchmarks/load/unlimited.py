"""`archipel` without rate limits, because all clients of a benchmark share one address.

    python -m benchmarks.load.unlimited serve --workers 2

Without arguments this is one of the workers.
"""

from __future__ import annotations

import sys
from functools import partial

from archipel.cli import main, worker
from archipel.serve import settings, supervisor
from tests.serve.running import NO_LIMITS

NAME = "benchmarks.load.unlimited"


def remove_limits() -> None:
    vars(settings)["Settings"] = partial(settings.Settings, **NO_LIMITS)
    supervisor.WORKER = NAME


if __name__ == "__main__":
    remove_limits()
    sys.exit(main() if sys.argv[1:] else worker.run())
