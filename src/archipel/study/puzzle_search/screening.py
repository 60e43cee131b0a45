"""Screen decisions for puzzles: by rollouts in few worlds at first, and in more at every stage."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.analysis.arithmetic import FRESH_WORLDS, RolloutSums
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import evaluations_of
from archipel.bots import Bot, roster_of
from archipel.bots.rollouts import GOALS, RolloutRun, rollout_program
from archipel.game import Game
from archipel.puzzles.puzzle import EvaluatedChoice, Facts, Origin, Pair, Puzzle
from archipel.puzzles.puzzle_validation import ERRORS, LEAST_GAP, equivalent_actions, is_choosing
from archipel.rules.kit import ChanceError, Tape, clone
from archipel.study.progress import OnProgress, load_program

#: Worlds of the first three stages, and the lead of the best choice (in win probability) that leads
#: to the next stage.  The first two use the fast evaluation; the third plays games to their end.
FIRST, FIRST_LEAD = 8, 0.08
SECOND, SECOND_LEAD = 40, 0.15
THIRD, THIRD_LEAD = 80, 0.17
#: Choices that reach the second stage, the best one included.
SHORTLIST = 6
#: Confirmation in fresh worlds: worlds for every choice, and further worlds for the finalists.
CONFIRMATION = 150
FINALISTS = 4
FINAL = 900
#: Seeds of the master's searches, all of which must find the best choice.
SEEDS = (1, 2)
#: Rollouts for the expected points and goals after a choice.
OUTLOOK = 400
#: Most further actions of the same turn in a solution.
MOST_FURTHER_ACTIONS = 3


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
        if not self._is_promising(view, seat, seed, solved):
            return None
        # From here on, evaluate the position as its text describes it, which is what is shipped.
        text = definition.position_text(view)
        state = Game.from_position(definition.name, text, seed=1).state
        view = definition.recalled(state, seat)
        rollouts = self._rollouts_for(view, to_the_end=True)
        groups, numbers = self._candidates(view, seat, rollouts, seed)
        sums = rollouts.evaluate(view, seed, numbers, 0, THIRD)
        order = _ordered(sums, seat)
        if _lead(sums, order, seat) < THIRD_LEAD:
            return None
        best = groups[order[0]]
        if self._is_too_easy(view, best, solved):
            return None
        if any(self.master.search(view, seed=each).action not in best for each in SEEDS):
            return None
        return self._confirmed(decision, text, state, order[0], seed)

    def _candidates(
        self, view: Any, seat: int, rollouts: PairedRollouts, seed: int
    ) -> tuple[list[list[int]], list[int]]:
        """Groups of equivalent actions, and the candidate number of the first of each group."""
        groups = equivalent_actions(self._definition, view, seat)
        actions, _ = rollouts.begin(view, seed)
        return groups, [actions.index(group[0]) for group in groups]

    def _is_promising(self, view: Any, seat: int, seed: int, solved: Container[str] | None) -> bool:
        """The first two stages."""
        rollouts = self._rollouts_for(view, to_the_end=False)
        actions, _ = rollouts.begin(view, seed)
        first = rollouts.evaluate(view, seed, range(len(actions)), 0, FIRST)
        chances = [each.mean(seat) for each in first]
        if max(chances) - min(chances) < FIRST_LEAD:
            return False  # most decisions: no need to group equivalent actions
        groups, numbers = self._candidates(view, seat, rollouts, seed)
        sums = [first[number] for number in numbers]
        order = _ordered(sums, seat)
        if len(groups) < 2 or _lead(sums, order, seat) < FIRST_LEAD:
            return False
        if self._is_too_easy(view, groups[order[0]], solved):
            return False
        shortlist = [numbers[place] for place in order[:SHORTLIST]]
        sums = rollouts.evaluate(view, seed, shortlist, FIRST, SECOND)
        return _lead(sums, _ordered(sums, seat), seat) >= SECOND_LEAD

    def _is_too_easy(self, view: Any, best: Sequence[int], solved: Container[str] | None) -> bool:
        if self.greedy_choice(view) not in best:
            return False
        return solved is None or kind_of(self._definition.action_text(view, best[0])) in solved

    def _confirmed(
        self, decision: Decision, text: str, state: Any, best: int, seed: int
    ) -> Puzzle | None:
        """The puzzle if choice number ``best`` leads significantly in fresh worlds, else None."""
        definition, seat = self._definition, decision.seat
        view = definition.recalled(state, seat)
        rollouts = self._rollouts_for(view, to_the_end=True)
        groups, numbers = self._candidates(view, seat, rollouts, seed)
        others = [place for place in range(len(groups)) if place != best]

        def evaluate(places: Sequence[int], first: int, worlds: int) -> dict[int, RolloutSums]:
            wanted = [numbers[place] for place in places]
            found = rollouts.evaluate(view, seed, wanted, FRESH_WORLDS + first, worlds)
            return dict(zip(places, found, strict=True))

        found = evaluate([best, *others], 0, CONFIRMATION)
        others.sort(key=lambda place: (-found[place].mean(seat), place))
        more = evaluate([best, *others[: FINALISTS - 1]], CONFIRMATION, FINAL)
        found |= {place: found[place] + sums for place, sums in more.items()}
        for place in others:
            gap = found[best].mean(seat) - found[place].mean(seat)
            if gap < max(LEAST_GAP, ERRORS * found[place].gap_error(found[best], seat)):
                return None
        others.sort(key=lambda place: (place not in more, -found[place].mean(seat), place))
        second = found[others[0]]
        return Puzzle(
            text,
            seat,
            tuple(self._choice(view, groups[place], found[place]) for place in (best, *others)),
            tuple(self._further_actions(state, groups[best][0], seat)),
            round(found[best].mean(seat) - second.mean(seat), 4),
            round(second.gap_error(found[best], seat), 4),
            self._facts(view, seat, groups[best][0], groups[others[0]][0], seed),
            definition.action_text(view, self.greedy_choice(view)),
            decision.origin,
        )

    def _choice(self, view: Any, group: Sequence[int], sums: RolloutSums) -> EvaluatedChoice:
        seat = self._definition.to_move(view)
        action, *same = (self._definition.action_text(view, each) for each in group)
        chance, error = round(sums.mean(seat), 4), round(sums.error(seat), 4)
        return EvaluatedChoice(action, chance, error, sums.worlds, tuple(same))

    def greedy_choice(self, view: Any) -> int:
        return self.greedy.choose(view, self._definition.legal_actions(view), seed=0)

    def _rollouts_for(self, view: Any, *, to_the_end: bool) -> PairedRollouts:
        seats = self._definition.read_options(view).seats
        if (seats, to_the_end) not in self._paired:
            by = self._evaluations.position if to_the_end else self._evaluations.decision
            rollouts = PairedRollouts(self._roster, by, seats, self._backend)
            self._paired[seats, to_the_end] = rollouts
        return self._paired[seats, to_the_end]

    def _further_actions(self, state: Any, action: int, seat: int) -> list[str]:
        """The master's next actions after the choice of a piece, while nothing new is revealed."""
        definition, texts = self._definition, list[str]()
        while len(texts) < MOST_FURTHER_ACTIONS:
            following = clone(state)
            try:
                definition.apply(following, action, Tape())
            except ChanceError:
                break
            if definition.to_move(following) != seat or definition.reveals(state, following):
                break
            if not is_choosing(definition.scene(definition.seen(following, seat), seat)):
                break
            state = following
            view = definition.recalled(state, seat)
            action = self.master.search(view, seed=SEEDS[0]).action
            texts.append(definition.action_text(state, action))
        return texts

    def _facts(self, view: Any, seat: int, best: int, second: int, seed: int) -> Facts:
        """Expected points and goals after the two best choices."""
        (points, goals), (other_points, other_goals) = (
            self._outlook(view, action, seed) for action in (best, second)
        )
        return Facts(
            tuple(Pair(*pair) for pair in zip(points, other_points, strict=True)),
            {name: Pair(goals[name][seat], other_goals[name][seat]) for name in goals},
        )

    def _outlook(
        self, view: Any, opening: int, seed: int
    ) -> tuple[list[float], dict[str, list[float]]]:
        """Mean points of each seat after an action, and its chances to reach each goal."""
        definition = self._definition
        bot = self._roster.named(self._evaluations.position.policy)
        run = RolloutRun(self._rollouts, bot, view, seed, opening)
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


def _ordered(sums: list[RolloutSums], seat: int) -> list[int]:
    """Places of the choices, best first."""
    return sorted(range(len(sums)), key=lambda place: (-sums[place].mean(seat), place))


def _lead(sums: list[RolloutSums], order: list[int], seat: int) -> float:
    return sums[order[0]].mean(seat) - sums[order[1]].mean(seat)
