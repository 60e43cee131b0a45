"""Matches between bots, external programs and Python functions."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing

from archipel.bots import player_named
from archipel.bots.external.bot_program import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.options import Options
from archipel.study.executors.executor import PROCESSES
from archipel.study.matches.match_result import MatchResult, result_of
from archipel.study.matches.play_rotations import play_rotations
from archipel.study.matches.rotation import Match, Player
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.simulation.game_programs import options_for


def match(
    game: str,
    players: Sequence[Player | str],
    games: int,
    *,
    seed: int = 0,
    options: Options | Mapping[str, object] | None = None,
    programs: Mapping[str, BotProgram] | None = None,
    processes: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
) -> MatchResult:
    """Play a match between functions, bots and programs, one per seat, and count the results.

    A function is given a `Decision` (its seat, its legal actions and its view of the position) and
    returns an action, as a number or in notation.  A name is a bot's, or a key of ``programs``.

    Games come in rotations: as many games as there are seats, all with the same random numbers, in
    which every player takes every seat once.  ``games`` is rounded up to whole rotations.  Equal
    seeds give equal results, here and from ``archipel match``.  Neither ``processes`` nor ``on``
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
        played,
        range(count),
        processes=processes,
        on=on,
        on_progress=on_progress,
        compiled=compiled,
    )
    with closing(playing):
        for number, rotation in playing:
            rotations.append(rotation)
            on_progress(Progress((number + 1) * played.seats, count * played.seats))
    return result_of(
        played,
        rotations,
        compiled=played.all_rules and (can_compile() if compiled is None else compiled),
        seconds=time.perf_counter() - started,
    )


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
