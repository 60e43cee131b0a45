"""Figures for the host's page."""

from __future__ import annotations

from collections.abc import Mapping

from archipel.notices.messages import ChannelCount, OperatorReport, Results
from archipel.notices.outbox import Outbox
from archipel.profiles.profiles import Profiles


async def report(profiles: Profiles, counts: Mapping[tuple[str, str], int]) -> OperatorReport:
    """Counts of the store, and what became of the notices that this worker sent. No names."""
    store, at = profiles.store, profiles.store.schema

    async def count(query: str) -> int:
        return int((await store.fetch(f"SELECT count(*) FROM {at}{query}"))[0][0])

    channels = await store.fetch(
        f"SELECT kind, count(*), sum(CASE WHEN failures > 0 THEN 1 ELSE 0 END) FROM {at}channel"
        " GROUP BY kind ORDER BY kind"
    )
    # A club is stored beside the tables; only clubs have the secret of a feed.
    clubs = await count("private WHERE key = 'feed'")
    lag = await Outbox(store).lag(profiles.clock())
    return OperatorReport(
        profiles=await count("profile"),
        devices=await count("profile_key"),
        seats=await count("profile_seat"),
        tables=await count("game_table") - clubs,
        clubs=clubs,
        outbox_lag=lag / 1000,
        waiting=await count("delivery WHERE state = 0"),
        given_up=await count("delivery WHERE state = 2"),
        channels=[ChannelCount(kind, number, int(failing)) for kind, number, failing in channels],
        results=[Results(kind, result, n) for (kind, result), n in sorted(counts.items())],
        bytes=await store.size(),
    )
