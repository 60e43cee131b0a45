"""Formats and sizes that every store accepts, checked before anything is read or written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archipel.store.errors import InvalidRequest
from archipel.store.protocol import Outlook

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,128}")
_PRIVATE_KEY = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")
_LARGEST_NUMBER = 2**63 - 1


def _check_shape(pattern: re.Pattern[str], value: object, name: str) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise InvalidRequest(f"{name} {value!r:.80} does not match {pattern.pattern}")


def _check_number(value: object, name: str) -> None:
    if not isinstance(value, int) or not 0 <= value <= _LARGEST_NUMBER:
        raise InvalidRequest(f"{name} must be a whole number from 0 up, not {value!r:.80}")


def _check_size(value: object, largest: int, name: str, *which: object) -> None:
    """``which`` fills the placeholders of the name."""
    if not isinstance(value, bytes):
        raise InvalidRequest(f"{name.format(*which)} must be bytes, not {type(value).__name__}")
    if len(value) > largest:
        raise InvalidRequest(
            f"{name.format(*which)} has {len(value)} bytes, the limit is {largest}"
        )


def check_table_id(table_id: str) -> None:
    _check_shape(_TABLE_ID, table_id, "table id")


def check_private_key(key: str) -> None:
    _check_shape(_PRIVATE_KEY, key, "private key")


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes that no game reaches, small enough that one request cannot slow down the others."""

    header_bytes: int = 1024 * 1024
    body_bytes: int = 256 * 1024
    line_bytes: int = 4 * 1024
    private_bytes: int = 64 * 1024
    events_per_append: int = 256
    private_per_write: int = 64
    page: int = 1000

    def check_create(
        self, table_id: str, header: bytes, private: Mapping[str, bytes] | None
    ) -> None:
        check_table_id(table_id)
        _check_size(header, self.header_bytes, "the header")
        self.check_private(private)

    def check_append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None,
        private: Mapping[str, bytes] | None,
        outlook: Outlook | None = None,
    ) -> None:
        check_table_id(table_id)
        _check_number(expected_n, "expected_n")
        if not 1 <= len(events) <= self.events_per_append:
            raise InvalidRequest(
                f"one append takes 1 to {self.events_per_append} events, not {len(events)}"
            )
        for index, body in enumerate(events):
            _check_size(body, self.body_bytes, "event {} of the append", index)
        if request_id is not None:
            _check_shape(_REQUEST_ID, request_id, "request id")
        self.check_private(private)
        if outlook is not None:
            self.check_outlook(outlook)

    def check_outlook(self, outlook: Outlook) -> None:
        if outlook.line is not None:
            _check_size(outlook.line, self.line_bytes, "the line of an outlook")

    def check_private(self, private: Mapping[str, bytes] | None) -> None:
        if private is None:
            return
        if len(private) > self.private_per_write:
            raise InvalidRequest(
                f"one write takes {self.private_per_write} private values, not {len(private)}"
            )
        for key, value in private.items():
            check_private_key(key)
            _check_size(value, self.private_bytes, "private value {!r}", key)

    def check_read(self, table_id: str, after: int, limit: int) -> None:
        check_table_id(table_id)
        _check_number(after, "after")
        self.check_page(limit)

    def check_tables(self, before: tuple[int, str] | None, limit: int) -> None:
        if before is not None:
            active_at, table_id = before
            _check_number(active_at, "the time in before")
            if table_id != "":
                check_table_id(table_id)
        self.check_page(limit)

    def check_awake(self, after: str, limit: int) -> None:
        if after != "":
            check_table_id(after)
        self.check_page(limit)

    def check_page(self, limit: int) -> None:
        if not 1 <= limit <= self.page:
            raise InvalidRequest(f"limit must be 1 to {self.page}, not {limit}")
