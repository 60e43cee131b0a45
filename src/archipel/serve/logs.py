"""Logs: one JSON object per line, without secrets, names or messages of players.

A table's id lets anybody watch it, so the log contains a short hash of it instead. An unexpected
error is logged with its type and traceback, but without its text, which may quote a player.
Repeated warnings and refused requests are logged a few times a minute, with the number left out.
"""

import logging
import sys
import time
import traceback
from collections.abc import Hashable
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec
from starlette.routing import Match, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from archipel.serve.metrics import Metrics
from archipel.serve.rate_limits import Bucket, Clock
from archipel.serve.settings import Rate
from archipel.store.errors import Refused, StoreError
from archipel.store.fingerprint import fingerprint

log = logging.getLogger("archipel.serve")

#: Rate limit of each warning.
_WARNING_RATE = Rate(burst=10, per_second=1 / 6)
#: How many different warnings are limited separately.
_MOST_WARNINGS = 500

#: Errors whose text never quotes a player. (That of `Refused` names a table.)
_TEXT_IS_SAFE = (OSError, StoreError)


class JsonLines(logging.Formatter):
    """Formats a record as JSON. Facts go in ``extra={"facts": {...}}``."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": _event(record),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _describe(record.exc_info[1])
        return msgspec.json.encode(line).decode()


class Repetitions:
    """Limits how often each of many lines may be written."""

    def __init__(self, rate: Rate = _WARNING_RATE, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._seen: dict[Hashable, tuple[Bucket, int]] = {}

    def left_out(self, line: Hashable) -> int | None:
        """How many of these lines were left out before this one; None: leave it out, too."""
        if line not in self._seen and len(self._seen) >= _MOST_WARNINGS:
            self._seen.clear()
        bucket, left_out = self._seen.get(line) or (Bucket(self._rate, self._clock), 0)
        allowed = bucket.take()
        self._seen[line] = bucket, 0 if allowed else left_out + 1
        return left_out if allowed else None


class RepetitionFilter(logging.Filter):
    """Limits the rate of each warning; lower levels always pass."""

    def __init__(self, rate: Rate = _WARNING_RATE, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._repetitions = Repetitions(rate, clock)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = type(record.exc_info[1]).__name__ if record.exc_info else ""
        warning = record.name, str(record.msg).partition("\n")[0], kind
        left_out = self._repetitions.left_out(warning)
        if left_out:
            record.facts = {**getattr(record, "facts", {}), "left_out_before": left_out}
        return left_out is not None


def _event(record: logging.LogRecord) -> str:
    """The message; of asyncio's only the first line, because the rest may quote data."""
    message = record.getMessage()
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _describe(error: BaseException) -> dict[str, Any]:
    described: dict[str, Any] = {
        "kind": type(error).__name__,
        "where": [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)[-12:]
        ],
    }
    if isinstance(error, _TEXT_IS_SAFE) and not isinstance(error, Refused):
        described["text"] = str(error)
    return described


def set_up_logging(level: str, stream: TextIO | None = None) -> None:
    """Send our lines and the web server's warnings to one place, in one form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(RepetitionFilter())
    for name in ("archipel", "uvicorn", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger("archipel").setLevel(level.upper())
    # At lower levels the web server logs addresses with their query string.
    logging.getLogger("uvicorn").setLevel("WARNING")
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("asyncio").setLevel("WARNING")
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False


class RequestLog:
    """Middleware that logs and counts requests by route: a full address may be a secret."""

    def __init__(self, app: ASGIApp, metrics: Metrics, router: Router) -> None:
        self._app = app
        self._metrics = metrics
        self._router = router
        self._repetitions = Repetitions()

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
        if status >= 400:
            # A flood of wrong requests must not fill the log; each is counted in the metrics.
            left_out = self._repetitions.left_out((route, status))
            if left_out is None:
                return
            if left_out:
                facts["left_out_before"] = left_out
        if route.startswith("/api") or status >= 400:
            log.info("request", extra={"facts": facts})

    def _route(self, scope: Scope) -> tuple[str, str | None]:
        for route in self._router.routes:
            match, found = route.matches(scope)
            if match is not Match.NONE:
                path = getattr(route, "path", "")
                return path, found.get("path_params", {}).get("id")
        return "unknown", None
