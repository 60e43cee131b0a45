"""A crew on a Ray cluster: the one that RAY_ADDRESS names, or one that is started here.

Every machine of the cluster needs this package, of the same version; boards of one's own
(``ARCHIPEL_*``) have to be named there too.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from typing import Any

from archipel.study.crew import AHEAD, answer_to, in_order, worker_environment
from archipel.study.threads import usable_cores

# Of no type: what it tells of its own is not whole, and it may not be installed.
ray: Any = import_module("ray")

#: Ray gives itself half a minute to start, which on a busy machine may not do.
STARTS = 10

#: Of a cluster on this machine: it is not gone only because it is slow.
PATIENCE = {
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_health_check_failure_threshold": "100",
    "RAY_USAGE_STATS_ENABLED": "0",
}

#: How often a task is done again when its worker or machine is gone.
RETRIES = 20


QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}


class RayCrew:
    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._answer = ray.remote(num_cpus=1, max_retries=RETRIES)(answer_to)

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        under_way: list[Any] = []

        def submit(task: bytes) -> Any:
            under_way.append(self._answer.remote(work, task))
            return under_way[-1]

        def result(reference: Any) -> bytes:
            under_way.remove(reference)
            try:
                answer: bytes = ray.get(reference)
            except ray.exceptions.RayError as error:
                return b"-" + str(error).strip().splitlines()[0].encode()
            return answer

        try:
            answers = in_order(submit, result, tasks, AHEAD * self.workers)
            with closing(answers):
                yield from answers
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)


@contextmanager
def ray_crew(workers: int | None) -> Iterator[RayCrew]:
    if ray.is_initialized():  # whoever started it ends it
        yield RayCrew(workers or int(ray.cluster_resources().get("CPU", 1)))
        return
    if "RAY_ADDRESS" in os.environ:
        ray.init(**QUIET, runtime_env={"env_vars": worker_environment()})
    else:
        start_here(workers or usable_cores())
    try:
        yield RayCrew(workers or int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


def start_here(workers: int, **settings: Any) -> None:
    """A cluster on this machine; what is started has our environment."""
    for name, value in PATIENCE.items():
        os.environ.setdefault(name, value)
    given = {**QUIET, "address": "local", "num_cpus": workers, "include_dashboard": False}
    for start in range(STARTS):
        try:
            ray.init(**given, **settings)
        except Exception as error:  # Ray has no narrower one for this
            ray.shutdown()
            if "timed out" not in str(error) or start == STARTS - 1:
                raise
        else:
            return
