"""The part of the HTTP API that concerns clubs, where the host offers them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from archipel.clubs import messages
from archipel.clubs.service import ClubService
from archipel.serve.api.http_errors import Denied
from archipel.serve.api.route import ApiRequest, Download, Parameter, get, post
from archipel.serve.api.table_routes import PARAMETERS, language_of, table_id_of, token_of
from archipel.tables import commands
from archipel.tables.publishing.payloads import Seated

CLUB_PARAMETERS = {
    **PARAMETERS,
    "id": Parameter("id", commands.TableId, "The club's id, as in its link."),
    "table": Parameter("table", commands.TableId, "A table of the club."),
    "key": Parameter("key", str, "The secret of the club's feeds, as its members see it."),
    "tournament": Parameter("tournament", int, "The number of a tournament, from 0."),
}
_NUMBER = re.compile(r"[0-9]{1,5}")
_FRESH = {"Cache-Control": "private, max-age=300"}
_MEMBERS: dict[str, Any] = {"token": True, "tag": "clubs"}


class ClubRoutes:
    """The routes of the clubs of one application; a member's token is in the Authorization header.

    ``limit`` counts a request to the limit of its address, by the limit's name.
    """

    def __init__(self, clubs: ClubService, limit: Callable[[str, ApiRequest], None]) -> None:
        self._clubs = clubs
        self._limit = limit

    @post("/api/clubs", messages.NewClub, messages.Membership, (422, 503), tag="clubs")
    async def open_club(self, request: ApiRequest, body: messages.NewClub) -> Any:
        """Open a club; the answer contains your token as its owner."""
        self._limit("new tables", request)
        return await self._clubs.open(body, language_of(request))

    @post(
        "/api/clubs/{id}/join",
        messages.JoinClub,
        messages.Membership,
        (404, 409, 422, 503),
        tag="clubs",
    )
    async def join_club(self, request: ApiRequest, body: messages.JoinClub) -> Any:
        """Become a member with the secret of the club's link; the answer contains your token."""
        self._limit("attempts to sit down", request)
        return await self._clubs.join(table_id_of(request), body, language_of(request))

    @get("/api/clubs/{id}", messages.ClubShown, (401, 404, 409, 503), **_MEMBERS)
    async def show_club(self, request: ApiRequest) -> Any:
        """The club: members, proposals, tables, results and tournaments."""
        return await self._clubs.show(*self._member(request))

    @post(
        "/api/clubs/{id}/commands",
        messages.ClubCommand,
        messages.ClubShown | None,
        (401, 404, 409, 422, 503),
        status=200,
        **_MEMBERS,
    )
    async def change_club(self, request: ApiRequest, body: messages.ClubCommand) -> Any:
        """Do something as a member; the answer is the club afterwards, null if you left it or it
        is deleted."""
        club, token, language = self._member(request)
        return await self._clubs.command(club, token, body, language)

    @post(
        "/api/clubs/{id}/tables",
        messages.OpenClubTable,
        Seated,
        (401, 404, 409, 422, 503),
        **_MEMBERS,
    )
    async def open_club_table(self, request: ApiRequest, body: messages.OpenClubTable) -> Any:
        """Open a table for a proposal or for your game of a tournament, and sit down at it."""
        self._limit("new tables", request)
        club, token, language = self._member(request)
        return await self._clubs.open_table(club, token, body, language)

    @post(
        "/api/clubs/{id}/tables/{table}/join",
        messages.SitDown,
        Seated,
        (401, 404, 409, 422, 503),
        **_MEMBERS,
    )
    async def join_club_table(self, request: ApiRequest, body: messages.SitDown) -> Any:
        """Sit down at a table of the club."""
        self._limit("attempts to sit down", request)
        club, token, language = self._member(request)
        table = str(request.path_params["table"])
        return await self._clubs.sit_down(club, token, table, body, language)

    @get("/api/clubs/{id}/export", dict[str, Any], (401, 404, 503), **_MEMBERS)
    async def export_club(self, request: ApiRequest) -> Any:
        """The whole club as JSON: members, results, ratings, tournaments."""
        self._limit("analyses", request)
        club, token, language = self._member(request)
        return msgspec.Raw(await self._clubs.export(club, token, language))

    @get(
        "/api/clubs/{id}/results",
        str,
        (401, 404, 503),
        media_type="text/plain",
        **_MEMBERS,
    )
    async def export_results(self, request: ApiRequest) -> Any:
        """All results of the club as CSV, a row for each seat of each game."""
        self._limit("analyses", request)
        club, token, language = self._member(request)
        text = await self._clubs.export_results(club, token, language)
        return Download(f"archipel-{club}.csv", text)

    @get(
        "/api/clubs/{id}/feeds/{key}/results",
        str,
        (404, 503),
        media_type="application/atom+xml",
        tag="clubs",
    )
    async def read_feed(self, request: ApiRequest) -> Any:
        """The results of the club as an Atom feed."""
        self._limit("analyses", request)
        club, key, language = table_id_of(request), _key_of(request), language_of(request)
        address = str(cast(Request, request).base_url).rstrip("/")
        text = await self._clubs.feed(club, key, address, language)
        return Response(text, media_type="application/atom+xml", headers=_FRESH)

    @get(
        "/api/clubs/{id}/feeds/{key}/tournaments/{tournament}",
        str,
        (404, 503),
        media_type="text/calendar",
        tag="clubs",
    )
    async def read_calendar(self, request: ApiRequest) -> Any:
        """The rounds of a tournament as an iCalendar file."""
        self._limit("analyses", request)
        club, key, language = table_id_of(request), _key_of(request), language_of(request)
        number = str(request.path_params["tournament"])
        if not _NUMBER.fullmatch(number):
            raise Denied(404, "no_tournament", "there is no such tournament")
        text = await self._clubs.calendar(club, key, int(number), language)
        return Response(text, media_type="text/calendar", headers=_FRESH)

    def _member(self, request: ApiRequest) -> tuple[str, str, str]:
        """The club, the token of the member and their language."""
        club, token = table_id_of(request), token_of(request)
        if token is None:
            raise Denied(401, "no_member_here", "the Authorization header holds no token")
        return club, token, language_of(request)


def _key_of(request: ApiRequest) -> str:
    """The secret of the feeds, which is at most as long as any token."""
    return str(request.path_params["key"])[:64]
