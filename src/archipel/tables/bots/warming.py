"""Compiles the searches of bots in the background, after the server has started."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Mapping, Sequence

from archipel.bots.external.line_process import limit_process, python_command
from archipel.bots.search.search import search_program
from archipel.rules.kit.core.loading import can_compile, is_compiled_already
from archipel.tables.registry import log

#: Priority of the compilers: below the bots and the builder of the engines.
NICENESS = 10
#: Seconds to wait after the start, so that the first page loads are not delayed.
SOON = 5.0

TARGET = f"{search_program.__module__}:{search_program.__name__}"


class Warming:
    """Compiles one game after the other, each in a low-priority process."""

    def __init__(
        self,
        games: Sequence[str],
        cores: Sequence[int],
        environment: Mapping[str, str],
        soon: float = SOON,
    ) -> None:
        self._games = games
        self._cores = cores
        self._environment = dict(environment)
        self._soon = soon
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._games and can_compile():
            threading.Thread(target=self._warm_all, name="bot-warming", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        process = self._process
        if process is not None:
            process.kill()

    def _warm_all(self) -> None:
        self._stopped.wait(self._soon)
        for game in self._games:
            if self._stopped.is_set():
                return
            if not is_compiled_already(search_program(game)):
                self._warm(game)

    def _warm(self, game: str) -> None:
        self._process = subprocess.Popen(
            python_command("archipel.rules.kit.numba.warm_up", TARGET, game),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        limit_process(self._process.pid, self._cores, NICENESS)
        if self._stopped.is_set():
            self._process.kill()
        status = self._process.wait()
        if status and not self._stopped.is_set():
            log.warning("the search of %s could not be compiled: status %d", game, status)
