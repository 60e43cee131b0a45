"""The server as an ASGI application: its routes, limits, start and shutdown."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Match, WebSocketRoute
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from archipel.notices.channels import Channels
from archipel.notices.courier import Courier
from archipel.profiles.profiles import Profiles
from archipel.rules.all_games import games
from archipel.serve.api import game_content
from archipel.serve.api.connection import Connection
from archipel.serve.api.endpoint import endpoint_of, problem_response
from archipel.serve.api.http_errors import Denied, denied_by, too_many
from archipel.serve.api.routes import ARRIVALS, Routes
from archipel.serve.api.table_routes import language_of, table_id_of
from archipel.serve.engine_files import EngineFiles
from archipel.serve.garbage_collection import infrequent_collection
from archipel.serve.logs import RequestLog, log
from archipel.serve.metrics import Metrics
from archipel.serve.pictures import (
    EMBED_POLICY,
    CardCache,
    Sight,
    can_draw_cards,
    embedded_page,
    png_of,
    puzzle_card,
    table_card,
    with_card,
)
from archipel.serve.rate_limits import CountPerAddress, RatePerAddress, SharedLimits, address_group
from archipel.serve.rendezvous import Rendezvous
from archipel.serve.security import (
    KnownHosts,
    OpenToSites,
    SecurityHeaders,
    content_security_policy,
    names_of,
    origin_allowed,
)
from archipel.serve.settings import Settings
from archipel.serve.static_files import (
    ASK_AGAIN,
    DOCUMENTS_ADDRESS,
    SITE_ADDRESS,
    ClientFiles,
    DocumentFiles,
    SiteFiles,
)
from archipel.store.errors import StoreError
from archipel.store.postgresql.cluster import Cluster
from archipel.store.protocol import EventStore
from archipel.store.sql_store import SqlStore
from archipel.tables import TableRefused, TableService
from archipel.tables.bots.players import bots_for

if TYPE_CHECKING:
    from archipel.clubs.service import ClubService

#: The paths of the client's pages, as in `client/src/lib/route.svelte.ts`. The client also answers
#: all other paths, with a page that says so and status 404.
_PAGE = re.compile(
    r"|you/?|operator/?|privacy/?|record/?|shared/?|t/[A-Za-z0-9_-]{8,32}/?"
    r"|puzzles(/(?P<game>[a-z0-9-]{1,40}))?/?"
    r"|daily/?|clubs/?|(deal|club)/[A-Za-z0-9_-]{8,32}/?"
)

_MOMENT = re.compile(r"[0-9]{1,8}")

#: Time limit for the last answers at shutdown.
_DRAIN_SECONDS = 1.5

#: What a wrong address costs, in pages.
_WRONG_ADDRESS = 10

_SAFE = ("GET", "HEAD", "OPTIONS")


class Application:
    """Serves the tables of a store, and closes the store at the end."""

    def __init__(
        self,
        store: EventStore,
        settings: Settings,
        client: ClientFiles,
        service: TableService | None = None,
        bots_of: Callable[[str], Sequence[str]] = bots_for,
        elsewhere: Callable[[], Sequence[str]] = lambda: (),
        documents: DocumentFiles | None = None,
        cluster: Cluster | None = None,
        engines: EngineFiles | None = None,
    ) -> None:
        """``elsewhere`` returns the addresses for other devices; ``cluster`` are the workers on the
        same database."""
        self.cluster = cluster
        self.store = store
        self.settings = settings
        self.service = service or TableService(store)
        self.profiles = (
            Profiles(store, self.service.clock, refused_names=settings.people.refused_names)
            if isinstance(store, SqlStore)
            else None
        )
        self.channels = self.courier = None
        if self.profiles is not None:
            self.channels = Channels(self.profiles, settings.people)
            self.courier = Courier(self.profiles, self.channels)
            self.service.ask_for_vacations(self.profiles.vacation_of)
        self.metrics = Metrics()
        self.stopping = False
        self.site = None if settings.site is None else SiteFiles(settings.site)
        self.client = client if self.site is None else client.naming_site()
        self.documents = documents or DocumentFiles()
        self.bots_of = bots_of
        self.elsewhere = elsewhere
        self.engines = engines or EngineFiles({})
        self._connections: set[Connection] = set()
        self._no_connections = asyncio.Event()
        self._proxy_noticed = False
        self._cards = CardCache()
        self._drawing = asyncio.Lock()
        self._sockets = CountPerAddress(settings.sockets_per_address, settings.most_sockets)
        self._requests = RatePerAddress(settings.requests, settings.most_addresses)
        self._pages = RatePerAddress(settings.pages, settings.most_addresses)
        self._new_sockets = RatePerAddress(settings.new_sockets, settings.most_addresses)
        self.messages = RatePerAddress(settings.all_messages, settings.most_addresses)
        self.frames = RatePerAddress(settings.all_frames, settings.most_addresses)
        self.rendezvous = Rendezvous(settings, self.frames)
        self.routes = Routes(self)
        self._limits: SharedLimits | None = None
        if cluster is not None:
            rates = {
                "requests": self._requests,
                "pages": self._pages,
                "new_sockets": self._new_sockets,
                "messages": self.messages,
                "frames": self.frames,
                **self.routes.rates,
            }
            self._limits = SharedLimits(cluster, rates, self._sockets)
        self._add_gauges()
        self.starlette = Starlette(
            routes=self._all_routes(),
            exception_handlers=dict.fromkeys(
                (Denied, TableRefused, StoreError, HTTPException, Exception), self._on_error
            ),
            lifespan=self._lifespan,
        )
        self.starlette.user_middleware = [
            Middleware(RequestLog, metrics=self.metrics, router=self.starlette.router)
        ]
        if settings.trusted_proxies:
            trusted = Middleware(
                ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies)
            )
            self.starlette.user_middleware.insert(0, trusted)
        policy = content_security_policy(client.inline_scripts, client.inline_styles)
        names = (*settings.hosts, *names_of(settings.origins))
        known = KnownHosts(self.starlette, names, self.metrics)
        self._application = SecurityHeaders(OpenToSites(known, ARRIVALS), policy)

    def clubs(self) -> "ClubService":
        """The clubs in the store of the tables."""
        from archipel.clubs.ladder import bot_points
        from archipel.clubs.service import ClubService

        return ClubService(
            self.store,
            self.service,
            clock=self.service.clock,
            randomness=secrets.token_bytes,
            ladder=bot_points(),
            refused_names=self.settings.people.refused_names,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _has_two_lengths(scope):
            await _two_lengths()(scope, receive, send)
        else:
            await self._application(scope, receive, send)

    # ---- life -----------------------------------------------------------------------------------

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.service.start()
        limits = self._limits
        exchanging = None if limits is None else asyncio.create_task(limits.keep_exchanging())
        if self.courier is not None:
            self.courier.start()
        log.info("started")
        try:
            with infrequent_collection():
                yield
        finally:
            if exchanging is not None:
                exchanging.cancel()
            await self.drain()
            if self.courier is not None:
                await self.courier.stop()
            self.engines.stop()
            await self.service.stop()
            await self.store.close()
            log.info("stopped")

    async def drain(self) -> None:
        """Accept no more requests, finish the current ones, then close every socket.

        Requests that take longer are dropped; they were not acknowledged.
        """
        self.stopping = True
        for connection in list(self._connections):
            connection.stop(1012)
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                while self._connections:
                    self._no_connections.clear()
                    await self._no_connections.wait()

    # ---- routes ---------------------------------------------------------------------------------

    def _all_routes(self) -> Sequence[BaseRoute]:
        methods: dict[str, dict[str, Callable[[Request], Awaitable[Response]]]] = {}
        for route in self.routes.table:
            endpoint = endpoint_of(route, self.settings.largest_body)
            endpoint = self._guarded(endpoint, any_origin=route.path == ARRIVALS)
            methods.setdefault(route.path, {})[route.method] = endpoint
        rendezvous = WebSocketRoute("/api/rendezvous/{room}", self._rendezvous_socket)
        return [
            WebSocketRoute("/api/tables/{id}/socket", self._socket),
            *([rendezvous] if self.settings.rendezvous else []),
            *(_one_path(path, endpoints) for path, endpoints in methods.items()),
            StarletteRoute("/api/{rest:path}", self._no_such_address),
            *(self._preview_routes() if self.settings.previews else []),
            StarletteRoute(DOCUMENTS_ADDRESS, self._document, methods=["GET"]),
            StarletteRoute(f"{DOCUMENTS_ADDRESS}/{{path:path}}", self._document, methods=["GET"]),
            *self._site_routes(),
            StarletteRoute("/{path:path}", self._page, methods=["GET"]),
        ]

    def _preview_routes(self) -> list[BaseRoute]:
        """Boards for frames of other sites, and image cards where they can be drawn."""
        embedded = StarletteRoute("/embed/t/{id}", self._embedded, methods=["GET"])
        if not can_draw_cards():
            return [embedded]
        return [
            embedded,
            StarletteRoute("/cards/t/{id}.png", self._card, methods=["GET"]),
            StarletteRoute("/cards/t/{id}/{n:int}.png", self._card, methods=["GET"]),
            StarletteRoute("/cards/puzzles/{game}/{number:int}.png", self._puzzle_card),
        ]

    def _site_routes(self) -> Iterator[StarletteRoute]:
        site = self.site
        if site is None:
            return

        async def answer(request: Request) -> Response:
            found = site.answer(request, request.path_params.get("path", ""))
            self._charge_page(request, _WRONG_ADDRESS if found is None else 1)
            return found or self.client.page(request, 404)

        for path in (SITE_ADDRESS, f"{SITE_ADDRESS}/{{path:path}}"):
            yield StarletteRoute(path, answer, methods=["GET"])

    def _guarded(
        self, endpoint: Callable[[Request], Awaitable[Response]], *, any_origin: bool
    ) -> Callable[[Request], Awaitable[Response]]:
        """Add the checks of every API request to an endpoint."""
        safe = (*_SAFE, "POST") if any_origin else _SAFE

        async def guarded(request: Request) -> Response:
            if request.method not in safe and not origin_allowed(request, self.settings.origins):
                raise _foreign_page()
            self._notice_unknown_proxy(request)
            wait = self._requests.wait(_address(request.client))
            if wait:
                raise too_many("requests", wait)
            return await endpoint(request)

        return guarded

    def _notice_unknown_proxy(self, request: Request) -> None:
        """Warn once: behind an untrusted proxy all players share the limits of one address."""
        if self._proxy_noticed or self.settings.trusted_proxies:
            return
        if "x-forwarded-for" in request.headers:
            self._proxy_noticed = True
            log.warning("requests come through an unknown proxy: see --trusted-proxy")

    async def _no_such_address(self, request: Request) -> Response:
        self._charge_page(request, _WRONG_ADDRESS)
        for route in self.starlette.routes:
            if (
                isinstance(route, StarletteRoute)
                and route.matches(request.scope)[0] is Match.PARTIAL
            ):
                raise HTTPException(405, headers={"Allow": ", ".join(sorted(route.methods or ()))})
        raise Denied(404, "no_address", "the API has no such address: see /api/openapi.json")

    async def _page(self, request: Request) -> Response:
        path: str = request.path_params["path"]
        file = self.client.find(path) or self.engines.find(path)
        if file is not None:
            self._charge_page(request)
            return file.answer(request)
        is_page = _is_page(path)
        self._charge_page(request, 1 if is_page else _WRONG_ADDRESS)
        if is_page and self.settings.previews and self.client.built and can_draw_cards():
            card = _card_of(path, request.query_params.get("n", ""))
            if card:
                return self._page_with_card(request, card)
        return self.client.page(request, 200 if is_page else 404)

    def _page_with_card(self, request: Request, card: str) -> Response:
        """The client's page with a preview for links to it."""
        base = str(request.base_url).rstrip("/")
        content = self.client.files["index.html"].content
        page = with_card(content, f"{base}{card}", "Archipel", str(request.url).split("?")[0])
        return HTMLResponse(page, headers={"Cache-Control": ASK_AGAIN})

    async def _embedded(self, request: Request) -> Response:
        """A read-only board that other pages may show in a frame."""
        self._charge_page(request)
        language = language_of(request)
        table_id = table_id_of(request)
        sight = Sight(*await self.service.drawing(table_id, language=language))
        address = f"{str(request.base_url).rstrip('/')}/t/{table_id}"
        headers = {
            "Content-Security-Policy": EMBED_POLICY,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "X-Frame-Options": "",
            "Cache-Control": "no-store",
            "Vary": "Accept-Language",
        }
        return HTMLResponse(embedded_page(sight, address, language), headers=headers)

    async def _card(self, request: Request) -> Response:
        """The image card of a table, or of one of its moments."""
        self._charge_page(request)
        language, table_id = language_of(request), table_id_of(request)
        n = request.path_params.get("n")
        sight = Sight(*await self.service.drawing(table_id, n=n, language=language))
        names = tuple(seat.name for seat in sight.table.seats)
        key = (table_id, sight.n if n is None else n, sight.table.stage, names, language)
        return await self._drawn(request, key, lambda: table_card(sight, language))

    async def _puzzle_card(self, request: Request) -> Response:
        self._charge_page(request)
        language, game = language_of(request), request.path_params["game"]
        number = request.path_params["number"]
        drawing = game_content.puzzle_drawing(game, number, language)
        return await self._drawn(
            request,
            ("puzzle", game, number, language),
            lambda: puzzle_card(game, number, drawing, language),
        )

    async def _drawn(
        self, request: Request, key: tuple[object, ...], draw: Callable[[], str]
    ) -> Response:
        png = self._cards.get(key)
        if png is None:
            self.routes.limit("analyses", request)
            async with self._drawing:  # one at a time
                png = self._cards.get(key)
                if png is None:
                    png = await asyncio.to_thread(lambda: png_of(draw()))
                    self._cards.put(key, png)
        headers = {
            "Cache-Control": "public, max-age=60",
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Vary": "Accept-Language",
        }
        return Response(png, media_type="image/png", headers=headers)

    async def _document(self, request: Request) -> Response:
        self._charge_page(request)
        return self.documents.answer(request, request.path_params.get("path", ""))

    def _charge_page(self, request: Request, amount: float = 1) -> None:
        wait = self._pages.wait(_address(request.client), amount)
        if wait:
            raise too_many("requests", wait)

    async def _socket(self, socket: WebSocket) -> None:
        address = _address(socket.client)
        own_page = origin_allowed(socket, self.settings.origins)
        denied = self._admit(address) if own_page else _foreign_page()
        if denied is None:
            denied = self._opened_too_often(address)
        if denied is not None:
            await self._deny(socket, denied)
            return
        await socket.accept()
        connection = Connection(socket, address, self)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self._sockets.leave(address)
            if not self._connections:
                self._no_connections.set()

    async def _rendezvous_socket(self, socket: WebSocket) -> None:
        """For pages of any origin: static sites have no server of their own."""
        address = _address(socket.client)
        denied = self._admit(address) or self._opened_too_often(address)
        if denied is not None:
            await self._deny(socket, denied)
            return
        try:
            await socket.accept()
            await self.rendezvous.serve(socket, address)
        finally:
            self._sockets.leave(address)

    def _opened_too_often(self, address: str) -> Denied | None:
        wait = self._new_sockets.wait(address)
        if wait:
            self._sockets.leave(address)
        return too_many("sockets opened", wait) if wait else None

    async def _deny(self, socket: WebSocket, denied: Denied) -> None:
        self.metrics.refusals.add(code=denied.problem.code)
        await socket.send_denial_response(problem_response(denied))

    def _admit(self, address: str) -> Denied | None:
        """The error that refuses a socket; None admits and counts it."""
        if self.stopping:
            return Denied(503, "stopping", "the server is stopping", headers={"Retry-After": "2"})
        if not self._sockets.enter(address):
            log.warning("too many sockets", extra={"facts": {"address": address}})
            return too_many("connections", 10)
        return None

    # ---- errors and metrics ---------------------------------------------------------------------

    async def _on_error(self, _: Request, error: Exception) -> Response:
        denied = _not_routed(error) if isinstance(error, HTTPException) else denied_by(error)
        if denied.status == 500 or isinstance(error, StoreError):
            self.metrics.errors.add()
            what = "the store failed" if isinstance(error, StoreError) else "a request failed"
            log.error(what, exc_info=error)
        if denied.status != 500:
            self.metrics.refusals.add(code=denied.problem.code)
        return problem_response(denied)

    def _add_gauges(self) -> None:
        if self.cluster is not None:
            bus, gauge = self.cluster.bus, self.metrics.gauge
            gauge("bus_lag_seconds", "Round-trip time of the last heartbeat.", lambda: bus.lag)
            gauge("bus_open", "Whether the bus is connected.", lambda: bus.is_open)
            gauge("bus_openings", "Number of connections of the bus.", lambda: bus.openings)
        if self.courier is not None:
            for result in ("sent", "failed", "gone"):
                about = f"Notices of turns by days: {result}."
                self.metrics.gauge(f"notices_{result}", about, partial(self.courier.count, result))
        self.metrics.gauge("sockets", "Open WebSockets.", self._connections.__len__)
        self.metrics.gauge("rendezvous_rooms", "Rooms of the rendezvous.", self.rendezvous.__len__)
        self.metrics.table_gauges(self.service.statistics)


def _one_path(
    path: str, endpoints: dict[str, Callable[[Request], Awaitable[Response]]]
) -> StarletteRoute:
    """One route for all methods of a path, so that a 405 response lists all of them."""

    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" and "HEAD" not in endpoints else request.method
        return await endpoints[method](request)

    return StarletteRoute(path, endpoint, methods=list(endpoints))


def _is_page(path: str) -> bool:
    found = _PAGE.fullmatch(path)
    game = found and found["game"]
    return found is not None and (game is None or any(game == each.name for each in games()))


def _card_of(path: str, moment: str) -> str:
    """The path of the image card of a page; empty if it has none. Links to a moment of a table
    have the number of its event in the query, too: fragments are not sent."""
    page, _, rest = path.rstrip("/").partition("/")
    if page == "t":
        n = f"/{moment}" if _MOMENT.fullmatch(moment) else ""
        return f"/cards/t/{rest}{n}.png"
    return f"/cards/puzzles/{rest}/1.png" if page == "puzzles" and rest else ""


def _has_two_lengths(scope: Scope) -> bool:
    """Whether a request has both headers that say how long its body is: a proxy in front may
    believe the other one, and take the rest for a request of somebody else."""
    names = {name for name, _ in scope.get("headers", ())}
    return b"content-length" in names and b"transfer-encoding" in names


def _two_lengths() -> Response:
    message = "a request has Content-Length or Transfer-Encoding, not both"
    return problem_response(Denied(400, "malformed", message, headers={"Connection": "close"}))


def _not_routed(error: HTTPException) -> Denied:
    code = {404: "no_address", 405: "method"}.get(error.status_code, "http")
    return Denied(error.status_code, code, error.detail, headers=error.headers)


def _foreign_page() -> Denied:
    return Denied(403, "origin", "pages of other sites may not do this")


def _address(client: object) -> str:
    return address_group(str(getattr(client, "host", "")))
