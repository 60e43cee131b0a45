"""A chaos test: players at several tables while servers fail, then a verdict on every table."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from archipel.chaos.checker import Violation, violations
from archipel.chaos.history import Answer, Call, History
from archipel.chaos.player import Gone, Player
from archipel.chaos.sockets import WebSocket, ask_once, post
from archipel.store.protocol import Event

#: Reads the logs of tables: those of one moment.
ReadLogs = Callable[[Sequence[str]], Awaitable[dict[str, list[Event]]]]

#: Of the game's seats: two people and a bot.
SEATS: tuple[dict[str, str], ...] = ({}, {}, {"bot": "random"})
#: Acknowledgements between two faults.
WORK = 6
#: Longest silence of a server before a player reconnects, in seconds.
PATIENCE = 6.0
#: Longest time without an acknowledgement.
RECOVERY = 300.0
#: Longest time, at the end, until every player has seen everything.
SETTLING = 300.0


class Unrecovered(Exception):
    """The servers do not answer any more."""


@dataclass(frozen=True)
class Fault:
    """``strike`` returns when the fault is over, or the server starts again."""

    name: str
    strike: Callable[[], None]


@dataclass
class Table:
    id: str
    players: list[Player]
    tasks: list[asyncio.Task[None]]
    is_settled: bool = False

    @property
    def is_over(self) -> bool:
        return all(player.is_over for player in self.players)

    @property
    def is_equal(self) -> bool:
        """Whether all players know the same events and wait for no answer."""
        known = {player.n for player in self.players}
        return len(known) == 1 and not any(player.is_waiting for player in self.players)


@dataclass
class Campaign:
    """``servers`` are the addresses to play at: ``http://host:port``."""

    servers: Sequence[str]
    faults: Sequence[Fault]
    read_logs: ReadLogs
    tables: int = 3
    seed: int = 0
    #: Mean pause between two commands of a player, in seconds.
    pace: float = 0.2
    history: History = field(default_factory=History)
    struck: Counter[str] = field(default_factory=Counter)
    logs: dict[str, list[Event]] = field(default_factory=dict)
    _all: list[Table] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    async def run(self, faults: int, on_fault: Callable[[int], None]) -> list[Violation]:
        """Strike ``faults`` times, each kind in turn; returns all violations.

        Raises `Unrecovered` if nobody can play for five minutes.
        """
        try:
            for number in range(faults + 1):
                await self._open_tables()
                await self._await_work()
                on_fault(number)
                if number < faults:
                    fault = self.faults[number % len(self.faults)]
                    self.struck[fault.name] += 1
                    await asyncio.to_thread(fault.strike)
            await self._settle_all()
        finally:
            for table in self._all:
                for task in table.tasks:
                    task.cancel()
        found = []
        for table_id, log in self.logs.items():
            found += violations(table_id, log, self.history)
        return found

    @property
    def acknowledged(self) -> int:
        return sum(call.done is not None for call in self.history.calls)

    # ---- tables ---------------------------------------------------------------------------------

    async def _open_tables(self) -> None:
        """Let games that are over rest, and begin others."""
        for table in self._all:
            if not table.is_settled and table.is_over and table.is_equal:
                self._settle(table)
        playing = sum(not table.is_over for table in self._all)
        for _ in range(self.tables - playing):
            await self._open_table()

    async def _open_table(self) -> None:
        new: dict[str, object] = {"game": "deep-sea", "seats": SEATS, "my_name": "Ana"}
        made = await self._post("/api/tables", new)
        table_id = made["table"]
        joined = await self._post(f"/api/tables/{table_id}/join", {"name": "Ben"})
        await self._begin(table_id, made["token"])
        name = f"t{len(self._all)}"
        players = [
            self._player(f"{name}-p{number}", table_id, token)
            for number, token in enumerate((made["token"], joined["token"], None))
        ]
        tasks = [asyncio.create_task(player.run()) for player in players]
        self._all.append(Table(table_id, players, tasks))

    def _player(self, name: str, table_id: str, token: str | None) -> Player:
        async def connect() -> WebSocket:
            return await WebSocket.open(self._server(), table_id, PATIENCE)

        return Player(
            name,
            table_id,
            token,
            connect,
            chance=random.Random(f"{self.seed}/{name}"),
            history=self.history,
            clock=time.monotonic,
            pace=self.pace,
            patience=PATIENCE,
        )

    def _server(self) -> str:
        return self._chance.choice(self.servers)

    async def _post(self, path: str, body: dict[str, object]) -> dict[str, str]:
        end = time.monotonic() + RECOVERY
        while True:
            try:
                return await post(self._server() + path, body)
            except OSError as error:
                if time.monotonic() > end:
                    raise Unrecovered(str(error)) from None
                await asyncio.sleep(0.5)

    async def _begin(self, table_id: str, token: str) -> None:
        message = {"type": "begin", "id": "begin"}
        call = Call("host", table_id, "begin", message, time.monotonic())
        self.history.calls.append(call)
        end = time.monotonic() + RECOVERY
        while time.monotonic() < end:
            socket = None
            try:
                socket = await WebSocket.open(self._server(), table_id, PATIENCE)
                answer = await ask_once(socket, token, message, PATIENCE)
                if answer is not None:
                    call.answers.append(Answer(time.monotonic(), "done", answer["n"]))
                    return
            except (Gone, TimeoutError):
                pass
            finally:
                if socket is not None:
                    socket.abort()
            await asyncio.sleep(0.5)
        raise Unrecovered(f"table {table_id} cannot begin")

    # ---- while faults strike --------------------------------------------------------------------

    async def _await_work(self) -> None:
        """Wait until players are answered again."""
        wanted, end = self.acknowledged + WORK, time.monotonic() + RECOVERY
        while self.acknowledged < wanted and not all(table.is_over for table in self._all):
            for table in self._all:
                for task in table.tasks:
                    if task.done() and not table.is_settled:
                        task.result()
            if time.monotonic() > end:
                raise Unrecovered("nobody can play")
            await asyncio.sleep(0.05)

    # ---- the end --------------------------------------------------------------------------------

    def _settle(self, table: Table) -> None:
        """Record what the players show, and let them go."""
        table.is_settled = True
        for player in table.players:
            self.history.views.append(player.view)
            player.stop = True

    async def _settle_all(self) -> None:
        """Let the players end once they show what the log has, or after a long time."""
        for table in self._all:
            for player in table.players:
                player.is_quiet = True
        end = time.monotonic() + SETTLING
        while waiting := [table for table in self._all if not table.is_settled]:
            await asyncio.sleep(self.pace)
            if not any(table.is_equal for table in waiting) and time.monotonic() < end:
                continue
            logs = await self.read_logs([table.id for table in waiting])
            for table in waiting:
                log = logs[table.id]
                is_caught_up = table.is_equal and table.players[0].n == len(log)
                if is_caught_up or time.monotonic() > end:
                    self._settle(table)
                    self.logs[table.id] = log
        rest = [table.id for table in self._all if table.id not in self.logs]
        self.logs.update(await self.read_logs(rest))
