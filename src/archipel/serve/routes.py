"""The HTTP interface: every route of it in one table, and what each of them does."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from archipel import __version__
from archipel.serve import messages, openapi
from archipel.serve.addresses import is_loopback
from archipel.serve.figures import in_sum
from archipel.serve.games import describe_games, lessons_text, rules_text, sentences
from archipel.serve.limits import RatePerAddress, address_group
from archipel.serve.problems import Denied, too_many
from archipel.serve.puzzles import puzzles_text
from archipel.serve.routing import Parameter, Route
from archipel.serve.sharing import Shared
from archipel.store import StoreError

if TYPE_CHECKING:
    from archipel.serve.application import Application

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
_TABLE = Parameter("id", messages.TableId, "The table's name, as in its link.")
_NUMBER = re.compile(r"[0-9]{1,8}")
#: Up to eight actions, as numbers.
_LINE = re.compile(r"[0-9]{1,8}(,[0-9]{1,8}){0,7}")
_EVENT = Parameter("n", int, "The number of an event.")
_ACTIONS = Parameter("actions", str, "Actions by number, up to eight, with commas in between.")
_GAME = Parameter("game", str, "The name of a game, as `GET /api/games` lists them.")
_LANGUAGE = Parameter("language", messages.Language, "The language to read it in.")

_WITH_BODY = (400, 403, 413, 415)

#: How old the list of public tables may be, and what is known of the store's health.
_LIST_SECONDS = 1.0
_HEALTH_SECONDS = 2.0


class Routes:
    """The route table of one application."""

    def __init__(self, application: Application) -> None:
        self._application = application
        settings = application.settings
        self._new_tables = RatePerAddress(settings.tables, settings.most_addresses)
        self._joins = RatePerAddress(settings.joins, settings.most_addresses)
        #: What an address may do over all workers, by name.
        self.rates = {"tables": self._new_tables, "joins": self._joins}
        self._courses = RatePerAddress(settings.tables, settings.most_addresses)
        self._public = Shared(application.service.tables, _LIST_SECONDS)
        self._probe = Shared(application.store.probe, _HEALTH_SECONDS)
        self.table = self._table()

    def _table(self) -> tuple[Route, ...]:
        return (
            Route(
                "GET",
                "/api/games",
                "listGames",
                "The games that can be played, with their options and bots.",
                self.games,
                answer=list[messages.GameDescription],
                tag="games",
            ),
            Route(
                "GET",
                "/api/rules/{game}/{language}",
                "readRules",
                "The rules of a game.",
                self.rules,
                answer=messages.Rules,
                parameters=(_GAME, _LANGUAGE),
                problems=(404,),
                tag="games",
            ),
            Route(
                "GET",
                "/api/sentences/{game}/{language}",
                "readSentences",
                "All that a game says, by key: for a page that does not have its sentences.",
                self.sentences,
                answer=dict[str, str],
                parameters=(_GAME, _LANGUAGE),
                problems=(404,),
                tag="games",
            ),
            Route(
                "GET",
                "/api/lessons/{game}/{language}",
                "readLessons",
                "The lessons of a game, step by step, and what a guide says in a first game.",
                self.lessons,
                answer=messages.Lessons,
                parameters=(_GAME, _LANGUAGE),
                problems=(404,),
                tag="games",
            ),
            Route(
                "GET",
                "/api/puzzles/{game}",
                "readPuzzles",
                "The puzzles of a game, and their solutions.",
                self.puzzles,
                answer=messages.Puzzles,
                parameters=(_GAME,),
                problems=(404,),
                tag="games",
            ),
            Route(
                "GET",
                "/api/tables",
                "listTables",
                "Public tables, to watch; the latest first.",
                self.tables,
                answer=list[messages.TableLine],
                problems=(503,),
            ),
            Route(
                "POST",
                "/api/tables",
                "makeTable",
                "Set up a table and sit down at it; the answer holds the secret of the seat.",
                self.make_table,
                answer=messages.Seated,
                status=201,
                body=messages.NewTable,
                problems=(*_WITH_BODY, 409, 422, 503),
            ),
            Route(
                "GET",
                "/api/tables/{id}",
                "showTable",
                "Who sits at a table, what is played and how far it is.",
                self.show_table,
                answer=messages.Table,
                parameters=(_TABLE,),
                problems=(404, 409, 503),
            ),
            Route(
                "POST",
                "/api/tables/{id}/join",
                "joinTable",
                "Sit down in an open seat; the answer holds the secret of the seat.",
                self.join_table,
                answer=messages.Seated,
                status=201,
                body=messages.Join,
                parameters=(_TABLE,),
                problems=(*_WITH_BODY, 404, 409, 422, 503),
            ),
            Route(
                "GET",
                "/api/tables/{id}/position",
                "showPosition",
                "The position as the seat of the token sees it, or as a spectator does without one;"
                " null before the game begins.",
                self.position,
                answer=messages.Position | None,
                parameters=(_TABLE,),
                problems=(401, 404, 409, 503),
                token=True,
            ),
            Route(
                "GET",
                "/api/tables/{id}/record",
                "readRecord",
                "The record of a game that is over: every action and every outcome, to replay.",
                self.record,
                answer=str,
                media_type="text/plain",
                parameters=(_TABLE,),
                problems=(404, 409, 503),
            ),
            Route(
                "GET",
                "/api/tables/{id}/course",
                "readCourse",
                "Every position of a game that is over, in the form that engines read.",
                self.course,
                answer=messages.Course,
                parameters=(_TABLE,),
                problems=(404, 409, 503),
            ),
            Route(
                "GET",
                "/api/tables/{id}/lines/{n}/{actions}",
                "tellLine",
                "What actions are called that could have been played where an event was, one after"
                " the other, once the game is over.",
                self.line,
                answer=list[messages.Label],
                parameters=(_TABLE, _EVENT, _ACTIONS),
                problems=(404, 409, 503),
            ),
            Route(
                "GET",
                "/api/tables/{id}/socket",
                "playAtTable",
                "The WebSocket to play and watch through.",
                self.socket_without_upgrade,
                status=101,
                parameters=(_TABLE,),
                problems=(403, 404, 426, 503),
            ),
            Route(
                "GET",
                "/api/addresses",
                "listAddresses",
                "For a page that was opened as localhost: the addresses to hand on to other"
                " devices, the likeliest first. To all others nothing: their own is right.",
                self.addresses,
                answer=list[str],
                tag="server",
            ),
            Route(
                "GET",
                "/api/openapi.json",
                "describeInterface",
                "This description.",
                self.description,
                answer=dict[str, Any],
                tag="server",
            ),
            Route(
                "GET",
                "/health",
                "checkHealth",
                "Whether the server takes requests, can read its tables and keep what happens.",
                self.health,
                answer=messages.Health,
                problems=(503,),
                tag="server",
            ),
            Route(
                "GET",
                "/ready",
                "checkReadiness",
                "Whether to send players here: as /health, and news of other workers is heard.",
                self.ready,
                answer=messages.Health,
                problems=(503,),
                tag="server",
            ),
            Route(
                "GET",
                "/live",
                "checkLife",
                "Whether the process answers at all; nothing else is asked.",
                self.live,
                answer=messages.Health,
                tag="server",
            ),
            Route(
                "GET",
                "/metrics",
                "readMetrics",
                "Numbers about the server, in the text form of Prometheus; of several workers in"
                " sum, and of each.",
                self.metrics,
                answer=str,
                media_type="text/plain",
                tag="server",
            ),
        )

    # ---- games ----------------------------------------------------------------------------------

    async def games(self, request: Request, body: None) -> Any:
        return describe_games(self._application.bots_of, self._application.engines.address)

    async def rules(self, request: Request, body: None) -> Any:
        return rules_text(request.path_params["game"], request.path_params["language"])

    async def sentences(self, request: Request, body: None) -> Any:
        return sentences(request.path_params["game"], request.path_params["language"])

    async def lessons(self, request: Request, body: None) -> Any:
        return lessons_text(request.path_params["game"], request.path_params["language"])

    async def puzzles(self, request: Request, body: None) -> Any:
        return puzzles_text(request.path_params["game"])

    # ---- tables ---------------------------------------------------------------------------------

    async def tables(self, request: Request, body: None) -> Any:
        return await self._public.get()

    async def make_table(self, request: Request, body: messages.NewTable) -> Any:
        _limit(self._new_tables, request, "new tables")
        return await self._application.service.create(body, language=_language(request))

    async def show_table(self, request: Request, body: None) -> Any:
        return await self._application.service.table(_table_id(request))

    async def join_table(self, request: Request, body: messages.Join) -> Any:
        table_id = _table_id(request)
        _limit(self._joins, request, "attempts to sit down")
        return await self._application.service.join(table_id, body, language=_language(request))

    async def position(self, request: Request, body: None) -> Any:
        service = self._application.service
        table_id, token = _table_id(request), _token(request)
        if token is not None:
            # A token can be guessed at; an attempt counts like one to sit down.
            _limit(self._joins, request, "attempts with a token")
        who = await service.identify(table_id, token, language=_language(request))
        return await service.position(who)

    async def record(self, request: Request, body: None) -> Any:
        table_id = _table_id(request)
        text = await self._application.service.record(table_id, language=_language(request))
        return PlainTextResponse(
            text,
            headers={
                "Cache-Control": "no-store",
                "Content-Disposition": f'attachment; filename="archipel-{table_id}.txt"',
            },
        )

    async def course(self, request: Request, body: None) -> Any:
        table_id = _table_id(request)
        _limit(self._courses, request, "analyses")
        return await self._application.service.course(table_id, language=_language(request))

    async def line(self, request: Request, body: None) -> Any:
        number, actions = request.path_params["n"], request.path_params["actions"]
        if not (_NUMBER.fullmatch(number) and _LINE.fullmatch(actions)):
            raise Denied(404, "no_such_event", "there is no such event, or no such line of actions")
        return await self._application.service.line(
            _table_id(request),
            int(number),
            [int(action) for action in actions.split(",")],
            language=_language(request),
        )

    async def socket_without_upgrade(self, request: Request, body: None) -> Any:
        _table_id(request)
        raise Denied(
            426,
            "websocket",
            "this address speaks WebSocket",
            headers={"Upgrade": "websocket", "Connection": "Upgrade"},
        )

    # ---- server ---------------------------------------------------------------------------------

    async def addresses(self, request: Request, body: None) -> Any:
        if not is_loopback(request.headers.get("host", "")):
            return []
        # Asking the system for its names can take a while.
        found = await asyncio.to_thread(self._application.elsewhere)
        return [*self._application.settings.origins, *(each.rstrip("/") for each in found)]

    async def description(self, request: Request, body: None) -> Any:
        return openapi.describe(self.table)

    async def health(self, request: Request, body: None) -> Any:
        if self._application.stopping:
            raise Denied(503, "stopping", "the server is stopping")
        await self._application.store.tables(limit=1)
        await self._probe.get()
        return messages.Health("ok", __version__)

    async def ready(self, request: Request, body: None) -> Any:
        company = self._application.company
        if company is not None and not company.bus.is_open:
            raise Denied(503, "unavailable", "news of other workers is not heard")
        return await self.health(request, body)

    async def live(self, request: Request, body: None) -> Any:
        return messages.Health("ok", __version__)

    async def metrics(self, request: Request, body: None) -> Any:
        text = self._application.metrics.text()
        company = self._application.company
        if company is not None:
            with suppress(StoreError):  # then only our own
                text = in_sum([(company.name, text), *await company.figures()])
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


def _token(request: Request) -> str | None:
    """The secret of a seat, from the Authorization header and nowhere else."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    try:
        if scheme.lower() != "bearer":
            raise msgspec.ValidationError
        return msgspec.convert(token.strip(), messages.Token)
    except msgspec.ValidationError:
        raise Denied(
            401,
            "not_seated",
            "the Authorization header must be: Bearer and the secret of a seat",
            headers={"WWW-Authenticate": "Bearer"},
        ) from None


def _language(request: Request) -> str:
    """The language to refuse in: French where the browser prefers it, else English."""
    return "fr" if request.headers.get("accept-language", "").lower().startswith("fr") else "en"


def _limit(rate: RatePerAddress, request: Request, what: str) -> None:
    wait = rate.wait(address_group(request.client.host if request.client else ""))
    if wait:
        raise too_many(what, wait)
