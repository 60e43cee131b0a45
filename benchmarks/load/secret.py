"""Secrets of the tables of recorded games."""

from __future__ import annotations

import hashlib


def secret_number(number: int) -> bytes:
    """The secret of table ``number``."""
    return hashlib.sha256(b"table %d" % number).digest()
