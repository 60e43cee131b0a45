"""What a decision needs to know beside the table: the hour, who is away, the secret of chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from archipel.tables.bot_players import full_name
from archipel.tables.fair_chance import FairChance, chance_key
from archipel.tables.settings import Settings
from archipel.tables.table import Table


@dataclass(frozen=True)
class Moment:
    now: int
    secret: bytes = field(repr=False)
    #: The bots of the game, by name.
    bots: tuple[str, ...]
    #: For each person who is not here, since when.
    away_since: Mapping[int, int] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    #: The request that is being answered, if any.
    request: str | None = None
    #: By the identity of an event that was decided: the state after it, which had to be worked out
    #: to decide it and need not be again.
    foreseen: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def stand_in(self) -> str:
        """The bot that plays for the absent."""
        return full_name(self.settings.stand_in, self.bots) or self.bots[0]

    @property
    def usual_bot(self) -> str:
        """The bot that takes a seat which nobody took."""
        return full_name(self.settings.usual_bot, self.bots) or self.stand_in

    def fallback(self, bot: str) -> str | None:
        """The bot that takes the seat of one that failed; None if there is none left."""
        if bot not in (self.stand_in, self.bots[0]):
            return self.stand_in
        return self.bots[0] if bot != self.bots[0] else None

    def is_away(self, seat: int) -> bool:
        """Whether a person has been away for so long that others may do without them."""
        since = self.away_since.get(seat)
        return since is not None and self.now - since >= self.settings.away

    def chance(self, table: Table) -> FairChance:
        """Chance from the next draw on that this table has not used."""
        return FairChance(lambda: chance_key(self.secret, table.nonces), table.next_draw)
