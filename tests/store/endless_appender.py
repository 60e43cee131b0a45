"""A program for `test_kill`: appends until it is killed, and prints each acknowledgement."""

import asyncio
import sys
from pathlib import Path

from archipel.store.errors import Conflict
from archipel.store.sqlite.store import SqliteStore

TABLES = 3
WRITERS = 12


async def write(store: SqliteStore, round_number: int, writer: int) -> None:
    table_id = f"t{writer % TABLES}"
    expected_n = await store.last(table_id)
    move = 0
    while True:
        name = f"{round_number}/{writer}/{move}"
        try:
            answer = await store.append(
                table_id, expected_n, [name.encode()], name, private={f"of/{writer}": name.encode()}
            )
        except Conflict as conflict:
            expected_n = conflict.actual_n
            continue
        sys.stdout.write(f"{table_id} {answer.first_n} {name}\n")
        sys.stdout.flush()
        expected_n = answer.last_n
        move += 1


async def main(path: Path, round_number: int) -> None:
    store = await SqliteStore.open(path)
    known = {info.table_id for info in await store.tables()}
    for table in range(TABLES):
        if f"t{table}" not in known:
            await store.create_table(f"t{table}", b"")
    await asyncio.gather(*(write(store, round_number, writer) for writer in range(WRITERS)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
