"""Search in every game depends on the view and the seed alone, however it runs."""

from __future__ import annotations

import dataclasses
from itertools import islice
from typing import Any

import pytest

from archipel.bots import Bot, levels_of, roster_of
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.search import Searcher, SearchResult, search_entries, search_program
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, Tape, clone, rule
from archipel.rules.kit.core.loading import can_compile
from tests.bots.positions import decisions

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def config_of(game: str, simulations: int, **changed: Any) -> SearchConfig:
    """The settings of a game's master, with fewer and shorter simulations."""
    short = {"horizon": 1, "shortlist": 0, "lookahead": 0, **changed}
    return dataclasses.replace(levels_of(game)[-1].config, simulations=simulations, **short)


#: A search with an evaluation net.
NET: dict[str, Any] = {"horizon": 2, "lookahead": 2, "evaluation": "net_1"}

#: A tree of all seats' decisions and of outcomes of chance.
WHOLE_TREE: dict[str, Any] = {"depth": 6, "opponent_nodes": True, "outcome_nodes": True}


def searcher(game: str, config: SearchConfig) -> Searcher:
    return Searcher(roster_of(game), config, search_program(game).interpreted())


def views(definition: Definition[Any], every: int, most: int) -> list[tuple[Any, Any]]:
    """Full positions with a choice, and the views of the seats to move."""
    chosen = islice(decisions(definition, 5), 0, most * every, every)
    return [(s, definition.seen(s, definition.to_move(s))) for s, _ in chosen]


@every_game
def test_equal_views_give_equal_results(definition: Definition[Any]) -> None:
    """Hidden information changes neither the choice nor the statistics."""
    searching = searcher(definition.name, config_of(definition.name, 6, depth=1))
    for number, (s, view) in enumerate(views(definition, 37, 3)):
        seat = definition.to_move(s)
        other = definition.seen(definition.resample(s, seat, Stream(number)), seat)
        before = clone(view)
        assert searching.search(view, seed=number) == searching.search(other, seed=number)
        assert view == before, "a search must not change the view"


@pytest.mark.parametrize(("simulations", "changed"), [(4, NET), (40, WHOLE_TREE)])
def test_a_search_of_deep_sea_depends_on_the_view_alone(
    simulations: int, changed: dict[str, Any]
) -> None:
    definition = roster_of("deep-sea").definition
    searching = searcher("deep-sea", config_of("deep-sea", simulations, **changed))
    for number, (s, view) in enumerate(views(definition, 61, 3)):
        seat = definition.to_move(s)
        other = definition.seen(definition.resample(s, seat, Stream(number)), seat)
        found = searching.search(view, seed=number)
        assert searching.search(other, seed=number) == found
        assert all(0 <= candidate.chance <= 1 for candidate in found.candidates)


@every_game
def test_every_candidate_is_visited(definition: Definition[Any]) -> None:
    (_, view), *_ = views(definition, 53, 1)
    result = searcher(definition.name, config_of(definition.name, 8)).search(view, seed=1)
    legal = definition.legal_actions(view)
    assert sorted(candidate.action for candidate in result.candidates) == legal
    assert result.action in legal
    assert result.complete
    assert all(candidate.visits > 0 for candidate in result.candidates)
    assert all(0 <= candidate.chance <= 1 for candidate in result.candidates)
    assert result.simulations == sum(candidate.visits for candidate in result.candidates)
    visits = [candidate.visits for candidate in result.candidates]
    assert visits == sorted(visits, reverse=True), "the better half gets more visits"


@every_game
def test_a_shortlist_has_the_first_choices_of_the_policy(definition: Definition[Any]) -> None:
    roster = roster_of(definition.name)
    config = config_of(definition.name, 12, shortlist=3)
    policy = roster.named(config.policy).index
    agreed = met = 0
    for number, (_, view) in enumerate(views(definition, 31, 5)):
        result = searcher(definition.name, config).search(view, seed=number)
        legal = definition.legal_actions(view)
        tried = [candidate.action for candidate in result.candidates if candidate.visits]
        assert len(tried) == min(3, len(legal))
        assert result.action in tried
        assert sorted(c.action for c in result.candidates) == legal, "lists all actions"
        preferred = roster.choose(clone(view), policy, legal, len(legal), Stream(number))
        agreed += preferred in tried
        met += 1
    assert agreed >= met - 1, "the policy may choose at random between equal actions"


@every_game
def test_a_subtree_is_reused_within_a_turn(definition: Definition[Any]) -> None:
    """Where nothing comes between two decisions, the second reuses the first's subtree."""
    searching = searcher(definition.name, config_of(definition.name, 40, depth=1, threads=2))
    met = 0
    for number, (s, view) in enumerate(views(definition, 23, 6)):
        result = searching.search(view, seed=number)
        seat = definition.to_move(s)
        tape = Tape(source=Stream(number))
        definition.apply(s, result.action, tape)
        if result.subtree is None:
            continue
        assert not tape.outcomes, "chance would make it stale"
        assert result.subtree.view == definition.seen(s, seat)
        known = sum(record[0] for found in result.subtree.threads for record in found.values())
        if known and len(definition.legal_actions(s)) > 1:
            fresh = searching.search(result.subtree.view, seed=1)
            more = searching.search(result.subtree.view, seed=1, subtree=result.subtree)
            assert more.simulations == fresh.simulations + known
            assert searching.search(view, seed=number, subtree=result.subtree) == result, (
                "another view"
            )
            met += 1
    assert met > 0 or definition.name == "deep-sea", "there, dice follow every decision"


def statistics_of(result: SearchResult) -> list[tuple[int, int, float, float]]:
    """The statistics of the candidates, ordered by action."""
    found = result.candidates
    return sorted((c.action, c.visits, c.chance, c.reward) for c in found)


@every_game
def test_a_rollout_prior_without_widening_equals_no_tree(definition: Definition[Any]) -> None:
    """Nodes with only the child of the policy's choice change nothing; other children do."""
    bare = config_of(definition.name, 24, depth=0)
    alone = dataclasses.replace(bare, depth=3, rollout_prior=True, progressive_widening=0.0)
    wide = dataclasses.replace(alone, progressive_widening=2.0)
    others = 0
    for number, (_, view) in enumerate(views(definition, 23, 4)):
        without = searcher(definition.name, bare).search(view, seed=number)
        assert searcher(definition.name, alone).search(view, seed=number).subtree is None
        found = statistics_of(searcher(definition.name, alone).search(view, seed=number))
        assert found == statistics_of(without)
        others += found != statistics_of(searcher(definition.name, wide).search(view, seed=number))
    assert others > 0 or definition.name == "deep-sea", "there a turn has one decision"


def test_a_rollout_prior_never_proposes_the_choice_of_the_policy() -> None:
    game, changed = "mauna-kea", {"depth": 1, "rollout_prior": True, "progressive_widening": 1.0}
    definition, roster = roster_of(game).definition, roster_of(game)
    config = config_of(game, 120, **changed)
    policy, met = roster.named(config.policy).index, 0
    for number, (_, view) in enumerate(views(definition, 17, 6)):
        subtree = searcher(game, config).search(view, seed=number).subtree
        if subtree is not None:
            legal = definition.legal_actions(subtree.view)
            preferred = roster.choose(clone(subtree.view), policy, legal, len(legal), Stream(0))
            joined = set(subtree.threads[0])
            assert joined <= set(legal) - {preferred}
            met += 1
    assert met > 0


@every_game
def test_only_opponents_use_the_opponent_policy(definition: Definition[Any]) -> None:
    roster, met = roster_of(definition.name), set()
    seat = 0

    def choose(s: Any, bot: int, actions: list[int], count: int, chance: Any) -> int:
        met.add((definition.to_move(s) == seat, bot))
        return roster.choose(s, bot, actions, count, chance)

    watched = dataclasses.replace(roster, choose=rule(choose))
    backend = search_entries(watched).interpreted()
    bots = {"policy": "greedy-1", "proposal_policy": "", "opponent_policy": "random"}
    own, others = roster.number_of("greedy-1"), roster.number_of("random")
    for changed in ({"depth": 0}, {"depth": 2, "rollout_prior": False, "opponent_nodes": True}):
        met.clear()
        config = config_of(definition.name, 8, horizon=3, **bots, **changed)
        searching = Searcher(watched, config, backend)
        for number, (s, view) in enumerate(views(definition, 37, 3)):
            seat = definition.to_move(s)
            searching.search(view, seed=number)
        assert met == {(True, own), (False, others)}


def test_the_opponent_policy_defaults_to_the_rollout_policy() -> None:
    game = "mauna-kea"
    (_, view), *_ = views(roster_of(game).definition, 53, 1)
    config = config_of(game, 12, horizon=3, opponent_policy="")
    result = searcher(game, config).search(view, seed=1)
    for name in (config.policy, "quick-1"):
        found = searcher(game, dataclasses.replace(config, opponent_policy=name)).search(
            view, seed=1
        )
        assert (found == result) == (name == config.policy)
    quick = dataclasses.replace(config, rollout_policy="quick-1")
    named = dataclasses.replace(quick, opponent_policy="quick-1")
    result = searcher(game, quick).search(view, seed=1)
    assert searcher(game, named).search(view, seed=1) == result


@every_game
def test_elimination_drops_only_beaten_candidates(definition: Definition[Any]) -> None:
    roster = roster_of(definition.name)
    (_, view), *_ = views(definition, 53, 1)
    patient = config_of(definition.name, 60, elimination_z=0.0)
    whole = searcher(definition.name, patient).search(view, seed=1)
    cautious = searcher(definition.name, dataclasses.replace(patient, elimination_z=1e6))
    assert cautious.search(view, seed=1) == whole, "nothing is that far behind"
    hasty = searcher(definition.name, dataclasses.replace(patient, elimination_z=1e-6))
    result = hasty.search(view, seed=1)
    legal = roster.definition.legal_actions(view)
    assert all(candidate.visits for candidate in result.candidates)
    assert len({candidate.visits for candidate in result.candidates}) == 1, "one round decided"
    if len(legal) > 2:
        assert result.simulations < whole.simulations


@every_game
def test_the_margin_changes_the_reward_only(definition: Definition[Any]) -> None:
    (_, view), *_ = views(definition, 53, 1)
    plain = config_of(definition.name, 12, margin=0.0)
    without = searcher(definition.name, dataclasses.replace(plain, shortlist=2))
    by_half = searcher(definition.name, dataclasses.replace(plain, shortlist=2, margin=0.5))
    found = {c.action: c for c in without.search(view, seed=1).candidates if c.visits}
    other = {c.action: c for c in by_half.search(view, seed=1).candidates if c.visits}
    assert found.keys() == other.keys()
    for action, candidate in other.items():
        assert candidate.chance == pytest.approx(found[action].chance)
        assert found[action].reward == pytest.approx(found[action].chance)
        assert 0 <= candidate.reward <= 1
    assert any(c.reward != pytest.approx(c.chance) for c in other.values())


def some_view() -> Any:
    return views(roster_of("deep-sea").definition, 29, 1)[0][1]


def test_equal_seeds_give_equal_results() -> None:
    to_the_end: dict[str, Any] = {"horizon": 0, "evaluation": ""}
    config = config_of("deep-sea", 24, depth=2, threads=2, **to_the_end)
    view = some_view()
    result = searcher("deep-sea", config).search(view, seed=7)
    again = searcher("deep-sea", config)
    assert again.search(view, seed=8) != result
    assert again.search(view, seed=7) == result, "a search keeps nothing from the last decision"
    assert again.search(view, seed=7 + 2**64) == result


def test_outcomes_count_as_depth() -> None:
    """A path has room for as many nodes as the deepest tree without outcomes."""
    assert config_of("deep-sea", 9, depth=64).depth == 64
    assert config_of("deep-sea", 9, depth=32, outcome_nodes=True).depth == 32
    with pytest.raises(ValueError, match="at most 32 decisions deep, not 33"):
        config_of("deep-sea", 9, depth=33, outcome_nodes=True)


def test_a_search_can_be_stopped() -> None:
    config, view = config_of("deep-sea", 400), some_view()
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 5

    result = searcher("deep-sea", config).search(view, seed=1, stop=stop)
    assert not result.complete
    assert result.simulations == 5, "an interpreted slice is one simulation"
    assert result.action in roster_of("deep-sea").definition.legal_actions(view)
    hurried = searcher("deep-sea", config).search(view, seed=1, milliseconds=0)
    assert (hurried.complete, hurried.simulations) == (False, 1)
    patient = config_of("deep-sea", 12)
    unhurried = searcher("deep-sea", patient).search(view, seed=1, milliseconds=600_000)
    assert unhurried == searcher("deep-sea", patient).search(view, seed=1)


def test_one_legal_action_needs_no_search() -> None:
    definition = roster_of("deep-sea").definition
    s = definition.new(definition.make_options(2), Stream(1))
    legal = definition.legal_actions(s)
    assert len(legal) == 1, "the first dive is forced"
    view = definition.seen(s, definition.to_move(s))
    result = searcher("deep-sea", config_of("deep-sea", 50)).search(view, seed=1)
    assert (result.action, result.simulations) == (legal[0], 0)


def compiled(game: str) -> Any:
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import CHECKED, compile_program

    return compile_program(search_program(game), CHECKED, default_cache())


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
def test_compiled_search_in_threads_gives_equal_results() -> None:
    roster = roster_of("deep-sea")
    backend = compiled("deep-sea")
    for changed in (
        {"depth": 0},
        {"depth": 3, "threads": 3},
        {"depth": 2, "opponent_nodes": True},
        {**WHOLE_TREE, "simulations": 60},
        {**NET, "simulations": 8, "threads": 2},
        {**NET, "lookahead": 0, **WHOLE_TREE, "simulations": 24, "threads": 2},
    ):
        config = config_of("deep-sea", **{"simulations": 30, **changed})
        plain, machine = searcher("deep-sea", config), Searcher(roster, config, backend)
        for number, (_, view) in enumerate(views(roster.definition, 41, 3)):
            result = plain.search(view, seed=number)
            assert machine.search(view, seed=number) == result
            assert machine.search(view, seed=number, cores=4) == result


@pytest.mark.soak
@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
@every_game
def test_compiled_search_gives_equal_results(definition: Definition[Any]) -> None:
    for rollout_prior in (False, True):
        config = config_of(
            definition.name, 20, depth=1, rollout_prior=rollout_prior, progressive_widening=1.0
        )
        machine = Searcher(roster_of(definition.name), config, compiled(definition.name))
        for number, (_, view) in enumerate(views(definition, 41, 4)):
            result = searcher(definition.name, config).search(view, seed=number)
            assert machine.search(view, seed=number) == result


def test_a_handicap_never_plays_a_blunder() -> None:
    """A handicap plays other candidates, but none much worse than the best."""
    view = some_view()
    blind = config_of("deep-sea", 40, overlook=0.9, blunder=1.0)
    careful = dataclasses.replace(blind, blunder=0.0)
    chosen = {searcher("deep-sea", blind).search(view, seed=seed).action for seed in range(12)}
    assert len(chosen) > 1
    for seed in range(6):
        result = searcher("deep-sea", careful).search(view, seed=seed)
        best = max(candidate.reward for candidate in result.candidates)
        played = next(c for c in result.candidates if c.action == result.action)
        assert played.reward == best or played == result.candidates[0]


def test_a_level_is_a_bot() -> None:
    view, definition = some_view(), roster_of("deep-sea").definition
    bot = Bot.named("deep-sea", "first-game", search_program("deep-sea").interpreted())
    assert bot.name == "first-game-1"
    action = bot.choose(view, definition.legal_actions(view), seed=3)
    assert bot.search(view, seed=3).action == action
    greedy = Bot.named("deep-sea", "greedy")
    alone = greedy.search(view, seed=3)
    assert alone.action == greedy.choose(view, definition.legal_actions(view), seed=3)
    assert [candidate.action for candidate in alone.candidates] == [alone.action]
