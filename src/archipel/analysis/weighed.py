"""One decision on the scales: the best of its candidates is found in some worlds, and what was
lost against it is measured in others.

Were both done in the same worlds, the best of many would look better than it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from archipel.analysis.correction import Correction
from archipel.analysis.scales import Scales, Tally
from archipel.analysis.summing import DecisionMeasure

#: Worlds of which losses are measured are numbered from here; those of the choice from 0.
FRESH = 1 << 32
#: The race ends with so many.
LAST = 2


@dataclass
class Weighed:
    """A decision of the game, and what is known about its candidates so far."""

    number: int
    seat: int
    view: Any
    played: int
    seed: int
    goes_on: bool
    actions: list[int] = field(default_factory=list)
    advice: int = 0
    best: int = 0
    chosen_in: int = 0
    choice: dict[int, Tally] = field(default_factory=dict)
    """By number of candidate, in the worlds of the choice."""
    measured: dict[int, Tally] = field(default_factory=dict)
    """In fresh worlds: what was played, what the policy would have, the best."""

    def choose(self, scales: Scales, worlds: int) -> None:
        """Find the best: all in equal worlds, then the better half in twice as many, and so on."""
        self.actions, self.advice = scales.begin(self.view, self.seed)
        mine = self.actions.index(self.played)
        racing = list(range(len(self.actions)))
        first = self.chosen_in
        while True:
            tallies = scales.weigh(self.view, self.seed, racing, first, worlds)
            for number, tally in zip(racing, tallies, strict=True):
                before = self.choice.get(number)
                self.choice[number] = tally if before is None else before + tally
            first += worlds
            racing.sort(key=lambda number: (-self.choice[number].mean(self.seat), number))
            if len(racing) <= LAST:
                break
            racing = racing[: (len(racing) + 1) // 2]
            worlds *= 2
        self.chosen_in = first
        # Where the first are level, what was played is as good as any.
        best, played = self.choice[racing[0]], self.choice[mine]
        level = best.mean(self.seat) <= played.mean(self.seat)
        self._take(mine if level else racing[0])

    def measure(self, scales: Scales, worlds: int) -> None:
        """Weigh what matters in so many fresh worlds more."""
        numbers = self._compared()
        if len(numbers) == 1:
            return
        scales.begin(self.view, self.seed)
        have = self.measured[numbers[0]].worlds if self.measured else 0
        tallies = scales.weigh(self.view, self.seed, numbers, FRESH + have, worlds)
        for number, tally in zip(numbers, tallies, strict=True):
            before = self.measured.get(number)
            self.measured[number] = tally if before is None else before + tally

    def result(self, correction: Correction) -> DecisionMeasure:
        """How much better the best was, and what the decision did."""
        mine = self.actions.index(self.played)
        seats = range(len(next(iter(self.choice.values())).shares))
        if not self.measured:
            none = [0.0 for _ in seats]
            return DecisionMeasure(self.number, self.seat, 0.0, 0.0, none, none, self.goes_on)
        played, best, advised = (self.measured[k] for k in (mine, self.best, self.advice))
        corrected = correction.apply(played.means)
        policy = correction.apply(advised.means)
        slopes = [correction.slope(advised.means, seat) for seat in seats]
        return DecisionMeasure(
            self.number,
            self.seat,
            correction.apply(best.means)[self.seat] - corrected[self.seat],
            correction.slope(best.means, self.seat) * best.gap_error(played, self.seat),
            [corrected[seat] - policy[seat] for seat in seats],
            [slopes[seat] * advised.gap_error(played, seat) for seat in seats],
            self.goes_on,
        )

    def ranked(self) -> list[tuple[int, Tally]]:
        """All candidates with the best estimate of each, the best first and then the most tried."""
        found = {**self.choice, **self.measured}
        order = sorted(
            found, key=lambda k: (k != self.best, -found[k].worlds, -found[k].mean(self.seat), k)
        )
        return [(self.actions[number], found[number]) for number in order]

    def _compared(self) -> list[int]:
        """What was played comes first: differences are told from it."""
        mine = self.actions.index(self.played)
        return [mine, *(k for k in dict.fromkeys((self.advice, self.best)) if k != mine)]

    def _take(self, best: int) -> None:
        if best != self.best:
            self.measured.clear()
        self.best = best
