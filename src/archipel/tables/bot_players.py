"""Bots at a table: which there are, and what they are asked: with a view, never with the truth."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from archipel.bots import offered_bots, roster_of
from archipel.bots.outside.programs import BotProgram
from archipel.rules.kit import Stream, stream_key

#: Game, bot, the view of the seat to move, its legal actions, a seed: the action it chooses.
Choose = Callable[[str, str, Any, Sequence[int], int], int]


def bot_seed(secret: bytes, n: int) -> int:
    """The seed for what a bot leaves to chance in the position after event n.

    Nobody can foresee it, and after the game it can be told how the bot came to its choice.
    """
    return int.from_bytes(hashlib.sha256(b"bot %d " % n + secret).digest()[:8], "big")


def choose_at_random(legal: Sequence[int], seed: int) -> int:
    """What is played for a bot that failed."""
    return legal[Stream(stream_key(seed, 1)).draw(len(legal))]


def bots_for(game: str) -> tuple[str, ...]:
    """The names of a game's bots that may sit at a table, levels of earlier versions too."""
    levels = (*roster_of(game).former_levels, *roster_of(game).levels)
    return tuple(bot.name for bot in (*offered_bots(game), *levels))


def with_programs(programs: Iterable[BotProgram]) -> Callable[[str], tuple[str, ...]]:
    """The names of a game's bots, followed by those of the host's programs that play it."""
    own = tuple(programs)

    def bots(game: str) -> tuple[str, ...]:
        return (*bots_for(game), *(program.name for program in own if program.plays(game)))

    return bots


def full_name(bot: str, bots: Sequence[str]) -> str | None:
    """The bot of that name, or the newest of that family: greedy is greedy-2 if there is one."""
    if bot in bots:
        return bot
    versions = {
        int(version): name
        for name in bots
        for family, _, version in (name.rpartition("-"),)
        if family == bot and version.isdecimal()
    }
    return versions[max(versions)] if versions else None
