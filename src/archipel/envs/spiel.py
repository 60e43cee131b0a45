"""OpenSpiel games; importing this module registers them.  It needs ``open_spiel``.

``pyspiel.load_game("archipel_deep_sea(players=3)")``.  Chance is explicit: each random draw of the
rules is a chance node with equally likely outcomes.  After each outcome the rules run again from
the last decision with the outcomes so far.  States run in plain Python, for inspection and search
rather than for speed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy
import pyspiel
from numpy.typing import NDArray

from archipel.envs.batch import MAX_EPISODE_DECISIONS
from archipel.envs.observation_spec import NAMESPACE, observing, spec_of
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone, stream_key
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


class _Moment:
    """A position at a decision, and what led to it; shared by OpenSpiel's copies of a state."""

    def __init__(
        self,
        definition: Definition[Any],
        position: Any,
        previous: _Moment | None = None,
        action: int = -1,
    ) -> None:
        self._definition = definition
        self.position = position
        self._previous = previous
        self._action = action
        self._known: dict[int, bytes] = {}

    def __deepcopy__(self, memo: Any) -> _Moment:
        return self

    def resampled(self, seat: int, chance: Any) -> _Moment:
        """A random world that the seat cannot tell from this one; others have no past in it."""
        world = self._definition.recalled(self.position, seat)
        self._definition.deal_unseen(world, chance)
        moment = _Moment(self._definition, world)
        moment._known[seat] = self.information_state(seat)
        return moment

    def information_state(self, seat: int) -> bytes:
        """A hash of all views and own actions of a seat so far (perfect recall)."""
        unknown = []
        moment: _Moment | None = self
        while moment is not None and seat not in moment._known:
            unknown.append(moment)
            moment = moment._previous
        for each in reversed(unknown):
            each._known[seat] = each._extended(seat)
        return self._known[seat]

    def _extended(self, seat: int) -> bytes:
        """The hash before, extended by the seat's own action and by its view if it changed."""
        view = to_bytes(self._definition.recalled(self.position, seat))
        previous = self._previous
        if previous is None:
            return sha256(view).digest()
        before = previous._known[seat]
        if self._definition.to_move(previous.position) == seat:
            return sha256(before + self._action.to_bytes(4, "little") + view).digest()
        if view == to_bytes(self._definition.recalled(previous.position, seat)):
            return before
        return sha256(before + view).digest()


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
        provides_information_state_string=True,
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
            return _Observer(definition, iig_obs_type is not None and iig_obs_type.perfect_recall)

    class SpielState(pyspiel.State):
        """A decision, a chance node or the end."""

        def __init__(self, game: Any, options: Any) -> None:
            super().__init__(game)
            self._seats = options.seats
            self._last = _Moment(definition, definition.blank(options))  # the last decision
            self._action: int | None = None  # the last action; None during set-up
            self._is_resampled = False
            self._drawn: list[int] = []
            self._outcomes = 0  # number of outcomes at a chance node, else 0
            self._go_on()

        @property
        def position(self) -> Any:
            """Position at the last decision, or at the end."""
            return self._last.position

        @property
        def is_setting_up(self) -> bool:
            """Whether this is a chance node before the first decision."""
            return self._action is None and self._outcomes > 0

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
            if self._action is None:
                self._last = _Moment(definition, tried)
            else:
                self._last = _Moment(definition, tried, self._last, self._action)
            self._drawn = []

        def information_state_hash(self, player: int) -> bytes:
            """A hash of all views and own actions of a player up to the last decision."""
            return self._last.information_state(player)

        def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> Any:
            """A state at the same decision that the player cannot tell from this one.

            Unknown information is drawn as the player must assume (determinization).  The new state
            has no history.  ``probability_sampler`` returns numbers from 0 to 1.
            """
            if self._outcomes:
                raise ValueError("resample at a decision, not at a chance node")
            key = int(probability_sampler() * 2**53)
            other = self.get_game().new_initial_state()
            other._last = self._last.resampled(player_id, Stream(stream_key(key, 0)))
            other._action, other._drawn, other._outcomes = 0, [], 0
            other._is_resampled = True
            return other

        def __deepcopy__(self, memo: Any) -> Any:
            return self.clone()

        def __reduce__(self) -> tuple[Any, ...]:
            if self._is_resampled:
                raise TypeError("a resampled state has no history to be pickled")
            return _replayed, (str(self.get_game()), self.history())

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


def _replayed(game: str, history: Sequence[int]) -> Any:
    """Return the state of a pickle."""
    state = pyspiel.load_game(game).new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class _Observer:
    """Observation tensor (`archipel.envs.observation_spec`) and string of a player.

    With perfect recall there is no tensor, and the string also tells all earlier views and own
    actions apart, by a hash.  At chance nodes they are those of the last decision; before the first
    decision the tensor is all 0.
    """

    def __init__(self, definition: Definition[Any], perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self._definition = definition
        self._spec = spec_of(definition.name)
        self._observe = observing(definition.name)
        self.tensor: NDArray[numpy.float32] | None = None
        self.dict: dict[str, NDArray[Any]] = {}
        if not perfect_recall:
            self.tensor = numpy.zeros(self._spec.size, numpy.float32)
            self.dict = self._spec.split(self.tensor)

    def set_from(self, state: Any, player: int) -> None:
        if self.tensor is None:
            return
        if state.is_setting_up:  # OpenSpiel asks for such a tensor before each other one
            self.tensor[:] = 0
            return
        self._observe(self._definition.recalled(state.position, player), player, self.tensor)

    def string_from(self, state: Any, player: int) -> str:
        view = to_bytes(self._definition.recalled(state.position, player)).hex()
        if self._perfect_recall:
            return f"{state.information_state_hash(player).hex()} {view}"
        return view


def register_all() -> None:
    """Register all games that are not registered yet."""
    known = set(pyspiel.registered_names())
    for definition in games():
        if spiel_name(definition.name) not in known:
            game = _game_class(definition)
            pyspiel.register_game(game.game_type, game)


register_all()
