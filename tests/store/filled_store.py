"""A store with every kind of content, for tests that copy stores."""

from archipel.store.protocol import EventStore, Outlook


async def fill(store: EventStore) -> None:
    every_byte = bytes(range(256))
    await store.create_table("made-only", b"header")
    await store.create_table("Played_1", every_byte, private={"secret": every_byte, "keys": b""})
    await store.append(
        "Played_1", 0, [b"a", b"", every_byte], "request~1", outlook=Outlook(b"line", awake=True)
    )
    await store.append("Played_1", 3, [b"d"], private={"keys": b"new"})
    await store.create_table("old", b"")
    await store.append("old", 0, [b"%d" % n for n in range(120)], "r")
    await store.append("old", 120, [b"last"], outlook=Outlook())
    await store.archive("old")
    for number in range(120):  # more than one page
        await store.create_table(f"one-of-many-{number}", b"%d" % number)


async def content(store: EventStore) -> list[object]:
    """All content of a store except requests."""
    found: list[object] = [await store.listed(), await store.awake()]
    for info in await store.tables(archived=None, limit=1000):
        found += [info, await store.header(info.table_id), await store.read(info.table_id)]
        found += [await store.get_private(info.table_id, key) for key in ("secret", "keys")]
    return found
