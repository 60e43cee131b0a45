"""What bots are called at a table: one is told from the other by name, as people are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from archipel.tables import events

#: Names that are names in many languages, no two with the same first letter.
BOT_NAMES = (
    "Alba", "Bruno", "Colette", "Dario", "Elsa", "Félix", "Gilda", "Hugo", "Iris", "Jonas", "Klara",
    "Leo", "Mila", "Nino", "Olga", "Paolo", "Rosa", "Silvio", "Tilda", "Viktor",
)  # fmt: skip


def bot_name(others: Iterable[str]) -> str:
    """A name for one more bot, where the others at the table have these.

    Pieces show first letters, so it has one that nobody else has.
    """
    taken = {_initial(name) for name in others}
    return next(name for name in BOT_NAMES if _initial(name) not in taken)


def seat_bots(bots: Mapping[int, str], others: Iterable[str]) -> list[events.BotSeated]:
    """Seat bots, each under a name of its own."""
    names = list(others)
    seated = []
    for seat, bot in bots.items():
        names.append(bot_name(names))
        seated.append(events.BotSeated(seat, bot, names[-1]))
    return seated


def _initial(name: str) -> str:
    """Its first letter, without accent and case."""
    return unicodedata.normalize("NFKD", name)[:1].casefold()
