"""Run compiled rules in threads: they release Python's global lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby, islice
from typing import TypeVar

Batch = TypeVar("Batch")
Result = TypeVar("Result")


def usable_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def batches_of(numbers: Sequence[int], size: int) -> Iterator[range]:
    """Split ascending numbers into runs of consecutive ones, at most ``size`` in each."""
    if isinstance(numbers, range):
        runs: Iterable[range] = (numbers,)
    else:
        grouped = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
        found = ([number for _, number in run] for _, run in grouped)
        runs = (range(run[0], run[-1] + 1) for run in found)
    for run in runs:
        for first in range(run.start, run.stop, size):
            yield range(first, min(first + size, run.stop))


def run_in_threads(
    batches: Iterable[Batch], work: Callable[[Batch], Result], threads: int
) -> Generator[tuple[Batch, Result], None, None]:
    """Yield each batch with its result, in the order of the batches.

    Closing the generator (Ctrl-C, for example) starts no further batch and waits for those that
    are running.
    """
    if threads == 1:
        for batch in batches:
            yield batch, work(batch)
        return
    waiting = iter(batches)
    running: deque[tuple[Batch, Future[Result]]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="study") as pool:
        try:
            while True:
                # Spare batches, so that no thread waits for a slow one.
                for batch in islice(waiting, 4 * threads - len(running)):
                    running.append((batch, pool.submit(work, batch)))
                if not running:
                    return
                batch, future = running.popleft()
                yield batch, future.result()
        finally:
            for _, future in running:
                future.cancel()
