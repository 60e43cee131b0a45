"""Start the tables of a browser. The page's worker imports this, perhaps into a memory snapshot."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from archipel.tab.authority import Authority
from archipel.tab.browser_store import BrowserStore
from archipel.tab.engine_bots import EngineBots
from archipel.tab.event_loop import run_callbacks_together
from archipel.tab.javascript import HostDatabase
from archipel.tables import Settings, TableService


async def start(host: Any) -> Authority:
    """``host`` is the worker: the database's methods, ``decide`` for bots, and ``server``, the
    address of a server where tables may continue, or an empty string."""
    random.seed()  # a snapshot has the state of the browser that made it
    run_callbacks_together(asyncio.get_running_loop())
    store = await BrowserStore.open(HostDatabase(host))
    settings = Settings(on_device=True, moves_to=host.server)
    service = TableService(store, settings=settings, bot_executor=EngineBots(host.decide))
    await service.start()
    return Authority(service, store)
