"""Chance for tests: it notes how many outcomes each draw could have, so that all can be tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from archipel.rules.contract import Definition
from archipel.rules.kit import Tape, clone


class Noting(Tape):
    """A tape that gives 0 once its script is used up, and notes the size of every draw."""

    def __init__(self, script: Sequence[int] = ()) -> None:
        super().__init__(script, source=self._Zero())
        self.sizes: list[int] = []

    class _Zero:
        def draw(self, n: int, /) -> int:
            return 0

    def draw(self, n: int, /) -> int:
        self.sizes.append(n)
        return super().draw(n)


def all_tapes(run: Callable[[Noting], None]) -> Iterator[Noting]:
    """Run something once for every sequence of outcomes there is; the tapes, in order."""
    script: list[int] | None = []
    while script is not None:
        tape = Noting(script)
        run(tape)
        yield tape
        script = _next_script(tape)


def _next_script(tape: Noting) -> list[int] | None:
    """Like an odometer: the last draw that can go on goes on, what came after starts anew."""
    script = list(tape.outcomes)
    while script and script[-1] == tape.sizes[len(script) - 1] - 1:
        script.pop()
    if not script:
        return None
    script[-1] += 1
    return script


def successors(definition: Definition[Any], s: Any, action: int) -> Iterator[Any]:
    """Every state an action can lead to, one for each sequence of outcomes."""
    after = s

    def run(tape: Noting) -> None:
        nonlocal after
        after = clone(s)
        definition.apply(after, action, tape)

    for _ in all_tapes(run):
        yield after


def count_paths(definition: Definition[Any], s: Any, depth: int) -> int:
    """How many different games of so many actions there are from a state (perft)."""
    if depth == 0:
        return 1
    return sum(
        count_paths(definition, after, depth - 1)
        for action in definition.legal_actions(s)
        for after in successors(definition, s, action)
    )


def throws(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Every outcome of draws of these sizes."""
    return list(product(*(range(size) for size in sizes)))
