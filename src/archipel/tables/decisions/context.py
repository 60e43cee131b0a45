"""The context and the result of decisions, and the checks that most of them start with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from archipel.rules.kit import Chance
from archipel.tables.bots.players import full_name
from archipel.tables.commands import LONGEST_TEXT
from archipel.tables.log import events
from archipel.tables.log.fair_chance import DuplicateChance, FairChance, chance_key
from archipel.tables.log.fold import fold_all
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import refuse, refuse_if
from archipel.tables.settings import Settings

Events = list[events.Event]
LONGEST_NAME = 24
#: Joins several emoji to one.
_JOINER = "\N{ZERO WIDTH JOINER}"
_SPACES = re.compile(r"\s+")


class Context(Struct, frozen=True):
    """The time, who is away, the secret of chance, the bots and the request being answered."""

    now: int
    secret: bytes
    #: The names of the game's bots.
    bots: tuple[str, ...]
    #: For each absent person, when they were last seen.
    away_since: Mapping[int, int] = {}
    settings: Settings = Settings()
    request: str | None = None

    def __repr__(self) -> str:  # Keeps the secret out of logged tracebacks.
        return f"Context(now={self.now})"

    @property
    def stand_in(self) -> str:
        """The bot that plays for the absent."""
        return full_name(self.settings.stand_in, self.bots) or self.bots[0]

    @property
    def usual_bot(self) -> str:
        """The bot that takes seats which are open when the game begins."""
        return full_name(self.settings.usual_bot, self.bots) or self.stand_in

    def fallback(self, bot: str) -> str | None:
        """The bot that replaces one that failed; None if no other is left."""
        if bot not in (self.stand_in, self.bots[0]):
            return self.stand_in
        return self.bots[0] if bot != self.bots[0] else None

    def is_away(self, seat: int) -> bool:
        """Whether a person has been away long enough for the others to go on without them."""
        since = self.away_since.get(seat)
        return since is not None and self.now - since >= self.settings.away

    def chance(self, table: TableState) -> Chance:
        """The table's chance, starting with its next unused draw."""
        if table.origin:
            return DuplicateChance(
                lambda: chance_key(self.secret, table.nonces, duplicate=True), table.drawn
            )
        return FairChance(lambda: chance_key(self.secret, table.nonces), table.next_draw)

    def opened_secret(self, table: TableState) -> str | None:
        """The secret as the end of a game publishes it: not while others may play the deal."""
        return None if table.origin else self.secret.hex()


class Decision(NamedTuple):
    """Entries to append to the log of a table, and the table after them."""

    entries: list[events.Entry]
    after: TableState


def follow(
    table: TableState | None, decided: Events, now: int, request: str | None = None
) -> Decision:
    """Exactly these events, without consequences."""
    entries = [events.Entry(now, event, request) for event in decided]
    return Decision(entries, fold_all(entries, table))


# ---- checks: each returns, or raises the refusal ------------------------------------------------


def check_gathering(table: TableState) -> None:
    refuse_if(table.stage == "closed", "closed")
    refuse_if(table.stage != "gathering", "not_gathering")
    refuse_if(table.draw is not None, "drawing")


def check_playing(table: TableState) -> None:
    refuse_if(table.stage == "closed", "closed")
    refuse_if(table.stage != "playing", "not_playing")


def check_room(table: TableState, context: Context) -> None:
    """Refuse at a table whose log has reached its limit."""
    refuse_if(table.n >= context.settings.events, "too_long", events=context.settings.events)


def check_seat(table: TableState, seat: int) -> None:
    refuse_if(not 0 <= seat < len(table.seats), "bad_seat", seat=seat + 1, seats=len(table.seats))


def check_fresh(table: TableState, n: int) -> None:
    """Refuse unless the position after event ``n`` is the current one; chat does not change it."""
    refuse_if(not table.position_n <= n <= table.n, "stale")


def acting_seat(who: Participant, wanted: int | None, default: int | None = None) -> int:
    """The seat that somebody acts for: the wanted one, else the default or first of theirs."""
    refuse_if(not who.seats, "not_seated")
    if wanted is not None:
        refuse_if(wanted not in who.seats, "not_yours")
        return wanted
    return default if default in who.seats and default is not None else who.seats[0]


def clean_name(name: str) -> str:
    """A name as it is shown; refused if empty or too long."""
    cleaned = _printable(name)
    refuse_if(not 1 <= len(cleaned) <= LONGEST_NAME, "bad_name", longest=LONGEST_NAME)
    return cleaned


def check_names(names: Iterable[str], refused: Iterable[str]) -> None:
    """Refuse names that contain a part which the host of the server does not allow."""
    parts = [part.casefold() for part in refused]
    for name in names:
        folded = _printable(name).casefold()
        refuse_if(any(part in folded for part in parts), "refused_name")


def clean_text(text: str) -> str:
    """A text as it is shown, on one line; refused if empty or too long."""
    cleaned = _printable(text, _JOINER)
    shown = len(cleaned.strip(_JOINER))
    refuse_if(not 1 <= shown <= LONGEST_TEXT, "bad_text", longest=LONGEST_TEXT)
    return cleaned


def _printable(text: str, also: str = "") -> str:
    """The printable characters and those in ``also``, spaces collapsed. Control characters and
    those that change the direction of writing become spaces."""
    kept = "".join(c if c.isprintable() or c in also else " " for c in text)
    return _SPACES.sub(" ", kept).strip()


def known_bot(bot: str, bots: tuple[str, ...]) -> str:
    """The full name of a bot; refused if there is none."""
    name = full_name(bot, bots)
    if name is None:
        raise refuse("unknown_bot", bot=bot, bots=", ".join(bots))
    return name
