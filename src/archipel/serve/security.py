"""Browser security: response headers, and checks of the Host and Origin headers."""

import socket
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from archipel.serve.api.endpoint import problem_response
from archipel.serve.api.http_errors import Denied
from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.rate_limits import parse_ip

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(),"
        " display-capture=(), clipboard-read=(), clipboard-write=(self), fullscreen=(self)"
    ),
}


def content_security_policy(scripts: Sequence[str] = (), styles: Sequence[str] = ()) -> str:
    """The policy of our pages: load from this server only; inline scripts and styles by hash.

    Style attributes are allowed: drawings set them, and they cannot run code.
    """
    return "; ".join(
        [
            "default-src 'none'",
            # The engine is WebAssembly, which needs a permission of its own.
            " ".join(("script-src 'self' 'wasm-unsafe-eval'", *scripts)),
            " ".join(("style-src 'self'", *styles)),
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "media-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
    )


class SecurityHeaders:
    """Middleware that adds the headers to every response that has not set its own."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = {**_ALWAYS, "Content-Security-Policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if not headers["X-Frame-Options"]:  # a page for frames: its policy says so
                    del headers["X-Frame-Options"]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class OpenToSites:
    """Middleware that lets pages of any origin send requests to one path, and read the answers.

    They are sent without cookies, which this server does not use anyway.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path
        self._open = CORSMiddleware(
            app, allow_origins=("*",), allow_methods=("POST",), allow_headers=("Content-Type",)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_open = scope["type"] == "http" and scope["path"] == self._path
        await (self._open if is_open else self._app)(scope, receive, send)


#: Suffixes that routers and zeroconf add to a machine's name; none of them can be registered.
_LOCAL_SUFFIXES = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")


def own_names() -> tuple[str, ...]:
    """Names of this machine in its network."""
    name = socket.gethostname().lower().rstrip(".")
    first = name.partition(".")[0]
    return tuple(dict.fromkeys([name, *(first + suffix for suffix in _LOCAL_SUFFIXES)]))


def names_of(origins: Sequence[str]) -> tuple[str, ...]:
    """The host names in addresses such as https://play.example.org."""
    return tuple(name for origin in origins if (name := _name_in(urlsplit(origin).netloc)))


class KnownHosts:
    """Middleware that refuses requests for unknown host names.

    Protects against DNS rebinding: a page of another site could let its own name point to this
    machine and read our responses as its own. IP addresses are always accepted, because nobody can
    let them point elsewhere.
    """

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
        log.warning("request for an unknown host name: see --origin", extra={"facts": facts})
        response = problem_response(
            Denied(
                421,
                "unknown_host",
                "this server does not answer to that name: its host can add the name with --origin",
            )
        )
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)

    def _knows(self, host: str | None) -> bool:
        if host is None:
            return True  # browsers always send it
        name = _name_in(host)
        if name == "localhost" or name.endswith(".localhost") or name in self._names:
            return True
        return parse_ip(name) is not None


def _name_in(host: str) -> str:
    """The host name in a Host header, without the port; empty if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_allowed(connection: HTTPConnection, origins: Sequence[str]) -> bool:
    """Whether a request comes from a page of this server or of an allowed origin.

    Without an Origin header it does not come from a page: browsers send the header with every
    WebSocket and POST.
    """
    origin = connection.headers.get("origin")
    if origin is None or origin in origins:
        return True
    return _same_host(origin, connection.headers.get("host", ""))


def _same_host(origin: str, host: str) -> bool:
    try:
        page = urlsplit(origin)
        if page.scheme not in _DEFAULT_PORTS:
            return False
        # The scheme may differ: behind a proxy the browser uses HTTPS and the server HTTP.
        here = urlsplit(f"{page.scheme}://{host}")
        usual = _DEFAULT_PORTS[page.scheme]
        ports = {usual if url.port is None else url.port for url in (page, here)}
        return bool(page.hostname) and page.hostname == here.hostname and len(ports) == 1
    except ValueError:
        return False
