"""Requests to clubs and the payloads of their answers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from archipel.clubs.events import Role, System
from archipel.tables.commands import Clock, Name, OptionName, Seal, TableId, Value
from archipel.tables.publishing.payloads import DuplicateResult

ClubName = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=240)]
Number = Annotated[int, Meta(ge=0, le=100_000)]
Secret = Annotated[str, Meta(min_length=20, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Date = Annotated[str, Meta(max_length=25, pattern=r"^(\d{4}-\d\d-\d\d(T\d\d:\d\d)?)?$")]
Day = Annotated[str, Meta(max_length=10, pattern=r"^(\d{4}-\d\d-\d\d)?$")]
GameName = Annotated[str, Meta(max_length=40)]


class NewClub(Struct, frozen=True, forbid_unknown_fields=True):
    name: ClubName
    my_name: Name


class JoinClub(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    invitation: Secret


class Membership(Struct, frozen=True):
    """You are a member; the token is sent only once."""

    club: str
    member: int
    token: str


# ---- commands of members ------------------------------------------------------------------------


class _Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class RemoveMember(_Command, frozen=True, tag="remove"):
    """Leave, or remove somebody."""

    member: Number


class SetRole(_Command, frozen=True, tag="set_role"):
    member: Number
    role: Role


class BeginSeason(_Command, frozen=True, tag="begin_season"):
    name: ClubName


class RenewLink(_Command, frozen=True, tag="renew_link"):
    """Make a new link to join by; the old one does not work any more."""


class Propose(_Command, frozen=True, tag="propose"):
    game: GameName
    seats: Annotated[int, Meta(ge=2, le=10)]
    options: dict[OptionName, Value] = {}
    clock: Clock = Clock()
    starts: Date = ""
    note: Text = ""
    standing: bool = False


class AnswerClubProposal(_Command, frozen=True, tag="answer"):
    proposal: Number
    comes: bool


class Withdraw(_Command, frozen=True, tag="withdraw"):
    proposal: Number


class OpenTournament(_Command, frozen=True, tag="open_tournament"):
    name: ClubName
    game: GameName
    system: System
    seats: Annotated[int, Meta(ge=2, le=6)]
    rounds: Annotated[int, Meta(ge=1, le=20)] = 1
    options: dict[OptionName, Value] = {}
    clock: Clock = Clock()
    starts: Day = ""
    days: Annotated[int, Meta(ge=1, le=60)] = 7


class Enter(_Command, frozen=True, tag="enter"):
    tournament: Number
    enters: bool = True


class DrawRound(_Command, frozen=True, tag="draw_round"):
    tournament: Number


class GiveResult(_Command, frozen=True, tag="give_result"):
    """Enter the result of a game of the last round that was not played here, by seat."""

    tournament: Number
    group: Annotated[list[Number], Meta(min_length=2, max_length=6)]
    ranks: Annotated[list[Annotated[int, Meta(ge=0, le=5)]], Meta(min_length=2, max_length=6)]


class AddDeal(_Command, frozen=True, tag="add_deal"):
    """Compare your game of the deal of the day with those of the other members. ``token``: that of
    your seat at the table."""

    table: TableId
    token: Secret


class CloseClub(_Command, frozen=True, tag="close"):
    """Delete the club; ``name`` repeats its name, so that nobody does it by mistake."""

    name: ClubName


ClubCommand = (
    RemoveMember
    | SetRole
    | BeginSeason
    | RenewLink
    | Propose
    | AnswerClubProposal
    | Withdraw
    | OpenTournament
    | Enter
    | DrawRound
    | GiveResult
    | AddDeal
    | CloseClub
)


class OpenClubTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table for a proposal, or for a group of the last round of a tournament."""

    proposal: Number | None = None
    tournament: Number | None = None
    seal: Seal = ""


class SitDown(Struct, frozen=True, forbid_unknown_fields=True):
    seal: Seal = ""


# ---- what a member sees -------------------------------------------------------------------------


class MemberShown(Struct, frozen=True):
    member: int
    name: str
    role: Role
    left: bool


class ProposalShown(Struct, frozen=True):
    proposal: int
    member: int
    game: str
    seats: int
    clock: Clock
    starts: str
    note: str
    standing: bool
    coming: list[int]
    absent: list[int]


class TableShown(Struct, frozen=True):
    """A table of the club; by seat the members, None for nobody yet, a bot or a stranger."""

    table: str
    game: str
    members: list[int | None]
    tournament: int | None
    at: float
    ranks: list[int]
    scores: list[int]
    names: list[str]
    season: int
    open: bool


class RatingShown(Struct, frozen=True):
    """A rating with the ends of its 95 % interval."""

    member: int
    points: int
    low: int
    high: int
    games: int
    wins: int


class RecordShown(Struct, frozen=True):
    """An entry of the record book: the value, who, and at which table."""

    kind: str
    value: int
    members: list[int]
    table: str


class GameShown(Struct, frozen=True):
    """The results of a game: ratings over all seasons and in the present one, and records."""

    game: str
    games: int
    all_time: list[RatingShown]
    season: list[RatingShown]
    records: list[RecordShown]


class StandingShown(Struct, frozen=True):
    member: int
    points: float
    buchholz: float
    berger: float
    wins: int
    score: int
    games: int
    byes: int


class RoundShown(Struct, frozen=True):
    """A round: its tables by seat, the table of each group if it is open, its ranks if over."""

    groups: list[list[int]]
    tables: list[str | None]
    ranks: list[list[int]]
    byes: list[int]


class TournamentShown(Struct, frozen=True):
    tournament: int
    name: str
    game: str
    system: System
    seats: int
    rounds_planned: int
    starts: str
    days: int
    players: list[int]
    rounds: list[RoundShown]
    standings: list[StandingShown]


class DealShown(Struct, frozen=True):
    """The deal of a day (its origin's id): the finished games of members, compared with each other.

    The links of their tables are told only to a member who has finished the deal. ``mine``: whether
    you have a table of it here."""

    deal: str
    game: str
    seats: int
    ends_at: float
    mine: bool
    results: list[DuplicateResult]


class ClubShown(Struct, frozen=True):
    """A club as a member sees it.

    ``invitation`` is the secret of the link to join by, ``feed`` that of the addresses of its feed
    and calendars, which tell results and names to whoever has them.
    """

    club: str
    name: str
    me: int
    invitation: str
    feed: str
    seasons: list[str]
    members: list[MemberShown]
    proposals: list[ProposalShown]
    tables: list[TableShown]
    games: list[GameShown]
    deals: list[DealShown]
    tournaments: list[TournamentShown]
