"""Limits by address and by connection: token buckets and counts that forget what is over."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from archipel.serve.settings import Rate

Clock = Callable[[], float]

#: One household or one rented machine usually owns a whole network of this size.
_IPV6_PREFIX = 64


def address_group(host: str) -> str:
    """The name under which an address is limited: itself, or its network for IPv6."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)


class Bucket:
    """A token bucket: `take` says whether one more is allowed now."""

    __slots__ = ("_at", "_clock", "_rate", "_tokens")

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._tokens = rate.burst
        self._at = clock()

    def charge(self, amount: float) -> None:
        """So much was had elsewhere; at worst one has to wait as long again as for a full one."""
        self._refill()
        self._tokens = max(-self._rate.burst, self._tokens - amount)

    def take(self) -> bool:
        # Written out, since every message asks twice.
        now, rate = self._clock(), self._rate
        tokens = self._tokens + (now - self._at) * rate.per_second
        if tokens > rate.burst:
            tokens = rate.burst
        self._at = now
        if tokens < 1:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1
        return True

    @property
    def full(self) -> bool:
        self._refill()
        return self._tokens >= self._rate.burst

    @property
    def seconds_to_next(self) -> float:
        """How long until one more is allowed; 0 if it is now."""
        self._refill()
        return max(0.0, (1 - self._tokens) / self._rate.per_second)

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(
            self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second
        )
        self._at = now


class RatePerAddress:
    """A bucket per address. Full buckets are forgotten: they say no more than none at all."""

    def __init__(self, rate: Rate, most_addresses: int, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._most_addresses = most_addresses
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        #: What was taken since this was last emptied, where others have to know.
        self.taken: Counter[str] | None = None

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, address: str) -> float:
        """Take one for this address; the seconds to wait if there was none left, else 0."""
        bucket = self._bucket(address)
        if not bucket.take():
            return max(bucket.seconds_to_next, 0.001)
        if self.taken is not None:
            self.taken[address] += 1
        return 0.0

    def charge(self, address: str, amount: float) -> None:
        """So much was taken by way of another worker."""
        self._bucket(address).charge(amount)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self._most_addresses:
                self._forget()
            bucket = self._buckets[address] = Bucket(self._rate, self._clock)
        return bucket

    def _forget(self) -> None:
        """Drop full buckets, and if that is not enough the oldest half: better too kind than full
        of strangers."""
        self._buckets = {a: bucket for a, bucket in self._buckets.items() if not bucket.full}
        if len(self._buckets) >= self._most_addresses:
            for address in list(self._buckets)[: len(self._buckets) // 2]:
                del self._buckets[address]


class CountPerAddress:
    """How many of something each address holds now."""

    def __init__(self, most_per_address: int, most: int) -> None:
        self._most_per_address = most_per_address
        self._most = most
        self._counts: Counter[str] = Counter()
        #: How many each address holds by way of other workers.
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
