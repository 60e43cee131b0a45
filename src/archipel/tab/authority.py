"""The tables of one browser, behind the API of a server: requests by path, channels by table."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from archipel.serve.api.http_errors import DECODING_ERRORS, Denied, denied_by, malformed
from archipel.serve.api.route import Download, Route, routes_of
from archipel.serve.api.table_routes import PARAMETERS, TableRoutes
from archipel.store.errors import StoreError, TableExists
from archipel.store.table_copy import TableCopy
from archipel.store.table_file import BadTableFile, read_table_file, write_table_file
from archipel.tab.browser_store import BrowserStore
from archipel.tab.channel import Channel
from archipel.tables import Problem, TableService

log = logging.getLogger("archipel.tab")

#: The size limit of a request's body, in characters.
LARGEST_BODY = 300_000


@dataclass(frozen=True)
class Request:
    """As much of a request as the handlers read."""

    path_params: dict[str, Any]
    headers: Mapping[str, str]


class Authority:
    """Answers pages of this browser, and of others that they bring."""

    def __init__(self, service: TableService, store: BrowserStore) -> None:
        self._service = service
        self._store = store
        self._routes = [
            (_pattern(route), route) for route in routes_of(TableRoutes(service), PARAMETERS)
        ]

    def open(
        self, table_id: str, send: Callable[[str], None], closed: Callable[[], None]
    ) -> Channel:
        """A channel to a table; ``send`` and ``closed`` must not raise."""
        return Channel(self._service, table_id, send, closed)

    async def ask(self, path: str, language: str, body: str | None) -> tuple[int, str]:
        """The status and text of the response to a request; a POST if it has a body."""
        try:
            return await self._answer(path, language, body)
        except Exception as error:
            denied = denied_by(error)
            if denied.status == 500:
                log.error("a request failed", exc_info=error)
            return denied.status, msgspec.json.encode(denied.problem).decode()

    async def export_tables(self, kept: str) -> tuple[int, str, bytes | None]:
        """A status, the problem if any, and all tables as a file (see `archipel.store.table_file`).

        ``kept``: what the page remembers of its tables, as JSON.
        """
        try:
            return 200, "", write_table_file(await self._store.copies(), kept)
        except StoreError as error:
            return 503, msgspec.json.encode(denied_by(error).problem).decode(), None

    async def pack_table(self, table_id: str) -> tuple[int, bytes]:
        """The number of a table's last event, and the table as a file for `TableService.take_over`;
        raises `NoSuchTable`. The file is for a server that the host trusts."""
        copy = await self._store.copy(table_id)
        private = [row for row in copy.rows["private"] if row[1] in ("keys", "secret")]
        rows = {**copy.rows, "request": [], "private": private}
        return len(rows["event"]), write_table_file([TableCopy(copy.row, rows)])

    async def import_tables(self, file: Any) -> tuple[int, str]:
        """Store the tables of a file; returns a status, and the numbers of tables that were stored
        and that were here already with what the page remembered of them, or the problem."""
        try:
            stored, known = 0, 0
            found = read_table_file(bytes(file.to_bytes()))
            for copy in found.tables:
                try:
                    await self._store.add(copy)
                    stored += 1
                except TableExists:
                    known += 1
        except BadTableFile as error:
            return 422, msgspec.json.encode(Problem("bad_file", str(error))).decode()
        except StoreError as error:
            return 503, msgspec.json.encode(denied_by(error).problem).decode()
        return 200, msgspec.json.encode(
            {"stored": stored, "known": known, "kept": found.kept}
        ).decode()

    async def _answer(self, path: str, language: str, body: str | None) -> tuple[int, str]:
        method = "GET" if body is None else "POST"
        for pattern, route in self._routes:
            found = pattern.fullmatch(path)
            if found and route.method == method:
                request = Request(found.groupdict(), {"accept-language": language})
                given = await route.handler(request, *_read(body, route))
                if isinstance(given, Download):
                    return route.status, given.text
                return route.status, msgspec.json.encode(given).decode()
        raise Denied(404, "no_address", "a static site has no such address")


def _pattern(route: Route) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route.path))


def _read(body: str | None, route: Route) -> list[Any]:
    if body is None:
        return []
    if len(body) > LARGEST_BODY:
        raise Denied(413, "too_large", f"the body is larger than {LARGEST_BODY} characters")
    try:
        return [msgspec.json.decode(body, type=route.body)]
    except DECODING_ERRORS as error:
        raise malformed(error, "body") from None
