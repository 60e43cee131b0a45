"""The part of the HTTP API that concerns games by days: one's tables, vacation and notices."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import structs
from starlette.requests import Request

from archipel.notices import messages, push
from archipel.notices.channels import Channels, Details, Habits
from archipel.notices.courier import Courier
from archipel.notices.operator import report
from archipel.notices.settings import ChannelKind
from archipel.profiles.profiles import ProfileRefused, Profiles, Signed
from archipel.serve.api.http_errors import Denied, denied_by, too_many
from archipel.serve.api.profile_routes import OPEN, OWN, ProfileRoutes
from archipel.serve.api.route import get, post
from archipel.serve.api.table_routes import language_of
from archipel.tables import TableRefused, TableService

#: How many tables are shown, the latest first.
_MOST_TABLES = 60
_OPERATOR = "archipel-operator"
_HOST: dict[str, Any] = {"tag": "server", "operator": True, "status": 200}


class NoticeRoutes(ProfileRoutes):
    """The routes of notices; nothing is sent without a ``courier``."""

    def __init__(
        self,
        service: TableService,
        profiles: Profiles | None,
        channels: Channels | None,
        courier: Courier | None,
    ) -> None:
        super().__init__(service, profiles)
        self._channels_of_all = channels
        self._courier_of_all = courier

    @property
    def _channels(self) -> Channels:
        if self._channels_of_all is None:
            raise ProfileRefused("no_profiles")
        return self._channels_of_all

    # ---- my tables ------------------------------------------------------------------------------

    @get("/api/profile/tables", list[messages.YourTable], (401, 404, 503), tag="days", session=True)
    async def list_my_tables(self, request: Request) -> Any:
        """The tables where one's profile has seats, the latest first."""
        async with self._signed_in(request) as (people, signed):
            shown = []
            for table_id, holder in (await people.seats(signed.profile))[:_MOST_TABLES]:
                try:
                    found = await self._service.standing(table_id, holder, language_of(request))
                except TableRefused as refused:
                    if denied_by(refused).status == 503:
                        raise
                    if refused.problem.code == "not_seated":
                        await people.unclaim(table_id, holder)
                    continue
                table, seats, until = found
                end = None if until is None else until / 1000
                shown.append(messages.YourTable(table, list(seats), end))
            return shown

    @post(
        "/api/profile/vacation",
        messages.TakeVacation,
        messages.NoticeSettings,
        (401, 404, 409, 503),
        **OWN,
    )
    async def take_vacation(self, request: Request, body: messages.TakeVacation) -> Any:
        """Stop one's clocks by days for some days, or let them run again."""
        async with self._signed_in(request) as (people, signed):
            until = await people.take_vacation(signed.profile, body.days)
            for table_id, holder in await people.turns(signed.profile):
                try:
                    await self._service.take_vacation(table_id, holder, until)
                except TableRefused as refused:
                    if denied_by(refused).status == 503:
                        raise
            return await self._notices(people, signed)

    # ---- channels -------------------------------------------------------------------------------

    @get("/api/profile/notices", messages.NoticeSettings, (401, 404, 503), tag="days", session=True)
    async def show_notices(self, request: Request) -> Any:
        """Where and when one gets notices, and one's vacation."""
        async with self._signed_in(request) as (people, signed):
            return await self._notices(people, signed)

    @post(
        "/api/profile/notices",
        messages.HabitsShown,
        messages.NoticeSettings,
        (401, 404, 503),
        **OWN,
    )
    async def change_notices(self, request: Request, body: messages.HabitsShown) -> Any:
        """Set quiet hours and the digest."""
        async with self._signed_in(request) as (people, signed):
            await self._channels.set_habits(
                signed.profile, msgspec.convert(structs.asdict(body), Habits)
            )
            return await self._notices(people, signed)

    @post(
        "/api/profile/channel",
        messages.NewChannel,
        messages.NoticeSettings,
        (401, 404, 409, 422, 503),
        **OWN,
    )
    async def add_channel(self, request: Request, body: messages.NewChannel) -> Any:
        """Add a channel. A mail address gets one mail, which asks to confirm it."""
        async with self._signed_in(request) as (people, signed):
            self.limit("new channels", request)
            details = Details(_origin(request), body.form, body.point, body.auth)
            channel = await self._channels.add(signed, body.kind, body.address, details)
            if channel.kind == "mail" and self._courier_of_all is not None:
                language = (await people.profile(signed.profile)).language
                try:
                    await self._courier_of_all.confirm(channel, language)
                except OSError:
                    await self._channels.remove(signed.profile, channel.id)
                    raise Denied(503, "unavailable", "no mail can be sent now") from None
            return await self._notices(people, signed)

    @post(
        "/api/profile/channel/remove",
        messages.RemoveChannel,
        messages.NoticeSettings,
        (401, 404, 503),
        **OWN,
    )
    async def remove_channel(self, request: Request, body: messages.RemoveChannel) -> Any:
        """Remove a channel."""
        async with self._signed_in(request) as (people, signed):
            await self._channels.remove(signed.profile, body.channel)
            return await self._notices(people, signed)

    @post(
        "/api/profile/channel/mute",
        messages.MuteTable,
        messages.NoticeSettings,
        (401, 404, 503),
        **OWN,
    )
    async def mute_table(self, request: Request, body: messages.MuteTable) -> Any:
        """Send no notices of a table to one channel, such as this device, or send them again."""
        async with self._signed_in(request) as (people, signed):
            await self._channels.mute(signed.profile, body.channel, body.table, muted=body.muted)
            return await self._notices(people, signed)

    @post("/api/mail/confirm", messages.CodeOfMail, None, (404, 503), **OPEN)
    async def confirm_mail(self, request: Request, body: messages.CodeOfMail) -> Any:
        """Confirm a mail address by the code of a mail."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            await self._channels.confirm(body.code)

    @post("/api/mail/stop", messages.CodeOfMail, None, (404, 503), **OPEN)
    async def stop_mail(self, request: Request, body: messages.CodeOfMail) -> Any:
        """Send no more mail to the address that got this code."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            await self._channels.stop(body.code)

    @post("/api/mail/stop/{code}", None, None, (404, 503), **OPEN)
    async def stop_mail_at_once(self, request: Request) -> Any:
        """The same for mail programs (RFC 8058). The code can do nothing but stop mail."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            await self._channels.stop(request.path_params["code"])

    # ---- the host -------------------------------------------------------------------------------

    @get("/api/people", messages.ServerPeople, tag="server")
    async def describe_people(self, request: Request) -> Any:
        """What this server keeps of people, for its page on privacy."""
        channels = self._channels_of_all
        if channels is None:
            return messages.ServerPeople(False, [], 0, False)
        settings = channels.settings
        return messages.ServerPeople(
            True, list(settings.kinds), settings.idle_days, bool(settings.operator)
        )

    @get("/api/operator", messages.OperatorReport, (401, 404, 503), tag="server", operator=True)
    async def report_to_operator(self, request: Request) -> Any:
        """For the host: profiles, clubs, channels and the outbox."""
        async with self._for_operator(request) as people:
            courier = self._courier_of_all
            counts = {} if courier is None else dict(courier.counts)
            return await report(people, counts)

    @post(
        "/api/operator/find",
        messages.FindPeople,
        list[messages.FoundProfile],
        (401, 404, 422, 503),
        **_HOST,
    )
    async def find_profiles(self, request: Request, body: messages.FindPeople) -> Any:
        """For the host: the profiles of a name, to delete or rename one."""
        async with self._for_operator(request) as people:
            return [
                messages.FoundProfile(profile, name, made / 1000, seen / 1000, keys, seats)
                for profile, name, made, seen, keys, seats in await people.named(body.name)
            ]

    @post("/api/operator/rename", messages.RenameProfile, None, (401, 404, 422, 503), **_HOST)
    async def rename_profile(self, request: Request, body: messages.RenameProfile) -> Any:
        """For the host: replace the name of a profile."""
        async with self._for_operator(request) as people:
            await people.rename(body.profile, body.name)

    @post("/api/operator/delete", messages.Delete, None, (401, 404, 503), **_HOST)
    async def delete_on_request(self, request: Request, body: messages.Delete) -> Any:
        """For the host: delete a profile, a table or a club for good."""
        async with self._for_operator(request) as people:
            if body.kind == "profile":
                await people.delete(body.id)
            else:
                await self._service.delete(body.id, language_of(request))

    @asynccontextmanager
    async def _for_operator(self, request: Request) -> AsyncIterator[Profiles]:
        """Check the password of the operator's page."""
        async with self._refusing(request):
            wait = self.wait_for_password(request)
            if wait:
                raise too_many("attempts", wait)
            password = self._channels.settings.operator
            given = request.headers.get(_OPERATOR, "")
            if not password or not hmac.compare_digest(password.encode(), given.encode()):
                raise Denied(401, "not_operator", "this is not the operator's password")
            yield self._people

    def wait_for_password(self, request: Request) -> float:
        """Seconds that an address has to wait until it may try the password again."""
        return 0.0

    # ---- helpers --------------------------------------------------------------------------------

    async def _notices(self, people: Profiles, signed: Signed) -> messages.NoticeSettings:
        channels = self._channels
        kinds: list[ChannelKind] = list(channels.settings.kinds)
        key = push.public_key(await channels.server_key()) if "push" in kinds else ""
        shown = [
            messages.ChannelShown(
                each.id,
                each.kind,
                "" if each.kind == "push" else each.address,
                each.details.form,
                each.confirmed,
                each.failures > 0,
                each.device == signed.device,
                list(each.details.muted),
            )
            for each in await channels.of(signed.profile)
        ]
        habits = msgspec.convert(
            structs.asdict(await channels.habits(signed.profile)), messages.HabitsShown
        )
        until, left = await people.vacation(signed.profile)
        return messages.NoticeSettings(kinds, key, shown, habits, until / 1000, left)


def _origin(request: Request) -> str:
    """The origin of the page that asks, for links in notices."""
    origin = request.headers.get("origin", "")
    if urlsplit(origin).scheme in ("http", "https"):
        return origin.rstrip("/")
    return f"{request.url.scheme}://{request.headers.get('host', '')}"
