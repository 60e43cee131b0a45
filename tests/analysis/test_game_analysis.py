"""Analyses: mistakes are found, and equal players differ only by luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from archipel import Game
from archipel.analysis import Analysis, NothingToAnalyse, analyse, analysing
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import Budget, evaluations_of
from archipel.analysis.game_analysis import timeline_of
from archipel.analysis.turn_analysis import follow
from archipel.bots import Bot, roster_of
from archipel.rules.all_games import games
from archipel.rules.contract import SPECTATOR, Definition
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.loading import can_compile, load_backend
from tests.analysis.endgames import first_of, last_way_home

SMALL = Budget(selection=4, measure=48, position=48)
TINY = Budget(selection=2, measure=16, position=16)


def analysis_of(game: Game, budget: Budget = SMALL, seed: int = 1) -> Analysis:
    backend = analysis_program(game.name).interpreted()
    return analyse(game, budget=budget, seed=seed, backend=backend)


@pytest.mark.parametrize("seed", [3, 5])
def test_finds_the_blunder_that_lost_a_game(seed: int) -> None:
    game = last_way_home(seed, blunder=True)
    found = analysis_of(game)
    blunder = first_of(game, 0)
    worst = found.mistakes[0]
    assert found.measures.turns[worst].first == blunder
    assert game.moves[blunder].action.text == "dive"
    turn = found.turns[worst]
    assert turn.better is not None
    assert [game.definition.action_text(turn.views[0], a) for a in turn.better.actions] == [
        "turn back"
    ]
    loser, other = found.seats
    assert loser.loss > 0.3
    assert loser.own < -0.3
    assert other.others == pytest.approx(-loser.own), "the opponent gains what the loser loses"


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_games_of_the_policy_show_no_skill(seed: int) -> None:
    """Only the policy's random choice among equal actions remains, within the error."""
    found = analysis_of(last_way_home(seed))
    for seat_sum in found.seats:
        assert abs(seat_sum.own) <= 3 * seat_sum.own_error
        assert abs(seat_sum.others) <= 3 * seat_sum.others_error
        gone = seat_sum.result - seat_sum.start
        assert seat_sum.luck == pytest.approx(gone - seat_sum.own - seat_sum.others)


def test_the_parts_add_up_to_the_result() -> None:
    for game in (last_way_home(3, blunder=True), last_way_home(4, "random")):
        found = analysis_of(game, TINY)
        for seat_sum in found.seats:
            parts = seat_sum.start + seat_sum.luck + seat_sum.own + seat_sum.others
            assert parts == pytest.approx(seat_sum.result, abs=1e-12)
        for step in found.summary.steps:
            assert sum(step.change) == pytest.approx(0, abs=1e-9), "chances add up to 1"
        outcome = game.outcome
        assert outcome is not None
        assert [seat_sum.result > 0 for seat_sum in found.seats] == [
            rank == 0 for rank in outcome.ranks
        ]


def revealed(found: Analysis, number: int) -> bool:
    """Whether a move shows a spectator something, found in worlds that look alike before it."""
    game, before = found.game, found.timeline.moments[number].before
    views = []
    for seed in range(8):
        world = game.definition.resample(before, SPECTATOR, Stream(seed))
        game.definition.apply(world, int(game.moves[number].action), Stream(0))
        views.append(game.definition.seen(world, SPECTATOR))
    return any(view != views[0] for view in views)


def check_luck(found: Analysis) -> int:
    """Check that luck comes from outcomes alone; return the number of decisions without any."""
    game, steps = found.game, found.summary.steps
    for seat, seat_sum in enumerate(found.seats):
        by_chance = sum(step.change[seat] for step in steps if step.by_chance)
        assert seat_sum.luck == pytest.approx(by_chance, abs=1e-12)
        assert found.measures.positions[0].chances[seat] == seat_sum.start, "one estimate"
    for step in steps:
        if step.by_chance:
            assert step.until == step.first + 1
            last = game.moves[step.first]
            assert last.outcomes or step.until == len(game.moves) or revealed(found, step.first)
    decided = [step for step in steps if not step.by_chance]
    drew = [any(m.outcomes for m in game.moves[s.first : s.until - 1]) for s in decided]
    assert not any(drew), "chance lies only at the end of a turn, and is a step of its own"
    return len(decided)


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_luck_comes_from_outcomes_alone(bot: str) -> None:
    """A decision without chance has no luck: the whole change counts as the decision's."""
    for seed in (3, 4):
        assert check_luck(analysis_of(last_way_home(seed, bot), TINY)) > 0


def test_what_nobody_knows_is_drawn_anew() -> None:
    """Positions are evaluated by what at least one seat knows; a reveal is an outcome."""
    game: Game = Game.new("atlantis", 2, seed=3)
    player = Bot.named("atlantis", "random")
    for decision in game:
        if len(game.moves) == 70:
            break
        game.play(player.choose(decision.view.state, decision.legal, seed=len(game.moves)))
    timeline = timeline_of(game)
    hidden = [moment.known.symbol.count(-1) for moment in timeline.moments]
    assert hidden[0] > 10, "the undersides"
    for moment, before, after in zip(timeline.moments, hidden, hidden[1:], strict=False):
        assert moment.outcome == (after < before or bool(moment.move.outcomes))
    assert hidden[-1] < hidden[0], "pieces that sink are turned over"


def walked(definition: Definition[Any], view: Any, seat: int, pieces: Sequence[str]) -> bytes:
    """Move each piece to its first legal place; return the end of the line."""
    end = b""
    for piece in pieces:
        for wanted in (piece, None):
            legal = definition.legal_actions(view)
            texts = [definition.action_text(view, action) for action in legal]
            following = follow(
                definition, view, seat, legal[0 if wanted is None else texts.index(wanted)]
            )
            assert following.view is not None
            view, end = following.view, following.end
    return end


def test_turns_that_end_alike_are_one() -> None:
    """Two orders of the same steps lead to one position, and are not compared with each other."""
    game: Game = Game.new("the-island", 2, seed=5)
    player = Bot.named("the-island", "greedy")
    for decision in game:
        if any(action.text == "boat 1" for action in decision.legal):
            break
        game.play(player.choose(decision.view.state, decision.legal, seed=len(game.moves)))
    definition, seat = game.definition, game.to_move
    assert seat is not None
    view = definition.recalled(game.state, seat)
    one, other = (walked(definition, view, seat, order) for order in ORDERS)
    assert one == other
    assert one != walked(definition, view, seat, ("boat 1",))


ORDERS = ("boat 1", "boat 2"), ("boat 2", "boat 1")


def test_equal_seeds_give_equal_results() -> None:
    game = last_way_home(3, blunder=True)
    first, again, other = (analysis_of(game, TINY, seed) for seed in (7, 7, 8))
    assert first.measures == again.measures
    assert first.summary == again.summary
    assert first.measures != other.measures
    with pytest.warns(DeprecationWarning, match="Analysis.timeline"):
        assert first.course is first.timeline


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
    assert found[0].measures.turns[0] == found[1].measures.turns[0]


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


@pytest.mark.soak
@pytest.mark.skipif(not can_compile(), reason="200 games need compiled rules")
def test_luck_comes_from_outcomes_alone_in_200_games() -> None:
    backend = load_backend(analysis_program("deep-sea"))
    decided = 0
    luck = 0.0
    for seed in range(200):
        game = played_by("deep-sea", ("greedy", "random")[seed % 2], seed)
        found = analyse(game, budget=TINY, seed=seed, backend=backend)
        decided += check_luck(found)
        luck += found.seats[0].luck
    assert decided > 5000
    assert abs(luck / 200) < 0.1, "luck is 0 on average"
