"""Limits of an address over all workers: what was had by way of one counts with the others, too.

Workers tell each other once a second how much each address has had. Within that second somebody may
have more than their share, by as much as there are workers; it is charged afterwards.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from archipel.serve.limits import CountPerAddress, RatePerAddress
from archipel.store import StoreError
from archipel.store.postgresql.company import Company

_EVERY_SECONDS = 1.0
#: How far back one looks, so that a late exchange misses nothing.
_LOOK_BACK_SECONDS = 30.0
_SOCKETS = "sockets"
_MOST_KNOWN = 100_000


class SharedLimits:
    def __init__(
        self, company: Company, rates: Mapping[str, RatePerAddress], sockets: CountPerAddress
    ) -> None:
        self._company = company
        self._rates = rates
        self._sockets = sockets
        #: What was had here in all, and what others had when they last told.
        self._spent: Counter[tuple[str, str]] = Counter()
        self._known: dict[tuple[str, str, str], float] = {}
        self._told_sockets: dict[str, int] = {}
        self._is_first = True
        for rate in rates.values():
            rate.taken = Counter()

    async def keep_exchanging(self) -> None:
        while True:
            with suppress(StoreError):  # each for itself, as long as it lasts
                await self.exchange()
            await asyncio.sleep(_EVERY_SECONDS)

    async def exchange(self) -> None:
        news = self._news()
        if news:
            await self._company.tell_spending(news)
        sockets: Counter[str] = Counter()
        for spent in await self._company.spending(_LOOK_BACK_SECONDS):
            if spent.kind == _SOCKETS:
                sockets[spent.address] += int(spent.amount)
                continue
            key = spent.worker, spent.kind, spent.address
            more = spent.amount - self._known.get(key, 0.0)
            self._known[key] = spent.amount
            rate = self._rates.get(spent.kind)
            # What was had before we were there is over.
            if rate is not None and more > 0 and not self._is_first:
                rate.charge(spent.address, more)
        self._is_first = False
        self._sockets.elsewhere = sockets
        if len(self._known) > _MOST_KNOWN or len(self._spent) > _MOST_KNOWN:
            self._forget()

    def _news(self) -> dict[tuple[str, str], float]:
        """What others do not know yet; of sockets, all, as long as there are any."""
        news: dict[tuple[str, str], float] = {}
        for kind, rate in self._rates.items():
            taken, rate.taken = rate.taken, Counter()
            for address, amount in (taken or {}).items():
                self._spent[kind, address] += amount
                news[kind, address] = float(self._spent[kind, address])
        sockets = dict(self._sockets.counts)
        for address in {*sockets, *self._told_sockets}:
            news[_SOCKETS, address] = float(sockets.get(address, 0))
        self._told_sockets = sockets
        return news

    def _forget(self) -> None:
        """Begin anew: better too kind than full of strangers."""
        self._spent.clear()
        self._known.clear()
