"""A server that can be killed and restarted on the same port and file, and persistent players."""

import asyncio
import random
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.serve.people import Person

ROOT = Path(__file__).parents[2]

#: Errors of a client whose server is gone.
GONE = (ConnectionClosed, OSError, InvalidMessage, InvalidStatus, TimeoutError)


class RestartableServer:
    """A server process; `start` again after `end`."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.serve.server_process",
                str(self.database),
                str(self.port),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the server did not start"
        self.port = int(line)

    def end(self, with_signal: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(with_signal)
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def socket_of(self, table: str) -> str:
        return f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket"


@dataclass
class PersistentPlayer:
    """A player who reconnects, and repeats requests that were not answered."""

    person: Person
    chooser: random.Random
    name: str
    acknowledged: dict[str, int] = field(default_factory=dict)
    close_codes: list[int] = field(default_factory=list)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    pause: float = 0.02
    _open: dict[str, object] | None = None
    _count: int = 0

    async def play(self) -> None:
        while not self.stop.is_set() and not self.person.is_over:
            self._choose_address()
            try:
                await self.person.connect()
                await self._play_on()
            except ConnectionClosed as closed:
                if closed.rcvd is not None:
                    self.close_codes.append(closed.rcvd.code)
            except GONE:
                pass
            await asyncio.sleep(self.pause)

    def _choose_address(self) -> None:
        """Called before each connection."""

    async def leave(self) -> None:
        with suppress(*GONE, AssertionError):
            await self.person.socket.close()

    async def _play_on(self) -> None:
        while not self.stop.is_set() and not self.person.is_over:
            if self._open is None and not self._choose():
                with suppress(TimeoutError):
                    await self.person.next(seconds=0.2)
                continue
            assert self._open is not None
            answer = await self.person.ask("play", **self._open)
            if answer["type"] == "done":
                request_id = str(self._open["id"])
                assert self.acknowledged.setdefault(request_id, answer["n"]) == answer["n"]
            else:
                assert answer["problem"]["code"] in ("stopping", "not_stored", "unknown"), answer
                await asyncio.sleep(0.05)
                continue
            self._open = None
            while self.person.after < answer["n"]:
                await self.person.next()

    def _choose(self) -> bool:
        position = self.person.position
        if position is None or not self.person.choices:
            return False
        self._count += 1
        action = self.chooser.choice(self.person.choices)
        self._open = {"id": f"{self.name}-{self._count}", "n": position["n"], "action": action}
        return True
