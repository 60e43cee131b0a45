"""Matches in rotations: the same chance for everybody, once from every seat.

A rotation is as many games as there are seats.  In each of them everybody sits one seat further,
and chance is the same: the same deal, and the same throws as long as the same is played.  So nobody
is better off for their seat, and hardly for their luck.  What is known of a match is known by
rotation: games of one rotation are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from archipel.bots import Bot
from archipel.bots.outside.programs import BotProgram, ProgramBot
from archipel.rules.all_games import game_named
from archipel.rules.kit import Chance, Stream, stream_key
from archipel.rules.options import Options

#: No game is meant to come near this; one that does is reported instead of played for ever.
MOST_DECISIONS = 100_000


class AnyBot(Protocol):
    """A bot of the house, or a program."""

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int: ...


@dataclass(frozen=True)
class Match:
    """Who plays what. Bots are named in full; a name among ``programs`` is a program's."""

    game: str
    options: Options
    bots: tuple[str, ...]
    seed: int
    programs: Mapping[str, BotProgram] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return self.options.seats


@dataclass(frozen=True)
class Rotation:
    """What came of a rotation: per game each entrant's rank and score, and how many decisions."""

    ranks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]


class EntrantFailed(Exception):
    """A program or bot failed in the middle of a match; the message says who, where and how."""


def find_bots(match: Match) -> dict[str, AnyBot]:
    """Everybody who plays, ready to be asked. Close them with `close_bots`."""
    return {name: _find(match, name) for name in dict.fromkeys(match.bots)}


def close_bots(bots: Mapping[str, AnyBot]) -> None:
    for bot in bots.values():
        if isinstance(bot, ProgramBot):
            bot.close()


def _find(match: Match, name: str) -> AnyBot:
    if name in match.programs:
        return ProgramBot(match.game, match.programs[name])
    return Bot.named(match.game, name)


def play_rotation(match: Match, number: int, bots: Mapping[str, AnyBot]) -> Rotation:
    """Play one rotation. Raises `EntrantFailed`.

    Chance and choices are drawn as in `archipel.study.kernel`: compiled games are the same games.
    """
    games = [_play(match, number, shift, bots) for shift in range(match.seats)]
    ranks, scores, decisions = zip(*games, strict=True)
    return Rotation(tuple(ranks), tuple(scores), tuple(decisions))


def _play(
    match: Match, rotation: int, shift: int, bots: Mapping[str, AnyBot]
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    definition, seats = game_named(match.game), match.seats
    first = rotation * seats
    chance = Stream(stream_key(match.seed, first))
    choices_key = stream_key(stream_key(match.seed, first + shift), 1)
    state = definition.new(match.options, chance)
    decisions = 0
    while (seat := definition.to_move(state)) >= 0:
        if decisions == MOST_DECISIONS:
            raise EntrantFailed(f"a game did not end within {MOST_DECISIONS} decisions")
        name = match.bots[(seat - shift) % seats]
        view = definition.recalled(state, seat)
        legal = definition.legal_actions(state)
        choices = Stream(stream_key(choices_key, decisions))
        try:
            action = bots[name].choose(view, legal, chance=choices)
            if action not in legal:
                raise ValueError(f"action {action} is not one of {legal}")
        except Exception as error:
            raise EntrantFailed(
                f"{name} failed in game {first + shift + 1}, decision {decisions + 1}: {error}"
            ) from error
        definition.apply(state, action, chance)
        decisions += 1
    sits = [(entrant + shift) % seats for entrant in range(seats)]
    ranks = tuple(definition.rank(state, seat) for seat in sits)
    return ranks, tuple(definition.score(state, seat) for seat in sits), decisions
