"""Every HTTP request is counted, and told in the log without what it said."""

from __future__ import annotations

import time

from starlette.routing import Match, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from archipel.serve.logs import fingerprint, log
from archipel.serve.metrics import Metrics


class Watching:
    """Logs and counts requests by their route: an address itself may be a secret."""

    def __init__(self, app: ASGIApp, metrics: Metrics, router: Router) -> None:
        self._app = app
        self._metrics = metrics
        self._router = router

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        finally:
            self._note(scope, status, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, table = self._route(scope)
        self._metrics.requests.add(route=route, status=str(status))
        facts = {
            "method": scope["method"][:16],
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 1),
        }
        if table:
            facts["table"] = fingerprint(table)
        if route.startswith("/api") or status >= 400:
            log.info("request", extra={"facts": facts})

    def _route(self, scope: Scope) -> tuple[str, str | None]:
        for route in self._router.routes:
            match, found = route.matches(scope)
            if match is not Match.NONE:
                path = getattr(route, "path", "")
                return path, found.get("path_params", {}).get("id")
        return "unknown", None
