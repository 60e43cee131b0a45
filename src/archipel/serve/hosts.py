"""Under which names this server answers.

A page of another site can make its own name point to a machine in the visitor's network, and then
read what a server there says as if it were its own. So a name has to be one of ours; an address in
digits needs no asking, since nobody can make it point elsewhere.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.problems import Denied
from archipel.serve.routing import problem_response

#: What routers and zeroconf add to the name of a machine; none of them can be registered.
_LOCAL_SUFFIXES = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")


def own_names() -> tuple[str, ...]:
    """How others in the network may call this machine."""
    name = socket.gethostname().lower().rstrip(".")
    first = name.partition(".")[0]
    return tuple(dict.fromkeys([name, *(first + suffix for suffix in _LOCAL_SUFFIXES)]))


def names_of(origins: Sequence[str]) -> tuple[str, ...]:
    """The names in addresses such as https://play.example.org."""
    return tuple(name for origin in origins if (name := _name_in(urlsplit(origin).netloc)))


class KnownHosts:
    """Refuses requests that were meant for a server of another name."""

    def __init__(self, app: ASGIApp, names: Iterable[str], metrics: Metrics) -> None:
        self._app = app
        self._names = frozenset(name.lower().rstrip(".") for name in names)
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = None if scope["type"] == "lifespan" else HTTPConnection(scope).headers.get("host")
        if self._knows(host):
            await self._app(scope, receive, send)
            return
        self._metrics.refusals.add(code="unknown_host")
        facts = {"host": (host or "")[:100]}
        log.warning("a request for a name that is not ours: see --origin", extra={"facts": facts})
        response = problem_response(
            Denied(
                421,
                "unknown_host",
                "this server does not answer to that name: whoever runs it can name it with"
                " --origin",
            )
        )
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)

    def _knows(self, host: str | None) -> bool:
        if host is None:
            return True  # no browser leaves it out
        name = _name_in(host)
        if name == "localhost" or name.endswith(".localhost") or name in self._names:
            return True
        try:
            ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True


def _name_in(host: str) -> str:
    """The name of a Host header, without its port; empty if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""
