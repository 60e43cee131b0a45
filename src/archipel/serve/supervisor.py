"""The supervisor of several workers on one port: starts them, and restarts those that die.

It opens the listening socket but serves nothing itself. Each worker loads the program from disk, so
after an upgrade SIGHUP performs a rolling restart: each worker stops only when its successor is
ready.
"""

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from archipel.serve.deadline import STOP_SECONDS
from archipel.serve.logs import log
from archipel.serve.transport.socket_passing import Channels
from archipel.serve.transport.table_routing import shared_memory

#: The module that a worker runs. Supervisors of earlier versions start it, too: keep its name.
WORKER = "archipel.cli.worker"

#: A little more than a worker takes at most.
_STOP_SECONDS = STOP_SECONDS + 0.3
_READY_SECONDS = 60.0
_POLL_SECONDS = 0.5
#: A worker that ran longer than this is restarted without backoff.
_LONG_LIFE = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


@dataclass(eq=False)
class _Worker:
    number: int
    process: subprocess.Popen[bytes]
    ready: int
    started_at: float = field(default_factory=time.monotonic)
    is_ready: bool = False


class Supervisor:
    def __init__(
        self,
        workers: int,
        listener: socket.socket,
        arguments: Sequence[str],
        announce: Callable[[], None],
    ) -> None:
        """``arguments``: the command line, which every worker parses itself."""
        self._wanted = workers
        self._listener = listener
        self._arguments = list(arguments)
        self._announce = announce
        self._workers: dict[int, _Worker] = {}
        self._leaving: list[_Worker] = []
        self._to_renew: list[int] = []
        self._pauses: dict[int, tuple[float, float]] = {}
        self._announced = False
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        self._wakeup_reader, self._wakeup_writer = socket.socketpair()
        self._channels = Channels.make(workers)
        self._heartbeats = shared_memory(workers)

    def run(self) -> int:
        """Run until a signal stops it; returns the exit status, 1 if no worker could start."""
        self._listen_for_signals()
        try:
            return self._supervise()
        finally:
            self._channels.close()
            os.close(self._heartbeats)

    def renew(self) -> None:
        """Begin a rolling restart of all workers."""
        self._to_renew = sorted(self._workers)

    def _supervise(self) -> int:
        for number in range(1, self._wanted + 1):
            self._start(number)
        while not self._stopping:
            self._wait()
            self._replace_dead()
            self._renew()
            if not self._announced and not self._workers:
                return 1
        self._stop_all()
        return 0

    # ---- workers --------------------------------------------------------------------------------

    def _start(self, number: int) -> _Worker:
        reading, writing = os.pipe()
        channels = self._channels.descriptors
        process = subprocess.Popen(
            [sys.executable, "-m", WORKER],
            stdin=subprocess.PIPE,
            pass_fds=(self._listener.fileno(), writing, self._heartbeats, *channels),
        )
        os.close(writing)
        part = {
            "arguments": self._arguments,
            "number": number,
            "workers": self._wanted,
            "listener": self._listener.fileno(),
            "ready": writing,
            "channels": channels,
            "heartbeats": self._heartbeats,
        }
        assert process.stdin is not None
        with suppress(OSError):  # it has died, which `_replace_dead` notices
            process.stdin.write(json.dumps(part).encode() + b"\n")
            process.stdin.flush()
        worker = _Worker(number, process, reading)
        self._selector.register(reading, selectors.EVENT_READ, worker)
        self._workers[number] = worker
        return worker

    def _wait(self) -> None:
        """Wait for a signal or a ready worker, at most half a second."""
        for key, _ in self._selector.select(_POLL_SECONDS):
            if isinstance(key.data, _Worker):
                self._on_ready(key.data)
            else:
                self._wakeup_reader.recv(100)

    def _on_ready(self, worker: _Worker) -> None:
        worker.is_ready = bool(os.read(worker.ready, 1)) or worker.is_ready
        self._selector.unregister(worker.ready)
        os.close(worker.ready)
        if worker.is_ready and not self._announced:
            self._announced = True
            self._announce()

    def _replace_dead(self) -> None:
        now = time.monotonic()
        self._leaving = [each for each in self._leaving if each.process.poll() is None]
        for number, worker in list(self._workers.items()):
            if worker.process.poll() is None:
                continue
            del self._workers[number]
            log.warning("worker %d exited with status %s", number, worker.process.returncode)
            _, pause = self._pauses.get(number, (0.0, _SHORTEST_PAUSE / 2))
            long_life = now - worker.started_at > _LONG_LIFE
            pause = 0.0 if long_life else min(2 * pause, _LONGEST_PAUSE)
            self._pauses[number] = now + pause, max(pause, _SHORTEST_PAUSE / 2)
        if not self._announced:
            return  # the first workers failed, so their successors would fail as well
        for number, (at, _) in list(self._pauses.items()):
            if number not in self._workers and at <= now:
                self._start(number)

    def _renew(self) -> None:
        """Continue the rolling restart, once the last new worker is ready."""
        if any(not worker.is_ready for worker in self._workers.values()) or self._leaving:
            return
        if self._to_renew:
            number = self._to_renew.pop(0)
            old = self._workers.get(number)
            self._start(number)
            if old is not None:
                self._await_ready(number)
                old.process.send_signal(signal.SIGTERM)
                self._leaving.append(old)

    def _await_ready(self, number: int) -> None:
        end = time.monotonic() + _READY_SECONDS
        worker = self._workers[number]
        while not worker.is_ready and worker.process.poll() is None and time.monotonic() < end:
            self._wait()
            if self._stopping:
                return

    def _stop_all(self) -> None:
        everyone = [*self._workers.values(), *self._leaving]
        for worker in everyone:
            worker.process.send_signal(signal.SIGTERM)
        end = time.monotonic() + _STOP_SECONDS
        for worker in everyone:
            try:
                worker.process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.warning("worker %d did not stop in time", worker.number)
                worker.process.kill()
                worker.process.wait()

    # ---- signals --------------------------------------------------------------------------------

    def _listen_for_signals(self) -> None:
        self._wakeup_reader.setblocking(False)
        self._wakeup_writer.setblocking(False)
        self._selector.register(self._wakeup_reader, selectors.EVENT_READ, None)
        signal.set_wakeup_fd(self._wakeup_writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, lambda number, frame: self.renew())
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def _stop(self, number: int, frame: object) -> None:
        self._stopping = True
