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
from archipel.tables import TableService


async def start(host: Any) -> Authority:
    """``host`` is the worker: the database's methods, and ``decide`` for bots."""
    random.seed()  # a snapshot has the state of the browser that made it
    run_callbacks_together(asyncio.get_running_loop())
    store = await BrowserStore.open(HostDatabase(host))
    service = TableService(store, bot_executor=EngineBots(host.decide))
    await service.start()
    return Authority(service, store)
