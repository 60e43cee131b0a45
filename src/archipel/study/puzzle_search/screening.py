"""Screen decisions for puzzles: by rollouts in few worlds at first, then by whole turns."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from archipel.analysis.arithmetic import root_sum
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import evaluations_of
from archipel.bots import Bot, roster_of
from archipel.bots.rollouts import GOALS, RolloutRun, rollout_program
from archipel.game import Game
from archipel.puzzles.puzzle import EvaluatedChoice, Facts, Origin, Pair, Puzzle
from archipel.puzzles.puzzle_validation import (
    AS_GOOD,
    ERRORS,
    LEAST_GAP,
    MOST_RIGHT,
)
from archipel.puzzles.turn_search import Key, TurnSearch
from archipel.study.progress import OnProgress, load_program
from archipel.study.puzzle_search.best_turns import BestTurns, EvaluatedTurn, WholeTurn

#: Worlds of the first two stages, in the fast evaluation, and the lead of the best choices (in win
#: probability) over the worst and over the middle that leads to the next stage.
FIRST, FIRST_LEAD = 8, 0.08
SECOND, SECOND_LEAD = 40, 0.15
#: Seeds of the master's searches, all of which must find a right choice.
SEEDS = (1, 2)
#: Tries of a glance: in each, every choice is played to the end once.
GLANCES = 100
#: Rollouts for the expected points and goals after a turn.
OUTLOOK = 400


@dataclass(frozen=True)
class Decision:
    """A decision of self-play: the full position, and the seat that decides."""

    state: Any
    seat: int
    origin: Origin


class Screening:
    """Screens the decisions of a game."""

    def __init__(self, game: str, games: int, on_progress: OnProgress) -> None:
        self._roster = roster_of(game)
        self._definition = self._roster.definition
        self._evaluations = evaluations_of(self._roster)
        self._backend = load_program(analysis_program(game), None, games, on_progress)
        self._rollouts = load_program(rollout_program(game), None, games, on_progress)
        self._turns = TurnSearch(game)
        self.master = Bot.named(game, "master")
        self.greedy = Bot.named(game, "greedy")
        self._paired: dict[tuple[int, bool], PairedRollouts] = {}

    def puzzle_in(
        self, decision: Decision, seed: int, *, solved: Container[str] | None = ()
    ) -> Puzzle | None:
        """The puzzle that a decision makes, or None.

        Puzzles that greedy solves are left out if their kind is in ``solved``; all of them if
        ``solved`` is None.
        """
        definition, seat = self._definition, decision.seat
        view = definition.recalled(decision.state, seat)
        if view != definition.seen(decision.state, seat):
            return None  # the player would have to remember something that is no longer shown
        if not self._is_promising(view, seat, seed):
            return None
        # From here on, evaluate the position as its text describes it, which is what is shipped.
        text = definition.position_text(view)
        found = self.evaluated(text, seat, decision.origin, seed)
        if found is None:
            return None
        if found.solved_by_greedy and (solved is None or kind_of(found.best.action) in solved):
            return None
        return found if self.master_solves(found, SEEDS) else None

    def master_solves(self, puzzle: Puzzle, seeds: tuple[int, ...]) -> bool:
        view = self._view_of(puzzle.position, puzzle.seat)
        searches = (self.master.search(view, seed=seed) for seed in seeds)
        return all(
            puzzle.is_right(self._definition.action_text(view, each.action)) for each in searches
        )

    def _view_of(self, text: str, seat: int) -> Any:
        return self._definition.recalled(
            Game.from_position(self._definition.name, text).state, seat
        )

    def _is_promising(self, view: Any, seat: int, seed: int) -> bool:
        """The first two stages: some choices are much better than others with the policy's rest."""
        rollouts = self._rollouts_for(view, to_the_end=False)
        actions, _ = rollouts.begin(view, seed)
        first = rollouts.evaluate(view, seed, range(len(actions)), 0, FIRST)
        chances = [each.mean(seat) for each in first]
        if max(chances) - min(chances) < FIRST_LEAD:
            return False
        best = sorted(range(len(chances)), key=lambda number: -chances[number])
        # Half of the choices may be right.
        some = best[: len(best) // 2 + 2]
        second = rollouts.evaluate(view, seed, some, FIRST, SECOND)
        means = sorted((each.mean(seat) for each in second), reverse=True)
        return max(one - two for one, two in pairwise(means)) >= SECOND_LEAD

    def evaluated(self, text: str, seat: int, origin: Origin, seed: int) -> Puzzle | None:
        """The puzzle of a position, if each choice is right or clearly wrong by its best turn."""
        definition = self._definition
        state = Game.from_position(definition.name, text, seed=1).state
        view = definition.recalled(state, seat)
        legal = definition.legal_actions(state)
        turns = BestTurns(
            definition,
            self._turns,
            lambda to_the_end: self._rollouts_for(view, to_the_end=to_the_end),
            seed,
        )
        # Choices that lead to the same position are evaluated once.
        groups: dict[Key, list[int]] = {}
        for action in legal:
            groups.setdefault(self._turns.step(state, action, seat).key, []).append(action)
        each = (group[0] for group in groups.values())
        after = [turns.turns_after(state, action, seat, len(groups)) for action in each]
        found = dict(zip(groups, turns.evaluate(after, seat), strict=True))
        best = max(found.values(), key=lambda each: each.sums.mean(seat))
        top = best.sums.mean(seat)
        right = {key for key, each in found.items() if top - each.sums.mean(seat) <= AS_GOOD}
        if not self._is_clear(found, right, best, seat):
            return None
        # A choice that can still reach the end of a right turn is right.
        goals = {found[key].turn.key for key in right}
        solution = [text for key in right for text in self._texts(state, found[key].turn.actions)]
        for key in [key for key in found if key not in right]:
            first = self._turns.step(state, groups[key][0], seat)
            if not first.goes_on:
                continue
            if way := self._turns.way_to([first.state], seat, goals, solution):
                found[key] = EvaluatedTurn(
                    self._whole(first.state, groups[key][0], way[1], seat), best.sums
                )
                right.add(key)
        size = sum(len(groups[key]) for key in right)
        if size > MOST_RIGHT * len(legal):
            return None
        return self._puzzle(text, state, seat, origin, seed, groups, found, right)

    def _whole(self, state: Any, first: int, way: Sequence[int], seat: int) -> WholeTurn:
        """The turn of an action that led to ``state``, and of the way from there."""
        for action in way[:-1]:
            state = self._turns.step(state, action, seat).state
        return WholeTurn((first, *way), state, self._turns.step(state, way[-1], seat).key)

    def _is_clear(
        self,
        found: Mapping[Key, EvaluatedTurn],
        right: Container[Key],
        best: EvaluatedTurn,
        seat: int,
    ) -> bool:
        wrong = [each for key, each in found.items() if key not in right]
        return bool(wrong) and all(
            _gap(best, each, seat) >= least(best, each, seat) for each in wrong
        )

    def _puzzle(
        self,
        text: str,
        state: Any,
        seat: int,
        origin: Origin,
        seed: int,
        groups: Mapping[Key, list[int]],
        found: Mapping[Key, EvaluatedTurn],
        right: Container[Key],
    ) -> Puzzle | None:
        definition = self._definition
        order = sorted(found, key=lambda k: (k not in right, -found[k].sums.mean(seat)))
        choices = [
            self._choice(state, action, groups[key][0], found[key], seat)
            for key in order
            for action in groups[key]
        ]
        known = [choice for choice in choices if choice is not None]
        if len(known) < len(choices):
            return None
        best = found[order[0]]
        second = found[next(key for key in order if key not in right)]
        view = definition.recalled(state, seat)
        right_actions = {
            action for key, group in groups.items() if key in right for action in group
        }
        return Puzzle(
            text,
            seat,
            tuple(known),
            len(right_actions),
            round(_gap(best, second, seat), 4),
            round(_gap_error(best, second, seat), 4),
            self._facts(best.turn, second.turn, seat, seed),
            definition.action_text(view, self.greedy_choice(view)),
            self.glance(view, right_actions, seed),
            origin,
        )

    def glance(self, view: Any, right: Container[int], seed: int) -> float:
        """How often a right choice looks best if every choice is played to the end once."""
        seat = self._definition.to_move(view)
        rollouts = self._rollouts_for(view, to_the_end=True)
        actions, _ = rollouts.begin(view, seed)
        found = 0.0
        for world in range(GLANCES):
            sums = rollouts.evaluate(view, seed, range(len(actions)), world, 1)
            shares = [each.mean(seat) for each in sums]
            top = [
                action
                for action, share in zip(actions, shares, strict=True)
                if share == max(shares)
            ]
            found += sum(action in right for action in top) / len(top)
        return round(found / GLANCES, 3)

    def _choice(
        self, state: Any, action: int, first: int, found: EvaluatedTurn, seat: int
    ) -> EvaluatedChoice | None:
        """``first`` is an action equal to this one, which the turn begins with."""
        rest = list(found.turn.actions[1:])
        if action != first and rest:
            one, other = (self._turns.step(state, each, seat).state for each in (first, action))
            same = self._turns.imitate(one, rest, other, seat)
            if same is None:
                return None
            rest = same
        texts = self._texts(state, [action, *rest])
        sums = found.sums
        chance, error = round(sums.mean(seat), 4), round(sums.error(seat), 4)
        return EvaluatedChoice(texts[0], chance, error, sums.worlds, tuple(texts[1:]))

    def _texts(self, state: Any, actions: Sequence[int]) -> list[str]:
        """The notation of the actions of a turn."""
        texts: list[str] = []
        seat = self._definition.to_move(state)
        for action in actions:
            texts.append(self._definition.action_text(state, action))
            state = self._turns.step(state, action, seat).state
        return texts

    def greedy_choice(self, view: Any) -> int:
        return self.greedy.choose(view, self._definition.legal_actions(view), seed=0)

    def _rollouts_for(self, view: Any, *, to_the_end: bool) -> PairedRollouts:
        seats = self._definition.read_options(view).seats
        if (seats, to_the_end) not in self._paired:
            by = self._evaluations.position if to_the_end else self._evaluations.decision
            rollouts = PairedRollouts(self._roster, by, seats, self._backend)
            self._paired[seats, to_the_end] = rollouts
        return self._paired[seats, to_the_end]

    def _facts(self, best: WholeTurn, second: WholeTurn, seat: int, seed: int) -> Facts:
        """Expected points and goals after two turns."""
        (points, goals), (other_points, other_goals) = (
            self._outlook(turn, seat, seed) for turn in (best, second)
        )
        return Facts(
            tuple(Pair(*pair) for pair in zip(points, other_points, strict=True)),
            {name: Pair(goals[name][seat], other_goals[name][seat]) for name in goals},
        )

    def _outlook(
        self, turn: WholeTurn, seat: int, seed: int
    ) -> tuple[list[float], dict[str, list[float]]]:
        """Mean points of each seat after a turn, and its chances to reach each goal."""
        definition = self._definition
        view = definition.recalled(turn.position, seat)
        bot = self._roster.named(self._evaluations.position.policy)
        run = RolloutRun(self._rollouts, bot, view, seed, turn.actions[-1])
        points = [0] * definition.read_options(view).seats
        for _ in range(OUTLOOK):
            run.run(1)
            final = run.final_state()
            points = [total + definition.score(final, seat) for seat, total in enumerate(points)]
        goals = zip(definition.goals, run.counts[GOALS:], strict=True)
        return (
            [round(total / OUTLOOK, 2) for total in points],
            {name: [round(int(count) / OUTLOOK, 3) for count in row] for name, row in goals},
        )


def kind_of(action: str) -> str:
    """Kind of a choice: the first word of its notation."""
    return action.partition(" ")[0]


def _gap(best: EvaluatedTurn, other: EvaluatedTurn, seat: int) -> float:
    return best.sums.mean(seat) - other.sums.mean(seat)


def _gap_error(best: EvaluatedTurn, other: EvaluatedTurn, seat: int) -> float:
    return root_sum([best.sums.error(seat), other.sums.error(seat)])


def least(best: EvaluatedTurn, other: EvaluatedTurn, seat: int) -> float:
    """The smallest advantage of the best turn that makes the other wrong."""
    return max(LEAST_GAP, ERRORS * _gap_error(best, other, seat))
