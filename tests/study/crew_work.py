"""Work for a crew, which workers find by its name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

DOUBLED = "tests.study.crew_work:doubled"
DEADLY_ONCE = "tests.study.crew_work:deadly_once"
DEADLY = "tests.study.crew_work:deadly"
FAILING = "tests.study.crew_work:failing"


def doubled(task: bytes) -> bytes:
    return task + task


def deadly_once(task: bytes) -> bytes:
    """Kills its worker, unless the file that the task names is there: then a worker was killed."""
    mark = Path(task.decode())
    if mark.name.startswith("deadly") and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def deadly(task: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return task


def failing(task: bytes) -> bytes:
    raise ValueError("no tea left\nand no cups")
