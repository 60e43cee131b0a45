"""Executor on a Ray cluster: the one in RAY_ADDRESS, or a local one that is started here.

Every machine of the cluster needs the same version of this package; replaced boards
(``ARCHIPEL_*``) must be set there too.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from archipel.study.executors.executor import Executor, answer_to, worker_environment
from archipel.study.executors.threads import usable_cores

# Untyped: Ray's own types are incomplete, and it may not be installed.
ray: Any = import_module("ray")

#: Ray allows itself half a minute to start, which is too short on a busy machine.
START_ATTEMPTS = 10

#: Settings of a local cluster: a slow worker is not a dead one.
LOCAL_SETTINGS = {
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_health_check_failure_threshold": "100",
    "RAY_USAGE_STATS_ENABLED": "0",
}

#: Number of times a task is run again after its worker or machine is lost.
RETRIES = 20

QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}


class RayExecutor(Executor):
    def __init__(self, workers: int | None) -> None:
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))
        self._answer_to = ray.remote(num_cpus=1, max_retries=RETRIES)(answer_to)

    def _submit(self, work: str, task: bytes) -> Any:
        return self._answer_to.remote(work, task)

    def _answer(self, submitted: Any) -> bytes:
        try:
            answer: bytes = ray.get(submitted)
        except ray.exceptions.RayError as error:
            return b"-" + str(error).strip().splitlines()[0].encode()
        return answer

    def _cancel(self, submitted: Any) -> None:
        ray.cancel(submitted, force=True)


@contextmanager
def ray_executor(workers: int | None) -> Iterator[RayExecutor]:
    if ray.is_initialized():  # the caller who started it also stops it
        yield RayExecutor(workers)
        return
    if "RAY_ADDRESS" in os.environ:
        ray.init(**QUIET, runtime_env={"env_vars": worker_environment()})
    else:
        start_local_cluster(workers or usable_cores())
    try:
        yield RayExecutor(workers)
    finally:
        ray.shutdown()


def start_local_cluster(workers: int, **settings: Any) -> None:
    """Start a cluster on this machine; it inherits this process's environment."""
    for name, value in LOCAL_SETTINGS.items():
        os.environ.setdefault(name, value)
    given = {**QUIET, "address": "local", "num_cpus": workers, "include_dashboard": False}
    for attempt in range(START_ATTEMPTS):
        try:
            ray.init(**given, **settings)
        except Exception as error:  # Ray has no narrower class for this
            ray.shutdown()
            if "timed out" not in str(error) or attempt == START_ATTEMPTS - 1:
                raise
        else:
            return
