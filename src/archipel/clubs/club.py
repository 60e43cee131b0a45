"""The state of a club, folded from its log, and what its members may do. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from archipel.clubs import events, tournaments
from archipel.clubs.events import Entry, Role
from archipel.clubs.tournaments import Played, Round, Standing
from archipel.tables import daily
from archipel.tables.problems import refuse, refuse_if

RANKS: dict[Role, int] = {"member": 0, "organiser": 1, "owner": 2}
MOST_MEMBERS = 200
#: Tables that are being set up or played, and proposals, at the same time.
MOST_OPEN = 60
#: Events of a club's log.
MOST_EVENTS = 20_000


@dataclass(frozen=True)
class Member:
    number: int
    name: str
    role: Role = "member"
    since: int = 0
    left: bool = False


@dataclass(frozen=True)
class Proposal:
    proposed: events.Proposed
    at: int
    coming: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()


@dataclass(frozen=True)
class ClubTable:
    """A table of the club; ``members`` by seat. ``finished`` once its game is over."""

    opened: events.TableOpened
    at: int
    members: dict[int, int] = field(default_factory=dict)
    finished: events.Finished | None = None
    finished_at: int = 0
    season: int = 0


@dataclass(frozen=True)
class Tournament:
    opened: events.TournamentOpened
    players: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    #: The tables of the last round that have been opened, by the members at them.
    tables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Club:
    """The club after event ``n``."""

    id: str
    name: str
    n: int = 0
    opened_at: int = 0
    members: dict[int, Member] = field(default_factory=dict)
    seasons: tuple[str, ...] = ("1",)
    proposals: dict[int, Proposal] = field(default_factory=dict)
    tables: dict[str, ClubTable] = field(default_factory=dict)
    tournaments: dict[int, Tournament] = field(default_factory=dict)
    #: By table, the deals of days that were not over when the last one was added.
    deals: dict[str, events.DealAdded] = field(default_factory=dict)
    #: Proposals ever made.
    proposed: int = 0

    @property
    def present(self) -> list[Member]:
        return [member for member in self.members.values() if not member.left]

    @property
    def results(self) -> list[ClubTable]:
        """Games that were played to their end, the earliest first."""
        done = [t for t in self.tables.values() if t.finished is not None and t.finished.ranks]
        return sorted(done, key=lambda table: (table.finished_at, table.opened.table))

    def played_in(self, tournament: int) -> list[Played]:
        """The finished games of a tournament, by its members."""
        return [
            Played(
                tuple(-1 if member is None else member for member in done.members),
                tuple(done.ranks),
                tuple(done.scores),
            )
            for table in self.results
            if table.opened.tournament == tournament and (done := table.finished) is not None
        ]

    def standings(self, number: int) -> list[Standing]:
        tournament = self.tournaments[number]
        return tournaments.standings(tournament.players, tournament.rounds, self.played_in(number))


def fold_all(club_id: str, entries: Iterable[Entry], club: Club | None = None) -> Club:
    for entry in entries:
        club = _fold(club_id, club, entry)
    if club is None:
        raise refuse("no_club")
    return club


def _fold(club_id: str, club: Club | None, entry: Entry) -> Club:
    event, at = entry.event, entry.at
    if club is None:
        if not isinstance(event, events.Opened):
            raise refuse("no_club")
        owner = Member(0, event.owner, "owner", at)
        return Club(club_id, event.name, 1, at, {0: owner})
    return replace(_next(club, event, at), n=club.n + 1)


def _next(club: Club, event: events.Event, at: int) -> Club:
    match event:
        case events.Joined():
            return _with_member(club, Member(event.member, event.name, "member", at))
        case events.Left():
            gone = replace(club.members[event.member], name="", left=True, role="member")
            return _with_member(club, gone)
        case events.RoleSet():
            return _with_member(club, replace(club.members[event.member], role=event.role))
        case events.SeasonBegun():
            return replace(club, seasons=(*club.seasons, event.name))
        case events.Proposed():
            coming = frozenset({event.member})
            made = {**club.proposals, event.proposal: Proposal(event, at, coming)}
            return replace(club, proposals=made, proposed=event.proposal)
        case events.Answered():
            known = club.proposals[event.proposal]
            coming, absent = known.coming - {event.member}, known.absent - {event.member}
            if event.comes:
                coming |= {event.member}
            else:
                absent |= {event.member}
            answered = replace(known, coming=coming, absent=absent)
            return replace(club, proposals={**club.proposals, event.proposal: answered})
        case events.Withdrawn():
            left = {n: each for n, each in club.proposals.items() if n != event.proposal}
            return replace(club, proposals=left)
        case events.TableOpened():
            return _table_opened(club, event, at)
        case events.Seated():
            table = club.tables[event.table]
            seated = replace(table, members={**table.members, event.seat: event.member})
            return replace(club, tables={**club.tables, event.table: seated})
        case events.Finished():
            done = replace(club.tables[event.table], finished=event, finished_at=at)
            return replace(club, tables={**club.tables, event.table: done})
        case events.DealAdded():
            deals = {t: each for t, each in club.deals.items() if not daily.is_due(each.deal, at)}
            return replace(club, deals={**deals, event.table: event})
        case events.TournamentOpened():
            made_now = {**club.tournaments, event.tournament: Tournament(event)}
            return replace(club, tournaments=made_now)
        case events.Entered():
            entered = club.tournaments[event.tournament]
            players = tuple(p for p in entered.players if p != event.member)
            players += (event.member,) * event.enters
            return _with_tournament(club, event.tournament, players=players)
        case events.RoundDrawn():
            drawn = Round(tuple(map(tuple, event.groups)), tuple(event.byes))
            rounds = (*club.tournaments[event.tournament].rounds, drawn)
            return _with_tournament(club, event.tournament, rounds=rounds, tables=())
    raise refuse("no_club")


def _with_member(club: Club, member: Member) -> Club:
    return replace(club, members={**club.members, member.number: member})


def _with_tournament(club: Club, number: int, **values: Any) -> Club:
    changed = replace(club.tournaments[number], **values)
    return replace(club, tournaments={**club.tournaments, number: changed})


def _table_opened(club: Club, event: events.TableOpened, at: int) -> Club:
    members = {seat: member for seat, member in enumerate(event.seats) if member is not None}
    table = ClubTable(event, at, members, season=len(club.seasons) - 1)
    club = replace(club, tables={**club.tables, event.table: table})
    if event.tournament is not None:
        known = club.tournaments[event.tournament]
        club = _with_tournament(club, event.tournament, tables=(*known.tables, event.table))
    if event.proposal is not None and not club.proposals[event.proposal].proposed.standing:
        left = {n: each for n, each in club.proposals.items() if n != event.proposal}
        club = replace(club, proposals=left)
    return club


# ---- who may do what ----------------------------------------------------------------------------


def check_role(club: Club, member: int, least: Role) -> None:
    """Refuse unless the member has that role or a higher one."""
    refuse_if(RANKS[club.members[member].role] < RANKS[least], "club_role")


def remove(club: Club, by: int, member: int) -> list[events.Event]:
    """Leave, or remove somebody of a lower role. The owner hands the club on first."""
    known = club.members.get(member)
    refuse_if(known is None or known.left, "no_member")
    assert known is not None
    refuse_if(known.role == "owner", "owner_stays")
    if by != member:
        check_role(club, by, "organiser")
        refuse_if(RANKS[known.role] >= RANKS[club.members[by].role], "club_role")
    return [events.Left(member, None if by == member else by)]


def set_role(club: Club, by: int, member: int, role: Role) -> list[events.Event]:
    """Only the owner; to make another member owner is to hand the club on."""
    check_role(club, by, "owner")
    known = club.members.get(member)
    refuse_if(known is None or known.left or member == by, "no_member")
    handed_on: list[events.Event] = [events.RoleSet(by, "organiser")] if role == "owner" else []
    return [*handed_on, events.RoleSet(member, role)]


def check_room(club: Club) -> None:
    refuse_if(club.n >= MOST_EVENTS, "club_full")


def check_open(club: Club) -> None:
    playing = sum(table.finished is None for table in club.tables.values())
    refuse_if(playing + len(club.proposals) >= MOST_OPEN, "club_busy")


def add_deal(club: Club, added: events.DealAdded) -> list[events.Event]:
    """The first table at which a member plays a deal counts, and counts for nobody else."""
    known = club.deals.values()
    is_known = any(added.table == each.table for each in known) or any(
        (added.deal, added.member) == (each.deal, each.member) for each in known
    )
    return [] if is_known else [added]


# ---- tournaments --------------------------------------------------------------------------------


def check_tournament(opened: events.TournamentOpened, fewest: int, most: int) -> None:
    two = opened.system in ("round_robin", "swiss")
    refuse_if(two != (opened.seats == 2), "bad_tournament")
    refuse_if(not fewest <= opened.seats <= most, "bad_tournament")
    refuse_if(not 1 <= opened.rounds <= 20, "bad_tournament")


def next_round(club: Club, number: int, fewest: int) -> events.RoundDrawn:
    """Draw the next round; refused while a game of the last one is not over."""
    tournament = club.tournaments[number]
    rounds, opened = tournament.rounds, tournament.opened
    played = club.played_in(number)
    waiting = sum(len(past.groups) for past in rounds) - _decided(club, number)
    refuse_if(waiting > 0, "round_not_over")
    players = [p for p in tournament.players if not club.members[p].left]
    refuse_if(len(players) < 2, "too_few_players")
    if opened.system == "round_robin":
        # The plan of the first round: who leaves later is absent, so their opponents have byes.
        everybody = sorted(
            {p for past in rounds[:1] for g in past.groups for p in g}
            | {p for past in rounds[:1] for p in past.byes}
        ) or sorted(players)
        plan = tournaments.round_robin(everybody)
        refuse_if(len(rounds) >= len(plan), "tournament_over")
        drawn = plan[len(rounds)]
    else:
        refuse_if(len(rounds) >= opened.rounds, "tournament_over")
        if opened.system == "swiss":
            drawn = tournaments.swiss(players, rounds, played)
        else:
            drawn = tournaments.rotation(players, opened.seats, rounds, max(fewest, 2))
            refuse_if(not drawn.groups, "too_few_players")
    gone = {p for g in drawn.groups for p in g} - set(players)
    groups = [list(group) for group in drawn.groups if not gone & set(group)]
    byes = [p for group in drawn.groups if gone & set(group) for p in group if p not in gone]
    return events.RoundDrawn(number, groups, [*byes, *drawn.byes])


def _decided(club: Club, number: int) -> int:
    """Games of the tournament that are over or were closed."""
    return sum(
        table.finished is not None
        for table in club.tables.values()
        if table.opened.tournament == number
    )
