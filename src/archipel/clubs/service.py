"""The entry point of this package: all that a server does with clubs."""

from __future__ import annotations

import asyncio
import hmac
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial

import msgspec

from archipel.clubs import club as rules
from archipel.clubs import events
from archipel.clubs.club import Club, ClubTable, Tournament, fold_all
from archipel.clubs.events import Entry, decode, encode
from archipel.clubs.feeds import atom_feed, calendar
from archipel.clubs.messages import (
    AddDeal,
    AnswerClubProposal,
    BeginSeason,
    CloseClub,
    ClubCommand,
    ClubShown,
    DealShown,
    DrawRound,
    Enter,
    GiveResult,
    JoinClub,
    Membership,
    MemberShown,
    NewClub,
    OpenClubTable,
    OpenTournament,
    ProposalShown,
    Propose,
    RemoveMember,
    RenewLink,
    RoundShown,
    SetRole,
    SitDown,
    StandingShown,
    TableShown,
    TournamentShown,
    Withdraw,
)
from archipel.clubs.results import as_csv, deal_shown, games_of
from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.rules.options import OptionError
from archipel.store.clock import Clock
from archipel.store.errors import Conflict, NoSuchTable, StoreError, TableArchived
from archipel.store.protocol import EventStore
from archipel.tables import TableRefused, TableService, daily
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.decisions.context import check_names, clean_name
from archipel.tables.keys import Randomness, hash_of, new_token
from archipel.tables.problems import Refusal, refuse, refuse_if
from archipel.tables.publishing.payloads import Seated

#: What a tool that inspects the store sees of a club in place of a game.
_HEADER = msgspec.json.encode({"game": "", "club": True, "public": False})
_PAGE = 1_000
#: How often an attempt that another worker overtook is repeated.
_ATTEMPTS = 20
#: The jittered pauses in between grow by this.
_BACKOFF_SECONDS = 0.01
#: Clubs kept in memory.
_KEPT = 200

#: Decides the events of a command by a member.
_Decide = Callable[[Club, int], Sequence[events.Event]]


class ClubService:
    """The clubs of a store; every method that refuses raises `TableRefused`.

    ``ladder`` has the rating points of bots by game, which are fixed points of the ratings.
    ``refused_names``: parts of names that the host does not allow.
    """

    def __init__(
        self,
        store: EventStore,
        tables: TableService,
        *,
        clock: Clock,
        randomness: Randomness,
        ladder: Mapping[str, Mapping[str, float]],
        refused_names: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock
        self._randomness = randomness
        self._ladder = {game: dict(points) for game, points in ladder.items()}
        self._refused_names = tuple(refused_names)
        self._known: dict[str, Club] = {}
        #: Changes in this process, one at a time.
        self._changing = asyncio.Lock()

    # ---- membership -----------------------------------------------------------------------------

    async def open(self, new: NewClub, language: str = "en") -> Membership:
        """Open a club; its maker is the owner."""
        with _refusing(language):
            check_names((new.name, new.my_name), self._refused_names)
            token, club_id = new_token(self._randomness), new_token(self._randomness, 12)
            opened = events.Opened(events.FORMAT, _clean(new.name), clean_name(new.my_name))
            invitation = new_token(self._randomness)
            private = {
                "keys": _keys({hash_of(token): 0}),
                "invitation": invitation.encode(),
                "feed": new_token(self._randomness).encode(),
            }
            await self._store.create_table(club_id, _HEADER, private=private)
            await self._store.append(club_id, 0, [encode(Entry(self._clock(), opened))])
            return Membership(club_id, 0, token)

    async def join(self, club_id: str, request: JoinClub, language: str = "en") -> Membership:
        """Become a member with the secret of the link."""
        with _refusing(language):
            invitation = await self._store_private(club_id, "invitation")
            refuse_if(
                not hmac.compare_digest(invitation, request.invitation.encode()), "wrong_invitation"
            )
            check_names((request.name,), self._refused_names)
            name, token = clean_name(request.name), new_token(self._randomness)
            for _ in range(_ATTEMPTS):
                club = await self._club(club_id)
                rules.check_room(club)
                refuse_if(len(club.present) >= rules.MOST_MEMBERS, "club_full")
                taken = {member.name.casefold() for member in club.present}
                refuse_if(name.casefold() in taken, "name_taken", name=name)
                keys = await self._read_keys(club_id)
                number = len(club.members)
                private = {"keys": _keys({**keys, hash_of(token): number})}
                if await self._append(club, [events.Joined(number, name)], private):
                    return Membership(club_id, number, token)
            raise refuse("stale")

    async def _member(self, club_id: str, token: str) -> int:
        keys = await self._read_keys(club_id)
        number = keys.get(hash_of(token))
        if number is None:
            raise refuse("no_member_here")
        return number

    # ---- what members do ------------------------------------------------------------------------

    async def command(
        self, club_id: str, token: str, command: ClubCommand, language: str = "en"
    ) -> ClubShown | None:
        """Execute a command and return the club after it; None if it is deleted or left."""
        with _refusing(language):
            member = await self._member(club_id, token)
            if isinstance(command, CloseClub):
                club = await self._club(club_id)
                rules.check_role(club, member, "owner")
                refuse_if(_clean(command.name) != club.name, "other_name")
                await self._store.delete(club_id)
                self._known.pop(club_id, None)
                return None
            if isinstance(command, RenewLink):
                rules.check_role(await self._club(club_id), member, "organiser")
                for key in ("invitation", "feed"):
                    secret = new_token(self._randomness).encode()
                    await self._store.put_private(club_id, key, secret)
                return await self._show(await self._club(club_id), member)
            if isinstance(command, AddDeal):
                added = await self._deal_added(member, command)
                club = await self._change(club_id, member, lambda c, _: rules.add_deal(c, added))
                return await self._show(club, member)
            club = await self._change(club_id, member, lambda c, m: self._decided(c, m, command))
            if isinstance(command, RemoveMember):
                keys = await self._read_keys(club_id)
                kept = {key: held for key, held in keys.items() if held != command.member}
                await self._store.put_private(club_id, "keys", _keys(kept))
                if command.member == member:
                    return None
            return await self._show(club, member)

    def _decided(self, club: Club, me: int, command: ClubCommand) -> Sequence[events.Event]:
        match command:
            case RemoveMember():
                return rules.remove(club, me, command.member)
            case SetRole():
                return rules.set_role(club, me, command.member, command.role)
            case BeginSeason():
                rules.check_role(club, me, "organiser")
                return [events.SeasonBegun(_clean(command.name))]
            case Propose():
                return self._proposed(club, me, command)
            case AnswerClubProposal():
                refuse_if(command.proposal not in club.proposals, "no_proposal")
                return [events.Answered(command.proposal, me, command.comes)]
            case Withdraw():
                known = club.proposals.get(command.proposal)
                if known is None:
                    raise refuse("no_proposal")
                if known.proposed.member != me:
                    rules.check_role(club, me, "organiser")
                return [events.Withdrawn(command.proposal)]
            case OpenTournament():
                return self._tournament_opened(club, me, command)
            case Enter():
                tournament = _tournament(club, command.tournament)
                refuse_if(tournament.rounds, "tournament_begun")
                refuse_if((me in tournament.players) == command.enters, "already_answered")
                return [events.Entered(command.tournament, me, command.enters)]
            case DrawRound():
                rules.check_role(club, me, "organiser")
                opened = _tournament(club, command.tournament).opened
                return [rules.next_round(club, command.tournament, _fewest(opened.game))]
            case GiveResult():
                return _result_given(club, me, command, new_token(self._randomness, 12))
        raise refuse("bad_request")

    def _proposed(self, club: Club, me: int, command: Propose) -> Sequence[events.Event]:
        rules.check_open(club)
        if command.standing:
            rules.check_role(club, me, "organiser")
        _check_game(command.game, command.seats, command.options)
        note = _clean(command.note) if command.note.strip() else ""
        return [
            events.Proposed(
                club.proposed + 1,
                me,
                command.game,
                command.seats,
                command.options,
                command.clock,
                command.starts,
                note,
                command.standing,
            )
        ]

    def _tournament_opened(
        self, club: Club, me: int, command: OpenTournament
    ) -> Sequence[events.Event]:
        rules.check_role(club, me, "organiser")
        _check_game(command.game, command.seats, command.options)
        opened = events.TournamentOpened(
            len(club.tournaments),
            _clean(command.name),
            command.game,
            command.system,
            command.seats,
            command.rounds,
            command.options,
            command.clock,
            _day(command.starts),
            command.days,
        )
        rules.check_tournament(opened, *_seat_range(command.game))
        return [opened]

    async def _deal_added(self, member: int, command: AddDeal) -> events.DealAdded:
        who = await self._tables.identify(command.table, command.token)
        refuse_if(not who.seats, "not_seated")
        deal = (await self._tables.table(command.table)).origin
        refuse_if(not daily.game_of(deal), "no_duplicate")
        return events.DealAdded(command.table, deal, member)

    # ---- tables ---------------------------------------------------------------------------------

    async def open_table(
        self, club_id: str, token: str, request: OpenClubTable, language: str = "en"
    ) -> Seated:
        """Open a table for a proposal or a game of a tournament, and sit down at it."""
        with _refusing(language):
            member = await self._member(club_id, token)
            club = await self._club(club_id)
            rules.check_room(club)
            name = club.members[member].name
            if request.tournament is not None:
                tournament = _tournament(club, request.tournament)
                group = _own_group(club, request.tournament, member)
                plan: events.TournamentOpened | events.Proposed = tournament.opened
                seats: list[int | None] = [*group]
                number, proposal = len(tournament.rounds), None
            else:
                known = club.proposals.get(-1 if request.proposal is None else request.proposal)
                if known is None:
                    raise refuse("no_proposal")
                rules.check_open(club)
                proposed = known.proposed
                plan, number, proposal = proposed, 0, request.proposal
                seats = [member, *[None] * (proposed.seats - 1)]
            wish = NewTable(
                plan.game,
                [SeatWish()] * len(seats),
                name,
                my_seat=seats.index(member),
                options=plan.options,
                clock=plan.clock,
                seal=request.seal,
            )
            seated = await self._tables.create(wish, language)
            opened = events.TableOpened(
                seated.table, plan.game, member, seats, proposal, request.tournament, number
            )
            await self._change(club_id, member, lambda club, _: [opened])
            return seated

    async def sit_down(
        self, club_id: str, token: str, table_id: str, request: SitDown, language: str = "en"
    ) -> Seated:
        """Sit down at a table of the club; at a tournament in the seat that one has there."""
        with _refusing(language):
            member = await self._member(club_id, token)
            club = await self._club(club_id)
            table = club.tables.get(table_id)
            refuse_if(table is None or table.finished is not None, "no_table")
            assert table is not None
            seat = None
            if table.opened.tournament is not None:
                refuse_if(member not in table.opened.seats, "no_player")
                seat = table.opened.seats.index(member)
            name = club.members[member].name
            wish = Join(name, seat=seat, seal=request.seal)
            seated = await self._tables.join(table_id, wish, language)
            if seated.seat is not None:
                taken = events.Seated(table_id, seated.seat, member)
                await self._change(club_id, member, lambda club, _: [taken])
            return seated

    async def _settled(self, club: Club) -> Club:
        """The club after the results of its tables that are over are noted."""
        for table_id, table in club.tables.items():
            if table.finished is None:
                done = await self._result(table_id, table)
                if done is not None:
                    club = await self._change(club.id, 0, partial(_noted, done=done))
        return club

    async def _result(self, table_id: str, table: ClubTable) -> events.Finished | None:
        try:
            shown = await self._tables.table(table_id)
        except TableRefused as refused:
            if refused.problem.code != "no_table":
                return None
            return events.Finished(table_id, [], [], [], [])
        if shown.stage not in ("over", "closed"):
            return None
        seats = shown.seats
        return events.Finished(
            table_id,
            [
                table.members.get(number) if seat.kind == "person" and not seat.bot_plays else None
                for number, seat in enumerate(seats)
            ],
            [seat.bot if seat.kind == "bot" else None for seat in seats],
            [] if shown.result is None else shown.result.ranks,
            [] if shown.result is None else shown.result.scores,
        )

    # ---- looking --------------------------------------------------------------------------------

    async def show(self, club_id: str, token: str, language: str = "en") -> ClubShown:
        with _refusing(language):
            member = await self._member(club_id, token)
            return await self._show(await self._settled(await self._club(club_id)), member)

    async def export(self, club_id: str, token: str, language: str = "en") -> bytes:
        """The club as JSON, without the secret of its link."""
        with _refusing(language):
            member = await self._member(club_id, token)
            club = await self._settled(await self._club(club_id))
            shown = await self._show(club, member)
            shown = msgspec.structs.replace(shown, invitation="", feed="")
            return msgspec.json.encode({"format": events.FORMAT, "club": shown})

    async def export_results(self, club_id: str, token: str, language: str = "en") -> str:
        """All results as CSV."""
        with _refusing(language):
            await self._member(club_id, token)
            return as_csv(await self._settled(await self._club(club_id)))

    async def feed(self, club_id: str, key: str, address: str, language: str = "en") -> str:
        """The results of the club as an Atom feed, for whoever has the secret of its address."""
        with _refusing(language):
            await self._check_feed(club_id, key)
            return atom_feed(await self._settled(await self._club(club_id)), address, language)

    async def calendar(self, club_id: str, key: str, number: int, language: str = "en") -> str:
        """The rounds of a tournament as an iCalendar file."""
        with _refusing(language):
            await self._check_feed(club_id, key)
            club = await self._club(club_id)
            tournament = _tournament(club, number)
            return calendar(club, number, rounds_of(tournament), language)

    async def _check_feed(self, club_id: str, key: str) -> None:
        secret = await self._store_private(club_id, "feed")
        refuse_if(not hmac.compare_digest(secret, key.encode()), "no_club")

    async def _show(self, club: Club, me: int) -> ClubShown:
        invitation = await self._store_private(club.id, "invitation")
        return ClubShown(
            club=club.id,
            name=club.name,
            me=me,
            invitation=invitation.decode(),
            feed=(await self._store_private(club.id, "feed")).decode(),
            seasons=list(club.seasons),
            members=[MemberShown(m.number, m.name, m.role, m.left) for m in club.members.values()],
            proposals=[
                ProposalShown(
                    number,
                    p.proposed.member,
                    p.proposed.game,
                    p.proposed.seats,
                    p.proposed.clock,
                    p.proposed.starts,
                    p.proposed.note,
                    p.proposed.standing,
                    sorted(p.coming),
                    sorted(p.absent),
                )
                for number, p in club.proposals.items()
            ],
            tables=[_table_shown(table) for table in reversed(club.tables.values())],
            games=games_of(club, self._ladder),
            deals=await self._deals(club, me),
            tournaments=[
                _tournament_shown(club, number, t) for number, t in club.tournaments.items()
            ],
        )

    async def _deals(self, club: Club, me: int) -> list[DealShown]:
        """The deals of days that can still be played."""
        now = self._clock()
        played: dict[str, dict[str, int]] = {}
        for added in club.deals.values():
            if not daily.is_due(added.deal, now):
                played.setdefault(added.deal, {})[added.table] = added.member
        shown = []
        for origin, tables in played.items():
            try:
                deal = await self._tables.all_duplicates(origin)
            except TableRefused as refused:
                if refused.problem.code != "no_table":  # the host has deleted it
                    raise
            else:
                shown.append(deal_shown(club, deal, tables, me))
        return shown

    # ---- the log --------------------------------------------------------------------------------

    async def _club(self, club_id: str) -> Club:
        """The club as of now."""
        known = self._known.get(club_id)
        try:
            bodies = await self._bodies(club_id, known.n if known else 0)
        except NoSuchTable:
            self._known.pop(club_id, None)
            raise refuse("no_club") from None
        try:
            club = fold_all(club_id, map(decode, bodies), known)
        except msgspec.DecodeError:
            raise refuse("no_club") from None
        self._known.pop(club_id, None)
        self._known[club_id] = club
        if len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return club

    async def _bodies(self, club_id: str, after: int) -> list[bytes]:
        found: list[bytes] = []
        while page := await self._store.read(club_id, after + len(found), _PAGE):
            found += [event.body for event in page]
        return found

    async def _change(self, club_id: str, member: int, decide: _Decide) -> Club:
        """Decide on the present club and append; again if another worker was quicker."""
        async with self._changing:
            for attempt in range(_ATTEMPTS):
                await asyncio.sleep(random.uniform(0, attempt * _BACKOFF_SECONDS))
                club = await self._club(club_id)
                rules.check_room(club)
                decided = list(decide(club, member))
                if not decided or await self._append(club, decided):
                    return await self._club(club_id)
        raise refuse("stale")

    async def _append(
        self,
        club: Club,
        decided: Sequence[events.Event],
        private: Mapping[str, bytes] | None = None,
    ) -> bool:
        bodies = [encode(Entry(self._clock(), event)) for event in decided]
        try:
            await self._store.append(club.id, club.n, bodies, private=private)
        except TableArchived:
            await self._store.unarchive(club.id)
            return False
        except Conflict:
            return False
        return True

    async def _read_keys(self, club_id: str) -> dict[str, int]:
        body = await self._store_private(club_id, "keys")
        return msgspec.json.decode(body, type=dict[str, int])

    async def _store_private(self, club_id: str, key: str) -> bytes:
        try:
            found = await self._store.get_private(club_id, key)
        except NoSuchTable:
            found = None
        if found is None:
            raise refuse("no_club")
        return found


def _noted(club: Club, _: int, done: events.Finished) -> list[events.Event]:
    return [done] if club.tables[done.table].finished is None else []


def _day(text: str) -> str:
    """A date that exists, or empty."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise refuse("bad_request") from None


def _keys(keys: Mapping[str, int]) -> bytes:
    return msgspec.json.encode(keys)


def _clean(text: str) -> str:
    """A text on one line, without control characters."""
    kept = "".join(c if c.isprintable() else " " for c in text)
    cleaned = " ".join(kept.split())
    refuse_if(not cleaned, "bad_request")
    return cleaned


def _seat_range(game: str) -> tuple[int, int]:
    seats = game_named(game).seats
    return seats[0], seats[-1]


def _fewest(game: str) -> int:
    return _seat_range(game)[0]


def _check_game(game: str, seats: int, options: Mapping[str, object]) -> None:
    try:
        game_named(game).make_options(seats, **options)
    except UnknownGameError as error:
        raise Refusal("unknown_game", english=str(error)) from None
    except OptionError as error:
        raise Refusal("bad_option", english=str(error)) from None


def _tournament(club: Club, number: int) -> Tournament:
    known = club.tournaments.get(number)
    if known is None:
        raise refuse("no_tournament")
    return known


def _own_group(club: Club, number: int, member: int) -> tuple[int, ...]:
    """The group of a member in the last round, if its table is not open yet."""
    tournament = club.tournaments[number]
    last = tournament.rounds[-1].groups if tournament.rounds else ()
    group = next((group for group in last if member in group), None)
    if group is None:
        raise refuse("no_player")
    refuse_if(_table_of(club, tournament, group) is not None, "table_is_open")
    return group


def _table_of(club: Club, tournament: Tournament, group: Sequence[int]) -> ClubTable | None:
    """The table of a group of the last round. A table that was closed counts no more."""
    for table_id in reversed(tournament.tables):
        table = club.tables[table_id]
        closed = table.finished is not None and not table.finished.ranks
        if list(table.opened.seats) == list(group) and not closed:
            return table
    return None


def _result_given(
    club: Club, me: int, command: GiveResult, table_id: str
) -> Sequence[events.Event]:
    rules.check_role(club, me, "organiser")
    tournament = _tournament(club, command.tournament)
    last = tournament.rounds[-1].groups if tournament.rounds else ()
    group = tuple(command.group)
    refuse_if(group not in last or len(command.ranks) != len(group), "no_player")
    refuse_if(0 not in command.ranks, "bad_request")
    known = _table_of(club, tournament, group)
    refuse_if(known is not None, "table_is_open")
    number = len(tournament.rounds)
    opened = events.TableOpened(
        table_id, tournament.opened.game, me, [*group], None, command.tournament, number
    )
    nobody: list[str | None] = [None] * len(group)
    scores = [0] * len(group)
    ranks = list(command.ranks)
    return [opened, events.Finished(table_id, [*group], nobody, ranks, scores, entered=True)]


def _table_shown(table: ClubTable) -> TableShown:
    done, opened = table.finished, table.opened
    members: list[int | None] = [table.members.get(seat) for seat in range(len(opened.seats))]
    return TableShown(
        table=opened.table,
        game=opened.game,
        members=done.members if done is not None and done.ranks else members,
        tournament=opened.tournament,
        at=(table.finished_at or table.at) / 1000,
        ranks=[] if done is None else done.ranks,
        scores=[] if done is None else done.scores,
        names=[] if done is None else [bot or "" for bot in done.bots],
        season=table.season,
        open=done is None,
    )


def _tournament_shown(club: Club, number: int, tournament: Tournament) -> TournamentShown:
    opened = tournament.opened
    rounds = []
    for index, drawn in enumerate(tournament.rounds, 1):
        tables = [
            t
            for t in club.tables.values()
            if t.opened.tournament == number and t.opened.round == index
        ]
        found = [
            next(
                (
                    t
                    for t in reversed(tables)
                    if t.opened.seats == [*group] and (t.finished is None or t.finished.ranks)
                ),
                None,
            )
            for group in drawn.groups
        ]
        rounds.append(
            RoundShown(
                [list(group) for group in drawn.groups],
                [None if t is None else t.opened.table for t in found],
                [[] if t is None or t.finished is None else t.finished.ranks for t in found],
                list(drawn.byes),
            )
        )
    return TournamentShown(
        number,
        opened.name,
        opened.game,
        opened.system,
        opened.seats,
        opened.rounds if opened.system != "round_robin" else max(0, rounds_of(tournament)),
        opened.starts,
        opened.days,
        list(tournament.players),
        rounds,
        [
            StandingShown(
                row.player,
                round(row.points, 3),
                round(row.buchholz, 3),
                round(row.berger, 3),
                row.wins,
                row.score,
                row.games,
                row.byes,
            )
            for row in club.standings(number)
        ],
    )


def rounds_of(tournament: Tournament) -> int:
    players = len(tournament.players)
    return players - 1 + players % 2


@contextmanager
def _refusing(language: str) -> Iterator[None]:
    """Translate refusals to the language of the caller."""
    try:
        yield
    except StoreError as error:
        raise TableRefused(refuse("unavailable").say(language)) from error
    except Refusal as refusal:
        raise TableRefused(refusal.say(language)) from refusal
