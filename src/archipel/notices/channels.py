"""Where the notices of a profile go, and when: channels, quiet hours, digest."""

from __future__ import annotations

import hmac
import secrets
from typing import Any

import msgspec
from msgspec import Struct, structs

from archipel.notices import push
from archipel.notices.settings import ChannelKind, PeopleSettings
from archipel.notices.targets import BadTarget, check_form
from archipel.profiles.profiles import ProfileRefused, Profiles, Signed
from archipel.rules.catalogue import load_catalogue
from archipel.store.sql_store import Statement
from archipel.tables.problems import Problem

#: Of one profile.
MOST_CHANNELS = 20
#: Tables that are muted on one channel; older ones are forgotten.
MOST_MUTED = 500
FORMS = ("json", "discord", "slack", "ntfy")


class NoticeRefused(ProfileRefused):
    def say(self, language: str) -> Problem:
        sentences = load_catalogue("archipel.notices", language)
        return Problem(self.code, sentences.say(f"problem.{self.code}", **self.details))


class Habits(Struct, frozen=True):
    """When notices may come. Minutes and hours of the day in the time zone."""

    zone: str = "UTC"
    #: No notices between these minutes; equal: at any time.
    quiet_from: int = 0
    quiet_until: int = 0
    #: One message a day at this hour instead of one per turn; None: at once.
    digest: int | None = None
    #: Tables that no notice comes of.
    muted: tuple[str, ...] = ()


class Details(Struct, frozen=True, omit_defaults=True):
    #: The origin of the pages, for links.
    origin: str
    #: Of a webhook.
    form: str = "json"
    #: The keys of a push subscription.
    point: str = ""
    auth: str = ""
    #: The secrets of the links that confirm a mail address, and that stop the mail.
    confirm: str = ""
    stop: str = ""
    #: Tables of which this channel gets no notices, though others do.
    muted: tuple[str, ...] = ()


class Channel(Struct, frozen=True):
    id: str
    profile: str
    kind: ChannelKind
    address: str
    details: Details
    confirmed: bool
    failures: int
    device: str | None


_COLUMNS = "c.id, c.profile_id, c.kind, c.address, c.details, c.confirmed_at, c.failures, c.key_id"


def channel_of(row: Any) -> Channel:
    """A channel from a row with the columns of `Channels.columns`."""
    details = msgspec.json.decode(bytes(row[4]), type=Details)
    return Channel(row[0], row[1], row[2], row[3], details, row[5] > 0, row[6], row[7])


class Channels:
    """The channels of a store. Every method that refuses raises `ProfileRefused`."""

    columns = _COLUMNS

    def __init__(self, profiles: Profiles, settings: PeopleSettings) -> None:
        self.settings = settings
        self._profiles = profiles
        self._store = profiles.store
        self._at = profiles.store.schema
        self._server_key: bytes | None = None

    async def server_key(self) -> bytes:
        """The key of push messages, the same for all workers; made at the first call."""
        if self._server_key is None:
            await self._write(
                f"INSERT INTO {self._at}server_value VALUES ('push_key', ?1)"
                " ON CONFLICT (name) DO NOTHING",
                push.new_server_key(),
            )
            query = f"SELECT value FROM {self._at}server_value WHERE name = 'push_key'"
            ((value,),) = await self._store.fetch(query)
            self._server_key = bytes(value)
        return self._server_key

    # ---- channels -------------------------------------------------------------------------------

    async def of(self, profile: str) -> list[Channel]:
        rows = await self._store.fetch(
            f"SELECT {_COLUMNS} FROM {self._at}channel c WHERE c.profile_id = ?1 ORDER BY c.id",
            profile,
        )
        return [channel_of(row) for row in rows]

    async def add(
        self, signed: Signed, kind: ChannelKind, address: str, details: Details
    ) -> Channel:
        """Add a channel; one of the same kind and address is replaced. Mail waits for its owner to
        confirm."""
        if kind not in self.settings.kinds:
            raise NoticeRefused("bad_channel")
        self._check(kind, address, details)
        known = await self.of(signed.profile)
        if len(known) >= MOST_CHANNELS:
            raise NoticeRefused("too_many_channels", most=MOST_CHANNELS)
        if kind == "mail":
            codes = {"confirm": secrets.token_urlsafe(18), "stop": secrets.token_urlsafe(18)}
            details = structs.replace(details, **codes)
        channel = secrets.token_urlsafe(9)
        confirmed_at = 0 if kind == "mail" else self._profiles.clock()
        at, encoded = self._at, msgspec.json.encode(details)
        await self._store.transact(
            Statement(
                f"DELETE FROM {at}channel WHERE profile_id = ?1 AND kind = ?2 AND address = ?3",
                (signed.profile, kind, address),
            ),
            Statement(
                f"INSERT INTO {at}channel (id, profile_id, key_id, kind, address, details,"
                " confirmed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                (
                    channel,
                    signed.profile,
                    signed.device if kind == "push" else None,
                    kind,
                    address,
                    encoded,
                    confirmed_at,
                ),
            ),
        )
        device = signed.device if kind == "push" else None
        return Channel(channel, signed.profile, kind, address, details, confirmed_at > 0, 0, device)

    def _check(self, kind: str, address: str, details: Details) -> None:
        try:
            if kind == "mail":
                name, _, host = address.partition("@")
                if not name or "." not in host or any(c.isspace() for c in address):
                    raise BadTarget("this is no address")
                if not address.isprintable() or set(address) & set('<>,;:\\"[]()'):
                    raise BadTarget("this is no address")
                return
            check_form(address, allow_private=self.settings.private_targets)
            if kind == "webhook" and details.form not in FORMS:
                raise NoticeRefused("bad_channel")
            if kind == "push":
                push.check_subscription(details.point, details.auth)
        except ValueError as error:
            raise NoticeRefused("bad_address", why=error) from None

    async def remove(self, profile: str, channel: str) -> None:
        await self._write(
            f"DELETE FROM {self._at}channel WHERE id = ?1 AND profile_id = ?2", channel, profile
        )

    async def mute(self, profile: str, channel: str, table: str, *, muted: bool) -> None:
        """Send no notices of a table to one channel, or send them again."""
        for each in await self.of(profile):
            if each.id == channel:
                kept = tuple(known for known in each.details.muted if known != table)
                kept = (*kept, *[table] * muted)[-MOST_MUTED:]
                await self._write(
                    f"UPDATE {self._at}channel SET details = ?2 WHERE id = ?1",
                    channel,
                    msgspec.json.encode(structs.replace(each.details, muted=kept)),
                )
                return
        raise NoticeRefused("no_channel")

    async def confirm(self, code: str) -> None:
        """Confirm a mail address by the code of the mail."""
        channel = await self._with_code(code, "confirm")
        await self._write(
            f"UPDATE {self._at}channel SET confirmed_at = ?2 WHERE id = ?1",
            channel.id,
            self._profiles.clock(),
        )

    async def stop(self, code: str) -> None:
        """Remove a mail address by the code of one of its mails."""
        channel = await self._with_code(code, "stop")
        await self._write(f"DELETE FROM {self._at}channel WHERE id = ?1", channel.id)

    async def _with_code(self, code: str, name: str) -> Channel:
        channel, _, secret = code.partition(".")
        query = f"SELECT {_COLUMNS} FROM {self._at}channel c WHERE c.id = ?1"
        for row in await self._store.fetch(query, channel):
            found = channel_of(row)
            wanted = getattr(found.details, name)
            if wanted and hmac.compare_digest(wanted.encode(), secret.encode()):
                return found
        raise NoticeRefused("no_channel")

    # ---- habits ---------------------------------------------------------------------------------

    async def habits(self, profile: str) -> Habits:
        query = f"SELECT settings FROM {self._at}profile WHERE id = ?1"
        rows = await self._store.fetch(query, profile)
        return msgspec.json.decode(bytes(rows[0][0]), type=Habits) if rows else Habits()

    async def set_habits(self, profile: str, habits: Habits) -> None:
        query = f"SELECT settings FROM {self._at}profile WHERE id = ?1"
        rows = await self._store.fetch(query, profile)
        kept = msgspec.json.decode(bytes(rows[0][0])) if rows else {}
        await self._write(
            f"UPDATE {self._at}profile SET settings = ?2 WHERE id = ?1",
            profile,
            msgspec.json.encode({**kept, **structs.asdict(habits)}),
        )

    async def _write(self, text: str, *parameters: Any) -> None:
        await self._store.transact(Statement(text, parameters))
