"""Matches between bots, external programs and Python functions.

The intervals of a result treat each rotation as one sample.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from archipel.bots import player_named
from archipel.bots.external.bot_program import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.options import Options
from archipel.study.executors.executor import PROCESSES
from archipel.study.matches.play_rotations import play_rotations
from archipel.study.matches.rotation import Match, Player, Rotation
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.simulation.game_programs import options_for
from archipel.study.simulation.simulate import BotResult, SimulationResult, Tally, WinRate
from archipel.study.statistics import share_interval

SCHEMA = "archipel.match"
SCHEMA_VERSION = 1


@dataclass(frozen=True, repr=False)
class MatchResult(SimulationResult):
    """A `SimulationResult` of whole rotations, however they were played."""

    played: tuple[Rotation, ...] = ()
    programs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def rotations(self) -> int:
        return len(self.played)

    def mean_rank(self, bot: str) -> float:
        """Mean rank of a bot, counted from 1."""
        entrants = [entrant for entrant, name in enumerate(self.bots) if name == bot]
        ranks = [game[e] for rotation in self.played for game in rotation.ranks for e in entrants]
        return sum(ranks) / len(ranks) + 1

    def _won(self, entrants: Sequence[int], seat: int | None = None) -> WinRate:
        won = super()._won(entrants, seat)
        if seat is not None:
            return won  # one game per rotation
        shares: Counter[Fraction] = Counter()
        for rotation in self.played:
            wins = [win_share(ranks, entrant) for ranks in rotation.ranks for entrant in entrants]
            shares[sum(wins, Fraction()) / len(wins)] += 1
        return replace(won, interval=share_interval(shares))

    def to_dict(self) -> dict[str, Any]:
        """JSON form; it does not depend on the machine or the number of processes."""
        return {
            **self.setting(SCHEMA, SCHEMA_VERSION),
            "programs": {name: list(command) for name, command in self.programs.items()},
            "rotations": self.rotations,
            "games": self.games,
            "seed": self.seed,
            "results": [self._result(result) for result in self.results],
            "mean_decisions": self.mean_decisions,
        }

    def _result(self, result: BotResult) -> dict[str, Any]:
        won = result.won.to_dict()
        del won["shared_wins"]
        return {
            "bot": result.name,
            "copies": result.copies,
            **won,
            "win_rate_by_seat": [seat.rate for seat in result.by_seat],
            "mean_score": result.mean_score,
            "mean_rank": self.mean_rank(result.name),
        }


def win_share(ranks: Sequence[int], entrant: int) -> Fraction:
    """1 for a win, 1/k for one shared by k entrants, else 0."""
    return Fraction(1, ranks.count(0)) if ranks[entrant] == 0 else Fraction()


def result_of(
    match: Match, rotations: Sequence[Rotation], *, compiled: bool = False, seconds: float = 0.0
) -> MatchResult:
    """Count the results of at least one rotation."""
    definition, tally = game_named(match.game), Tally(match.seats)
    for rotation in rotations:
        by_game = rotation.ranks, rotation.scores
        ranks, scores = (list(zip(*rows, strict=True)) for rows in by_game)
        tally.add(range(match.seats), rotation.decisions, ranks, scores)
    return MatchResult(
        game=match.game,
        rules_version=definition.rules_version,
        board=definition.board,
        options=match.options,
        bots=match.bots,
        seed=match.seed,
        rotate=True,
        tally=tally,
        compiled=compiled,
        seconds=seconds,
        played=tuple(rotations),
        programs={name: own.command for name, own in match.programs.items()},
    )


@former_arguments(processes="workers")
def match(
    game: str,
    players: Sequence[Player | str],
    games: int,
    *,
    seed: int = 0,
    options: Options | Mapping[str, object] | None = None,
    programs: Mapping[str, BotProgram] | None = None,
    workers: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
) -> MatchResult:
    """Play a match between functions, bots and programs, one per seat, and count the results.

    A function is given a `Decision` (its seat, its legal actions and its view of the position) and
    returns an action, as a number or in notation.  A name is a bot's, or a key of ``programs``.

    Games come in rotations: as many games as there are seats, all with the same random numbers, in
    which every player takes every seat once.  ``games`` is rounded up to whole rotations.  Equal
    seeds give equal results, here and from ``archipel match``.  Neither ``workers`` nor ``on``
    nor ``compiled`` affects them.  A match with functions is played in this process.

    Raises `RuleError` or `NotationError` if a function plays an illegal action, and
    `EntrantFailed` if a bot or program fails.
    """
    if games < 1:
        raise ValueError(f"{games} games: play at least one")
    chosen = options_for(game_named(game), len(players), options)
    names, functions = _names(game, players, programs or {})
    own = {name: program for name, program in (programs or {}).items() if name in names}
    played = Match(game, chosen, names, seed % 2**64, own, functions)
    count = -(-games // played.seats)
    on_progress(Progress(0, count * played.seats))
    started, rotations = time.perf_counter(), []
    playing = play_rotations(
        played, range(count), workers=workers, on=on, on_progress=on_progress, compiled=compiled
    )
    with closing(playing):
        for number, rotation in playing:
            rotations.append(rotation)
            on_progress(Progress((number + 1) * played.seats, count * played.seats))
    at_once = played.all_rules and (can_compile() if compiled is None else compiled)
    seconds = time.perf_counter() - started
    return result_of(played, rotations, compiled=at_once, seconds=seconds)


def _names(
    game: str, players: Sequence[Player | str], programs: Mapping[str, BotProgram]
) -> tuple[tuple[str, ...], dict[str, Player]]:
    """A name for each seat, and the functions by name; equal names get a number."""
    named = [
        (player if player in programs else player_named(game, player).name)
        if isinstance(player, str)
        else ""
        for player in players
    ]
    taken, functions = set(named), dict[str, Player]()
    for seat, player in enumerate(players):
        if isinstance(player, str):
            continue
        name = next((name for name, known in functions.items() if known is player), "")
        if not name:
            first = name = getattr(player, "__name__", type(player).__name__)
            copies = 1
            while name in taken:
                copies += 1
                name = f"{first} ({copies})"
            taken.add(name)
            functions[name] = player
        named[seat] = name
    return tuple(named), functions
