"""The headers that keep a browser from doing more with our answers than it must."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    """What our pages may load: this server only, and inline scripts and styles by their hash.

    Style attributes are allowed, since drawings set them and they can run nothing.
    """
    return "; ".join(
        [
            "default-src 'none'",
            # The engine is WebAssembly, which no page may compile unless it is said.
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
    """Adds the headers to every answer that has not set its own."""

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
            await send(message)

        await self._app(scope, receive, send_with_headers)
