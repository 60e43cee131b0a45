"""Compilation of a program with Numba. Nothing else in the package imports Numba.

Each rule is compiled once, for the one signature its annotations give, callees first: nothing
compiles twice and nothing compiles in the middle of a game.  What was compiled is kept in a folder
named by a hash of everything that matters to it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import os
import platform
import shutil
import stat
import sys
import threading
import time
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any, cast, get_args, get_origin, get_type_hints

import llvmlite  # type: ignore[import-untyped]
import llvmlite.binding  # type: ignore[import-untyped]
import numba
import numpy
from numba import types

from archipel.rules.kit.chance import Chance, Stream
from archipel.rules.kit.marking import U64, AnyRule, compiled_form, is_apart, is_rule
from archipel.rules.kit.program import Program, globals_used

#: Forced inlining is what brings compiled rules level with C; and since rules allocate nothing, no
#: references need counting (Numba would count those to the array of actions, once per decision).
RELEASE: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,
}

#: For tests: without a check a bad index would silently write into the neighbouring state.
CHECKED: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}

UNUSED_AFTER_DAYS = 30

settings: Any = numba.config
_SETTINGS_LOCK = threading.Lock()

machine: Any = types


class CompileError(TypeError):
    """A rule that Numba refused, with the rule's name and Numba's own words."""


def layout(state: type[Any]) -> numpy.dtype[Any]:
    """The machine record of a state class."""
    return numpy.dtype(
        [(f.name, f.metadata["kind"], f.metadata["shape"]) for f in dataclasses.fields(state)],
        align=True,
    )


class Compiled:
    """A program as machine code, over arrays of records."""

    compiled = True

    def __init__(self, program: Program, functions: dict[str, AnyRule]) -> None:
        self._state = program.state
        self._layout = layout(program.state)
        self._names = [f.name for f in dataclasses.fields(program.state)]
        self._name = program.name
        for name, function in functions.items():
            setattr(self, name, function)

    def __getattr__(self, entry: str) -> AnyRule:
        raise AttributeError(f"program {self._name} has no entry {entry}")

    def states(self, count: int) -> Any:
        return numpy.zeros(count, self._layout)

    def write(self, states: Any, index: int, value: Any) -> None:
        for name in self._names:
            states[index][name] = getattr(value, name)

    def read(self, states: Any, index: int) -> Any:
        record = states[index]
        return self._state(*(record[name].tolist() for name in self._names))

    def stream(self, key: int) -> Any:
        streams = numpy.zeros(1, layout(Stream))
        streams[0]["key"] = key
        return streams[0]

    def numbers(self, *shape: int) -> Any:
        return numpy.zeros(shape, numpy.int64)


def compile_program(
    program: Program, options: dict[str, Any] | None = None, cache: Path | None = None
) -> Compiled:
    """The program in machine code: loaded from the cache where it is there, else compiled (about
    20 ms a statement) and kept.

    ``cache`` is the folder of all compiled programs; without one nothing is kept.
    """
    options = RELEASE if options is None else options
    program.check()
    folder = None if cache is None else _folder(program, options, cache)
    rules = program.rules()
    entries = {entry.__name__: compiled_form(program.bound(entry)) for entry in program.entries}
    dispatchers: dict[AnyRule, Any] = {}
    with _SETTINGS_LOCK:
        saved = settings.CACHE_DIR
        settings.CACHE_DIR = str(folder or "")
        try:
            for function in rules:
                dispatchers[function] = _dispatcher(
                    program, function, dispatchers, options, keep=folder is not None
                )
            complete = folder is not None and (folder / "complete").exists()
            for function in entries.values() if complete else rules:
                _compile(program, function, dispatchers[function])
            if folder is not None:
                (folder / "complete").touch()
        finally:
            settings.CACHE_DIR = saved
    return Compiled(program, {name: dispatchers[entry] for name, entry in entries.items()})


def is_cached(program: Program, cache: Path, options: dict[str, Any] | None = None) -> bool:
    """Whether `compile_program` would only have to load."""
    return (cache / fingerprint(program, options or RELEASE) / "complete").exists()


def _dispatcher(
    program: Program,
    source: AnyRule,
    dispatchers: dict[AnyRule, Any],
    options: dict[str, Any],
    keep: bool,
) -> Any:
    """The rule with its callees and tables put in place, ready to be compiled."""
    scope: dict[str, Any] = {"__builtins__": __builtins__}
    for name, value in globals_used(source):
        if is_rule(value):
            scope[name] = dispatchers[compiled_form(program.bound(value))]
        elif isinstance(value, list | tuple):
            scope[name] = numpy.array(value)  # a lookup table becomes a constant
        else:
            scope[name] = value
    function = cast(FunctionType, source)
    copy = FunctionType(function.__code__, scope, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if is_apart(source):
        options = {**options, "forceinline": False}
    return numba.njit(cache=keep, **options)(copy)


def _compile(program: Program, source: AnyRule, dispatcher: Any) -> None:
    try:
        dispatcher.compile(_signature(program, source))
    except numba.core.errors.NumbaError as error:
        raise CompileError(f"{program.name}: rule {source.__name__}: {error}") from error
    dispatcher.disable_compile()


def _signature(program: Program, source: AnyRule) -> Any:
    notes = get_type_hints(source, include_extras=True)
    result = _machine_type(program, notes.pop("return"), source)
    names = source.__code__.co_varnames[: source.__code__.co_argcount]
    return result(*(_machine_type(program, notes[name], source) for name in names))


def _machine_type(program: Program, note: Any, source: AnyRule) -> Any:
    plain: dict[Any, Any] = {
        int: machine.int64,
        bool: machine.boolean,
        float: machine.float64,
        type(None): machine.none,
        U64: machine.uint64,
        Chance: numba.from_dtype(layout(Stream)),
    }
    if note in plain:
        return plain[note]
    if get_origin(note) is list:
        inner = _machine_type(program, get_args(note)[0], source)
        if isinstance(inner, machine.Array):
            return machine.Array(inner.dtype, inner.ndim + 1, "C")
        return machine.Array(inner, 1, "C")
    if get_origin(note) is tuple:
        return machine.Tuple([_machine_type(program, part, source) for part in get_args(note)])
    if isinstance(note, type) and issubclass(note, IntEnum):
        return machine.IntEnumMember(note, machine.int64)
    if getattr(note, "_is_protocol", False):
        missing = [name for name in _members(note) if not hasattr(program.state, name)]
        if missing:
            raise CompileError(
                f"rule {source.__name__}: {program.state.__name__} lacks {', '.join(missing)}"
            )
        return numba.from_dtype(layout(program.state))
    if dataclasses.is_dataclass(note):
        return numba.from_dtype(layout(cast(type[Any], note)))
    raise CompileError(f"rule {source.__name__}: {note} is not a type that rules can have")


def _members(protocol: type) -> set[str]:
    return {
        name
        for cls in protocol.__mro__
        if getattr(cls, "_is_protocol", False)
        for name in inspect.get_annotations(cls)
    }


# ---- the cache ----------------------------------------------------------------------------------


def default_cache() -> Path:
    """Where compiled programs are kept: ARCHIPEL_CACHE, else the user's cache folder."""
    if named := os.environ.get("ARCHIPEL_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "archipel"


def fingerprint(program: Program, options: dict[str, Any]) -> str:
    """A hash of all that machine code depends on: each rule's own code and the constants and tables
    it uses, the layout of the state, the options, the compilers and the processor."""
    parts: list[object] = [
        platform.python_version(),
        numba.__version__,
        numpy.__version__,
        llvmlite.__version__,
        settings.CPU_NAME or llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        sorted(options.items()),
        layout(program.state).descr,
        layout(Stream).descr,
    ]
    for function in program.rules():
        code = function.__code__
        parts += [code.co_filename, code.co_firstlineno, code.co_code, code.co_consts]
        parts += [code.co_names, code.co_varnames, sorted(function.__annotations__.items())]
        parts.append(is_apart(function))
        parts += [(name, value) for name, value in globals_used(function) if not callable(value)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def _folder(program: Program, options: dict[str, Any], cache: Path) -> Path:
    folder = cache / fingerprint(program, options)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _refuse_foreign(folder)
    os.utime(folder)
    _prune(cache)
    return folder


def _refuse_foreign(folder: Path) -> None:
    """Compiled code runs with our rights: take it only from a folder nobody else can write."""
    if not hasattr(os, "getuid"):
        return
    status = folder.stat()
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(
            f"{folder}: others can write here; remove it or set ARCHIPEL_CACHE to a folder of yours"
        )


def _prune(cache: Path) -> None:
    limit = time.time() - UNUSED_AFTER_DAYS * 24 * 3600
    for folder in cache.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)
