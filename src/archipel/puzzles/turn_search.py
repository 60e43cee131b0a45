"""Search the ways to play a turn: its positions, and those in which it can end.

A turn is what a seat does until chance is drawn, something hidden is shown, or another seat
decides. Positions are compared as the seat sees them, with interchangeable pieces renumbered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from archipel.rules.all_games import game_named
from archipel.rules.kit import clone
from archipel.rules.kit.core.fields import copy_into
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.rules.kit.core.program import Backend

#: Most positions that are searched per start, the nearest first.
MOST_POSITIONS = 2000
#: The random stream in which the results of actions that draw chance are compared.
_STREAM = 1
#: A notation that names a piece by its number alone, such as ``tile 2``.
_NUMBERED = re.compile(r"\w+ \d+")

#: A position as the seat sees it, without the numbers of interchangeable pieces.
Key = bytes
#: Whether to search an action, given a position.
Filter = Callable[[Any, int], bool]


class Step(NamedTuple):
    """An action of a turn: the position after it, its key, and whether the turn goes on."""

    state: Any
    key: Key
    goes_on: bool


@dataclass
class Turn:
    """The positions of a turn that were searched, the starts first, and the ways it can end.

    ``came_by`` has the position and action that each position was reached by; a start has its own
    number. ``endings`` has the actions that end the turn: by position and action, the key of what
    they lead to.
    """

    states: list[Any] = field(default_factory=list)
    came_by: list[tuple[int, int]] = field(default_factory=list)
    endings: dict[tuple[int, int], Key] = field(default_factory=dict)

    def way_to(self, number: int) -> tuple[int, list[int]]:
        """The start from which a position was reached, and the actions from there."""
        actions: list[int] = []
        while self.came_by[number][0] != number:
            number, action = self.came_by[number]
            actions.append(action)
        return number, actions[::-1]


class TurnSearch:
    """Searches turns of a game, by compiled rules where they are available."""

    def __init__(self, game: str) -> None:
        self._definition = game_named(game)
        self._backend: Backend = _rules_of(game)
        self._actions = self._backend.numbers(self._definition.most_legal)
        self._after = self._backend.states(1)
        self._seen = self._backend.states(1)
        self._chance = self._backend.stream(_STREAM)

    def search(
        self,
        starts: Sequence[Any],
        seat: int,
        most: int = MOST_POSITIONS,
        wanted: Filter | None = None,
    ) -> Turn:
        """Search the turn that positions belong to, breadth first from all of them at once.

        ``most`` is per start. With ``wanted``, only the actions that it accepts are searched.
        """
        turn, backend = Turn(), self._backend
        records = [self._record(state) for state in starts]
        most *= len(records)
        turn.came_by += [(number, 0) for number in range(len(records))]
        goes_on = {self._key(record, seat): True for record in records}
        for number, record in enumerate(records):
            before = backend.read(record, 0)
            turn.states.append(before)
            count = backend.legal(record[0], self._actions)
            for action in [int(each) for each in self._actions[:count]]:
                if wanted is not None and not wanted(before, action):
                    continue
                drew = self._apply(record, action)
                key = self._key(self._after, seat)
                if key not in goes_on:
                    goes_on[key] = not drew and self._goes_on(before, seat)
                    if goes_on[key] and len(records) < most:
                        turn.came_by.append((number, action))
                        records.append(self._record(None))
                        self._copy(self._after, records[-1])
                if not goes_on[key]:
                    turn.endings[number, action] = key
        return turn

    def step(self, state: Any, action: int, seat: int) -> Step:
        """Play an action; chance is drawn from a fixed stream."""
        drew = self._apply(self._record(state), action)
        key, goes_on = self._key(self._after, seat), not drew and self._goes_on(state, seat)
        return Step(self._backend.read(self._after, 0), key, goes_on)

    def result(self, state: Any, actions: Iterable[int], seat: int) -> Key | None:
        """The key of what a whole turn leads to; None if the turn does not end with it."""
        goes_on = True
        for action in actions:
            if not goes_on or action not in self._definition.legal_actions(state):
                return None
            state, key, goes_on = self.step(state, action, seat)
        return None if goes_on else key

    def way_to(
        self,
        starts: Sequence[Any],
        seat: int,
        goals: Container[Key],
        solution: Sequence[str],
        most: int = MOST_POSITIONS,
    ) -> tuple[int, list[int]] | None:
        """A start and the actions from there that end in one of the goals; None if none is found.

        Searches the nearest positions, at most ``most`` per start, and those of the solution's
        actions in another order.
        """
        known = set(solution)

        def is_in_solution(state: Any, action: int) -> bool:
            text = self._definition.action_text(state, action)
            return text in known or _NUMBERED.fullmatch(text) is not None

        turn = self.search(starts, seat, most)
        found = _way_in(turn, goals)
        if found is None and len(turn.states) == most * len(starts):
            found = _way_in(self.search(starts, seat, wanted=is_in_solution), goals)
        return found

    def imitate(
        self, original: Any, actions: Sequence[int], state: Any, seat: int
    ) -> list[int] | None:
        """The same turn in a position that differs only in the numbers of equal pieces.

        None if there is none: pieces that look equal to the seat may prove to be different when
        the last action shows them.
        """
        found: list[int] = []
        for action in actions:
            original, key, _ = self.step(original, action, seat)
            for same in self._definition.legal_actions(state):
                step = self.step(state, same, seat)
                if step.key == key:
                    break
            else:
                return None
            found.append(same)
            state = step.state
        return found

    def _apply(self, record: Any, action: int) -> bool:
        """Play an action of a position in `_after`; return whether it drew chance."""
        chance, compiled = self._chance, self._backend.compiled
        self._copy(record, self._after)
        if compiled:
            chance["counter"] = 0
        else:
            chance.counter = 0
        self._backend.apply(self._after[0], action, chance)
        return bool(chance["counter"] if compiled else chance.counter)

    def _goes_on(self, before: Any, seat: int) -> bool:
        """Whether the turn goes on in `_after`, if no chance was drawn."""
        if self._backend.to_move(self._after[0]) != seat:
            return False
        after = self._after[0]
        return not self._definition.reveals(
            before, _Fields(after) if self._backend.compiled else after
        )

    def _key(self, record: Any, seat: int) -> Key:
        self._backend.recall(record[0], seat, self._seen[0])
        self._backend.renumber(self._seen[0])
        seen = self._seen[0]
        return bytes(seen.tobytes()) if self._backend.compiled else to_bytes(clone(seen))

    def _record(self, state: Any) -> Any:
        record = self._backend.states(1)
        if state is not None:
            self._backend.write(record, 0, state)
        return record

    def _copy(self, source: Any, target: Any) -> None:
        if self._backend.compiled:
            target[0] = source[0]
        else:
            copy_into(source[0], target[0])


class _Fields:
    """A position of compiled rules that reads a field when it is asked for."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = self._record[name].tolist()
        setattr(self, name, value)
        return value


def _way_in(turn: Turn, goals: Container[Key]) -> tuple[int, list[int]] | None:
    for (number, action), key in turn.endings.items():
        if key in goals:
            start, actions = turn.way_to(number)
            return start, [*actions, action]
    return None


@cache
def _rules_of(game: str) -> Backend:
    definition = game_named(game)
    return load_backend(definition.program(**definition.rules.entries()))
