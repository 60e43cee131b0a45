"""Questions that most decisions ask first. Each raises the refusal, or answers."""

from __future__ import annotations

import re

from archipel.tables.bot_players import full_name
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import refuse
from archipel.tables.table import Table, Who

LONGEST_NAME = 24
_SPACES = re.compile(r"\s+")


def check_host(who: Who) -> None:
    if not who.host:
        raise refuse("not_host")


def check_gathering(table: Table) -> None:
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage != "gathering":
        raise refuse("not_gathering")
    if table.draw is not None:
        raise refuse("drawing")


def check_playing(table: Table) -> None:
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage != "playing":
        raise refuse("not_playing")


def check_room(table: Table, moment: Moment) -> None:
    """A table takes only so many events, so that none becomes a burden for the others."""
    if table.n >= moment.settings.events:
        raise refuse("too_long", events=moment.settings.events)


def check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise refuse("bad_seat", seat=seat + 1, seats=len(table.seats))


def check_fresh(table: Table, n: int) -> None:
    """A request is for the position after event n; chat and the like do not make it stale."""
    if not table.position_n <= n <= table.n:
        raise refuse("stale")


def acting_seat(who: Who, wanted: int | None, default: int | None = None) -> int:
    """The seat somebody acts for: their own, or at a hot-seat table the wanted or default one."""
    if not who.seats:
        raise refuse("not_seated")
    if wanted is not None:
        if wanted not in who.seats:
            raise refuse("not_yours")
        return wanted
    return default if default in who.seats and default is not None else who.seats[0]


def clean_name(name: str) -> str:
    """A name as it is shown; raises the refusal if nothing is left or it is too long."""
    shown = _SPACES.sub(" ", "".join(c if c.isprintable() else " " for c in name)).strip()
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise refuse("bad_name", longest=LONGEST_NAME)
    return shown


def known_bot(bot: str, bots: tuple[str, ...]) -> str:
    """The full name of a bot; raises the refusal if there is none."""
    name = full_name(bot, bots)
    if name is None:
        raise refuse("unknown_bot", bot=bot, bots=", ".join(bots))
    return name
