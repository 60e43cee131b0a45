"""Which of several workers a connection is for, from the first bytes of its first request.

What happens at a table is told by every worker that has listeners there: where all of them are at
one, there is less to do. Nothing depends on it, so whatever is not plainly the socket of a table is
for whoever has it already.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

#: How many bytes are looked at: the address of a table's socket fits, even if all is escaped.
ENOUGH_BYTES = 512

# Nothing is said of what follows the address, since it may not have come yet.
_REQUEST = re.compile(rb"GET (/[^ ?#\r\n]*)[ ?]")
_SOCKET = re.compile(rb"/api/tables/([A-Za-z0-9_-]{8,32})/socket")


def table_asked_for(first_bytes: bytes) -> str | None:
    """The table whose socket is asked for; None if it is something else, or cannot be told."""
    request = _REQUEST.match(first_bytes)
    if request is None:
        return None
    found = _SOCKET.fullmatch(unquote_to_bytes(request[1]))
    return None if found is None else found[1].decode()


def worker_of(table: str, workers: Iterable[int]) -> int:
    """The same one for everybody who knows of the same workers; if one of them is missing, only its
    own tables are for others."""
    return max(
        workers, key=lambda worker: hashlib.sha256(b"%d %s" % (worker, table.encode())).digest()
    )
