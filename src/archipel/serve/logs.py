"""Logs for machines: one JSON object per line, without secrets, names or what people said.

A table's id lets anybody watch it, so the log shows a short fingerprint instead.  Of an unexpected
error it tells the kind and where it happened, not its text, which may quote a player's message.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from archipel.store import StoreError

log = logging.getLogger("archipel.serve")

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
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _describe(record.exc_info[1])
        return msgspec.json.encode(line).decode()


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
    for name in ("archipel", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger("archipel").setLevel(level.upper())
    # The web server's own lines of lower levels quote addresses with their query string.
    logging.getLogger("uvicorn").setLevel("WARNING")
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False
