"""The figures of all workers in one text: in sum, and each worker's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAMPLE = re.compile(r"(?P<name>[a-z_]+)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")


def in_sum(workers: Iterable[tuple[str, str]]) -> str:
    """Names of workers and their figures, put together.

    What is measured in seconds has no sum, but for how often and for how long in all: of those the
    largest is told.
    """
    heads: dict[str, list[str]] = {}
    totals: dict[str, dict[str, float]] = {}
    own: dict[str, list[str]] = {}
    for worker, text in workers:
        family = ""
        for line in text.splitlines():
            if line.startswith("#"):
                _, _, family, _ = line.split(" ", 3)
                head = heads.setdefault(family, [])
                if line not in head:
                    head.append(line)
                continue
            found = _SAMPLE.fullmatch(line)
            if found is None:
                continue
            name, labels, value = found["name"], found["labels"] or "", float(found["value"])
            series = totals.setdefault(family, {})
            key = f"{name}{{{labels}}}" if labels else name
            added = max if name == family and name.endswith("_seconds") else float.__add__
            series[key] = added(series[key], value) if key in series else value
            labelled = f'{labels}{"," if labels else ""}worker="{worker}"'
            own.setdefault(family, []).append(f"{name}{{{labelled}}} {value}")
    return "".join(
        f"{line}\n"
        for family, head in heads.items()
        for line in (
            *head,
            *(f"{key} {value}" for key, value in totals.get(family, {}).items()),
            *own.get(family, ()),
        )
    )
