"""Run tests against generated mutants.

The tests are collected once.  Then each mutant gets a forked copy of the process in which the code
of the rule function is replaced, wherever it was imported, and the tests that call that function
run, fast ones first, until one fails.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tools.mutate.children import PYTEST_OPTIONS, BaselineError, in_children, limit_time
from tools.mutate.generated import Mutant
from tools.mutate.named import module_of

#: A test that takes this many times its normal duration counts as endless.
PATIENCE_SECONDS = 1.0
PATIENCE_FACTOR = 10.0


@dataclass(frozen=True)
class Verdict:
    """The result of a mutant: ``killed_by`` is a test, or None if the mutant survived."""

    mutant: Mutant
    killed_by: str | None
    timed_out: bool = False

    @property
    def killed(self) -> bool:
        return self.timed_out or self.killed_by is not None


def try_mutants(
    package: str,
    tests: Path,
    mutants: Sequence[Mutant],
    jobs: int,
    progress: Callable[[Verdict], None],
) -> list[Verdict]:
    """Return a verdict on each mutant, in the same order."""
    loop = _Loop(package, mutants, jobs, progress)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = pytest.main([*PYTEST_OPTIONS, "--capture=no", str(tests)], plugins=[loop])
    if status != pytest.ExitCode.OK:
        raise BaselineError(loop.problem or output.getvalue())
    return loop.verdicts


@dataclass(frozen=True)
class _Measured:
    """A test without a mutant: its duration and the rule functions that it calls."""

    name: str
    seconds: float
    calls: frozenset[str]


class _Loop:
    """A pytest plugin that replaces the loop over the tests."""

    def __init__(
        self,
        package: str,
        mutants: Sequence[Mutant],
        jobs: int,
        progress: Callable[[Verdict], None],
    ) -> None:
        self._package = package
        self._mutants = mutants
        self._jobs = jobs
        self._progress = progress
        self._failed = False
        self.verdicts: list[Verdict] = []
        self.problem = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return False  # a collection error, which pytest reports
        try:
            self._try_all(session.items)
        except BaselineError as error:
            self.problem = str(error)
            session.testsfailed += 1
            return True
        return True

    def _try_all(self, items: Sequence[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        measured = sorted(self._measure(items), key=lambda test: test.seconds)

        def work(mutant: Mutant | None) -> dict[str, Any]:
            tests = measured
            if mutant is not None:
                function = self._function(mutant.file, mutant.function)
                function.__code__ = mutant.code
                tests = [t for t in measured if f"{mutant.file}:{mutant.function}" in t.calls]
            for index, test in enumerate(tests):
                following = tests[index + 1 : index + 2]
                limit_time(PATIENCE_SECONDS + PATIENCE_FACTOR * test.seconds)
                if self._fails(
                    by_name[test.name], by_name[following[0].name] if following else None
                ):
                    return {"killed_by": test.name}
            return {"killed_by": None}

        found: dict[str, Verdict] = {}
        for mutant, answer in in_children([None, *self._mutants], work, self._jobs):
            timed_out = bool(answer.get("timed_out"))
            if not timed_out and "killed_by" not in answer:
                raise BaselineError(f"{mutant}: {answer['error']}")
            if mutant is not None:
                found[mutant.id] = Verdict(mutant, answer.get("killed_by"), timed_out)
                self._progress(found[mutant.id])
            elif timed_out or answer["killed_by"]:
                # The control run has no mutant, yet a test failed in this order or time.
                raise BaselineError(f"without any mutant: {answer} in another order of tests")
        self.verdicts = [found[mutant.id] for mutant in self._mutants]

    def _function(self, file: str, name: str) -> FunctionType:
        """Return the function or method of that name in a file."""
        scope = vars(importlib.import_module(module_of(file, self._package)))
        classes = (each for each in scope.values() if isinstance(each, type))
        for names in (scope, *map(vars, classes)):
            if isinstance(found := names.get(name), FunctionType):
                return found
        raise BaselineError(f"{file}: there is no function {name}")

    def _fails(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        self._failed = False
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        return self._failed

    def _measure(self, items: Sequence[pytest.Item]) -> list[_Measured]:
        """Run every test once in a child process, without a mutant."""
        names = {
            self._function(
                mutant.file, mutant.function
            ).__code__: f"{mutant.file}:{mutant.function}"
            for mutant in self._mutants
        }

        def work(_: None) -> dict[str, Any]:
            tests = []
            for index, item in enumerate(items):
                following = items[index + 1] if index + 1 < len(items) else None
                called: set[CodeType] = set()
                started = time.process_time()
                with _noting_calls(called):
                    failed = self._fails(item, following)
                if failed:
                    return {"failed": item.nodeid}
                seconds = time.process_time() - started
                calls = [name for code, name in names.items() if code in called]
                tests.append((item.nodeid, seconds, calls))
            return {"tests": tests}

        ((_, answer),) = in_children([None], work, 1)
        if "tests" not in answer:
            reason = answer.get("failed") or answer.get("error", "no answer")
            raise BaselineError(f"without any mutant: {reason} fails")
        return [
            _Measured(name, time_taken, frozenset(c)) for name, time_taken, c in answer["tests"]
        ]


@contextlib.contextmanager
def _noting_calls(called: set[CodeType]) -> Any:
    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
