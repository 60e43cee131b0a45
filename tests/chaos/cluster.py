"""A cluster of workers and its database, with faults to inject."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib import request
from urllib.error import URLError

from tests.support.postgresql import OwnServer, execute

ROOT = Path(__file__).parents[2]
LEASE = 1.0
#: By how many seconds the clocks of the machines are wrong.
WRONG_BY = (0.0, 60.0, -45.0)


class WorkerProcess:
    def __init__(self, database: str, wrong_by: float, lease: float = LEASE) -> None:
        self._database = database
        self._wrong_by = wrong_by
        self._lease = lease
        self.port = 0
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        given = (self._database, str(self.port), str(self._wrong_by), str(self._lease))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.worker_process", *given],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )

    def await_ready(self) -> None:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the worker did not start"
        self.port = int(line)

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(120)
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Cluster:
    """A database and workers. What happens to them is over when a call returns, and the whole
    serves again soon."""

    def __init__(self, workers: int, seed: int) -> None:
        self.database = OwnServer()
        self.chance = random.Random(seed)
        wrong = (WRONG_BY[number % len(WRONG_BY)] for number in range(workers))
        self.workers = [WorkerProcess(self.database.address, by) for by in wrong]
        for worker in self.workers:
            worker.start()
        for worker in self.workers:
            worker.await_ready()

    def end(self) -> None:
        for worker in self.workers:
            worker.end(signal.SIGTERM)
        self.database.end()

    def any_worker(self) -> WorkerProcess:
        return self.chance.choice(self.workers)

    def socket_of(self, table: str) -> str:
        return f"ws://127.0.0.1:{self.any_worker().port}/api/tables/{table}/socket"

    def is_ready(self) -> bool:
        """Whether all of them would be sent players."""
        for worker in self.workers:
            try:
                request.urlopen(f"{worker.http}/ready", timeout=20).close()
            except (URLError, OSError):
                return False
        return True

    async def await_ready(self) -> None:
        end = time.monotonic() + 300
        while not await asyncio.to_thread(self.is_ready):
            assert time.monotonic() < end, "it does not serve any more"
            await asyncio.sleep(0.1)

    # ---- what may happen ------------------------------------------------------------------------

    def a_worker_is_killed(self) -> None:
        worker = self.any_worker()
        worker.end(signal.SIGKILL)
        worker.start()
        worker.await_ready()

    def a_worker_is_restarted(self) -> None:
        worker = self.any_worker()
        worker.end(signal.SIGTERM)
        worker.start()
        worker.await_ready()

    def a_worker_sleeps_past_its_lease(self) -> None:
        worker = self.any_worker()
        worker.process.send_signal(signal.SIGSTOP)
        time.sleep(LEASE + self.chance.uniform(0.3, 1.0))
        worker.process.send_signal(signal.SIGCONT)

    def the_bus_is_cut(self) -> None:
        execute(
            self.database.address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'archipel bus'",
        )

    def all_connections_are_cut(self) -> None:
        execute(
            self.database.address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'archipel%' AND pid <> pg_backend_pid()",
        )

    def the_database_is_restarted(self) -> None:
        self.database.stop("fast")
        self.database.start()

    def the_database_crashes_and_is_away(self) -> None:
        self.database.stop("immediate")
        time.sleep(self.chance.uniform(0.5, LEASE + 0.5))
        self.database.start()

    def happenings(self) -> list[str]:
        return [
            "a_worker_is_killed",
            "the_bus_is_cut",
            "a_worker_sleeps_past_its_lease",
            "the_database_is_restarted",
            "all_connections_are_cut",
            "a_worker_is_restarted",
            "the_database_crashes_and_is_away",
        ]
