"""Tasks for executors, which workers find by name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

DOUBLED = "tests.study.executor_tasks:doubled"
DEADLY_ONCE = "tests.study.executor_tasks:deadly_once"
DEADLY = "tests.study.executor_tasks:deadly"
FAILING = "tests.study.executor_tasks:failing"


def doubled(task: bytes) -> bytes:
    return task + task


def deadly_once(task: bytes) -> bytes:
    """Kill the worker once: the task names a file that marks that it has happened."""
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
