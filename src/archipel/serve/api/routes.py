"""The HTTP API: all routes and their handlers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from archipel import __version__
from archipel.serve.api import game_content, messages, openapi
from archipel.serve.api.caching import CachedCall
from archipel.serve.api.http_errors import Denied, too_many
from archipel.serve.api.notice_routes import NoticeRoutes
from archipel.serve.api.route import ApiRequest, get, post, routes_of
from archipel.serve.api.table_routes import PARAMETERS, TableRoutes, language_of, table_id_of
from archipel.serve.metrics import merge_metrics
from archipel.serve.rate_limits import RatePerAddress, address_group
from archipel.serve.static_files import ASK_AGAIN, File, packed_file
from archipel.serve.transport.listening import is_loopback
from archipel.store.errors import StoreError
from archipel.tables.arrivals import LARGEST_FILE

if TYPE_CHECKING:
    from archipel.serve.application import Application

#: For how long the result of a health check is reused.
_HEALTH_SECONDS = 2.0
#: Time limit of a health check.
_HEALTH_LIMIT_SECONDS = 3.0

#: Where pages of static sites send tables that continue here.
ARRIVALS = "/api/arrivals"

#: RFC 9116 recommends less than a year.
_CONTACT_VALID = timedelta(days=180)


class Routes(TableRoutes, NoticeRoutes):
    """The routes of one application."""

    def __init__(self, application: Application) -> None:
        TableRoutes.__init__(self, application.service)
        NoticeRoutes.__init__(
            self,
            application.service,
            application.profiles,
            application.channels,
            application.courier,
        )
        self._application = application
        settings = application.settings
        new_tables = RatePerAddress(settings.tables, settings.most_addresses)
        joins = RatePerAddress(settings.joins, settings.most_addresses)
        new_profiles = RatePerAddress(settings.profiles, settings.most_addresses)
        proofs = RatePerAddress(settings.proofs, settings.most_addresses)
        channels = RatePerAddress(settings.profiles, settings.most_addresses)
        analyses = RatePerAddress(settings.tables, settings.most_addresses)
        #: Rate limits that all workers share, by name.
        self.rates = {
            "tables": new_tables,
            "joins": joins,
            "profiles": new_profiles,
            "proofs": proofs,
        }
        self._limits = {
            "new tables": new_tables,
            "attempts to sit down": joins,
            "attempts with a token": joins,
            "analyses": analyses,
            "records": analyses,
            "new profiles": new_profiles,
            "attempts to sign in": proofs,
            "new channels": channels,
        }
        self._probe = CachedCall(application.store.probe, _HEALTH_SECONDS)
        self.table = tuple(routes_of(self, PARAMETERS))
        if settings.clubs:
            # Imported where it is used: clubs need a library that others do without.
            from archipel.serve.api.club_routes import CLUB_PARAMETERS, ClubRoutes

            clubs = ClubRoutes(application.clubs(), self.limit)
            self.table += tuple(routes_of(clubs, CLUB_PARAMETERS))

    def limit(self, what: str, request: ApiRequest) -> None:
        client = cast(Request, request).client
        wait = self._limits[what].wait(address_group(client.host if client else ""))
        if wait:
            raise too_many(what, wait)

    def wait_for_password(self, request: Request) -> float:
        client = request.client
        address = address_group(client.host if client else "")
        return self._limits["attempts to sign in"].wait(address)

    @get("/api/games", list[messages.GameDescription], tag="games")
    async def list_games(self, request: Request) -> Any:
        """All games, with their options and bots."""
        return game_content.describe_games(
            self._application.bots_of, self._application.engines, self._service.daily_deals()
        )

    @get("/api/offers", messages.Offers, tag="server")
    async def list_offers(self, request: Request) -> Any:
        """What the host offers besides tables."""
        settings = self._application.settings
        return messages.Offers(settings.clubs, settings.previews)

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

    @get("/api/tables/{id}/socket", None, (403, 404, 426, 503), status=101)
    async def play_at_table(self, request: Request) -> Any:
        """The WebSocket to play and watch through."""
        table_id_of(request)
        raise Denied(
            426,
            "websocket",
            "this address speaks WebSocket",
            headers={"Upgrade": "websocket", "Connection": "Upgrade"},
        )

    @post(
        ARRIVALS,
        messages.ArrivingTable,
        messages.Arrived,
        (409, 422, 503),
        largest_body=2 * LARGEST_FILE,
    )
    async def take_table(self, request: Request, body: messages.ArrivingTable) -> Any:
        """Take over a table that began on a player's device, if this server does so. Pages of any
        site may ask. A repeat adds the events since the first request."""
        if not self._application.settings.takes_tables:
            raise Denied(403, "takes_no_tables", "this server takes no tables of other devices")
        self.limit("new tables", request)
        if len(body.file) > LARGEST_FILE:
            raise Denied(413, "too_large", f"the file is larger than {LARGEST_FILE} bytes")
        return messages.Arrived(await self._service.take_over(body.file, language_of(request)))

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
