"""The part of the HTTP API that concerns profiles: identity without an account."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from archipel.profiles import messages
from archipel.profiles.passkeys import (
    Site,
    profile_of,
    register,
    registration_options,
    sign_in_options,
)
from archipel.profiles.profiles import NotSignedIn, ProfileRefused, Profiles, Signed
from archipel.serve.api.http_errors import Denied, denied_by
from archipel.serve.api.route import ApiRequest, get, post
from archipel.serve.api.table_routes import language_of
from archipel.tables import TableRefused, TableService

SESSION = "archipel-session"
#: For all other codes 409.
_STATUS = {
    "no_profile": 404,
    "no_profiles": 404,
    "no_channel": 404,
    "bad_address": 422,
    "bad_channel": 422,
    **dict.fromkeys(("not_signed_in", "unknown_device", "bad_proof", "bad_passkey"), 401),
    **dict.fromkeys(("refused_name", "bad_code", "old_challenge"), 422),
}
OWN: dict[str, Any] = {"tag": "profiles", "session": True, "status": 200}
OPEN: dict[str, Any] = {"tag": "profiles", "status": 200}


class ProfileRoutes:
    """The routes of profiles; ``profiles`` is None on a store that keeps none."""

    def __init__(self, service: TableService, profiles: Profiles | None) -> None:
        self._service = service
        self._profiles = profiles

    def limit(self, what: str, request: ApiRequest) -> None:
        """Count a request to the limit of its address, by the limit's name; none by default."""

    @property
    def _people(self) -> Profiles:
        if self._profiles is None:
            raise ProfileRefused("no_profiles")
        return self._profiles

    # ---- proving who one is ---------------------------------------------------------------------

    @post("/api/profile/challenge", None, messages.Challenge, (404, 503), **OPEN)
    async def make_challenge(self, request: Request) -> Any:
        """A text to sign within two minutes, to prove that one holds a key."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            return messages.Challenge(await self._people.challenge())

    @post("/api/profile", messages.NewProfile, messages.Session, (401, 404, 409, 422, 503), **OPEN)
    async def make_profile(self, request: Request, body: messages.NewProfile) -> Any:
        """Create a profile with this device, and begin a session."""
        async with self._refusing(request):
            people = self._people
            self.limit("new profiles", request)
            return await people.create(
                body.proof, body.name, body.colour, body.language, body.label
            )

    @post("/api/profile/session", messages.SignIn, messages.Session, (401, 404, 422, 503), **OPEN)
    async def begin_session(self, request: Request, body: messages.SignIn) -> Any:
        """Begin a session of an hour, with the key of a device."""
        async with self._refusing(request):
            return await self._people.sign_in(body.proof)

    @post(
        "/api/profile/device",
        messages.AddDevice,
        messages.Session,
        (401, 404, 409, 422, 503),
        **OPEN,
    )
    async def add_device(self, request: Request, body: messages.AddDevice) -> Any:
        """Add this device to a profile by a code from another one, or by a printed code."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            return await self._people.add_device(body.proof, body.code, body.label)

    @post("/api/profile/passkey/challenge", None, messages.PasskeyOptions, (401, 404, 503), **OPEN)
    async def ask_passkey(self, request: Request) -> Any:
        """What the browser needs to prove a passkey."""
        async with self._refusing(request):
            self.limit("attempts to sign in", request)
            challenge = await self._people.challenge()
            return messages.PasskeyOptions(sign_in_options(_site(request), challenge))

    @post(
        "/api/profile/passkey/device",
        messages.AddDeviceByPasskey,
        messages.Session,
        (401, 404, 409, 422, 503),
        **OPEN,
    )
    async def add_device_by_passkey(
        self, request: Request, body: messages.AddDeviceByPasskey
    ) -> Any:
        """Add this device to the profile of a passkey."""
        async with self._refusing(request):
            people = self._people
            public = await people.check(body.proof)
            site, challenge = _site(request), body.proof.challenge
            profile = await profile_of(people, site, body.answer, challenge)
            return await people.add_key(profile, public, body.label)

    # ---- one's own profile ----------------------------------------------------------------------

    @get("/api/profile", messages.OwnProfile, (401, 404, 503), tag="profiles", session=True)
    async def show_profile(self, request: Request) -> Any:
        """One's own profile, with its devices."""
        async with self._signed_in(request) as (people, signed):
            return await people.own(signed)

    @post(
        "/api/profile/change",
        messages.ChangeProfile,
        messages.OwnProfile,
        (401, 404, 422, 503),
        **OWN,
    )
    async def change_profile(self, request: Request, body: messages.ChangeProfile) -> Any:
        """Change name, colour and language."""
        async with self._signed_in(request) as (people, signed):
            await people.change(signed.profile, body.name, body.colour, body.language)
            return await people.own(signed)

    @post("/api/profile/delete", None, None, (401, 404, 503), **OWN)
    async def delete_profile(self, request: Request) -> Any:
        """Delete one's profile with everything that belongs to it; seats stay with their links."""
        async with self._signed_in(request) as (people, signed):
            await people.delete(signed.profile)

    @post("/api/profile/move", None, messages.Code, (401, 404, 503), **OWN)
    async def make_move_code(self, request: Request) -> Any:
        """A code that adds another device, once and within ten minutes."""
        async with self._signed_in(request) as (people, signed):
            code, until = await people.new_code(signed.profile, "move")
            return messages.Code(code, None if until is None else until / 1000)

    @post("/api/profile/recovery", None, messages.Code, (401, 404, 503), **OWN)
    async def make_recovery_code(self, request: Request) -> Any:
        """A code to print, which adds a device once. It replaces an earlier one."""
        async with self._signed_in(request) as (people, signed):
            code, _ = await people.new_code(signed.profile, "recovery")
            return messages.Code(code, None)

    @post("/api/profile/passkey/options", None, messages.PasskeyOptions, (401, 404, 503), **OWN)
    async def offer_passkey(self, request: Request) -> Any:
        """What the browser needs to make a passkey."""
        async with self._signed_in(request) as (people, signed):
            options = await registration_options(people, signed, _site(request))
            return messages.PasskeyOptions(options)

    @post(
        "/api/profile/passkey",
        messages.NewPasskey,
        messages.OwnProfile,
        (401, 404, 409, 422, 503),
        **OWN,
    )
    async def add_passkey(self, request: Request, body: messages.NewPasskey) -> Any:
        """Add a passkey to one's profile."""
        async with self._signed_in(request) as (people, signed):
            site = _site(request)
            await register(people, signed, site, body.answer, body.challenge, body.label)
            return await people.own(signed)

    @post(
        "/api/profile/revoke",
        messages.RevokeDevice,
        messages.OwnProfile,
        (401, 404, 409, 503),
        **OWN,
    )
    async def revoke_device(self, request: Request, body: messages.RevokeDevice) -> Any:
        """Remove a lost device or a passkey. It is out at once, also from the seats of the profile,
        whose links stop working. Repeat it if the answer is lost."""
        async with self._signed_in(request) as (people, signed):
            for table_id, holder in await people.revoke(signed.profile, body.device):
                await self._replace_secrets(people, signed, table_id, holder)
            return await people.own(signed)

    async def _replace_secrets(
        self, people: Profiles, signed: Signed, table_id: str, holder: str
    ) -> None:
        try:
            new = await self._service.replace_secrets(table_id, holder)
        except TableRefused as refused:
            if denied_by(refused).status == 503:
                raise
            return  # the table is gone, or cannot be read
        if new != holder:
            await people.claim(signed.profile, table_id, new)
            await people.unclaim(table_id, holder)

    @post("/api/profile/seat", messages.ClaimSeat, None, (401, 404, 409, 503), **OWN)
    async def claim_seat(self, request: Request, body: messages.ClaimSeat) -> Any:
        """Add the seats of a token to one's profile, so that all its devices can play them."""
        async with self._signed_in(request) as (people, signed):
            self.limit("attempts with a token", request)
            who = await self._service.identify(body.table, body.token, language_of(request))
            await people.claim(signed.profile, body.table, who.key)
            await self._service.refresh_turn(body.table)

    # ---- helpers --------------------------------------------------------------------------------

    @asynccontextmanager
    async def _refusing(self, request: Request) -> AsyncIterator[None]:
        """Translate refusals to the language of the caller."""
        try:
            yield
        except ProfileRefused as refused:
            told = refused.say(language_of(request))
            status = _STATUS.get(told.code, 409)
            raise Denied(status, told.code, told.message) from refused

    @asynccontextmanager
    async def _signed_in(self, request: Request) -> AsyncIterator[tuple[Profiles, Signed]]:
        async with self._refusing(request):
            token = request.headers.get(SESSION, "")
            if not token:
                raise NotSignedIn
            yield self._people, await self._people.verify(token)


def _site(request: Request) -> Site:
    """The site of a request whose origin was checked."""
    origin = request.headers.get("origin", "")
    site = Site(urlsplit(origin).hostname or "", origin)
    if not site.can_have_passkeys:
        raise ProfileRefused("bad_passkey")
    return site
