"""Rotations: games with common random numbers in which every entrant takes every seat once.

A rotation has as many games as there are seats.  All its games use the same random numbers, and
from game to game everybody moves on by one seat.  This cancels the advantage of a seat and most of
the luck.  The games of one rotation are dependent, so statistics treat a rotation as one sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from archipel.bots import Bot, Level, bot_named, player_named
from archipel.bots.external.bot_program import BotProgram, ProgramBot
from archipel.game import Action, Actions, Decision
from archipel.rules.action_sequences import parse_sequence
from archipel.rules.all_games import game_named
from archipel.rules.contract import NotationError
from archipel.rules.kit import Chance, clone
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Options
from archipel.rules.sentence import Sentence
from archipel.study.simulation.game_kernel import DECISIONS, RANKS
from archipel.study.simulation.game_programs import AnyBot, BotCaller, interpreted_games, run_games

#: A Python function that plays: it returns an action as a number or in notation.
Player = Callable[[Decision], int | str]


@dataclass(frozen=True)
class Match:
    """The players of a match, one name per seat: bots by full name, programs or functions."""

    game: str
    options: Options
    bots: tuple[str, ...]
    seed: int
    programs: Mapping[str, BotProgram] = field(default_factory=dict)
    functions: Mapping[str, Player] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def levels(self) -> list[str]:
        """The bots that search."""
        bots = [name for name in self.bots if name not in {*self.programs, *self.functions}]
        return [name for name in bots if isinstance(player_named(self.game, name), Level)]

    @property
    def all_rules(self) -> bool:
        """Whether all players are rule-based bots, which can play in compiled code."""
        return not (self.programs or self.functions or self.levels)


@dataclass(frozen=True)
class Rotation:
    """Results of a rotation: for each game the ranks and scores by entrant, and its decisions."""

    ranks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]


class EntrantFailed(Exception):
    """A bot or program failed during a match; the message says which one, where and why."""


class FunctionBot:
    """Asks a Python function; raises `RuleError` or `NotationError` for an illegal action."""

    def __init__(self, game: str, function: Player) -> None:
        self._definition = game_named(game)
        self._function = function
        self._stages: list[int] = []  # the rest of a text such as "w1 to g6"

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        if self._stages:
            return self._stages.pop(0)
        definition, seen = self._definition, clone(view)
        actions = (Action(number, definition.action_text(seen, number)) for number in legal)
        seat = definition.to_move(seen)
        decision = Decision(seat, Actions(actions, definition, seen), definition.look(seen))
        chosen = self._function(decision)
        if isinstance(chosen, str):
            first, *self._stages = parse_sequence(definition, view, chosen) or [
                definition.parse_action(view, chosen)
            ]
        else:
            first = int(chosen)
        if not 0 <= first < definition.actions:
            given = {"number": first, "last": definition.actions - 1}
            text = Sentence("there is no action {number}: actions are 0 to {last}", **given)
            raise NotationError(text)
        if first not in legal:
            raise definition.refuse(view, first)
        return first


class _MatchCaller(BotCaller):
    """Names the player and the decision if a bot or program fails."""

    def __init__(self, match: Match, bots: Sequence[AnyBot]) -> None:
        super().__init__(bots)
        self._match = match
        self.game = self.decision = 0

    def choose(self, seen: Any, bot: int, actions: list[int], count: int, choices: Chance) -> int:
        self.decision += 1
        if isinstance(self.bots[bot], FunctionBot):
            return super().choose(seen, bot, actions, count, choices)
        try:
            action = super().choose(seen, bot, actions, count, choices)
            if action not in actions[:count]:
                raise ValueError(f"action {action} is not one of {actions[:count]}")
        except Exception as error:
            raise EntrantFailed(
                f"{self._match.bots[bot]} failed in game {self.game + 1}, "
                f"decision {self.decision}: {error}"
            ) from error
        return action


class RotationPlayer:
    """Plays rotations of a match one decision at a time; close it to end external programs."""

    def __init__(self, match: Match, bots: Mapping[str, AnyBot] | None = None) -> None:
        self.match = match
        found = bots or {name: _find(match, name) for name in dict.fromkeys(match.bots)}
        self._caller = _MatchCaller(match, [found[name] for name in match.bots])
        self._backend = interpreted_games(match.game, self._caller)

    def play(self, number: int) -> Rotation:
        """Play one rotation.  Raises `EntrantFailed`, or what a function raises."""
        seats = self.match.seats
        columns: list[list[int]] = []
        for game in range(number * seats, (number + 1) * seats):
            self._caller.game, self._caller.decision = game, 0
            rows = _rows(self.match, self._backend, range(seats), range(game, game + 1))
            columns.append([row[0] for row in rows])
        return _rotation(columns, seats)

    def close(self) -> None:
        for bot in self._caller.bots:
            if isinstance(bot, ProgramBot):
                bot.close()


def _find(match: Match, name: str) -> AnyBot:
    if name in match.functions:
        return FunctionBot(match.game, match.functions[name])
    if name in match.programs:
        return ProgramBot(match.game, match.programs[name])
    return Bot.named(match.game, name)


def compiled_rotations(match: Match, numbers: range, backend: Backend) -> list[Rotation]:
    """Play rotations between rule-based bots; the same games as `RotationPlayer` plays."""
    seats = match.seats
    bots = [bot_named(match.game, name).index for name in match.bots]
    games = range(numbers.start * seats, numbers.stop * seats)
    columns = [list(column) for column in zip(*_rows(match, backend, bots, games), strict=True)]
    return [_rotation(columns[k : k + seats], seats) for k in range(0, len(games), seats)]


def _rows(match: Match, backend: Backend, bots: Sequence[int], games: range) -> list[list[int]]:
    rows = run_games(
        backend, match.game, match.options, bots, match.seed, games, common_chance=True
    ).rows
    return [[int(value) for value in row] for row in rows]


def _rotation(columns: Sequence[Sequence[int]], seats: int) -> Rotation:
    return Rotation(
        tuple(tuple(column[RANKS : RANKS + seats]) for column in columns),
        tuple(tuple(column[RANKS + seats : RANKS + 2 * seats]) for column in columns),
        tuple(column[DECISIONS] for column in columns),
    )
