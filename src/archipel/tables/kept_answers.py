"""Answers to making and joining a table that every worker can give again.

Such an answer holds the secret of a seat. It is kept beside the table, with the event it answers
for, in a form that only who asks the same again can read: what was asked for, with an id that its
sender made up, is the key.
"""

from __future__ import annotations

import hashlib

import msgspec

from archipel.tables.commands import Join, NewTable
from archipel.tables.keys import new_token
from archipel.tables.shown import Seated

_TABLE_ID_BYTES = 12


class Wish:
    """Something that was asked for with an id of its own."""

    def __init__(self, table_id: str, wish: NewTable | Join) -> None:
        self._asked = f"{table_id}\0".encode() + msgspec.json.encode(wish)
        #: Under which name the answer is kept.
        self.name = "answer/" + hashlib.sha256(self._asked).hexdigest()[:40]

    @property
    def table_id(self) -> str:
        """Of the table that comes of it, whoever makes it: the same every time."""
        return new_token(lambda size: self._bytes(b"table", size), _TABLE_ID_BYTES)

    def seal(self, answer: Seated) -> bytes:
        return self._crossed(msgspec.json.encode(answer))

    def open(self, sealed: bytes) -> Seated:
        return msgspec.json.decode(self._crossed(sealed), type=Seated)

    def _crossed(self, text: bytes) -> bytes:
        """Once hides it, twice shows it; each wish has one answer, so no pad is used twice."""
        pad = self._bytes(b"answer", len(text))
        return bytes(one ^ other for one, other in zip(text, pad, strict=True))

    def _bytes(self, purpose: bytes, size: int) -> bytes:
        return hashlib.shake_256(purpose + b"\0" + self._asked).digest(size)
