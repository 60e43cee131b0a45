"""Run a program compiled if Numba is installed, interpreted otherwise."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from archipel.rules.kit.core.program import Backend, Program

#: Seconds between checks whether the parent process still runs.
_PARENT_CHECK_SECONDS = 1.0


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
    """Return a backend: compiled, interpreted, or (None) compiled if Numba is installed.

    Compiled code is stored in the default cache.  Raises `ModuleNotFoundError` if ``compiled`` is
    True and Numba is not installed.
    """
    if not (can_compile() if compiled is None else compiled):
        return program.interpreted()
    if not can_compile():
        raise ModuleNotFoundError("compiled rules need Numba: install archipel[fast]", name="numba")
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import compile_program

    return compile_program(program, cache=default_cache())


def child_process(module: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Run a Python module in a child process that imports the same sources."""
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def end_with_parent() -> None:
    """End this process soon after its parent, even if that was killed; has no effect on Windows.

    A compiler would otherwise keep a core busy for a minute after a crash of its server.
    """

    def watch(parent: int) -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_CHECK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, args=(os.getppid(),), name="parent", daemon=True).start()


def failure_of(work: str, process: subprocess.Popen[str]) -> str | None:
    """Wait for a process; return its status and last line of output if it failed."""
    _, output = process.communicate()
    if process.returncode == 0:
        return None
    last = output.strip().splitlines()[-1:] or ["it said nothing"]
    return f"{work} ended with status {process.returncode}: {last[0]}"


class Warming(AbstractContextManager["Warming"]):
    """A program that runs interpreted until another process has compiled it.

    That process compiles into the cache (`kit.numba.warm_up`).  ``target`` names the program for
    it: ``MODULE:ATTRIBUTE``, a program or a function that makes it from the ``arguments``.
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
        self._target = (target, *arguments)
        self._when_ready = when_ready
        self._process: subprocess.Popen[str] | None = None
        self._closed = threading.Event()
        self._finished = threading.Event()
        self.failure: str | None = None
        """Why compilation failed, if it did."""
        if not can_compile():
            self.failure = "Numba is not installed"
            self._finished.set()
            return
        # A daemon: the process ends without waiting for the compiler.
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

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _warm(self) -> None:
        try:
            self._compile_elsewhere()
            if self.failure is None and not self._closed.is_set():
                self._backend = load_backend(self._program, compiled=True)
                if self._when_ready is not None:
                    self._when_ready()
        except Exception as error:  # the interpreted rules go on
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            self._finished.set()

    def _compile_elsewhere(self) -> None:
        if is_compiled_already(self._program) or self._closed.is_set():
            return
        self._process = child_process("archipel.rules.kit.numba.warm_up", *self._target)
        if self._closed.is_set():
            self._process.terminate()
        self.failure = failure_of("compiling", self._process)
