"""Requests and answers about games by days and notices, as they are encoded on the wire. Times in
Unix seconds."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from archipel.notices.settings import ChannelKind
from archipel.tables.commands import Name, TableId
from archipel.tables.publishing.payloads import Table

Minute = Annotated[int, Meta(ge=0, le=1439)]
MailCode = Annotated[str, Meta(min_length=20, max_length=80, pattern="^[A-Za-z0-9_.-]+$")]


class YourTable(Struct, frozen=True):
    """A table where a profile has seats (``mine``); ``until``: when the time of the seat to move
    runs out."""

    table: Table
    mine: list[int]
    until: float | None


class ChannelShown(Struct, frozen=True):
    """A channel as its owner sees it; ``this_device``: the push subscription of this device;
    ``muted``: the tables of which this channel gets no notices."""

    id: str
    kind: ChannelKind
    address: str
    form: str
    confirmed: bool
    failing: bool
    this_device: bool
    muted: list[str]


class HabitsShown(Struct, frozen=True):
    """When notices may come: not between these minutes of the day; ``digest``: one message a day,
    at this hour; ``muted``: not of these tables."""

    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    quiet_from: Minute = 0
    quiet_until: Minute = 0
    digest: Annotated[int, Meta(ge=0, le=23)] | None = None
    muted: Annotated[list[TableId], Meta(max_length=500)] = []


class NoticeSettings(Struct, frozen=True):
    """``kinds``: what this server sends; ``push_key``: its key for push subscriptions."""

    kinds: list[ChannelKind]
    push_key: str
    channels: list[ChannelShown]
    habits: HabitsShown
    vacation_until: float
    vacation_left: int


class NewChannel(Struct, frozen=True):
    """``address``: the endpoint of a push subscription, of a webhook, or a mail address. ``form``
    is that of a webhook; ``point`` and ``auth`` are the keys of a push subscription."""

    kind: ChannelKind
    address: Annotated[str, Meta(min_length=3, max_length=2_000)]
    form: Literal["json", "discord", "slack", "ntfy"] = "json"
    point: Annotated[str, Meta(max_length=120)] = ""
    auth: Annotated[str, Meta(max_length=40)] = ""


class RemoveChannel(Struct, frozen=True):
    channel: Annotated[str, Meta(max_length=40)]


class MuteTable(Struct, frozen=True):
    """No notices of a table on one channel, or notices again."""

    channel: Annotated[str, Meta(max_length=40)]
    table: TableId
    muted: bool


class TakeVacation(Struct, frozen=True):
    """Days from now on; 0 ends a vacation."""

    days: Annotated[int, Meta(ge=0, le=366)]


class CodeOfMail(Struct, frozen=True):
    code: MailCode


class ServerPeople(Struct, frozen=True):
    """What this server keeps of people, for its privacy page."""

    profiles: bool
    kinds: list[ChannelKind]
    idle_days: int
    operator: bool


class FindPeople(Struct, frozen=True):
    """Profiles that have exactly this name."""

    name: Name


class FoundProfile(Struct, frozen=True):
    """A profile as the host sees it, to tell it from others of the same name."""

    id: str
    name: str
    created_at: float
    seen_at: float
    devices: int
    seats: int


class RenameProfile(Struct, frozen=True):
    """Replace a name that the host does not allow."""

    profile: TableId
    name: Name


class Delete(Struct, frozen=True):
    """A profile, or a table or club by the id in its address."""

    kind: Literal["profile", "table"]
    id: TableId


class ChannelCount(Struct, frozen=True):
    kind: str
    channels: int
    failing: int


class Results(Struct, frozen=True):
    """What became of the notices of a kind since this worker started."""

    kind: str
    result: str
    count: int


class OperatorReport(Struct, frozen=True):
    profiles: int
    devices: int
    seats: int
    tables: int
    clubs: int
    outbox_lag: float
    waiting: int
    given_up: int
    channels: list[ChannelCount]
    results: list[Results]
    bytes: int
