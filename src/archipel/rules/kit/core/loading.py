"""Run a program compiled if Numba is installed, interpreted otherwise."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from archipel.rules.kit.core.program import Backend, Program

if TYPE_CHECKING:
    from types import TracebackType


def can_compile() -> bool:
    """Whether Numba is installed; does not import it, which is slow."""
    return importlib.util.find_spec("numba") is not None


def is_compiled_already(program: Program) -> bool:
    """Whether the compile cache contains the program."""
    if not can_compile():
        return False
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import is_cached

    return is_cached(program, default_cache())


def load_backend(program: Program, compiled: bool | None = None) -> Backend:
    """The program, compiled if that is possible (and asked for: None leaves it open).

    What has to be compiled is kept in the default cache.  Raises `ModuleNotFoundError` where
    compiled rules are asked for and Numba is not installed.
    """
    if compiled is None:
        compiled = can_compile()
    if not compiled:
        return program.interpreted()
    if not can_compile():
        raise ModuleNotFoundError("compiled rules need Numba: install archipel[fast]", name="numba")
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import compile_program

    return compile_program(program, cache=default_cache())


def same_sources() -> dict[str, str]:
    """Environment variables of a child process that must import the same sources."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def ended_badly(work: str, status: int, complaints: str) -> str:
    """Describe a failed child process by its status and last line of output."""
    last = complaints.strip().splitlines()[-1:] or ["it said nothing"]
    return f"{work} ended with status {status}: {last[0]}"


class Warming:
    """A program that runs at once, interpreted, and compiled as soon as that is ready.

    Another process compiles into the cache (`kit.numba.warm_up`), so that nobody here waits
    for the compiler.  ``target`` tells it where the program is: ``MODULE:ATTRIBUTE``, a program or
    a function that makes it from the ``arguments``.
    """

    def __init__(
        self,
        program: Program,
        target: str,
        *arguments: str,
        when_ready: Callable[[], None] | None = None,
    ) -> None:
        self._program = program
        self._backend: Backend = program.interpreted()
        self._command = [
            sys.executable,
            "-m",
            "archipel.rules.kit.numba.warm_up",
            target,
            *arguments,
        ]
        self._when_ready = when_ready
        self._process: subprocess.Popen[str] | None = None
        self._closed = threading.Event()
        self._finished = threading.Event()
        self.failure: str | None = None
        """Why there is no compiled program, once that is known."""
        if not can_compile():
            self.failure = "Numba is not installed"
            self._finished.set()
            return
        # A daemon: the end of the program is not to wait for the compiler.
        threading.Thread(target=self._warm, name="warming", daemon=True).start()

    @property
    def backend(self) -> Backend:
        """The compiled backend once it is ready, else the interpreted one; ask before each use."""
        return self._backend

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until compilation has succeeded or failed; return whether it succeeded."""
        self._finished.wait(timeout)
        return self._backend.compiled

    def close(self) -> None:
        """Stop compiling."""
        self._closed.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
        self._finished.wait()

    def __enter__(self) -> Warming:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _warm(self) -> None:
        try:
            self._compile_elsewhere()
            if self.failure is None and not self._closed.is_set():
                self._backend = load_backend(self._program, compiled=True)
                if self._when_ready is not None:
                    self._when_ready()
        except Exception as error:  # whatever it is, the interpreted rules go on
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            self._finished.set()

    def _compile_elsewhere(self) -> None:
        if is_compiled_already(self._program) or self._closed.is_set():
            return
        self._process = subprocess.Popen(
            self._command,
            env=same_sources(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if self._closed.is_set():
            self._process.terminate()
        _, complaints = self._process.communicate()
        if self._process.returncode != 0:
            self.failure = ended_badly("compiling", self._process.returncode, complaints)
