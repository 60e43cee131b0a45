"""Whole tables as one file: to take them from a browser to a server, and back.

The file is MessagePack, compressed by gzip. It contains the secrets of the games and the hashes of
the players' tokens, like a backup.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import Struct

from archipel.store.errors import Refused
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.protocol import Outlook
from archipel.store.table_copy import TableCopy

#: The size limit of the decompressed content.
LARGEST = 256 * 1024 * 1024
_GZIP = 16 + zlib.MAX_WBITS


class BadTableFile(Refused):
    """The file is no file of tables, is damaged, or is of a newer version."""


class _Rows(Struct, frozen=True, forbid_unknown_fields=True):
    header: list[tuple[str, bytes]]
    event: list[tuple[str, int, int, bytes]]
    request: list[tuple[str, str, int, int]]
    private: list[tuple[str, str, bytes]]


class _Table(Struct, frozen=True, array_like=True):
    row: tuple[str, int, int, bool, bytes | None, bool]
    rows: _Rows


class _Content(Struct, frozen=True, tag="archipel tables", tag_field="file"):
    tables: list[_Table]
    version: Literal[1] = 1
    kept: str = ""


@dataclass(frozen=True)
class TableFile:
    """``kept``: what a browser remembers of its tables, with the secrets of its seats, as JSON."""

    tables: list[TableCopy]
    kept: str


def write_table_file(tables: Sequence[TableCopy], kept: str = "") -> bytes:
    copies = [_Table(table.row, _Rows(**table.rows)) for table in tables]
    content = _Content(copies, kept=kept)
    packer = zlib.compressobj(6, wbits=_GZIP)
    return packer.compress(msgspec.msgpack.encode(content)) + packer.flush()


def read_table_file(data: bytes, *, largest: int = LARGEST) -> TableFile:
    """The content of a file of at most ``largest`` bytes, checked; raises `BadTableFile`."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        packed = unpacker.decompress(data, largest)
        if unpacker.unconsumed_tail:
            raise BadTableFile("the file of tables is too large")
        content = msgspec.msgpack.decode(packed, type=_Content)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise BadTableFile(f"this is no file of tables, or it is damaged: {error}") from None
    for table in content.tables:
        _check(table)
    ids = [table.row[0] for table in content.tables]
    if len(set(ids)) < len(ids):
        raise BadTableFile("the file has the same table twice")
    copies = [
        TableCopy(table.row, {name: getattr(table.rows, name) for name in _Rows.__struct_fields__})
        for table in content.tables
    ]
    return TableFile(copies, content.kept)


def _check(table: _Table) -> None:
    """Raises `BadTableFile` unless a store could have written the table."""
    table_id, rows, limits = table.row[0], table.rows, Limits()
    try:
        check_table_id(table_id)
        parts: list[Sequence[tuple[Any, ...]]] = [
            rows.header,
            rows.event,
            rows.request,
            rows.private,
        ]
        if any(row[0] != table_id for part in parts for row in part) or len(rows.header) != 1:
            raise BadTableFile(f"table {table_id!r} has rows of another table")
        if [n for _, n, _, _ in rows.event] != list(range(1, len(rows.event) + 1)):
            raise BadTableFile(f"table {table_id!r} lacks events")
        limits.check_create(table_id, rows.header[0][1], None)
        limits.check_outlook(Outlook(table.row[4], table.row[5]))
        for _, _, _, body in rows.event:
            limits.check_append(table_id, 0, [body], None, None)
        for _, request_id, first, last in rows.request:
            limits.check_append(table_id, 0, [b""], request_id, None)
            if not 1 <= first <= last <= len(rows.event):
                raise BadTableFile(f"table {table_id!r} has a request without its events")
        for _, key, value in rows.private:
            check_private_key(key)
            limits.check_private({key: value})
    except BadTableFile:
        raise
    except Refused as error:
        raise BadTableFile(f"table {table_id!r}: {error}") from None
