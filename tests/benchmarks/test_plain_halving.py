"""Plain halving, the baseline of search, interpreted."""

from __future__ import annotations

from itertools import islice
from typing import Any

from archipel.bots import roster_of
from archipel.bots.search.config import SearchConfig, get_field
from archipel.bots.search.search import Searcher
from archipel.rules.contract import Definition
from archipel.rules.kit.core.program import Backend
from benchmarks.plain_halving import PlainHalving, PlainPlayer
from benchmarks.search_match import arena_program
from tests.bots.positions import decisions


def plain(game: str, seats: int, **given: Any) -> tuple[PlainPlayer, Backend]:
    backend = arena_program(game).interpreted()
    return PlainPlayer(roster_of(game), backend, PlainHalving(**given), seats), backend


def views(definition: Definition[Any], every: int, most: int) -> list[Any]:
    found = islice(decisions(definition, 5), 0, most * every, every)
    return [definition.seen(s, definition.to_move(s)) for s, _ in found]


def test_without_a_cut_it_equals_a_search_configuration() -> None:
    """With a budget for all rounds, a search without other settings chooses the same actions."""
    roster = roster_of("deep-sea")
    for seed, view in enumerate(views(roster.definition, 29, 6)):
        seats = roster.definition.read_options(view).seats
        settings: dict[str, Any] = {"simulations": 24, "margin": 0.5, "margin_scale": 40.0}
        player, backend = plain("deep-sea", seats, **settings)
        config = SearchConfig(**settings, policy=roster.named("greedy").name, prior_weight=0.7)
        result = Searcher(roster, config, backend).search(view, seed=seed)
        assert player.choose(view, (), seed) == result.action


def test_a_cut_rollout_counts_only_points() -> None:
    """Nobody has points in the first decisions of The Island."""
    roster = roster_of("the-island")
    view = views(roster.definition, 1, 1)[0]
    seats = roster.definition.read_options(view).seats
    player, _ = plain("the-island", seats, simulations=2, cut=3)
    assert player.choose(view, (), 1) in roster.definition.legal_actions(view)
    record = player.record
    tried = [n for n in range(get_field(record, "count")) if get_field(record, "visits")[n]]
    assert tried
    assert all(get_field(record, "worth")[n] == 0.5 * get_field(record, "visits")[n] for n in tried)


def test_it_ends_when_the_budget_is_spent() -> None:
    """One round of all candidates exceeds the budget, so there is no second round."""
    roster = roster_of("the-island")
    view = views(roster.definition, 1, 1)[0]
    seats = roster.definition.read_options(view).seats
    player, _ = plain("the-island", seats, simulations=2, cut=1)
    player.choose(view, (), 1)
    visits = get_field(player.record, "visits")
    count = get_field(player.record, "count")
    assert count > 2
    assert [visits[number] for number in range(count)] == [1] * count
