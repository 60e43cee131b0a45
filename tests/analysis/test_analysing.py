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
from tests.analysis.endings import first_of, last_way_home

SMALL = Budget(selection=4, measure=40, position=40, deals=16)
TINY = Budget(selection=2, measure=4, position=2, deals=2)


def account_of(game: Game, budget: Budget = SMALL, seed: int = 1) -> Analysis:
    backend = analysis_program(game.name).interpreted()
    return analyse(game, budget=budget, seed=seed, backend=backend)


@pytest.mark.parametrize("seed", [3, 5])
def test_a_game_thrown_away_in_one_move(seed: int) -> None:
    game = last_way_home(seed, thrown_away=True)
    found = account_of(game)
    thrown = first_of(game, 0)
    assert found.mistakes[0] == thrown
    assert game.moves[thrown].action.text == "dive"
    weighed = found.decisions[thrown]
    best = game.definition.action_text(weighed.view, weighed.actions[weighed.best])
    assert best == "turn back"
    loser, other = found.seats
    assert loser.loss > 0.3
    assert loser.own < -0.3
    assert other.others == pytest.approx(-loser.own), "what one gives away the others get"


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_between_equal_players_all_is_luck(seed: int) -> None:
    found = account_of(last_way_home(seed))
    for account in found.seats:
        assert account.own == account.others == 0.0
        gone = account.result - account.start
        assert account.luck_interval.low <= gone <= account.luck_interval.high
        assert account.skill_interval.low <= 0 <= account.skill_interval.high


def test_the_parts_add_up_to_the_result() -> None:
    for game in (last_way_home(3, thrown_away=True), last_way_home(4, "random")):
        found = account_of(game, TINY)
        for seat, account in enumerate(found.seats):
            parts = account.start + account.luck + account.own + account.others
            assert parts == pytest.approx(account.result, abs=1e-12)
            steps = found.summary.steps
            assert sum(step.luck[seat] for step in steps) == pytest.approx(account.luck)
        for step in found.summary.steps:
            assert sum(step.luck) == pytest.approx(0, abs=1e-9), "what one has, others have not"
        outcome = game.outcome
        assert outcome is not None
        assert [account.result > 0 for account in found.seats] == [
            rank == 0 for rank in outcome.ranks
        ]


def test_luck_is_where_chance_came_in() -> None:
    """In games of the policy only dice and revealed information change the chances."""
    game = last_way_home(3)
    found = account_of(game, Budget(2, 8, 160, 8))
    for step in found.summary.steps[1:]:
        drew = any(move.outcomes for move in game.moves[step.first : step.until])
        if not drew:
            assert abs(step.change[0]) <= 4 * step.change_errors[0] + 1e-9


def test_equal_seeds_equal_figures() -> None:
    game = last_way_home(3, thrown_away=True)
    first, again, other = (account_of(game, TINY, seed) for seed in (7, 7, 8))
    assert first.measures == again.measures
    assert first.summary == again.summary
    assert first.measures != other.measures


def test_the_coarse_account_comes_first() -> None:
    game = last_way_home(3, thrown_away=True)
    backend = analysis_program("deep-sea").interpreted()
    told: list[tuple[int, int]] = []
    work = analysing(
        game, budget=SMALL, backend=backend, on_step=lambda done, of: told.append((done, of))
    )
    coarse = next(work)
    half = len(told)
    fine = next(work)
    assert [p.after for p in coarse.measures.positions] == [
        p.after for p in fine.measures.positions
    ]
    assert 0 < half < len(told)
    assert told[-1][0] == told[-1][1] == len(told)
    assert fine.seats[0].luck_error < coarse.seats[0].luck_error


def test_what_a_seat_cannot_know_changes_no_judgement() -> None:
    """A decision has the same value in two worlds that look the same to its seat."""
    game = last_way_home(3, thrown_away=True)
    before = timeline_of(game).moments[first_of(game, 0)].before
    here = Game(game.definition, clone(before), game.options, Stream(1))
    elsewhere = here.resample(0, seed=99)
    assert elsewhere.state.value != here.state.value
    found = []
    for world in (here, elsewhere):
        world.play("dive", dice=(1, 1))
        found.append(account_of(world, TINY))
    assert found[0].decisions[0] == found[1].decisions[0]


def test_candidates_are_weighed_in_equal_circumstances() -> None:
    """An action compared with itself differs in no world."""
    game = last_way_home(3)
    view = game.definition.recalled(timeline_of(game).moments[first_of(game, 0)].before, 0)
    roster = roster_of("deep-sea")
    backend = analysis_program("deep-sea").interpreted()
    scales = PairedRollouts(roster, evaluations_of(roster).decision, 2, backend)
    actions, _ = scales.begin(view, 5)
    assert len(actions) > 1
    same, again, other = scales.evaluate(view, 5, [0, 0, 1], 0, 30)
    assert same == again
    assert again.gaps == [0.0, 0.0]
    assert other.gaps > [0.0, 0.0]


def test_nothing_played_nothing_to_analyse() -> None:
    with pytest.raises(NothingToAnalyse):
        account_of(Game.new("deep-sea", 2, seed=1))


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_the_start_of_any_game_can_be_dealt_from_what_all_see(game: str) -> None:
    """The start is evaluated in worlds sampled from the view of a spectator."""
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
def test_of_equal_bots_all_is_luck_in_the_large_games(game: str) -> None:
    for account in analyse(played_by(game, "greedy", 5)).seats:
        skill, half = account.own + account.others, account.skill_interval
        assert half.low - 0.01 <= 0 <= half.high + 0.01
        assert account.luck == pytest.approx(account.result - account.start - skill)
