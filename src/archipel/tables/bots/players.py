"""The bots that may sit at a table: their kinds, display names and seeds."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from archipel.bots import offered_bots, roster_of
from archipel.bots.external.bot_program import BotProgram
from archipel.rules.kit import Stream, stream_key
from archipel.tables.log import events


def bot_seed(secret: bytes, n: int) -> int:
    """The seed for a bot's own randomness in the position after event ``n``.

    It derives from the table's secret, so nobody can predict it during the game, and after the game
    the bot's decision can be reproduced.
    """
    return int.from_bytes(hashlib.sha256(b"bot %d " % n + secret).digest()[:8], "big")


def choose_at_random(legal: Sequence[int], seed: int) -> int:
    """A random legal action, for a bot that failed and has no fallback."""
    return legal[Stream(stream_key(seed, 1)).draw(len(legal))]


def bots_for(game: str) -> tuple[str, ...]:
    """The names of a game's bots that may sit at a table, including levels of earlier versions."""
    levels = (*roster_of(game).former_levels, *roster_of(game).levels)
    return tuple(bot.name for bot in (*offered_bots(game), *levels))


def with_programs(programs: Iterable[BotProgram]) -> Callable[[str], tuple[str, ...]]:
    """As `bots_for`, followed by the host's own bot programs that play the game."""
    own = tuple(programs)

    def bots(game: str) -> tuple[str, ...]:
        return (*bots_for(game), *(program.name for program in own if program.plays(game)))

    return bots


def full_name(bot: str, bots: Sequence[str]) -> str | None:
    """The bot of that name, or the newest version of that family ("greedy" is "greedy-2")."""
    if bot in bots:
        return bot
    versions = {
        int(version): name
        for name in bots
        for family, _, version in (name.rpartition("-"),)
        if family == bot and version.isdecimal()
    }
    return versions[max(versions)] if versions else None


# ---- display names ------------------------------------------------------------------------------

#: Given names that are common in many languages, no two with the same first letter.
BOT_NAMES = (
    "Alba", "Bruno", "Colette", "Dario", "Elsa", "Félix", "Gilda", "Hugo", "Iris", "Jonas", "Klara",
    "Leo", "Mila", "Nino", "Olga", "Paolo", "Rosa", "Silvio", "Tilda", "Viktor",
)  # fmt: skip


def bot_name(others: Iterable[str]) -> str:
    """A name whose first letter, which pieces show, differs from those of the others."""
    taken = {_initial(name) for name in others}
    return next(name for name in BOT_NAMES if _initial(name) not in taken)


def seat_bots(bots: Mapping[int, str], others: Iterable[str]) -> list[events.BotSeated]:
    """Seat these bots (by seat), each under its own name."""
    names = list(others)
    seated = []
    for seat, bot in bots.items():
        names.append(bot_name(names))
        seated.append(events.BotSeated(seat, bot, names[-1]))
    return seated


def _initial(name: str) -> str:
    """The first letter, without accent and case."""
    return unicodedata.normalize("NFKD", name)[:1].casefold()
