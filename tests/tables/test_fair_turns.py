"""The fair queue of bots: bounded, and the table that has used least time goes next."""

from __future__ import annotations

import asyncio

from archipel.tables.bots.pool import FairQueue


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_never_more_than_allowed() -> None:
    async def course() -> None:
        turns = FairQueue(2)
        most = 0

        async def think(table: str) -> None:
            nonlocal most
            async with turns.turn(table):
                most = max(most, turns.running)
                await asyncio.sleep(0)

        await asyncio.gather(*(think(f"t{number % 5}") for number in range(40)))
        assert most == 2
        assert (turns.running, turns._waiting) == (0, [])

    asyncio.run(course())


def test_the_table_goes_first_whose_bots_have_thought_least() -> None:
    async def course() -> None:
        clock, order = Clock(), []
        turns = FairQueue(1, clock)

        async def decide(name: str, cost: float) -> None:
            async with turns.turn(name):
                order.append(name)
                await asyncio.sleep(0)
                clock.now += cost

        await asyncio.gather(
            *(decide("slow", 3.0) for _ in range(4)), *(decide("quick", 1.0) for _ in range(12))
        )
        # The same time, not the same number of decisions.
        for end in range(1, len(order)):
            slow, quick = 3.0 * order[:end].count("slow"), 1.0 * order[:end].count("quick")
            assert abs(slow - quick) <= 4.0, order

    asyncio.run(course())


def test_who_was_silent_has_no_claim_on_the_past() -> None:
    async def course() -> None:
        clock, order = Clock(), []
        turns = FairQueue(1, clock)

        async def decide(name: str) -> None:
            async with turns.turn(name):
                order.append(name)
                await asyncio.sleep(0)
                clock.now += 1.0

        for _ in range(50):
            await decide("old")
        await asyncio.gather(*(decide(name) for name in ["new", "old"] * 5))
        assert set(order[50:54]) == {"new", "old"}

    asyncio.run(course())


def test_who_leaves_while_waiting_takes_no_turn() -> None:
    async def course() -> None:
        turns = FairQueue(1)
        inside, leave = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            async with turns.turn("first"):
                inside.set()
                await leave.wait()

        holding = asyncio.create_task(hold())
        await inside.wait()
        waiting = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        leave.set()
        await holding
        async with turns.turn("later"):
            assert turns.running == 1

    asyncio.run(course())
