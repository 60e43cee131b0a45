"""The compile cache: one folder per rule, named by a hash of everything that affects its code.

Programs of a game share compiled rules.  Processes that need the same rule at the same time wait
for the first one.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import platform
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

import llvmlite  # type: ignore[import-untyped]
import llvmlite.binding  # type: ignore[import-untyped]
import numba
import numpy

from archipel.rules.kit.core.chance import Stream
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.layout import layout
from archipel.rules.kit.core.lowering import function_of, globals_used, lowered
from archipel.rules.kit.core.program import STREAM, Program, callees

try:
    import fcntl
except ImportError:  # no such locks on this system: at worst a rule is compiled twice
    fcntl = None  # type: ignore[assignment]

UNUSED_AFTER_DAYS = 30
COMPLETE = "complete"
LOCK = "lock"


def default_cache() -> Path:
    """The folder of the compile cache: ARCHIPEL_CACHE, or the user's cache folder."""
    if named := os.environ.get("ARCHIPEL_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "archipel"


def fingerprints(
    program: Program, options: dict[str, Any], machine: tuple[object, ...] | None = None
) -> dict[AnyRule, str]:
    """Return for each rule of a program a hash of all that affects its machine code.

    That is its own code, the constants and tables it uses, the rules it calls, the layout of the
    state, the options, the compilers, and the processor (or ``machine``).
    """
    common: list[object] = [*_compilers(), *(_processor() if machine is None else machine)]
    common += [sorted(options.items()), layout(program.state).descr]
    if program.chance != STREAM:
        common.append(layout(program.chance.record).descr)
    form = program.chance.compiled_form
    found: dict[AnyRule, str] = {}
    for function in program.rules():  # callees first
        code = lowered(function).code
        parts: list[object] = [*common, code.co_filename, code.co_firstlineno, code.co_code]
        parts += [code.co_consts, code.co_names, code.co_varnames, program.is_apart(function)]
        parts.append(sorted(function_of(function).__annotations__.items()))
        parts += [layout(record).descr for record in _records(function)]
        parts += [(name, value) for name, value in globals_used(function) if not callable(value)]
        parts += [(name, found[form(callee)]) for name, callee in callees(function).items()]
        found[function] = _hash(parts)
    return found


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def _records(function: AnyRule) -> Iterator[type[Any]]:
    """The record classes among a rule's arguments, except the state of its game."""
    for note in get_type_hints(function_of(function)).values():
        inner = get_args(note)[0] if get_origin(note) is list else note
        if dataclasses.is_dataclass(inner):
            yield cast(type[Any], inner)


@cache
def _compilers() -> tuple[object, ...]:
    versions = (numba.__version__, numpy.__version__, llvmlite.__version__)
    return (platform.python_version(), *versions, layout(Stream).descr)


@cache
def _processor() -> tuple[object, ...]:
    return (
        numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name(),  # type: ignore[attr-defined]
        llvmlite.binding.get_host_cpu_features().flatten(),
    )


class CompileCache:
    """The folders of a program's rules in the cache."""

    def __init__(
        self,
        program: Program,
        options: dict[str, Any],
        cache: Path,
        machine: tuple[object, ...] | None = None,
    ) -> None:
        self._cache = cache
        self._names = fingerprints(program, options, machine)
        self._entries = {
            name: program.chance.compiled_form(entry) for name, entry in program.entries.items()
        }

    def holds_entries(self) -> bool:
        """Whether all entries are cached; a cached entry includes its callees."""
        return all((self._path(entry) / COMPLETE).exists() for entry in self._entries.values())

    def folder(self, rule: AnyRule) -> Path:
        """Return the folder of a rule; creates it and updates its time of use."""
        return _in_use(self._path(rule))

    @contextmanager
    def compiling(self, rule: AnyRule) -> Iterator[None]:
        """Lock a rule while it is compiled, and mark it complete on success."""
        folder = self.folder(rule)
        with _locked(folder):
            yield
        (folder / COMPLETE).touch()

    # ---- the program as one file ----

    def holds(self, file: str) -> bool:
        """Whether the cache has a file of that name for the whole program."""
        return (self._cache / self._program_key() / file).exists()

    def read(self, file: str) -> bytes:
        return (_in_use(self._cache / self._program_key()) / file).read_bytes()

    def store(self, file: str, make: Callable[[], bytes]) -> None:
        """Create the file unless it exists; waits if another process is creating it."""
        cached_file(self._cache, self._program_key(), file, make)
        self.prune()

    def _program_key(self) -> str:
        return _hash([(name, self._names[entry]) for name, entry in self._entries.items()])

    def prune(self) -> None:
        """Remove folders unused for `UNUSED_AFTER_DAYS`."""
        limit = time.time() - UNUSED_AFTER_DAYS * 24 * 3600
        for folder in self._cache.iterdir():
            if folder.is_dir() and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)

    def _path(self, rule: AnyRule) -> Path:
        return self._cache / self._names[rule]


def cached_file(cache: Path, key: str, file: str, make: Callable[[], bytes]) -> bytes:
    """Return a cached file; calls ``make`` if it is missing."""
    folder = _in_use(cache / key)
    with _locked(folder):
        found = folder / file
        if not found.exists():
            new = folder / f"{file}.new"
            new.write_bytes(make())
            new.replace(found)
        return found.read_bytes()


def _in_use(folder: Path) -> Path:
    """Create the folder if necessary and update its time of use.

    Raises `PermissionError` if others can write to it: its code runs with our rights.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if hasattr(os, "getuid"):
        status = folder.stat()
        if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(
                f"{folder}: others can write here; "
                "remove it or set ARCHIPEL_CACHE to a folder of yours"
            )
    os.utime(folder)
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on a folder."""
    if fcntl is None:
        yield
        return
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
