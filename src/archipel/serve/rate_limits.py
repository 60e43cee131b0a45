"""Rate limits: token buckets and counts by address, shared across workers."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import inf

from archipel.serve.settings import Rate
from archipel.store.errors import StoreError
from archipel.store.postgresql.cluster import Cluster

log = logging.getLogger("archipel.serve")

Clock = Callable[[], float]

#: A household or a rented machine usually owns a whole IPv6 network of this size.
_IPV6_PREFIX = 64


def parse_ip(host: str) -> IPv4Address | IPv6Address | None:
    """An IP address without its scope; None if ``host`` is something else."""
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        return None


def address_group(host: str) -> str:
    """The key of an address's limits: the address, or for IPv6 its network."""
    address = parse_ip(host)
    if address is None:
        return host[:64]
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)


class Bucket:
    """A token bucket; `take` returns whether one more is allowed now."""

    __slots__ = ("_at", "_clock", "_rate", "_tokens")

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._tokens = rate.burst
        self._at = clock()

    def charge(self, amount: float) -> None:
        """Subtract what was used elsewhere, down to minus one full bucket."""
        self._refill()
        self._tokens = max(-self._rate.burst, self._tokens - amount)

    def take(self, amount: float = 1) -> bool:
        # Inlined `_refill`: every message calls this four times.
        now, rate = self._clock(), self._rate
        tokens = self._tokens + (now - self._at) * rate.per_second
        if tokens > rate.burst:
            tokens = rate.burst
        self._at = now
        if tokens < amount:
            self._tokens = tokens
            return False
        self._tokens = tokens - amount
        return True

    @property
    def full(self) -> bool:
        self._refill()
        return self._tokens >= self._rate.burst

    @property
    def seconds_to_next(self) -> float:
        """Time until one more is allowed; 0 if it is now."""
        self._refill()
        return max(0.0, (1 - self._tokens) / self._rate.per_second)

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(
            self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second
        )
        self._at = now


class RatePerAddress:
    """A token bucket per address. A full bucket is equal to none, so it can be dropped."""

    def __init__(self, rate: Rate, most_addresses: int, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._most_addresses = most_addresses
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        #: Tokens taken since the last exchange with other workers; None without other workers.
        self.taken: Counter[str] | None = None

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, address: str, amount: float = 1) -> float:
        """Take tokens; returns 0, or the seconds to wait if too few are left."""
        bucket = self._bucket(address)
        if not bucket.take(amount):
            return max(bucket.seconds_to_next, 0.001)
        if self.taken is not None:
            self.taken[address] += amount  # type: ignore[assignment]
        return 0.0

    def charge(self, address: str, amount: float) -> None:
        """Subtract what the address took through another worker."""
        self._bucket(address).charge(amount)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self._most_addresses:
                self._forget()
            bucket = self._buckets[address] = Bucket(self._rate, self._clock)
        return bucket

    def _forget(self) -> None:
        """Drop full buckets, and if that is not enough the oldest half."""
        self._buckets = {a: bucket for a, bucket in self._buckets.items() if not bucket.full}
        if len(self._buckets) >= self._most_addresses:
            for address in list(self._buckets)[: len(self._buckets) // 2]:
                del self._buckets[address]


class FrameBudget:
    """The budgets of one socket and of its address for frames of any kind.

    A frame costs one token, and one more per KiB.
    """

    def __init__(self, rate: Rate, all_frames: RatePerAddress, address: str) -> None:
        self._bucket = Bucket(rate)
        self._all_frames = all_frames
        self._address = address

    def charge(self, size: int) -> float:
        """Charge a frame; returns 0, the seconds for which its address has to wait, or infinity if
        the socket has exceeded its own budget."""
        cost = 1 + size / 1024
        wait = self._all_frames.wait(self._address, cost)
        return wait if wait or self._bucket.take(cost) else inf


class CountPerAddress:
    """How many of something each address holds, with a limit per address and in all."""

    def __init__(self, most_per_address: int, most: int) -> None:
        self._most_per_address = most_per_address
        self._most = most
        self._counts: Counter[str] = Counter()
        #: How many each address holds through other workers.
        self.elsewhere: Mapping[str, int] = {}

    @property
    def counts(self) -> Mapping[str, int]:
        return self._counts

    @property
    def total(self) -> int:
        return self._counts.total()

    def enter(self, address: str) -> bool:
        held = self._counts[address] + self.elsewhere.get(address, 0)
        if held >= self._most_per_address or self.total >= self._most:
            if not self._counts[address]:
                del self._counts[address]
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._counts[address] -= 1
        if self._counts[address] <= 0:
            del self._counts[address]


_EXCHANGE_SECONDS = 1.0
#: Longer than the interval, so that a late exchange misses nothing.
_LOOK_BACK_SECONDS = 30.0
_SOCKETS = "sockets"
_MOST_KNOWN = 100_000


class SharedLimits:
    """Rate limits shared across workers: each publishes its totals once a second.

    Within that second an address may exceed its limit once per worker; the excess is charged
    afterwards.
    """

    def __init__(
        self, cluster: Cluster, rates: Mapping[str, RatePerAddress], sockets: CountPerAddress
    ) -> None:
        self._cluster = cluster
        self._rates = rates
        self._sockets = sockets
        #: This worker's totals, and the last known totals of the others.
        self._spent: Counter[tuple[str, str]] = Counter()
        self._known: dict[tuple[str, str, str], float] = {}
        self._published_sockets: dict[str, int] = {}
        self._is_first = True
        for rate in rates.values():
            rate.taken = Counter()

    async def keep_exchanging(self) -> None:
        while True:
            try:
                await self.exchange()
            except StoreError:
                pass  # until the next exchange each worker limits alone
            except Exception:
                log.exception("the limits could not be exchanged")
            await asyncio.sleep(_EXCHANGE_SECONDS)

    async def exchange(self) -> None:
        news = self._news()
        if news:
            await self._cluster.publish_spending(news)
        sockets: Counter[str] = Counter()
        for spent in await self._cluster.spending(_LOOK_BACK_SECONDS):
            if spent.kind == _SOCKETS:
                sockets[spent.address] += int(spent.amount)
                continue
            key = spent.worker, spent.kind, spent.address
            more = spent.amount - self._known.get(key, 0.0)
            self._known[key] = spent.amount
            rate = self._rates.get(spent.kind)
            # Totals from before this worker started are not charged.
            if rate is not None and more > 0 and not self._is_first:
                rate.charge(spent.address, more)
        self._is_first = False
        self._sockets.elsewhere = sockets
        if len(self._known) > _MOST_KNOWN or len(self._spent) > _MOST_KNOWN:
            self._forget()

    def _news(self) -> dict[tuple[str, str], float]:
        """Changed totals, and all counts of sockets."""
        news: dict[tuple[str, str], float] = {}
        for kind, rate in self._rates.items():
            taken, rate.taken = rate.taken, Counter()
            for address, amount in (taken or {}).items():
                self._spent[kind, address] += amount
                news[kind, address] = float(self._spent[kind, address])
        sockets = dict(self._sockets.counts)
        for address in {*sockets, *self._published_sockets}:
            news[_SOCKETS, address] = float(sockets.get(address, 0))
        self._published_sockets = sockets
        return news

    def _forget(self) -> None:
        """Drop all totals, which forgives what was used so far."""
        self._spent.clear()
        self._known.clear()
