"""The cost of a move at a table: a script that runs in Python and in the runtime of a site.

A page at a table sends random moves for both players over a channel; a move lasts until its answer
is there. Prints the median of milliseconds per move by game, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from archipel.chaos.following import Following  # in the file before this script

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")
#: Moves of each game before the measurement.
WARM_UP = 100


class Rows(dict[str, bytes]):
    """The store's database, in memory."""

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        return sorted(row for row in self.items() if first <= row[0] < end)[:limit]

    async def get(self, key: str) -> bytes | None:  # type: ignore[override]
        return dict.get(self, key)

    async def commit(self, rows: Any) -> None:
        for key, row in rows:
            if row is None:
                self.pop(key, None)
            else:
                self[key] = row

    async def close(self) -> None: ...


class NoBots:
    def start(self) -> None: ...

    async def choose(self, asked: Any, seconds: float, *, consider: bool = False) -> Any:
        raise NotImplementedError

    async def stop(self) -> None: ...


async def measure(moves: int) -> dict[str, float]:
    from archipel.tab.authority import Authority
    from archipel.tab.browser_store import BrowserStore
    from archipel.tab.event_loop import run_callbacks_together
    from archipel.tables import TableService

    if sys.platform == "emscripten":
        run_callbacks_together(asyncio.get_running_loop())
    store = await BrowserStore.open(Rows())
    service = TableService(store, bot_executor=NoBots())
    await service.start()
    authority = Authority(service, store)
    found = {game: await measure_game(authority, game, moves) for game in GAMES}
    await service.stop()
    return found


async def measure_game(authority: Any, game: str, moves: int) -> float:
    """The median of milliseconds per move, in games one after the other."""
    chooser = random.Random(1)
    took: list[float] = []
    while len(took) < WARM_UP + moves:
        table = Table(authority, game)
        await table.begin()
        while len(took) < WARM_UP + moves and (choices := await table.choices()):
            took.append(await table.play(chooser.choice(choices)))
        table.channel.close()
    return 1000 * sorted(took[WARM_UP:])[moves // 2]


class Table:
    """A table of two people on one device."""

    def __init__(self, authority: Any, game: str) -> None:
        self._authority = authority
        self._game = game
        self._state = Following()
        self._answered = asyncio.Event()
        self._moves = 0
        self.channel: Any = None

    async def begin(self) -> None:
        wish = {
            "game": self._game,
            "seats": [{}, {}],
            "hot_seat": True,
            "names": ["Ana", "Ben"],
            "my_name": "Ana",
            "begin": True,
        }
        status, text = await self._authority.ask("/api/tables", "en", json.dumps(wish))
        assert status < 300, text
        seated = json.loads(text)
        self.channel = self._authority.open(seated["table"], self._hear, lambda: None)
        hello = {"type": "hello", "token": seated["token"], "protocol": 2, "hurried": True}
        await self._ask(hello)

    async def choices(self) -> list[int]:
        """The legal actions of the player to move, who takes the device; none after the game."""
        position = self._state.position
        if position and position["to_move"] is not None and position["seat"] != position["to_move"]:
            look = {"type": "look_through", "id": "look", "seat": position["to_move"]}
            await self._ask(look)
            position = self._state.position
        return [choice["action"] for choice in position["scene"]["choices"]] if position else []

    async def play(self, action: int) -> float:
        """Seconds until the move is answered and the new position is there."""
        self._moves += 1
        assert self._state.position
        seat = self._state.position["to_move"]
        move = {"type": "play", "id": f"move-{self._moves}", "n": self._state.n}
        return await self._ask({**move, "action": action, "seat": seat})

    async def _ask(self, message: dict[str, Any]) -> float:
        self._answered.clear()
        text = json.dumps(message)
        began = time.perf_counter()
        self.channel.receive(text)
        await asyncio.wait_for(self._answered.wait(), 60)
        return time.perf_counter() - began

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "refused":
            raise AssertionError(text)
        self._state.hear(message)
        if message["type"] == "looked":
            self._state.position = message["position"]
        if message["type"] in ("welcome", "looked", "done"):
            self._answered.set()


async def main() -> None:
    print(json.dumps(await measure(int(sys.argv[-1]))))
