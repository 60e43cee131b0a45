"""Rounds and standings of tournaments."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from archipel.clubs.tournaments import (
    Played,
    Round,
    rotation,
    round_robin,
    standings,
    swiss,
    table_sizes,
)


@pytest.mark.parametrize("count", range(2, 12))
def test_round_robin(count: int) -> None:
    players = list(range(10, 10 + count))
    rounds = round_robin(players)
    assert len(rounds) == count - 1 + count % 2
    met = Counter(frozenset(group) for each in rounds for group in each.groups)
    assert met == Counter(map(frozenset, combinations(players, 2))), "everybody meets once"
    byes = Counter(player for each in rounds for player in each.byes)
    assert byes == Counter(players if count % 2 else [])
    for each in rounds:
        at_once = [player for group in each.groups for player in group] + [*each.byes]
        assert sorted(at_once) == players, "everybody has one place in a round"
    firsts = Counter(group[0] for each in rounds for group in each.groups)
    assert max(firsts.values()) - min(firsts[player] for player in players) <= 1 + count % 2


@pytest.mark.parametrize("count", [4, 5, 7, 8, 12, 13])
def test_swiss(count: int) -> None:
    players = list(range(count))
    rounds: list[Round] = []
    played: list[Played] = []
    for number in range(min(5, count - 2)):
        drawn = swiss(players, rounds, played)
        assert len(drawn.byes) == count % 2
        assert sorted([p for g in drawn.groups for p in g] + [*drawn.byes]) == players
        if number == 1 and count % 2 == 0:  # winners meet winners
            points = {row.player: row.points for row in standings(players, rounds, played)}
            unequal = [g for g in drawn.groups if points[g[0]] != points[g[1]]]
            assert len(unequal) <= 1 + count // 2 % 2
        # The stronger player, the one with the lower number, always wins.
        played += [
            Played(group, tuple(int(p != min(group)) for p in group), (0, 0))
            for group in drawn.groups
        ]
        rounds.append(drawn)
    met = [frozenset(group) for each in rounds for group in each.groups]
    assert len(met) == len(set(met)), "nobody meets twice"
    byes = [player for each in rounds for player in each.byes]
    assert len(byes) == len(set(byes))
    assert standings(players, rounds, played)[0].player == 0
    starts = Counter(group[0] for each in rounds for group in each.groups)
    assert max(starts.values()) <= max(2, len(rounds) - 1)


def test_swiss_with_more_rounds_than_opponents_repeats_a_meeting() -> None:
    rounds = [Round(((0, 1),)), Round(((1, 0),))]
    assert swiss([0, 1], rounds, []).groups in (((0, 1),), ((1, 0),))


@pytest.mark.parametrize(
    ("players", "seats", "fewest", "sizes"),
    [
        (8, 4, 3, [4, 4]),
        (7, 4, 3, [4, 3]),
        (5, 4, 3, [4]),
        (9, 4, 3, [3, 3, 3]),
        (11, 4, 3, [4, 4, 3]),
        (11, 6, 3, [6, 5]),
        (2, 4, 3, []),
        (6, 3, 3, [3, 3]),
    ],
)
def test_tables_are_few_and_equal(players: int, seats: int, fewest: int, sizes: list[int]) -> None:
    assert table_sizes(players, seats, fewest) == sizes


@pytest.mark.parametrize(("count", "seats"), [(8, 4), (9, 3), (10, 4), (12, 4), (13, 3), (5, 4)])
def test_rotating_tables(count: int, seats: int) -> None:
    players = list(range(count))
    rounds: list[Round] = []
    for _ in range(4):
        drawn = rotation(players, seats, rounds)
        assert sorted([p for g in drawn.groups for p in g] + [*drawn.byes]) == players
        assert {len(group) for group in drawn.groups} <= {seats, seats - 1}
        rounds.append(drawn)
    byes = Counter(player for each in rounds for player in each.byes)
    assert max(byes.values(), default=0) - min(byes[player] for player in players) <= 1
    met = Counter(
        frozenset(pair) for each in rounds for g in each.groups for pair in combinations(g, 2)
    )
    drawn_at_random = random.Random(1)
    by_chance = []
    for _ in range(200):
        counted: Counter[frozenset[int]] = Counter()
        for each in rounds:
            order = players[:]
            drawn_at_random.shuffle(order)
            for group in each.groups:
                table = [order.pop() for _ in group]
                counted.update(frozenset(pair) for pair in combinations(table, 2))
        by_chance.append(sum(times**2 for times in counted.values()))
    assert sum(times**2 for times in met.values()) <= min(by_chance) + 2
    had = Counter((p, seat) for each in rounds for g in each.groups for seat, p in enumerate(g))
    assert max(had.values()) <= 2


def test_standings_and_their_tie_breaks() -> None:
    rounds = [Round(((0, 1), (2, 3)), (4,)), Round(((0, 2), (1, 4)), (3,))]
    played = [
        Played((0, 1), (0, 1), (9, 5)),
        Played((2, 3), (0, 0), (7, 7)),
        Played((0, 2), (1, 0), (3, 6)),
        Played((1, 4), (0, 1), (8, 2)),
    ]
    table = standings(range(5), rounds, played)
    by_player = {row.player: row for row in table}
    assert [by_player[p].points for p in range(5)] == [1, 1, 1.5, 1.5, 1]
    assert by_player[2].buchholz == 1.5 + 1
    assert by_player[3].buchholz == 1.5
    assert by_player[2].berger == 0.5 * 1.5 + 1 * 1
    assert [row.player for row in table] == [2, 3, 0, 1, 4]
    assert (by_player[4].byes, by_player[4].games) == (1, 1)


def test_at_larger_tables_points_are_shares_of_the_others() -> None:
    played = [Played((0, 1, 2), (0, 1, 1), (9, 5, 5))]
    assert [row.points for row in standings([0, 1, 2], [], played)] == [1, 0.25, 0.25]
