"""Admission control: limits on connections, in all and by address, and deadlines for each phase.

An idle connection costs its owner nothing, so it has a deadline, and new connections displace idle
ones when the limit is reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from enum import Enum
from ipaddress import ip_network

from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.rate_limits import Clock, address_group, parse_ip
from archipel.serve.settings import Settings


class Phase(Enum):
    """What a connection is doing. The values are labels of a metric."""

    HEAD = "head"  # waiting for the rest of a request's head
    BODY = "body"  # waiting for the rest of a request's body
    ANSWER = "answer"  # the peer reads the response
    IDLE = "idle"  # between two requests
    SOCKET = "socket"  # a WebSocket, with deadlines of its own


#: Phases in which a connection may be dropped to make room, in this order. Idle connections lose
#: nothing, because browsers reconnect; half a request is worth more.
_DISPLACEABLE = ((Phase.HEAD, Phase.IDLE), (Phase.BODY,))


class Admission:
    """One accepted connection, until it ends."""

    __slots__ = ("_control", "_phase", "address", "cut_off", "deadline")

    def __init__(self, control: AdmissionControl, address: str) -> None:
        self._control = control
        self._phase = Phase.SOCKET
        self.address = address
        self.deadline: float | None = None
        #: Drops the connection at once; set by the protocol that uses it.
        self.cut_off: Callable[[], None] = lambda: None

    @property
    def phase(self) -> Phase:
        return self._phase

    def enters(self, phase: Phase, *, again: bool = False) -> None:
        """Enter a phase and start its deadline; ``again`` restarts that of the current phase."""
        if phase is not self._phase or again:
            self._phase = phase
            self._control.note_phase(self)

    def leave(self) -> None:
        """Idempotent."""
        self._control.leave(self)


class AdmissionControl:
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
        # One address gets at most half of all connections.
        self._most_per_address = min(settings.connections_per_address, max(1, most // 2))
        self._most = most
        self._clock = clock
        self._metrics = metrics or Metrics()
        self._admissions: dict[Admission, None] = {}
        self._by_address: dict[str, dict[Admission, None]] = {}
        #: Displaceable connections in the order above, the longest waiting first.
        self._waiting: tuple[dict[Admission, None], ...] = tuple({} for _ in _DISPLACEABLE)
        self._metrics.gauge("connections", "Open connections.", self.__len__)

    def __len__(self) -> int:
        return len(self._admissions)

    def count(self, address: str) -> int:
        return len(self._by_address.get(address_group(address), ()))

    def enter(self, host: str) -> Admission | None:
        """Admit a connection, if necessary in place of an idle one; None if the limit is
        reached."""
        address = address_group(host)
        here = self._by_address.get(address, {})
        crowded = len(here) >= self._most_per_address and not self._is_proxy(host)
        if (crowded and not self.make_room(here)) or (
            len(self) >= self._most and not self.make_room()
        ):
            self._metrics.cut_off.add(why="too_many")
            log.warning("too many connections", extra={"facts": {"address": address}})
            return None
        admission = Admission(self, address)
        self._admissions[admission] = None
        self._by_address.setdefault(address, {})[admission] = None
        admission.enters(Phase.HEAD)
        return admission

    def make_room(self, among: Iterable[Admission] | None = None) -> bool:
        """Drop the connection that has waited longest; False if none may be dropped."""
        for waiting in self._waiting:
            for admission in waiting if among is None else among:
                if admission in waiting:
                    self._cut_off(admission, "room")
                    return True
        return False

    def leave(self, admission: Admission) -> None:
        if admission not in self._admissions:
            return
        del self._admissions[admission]
        for waiting in self._waiting:
            waiting.pop(admission, None)
        here = self._by_address[admission.address]
        del here[admission]
        if not here:
            del self._by_address[admission.address]

    def sweep(self) -> None:
        """Drop all connections past their deadline."""
        now = self._clock()
        for admission in list(self._admissions):
            if admission.deadline is not None and admission.deadline <= now:
                self._cut_off(admission, admission.phase.value)

    def note_phase(self, admission: Admission) -> None:
        seconds = self._seconds.get(admission.phase)
        admission.deadline = None if seconds is None else self._clock() + seconds
        for phases, waiting in zip(_DISPLACEABLE, self._waiting, strict=True):
            waiting.pop(admission, None)
            if admission.phase in phases and admission in self._admissions:
                waiting[admission] = None

    def _cut_off(self, admission: Admission, why: str) -> None:
        self._metrics.cut_off.add(why=why)
        admission.leave()
        admission.cut_off()

    def _is_proxy(self, host: str) -> bool:
        """The limit per address does not apply to a trusted proxy, whose address all players
        share."""
        address = parse_ip(host)
        return address is not None and any(address in network for network in self._proxies)
