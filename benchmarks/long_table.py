"""What an event costs at a long table: the 10,000th against the 100th, in one run.

    python -m benchmarks.long_table

One person plays and takes back, over and over, at a table with a spectator; nothing is measured but
processor time.  Ends with 1 if an event costs more than 1.2 times as much late as early.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Participant, Settings, TableService
from archipel.tables.commands import NewTable, Play, SeatWish, TakeBack
from benchmarks.arguments import parser_of

GAME = "the-island"
EARLY = 100
LATE = 10_000
#: Events in one measurement, and measurements around each of the two moments.
WINDOW = 20
MEASUREMENTS = 9
MOST = 1.2


class LongTable:
    def __init__(self, service: TableService, who: Participant) -> None:
        self._service = service
        self._who = who
        self.n = 0

    async def play_and_take_back(self) -> None:
        play = Play(f"r{self.n}", self.n, self._action)
        for command in (play, TakeBack(f"r{self.n + 1}", self.n + 1)):
            self.n = (await self._service.command(self._who, command)).n

    async def begin(self) -> None:
        seen = await self._service.position(self._who)
        assert seen is not None
        seen = await self._service.position(self._who, seat=seen.to_move)
        assert seen is not None
        self.n, self._action = seen.n, seen.scene.choices[0].action

    async def reach(self, n: int) -> None:
        while self.n < n:
            await self.play_and_take_back()

    async def cost(self) -> float:
        """Milliseconds of processor time per event, the middle one of some measurements."""
        found = []
        for _ in range(MEASUREMENTS):
            begun, first = time.process_time(), self.n
            await self.reach(self.n + WINDOW)
            found.append(1000 * (time.process_time() - begun) / (self.n - first))
        return statistics.median(found)


async def measure(folder: Path) -> tuple[float, float, int]:
    """The cost of an event early and late, and the size of a spectator's hello at the end."""
    store = await SqliteStore.open(folder / "tables.db")
    settings = Settings(take_backs=LATE, events=3 * LATE, queue=3 * LATE)
    service = TableService(store, settings=settings)
    try:
        wish = NewTable(GAME, [SeatWish(), SeatWish()], "Ana", names=["Ana", "Ben"], hot_seat=True)
        made = await service.create(msgspec.structs.replace(wish, begin=True))
        spectator = await service.subscribe(Participant(made.table))
        table = LongTable(service, await service.identify(made.table, made.token))
        await table.begin()
        await table.reach(EARLY - WINDOW * MEASUREMENTS // 2)
        early = await table.cost()
        await table.reach(LATE - WINDOW * MEASUREMENTS // 2)
        late = await table.cost()
        spectator.close()
        hello = (await service.subscribe(Participant(made.table))).welcome
        return early, late, len(msgspec.json.encode(hello))
    finally:
        await service.stop()
        await store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser_of("long_table", __doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        early, late, hello = asyncio.run(measure(Path(folder)))
    print(f"an event around the {EARLY}th: {early:.2f} ms of processor time")
    print(f"an event around the {LATE:,}th: {late:.2f} ms, {late / early:.2f} times as much")
    print(f"a spectator's hello at the end: {hello / 1000:.0f} kB")
    reached = late <= MOST * early
    print(f"{'reached' if reached else 'MISSED'}: at most {MOST} times as much")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
