"""Plain tree search, a yardstick, interpreted."""

from __future__ import annotations

from typing import Any

from archipel import Game
from archipel.bots import roster_of
from archipel.bots.search.config import get_field
from archipel.rules.kit import Stream
from benchmarks.plain_tree import TOP, PlainTree, PlainTreePlayer, visits_in
from benchmarks.search_match import arena_program
from benchmarks.strength import entrant, with_version
from tests.bots.positions import decisions

ROSTER = roster_of("deep-sea")
DEEP_SEA = ROSTER.definition


def tree_player(seats: int, **given: Any) -> PlainTreePlayer:
    backend = arena_program("deep-sea").interpreted()
    return PlainTreePlayer(ROSTER, backend, PlainTree(**given), seats)


def last_round(**words: object) -> Game:
    """Two divers in the last round; the first has to move."""
    position = " ".join(f"{word}={value}" for word, value in words.items())
    return Game.from_position("deep-sea", f"round=3 {position}", seats=2, turn=1, seed=1)


def test_every_simulation_is_a_visit_of_a_root_action() -> None:
    s, legal = next(decisions(DEEP_SEA, 5))
    player = tree_player(s.seats, simulations=60, trees=3)
    seat = DEEP_SEA.to_move(s)
    assert player.choose(DEEP_SEA.seen(s, seat), legal, 1) in legal
    visits = {action: visits_in(list(player.trees), 3, action) for action in legal}
    assert sum(visits.values()) == 60
    assert all(visits.values())
    assert all(get_field(tree, "used") <= 21 for tree in player.trees), "one node a simulation"
    assert all(get_field(tree, "key")[TOP] == -1 for tree in player.trees)


def test_hidden_values_do_not_change_the_choice() -> None:
    s, legal = next(decisions(DEEP_SEA, 5))
    seat = DEEP_SEA.to_move(s)
    other = DEEP_SEA.resample(s, seat, Stream(3))
    player = tree_player(s.seats, simulations=30, trees=2)
    chosen = player.choose(DEEP_SEA.seen(s, seat), legal, 4)
    assert chosen == player.choose(DEEP_SEA.seen(other, seat), legal, 4)


def test_turns_back_with_what_wins() -> None:
    """The only treasure of the last round: one more dive leaves too little air to get home."""
    game = last_round(phase="throw", air=4, diver1="7>[d1]", diver2="home")
    player = tree_player(2, simulations=400, trees=2)
    chosen = player.choose(game.view(0).state, game.legal, 1)
    assert game.definition.action_text(game.state, chosen) == "turn back"


def test_is_named_in_matches() -> None:
    text = "tree:simulations=64000,trees=16"
    assert entrant("deep-sea", text) == PlainTree(64_000, 16)
    assert with_version("deep-sea", text) == text
