"""A crew on a Ray cluster: the one that RAY_ADDRESS names, or one that is started here.

Every machine of the cluster needs this package, of the same version; boards of one's own
(``ARCHIPEL_*``) have to be named there too.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import ray
from ray.exceptions import RayError

from archipel.study.crew import AHEAD, answer_to, in_order, worker_environment
from archipel.study.threads import usable_cores

#: How often a task is done again when its worker or machine is gone.
RETRIES = 20


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
            except RayError as error:
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
    settings: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if "RAY_ADDRESS" in os.environ:
        settings |= {"runtime_env": {"env_vars": worker_environment()}}
    else:  # what is started here has our environment already
        settings |= {"address": "local", "num_cpus": workers or usable_cores()}
        settings |= {"include_dashboard": False}
    ray.init(**settings)
    try:
        yield RayCrew(workers or int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()
