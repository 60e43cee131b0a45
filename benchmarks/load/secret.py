"""The secrets of tables whose games are known beforehand."""

from __future__ import annotations

import hashlib


def secret_number(number: int) -> bytes:
    """The secret of the table of that number."""
    return hashlib.sha256(b"table %d" % number).digest()
