"""Named mutants: at least one per rule, written by hand, which a test of that rule must kill."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from tools.mutate.children import PYTEST_OPTIONS, BaselineError, in_children, limit_time

MOST_SECONDS = 20.0


class NamedMutantError(ValueError):
    """The file of named mutants is invalid. The message says where."""


@dataclass(frozen=True)
class NamedMutant:
    """A replacement in a file of the game's package, or of shared rules (``hex_sea/moving.py``)."""

    rule: str
    file: str
    find: str
    replace: str
    note: str

    def __str__(self) -> str:
        return f"{self.rule}  {self.file}: {self.note}"


@dataclass(frozen=True)
class NamedVerdict:
    """The result of a named mutant."""

    mutant: NamedMutant
    killed_by: str | None
    problem: str = ""

    @property
    def killed(self) -> bool:
        return self.killed_by is not None and not self.problem


def load_named(path: Path, package: Path) -> list[NamedMutant]:
    """Read the named mutants of a game and check them. Raises `NamedMutantError`."""
    if not path.exists():
        raise NamedMutantError(f"{path.name}: there is no such file beside the tests")
    found = []
    for number, entry in enumerate(tomllib.loads(path.read_text("utf-8")).get("mutant", []), 1):
        where = f"{path.name}, mutant {number}"
        if set(entry) != {"id", "file", "find", "replace", "note"}:
            raise NamedMutantError(f"{where}: expected id, file, find, replace and note")
        mutant = NamedMutant(
            entry["id"], entry["file"], entry["find"], entry["replace"], entry["note"]
        )
        _check(mutant, package, f"{where} ({mutant.rule})")
        found.append(mutant)
    return found


def _check(mutant: NamedMutant, package: Path, where: str) -> None:
    path = source_of(mutant.file, package)
    if not path.is_file():
        raise NamedMutantError(f"{where}: the game has no file {mutant.file}")
    times = path.read_text("utf-8").count(mutant.find)
    if times != 1:
        raise NamedMutantError(
            f"{where}: {mutant.find!r} is {times} times in {mutant.file}, not once"
        )
    if mutant.find == mutant.replace:
        raise NamedMutantError(f"{where}: find and replace are the same")


def source_of(file: str, package: Path) -> Path:
    """Return the path of a file. A name with a folder is one of shared rules."""
    return (package.parent if "/" in file else package) / file


def module_of(file: str, package: str) -> str:
    """Return the module name of a file."""
    home = package.rpartition(".")[0] if "/" in file else package
    return f"{home}.{file.removesuffix('.py').replace('/', '.')}"


def try_named(
    package: str,
    folder: Path,
    mutants: Sequence[NamedMutant],
    tests: dict[str, list[str]],
    jobs: int,
    progress: Callable[[NamedVerdict], None],
) -> list[NamedVerdict]:
    """Return a verdict on each mutant. ``tests`` are the pytest ids of each rule."""

    def work(mutant: NamedMutant | None) -> dict[str, Any]:
        forget_imports()
        if mutant is None:  # the control run
            named = dict.fromkeys(name for names in tests.values() for name in names)
            return {"status": int(pytest.main([*PYTEST_OPTIONS, "-x", *named]))}
        limit_time(MOST_SECONDS)
        apply_mutant(mutant, package, folder)
        watch = _Watch(mutant.rule)
        status = pytest.main([*PYTEST_OPTIONS, "-x", *tests[mutant.rule]], plugins=[watch])
        return {"killed_by": watch.failed, "status": int(status)}

    found: dict[NamedMutant, NamedVerdict] = {}
    for mutant, answer in in_children([None, *mutants], work, jobs):
        if mutant is None:
            if answer.get("status") != pytest.ExitCode.OK:
                raise BaselineError(f"the tests fail without any mutant ({answer})")
            continue
        verdict = _verdict(mutant, answer)
        found[mutant] = verdict
        progress(verdict)
    return [found[mutant] for mutant in mutants]


def _verdict(mutant: NamedMutant, answer: dict[str, Any]) -> NamedVerdict:
    if answer.get("timed_out"):
        return NamedVerdict(mutant, "no end in sight")
    if "error" in answer:
        return NamedVerdict(mutant, None, str(answer["error"]))
    if answer["killed_by"] is None and answer["status"] != pytest.ExitCode.OK:
        return NamedVerdict(mutant, None, "the tests could not be run at all")
    return NamedVerdict(mutant, answer["killed_by"])


def apply_mutant(mutant: NamedMutant, package: str, folder: Path) -> None:
    """Import the changed module from now on."""
    path = source_of(mutant.file, folder)
    source = path.read_text("utf-8").replace(mutant.find, mutant.replace)
    sys.meta_path.insert(0, _Finder(module_of(mutant.file, package), path, source))


def forget_imports() -> None:
    """Unload the game and its tests, so that they are imported with the changed module."""
    for name in list(sys.modules):
        if name.split(".")[0] in ("archipel", "tests"):
            del sys.modules[name]


class _Watch:
    """A pytest plugin that runs the tests of one rule and records the first failure."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self.failed: str | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [
            item
            for item in items
            if any(self._rule in marker.args for marker in item.iter_markers("rule"))
        ]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid


class _Finder(importlib.abc.MetaPathFinder):
    """An importer of one module with changed source."""

    def __init__(self, module: str, path: Path, source: str) -> None:
        self._module = module
        self._loader = _Loader(module, path, source)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._module:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self._loader.path, loader=self._loader
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, module: str, path: Path, source: str) -> None:
        super().__init__(module, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)
