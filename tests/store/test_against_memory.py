"""Random sequences of calls and restarts: SQLite returns the same answers as memory."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from archipel.store.errors import StoreError
from archipel.store.protocol import EventStore, Outlook
from tests.store.subjects import memory_subject, sqlite_subject

TABLE_IDS = st.sampled_from(["a", "b", "c"])
KEYS = st.sampled_from(["secret", "seat/0"])
BODIES = st.binary(max_size=8)
OUTLOOKS = st.none() | st.builds(Outlook, st.none() | BODIES, st.booleans())
PRIVATE = st.none() | st.dictionaries(KEYS, BODIES, max_size=2)


async def outcome(call: Awaitable[object]) -> object:
    try:
        return await call
    except StoreError as error:
        return type(error), str(error)


class SameAnswers(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.memory = memory_subject()
        self.sqlite = sqlite_subject(Path(self.folder.name))
        self.sqlite.clock = self.memory.clock
        self.runner = asyncio.Runner()
        self.expected = self.runner.run(self.memory.open())
        self.tested = self.runner.run(self.sqlite.open())

    def teardown(self) -> None:
        self.runner.run(self.tested.close())
        self.runner.close()
        self.folder.cleanup()

    def compare(self, call: Callable[[EventStore], Awaitable[object]]) -> None:
        expected = self.runner.run(outcome(call(self.expected)))
        assert self.runner.run(outcome(call(self.tested))) == expected

    @rule(step=st.integers(-5, 5))
    def clock_moves(self, step: int) -> None:
        self.memory.clock.now += step

    @rule()
    def restart(self) -> None:
        self.tested = self.runner.run(self.sqlite.reopen(self.tested))

    @rule(table_id=TABLE_IDS, header=BODIES, private=PRIVATE)
    def create_table(self, table_id: str, header: bytes, private: dict[str, bytes] | None) -> None:
        self.compare(lambda store: store.create_table(table_id, header, private=private))

    @rule(
        table_id=TABLE_IDS,
        off_by=st.sampled_from([0, 0, 0, 0, -1, 1]),
        events=st.lists(BODIES, min_size=1, max_size=3),
        request_id=st.none() | st.sampled_from(["r1", "r2", "r3"]),
        private=PRIVATE,
        outlook=OUTLOOKS,
    )
    def append(
        self,
        table_id: str,
        off_by: int,
        events: list[bytes],
        request_id: str | None,
        private: dict[str, bytes] | None,
        outlook: Outlook | None,
    ) -> None:
        last = self.runner.run(outcome(self.expected.last(table_id)))
        expected_n = max(0, last + off_by) if isinstance(last, int) else 0
        self.compare(
            lambda store: store.append(
                table_id, expected_n, events, request_id, private=private, outlook=outlook
            )
        )
        self.compare(lambda store: store.listed(2))
        self.compare(lambda store: store.awake("a"))

    @rule(table_id=TABLE_IDS, after=st.integers(0, 6), limit=st.integers(1, 4))
    def read(self, table_id: str, after: int, limit: int) -> None:
        self.compare(lambda store: store.read(table_id, after, limit))
        self.compare(lambda store: store.read(table_id))
        self.compare(lambda store: store.last(table_id))
        self.compare(lambda store: store.header(table_id))

    @rule(
        archived=st.none() | st.booleans(),
        before=st.none() | st.tuples(st.integers(980, 1020), st.just("") | TABLE_IDS),
        limit=st.integers(1, 4),
    )
    def tables(self, archived: bool | None, before: tuple[int, str] | None, limit: int) -> None:
        self.compare(lambda store: store.tables(archived=archived, before=before, limit=limit))

    @rule(table_id=TABLE_IDS)
    def archive(self, table_id: str) -> None:
        self.compare(lambda store: store.archive(table_id))

    @rule(table_id=TABLE_IDS)
    def unarchive(self, table_id: str) -> None:
        self.compare(lambda store: store.unarchive(table_id))

    @rule(table_id=TABLE_IDS)
    def delete(self, table_id: str) -> None:
        self.compare(lambda store: store.delete(table_id))

    @rule(table_id=TABLE_IDS, key=KEYS, value=BODIES)
    def put_private(self, table_id: str, key: str, value: bytes) -> None:
        self.compare(lambda store: store.put_private(table_id, key, value))

    @rule(table_id=TABLE_IDS, key=KEYS)
    def get_private(self, table_id: str, key: str) -> None:
        self.compare(lambda store: store.get_private(table_id, key))


TestSameAnswers = SameAnswers.TestCase
TestSameAnswers.settings = settings(max_examples=40, stateful_step_count=40)
