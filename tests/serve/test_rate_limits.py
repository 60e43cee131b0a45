"""Token buckets and counts per address."""

import pytest

from archipel.serve.rate_limits import Bucket, CountPerAddress, RatePerAddress, address_group
from archipel.serve.settings import Rate


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(Rate(burst=3, per_second=2), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.seconds_to_next == pytest.approx(0.5)
    clock.now += 0.5
    assert bucket.take()
    assert not bucket.take()
    clock.now += 1_000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_addresses_do_not_share_a_rate() -> None:
    clock = Clock()
    rate = RatePerAddress(Rate(burst=1, per_second=1), most_addresses=10, clock=clock)
    assert rate.wait("one") == 0
    assert rate.wait("one") > 0
    assert rate.wait("two") == 0


@pytest.mark.promise("limits")
def test_full_buckets_are_dropped_and_memory_is_bounded() -> None:
    clock = Clock()
    rate = RatePerAddress(Rate(burst=1, per_second=1), most_addresses=10, clock=clock)
    for number in range(10):
        rate.wait(f"early {number}")
    clock.now += 100
    rate.wait("late")
    assert len(rate) == 1
    for number in range(100):
        rate.wait(f"crowd {number}")
        assert len(rate) <= 10


def test_counts_go_up_and_down() -> None:
    count = CountPerAddress(most_per_address=2, most=3)
    assert count.enter("one")
    assert count.enter("one")
    assert not count.enter("one")
    assert count.enter("two")
    assert not count.enter("three")
    count.leave("one")
    assert count.enter("three")
    assert count.total == 3


@pytest.mark.parametrize(
    ("host", "group"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_an_ipv6_network_is_one_address(host: str, group: str) -> None:
    assert address_group(host) == group
