"""Rewards of a simulation: the result of a finished game, or an evaluation at the cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.bots.contract import BotRules
from archipel.bots.nets import net_score
from archipel.bots.search.search_state import SearchState
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.numbers import decay

#: The lead in evaluation (log-odds) that counts as a full margin.
FULL_LEAD: Final = 6.0


@rule
def expected_margin(t: SearchState, seat: int) -> float:
    """The margin by the evaluations in `share`, from 0 to 1."""
    best = -1.0e9
    for other in range(t.seats):
        if other != seat:
            best = max(best, t.share[other])
    return min(1.0, max(0.0, 0.5 + (t.share[seat] - best) / (2.0 * FULL_LEAD)))


@dataclass(frozen=True)
class Rewards:
    """The rewards of a simulation, for each seat."""

    game: GameRules
    bots: BotRules

    @rule_apart
    def points_of(self, s: GameState, seat: int) -> int:
        return self.game.score(s, seat)

    @rule_apart
    def features_of(self, s: GameState, seat: int, features: list[float]) -> int:
        return self.bots.evaluate(s, seat, features)

    @rule_apart
    def inputs_of(self, s: GameState, seat: int, features: list[float]) -> int:
        return self.bots.net_inputs(s, seat, features)

    @rule
    def margin_of(self, s: GameState, t: SearchState, seat: int) -> float:
        """The lead in points over the best opponent, from 0 to 1.

        0.5 means level; the margin is 0 or 1 from ``margin_scale`` points on.
        """
        best = -1_000_000
        for other in range(t.seats):
            if other != seat:
                best = max(best, self.points_of(s, other))
        lead = (self.points_of(s, seat) - best) / (2.0 * t.margin_scale)
        return min(1.0, max(0.0, 0.5 + lead))

    @rule_apart
    def reward_ending(self, s: GameState, t: SearchState) -> None:
        """Set the rewards of a finished game: the share of first place, mixed with the margin."""
        winners = 0
        for seat in range(t.seats):
            if self.game.rank(s, seat) == 0:
                winners += 1
        for seat in range(t.seats):
            t.share[seat] = 1.0 / winners if self.game.rank(s, seat) == 0 else 0.0
            t.reward[seat] = t.share[seat]
            if t.margin > 0.0:
                t.reward[seat] += t.margin * (self.margin_of(s, t, seat) - t.share[seat])

    @rule_apart
    def reward_evaluation(self, s: GameState, t: SearchState, features: list[float]) -> bool:
        """Set the rewards of an unfinished game: the softmax of the seats' evaluations.

        Without evaluation weights, the lead in points decides. Returns False if the position
        cannot be evaluated.
        """
        if t.features == 0:
            for seat in range(t.seats):
                t.share[seat] = self.margin_of(s, t, seat)
                t.reward[seat] = t.share[seat]
            return True
        most = -1.0e9
        for seat in range(t.seats):
            value = 0.0
            if t.net != 0:
                known = self.inputs_of(s, seat, features)
                value = net_score(t, features, known)
            else:
                known = self.features_of(s, seat, features)
                for feature in range(known):
                    value += t.weights[feature] * features[feature]
            if known == 0:
                return False
            t.share[seat] = value
            most = max(most, value)
        if t.margin > 0.0:
            for seat in range(t.seats):
                t.reward[seat] = expected_margin(t, seat)
        whole = 0.0
        for seat in range(t.seats):
            t.share[seat] = decay(most - t.share[seat])
            whole += t.share[seat]
        for seat in range(t.seats):
            t.share[seat] /= whole
            if t.margin > 0.0:
                t.reward[seat] = t.share[seat] + t.margin * (t.reward[seat] - t.share[seat])
            else:
                t.reward[seat] = t.share[seat]
        return True
