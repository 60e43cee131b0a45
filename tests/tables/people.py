"""Helpers: tables with people, a clock set by hand, repeatable randomness, simple bots."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec import structs

from archipel.store.protocol import EventStore
from archipel.tables import Participant, Settings, TableRefused, TableService, commands
from archipel.tables.bots.executor import BotAnswer, BotFailed, BotQuestion, checked
from archipel.tables.bots.players import choose_at_random
from archipel.tables.decisions import decide
from archipel.tables.decisions.context import Context
from archipel.tables.decisions.seating import join, open_table
from archipel.tables.log import events
from archipel.tables.log.fold import fold_all
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Problem, Refusal
from archipel.tables.publishing import payloads
from tests.support.memory_store import MemoryStore

BOTS = ("random", "greedy")
#: A busy machine must not look like overload.
QUICK = Settings(bot_delay=0, late=10**9, too_late=10**9)


class HandClock:
    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Repeatable:
    """Pseudo-random bytes that are equal in every run."""

    def __init__(self, seed: str = "") -> None:
        self.seed = seed
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.seed}/{self.count}".encode()).digest(size)


#: Game, bot, view of the seat to move, legal actions and seed, to the action that the bot chooses.
Choose = Callable[[str, str, Any, Sequence[int], int], int]


class FunctionBots:
    """Runs a function as the bots, on the event loop, so that every run is equal."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def start(self) -> None:
        pass

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        await asyncio.sleep(0)
        try:
            action = self._choose(asked.game, asked.bot, asked.view, asked.legal, asked.seed)
        except Exception as error:
            raise BotFailed(repr(error)) from error
        return checked(BotAnswer(action, asked.bot), asked)

    async def stop(self) -> None:
        pass


def choose_seeded(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
    return choose_at_random(legal, seed)


def make_service(
    store: EventStore | None = None,
    *,
    clock: HandClock | None = None,
    settings: Settings = QUICK,
    seed: str = "",
    choose: Choose = choose_seeded,
    **given: Any,
) -> TableService:
    return TableService(
        store or MemoryStore(),
        clock=clock or HandClock(),
        randomness=Repeatable(seed),
        settings=settings,
        **{"bot_executor": FunctionBots(choose), "bots_of": lambda game: BOTS, **given},
    )


@asynccontextmanager
async def running(service: TableService) -> AsyncIterator[TableService]:
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


async def settle(service: TableService) -> None:
    """Wait until no bot has anything to do."""
    while True:
        await asyncio.sleep(0)
        if not service.statistics()["bots_thinking"]:
            return


async def refusal(call: Awaitable[object]) -> Problem:
    try:
        await call
    except TableRefused as refused:
        return refused.problem
    raise AssertionError("it was not refused")


class Friends:
    """A table with people in its first seats, each with their token."""

    def __init__(self, service: TableService, table: str, tokens: list[str]) -> None:
        self.service = service
        self.table = table
        self.tokens = tokens
        self.who: list[Participant] = []
        self.asked = 0

    @classmethod
    async def gather(
        cls,
        service: TableService,
        people: int = 2,
        bots: int = 0,
        *,
        game: str = "secret-cards",
        begin: bool = True,
        **given: Any,
    ) -> Friends:
        seats = [commands.SeatWish()] * people + [commands.SeatWish("random")] * bots
        made = await service.create(commands.NewTable(game, seats, "P0", **given))
        friends = cls(service, made.table, [made.token])
        for number in range(1, people):
            seated = await service.join(made.table, commands.Join(f"P{number}", seat=number))
            friends.tokens.append(seated.token)
        friends.who = [await service.identify(made.table, token) for token in friends.tokens]
        if begin:
            await friends.ask(0, commands.Begin("r"))
        return friends

    async def ask(
        self, person: int, command: commands.Command, request: str | None = None, **given: Any
    ) -> payloads.Accepted:
        """Send a command under an id of its own; ``given`` are further fields of the command."""
        self.asked += 1
        named = structs.replace(command, id=request or f"r{self.asked}", **given)
        return await self.service.command(self.who[person], named)

    async def play(self, person: int, action: int) -> payloads.Accepted:
        return await self.ask(person, commands.Play("r", await self.last(), action))

    async def last(self) -> int:
        position = await self.service.position(self.who[0])
        return 0 if position is None else position.n

    async def view(self, person: int) -> payloads.Position:
        position = await self.service.position(self.who[person])
        assert position is not None
        return position

    async def finish(self) -> None:
        """Play the last choice of each seat to move, to the end."""
        while (await self.service.table(self.table)).stage == "playing":
            await settle(self.service)
            mover = (await self.view(0)).to_move
            if mover is not None and mover < len(self.who):
                choices = (await self.view(mover)).scene.choices
                if choices:
                    await self.play(mover, choices[-1].action)
            await asyncio.sleep(0)


# ---- without a service --------------------------------------------------------------------------


class Bare:
    """A table and the pure functions over it, for tests of decisions."""

    def __init__(
        self, people: int, bots: int = 0, game: str = "secret-cards", **given: Any
    ) -> None:
        self.context = Context(1000, bytes(range(32)), BOTS)
        seats = [commands.SeatWish()] * people + [commands.SeatWish("random")] * bots
        new = commands.NewTable(game, seats, "P0", **given)
        self.log = open_table("table-of-tests", new, self.context)
        self.who = [
            Participant("table-of-tests", (seat,), seat == 0, key=f"k{seat}") for seat in range(6)
        ]
        if new.hot_seat:
            self.who = [Participant("table-of-tests", tuple(range(people)), True, key="k")]
            return
        for seat in range(1, people):
            self.log += join(self.table, commands.Join(f"P{seat}"), None)

    @property
    def table(self) -> TableState:
        return fold_all(events.Entry(self.context.now, event) for event in self.log)

    def at(self, now: int) -> None:
        self.context = structs.replace(self.context, now=now)

    def do(
        self, person: int, command: commands.Command, seat: int | None = None
    ) -> list[events.Event] | Problem:
        """The events of a command, which are added to the log, or the refusal."""
        table = self.table
        before = msgspec.json.encode([events.Entry(0, event) for event in self.log])
        if seat is not None:
            command = structs.replace(command, seat=seat)
        decided: list[events.Event] | Problem
        try:
            decision = decide(table, command, who := self.who[person], self.context)
            decided = [entry.event for entry in decision.entries]
        except Refusal as refusal:
            decided = refusal.say(who.language)
        assert table == self.table, "a decision changed the table"
        assert before == msgspec.json.encode([events.Entry(0, event) for event in self.log])
        if not isinstance(decided, Problem):
            self.log += decided
        return decided

    def code(self, person: int, command: commands.Command, seat: int | None = None) -> str:
        problem = self.do(person, command, seat)
        assert isinstance(problem, Problem), problem
        return problem.code

    def play(self, person: int, action: int) -> list[events.Event]:
        decided = self.do(person, commands.Play("r", self.table.n, action))
        assert not isinstance(decided, Problem), decided
        return decided
