"""Compare whole turns: the played one, and the best that was found.

A turn is all the decisions of a seat until chance is drawn, something is revealed, or another seat
decides. Alternatives are found at each decision of the played turn: the best candidate, and the
policy's choices after it. Turns that end in the same position count as one. The best is selected
in one set of worlds and its advantage is measured in another; with one set for both, the best of
many would look better than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from archipel.analysis import arithmetic
from archipel.analysis.arithmetic import Correction, RolloutSums, Span, TurnMeasure
from archipel.analysis.decision_analysis import PairedRollouts
from archipel.analysis.evaluation_settings import Budget
from archipel.bots.search.tree_reuse import ChanceNeeded, NoChance
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.machine_record import to_bytes

#: Limit of the actions in a turn that is made up.
LONGEST_TURN = 24
#: Worlds in which an action is tried, to see whether it reveals something.
TRIED_WORLDS = 3
#: Fraction of the measured worlds in which alternatives are compared with each other.
SELECTION = 1 / 4


@dataclass(frozen=True)
class Following:
    """What follows an action: the seat's next view, or None if the turn ends with the action.

    Actions with equal ``end`` lead to the same position.
    """

    view: Any | None
    end: bytes


def follow(definition: Definition[Any], view: Any, seat: int, action: int) -> Following:
    """Apply an action to a seat's view, in several worlds that fit the view."""
    unknown = Following(None, to_bytes(view) + action.to_bytes(8, "little", signed=True))
    views: list[Any] = []
    mover = seat
    for number in range(TRIED_WORLDS):
        world = clone(view)
        definition.deal_unseen(world, Stream(number))
        try:
            definition.apply(world, action, NoChance())
        except ChanceNeeded:
            return unknown
        mover = definition.to_move(world)
        views.append(definition.recalled(world, seat))
        if views[-1] != views[0]:  # revealed
            return unknown
    return Following(views[0] if mover == seat else None, to_bytes(views[0]))


@dataclass(frozen=True)
class Line:
    """The actions of a whole turn, and the seat's view before the last of them."""

    actions: tuple[int, ...]
    last_view: Any
    end: bytes


def complete(
    definition: Definition[Any],
    rollouts: PairedRollouts,
    view: Any,
    seat: int,
    before: Sequence[int],
    action: int,
    seed: int,
) -> Line:
    """Complete a turn after an action with the policy's choices; ``before`` came before it."""
    actions = [*before, action]
    while True:
        following = follow(definition, view, seat, action)
        if following.view is None or len(actions) >= LONGEST_TURN:
            return Line(tuple(actions), view, following.end)
        view = following.view
        candidates, advice = rollouts.begin(view, seed)
        action = candidates[advice]
        actions.append(action)


@dataclass
class TurnEvaluation:
    """A turn of the game: the views before its moves, and the best other turn that was found."""

    span: Span
    views: Sequence[Any]
    actions: Sequence[int]
    options: Sequence[int]
    seed: int
    better: Line | None = None
    candidates: dict[int, list[tuple[int, RolloutSums]]] = field(default_factory=dict)
    """By number of move: all candidates with their sums, the best first."""

    def evaluate(
        self,
        definition: Definition[Any],
        rollouts: PairedRollouts,
        budget: Budget,
        correction: Correction,
    ) -> TurnMeasure:
        lines = self._alternatives(definition, rollouts, budget)
        self.better = None
        if not lines:
            return arithmetic.lossless(self.span)
        played = Line(tuple(self.actions), self.views[-1], b"")

        def measure(line: Line, first: int, worlds: int) -> arithmetic.BatchSums:
            return rollouts.evaluate_last(
                line.last_view, self.seed, line.actions[-1], first, worlds
            )

        if len(lines) > 1:
            few = max(arithmetic.BATCHES, round(SELECTION * budget.measure))
            seat = self.span.seat
            chances = [
                arithmetic.chances_of(correction, measure(line, 0, few)).chances[seat]
                for line in lines
            ]
            lines = [lines[number] for number in arithmetic.ranked(range(len(lines)), chances)]
        found = arithmetic.lossless(self.span)
        for worlds in (budget.measure, arithmetic.CONFIRMATION * budget.measure):
            both = (measure(line, arithmetic.FRESH_WORLDS, worlds) for line in (played, lines[0]))
            found = arithmetic.turn_measure(self.span, correction, *both)
            if not arithmetic.needs_confirmation(found):
                break
        self.better = lines[0] if found.loss > 0 else None
        return found if found.loss > 0 else arithmetic.lossless(self.span)

    def _alternatives(
        self, definition: Definition[Any], rollouts: PairedRollouts, budget: Budget
    ) -> list[Line]:
        """Other turns that end in other positions, one for each decision at most."""
        seat = self.span.seat
        last = self.views[-1], self.actions[-1]
        ends = {follow(definition, last[0], seat, last[1]).end}
        lines: list[Line] = []
        for place, (view, action) in enumerate(zip(self.views, self.actions, strict=True)):
            if self.options[place] == 1:
                continue
            best = self._best(rollouts, place, budget.selection)
            if best == action:
                continue
            before = self.actions[:place]
            line = complete(definition, rollouts, view, seat, before, best, self.seed)
            if line.end not in ends:
                ends.add(line.end)
                lines.append(line)
        return lines

    def _best(self, rollouts: PairedRollouts, place: int, worlds: int) -> int:
        """Select the best candidate by sequential halving, doubling the worlds in each round."""
        view, played, seat = self.views[place], self.actions[place], self.span.seat
        actions, _ = rollouts.begin(view, self.seed)
        mine = actions.index(played)
        racing = list(range(len(actions)))
        known: dict[int, RolloutSums] = {}
        done = 0
        while True:
            found = rollouts.evaluate(view, self.seed, racing, done, worlds)
            for number, sums in zip(racing, found, strict=True):
                known[number] = known[number] + sums if number in known else sums
            done += worlds
            means = [known[number].mean(seat) for number in range(len(actions))]
            racing = arithmetic.ranked(racing, means)
            if len(racing) <= arithmetic.FINALISTS:
                break
            racing = arithmetic.better_half(racing)
            worlds *= 2
        # A candidate that is level with the best counts as the best if it was played.
        best = mine if means[racing[0]] <= means[mine] else racing[0]
        order = sorted(known, key=lambda k: (k != best, -known[k].worlds, -means[k], k))
        self.candidates[self.span.first + place] = [(actions[k], known[k]) for k in order]
        return actions[best]
