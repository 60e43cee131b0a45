"""Who is connected: how many from where, how long each may keep us waiting, and who gives way.

A connection that only waits costs the one who opened it nothing, so it has a deadline, and whoever
comes with something to say is let in before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from ipaddress import ip_address, ip_network

from archipel.serve.limits import Clock, address_group
from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.settings import Settings


class Phase(Enum):
    """What a connection is doing, as the name under which it is counted when it is cut off."""

    HEAD = "head"  # the head of a request is awaited, or only part of it came
    BODY = "body"  # the rest of a request
    ANSWER = "answer"  # we answer, and the peer has to read
    IDLE = "idle"  # between two requests
    SOCKET = "socket"  # a WebSocket, which has deadlines of its own


#: Who is cut off to make room, and in which order. Those who have said nothing, or are done, lose
#: nothing by it: a browser connects again by itself. Half a request is better than none.
_GIVING_WAY = ((Phase.HEAD, Phase.IDLE), (Phase.BODY,))


class Visit:
    """One connection, from accepting it to its end."""

    __slots__ = ("_gate", "_phase", "address", "cut_off", "deadline")

    def __init__(self, gate: Gate, address: str) -> None:
        self._gate = gate
        self._phase = Phase.SOCKET
        self.address = address
        self.deadline: float | None = None
        #: Drops the connection at once; set by whoever speaks on it.
        self.cut_off: Callable[[], None] = lambda: None

    @property
    def phase(self) -> Phase:
        return self._phase

    def enters(self, phase: Phase, *, again: bool = False) -> None:
        """The deadline runs from when a phase began, however often it is told of; ``again``: this
        is a new one of the same kind."""
        if phase is not self._phase or again:
            self._phase = phase
            self.deadline = self._gate.deadline_of(phase)
            self._gate.note_phase(self)

    def leave(self) -> None:
        """Twice is once."""
        self._gate.leave(self)


class Gate:
    """All connections of a server."""

    def __init__(
        self,
        settings: Settings,
        most: int,
        metrics: Metrics | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._seconds = {
            Phase.HEAD: settings.head_seconds,
            Phase.BODY: settings.body_seconds,
            Phase.ANSWER: settings.answer_seconds,
            Phase.IDLE: settings.idle_seconds,
        }
        self._proxies = [ip_network(proxy) for proxy in settings.trusted_proxies]
        # However few there may be, no address has them all.
        self._most_per_address = min(settings.connections_per_address, max(1, most // 2))
        self._most = most
        self._clock = clock
        self._metrics = metrics or Metrics()
        self._visits: dict[Visit, None] = {}
        self._by_address: dict[str, dict[Visit, None]] = {}
        #: Those who would give way, by the order above, the one who has waited longest first.
        self._waiting: tuple[dict[Visit, None], ...] = tuple({} for _ in _GIVING_WAY)
        self._metrics.gauges({"connections": ("Open connections.", lambda: float(len(self)))})

    def __len__(self) -> int:
        return len(self._visits)

    def count(self, address: str) -> int:
        return len(self._by_address.get(address_group(address), ()))

    def enter(self, host: str) -> Visit | None:
        """Let somebody in, in the place of one who only waits if need be; None if nobody does."""
        address = address_group(host)
        here = self._by_address.get(address, {})
        crowded = len(here) >= self._most_per_address and not self._is_proxy(host)
        if (crowded and not self._make_room_among(here)) or (
            len(self) >= self._most and not self.make_room()
        ):
            self._note_refusal(address)
            return None
        visit = Visit(self, address)
        self._visits[visit] = None
        self._by_address.setdefault(address, {})[visit] = None
        visit.enters(Phase.HEAD)
        return visit

    def make_room(self) -> bool:
        """Cut off whoever has waited longest; False if nobody only waits."""
        for waiting in self._waiting:
            for visit in waiting:
                self._cut_off(visit, "room")
                return True
        return False

    def leave(self, visit: Visit) -> None:
        if visit not in self._visits:
            return
        del self._visits[visit]
        for waiting in self._waiting:
            waiting.pop(visit, None)
        here = self._by_address[visit.address]
        del here[visit]
        if not here:
            del self._by_address[visit.address]

    def sweep(self) -> None:
        """Cut off everyone who has kept us waiting too long."""
        now = self._clock()
        for visit in list(self._visits):
            if visit.deadline is not None and visit.deadline <= now:
                self._cut_off(visit, visit.phase.value)

    def deadline_of(self, phase: Phase) -> float | None:
        seconds = self._seconds.get(phase)
        return None if seconds is None else self._clock() + seconds

    def note_phase(self, visit: Visit) -> None:
        for phases, waiting in zip(_GIVING_WAY, self._waiting, strict=True):
            waiting.pop(visit, None)
            if visit.phase in phases and visit in self._visits:
                waiting[visit] = None

    def _make_room_among(self, visits: dict[Visit, None]) -> bool:
        for waiting in self._waiting:
            for visit in visits:
                if visit in waiting:
                    self._cut_off(visit, "room")
                    return True
        return False

    def _cut_off(self, visit: Visit, why: str) -> None:
        self._metrics.cut_off.add(why=why)
        visit.leave()
        visit.cut_off()

    def _note_refusal(self, address: str) -> None:
        self._metrics.cut_off.add(why="too_many")
        log.warning("too many connections", extra={"facts": {"address": address}})

    def _is_proxy(self, host: str) -> bool:
        """All players share the address of a proxy; it has limits of its own."""
        with suppress(ValueError):
            address = ip_address(host.partition("%")[0])
            return any(address in network for network in self._proxies)
        return False
