"""Tokens: the holder of a token has its seat. Only hashes are stored, and never in the log."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import Struct

from archipel.tables.log import events

Randomness = Callable[[int], bytes]
TOKEN_BYTES = 32


def new_token(randomness: Randomness, size: int = TOKEN_BYTES) -> str:
    return base64.urlsafe_b64encode(randomness(size)).rstrip(b"=").decode()


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Keys(Struct, frozen=True):
    """The token hashes of a table: of its host, its seats, and the invitations to open seats."""

    host: str
    seats: tuple[str | None, ...]
    invitations: tuple[str | None, ...]
    #: Of a person who waits for the others to agree to them.
    asking: str | None = None

    def is_asking(self, key: str) -> bool:
        return _same(self.asking, key)

    def invited(self, key: str) -> int | None:
        """The seat of an invitation."""
        found = [seat for seat, held in enumerate(self.invitations) if _same(held, key)]
        return found[0] if found else None

    def after(self, decided: Iterable[events.Event], new: str | None) -> Keys:
        """The keys after these events; ``new`` is the hash of a person who joins by them."""
        keys = self
        for event in decided:
            match event:
                case events.SeatFreed(seat=seat) | events.BotSeated(seat=seat):
                    keys = keys._with_seat(seat, None)
                case events.PersonSeated(seat=seat):
                    keys = keys._with_seat(seat, new or keys.asking)._with_asking(None)
                case events.SeatAsked():
                    keys = keys._with_asking(new)
                case events.CloseAsked() | events.ProposalAnswered(agree=False):
                    keys = keys._with_asking(None)
                case events.Ended() | events.Closed():
                    keys = keys._with_asking(None)
        return keys

    def _with_seat(self, seat: int, key: str | None) -> Keys:
        """Set the holder of a seat and void its invitation."""
        return Keys(
            self.host,
            tuple(key if n == seat else held for n, held in enumerate(self.seats)),
            tuple(None if n == seat else held for n, held in enumerate(self.invitations)),
            self.asking,
        )

    def _with_asking(self, key: str | None) -> Keys:
        return Keys(self.host, self.seats, self.invitations, key)


@lru_cache(maxsize=4096)
def roles(keys: Keys, key: str) -> tuple[tuple[int, ...], bool]:
    """The seats of a hash, and whether it is the host's."""
    seats = tuple(seat for seat, held in enumerate(keys.seats) if _same(held, key))
    return seats, _same(keys.host, key)


def _same(held: str | None, key: str) -> bool:
    # Constant time, so that response times reveal nothing about a hash.
    return hmac.compare_digest((held or "").encode(), key.encode()) and held is not None
