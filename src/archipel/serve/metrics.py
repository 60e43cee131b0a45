"""Counters, gauges and a few histograms, written in the text form that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counting
from collections.abc import Callable, Iterator, Mapping

#: Upper bounds in seconds: from a quick answer to one that nobody waits for.
DURATIONS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

Labels = tuple[tuple[str, str], ...]


class Counter:
    """Something that only grows, told apart by labels."""

    kind = "counter"

    def __init__(self) -> None:
        self._values: Counting[Labels] = Counting()
        #: What was added one by one: a plain dictionary takes half as long.
        self._ones: dict[Labels, int] = {}

    def add(self, amount: float = 1, **labels: str) -> None:
        self._values[tuple(labels.items())] += amount  # type: ignore[assignment]

    def add_one(self, labels: Labels = ()) -> None:
        """Of what happens all the time, its labels made beforehand."""
        ones = self._ones
        ones[labels] = ones.get(labels, 0) + 1

    def lines(self, name: str) -> Iterator[str]:
        values = Counting(self._values)
        values.update(self._ones)
        for labels, value in sorted(values.items()):
            yield f"{name}{_labels(labels)} {value}"


class Gauge:
    """A number that is asked for when somebody looks."""

    kind = "gauge"

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read

    def lines(self, name: str) -> Iterator[str]:
        yield f"{name} {self._read()}"


class Histogram:
    """How long something took."""

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
    """All numbers of one server."""

    def __init__(self) -> None:
        self._metrics: dict[str, tuple[str, Metric]] = {}
        self.requests = self._counter("http_requests_total", "HTTP requests by route and status.")
        self.messages = self._counter("messages_received_total", "WebSocket messages by type.")
        self.refusals = self._counter("refusals_total", "Requests and messages refused, by code.")
        self.sent = self._counter("messages_sent_total", "WebSocket messages sent.")
        self.closed = self._counter("sockets_closed_total", "Sockets the server closed, by code.")
        self.cut_off = self._counter(
            "connections_cut_off_total",
            "Connections cut off or not taken, by what they waited for.",
        )
        self.handed_over = self._counter(
            "connections_handed_over_total", "Connections passed on to the worker of their table."
        )
        self.taken_over = self._counter(
            "connections_taken_over_total", "Connections that another worker had accepted."
        )
        self.errors = self._counter("errors_total", "Unexpected errors: look into the log.")
        self.answers = Histogram()
        self.add(
            "answer_seconds", "From receiving a request at a table to its answer.", self.answers
        )

    def add(self, name: str, help_text: str, metric: Metric) -> None:
        self._metrics[f"archipel_{name}"] = help_text, metric

    def gauges(self, read: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        for name, (help_text, function) in read.items():
            self.add(name, help_text, Gauge(function))

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
