"""What a club's results say: ratings per game, the record book, and tables of all results."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from msgspec import structs

from archipel.clubs.club import Club, ClubTable
from archipel.clubs.messages import DealShown, GameShown, RatingShown, RecordShown
from archipel.clubs.ratings import CENTRE, Rating, Result, ratings
from archipel.tables.duplicates import compared
from archipel.tables.publishing.payloads import Duplicates

#: A player of a result: a member by number, or a bot by name.
Player = int | str


def games_of(club: Club, ladder: dict[str, dict[str, float]]) -> list[GameShown]:
    """Per game that was played, ratings and records. ``ladder``: the points of bots by game."""
    found = []
    for game in dict.fromkeys(table.opened.game for table in club.results):
        done = [table for table in club.results if table.opened.game == game]
        season = [table for table in done if table.season == len(club.seasons) - 1]
        fixed = ladder.get(game, {})
        found.append(
            GameShown(
                game=game,
                games=len(done),
                all_time=_rated(club, done, fixed),
                season=_rated(club, season, fixed),
                records=record_book(club, done),
            )
        )
    return found


def result_of(table: ClubTable) -> Result[Player]:
    """The rated players of a game: members and bots. Strangers do not count."""
    done = table.finished
    assert done is not None
    players: list[Player] = []
    ranks = []
    for member, bot, rank in zip(done.members, done.bots, done.ranks, strict=True):
        if member is not None or bot is not None:
            players.append(member if member is not None else f"bot {bot}")
            ranks.append(rank)
    return Result(players, ranks)


def _rated(club: Club, done: list[ClubTable], ladder: dict[str, float]) -> list[RatingShown]:
    results = [result_of(table) for table in done]
    bots = {player for result in results for player in result.players if isinstance(player, str)}
    fixed: dict[Player, float] = {bot: ladder.get(bot[len("bot ") :], CENTRE) for bot in bots}
    rated = ratings(results, fixed)
    wins = {
        member: sum(
            result.ranks[seat] == 0
            for result in results
            for seat, player in enumerate(result.players)
            if player == member
        )
        for member in rated
    }
    shown = [
        _shown(member, rating, wins[member])
        for member, rating in rated.items()
        if isinstance(member, int) and not club.members[member].left
    ]
    return sorted(shown, key=lambda rating: (-rating.points, rating.member))


def _shown(member: int, rating: Rating, wins: int) -> RatingShown:
    low, high = rating.interval
    return RatingShown(member, round(rating.points), round(low), round(high), rating.games, wins)


def record_book(club: Club, done: Iterable[ClubTable]) -> list[RecordShown]:
    """The highest score, the longest row of wins and the closest finish among members."""
    highest: RecordShown | None = None
    closest: RecordShown | None = None
    streak: RecordShown | None = None
    running: dict[int, int] = {}
    for table in done:
        result = table.finished
        assert result is not None
        own = {
            seat: member
            for seat, member in enumerate(result.members)
            if member is not None and not club.members[member].left
        }
        name = table.opened.table
        for seat, member in own.items():
            score = result.scores[seat]
            if not result.entered and (highest is None or score > highest.value):
                highest = RecordShown("highest", score, [member], name)
            won = result.ranks[seat] == 0
            running[member] = running.get(member, 0) + 1 if won else 0
            if running[member] > (streak.value if streak else 1):
                streak = RecordShown("streak", running[member], [member], name)
        best = sorted(own, key=lambda seat: result.ranks[seat])[:2]
        if not result.entered and len(best) == 2 and result.ranks[best[0]] == 0:
            margin = abs(result.scores[best[0]] - result.scores[best[1]])
            if closest is None or margin < closest.value:
                closest = RecordShown("closest", margin, [own[seat] for seat in best], name)
    return [record for record in (highest, streak, closest) if record is not None]


def deal_shown(club: Club, deal: Duplicates, tables: Mapping[str, int], member: int) -> DealShown:
    """The deal of a day as a member sees it; ``tables``: those of the members."""
    players = {
        table: club.members[number]
        for table, number in tables.items()
        if not club.members[number].left
    }
    done = [
        (each, player)
        for each in deal.results
        if each.people and (player := players.get(each.table or "")) is not None
    ]
    has_played = any(player.number == member for _, player in done)
    own = [
        structs.replace(
            each,
            table=each.table if has_played else None,
            names=[
                player.name if seat in each.people else name for seat, name in enumerate(each.names)
            ],
        )
        for each, player in done
    ]
    mine = member in tables.values()
    return DealShown(deal.origin, deal.game, deal.seats, deal.ends_at or 0, mine, compared(own))


def as_csv(club: Club) -> str:
    """One row per seat of every finished game."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(
        ["time", "season", "game", "table", "tournament", "seat", "player", "kind", "rank", "score"]
    )
    for table in club.results:
        done = table.finished
        assert done is not None
        at = datetime.fromtimestamp(table.finished_at / 1000, UTC).isoformat(timespec="seconds")
        tournament = table.opened.tournament
        for seat, (member, bot) in enumerate(zip(done.members, done.bots, strict=True)):
            kind = "bot" if bot is not None else "stranger" if member is None else "member"
            player = bot if member is None else club.members[member].name
            rows.writerow(
                [
                    at,
                    club.seasons[table.season],
                    table.opened.game,
                    table.opened.table,
                    "" if tournament is None else tournament + 1,
                    seat + 1,
                    _harmless(player or ""),
                    kind,
                    done.ranks[seat] + 1,
                    done.scores[seat],
                ]
            )
    return out.getvalue()


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
