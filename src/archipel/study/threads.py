"""Work in pieces on several threads: compiled rules let go of Python's lock, so they run side by
side."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_pieces(
    pieces: Iterable[Piece], work: Callable[[Piece], Made], jobs: int
) -> Generator[tuple[Piece, Made], None, None]:
    """What ``work`` makes of each piece, as it gets done, in no fixed order.

    When it is closed, by Ctrl-C or otherwise, no further piece is begun and the threads end with
    the piece they are at.
    """
    if jobs == 1:
        for piece in pieces:
            yield piece, work(piece)
        return
    waiting = iter(pieces)
    running: dict[Future[Made], Piece] = {}
    with ThreadPoolExecutor(jobs, thread_name_prefix="study") as pool:
        try:
            while True:
                # One more per thread than are running, so that none waits for the next piece.
                for piece in islice(waiting, 2 * jobs - len(running)):
                    running[pool.submit(work, piece)] = piece
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()
