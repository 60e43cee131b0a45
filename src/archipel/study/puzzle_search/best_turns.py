"""Evaluate the choices of a decision by the best whole turns that begin with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.analysis.arithmetic import FRESH_WORLDS, RolloutSums
from archipel.analysis.decision_analysis import PairedRollouts
from archipel.puzzles.turn_search import MOST_POSITIONS, Key, Turn, TurnSearch
from archipel.rules.contract import Definition

#: Positions from which the policy plays the turn to its end, spread evenly: of all choices, and the
#: fewest after each.
FROM_POSITIONS = 400
FEWEST_POSITIONS = 10
#: Turns of a choice whose last actions are varied, and the most variations of each.
VARIED = 3
VARIATIONS = 16
#: Stages: the worlds of each, and how many turns of a choice reach it. Screening uses the fast
#: evaluation, the others play to the end, the last two in fresh worlds.
SCREENING = 8
SECOND, SECOND_TURNS = 40, 8
CONFIRMATION, CONFIRMED_TURNS = 150, 3
FINAL, FINAL_TURNS = 900, 1
#: Choices whose best turns are measured in `FINAL` worlds, besides those that look right.
FINALISTS = 3


@dataclass(frozen=True)
class WholeTurn:
    """A turn: its actions, and its last position, in which the last of them ends the turn."""

    actions: tuple[int, ...]
    position: Any
    key: Key


@dataclass(frozen=True)
class EvaluatedTurn:
    turn: WholeTurn
    sums: RolloutSums


Rollouts = Callable[[bool], PairedRollouts]


class BestTurns:
    """Finds the best turn after each choice.

    ``rollouts`` returns those that play to the end, or those of the fast evaluation.
    """

    def __init__(
        self, definition: Definition[Any], search: TurnSearch, rollouts: Rollouts, seed: int
    ) -> None:
        self._definition = definition
        self._search = search
        self._rollouts = rollouts
        self._seed = seed
        self._fast: dict[Key, RolloutSums] = {}
        self._to_the_end: dict[Key, RolloutSums] = {}
        self._fresh: dict[Key, RolloutSums] = {}

    def turns_after(self, state: Any, action: int, seat: int, choices: int) -> list[WholeTurn]:
        """Turns that begin with an action, as the policy ends them, and variations of the best.

        ``choices`` is the number of choices that share the positions to search.
        """
        first = self._search.step(state, action, seat)
        if not first.goes_on:
            return [WholeTurn((action,), state, first.key)]
        most = max(FEWEST_POSITIONS, FROM_POSITIONS // choices)
        turn = self._search.search([first.state], seat, max(200, MOST_POSITIONS // choices))
        found: dict[Key, WholeTurn] = {}
        for number in _spread(len(turn.states), most):
            whole = self._played_on(turn, action, number, seat)
            found.setdefault(whole.key, whole)
        for whole in self._best(found.values(), self._screened, seat, VARIED):
            for each in self._varied(whole, seat):
                found.setdefault(each.key, each)
        return list(found.values())

    def evaluate(self, after: Sequence[list[WholeTurn]], seat: int) -> list[EvaluatedTurn]:
        """The best turn of each list, measured in fresh worlds."""
        confirmed: list[list[WholeTurn]] = []
        for turns in after:
            left = self._best(turns, self._screened, seat, SECOND_TURNS)
            left = self._best(left, self._played_out, seat, CONFIRMED_TURNS)
            confirmed.append(self._best(left, self._confirmed, seat, CONFIRMED_TURNS))
        for _ in range(2):  # again, because other turns may then be the best
            for turns in confirmed:
                turns.sort(key=lambda whole: -self._confirmed(whole).mean(seat))
            ranked = sorted(confirmed, key=lambda turns: -self._confirmed(turns[0]).mean(seat))
            top = self._confirmed(ranked[0][0]).mean(seat)
            level = sum(top - self._confirmed(each[0]).mean(seat) < 0.1 for each in ranked)
            for turns in ranked[: level + FINALISTS]:
                for whole in turns[:FINAL_TURNS]:
                    self._measured(whole)
        best = [max(turns, key=lambda w: self._confirmed(w).mean(seat)) for turns in confirmed]
        return [EvaluatedTurn(whole, self._confirmed(whole)) for whole in best]

    def _played_on(self, turn: Turn, first: int, number: int, seat: int) -> WholeTurn:
        """Let the policy play from a position of the turn to its end."""
        actions, state = [first, *turn.way_to(number)[1]], turn.states[number]
        while True:
            action = self._policy_choice(state, seat)
            actions.append(action)
            step = self._search.step(state, action, seat)
            if not step.goes_on:
                return WholeTurn(tuple(actions), state, step.key)
            state = step.state

    def _varied(self, whole: WholeTurn, seat: int) -> Iterable[WholeTurn]:
        """The turn with other last actions."""
        legal = self._definition.legal_actions(whole.position)
        for number in _spread(len(legal), VARIATIONS):
            step = self._search.step(whole.position, legal[number], seat)
            if not step.goes_on:
                yield WholeTurn((*whole.actions[:-1], legal[number]), whole.position, step.key)

    def _policy_choice(self, state: Any, seat: int) -> int:
        view = self._definition.recalled(state, seat)
        actions, advice = self._rollouts(False).begin(view, self._seed)
        return actions[advice]

    def _best(
        self,
        turns: Iterable[WholeTurn],
        value: Callable[[WholeTurn], RolloutSums],
        seat: int,
        count: int,
    ) -> list[WholeTurn]:
        found = list(turns)
        if len(found) > 1:
            found.sort(key=lambda whole: -value(whole).mean(seat))
        return found[:count]

    def _screened(self, whole: WholeTurn) -> RolloutSums:
        return self._known(self._fast, whole, False, 0, SCREENING)

    def _played_out(self, whole: WholeTurn) -> RolloutSums:
        return self._known(self._to_the_end, whole, True, 0, SECOND)

    def _confirmed(self, whole: WholeTurn) -> RolloutSums:
        return self._known(self._fresh, whole, True, FRESH_WORLDS, CONFIRMATION)

    def _measured(self, whole: WholeTurn) -> None:
        known = self._confirmed(whole)
        if known.worlds == CONFIRMATION:
            more = self._run(whole, True, FRESH_WORLDS + CONFIRMATION, FINAL)
            self._fresh[whole.key] = known + more

    def _known(
        self, known: dict[Key, RolloutSums], whole: WholeTurn, to_the_end: bool, *worlds: int
    ) -> RolloutSums:
        if whole.key not in known:
            known[whole.key] = self._run(whole, to_the_end, *worlds)
        return known[whole.key]

    def _run(self, whole: WholeTurn, to_the_end: bool, first: int, worlds: int) -> RolloutSums:
        definition, rollouts = self._definition, self._rollouts(to_the_end)
        view = definition.recalled(whole.position, definition.to_move(whole.position))
        actions, _ = rollouts.begin(view, self._seed)
        number = actions.index(whole.actions[-1])
        return rollouts.evaluate(view, self._seed, [number], first, worlds)[0]


def _spread(count: int, most: int) -> list[int]:
    """At most so many of the numbers below ``count``, evenly, the first among them."""
    return (
        sorted({number * count // most for number in range(most)})
        if count > most
        else list(range(count))
    )
