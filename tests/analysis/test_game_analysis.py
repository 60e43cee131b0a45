"""Analyses: mistakes are found, and equal players differ only by luck."""

from __future__ import annotations

import pytest

from archipel import Game
from archipel.analysis import Analysis, NothingToAnalyse, analyse, analysing
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import Budget, evaluations_of
from archipel.analysis.game_analysis import timeline_of
from archipel.bots import Bot, roster_of
from archipel.rules.all_games import games
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import Stream, clone
from tests.analysis.endgames import first_of, last_way_home

SMALL = Budget(selection=4, measure=40, position=40, deals=16)
TINY = Budget(selection=2, measure=4, position=2, deals=2)


def analysis_of(game: Game, budget: Budget = SMALL, seed: int = 1) -> Analysis:
    backend = analysis_program(game.name).interpreted()
    return analyse(game, budget=budget, seed=seed, backend=backend)


@pytest.mark.parametrize("seed", [3, 5])
def test_finds_the_blunder_that_lost_a_game(seed: int) -> None:
    game = last_way_home(seed, blunder=True)
    found = analysis_of(game)
    blunder = first_of(game, 0)
    assert found.mistakes[0] == blunder
    assert game.moves[blunder].action.text == "dive"
    decision = found.decisions[blunder]
    best = game.definition.action_text(decision.view, decision.actions[decision.best])
    assert best == "turn back"
    loser, other = found.seats
    assert loser.loss > 0.3
    assert loser.own < -0.3
    assert other.others == pytest.approx(-loser.own), "the opponent gains what the loser gives away"


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_games_of_the_policy_show_no_skill(seed: int) -> None:
    found = analysis_of(last_way_home(seed))
    for seat_sum in found.seats:
        assert seat_sum.own == seat_sum.others == 0.0
        gone = seat_sum.result - seat_sum.start
        assert seat_sum.luck_interval.low <= gone <= seat_sum.luck_interval.high
        assert seat_sum.skill_interval.low <= 0 <= seat_sum.skill_interval.high


def test_the_parts_add_up_to_the_result() -> None:
    for game in (last_way_home(3, blunder=True), last_way_home(4, "random")):
        found = analysis_of(game, TINY)
        for seat, seat_sum in enumerate(found.seats):
            parts = seat_sum.start + seat_sum.luck + seat_sum.own + seat_sum.others
            assert parts == pytest.approx(seat_sum.result, abs=1e-12)
            steps = found.summary.steps
            assert sum(step.luck[seat] for step in steps) == pytest.approx(seat_sum.luck)
        for step in found.summary.steps:
            assert sum(step.luck) == pytest.approx(0, abs=1e-9), "luck is zero-sum"
        outcome = game.outcome
        assert outcome is not None
        assert [seat_sum.result > 0 for seat_sum in found.seats] == [
            rank == 0 for rank in outcome.ranks
        ]


def test_luck_occurs_only_where_chance_was_drawn() -> None:
    """In games of the policy only dice and revealed information change the chances."""
    game = last_way_home(3)
    found = analysis_of(game, Budget(2, 8, 160, 8))
    for step in found.summary.steps[1:]:
        drew = any(move.outcomes for move in game.moves[step.first : step.until])
        if not drew:
            assert abs(step.change[0]) <= 4 * step.change_errors[0] + 1e-9


def test_equal_seeds_give_equal_results() -> None:
    game = last_way_home(3, blunder=True)
    first, again, other = (analysis_of(game, TINY, seed) for seed in (7, 7, 8))
    assert first.measures == again.measures
    assert first.summary == again.summary
    assert first.measures != other.measures
    with pytest.warns(DeprecationWarning, match="Analysis.timeline"):
        assert first.course is first.timeline
    with pytest.warns(DeprecationWarning, match="Analysis.decisions"):
        assert first.weighed is first.decisions


def test_the_coarse_analysis_comes_first() -> None:
    game = last_way_home(3, blunder=True)
    backend = analysis_program("deep-sea").interpreted()
    steps: list[tuple[int, int]] = []
    work = analysing(
        game, budget=SMALL, backend=backend, on_step=lambda done, of: steps.append((done, of))
    )
    coarse = next(work)
    half = len(steps)
    fine = next(work)
    assert [p.after for p in coarse.measures.positions] == [
        p.after for p in fine.measures.positions
    ]
    assert 0 < half < len(steps)
    assert steps[-1][0] == steps[-1][1] == len(steps)
    assert fine.seats[0].luck_error < coarse.seats[0].luck_error


def test_hidden_information_does_not_change_the_value_of_a_decision() -> None:
    """A decision has the same value in two worlds that look the same to its seat."""
    game = last_way_home(3, blunder=True)
    before = timeline_of(game).moments[first_of(game, 0)].before
    here = Game(game.definition, clone(before), game.options, Stream(1))
    elsewhere = here.resample(0, seed=99)
    assert elsewhere.state.value != here.state.value
    found = []
    for world in (here, elsewhere):
        world.play("dive", dice=(1, 1))
        found.append(analysis_of(world, TINY))
    assert found[0].decisions[0] == found[1].decisions[0]


def test_candidates_are_evaluated_in_common_worlds() -> None:
    """An action compared with itself differs in no world."""
    game = last_way_home(3)
    view = game.definition.recalled(timeline_of(game).moments[first_of(game, 0)].before, 0)
    roster = roster_of("deep-sea")
    backend = analysis_program("deep-sea").interpreted()
    rollouts = PairedRollouts(roster, evaluations_of(roster).decision, 2, backend)
    actions, _ = rollouts.begin(view, 5)
    assert len(actions) > 1
    same, again, other = rollouts.evaluate(view, 5, [0, 0, 1], 0, 30)
    assert same == again
    assert again.gaps == [0.0, 0.0]
    assert other.gaps > [0.0, 0.0]


def test_a_game_without_moves_is_refused() -> None:
    with pytest.raises(NothingToAnalyse):
        analysis_of(Game.new("deep-sea", 2, seed=1))


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_every_start_can_be_dealt_from_the_view_of_a_spectator(game: str) -> None:
    for seats in Game.new(game, seed=1).definition.seats:
        begun = Game.new(game, seats, seed=2)
        definition = begun.definition
        for number in range(3):
            world = definition.seen(begun.state, SPECTATOR)
            definition.deal_unseen(world, Stream(number))
            assert definition.fault(world) == 0
            assert definition.legal_actions(world)


def played_by(game: str, bot: str, seed: int) -> Game:
    """A game of equal bots."""
    played = Game.new(game, 3, seed=seed)
    player = Bot.named(game, bot)
    for decision in played:
        played.play(player.choose(decision.view.state, decision.legal, seed=len(played.moves)))
    return played


@pytest.mark.soak
@pytest.mark.parametrize("game", ["the-island", "atlantis", "mauna-kea"])
def test_games_of_equal_bots_show_no_skill_in_the_large_games(game: str) -> None:
    for seat_sum in analyse(played_by(game, "greedy", 5)).seats:
        skill, interval = seat_sum.own + seat_sum.others, seat_sum.skill_interval
        assert interval.low - 0.01 <= 0 <= interval.high + 0.01
        assert seat_sum.luck == pytest.approx(seat_sum.result - seat_sum.start - skill)
