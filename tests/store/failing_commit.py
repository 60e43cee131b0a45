"""A program for `test_full_disk`: the write-ahead log reaches a size limit during a commit."""

import asyncio
import resource
import sys
from pathlib import Path

from archipel.store.sqlite.store import SqliteStore
from tests.store.test_group_commit import submitted, writer_blocked

EVENTS = 5


async def main(path: Path) -> None:
    store = await SqliteStore.open(path)
    await store.create_table("t", b"")
    log = path.with_name(path.name + "-wal")
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with writer_blocked(store):
        appends = [
            asyncio.create_task(store.append("t", n, [b"%05d" % n + b"x" * 20_000], str(n)))
            for n in range(EVENTS)
        ]
        await submitted()
        resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 10_000, hard))
    for answer in await asyncio.gather(*appends, return_exceptions=True):
        print(type(answer).__name__)
    assert await store.last("t") == 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    for n in range(EVENTS):
        appended = await store.append("t", n, [b"%05d" % n + b"x" * 20_000], str(n))
        assert not appended.repeated
    print(await store.last("t"))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
