"""Where a browser's request comes from: pages of other sites may not act in a player's name."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def origin_allowed(connection: HTTPConnection, origins: Sequence[str]) -> bool:
    """Whether the page behind a request is ours, or one that the host named.

    A request without Origin does not come from a page: no browser leaves it out of a WebSocket or
    of a POST.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if origin in origins:
        return True
    return _same_host(origin, connection.headers.get("host", ""))


def _same_host(origin: str, host: str) -> bool:
    try:
        page = urlsplit(origin)
        if page.scheme not in ("http", "https"):
            return False
        # The scheme may differ: a proxy speaks HTTPS with the browser and HTTP with us.
        here = urlsplit(f"{page.scheme}://{host}")
        return bool(page.hostname) and (page.hostname, _port(page.scheme, page.port)) == (
            here.hostname,
            _port(here.scheme, here.port),
        )
    except ValueError:
        return False


def _port(scheme: str, port: int | None) -> int:
    return _DEFAULT_PORTS[scheme] if port is None else port
