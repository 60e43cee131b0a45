"""Tokens: the holder of a token has its seat. Only hashes are stored, and never in the log."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

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
                    keys = keys._with_seat(seat, new or keys.asking)._without_invitation(seat)
                    keys = keys._with_asking(None)
                case events.SetUpChanged(seats=count):
                    keys = keys._with_seats(count)
                case events.SeatAsked():
                    keys = keys._with_asking(new)
                case events.CloseAsked() | events.ProposalAnswered(agree=False):
                    keys = keys._with_asking(None)
                case events.SecretsReplaced(seats=seats, host=host):
                    for seat in seats:
                        keys = keys._with_seat(seat, new)
                    keys = replace(keys, host=new or "") if host else keys
                case events.Ended() | events.Closed():
                    keys = keys._with_asking(None)
        return keys

    def _with_seat(self, seat: int, key: str | None) -> Keys:
        """Set the holder of a seat. Its invitation stays valid until a person has used it: a friend
        who arrives late can ask for the seat that a bot got meanwhile."""
        seats = tuple(key if n == seat else held for n, held in enumerate(self.seats))
        return replace(self, seats=seats)

    def _without_invitation(self, seat: int) -> Keys:
        held = self.invitations
        return replace(self, invitations=(*held[:seat], None, *held[seat + 1 :]))

    def _with_seats(self, count: int) -> Keys:
        """Add or remove seats at the end."""
        more = (None,) * (count - len(self.seats))
        return replace(
            self,
            seats=(*self.seats[:count], *more),
            invitations=(*self.invitations[:count], *more),
        )

    def _with_asking(self, key: str | None) -> Keys:
        return replace(self, asking=key)


@lru_cache(maxsize=4096)
def roles(keys: Keys, key: str) -> tuple[tuple[int, ...], bool]:
    """The seats of a hash, and whether it is the host's."""
    seats = tuple(seat for seat, held in enumerate(keys.seats) if _same(held, key))
    return seats, _same(keys.host, key)


def _same(held: str | None, key: str) -> bool:
    # Constant time, so that response times reveal nothing about a hash.
    return hmac.compare_digest((held or "").encode(), key.encode()) and held is not None
