"""Counters, gauges and histograms in the text format of Prometheus."""

import re
from bisect import bisect_left
from collections import Counter as Counting
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

#: Upper bounds of the histogram's buckets, in seconds.
DURATIONS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

Labels = tuple[tuple[str, str], ...]


class Counter:
    """A number that only grows, by labels."""

    kind = "counter"

    def __init__(self) -> None:
        self._values: Counting[Labels] = Counting()
        #: Increments by one: a plain dictionary is twice as fast.
        self._ones: dict[Labels, int] = {}

    def add(self, amount: float = 1, **labels: str) -> None:
        self._values[tuple(labels.items())] += amount  # type: ignore[assignment]

    def add_one(self, labels: Labels = ()) -> None:
        """Fast path for frequent events; the caller reuses its labels."""
        ones = self._ones
        ones[labels] = ones.get(labels, 0) + 1

    def lines(self, name: str) -> Iterator[str]:
        values = Counting(self._values)
        values.update(self._ones)
        for labels, value in sorted(values.items()):
            yield f"{name}{_labels(labels)} {value}"


class Gauge:
    """A number that is read on demand."""

    kind = "gauge"

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read

    def lines(self, name: str) -> Iterator[str]:
        yield f"{name} {float(self._read())}"


class Histogram:
    """A distribution of durations."""

    kind = "histogram"

    def __init__(self) -> None:
        self._counts = [0] * (len(DURATIONS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(DURATIONS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*DURATIONS, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum}"
        yield f"{name}_count {total}"


Metric = Counter | Gauge | Histogram


class Metrics:
    """All metrics of one server."""

    def __init__(self) -> None:
        self._metrics: dict[str, tuple[str, Metric]] = {}
        self.requests = self._counter("http_requests_total", "HTTP requests by route and status.")
        self.messages = self._counter("messages_received_total", "WebSocket messages by type.")
        self.refusals = self._counter("refusals_total", "Requests and messages refused, by code.")
        self.sent = self._counter("messages_sent_total", "WebSocket messages sent.")
        self.closed = self._counter(
            "sockets_closed_total", "WebSockets closed by the server, by code."
        )
        self.cut_off = self._counter(
            "connections_cut_off_total", "Connections dropped or refused, by reason."
        )
        self.handed_over = self._counter(
            "connections_handed_over_total", "Connections passed to the worker of their table."
        )
        self.taken_over = self._counter(
            "connections_taken_over_total", "Connections received from another worker."
        )
        self.errors = self._counter("errors_total", "Unexpected errors: see the log.")
        self.answers = Histogram()
        self.add("answer_seconds", "Time from a request at a table to its answer.", self.answers)

    def add(self, name: str, help_text: str, metric: Metric) -> None:
        self._metrics[f"archipel_{name}"] = help_text, metric

    def gauge(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        self.add(name, help_text, Gauge(read))

    def table_gauges(self, statistics: Callable[[], Mapping[str, float]]) -> None:
        """Add a gauge for each statistic of the tables."""
        for name in statistics():
            read = partial(lambda key: statistics()[key], name)
            self.gauge(f"tables_{name}", f"Tables: {name}.", read)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())

    def _counter(self, name: str, help_text: str) -> Counter:
        counter = Counter()
        self.add(name, help_text, counter)
        return counter

    def _lines(self) -> Iterator[str]:
        for name, (help_text, metric) in self._metrics.items():
            yield f"# HELP {name} {help_text}"
            yield f"# TYPE {name} {metric.kind}"
            yield from metric.lines(name)


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    escaped = (f'{name}="{_escaped(value)}"' for name, value in labels)
    return "{" + ",".join(escaped) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


_SAMPLE = re.compile(r"(?P<name>[a-z_]+)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")


def merge_metrics(workers: Iterable[tuple[str, str]]) -> str:
    """Merge the metrics of workers, given as (name, text): their sum, and each worker's own.

    A gauge in seconds has no meaningful sum: its maximum is reported instead.
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
