"""Chance for tests that records the size of each draw, so that all outcomes can be tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from archipel.rules.contract import Definition
from archipel.rules.kit import clone
from tests.support.recording_tape import RecordingTape


def all_tapes(run: Callable[[RecordingTape], None]) -> Iterator[RecordingTape]:
    """Run a function once for each sequence of outcomes, and yield the tapes in order."""
    script: list[int] | None = []
    while script is not None:
        tape = RecordingTape(script)
        run(tape)
        yield tape
        script = _next_script(tape)


def _next_script(tape: RecordingTape) -> list[int] | None:
    """Advance like an odometer: increment the last draw that can grow, drop those after it."""
    script = list(tape.outcomes)
    while script and script[-1] == tape.sizes[len(script) - 1] - 1:
        script.pop()
    if not script:
        return None
    script[-1] += 1
    return script


def successors(definition: Definition[Any], s: Any, action: int) -> Iterator[Any]:
    """Every state that an action can lead to, one for each sequence of outcomes."""
    after = s

    def run(tape: RecordingTape) -> None:
        nonlocal after
        after = clone(s)
        definition.apply(after, action, tape)

    for _ in all_tapes(run):
        yield after


def count_paths(definition: Definition[Any], s: Any, depth: int) -> int:
    """The number of different games of a given length from a state (perft)."""
    if depth == 0:
        return 1
    return sum(
        count_paths(definition, after, depth - 1)
        for action in definition.legal_actions(s)
        for after in successors(definition, s, action)
    )


def throws(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """All combinations of outcomes for draws of these sizes."""
    return list(product(*(range(size) for size in sizes)))
