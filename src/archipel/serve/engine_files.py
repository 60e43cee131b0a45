"""The engines that browsers may fetch: those that came with the package, and others once built."""

from __future__ import annotations

import hashlib
import subprocess
import threading
from collections.abc import Mapping, Sequence

from archipel.bots.engine.modules import engine_games, is_kept, ready_engine
from archipel.bots.outside.line_process import python_command, python_environment, settle
from archipel.serve.client_files import FOREVER, File, packed_file
from archipel.serve.logs import log

BUILDER = "archipel.bots.engine.modules"
TYPE = "application/wasm"
#: Addresses say what is in them, so that what is there never changes.
FOLDER = "engine"
#: Between two looks whether another process has built one.
LOOK_SECONDS = 10.0


class EngineFiles:
    """An engine for each game, as far as it is there; more come while the server runs."""

    def __init__(self, modules: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, File] = {}
        self._addresses: dict[str, str] = {}
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        for game, module in (_brought() if modules is None else modules).items():
            self._add(game, module)

    def address(self, game: str) -> str | None:
        """Where the engine of a game is, if it is there."""
        return self._addresses.get(game)

    def find(self, path: str) -> File | None:
        return self._files.get(path)

    def build_missing(self, cores: Sequence[int]) -> None:
        """Build those that are missing, one after the other, after everything else that wants to
        run on these cores. Takes minutes the first time: call it in a thread."""
        for game in engine_games():
            if not self._stopped.is_set() and game not in self._addresses:
                self._build(game, cores)

    def start_taking(self, *, build: bool) -> None:
        """In a thread of its own, where no bots get ready before: build what is missing, or take
        what another process of this machine has built as it comes."""
        work = (lambda: self.build_missing(())) if build else self._take_as_built
        threading.Thread(target=work, name="engines", daemon=True).start()

    def _take_as_built(self) -> None:
        while missing := [game for game in engine_games() if game not in self._addresses]:
            for game in missing:
                if not self._stopped.is_set() and is_kept(game):
                    self._build(game, ())
            if self._stopped.wait(LOOK_SECONDS):
                return

    def stop(self) -> None:
        self._stopped.set()
        process = self._process
        if process is not None:
            process.kill()

    def _build(self, game: str, cores: Sequence[int]) -> None:
        self._process = subprocess.Popen(
            python_command(BUILDER, game),
            env=python_environment(NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        settle(self._process.pid, cores)
        if self._stopped.is_set():
            self._process.kill()
        module, _ = self._process.communicate()
        if self._process.returncode == 0:
            self._add(game, module)
        elif not self._stopped.is_set():
            log.warning("the engine of %s could not be built", game)

    def _add(self, game: str, module: bytes) -> None:
        name = f"{FOLDER}/{game}-{hashlib.sha256(module).hexdigest()[:16]}.wasm"
        self._files[name] = packed_file(module, TYPE, FOREVER)
        self._addresses[game] = f"/{name}"


def _brought() -> dict[str, bytes]:
    found = {game: ready_engine(game) for game in engine_games()}
    return {game: module for game, module in found.items() if module is not None}
