"""Search in every game: from the view alone, the same for the same seed however it runs."""

from __future__ import annotations

import dataclasses
from itertools import islice
from typing import Any

import pytest

from archipel.bots import Bot, levels_of, roster_of
from archipel.bots.search.plan import Plan
from archipel.bots.search.programs import search_program
from archipel.bots.search.searcher import Searcher, Thought, search_entries
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, Tape, clone, rule
from archipel.rules.kit.loading import can_compile
from tests.bots.positions import decisions

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def plan_of(game: str, simulations: int, **changed: Any) -> Plan:
    """The plan of a game's master, with fewer simulations, and shorter ones."""
    short = {"horizon": 1, "shortlist": 0, **changed}
    return dataclasses.replace(levels_of(game)[-1].plan, simulations=simulations, **short)


def searcher(game: str, plan: Plan) -> Searcher:
    return Searcher(roster_of(game), plan, search_program(game).interpreted())


def views(definition: Definition[Any], every: int, most: int) -> list[tuple[Any, Any]]:
    """True positions with a choice, and what their movers see."""
    chosen = islice(decisions(definition, 5), 0, most * every, every)
    return [(s, definition.seen(s, definition.to_move(s))) for s, _ in chosen]


@every_game
def test_two_worlds(definition: Definition[Any]) -> None:
    """What is hidden changes neither the choice nor anything found out about the candidates."""
    thinking = searcher(definition.name, plan_of(definition.name, 6, depth=1))
    for number, (s, view) in enumerate(views(definition, 37, 3)):
        seat = definition.to_move(s)
        other = definition.seen(definition.resample(s, seat, Stream(number)), seat)
        kept = clone(view)
        assert thinking.think(view, seed=number) == thinking.think(other, seed=number)
        assert view == kept, "the view is left as it is"


@every_game
def test_every_candidate_is_looked_at(definition: Definition[Any]) -> None:
    (_, view), *_ = views(definition, 53, 1)
    thought = searcher(definition.name, plan_of(definition.name, 8)).think(view, seed=1)
    legal = definition.legal_actions(view)
    assert sorted(candidate.action for candidate in thought.candidates) == legal
    assert thought.action in legal
    assert thought.complete
    assert all(candidate.visits > 0 for candidate in thought.candidates)
    assert all(0 <= candidate.chance <= 1 for candidate in thought.candidates)
    assert thought.simulations == sum(candidate.visits for candidate in thought.candidates)
    visits = [candidate.visits for candidate in thought.candidates]
    assert visits == sorted(visits, reverse=True), "the better half goes on"


@every_game
def test_a_shortlist_is_what_the_policy_likes_best(definition: Definition[Any]) -> None:
    roster = roster_of(definition.name)
    plan = plan_of(definition.name, 12, shortlist=3)
    policy = roster.named(plan.policy).index
    agreed = met = 0
    for number, (_, view) in enumerate(views(definition, 31, 5)):
        thought = searcher(definition.name, plan).think(view, seed=number)
        legal = definition.legal_actions(view)
        tried = [candidate.action for candidate in thought.candidates if candidate.visits]
        assert len(tried) == min(3, len(legal))
        assert thought.action in tried
        assert sorted(c.action for c in thought.candidates) == legal, "the others are listed too"
        liked = roster.choose(clone(view), policy, legal, len(legal), Stream(number))
        agreed += liked in tried
        met += 1
    assert agreed >= met - 1, "what is left to chance may be among equals"


@every_game
def test_what_is_known_is_kept_through_a_turn(definition: Definition[Any]) -> None:
    """Where nothing comes between two decisions, the second begins with what the first found."""
    thinking = searcher(definition.name, plan_of(definition.name, 40, depth=1, strands=2))
    met = 0
    for number, (s, view) in enumerate(views(definition, 23, 6)):
        thought = thinking.think(view, seed=number)
        seat = definition.to_move(s)
        tape = Tape(source=Stream(number))
        definition.apply(s, thought.action, tape)
        if thought.kept is None:
            continue
        assert not tape.outcomes, "chance would make it stale"
        assert thought.kept.view == definition.seen(s, seat)
        known = sum(record[0] for found in thought.kept.strands for record in found.values())
        if known and len(definition.legal_actions(s)) > 1:
            fresh = thinking.think(thought.kept.view, seed=1)
            more = thinking.think(thought.kept.view, seed=1, kept=thought.kept)
            assert more.simulations == fresh.simulations + known
            assert thinking.think(view, seed=number, kept=thought.kept) == thought, "another view"
            met += 1
    assert met > 0 or definition.name == "deep-sea", "there, every decision is followed by a throw"


def known_of(thought: Thought) -> list[tuple[int, int, float, float]]:
    """What was found out about the candidates, in the order of their numbers."""
    found = thought.candidates
    return sorted((c.action, c.visits, c.chance, c.reward) for c in found)


@every_game
def test_a_habit_is_whatever_the_policy_chooses(definition: Definition[Any]) -> None:
    """A tree with no place but that for the policy's choice finds what is found without a tree, in
    every world; as soon as other actions join, it does not."""
    bare = plan_of(definition.name, 24, depth=0)
    alone = dataclasses.replace(bare, depth=3, habit=True, widen=0.0)
    wide = dataclasses.replace(alone, widen=2.0)
    others = 0
    for number, (_, view) in enumerate(views(definition, 23, 4)):
        without = searcher(definition.name, bare).think(view, seed=number)
        assert searcher(definition.name, alone).think(view, seed=number).kept is None
        found = known_of(searcher(definition.name, alone).think(view, seed=number))
        assert found == known_of(without)
        others += found != known_of(searcher(definition.name, wide).think(view, seed=number))
    assert others > 0 or definition.name == "deep-sea", "there a turn has one decision"


def test_what_joins_is_never_the_habit_itself() -> None:
    """In a tree of the turn, other actions than the policy's have places beside it."""
    game, habit = "mauna-kea", {"depth": 1, "habit": True, "widen": 1.0}
    definition, roster = roster_of(game).definition, roster_of(game)
    plan = plan_of(game, 120, **habit)
    policy, met = roster.named(plan.policy).index, 0
    for number, (_, view) in enumerate(views(definition, 17, 6)):
        kept = searcher(game, plan).think(view, seed=number).kept
        if kept is not None:
            legal = definition.legal_actions(kept.view)
            wished = roster.choose(clone(kept.view), policy, legal, len(legal), Stream(0))
            joined = set(kept.strands[0])
            assert joined <= set(legal) - {wished}
            met += 1
    assert met > 0


@every_game
def test_others_play_for_the_other_seats(definition: Definition[Any]) -> None:
    """And for nobody else; the policy plays for one's own."""
    roster, met = roster_of(definition.name), set()
    seat = 0

    def choose(s: Any, bot: int, actions: list[int], count: int, chance: Any) -> int:
        met.add((definition.to_move(s) == seat, bot))
        return roster.choose(s, bot, actions, count, chance)

    watched = dataclasses.replace(roster, choose=rule(choose))
    backend = search_entries(watched).interpreted()
    bots = {"policy": "greedy-1", "ideas": "", "others": "random"}
    own, others = roster.number_of("greedy-1"), roster.number_of("random")
    for changed in ({"depth": 0}, {"depth": 2, "habit": False, "rivals": True}):
        met.clear()
        plan = plan_of(definition.name, 8, horizon=3, **bots, **changed)
        thinking = Searcher(watched, plan, backend)
        for number, (s, view) in enumerate(views(definition, 37, 3)):
            seat = definition.to_move(s)
            thinking.think(view, seed=number)
        assert met == {(True, own), (False, others)}


def test_others_are_like_oneself_unless_named() -> None:
    game = "mauna-kea"
    (_, view), *_ = views(roster_of(game).definition, 53, 1)
    plan = plan_of(game, 12, horizon=3, others="")
    thought = searcher(game, plan).think(view, seed=1)
    for name in (plan.policy, "quick-1"):
        found = searcher(game, dataclasses.replace(plan, others=name)).think(view, seed=1)
        assert (found == thought) == (name == plan.policy)
    quick = dataclasses.replace(plan, playout="quick-1")
    named = dataclasses.replace(quick, others="quick-1")
    thought = searcher(game, quick).think(view, seed=1)
    assert searcher(game, named).think(view, seed=1) == thought, "as beyond the tree"


@every_game
def test_what_is_plain_takes_less_time(definition: Definition[Any]) -> None:
    """A candidate that is plainly beaten is out of the race, and nothing else."""
    roster = roster_of(definition.name)
    (_, view), *_ = views(definition, 53, 1)
    patient = plan_of(definition.name, 60, sure=0.0)
    whole = searcher(definition.name, patient).think(view, seed=1)
    cautious = searcher(definition.name, dataclasses.replace(patient, sure=1e6))
    assert cautious.think(view, seed=1) == whole, "never sure enough"
    hasty = searcher(definition.name, dataclasses.replace(patient, sure=1e-6))
    thought = hasty.think(view, seed=1)
    legal = roster.definition.legal_actions(view)
    assert all(candidate.visits for candidate in thought.candidates)
    assert len({candidate.visits for candidate in thought.candidates}) == 1, "one round decided"
    if len(legal) > 2:
        assert thought.simulations < whole.simulations


@every_game
def test_a_lead_counts_beside_the_chance(definition: Definition[Any]) -> None:
    """The part of the reward that is a margin leaves the chance of winning as it is."""
    (_, view), *_ = views(definition, 53, 1)
    plain = plan_of(definition.name, 12, margin=0.0)
    without = searcher(definition.name, dataclasses.replace(plain, shortlist=2))
    by_half = searcher(definition.name, dataclasses.replace(plain, shortlist=2, margin=0.5))
    found = {c.action: c for c in without.think(view, seed=1).candidates if c.visits}
    other = {c.action: c for c in by_half.think(view, seed=1).candidates if c.visits}
    assert found.keys() == other.keys()
    for action, candidate in other.items():
        assert candidate.chance == pytest.approx(found[action].chance)
        assert found[action].reward == pytest.approx(found[action].chance)
        assert 0 <= candidate.reward <= 1
    assert any(c.reward != pytest.approx(c.chance) for c in other.values())


def some_view() -> Any:
    return views(roster_of("deep-sea").definition, 29, 1)[0][1]


def test_equal_seeds_equal_thoughts() -> None:
    plan, view = plan_of("deep-sea", 24, depth=2, strands=2, horizon=0), some_view()
    thought = searcher("deep-sea", plan).think(view, seed=7)
    again = searcher("deep-sea", plan)
    assert again.think(view, seed=8) != thought
    assert again.think(view, seed=7) == thought, "nothing is left over from the last decision"
    assert again.think(view, seed=7 + 2**64) == thought


def test_stopping() -> None:
    plan, view = plan_of("deep-sea", 400), some_view()
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 5

    thought = searcher("deep-sea", plan).think(view, seed=1, stop=stop)
    assert not thought.complete
    assert thought.simulations == 5, "interpreted, one simulation is a piece"
    assert thought.action in roster_of("deep-sea").definition.legal_actions(view)
    hurried = searcher("deep-sea", plan).think(view, seed=1, milliseconds=0)
    assert (hurried.complete, hurried.simulations) == (False, 1)
    patient = plan_of("deep-sea", 12)
    unhurried = searcher("deep-sea", patient).think(view, seed=1, milliseconds=600_000)
    assert unhurried == searcher("deep-sea", patient).think(view, seed=1)


def test_nothing_to_think_about() -> None:
    definition = roster_of("deep-sea").definition
    s = definition.new(definition.make_options(2), Stream(1))
    legal = definition.legal_actions(s)
    assert len(legal) == 1, "the first throw goes down"
    view = definition.seen(s, definition.to_move(s))
    thought = searcher("deep-sea", plan_of("deep-sea", 50)).think(view, seed=1)
    assert (thought.action, thought.simulations) == (legal[0], 0)


def compiled(game: str) -> Any:
    from archipel.rules.kit.compiling import CHECKED, compile_program
    from archipel.rules.kit.keeping import default_cache

    return compile_program(search_program(game), CHECKED, default_cache())


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
def test_compiled_and_on_threads_it_is_the_same() -> None:
    roster = roster_of("deep-sea")
    backend = compiled("deep-sea")
    for changed in ({"depth": 0}, {"depth": 3, "strands": 3}, {"depth": 2, "rivals": True}):
        plan = plan_of("deep-sea", 30, **changed)
        plain, machine = searcher("deep-sea", plan), Searcher(roster, plan, backend)
        for number, (_, view) in enumerate(views(roster.definition, 41, 3)):
            thought = plain.think(view, seed=number)
            assert machine.think(view, seed=number) == thought
            assert machine.think(view, seed=number, threads=4) == thought


@pytest.mark.soak
@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
@every_game
def test_compiled_it_is_the_same(definition: Definition[Any]) -> None:
    for habit in (False, True):
        plan = plan_of(definition.name, 20, depth=1, habit=habit, widen=1.0)
        machine = Searcher(roster_of(definition.name), plan, compiled(definition.name))
        for number, (_, view) in enumerate(views(definition, 41, 4)):
            thought = searcher(definition.name, plan).think(view, seed=number)
            assert machine.think(view, seed=number) == thought


def test_oversights_are_never_nonsense() -> None:
    """With a handicap other candidates are played, but none that is much worse than the best."""
    view = some_view()
    blind = plan_of("deep-sea", 40, overlook=0.9, blunder=1.0)
    careful = dataclasses.replace(blind, blunder=0.0)
    chosen = {searcher("deep-sea", blind).think(view, seed=seed).action for seed in range(12)}
    assert len(chosen) > 1
    for seed in range(6):
        thought = searcher("deep-sea", careful).think(view, seed=seed)
        best = max(candidate.reward for candidate in thought.candidates)
        played = next(c for c in thought.candidates if c.action == thought.action)
        assert played.reward == best or played == thought.candidates[0]


def thought_of(bot: Bot, view: Any) -> Thought:
    return bot.think(view, seed=3)


def test_a_level_is_a_bot() -> None:
    view, definition = some_view(), roster_of("deep-sea").definition
    bot = Bot.named("deep-sea", "first-game", search_program("deep-sea").interpreted())
    assert bot.name == "first-game-1"
    action = bot.choose(view, definition.legal_actions(view), seed=3)
    assert thought_of(bot, view).action == action
    greedy = Bot.named("deep-sea", "greedy")
    alone = thought_of(greedy, view)
    assert alone.action == greedy.choose(view, definition.legal_actions(view), seed=3)
    assert [candidate.action for candidate in alone.candidates] == [alone.action]
