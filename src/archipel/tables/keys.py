"""Tokens: whoever has one has the seat. Only their hashes are kept, and never in the log."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

import msgspec
from msgspec import Struct

Randomness = Callable[[int], bytes]
TOKEN_BYTES = 32


def new_token(randomness: Randomness, size: int = TOKEN_BYTES) -> str:
    return base64.urlsafe_b64encode(randomness(size)).rstrip(b"=").decode()


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Keys(Struct, frozen=True):
    """The hashes that open a table: its host's, each seat's, and each open seat's invitation."""

    host: str
    seats: tuple[str | None, ...]
    invitations: tuple[str | None, ...]
    #: Of somebody who would like to sit down, while the others are asked.
    asking: str | None = None

    def is_asking(self, key: str) -> bool:
        return _same(self.asking, key)

    def roles(self, key: str) -> tuple[tuple[int, ...], bool]:
        """The seats that a hash holds, and whether it hosts."""
        seats = tuple(seat for seat, held in enumerate(self.seats) if _same(held, key))
        return seats, _same(self.host, key)

    def invited(self, key: str) -> int | None:
        """The seat that an invitation is for."""
        found = [seat for seat, held in enumerate(self.invitations) if _same(held, key)]
        return found[0] if found else None

    def with_seat(self, seat: int, key: str | None) -> Keys:
        """Somebody sits down, or nobody sits there any more; the invitation is used up."""
        return Keys(
            self.host,
            tuple(key if n == seat else held for n, held in enumerate(self.seats)),
            tuple(None if n == seat else held for n, held in enumerate(self.invitations)),
            self.asking,
        )

    def with_asking(self, key: str | None) -> Keys:
        return Keys(self.host, self.seats, self.invitations, key)

    def encode(self) -> bytes:
        return msgspec.json.encode(self)


def decode_keys(body: bytes) -> Keys:
    return msgspec.json.decode(body, type=Keys)


def _same(held: str | None, key: str) -> bool:
    # In constant time, so that the time of an answer tells nothing about a hash.
    return hmac.compare_digest((held or "").encode(), key.encode()) and held is not None
