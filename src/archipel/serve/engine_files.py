"""Engines and checkers for browsers: those of the package, and others once they are built."""

import hashlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress

from archipel.bots.engine.modules import is_cached, module_names, ready_engine
from archipel.bots.external.line_process import limit_process, python_command, python_environment
from archipel.rules.kit.core.loading import can_compile
from archipel.serve.logs import log
from archipel.serve.static_files import FOREVER, File, packed_file

BUILDER = "archipel.bots.engine.modules"
TYPE = "application/wasm"
#: File names contain a hash of the content, so that browsers can cache them forever.
FOLDER = "engine"
#: Priority of the builder beside a running server: that of the bots, and above the compilers of
#: their searches. A build without a server runs at normal priority.
NICENESS = 5
#: Seconds to wait after the start, so that the first page loads are not delayed.
SOON = 2.0
#: Interval between checks whether another process has built an engine.
POLL_SECONDS = 10.0


class EngineFiles:
    """The available engines and checkers; more are added while the server runs."""

    def __init__(self, modules: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, File] = {}
        self._addresses: dict[str, str] = {}
        #: The modules that are being built, here or by another process.
        self._coming: frozenset[str] = frozenset()
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        for game, module in (_packed_engines() if modules is None else modules).items():
            self._add(game, module)

    def address(self, game: str) -> str | None:
        """The path of a module; None if there is none yet."""
        return self._addresses.get(game)

    def find(self, path: str) -> File | None:
        return self._files.get(path)

    def is_coming(self, game: str) -> bool:
        """Whether a module is being built."""
        return game in self._coming and game not in self._addresses

    def start_thread(self, *, build: bool) -> None:
        """Start a thread that builds missing engines one by one, or that waits for another process
        of this machine to build them. Does nothing without a compiler."""
        missing = [game for game in module_names() if game not in self._addresses]
        if missing and can_compile():
            self._coming = frozenset(missing)
            work = self._build_all if build else self._wait_for_builds
            threading.Thread(target=work, name="engines", daemon=True).start()

    def _build_all(self) -> None:
        self._stopped.wait(SOON)
        for game in module_names():
            if not self._stopped.is_set() and self.is_coming(game):
                self._build(game)

    def _wait_for_builds(self) -> None:
        while self._coming:
            for game in sorted(self._coming):
                if not self._stopped.is_set() and is_cached(game):
                    self._build(game)
            if self._stopped.wait(POLL_SECONDS):
                return

    def stop(self) -> None:
        self._stopped.set()
        if self._process is not None:
            _kill(self._process)

    def _build(self, game: str) -> None:
        self._process = subprocess.Popen(
            python_command(BUILDER, game),
            env=python_environment(NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        limit_process(self._process.pid, (), NICENESS)
        if self._stopped.is_set():
            _kill(self._process)
        module, _ = self._process.communicate()
        if self._process.returncode == 0:
            self._add(game, module)
        elif not self._stopped.is_set():
            log.warning("the module %s could not be built", game)
        self._coming -= {game}

    def _add(self, game: str, module: bytes) -> None:
        name = f"{FOLDER}/{game}-{hashlib.sha256(module).hexdigest()[:16]}.wasm"
        self._files[name] = packed_file(module, TYPE, FOREVER)
        self._addresses[game] = f"/{name}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the builder and the compiler that it has started."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _packed_engines() -> dict[str, bytes]:
    found = {game: ready_engine(game) for game in module_names()}
    return {game: module for game, module in found.items() if module is not None}
