"""OpenSpiel games; importing this module registers them.  It needs ``open_spiel``.

``pyspiel.load_game("archipel_deep_sea(players=3)")``.  Chance is explicit: each random draw of the
rules is a chance node with equally likely outcomes.  After each outcome the rules run again from
the last decision with the outcomes so far.  States run in plain Python, for inspection and search
rather than for speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
import pyspiel

from archipel.envs.batch import MAX_EPISODE_DECISIONS
from archipel.envs.observation_spec import NAMESPACE, observing, spec_of
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import clone
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.rules.options import OptionError, choice_text

#: Upper bound of the outcomes of one draw.
MOST_OUTCOMES = 1024


class _OutcomeNeeded(Exception):
    """The rules need an outcome that has not been drawn."""

    def __init__(self, outcomes: int) -> None:
        super().__init__()
        self.outcomes = outcomes


class _Outcomes:
    """Replays the outcomes drawn so far."""

    def __init__(self, drawn: list[int]) -> None:
        self._left = list(reversed(drawn))

    def draw(self, n: int, /) -> int:
        if n == 1:
            return 0
        if not self._left:
            raise _OutcomeNeeded(n)
        return self._left.pop()


class _Kept:
    """An immutable position, shared by OpenSpiel's deep copies of a state."""

    def __init__(self, position: Any) -> None:
        self.position = position

    def __deepcopy__(self, memo: Any) -> _Kept:
        return self


def spiel_name(game: str) -> str:
    return f"{NAMESPACE}_{game.replace('-', '_')}"


def _game_class(definition: Definition[Any]) -> type[Any]:
    """The OpenSpiel class of a game."""
    defaults = {option.name: choice_text(option.default) for option in definition.options}
    game_type = pyspiel.GameType(
        short_name=spiel_name(definition.name),
        long_name=definition.title("en"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=definition.seats[-1],
        min_num_players=definition.seats[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": definition.seats[0], **defaults},
    )

    class SpielGame(pyspiel.Game):
        """A game with its number of players and options."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = {"players": definition.seats[0], **defaults, **(params or {})}
            seats = int(given.pop("players"))
            try:
                self.options = definition.make_options(seats, **given)
            except OptionError as error:
                raise ValueError(str(error)) from error
            info = pyspiel.GameInfo(
                num_distinct_actions=definition.actions,
                max_chance_outcomes=MOST_OUTCOMES,
                num_players=seats,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0,
                max_game_length=MAX_EPISODE_DECISIONS,
            )
            super().__init__(game_type, info, dict(params or {}))

        def new_initial_state(self) -> Any:
            return SpielState(self, self.options)

        def make_py_observer(
            self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
        ) -> Any:
            if params:
                raise ValueError("an observer of these games takes no parameters")
            return _Observer(definition)

    class SpielState(pyspiel.State):
        """A decision, a chance node or the end."""

        def __init__(self, game: Any, options: Any) -> None:
            super().__init__(game)
            self._seats = options.seats
            self._last = _Kept(definition.blank(options))  # position at the last decision
            self._action: int | None = None  # the last action; None during set-up
            self._drawn: list[int] = []
            self._outcomes = 0  # number of outcomes at a chance node, else 0
            self._go_on()

        @property
        def position(self) -> Any:
            """Position at the last decision, or at the end."""
            return self._last.position

        def _go_on(self) -> None:
            """Run the rules from the last decision to the next decision or chance node."""
            tried = clone(self.position)
            chance = _Outcomes(self._drawn)
            try:
                if self._action is None:
                    definition.set_up(tried, chance)
                else:
                    definition.apply(tried, self._action, chance)
            except _OutcomeNeeded as needed:
                self._outcomes = needed.outcomes
                return
            self._outcomes = 0
            self._last = _Kept(tried)
            self._drawn = []

        def current_player(self) -> int:
            if self._outcomes:
                return int(pyspiel.PlayerId.CHANCE)
            seat = definition.to_move(self.position)
            return int(pyspiel.PlayerId.TERMINAL) if seat < 0 else seat

        def _legal_actions(self, player: int) -> list[int]:
            return definition.legal_actions(self.position)

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(outcome, 1.0 / self._outcomes) for outcome in range(self._outcomes)]

        def _apply_action(self, action: int) -> None:
            if self._outcomes:
                self._drawn.append(action)
            else:
                self._action = action
            self._go_on()

        def _action_to_string(self, player: int, action: int) -> str:
            if player == pyspiel.PlayerId.CHANCE:
                return f"outcome {action}"
            return definition.action_text(self.position, action)

        def is_terminal(self) -> bool:
            return not self._outcomes and definition.to_move(self.position) < 0

        def returns(self) -> list[float]:
            if not self.is_terminal():
                return [0.0] * self._seats
            first = [definition.rank(self.position, seat) == 0 for seat in range(self._seats)]
            return [1.0 / sum(first) if won else 0.0 for won in first]

        def __str__(self) -> str:
            if not self._outcomes:
                return definition.position_text(self.position)
            drawn = f"chance draws one of {self._outcomes} after {self._drawn}"
            if self._action is None:
                return f"{drawn}, setting up"
            position = definition.position_text(self.position)
            return f"{drawn} and action {self._action} at\n{position}"

    words = spiel_name(definition.name).split("_")
    SpielGame.__name__ = SpielGame.__qualname__ = "".join(word.capitalize() for word in words)
    SpielGame.game_type = game_type
    return SpielGame


class _Observer:
    """Observation tensor (`archipel.envs.observation_spec`) and string of a player.

    At chance nodes and during set-up it is that of the last decision.
    """

    def __init__(self, definition: Definition[Any]) -> None:
        self._definition = definition
        self._spec = spec_of(definition.name)
        self._observe = observing(definition.name)
        self.tensor = numpy.zeros(self._spec.size, numpy.float32)
        self.dict = self._spec.split(self.tensor)

    def set_from(self, state: Any, player: int) -> None:
        self._observe(self._definition.recalled(state.position, player), player, self.tensor)

    def string_from(self, state: Any, player: int) -> str:
        return to_bytes(self._definition.recalled(state.position, player)).hex()


def register_all() -> None:
    """Register all games that are not registered yet."""
    known = set(pyspiel.registered_names())
    for definition in games():
        if spiel_name(definition.name) not in known:
            game = _game_class(definition)
            pyspiel.register_game(game.game_type, game)


register_all()
