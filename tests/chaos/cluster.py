"""A cluster of workers and its database, with faults to inject."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.postgresql import OwnServer, execute

ROOT = Path(__file__).parents[2]
LEASE = 1.0
#: Clock errors of the machines, in seconds.
CLOCK_ERRORS = (0.0, 60.0, -45.0)


class WorkerProcess:
    def __init__(self, database: str, clock_error: float, lease: float = LEASE) -> None:
        self._database = database
        self._clock_error = clock_error
        self._lease = lease
        self.port = 0
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        given = (self._database, str(self.port), str(self._clock_error), str(self._lease))
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
    """A database and its workers. A method that injects a fault returns when the fault is over;
    the cluster then serves again soon."""

    def __init__(self, workers: int, seed: int) -> None:
        self.database = OwnServer()
        self.chance = random.Random(seed)
        wrong = (CLOCK_ERRORS[number % len(CLOCK_ERRORS)] for number in range(workers))
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

    # ---- faults ---------------------------------------------------------------------------------

    def kill_worker(self) -> None:
        worker = self.any_worker()
        worker.end(signal.SIGKILL)
        worker.start()
        worker.await_ready()

    def restart_worker(self) -> None:
        worker = self.any_worker()
        worker.end(signal.SIGTERM)
        worker.start()
        worker.await_ready()

    def suspend_worker(self) -> None:
        worker = self.any_worker()
        worker.process.send_signal(signal.SIGSTOP)
        time.sleep(LEASE + self.chance.uniform(0.3, 1.0))
        worker.process.send_signal(signal.SIGCONT)

    def cut_bus(self) -> None:
        execute(
            self.database.address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'archipel bus'",
        )

    def cut_all_connections(self) -> None:
        execute(
            self.database.address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'archipel%' AND pid <> pg_backend_pid()",
        )

    def restart_database(self) -> None:
        self.database.stop("fast")
        self.database.start()

    def crash_database(self) -> None:
        self.database.stop("immediate")
        time.sleep(self.chance.uniform(0.5, LEASE + 0.5))
        self.database.start()

    FAULTS = (
        kill_worker,
        cut_bus,
        suspend_worker,
        restart_database,
        cut_all_connections,
        restart_worker,
        crash_database,
    )
