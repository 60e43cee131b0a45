"""The part of the HTTP API that concerns tables and records; a server adds limits.

Imports no web framework: a static site answers the same requests in the browser.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from archipel.record import RecordError
from archipel.serve.api import messages
from archipel.serve.api.caching import CachedCall
from archipel.serve.api.http_errors import Denied
from archipel.serve.api.record_cache import RecordCache
from archipel.serve.api.route import ApiRequest, Download, Parameter, get, post
from archipel.tables import TableRefused, TableService, commands
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Refusal
from archipel.tables.publishing import payloads
from archipel.tables.publishing.finished_games import check_open, show_course, show_line
from archipel.tables.publishing.opened_records import show_record

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
_NUMBER = re.compile(r"[0-9]{1,8}")
#: Up to 24 actions, as numbers.
_LINE = re.compile(r"[0-9]{1,8}(,[0-9]{1,8}){0,23}")

#: Routes that take a record, whose text is longer in JSON.
_OF_RECORD: dict[str, Any] = {"status": 200, "tag": "records", "largest_body": 300_000}

PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter("id", commands.TableId, "The table's id, as in its link."),
        Parameter("code", commands.Token, "The code of a mail that stops mail."),
        Parameter("n", int, "The number of an event."),
        Parameter("actions", str, "Up to eight actions by number, separated by commas."),
        Parameter("game", str, "The name of a game, as `GET /api/games` lists them."),
        Parameter("language", messages.Language, "The language of the answer."),
    )
}

#: For how long the list of public tables is reused.
_LIST_SECONDS = 1.0


class TableRoutes:
    """The routes of the tables of one service."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._records = RecordCache()
        self._public = CachedCall(service.tables, _LIST_SECONDS)

    def limit(self, what: str, request: ApiRequest) -> None:
        """Count a request to the limit of its address, by the limit's name; none by default."""

    @get("/api/tables", list[payloads.TableLine], (503,))
    async def list_tables(self, request: ApiRequest) -> Any:
        """Public tables that can be watched, the latest first."""
        return await self._public.get()

    @post("/api/tables", commands.NewTable, payloads.Seated, (404, 409, 422, 503))
    async def make_table(self, request: ApiRequest, body: commands.NewTable) -> Any:
        """Create a table and take a seat; the answer contains the seat's token."""
        self.limit("new tables", request)
        return await self._service.create(body, language=language_of(request))

    @get("/api/tables/{id}", payloads.Table, (404, 409, 503))
    async def show_table(self, request: ApiRequest) -> Any:
        """A table: its game, its seats and its stage."""
        return await self._service.table(table_id_of(request))

    @post("/api/tables/{id}/join", commands.Join, payloads.Seated, (404, 409, 422, 503))
    async def join_table(self, request: ApiRequest, body: commands.Join) -> Any:
        """Take an open seat; the answer contains the seat's token."""
        table_id = table_id_of(request)
        self.limit("attempts to sit down", request)
        return await self._service.join(table_id, body, language=language_of(request))

    @get("/api/tables/{id}/position", payloads.Position | None, (401, 404, 409, 503), token=True)
    async def show_position(self, request: ApiRequest) -> Any:
        """The position as the token's seat sees it, or without a token as a spectator does; null
        before the game begins."""
        table_id, token = table_id_of(request), token_of(request)
        if token is not None:
            # Limits guessing of tokens, together with attempts to sit down.
            self.limit("attempts with a token", request)
        who = await self._service.identify(table_id, token, language=language_of(request))
        return await self._service.position(who)

    @get("/api/tables/{id}/duplicates", payloads.Duplicates, (401, 404, 409, 503), token=True)
    async def show_duplicates(self, request: ApiRequest) -> Any:
        """All tables that play the deal of this one, compared seat by seat; with the token of
        somebody who has played it here to the end, also where to look at the others."""
        table_id, token = table_id_of(request), token_of(request)
        self.limit("attempts with a token" if token else "analyses", request)
        return await self._service.duplicates(table_id, token, language=language_of(request))

    @get("/api/tables/{id}/record", str, (404, 409, 503), media_type="text/plain")
    async def read_record(self, request: ApiRequest) -> Any:
        """The record of a finished game: every action and every outcome, to replay."""
        table_id = table_id_of(request)
        text = await self._service.record(table_id, language=language_of(request))
        return Download(f"archipel-{table_id}.txt", text)

    @get("/api/tables/{id}/course", payloads.Course, (404, 409, 503))
    async def read_course(self, request: ApiRequest) -> Any:
        """Every position of a finished game, in the form that engines read."""
        table_id = table_id_of(request)
        self.limit("analyses", request)
        return await self._service.course(table_id, language=language_of(request))

    @get("/api/tables/{id}/draws", payloads.Draws, (404, 409, 503))
    async def read_draws(self, request: ApiRequest) -> Any:
        """The deal and the outcomes of chance of a finished game, to recompute from its secret."""
        return await self._service.draws(table_id_of(request), language=language_of(request))

    @get("/api/tables/{id}/lines/{n}/{actions}", list[payloads.Label], (404, 409, 503))
    async def tell_line(self, request: ApiRequest) -> Any:
        """Labels of a sequence of actions that could have been played at an event of a finished
        game."""
        number, actions = _line(request)
        return await self._service.line(
            table_id_of(request), number, actions, language=language_of(request)
        )

    @post("/api/records", messages.RecordFile, payloads.OpenedRecord, (422,), **_OF_RECORD)
    async def open_record(self, request: ApiRequest, body: messages.RecordFile) -> Any:
        """The game of a record, to look at like a finished table; nothing is stored."""
        return await asyncio.to_thread(show_record, await self._opened(request, body))

    @post("/api/records/course", messages.RecordFile, payloads.Course, (409, 422), **_OF_RECORD)
    async def read_course_of_record(self, request: ApiRequest, body: messages.RecordFile) -> Any:
        """As the course of a finished table, for a record."""
        table = await self._opened(request, body)
        with _refusing(request):
            check_open(table)
        return await asyncio.to_thread(show_course, table)

    @post(
        "/api/records/lines/{n}/{actions}",
        messages.RecordFile,
        list[payloads.Label],
        (404, 422),
        **_OF_RECORD,
    )
    async def tell_line_of_record(self, request: ApiRequest, body: messages.RecordFile) -> Any:
        """As a line of a finished table, for a record."""
        number, actions = _line(request)
        table = await self._opened(request, body)
        with _refusing(request):
            return show_line(table, number, actions)

    async def _opened(self, request: ApiRequest, body: messages.RecordFile) -> TableState:
        try:
            return await self._records.open(body.record, lambda: self.limit("records", request))
        except RecordError as error:
            raise Denied(422, "bad_record", error.tell(language_of(request))) from None


def table_id_of(request: ApiRequest) -> str:
    table_id = str(request.path_params["id"])
    if not _TABLE_ID.fullmatch(table_id):
        raise Denied(404, "no_table", "there is no such table")
    return table_id


def _line(request: ApiRequest) -> tuple[int, list[int]]:
    """The event and the actions of a line."""
    number, actions = request.path_params["n"], request.path_params["actions"]
    if not (_NUMBER.fullmatch(number) and _LINE.fullmatch(actions)):
        raise Denied(404, "no_such_event", "there is no such event, or no such line of actions")
    return int(number), [int(action) for action in actions.split(",")]


def token_of(request: ApiRequest) -> str | None:
    """The seat's token, from the Authorization header only."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    try:
        if scheme.lower() != "bearer":
            raise msgspec.ValidationError
        return msgspec.convert(token.strip(), commands.Token)
    except msgspec.ValidationError:
        raise Denied(
            401,
            "not_seated",
            "the Authorization header must be: Bearer and the token of a seat",
            headers={"WWW-Authenticate": "Bearer"},
        ) from None


def language_of(request: ApiRequest) -> str:
    """The language of error messages: French if the browser prefers it, else English."""
    return "fr" if request.headers.get("accept-language", "").lower().startswith("fr") else "en"


@contextmanager
def _refusing(request: ApiRequest) -> Iterator[None]:
    """Translate refusals to the language of the caller."""
    try:
        yield
    except Refusal as refusal:
        raise TableRefused(refusal.say(language_of(request))) from refusal
