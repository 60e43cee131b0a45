"""Tournaments: who meets whom in each round, and the standings.

All functions are pure, and equal arguments give equal rounds. Players are numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

Group = tuple[int, ...]


@dataclass(frozen=True)
class Round:
    """The tables of a round, each with its players by seat, and those who do not play."""

    groups: tuple[Group, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Played:
    """A finished game of a tournament: players by seat, their ranks from 0, their scores."""

    players: Group
    ranks: tuple[int, ...]
    scores: tuple[int, ...]


# ---- rounds -------------------------------------------------------------------------------------


def round_robin(players: Sequence[int]) -> list[Round]:
    """Everybody meets everybody once, by the circle method; with an odd number one has a bye in
    each round. Nobody has the first seat more often than another but once."""
    circle: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    half, rounds = len(circle) // 2, []
    for number in range(len(circle) - 1):
        groups, byes = [], []
        for place, pair in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True)):
            one, other = pair
            if one is None or other is None:
                byes += [player for player in pair if player is not None]
            else:
                # The first place of the circle never moves, so it takes turns.
                swapped = number % 2 if place == 0 else place % 2
                groups.append((other, one) if swapped else (one, other))
        rounds.append(Round(tuple(groups), tuple(byes)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def _seated(one: int, other: int, firsts: dict[int, int]) -> Group:
    """Two players by seat: whoever was first less often is first."""
    pair = (one, other) if firsts[one] <= firsts[other] else (other, one)
    firsts[pair[0]] += 1
    return pair


def swiss(players: Sequence[int], rounds: Sequence[Round], played: Iterable[Played]) -> Round:
    """The next round: players with about equal points meet, nobody twice as long as that is
    possible; with an odd number the last in the standings who has had none has a bye."""
    order = [row.player for row in standings(players, rounds, played)]
    firsts = dict.fromkeys(players, 0)
    met: set[frozenset[int]] = set()
    rested = {player for past in rounds for player in past.byes}
    for past in rounds:
        for group in past.groups:
            met.add(frozenset(group))
            if group[0] in firsts:
                firsts[group[0]] += 1
    byes: list[int] = []
    if len(order) % 2:
        bye = next((player for player in reversed(order) if player not in rested), order[-1])
        order.remove(bye)
        byes.append(bye)
    pairs = _paired(order, met) or list(zip(order[::2], order[1::2], strict=True))
    return Round(tuple(_seated(*pair, firsts) for pair in pairs), tuple(byes))


def _paired(order: Sequence[int], met: set[frozenset[int]]) -> list[tuple[int, int]] | None:
    """Pairs of neighbours in the order, none of whom have met; None if there are none.

    Backtracks at most a few thousand times: then a rematch is accepted.
    """
    tries = 5_000

    def pair(left: Sequence[int]) -> list[tuple[int, int]] | None:
        nonlocal tries
        if not left:
            return []
        tries -= 1
        first = left[0]
        for index in range(1, len(left)):
            if tries < 0:
                return None
            if frozenset((first, left[index])) in met:
                continue
            rest = pair([*left[1:index], *left[index + 1 :]])
            if rest is not None:
                return [(first, left[index]), *rest]
        return None

    return pair(order)


def rotation(players: Sequence[int], seats: int, rounds: Sequence[Round], fewest: int = 3) -> Round:
    """The next round of tables with at most ``seats`` players, as equal in size as possible, where
    people meet whom they have met least often; seats rotate, too.

    Who cannot be seated, because too few are left for a table, has a bye; those without one first.
    """
    sizes = table_sizes(len(players), seats, fewest)
    rested = {player: sum(player in past.byes for past in rounds) for player in players}
    order = sorted(players, key=lambda player: (rested[player], _turn(player, len(rounds))))
    spare = len(players) - sum(sizes)
    byes, active = order[:spare], order[spare:]
    meetings: dict[frozenset[int], int] = {}
    for past in rounds:
        for group in past.groups:
            for pair in combinations(group, 2):
                key = frozenset(pair)
                meetings[key] = meetings.get(key, 0) + 1
    groups: list[list[int]] = []
    left = list(active)
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            costs = [_cost(table, player, meetings) for player in left]
            table.append(left.pop(costs.index(min(costs))))
        groups.append(table)
    _improve(groups, meetings)
    return Round(tuple(_rotated(group, rounds) for group in groups), tuple(byes))


def table_sizes(players: int, seats: int, fewest: int) -> list[int]:
    """Sizes of tables for as many players as possible: few tables, as equal as possible."""
    for seated in range(players, 0, -1):
        tables = -(-seated // seats)
        if seated // tables >= fewest:
            return sorted(seated // tables + (n < seated % tables) for n in range(tables))[::-1]
    return []


def _turn(player: int, rounds: int) -> int:
    """A fixed mixture of the players, another one in each round."""
    return (player * 7919 + rounds * 104_729) * 2_654_435_761 % 2**32


def _cost(group: Sequence[int], player: int, meetings: Mapping[frozenset[int], int]) -> int:
    return sum(meetings.get(frozenset((player, other)), 0) ** 2 for other in group)


def _improve(groups: list[list[int]], meetings: Mapping[frozenset[int], int]) -> None:
    """Swap players of two tables while that makes people meet less often again."""
    improved = True
    while improved:
        improved = False
        for one, other in combinations(groups, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    before = _meetings_in(one, meetings) + _meetings_in(other, meetings)
                    one[i], other[j] = other[j], one[i]
                    if _meetings_in(one, meetings) + _meetings_in(other, meetings) < before:
                        improved = True
                    else:
                        one[i], other[j] = other[j], one[i]


def _meetings_in(group: Sequence[int], meetings: Mapping[frozenset[int], int]) -> int:
    """The sum of squares, so that a third meeting counts more than a second one."""
    return sum(meetings.get(frozenset(pair), 0) ** 2 for pair in combinations(group, 2))


def _rotated(group: Sequence[int], rounds: Sequence[Round]) -> Group:
    """The players by seat, so that each has had each seat about equally often."""
    had = Counter(
        (player, seat)
        for past in rounds
        for table in past.groups
        for seat, player in enumerate(table)
    )

    def repeats(order: Group) -> int:
        return sum((had[player, seat] + 1) ** 2 for seat, player in enumerate(order))

    return min(permutations(group), key=repeats)


# ---- standings ----------------------------------------------------------------------------------


@dataclass
class Standing:
    """A player's place. Points: the share of the others at the table that were beaten, a tie
    counting half, so a win in a game of two is one point; a bye is worth one point.

    Ties are broken by ``buchholz``, the points of all opponents; then by ``berger``, the points of
    those beaten and half of those tied with; then by the number of wins, and by the scores.
    """

    player: int
    points: float = 0
    buchholz: float = 0
    berger: float = 0
    wins: int = 0
    score: int = 0
    games: int = 0
    byes: int = 0
    opponents: list[tuple[int, float]] = field(default_factory=list, repr=False)

    @property
    def key(self) -> tuple[float, float, float, int, int]:
        return -self.points, -self.buchholz, -self.berger, -self.wins, -self.score


def standings(
    players: Sequence[int], rounds: Sequence[Round], played: Iterable[Played]
) -> list[Standing]:
    """The standings, best first; the order of ``players`` decides what the tie-breaks do not."""
    table = {player: Standing(player) for player in players}
    for past in rounds:
        for player in past.byes:
            if player in table:
                table[player].byes += 1
                table[player].points += 1
    for game in played:
        for seat, player in enumerate(game.players):
            if player not in table:
                continue
            row = table[player]
            row.games += 1
            row.wins += game.ranks[seat] == 0 and game.ranks.count(0) == 1
            row.score += game.scores[seat]
            for other, opponent in enumerate(game.players):
                if other != seat:
                    beaten = _beaten(game.ranks[seat], game.ranks[other])
                    row.points += beaten / (len(game.players) - 1)
                    row.opponents.append((opponent, beaten))
    for row in table.values():
        for opponent, beaten in row.opponents:
            points = table[opponent].points if opponent in table else 0
            row.buchholz += points
            row.berger += beaten * points
    for row in table.values():  # sums of shares differ in the last bit by their order
        row.points, row.buchholz = round(row.points, 6), round(row.buchholz, 6)
        row.berger = round(row.berger, 6)
    return sorted(table.values(), key=lambda row: row.key)


def _beaten(own: int, other: int) -> float:
    return 1.0 if own < other else 0.5 if own == other else 0.0
