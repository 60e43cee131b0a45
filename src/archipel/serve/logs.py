"""Logs for machines: one JSON object per line, without secrets, names or what people said.

A table's id lets anybody watch it, so the log shows a short fingerprint instead.  Of an unexpected
error it tells the kind and where it happened, not its text, which may quote a player's message.
A complaint that comes over and over is told a few times a minute, with how many were left out.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from archipel.serve.limits import Bucket, Clock
from archipel.serve.settings import Rate
from archipel.store import StoreError

log = logging.getLogger("archipel.serve")

#: How often the same complaint is told.
_COMPLAINTS = Rate(burst=10, per_second=1 / 6)
#: How many different complaints are told apart.
_MOST_COMPLAINTS = 500

#: Errors whose text comes from the system or from us, never from a player.
_TELLING = (OSError, StoreError)


def fingerprint(text: str) -> str:
    """Enough to follow one table through the log, not enough to visit it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]


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


class Sparing(logging.Filter):
    """Lets a complaint through only so often; notes and requests always."""

    def __init__(self, rate: Rate = _COMPLAINTS, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._rate = rate
        self._clock = clock
        self._told: dict[tuple[str, str, str], tuple[Bucket, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = type(record.exc_info[1]).__name__ if record.exc_info else ""
        complaint = record.name, str(record.msg).partition("\n")[0], kind
        if complaint not in self._told and len(self._told) >= _MOST_COMPLAINTS:
            self._told.clear()
        bucket, left_out = self._told.get(complaint) or (Bucket(self._rate, self._clock), 0)
        allowed = bucket.take()
        self._told[complaint] = bucket, 0 if allowed else left_out + 1
        if allowed and left_out:
            record.facts = {**getattr(record, "facts", {}), "left_out_before": left_out}
        return allowed


def _event(record: logging.LogRecord) -> str:
    """What happened. The event loop goes on to quote whatever it was at, so only its first line."""
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
    if isinstance(error, _TELLING):
        described["text"] = str(error)
    return described


def set_up_logging(level: str, stream: TextIO | None = None) -> None:
    """Send our lines and the web server's complaints to one place, in one form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Sparing())
    for name in ("archipel", "uvicorn", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger("archipel").setLevel(level.upper())
    # The web server's own lines of lower levels quote addresses with their query string.
    logging.getLogger("uvicorn").setLevel("WARNING")
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("asyncio").setLevel("WARNING")
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False
