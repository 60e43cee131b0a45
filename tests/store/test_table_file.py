"""Tables go from one store to another as a file; damaged files are refused whole."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
import pytest

from archipel.store.errors import TableExists
from archipel.store.protocol import Outlook
from archipel.store.table_file import BadTableFile, read_table_file, write_table_file
from archipel.tab.browser_store import BrowserStore
from tests.store.key_values import MemoryKeyValues

TABLE, OTHER = "table-1", "table-2"


async def filled() -> BrowserStore:
    store = await BrowserStore.open(MemoryKeyValues({}))
    await store.create_table(TABLE, b"header", private={"secret": b"hidden"})
    await store.append(TABLE, 0, [b"one", b"two"], "request-1", outlook=Outlook(b"line", True))
    await store.append(TABLE, 2, [b"three"])
    await store.create_table(OTHER, b"other")
    await store.archive(OTHER)
    return store


async def test_a_file_has_everything_of_all_tables() -> None:
    before = await filled()
    after = await BrowserStore.open(MemoryKeyValues({}))
    file = write_table_file(await before.copies())
    for copy in read_table_file(file).tables:
        await after.add(copy)
    assert write_table_file(await after.copies()) == file
    assert await after.read(TABLE) == await before.read(TABLE)
    assert await after.get_private(TABLE, "secret") == b"hidden"
    repeated = await after.append(TABLE, 0, [b"one", b"two"], "request-1")
    assert repeated.repeated
    for copy in read_table_file(file).tables:
        with pytest.raises(TableExists):
            await after.add(copy)


def changed(file: bytes, change: Any) -> bytes:
    content = msgspec.msgpack.decode(gzip.decompress(file))
    change(content)
    return gzip.compress(msgspec.msgpack.encode(content))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda content: content.update(version=2), "damaged"),
        (lambda content: content.update(file="another"), "damaged"),
        (lambda content: content["tables"][0][1]["event"].pop(0), "lacks events"),
        (lambda content: content["tables"][0][1]["header"].clear(), "another table"),
        (lambda content: content["tables"].append(content["tables"][0]), "the same table twice"),
        (lambda content: content["tables"][0][1]["request"][0].__setitem__(3, 9), "without its"),
        (lambda content: content["tables"][0][1]["event"][0].__setitem__(0, OTHER), "of another"),
    ],
)
async def test_a_file_that_no_store_wrote_is_refused(change: Any, reason: str) -> None:
    file = write_table_file(await (await filled()).copies())
    with pytest.raises(BadTableFile, match=reason):
        read_table_file(changed(file, change))


async def test_a_cut_or_foreign_file_is_refused() -> None:
    file = write_table_file(await (await filled()).copies())
    for data in (b"", b"no tables", file[: len(file) // 2]):
        with pytest.raises(BadTableFile):
            read_table_file(data)
