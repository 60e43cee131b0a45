"""The HTTP API: all routes and their handlers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from archipel import __version__
from archipel.record import RecordError
from archipel.serve.api import game_content, messages, openapi
from archipel.serve.api.caching import CachedCall
from archipel.serve.api.http_errors import Denied, too_many
from archipel.serve.api.record_cache import RecordCache
from archipel.serve.api.route import Parameter, get, post, routes_of
from archipel.serve.metrics import merge_metrics
from archipel.serve.rate_limits import RatePerAddress, address_group
from archipel.serve.static_files import ASK_AGAIN, File, packed_file
from archipel.serve.transport.listening import is_loopback
from archipel.store.errors import StoreError
from archipel.tables import TableRefused, commands
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Refusal
from archipel.tables.publishing import payloads
from archipel.tables.publishing.finished_games import check_open, show_course, show_line
from archipel.tables.publishing.opened_records import show_record

if TYPE_CHECKING:
    from archipel.serve.application import Application

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
_NUMBER = re.compile(r"[0-9]{1,8}")
#: Up to 24 actions, as numbers.
_LINE = re.compile(r"[0-9]{1,8}(,[0-9]{1,8}){0,23}")

#: Routes that take a record, whose text is longer in JSON.
_OF_RECORD: dict[str, Any] = {"status": 200, "tag": "records", "largest_body": 300_000}

_PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        Parameter("id", commands.TableId, "The table's id, as in its link."),
        Parameter("n", int, "The number of an event."),
        Parameter("actions", str, "Up to eight actions by number, separated by commas."),
        Parameter("game", str, "The name of a game, as `GET /api/games` lists them."),
        Parameter("language", messages.Language, "The language of the answer."),
    )
}

#: For how long the list of public tables and the result of a health check are reused.
_LIST_SECONDS = 1.0
_HEALTH_SECONDS = 2.0
#: Time limit of a health check.
_HEALTH_LIMIT_SECONDS = 3.0


#: RFC 9116 recommends less than a year.
_CONTACT_VALID = timedelta(days=180)


class Routes:
    """The routes of one application."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._service = application.service
        settings = application.settings
        self._new_tables = RatePerAddress(settings.tables, settings.most_addresses)
        self._joins = RatePerAddress(settings.joins, settings.most_addresses)
        #: Rate limits that all workers share, by name.
        self.rates = {"tables": self._new_tables, "joins": self._joins}
        self._analyses = RatePerAddress(settings.tables, settings.most_addresses)
        self._records = RecordCache()
        self._public = CachedCall(application.service.tables, _LIST_SECONDS)
        self._probe = CachedCall(application.store.probe, _HEALTH_SECONDS)
        self.table = tuple(routes_of(self, _PARAMETERS))

    @get("/api/games", list[messages.GameDescription], tag="games")
    async def list_games(self, request: Request) -> Any:
        """All games, with their options and bots."""
        return game_content.describe_games(self._application.bots_of, self._application.engines)

    @get("/api/rules/{game}/{language}", messages.Rules, (404,), tag="games")
    async def read_rules(self, request: Request) -> Any:
        """The rules of a game."""
        return game_content.rules_text(**request.path_params)

    @get("/api/sentences/{game}/{language}", dict[str, str], (404,), tag="games")
    async def read_sentences(self, request: Request) -> Any:
        """All sentences of a game by key, for a client that does not contain them."""
        return game_content.sentences(**request.path_params)

    @get("/api/lessons/{game}/{language}", messages.Lessons, (404,), tag="games")
    async def read_lessons(self, request: Request) -> Any:
        """The lessons of a game, step by step, and the guide's remarks in a first game."""
        return game_content.lessons_text(**request.path_params)

    @get("/api/puzzles/{game}", messages.Puzzles, (404,), tag="games")
    async def read_puzzles(self, request: Request) -> Any:
        """The puzzles of a game and their solutions."""
        return game_content.puzzles_text(request.path_params["game"])

    @get("/api/tables", list[payloads.TableLine], (503,))
    async def list_tables(self, request: Request) -> Any:
        """Public tables that can be watched, the latest first."""
        return await self._public.get()

    @post("/api/tables", commands.NewTable, payloads.Seated, (404, 409, 422, 503))
    async def make_table(self, request: Request, body: commands.NewTable) -> Any:
        """Create a table and take a seat; the answer contains the seat's token."""
        _limit(self._new_tables, request, "new tables")
        return await self._service.create(body, language=_language(request))

    @get("/api/tables/{id}", payloads.Table, (404, 409, 503))
    async def show_table(self, request: Request) -> Any:
        """A table: its game, its seats and its stage."""
        return await self._service.table(_table_id(request))

    @post("/api/tables/{id}/join", commands.Join, payloads.Seated, (404, 409, 422, 503))
    async def join_table(self, request: Request, body: commands.Join) -> Any:
        """Take an open seat; the answer contains the seat's token."""
        table_id = _table_id(request)
        _limit(self._joins, request, "attempts to sit down")
        return await self._service.join(table_id, body, language=_language(request))

    @get("/api/tables/{id}/position", payloads.Position | None, (401, 404, 409, 503), token=True)
    async def show_position(self, request: Request) -> Any:
        """The position as the token's seat sees it, or without a token as a spectator does; null
        before the game begins."""
        table_id, token = _table_id(request), _token(request)
        if token is not None:
            # Limits guessing of tokens, together with attempts to sit down.
            _limit(self._joins, request, "attempts with a token")
        who = await self._service.identify(table_id, token, language=_language(request))
        return await self._service.position(who)

    @get("/api/tables/{id}/record", str, (404, 409, 503), media_type="text/plain")
    async def read_record(self, request: Request) -> Any:
        """The record of a finished game: every action and every outcome, to replay."""
        table_id = _table_id(request)
        text = await self._service.record(table_id, language=_language(request))
        return PlainTextResponse(
            text,
            headers={
                "Cache-Control": "no-store",
                "Content-Disposition": f'attachment; filename="archipel-{table_id}.txt"',
            },
        )

    @get("/api/tables/{id}/course", payloads.Course, (404, 409, 503))
    async def read_course(self, request: Request) -> Any:
        """Every position of a finished game, in the form that engines read."""
        table_id = _table_id(request)
        _limit(self._analyses, request, "analyses")
        return await self._service.course(table_id, language=_language(request))

    @get("/api/tables/{id}/draws", payloads.Draws, (404, 409, 503))
    async def read_draws(self, request: Request) -> Any:
        """The deal and the outcomes of chance of a finished game, to recompute from its secret."""
        return await self._service.draws(_table_id(request), language=_language(request))

    @get("/api/tables/{id}/lines/{n}/{actions}", list[payloads.Label], (404, 409, 503))
    async def tell_line(self, request: Request) -> Any:
        """Labels of a sequence of actions that could have been played at an event of a finished
        game."""
        number, actions = _line(request)
        return await self._service.line(
            _table_id(request), number, actions, language=_language(request)
        )

    @post("/api/records", messages.RecordFile, payloads.OpenedRecord, (422,), **_OF_RECORD)
    async def open_record(self, request: Request, body: messages.RecordFile) -> Any:
        """The game of a record, to look at like a finished table; nothing is stored."""
        return await asyncio.to_thread(show_record, await self._opened(request, body))

    @post("/api/records/course", messages.RecordFile, payloads.Course, (409, 422), **_OF_RECORD)
    async def read_course_of_record(self, request: Request, body: messages.RecordFile) -> Any:
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
    async def tell_line_of_record(self, request: Request, body: messages.RecordFile) -> Any:
        """As a line of a finished table, for a record."""
        number, actions = _line(request)
        table = await self._opened(request, body)
        with _refusing(request):
            return show_line(table, number, actions)

    async def _opened(self, request: Request, body: messages.RecordFile) -> TableState:
        def limit() -> None:
            _limit(self._analyses, request, "records")

        try:
            return await self._records.open(body.record, limit)
        except RecordError as error:
            raise Denied(422, "bad_record", error.tell(_language(request))) from None

    @get("/api/tables/{id}/socket", None, (403, 404, 426, 503), status=101)
    async def play_at_table(self, request: Request) -> Any:
        """The WebSocket to play and watch through."""
        _table_id(request)
        raise Denied(
            426,
            "websocket",
            "this address speaks WebSocket",
            headers={"Upgrade": "websocket", "Connection": "Upgrade"},
        )

    @get("/api/addresses", list[str], tag="server")
    async def list_addresses(self, request: Request) -> Any:
        """For a page opened as localhost: addresses for other devices, the likeliest first. Empty
        for all other pages, whose own address is right."""
        if not is_loopback(request.headers.get("host", "")):
            return []
        # In a thread: looking up host names can take a while.
        found = await asyncio.to_thread(self._application.elsewhere)
        return [*self._application.settings.origins, *(each.rstrip("/") for each in found)]

    @get("/api/openapi.json", dict[str, Any], tag="server")
    async def describe_interface(self, request: Request) -> Any:
        """This description."""
        return self._description.answer(request)

    @cached_property
    def _description(self) -> File:
        described = openapi.describe(self.table, self._application.bots_of)
        return packed_file(msgspec.json.encode(described), "application/json", ASK_AGAIN)

    @get("/health", messages.Health, (503,), tag="server")
    async def check_health(self, request: Request) -> Any:
        """Whether the server accepts requests and can read and write its tables."""
        if self._application.stopping:
            raise Denied(503, "stopping", "the server is stopping")
        if self._service.failure:
            raise Denied(503, "unavailable", f"the server cannot go on: {self._service.failure}")
        try:
            async with asyncio.timeout(_HEALTH_LIMIT_SECONDS):
                await self._application.store.tables(limit=1)
                await self._probe.get()
        except TimeoutError:
            raise Denied(503, "unavailable", "the database does not answer") from None
        return messages.Health("ok", __version__)

    @get("/ready", messages.Health, (503,), tag="server")
    async def check_readiness(self, request: Request) -> Any:
        """Whether to send players here: as /health, and notifications of other workers arrive."""
        cluster = self._application.cluster
        if cluster is not None and not cluster.bus.is_open:
            raise Denied(503, "unavailable", "no connection to the other workers")
        return await self.check_health(request)

    @get("/.well-known/security.txt", str, (404,), media_type="text/plain", tag="server")
    async def read_security_contact(self, request: Request) -> Any:
        """The operator's contact for security problems (RFC 9116), if there is one."""
        contact = self._application.settings.security_contact
        if not contact:
            raise Denied(404, "no_address", "the operator has named no contact")
        expires = (datetime.now(UTC) + _CONTACT_VALID).strftime("%Y-%m-%dT%H:%M:%SZ")
        fields = f"Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, fr\n"
        return PlainTextResponse(fields)

    @get("/live", messages.Health, tag="server")
    async def check_life(self, request: Request) -> Any:
        """Whether the process answers at all; checks nothing else."""
        return messages.Health("ok", __version__)

    @get("/metrics", str, media_type="text/plain", tag="server")
    async def read_metrics(self, request: Request) -> Any:
        """Metrics in the text format of Prometheus; with several workers, the sum and each
        worker's own."""
        text = self._application.metrics.text()
        cluster = self._application.cluster
        if cluster is not None:
            with suppress(StoreError):  # then only this worker's own
                text = merge_metrics([(cluster.name, text), *await cluster.metrics()])
        return Response(
            text,
            headers={"Cache-Control": "no-store"},
            media_type="text/plain; version=0.0.4; charset=utf-8",
        )


def _table_id(request: Request) -> str:
    table_id = str(request.path_params["id"])
    if not _TABLE_ID.fullmatch(table_id):
        raise Denied(404, "no_table", "there is no such table")
    return table_id


def _line(request: Request) -> tuple[int, list[int]]:
    """The event and the actions of a line."""
    number, actions = request.path_params["n"], request.path_params["actions"]
    if not (_NUMBER.fullmatch(number) and _LINE.fullmatch(actions)):
        raise Denied(404, "no_such_event", "there is no such event, or no such line of actions")
    return int(number), [int(action) for action in actions.split(",")]


def _token(request: Request) -> str | None:
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


def _language(request: Request) -> str:
    """The language of error messages: French if the browser prefers it, else English."""
    return "fr" if request.headers.get("accept-language", "").lower().startswith("fr") else "en"


@contextmanager
def _refusing(request: Request) -> Iterator[None]:
    """Translate refusals to the language of the caller."""
    try:
        yield
    except Refusal as refusal:
        raise TableRefused(refusal.say(_language(request))) from refusal


def _limit(rate: RatePerAddress, request: Request, what: str) -> None:
    wait = rate.wait(address_group(request.client.host if request.client else ""))
    if wait:
        raise too_many(what, wait)
