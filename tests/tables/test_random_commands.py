"""Random commands from anybody at any time: the log has no gaps and replays to the same table.

After every request: an accepted one is in the log under the number it was answered with; a refused
one left log and state as they were; and folding the log gives the very table that is in memory.
"""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from msgspec import structs

from archipel.chaos.following import Following
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Participant, TableRefused, commands
from archipel.tables.commands import Clock, Join, NewTable, SeatWish
from archipel.tables.log import events
from archipel.tables.log.fair_chance import seal_of
from archipel.tables.log.fold import fold_all
from archipel.tables.log.table_state import TableState
from archipel.tables.publishing import payloads
from tests.support.memory_store import MemoryStore
from tests.tables.people import QUICK, HandClock, Repeatable, make_service, settle
from tests.tables.secret_cards import secret_cards_registered

PEOPLE = st.integers(0, 5)
SEATS = st.integers(-1, 3)
REQUESTS = st.integers(0, 40)
OFF_BY = st.sampled_from([0, 0, 0, 0, -1, 1, -3])

COMMANDS: st.SearchStrategy[Any] = st.one_of(
    st.builds(
        commands.SetSeat, st.just("r"), SEATS, st.sampled_from([None, "random", "greedy", "nobody"])
    ),
    st.builds(
        commands.SetOptions, st.just("r"), st.sampled_from([{"colour": "green"}, {"size": 1}, {}])
    ),
    st.builds(
        commands.SetOptions,
        st.just("r"),
        clock=st.sampled_from([None, Clock(), Clock("live", 60, 5), Clock("live")]),
        seats=st.sampled_from([None, 2, 3, 4, 9]),
    ),
    st.builds(
        commands.SealNonce, st.just("r"), st.sampled_from([seal_of("abc"), seal_of("d"), "", "n o"])
    ),
    st.builds(commands.OpenNonce, st.just("r"), st.sampled_from(["abc", "d", "", "n o"])),
    st.just(commands.Begin("r")),
    st.builds(commands.Say, st.just("r"), st.sampled_from(["hello", "oops"])),
    st.builds(commands.Write, st.just("r"), st.sampled_from(["Ahoy!", "\x00", "x" * 241])),
    st.builds(commands.AllowChat, st.just("r"), st.booleans()),
    st.just(commands.Resign("r")),
    st.just(commands.AskForHints("r")),
    st.builds(commands.HandOver, st.just("r"), SEATS),
    st.just(commands.ComeBack("r")),
    st.just(commands.Rematch("r")),
    st.builds(commands.PlayOn, st.just("r"), st.integers(0, 30)),
    st.sampled_from([commands.Say("r", "bye"), commands.CloseTable("r")]),
)


def as_json(message: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))


class AnythingGoes(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.registered = secret_cards_registered()
        self.registered.__enter__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.clock = HandClock()
        self.randomness = Repeatable("anything")
        self.store: EventStore
        self.tokens: list[str | None] = [None, "w" * 43]
        self.answers: dict[tuple[int, str], payloads.Accepted] = {}
        self.heard = 0

    @initialize(durable=st.booleans(), clock=st.sampled_from(["none", "live", "days"]))
    def gather(self, durable: bool, clock: Any) -> None:
        path = Path(self.folder.name) / "tables.db"
        self.path = path if durable else None
        self.store = self.run(SqliteStore.open(path)) if durable else MemoryStore()
        self.service = self.make_service()
        new = NewTable(
            "secret-cards",
            [SeatWish(), SeatWish(), SeatWish("random")],
            "Ana",
            clock=Clock(clock, 0 if clock == "none" else 60, 0),
        )
        made = self.run(self.service.create(new))
        self.table_id = made.table
        self.tokens.append(made.token)
        self.listen()

    def make_service(self) -> Any:
        made = make_service(self.store, clock=self.clock, settings=replace(QUICK, away=1000))
        made._registry.randomness = self.randomness
        return made

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    def listen(self) -> None:
        who = self.run(self.service.identify(self.table_id, None))
        self.subscription = self.run(self.service.subscribe(who))
        self.heard = self.subscription.welcome.n
        self.following = Following()
        self.following.hear(as_json(self.subscription.welcome))

    def teardown(self) -> None:
        if hasattr(self, "service"):
            self.run(self.service.stop())
            self.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()
        self.registered.__exit__(None, None, None)

    # ---- stored events and known states ----------------------------------------------------------

    def stored(self) -> list[bytes]:
        found: list[Any] = self.run(self.store.read(self.table_id))
        assert [event.n for event in found] == list(range(1, len(found) + 1))
        return [event.body for event in found]

    def known(self) -> TableState:
        table: TableState = self.service._live_tables[self.table_id].table
        return table

    def check(self) -> None:
        self.run(settle(self.service))
        bodies = self.stored()
        entries = [events.decode(n, body) for n, body in enumerate(bodies, 1)]
        assert fold_all(entries) == self.known()
        waiting = self.subscription._waiting
        while waiting:
            item = waiting.popleft().message
            self.following.hear(as_json(item))
            if isinstance(item, payloads.Update):
                assert item.n > self.heard
                self.heard = item.n
        assert self.heard == len(bodies)
        self.check_followed()

    def check_followed(self) -> None:
        """Check that applied differences equal the welcome of a new subscriber."""
        newcomer = self.run(self.service.subscribe(self.subscription.who))
        whole = as_json(newcomer.welcome)
        newcomer.close()
        assert self.following.position == whole["position"]
        for table in (self.following.table, whole["table"]):
            for seat in table["seats"]:  # these change with time
                seat.pop("clock_ms", None)
                seat.pop("absent_for", None)
        assert self.following.table == whole["table"]

    def request(self, person: int, command: Any, number: int, seat: int | None = None) -> None:
        self.run(settle(self.service))
        before, state = self.stored(), self.known()
        command = structs.replace(command, id=(request := f"r{number}"))
        if seat is not None and getattr(command, "seat", seat) is None:
            command = structs.replace(command, seat=seat)
        token = self.tokens[person % len(self.tokens)]
        try:
            who: Participant = self.run(self.service.identify(self.table_id, token))
            accepted = self.run(self.service.command(who, command))
        except TableRefused as refused:
            self.check_refused(refused, before, state)
        else:
            assert 1 <= accepted.n <= len(self.stored())
            first = self.answers.setdefault((person % len(self.tokens), request), accepted)
            assert accepted.n == first.n
            assert accepted.repeated == (first is not accepted) or accepted.table is not None
        self.check()

    def check_refused(self, refused: TableRefused, before: list[bytes], state: TableState) -> None:
        assert refused.problem.message
        added = self.stored()[len(before) :]
        # Events demanded by the clock are due whether or not the request is accepted.
        due = (b"clock_flagged", b"handed_over", b"draw_voided")
        assert all(any(kind in body for kind in due) for body in added[:2])
        if not added:
            assert self.known() == state

    # ---- commands --------------------------------------------------------------------------------

    @rule(person=PEOPLE, command=COMMANDS, number=REQUESTS, seat=st.none() | SEATS)
    def ask(self, person: int, command: Any, number: int, seat: int | None) -> None:
        self.request(person, command, number, seat)

    @rule(
        person=PEOPLE,
        action=st.sampled_from([0, 0, 1, 1, 2, 3, 4, 9]),
        number=REQUESTS,
        off_by=OFF_BY,
    )
    def play(self, person: int, action: int, number: int, off_by: int) -> None:
        self.request(person, commands.Play("r", self.known().n + off_by, action), number)

    @rule(person=PEOPLE, number=REQUESTS, off_by=OFF_BY)
    def take_back(self, person: int, number: int, off_by: int) -> None:
        self.request(person, commands.TakeBack("r", self.known().n + off_by), number)

    @rule(person=PEOPLE, number=REQUESTS, agree=st.booleans(), off_by=OFF_BY)
    def answer(self, person: int, number: int, agree: bool, off_by: int) -> None:
        self.request(person, commands.AgreeToTakeBack("r", self.known().n + off_by, agree), number)

    @rule(person=PEOPLE, number=REQUESTS, agree=st.booleans(), off_by=OFF_BY)
    def consent(self, person: int, number: int, agree: bool, off_by: int) -> None:
        self.request(person, commands.AnswerProposal("r", self.known().n + off_by, agree), number)

    @rule(person=PEOPLE)
    def come_and_stay(self, person: int) -> None:
        token = self.tokens[person % len(self.tokens)]
        try:
            self.service.arrived(self.run(self.service.identify(self.table_id, token)))
        except TableRefused:
            return
        self.check()

    @rule(seat=st.none() | SEATS, name=st.sampled_from(["Bo", "Cy", "Di", ""]))
    def join(self, seat: int | None, name: str) -> None:
        before = self.stored()
        try:
            seated = self.run(self.service.join(self.table_id, Join(name, seat=seat)))
        except TableRefused:
            assert self.stored() == before
        else:
            self.tokens.append(seated.token)
        self.check()

    @rule(person=PEOPLE)
    def come_and_go(self, person: int) -> None:
        token = self.tokens[person % len(self.tokens)]
        try:
            who = self.run(self.service.identify(self.table_id, token))
        except TableRefused:
            return
        self.service.arrived(who)
        self.service.departed(who)
        self.check()

    @rule(step=st.sampled_from([1, 999, 1000, 30_000, 61_000, -5]))
    def time_passes(self, step: int) -> None:
        self.clock.now += step
        self.run(self.service.tick())
        self.check()

    @rule()
    def restart(self) -> None:
        self.run(self.service.stop())
        if self.path is not None:
            self.run(self.store.close())
            self.store = self.run(SqliteStore.open(self.path))
        before = len(self.stored())
        self.service = self.make_service()
        self.listen()
        added = self.stored()[before:]
        assert all(b"clocks_restarted" in body for body in added[:1])
        self.check()


TestAnythingGoes = AnythingGoes.TestCase
TestAnythingGoes.settings = settings(max_examples=25, stateful_step_count=40)
