"""Slow the pages of a browser: stop its renderer processes for most of the time.

Chromium's own throttling slows only the thread that draws, and the tables are in a worker.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PERIOD = 0.02


@contextmanager
def slowed(browser: int, times: int) -> Iterator[None]:
    """Let the renderers of the browser process run for one part in ``times`` of the time."""
    over = threading.Event()
    thread = threading.Thread(target=_slow, args=(browser, times, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _slow(browser: int, times: int, over: threading.Event) -> None:
    found: list[int] = []
    looked = 0.0
    while not over.is_set():
        if time.monotonic() - looked > 0.1:
            found, looked = _renderers(browser), time.monotonic()
        _tell(found, signal.SIGSTOP)
        time.sleep(_PERIOD * (times - 1) / times)
        _tell(found, signal.SIGCONT)
        time.sleep(_PERIOD / times)


def _tell(processes: list[int], what: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, what)


def _renderers(browser: int) -> list[int]:
    """The renderer processes below a process."""
    parents: dict[int, int] = {}
    renderers = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with suppress(OSError, ValueError, IndexError):
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rpartition(")")[2].split()[1]
            )
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                renderers.append(int(folder.name))
    return [each for each in renderers if _is_below(each, browser, parents)]


def _is_below(process: int, top: int, parents: dict[int, int]) -> bool:
    while process in parents and process != top:
        process = parents[process]
    return process == top
