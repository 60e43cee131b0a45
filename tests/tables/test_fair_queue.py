"""The fair queue of bots: bounded, and the table that has used least time goes next."""

from __future__ import annotations

import asyncio

from archipel.tables.bots.pool import FairQueue


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_number_of_running_turns_is_limited() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


def test_the_table_whose_bots_used_least_time_goes_first() -> None:
    async def scenario() -> None:
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
        # Equal time, not equal numbers of decisions.
        for end in range(1, len(order)):
            slow, quick = 3.0 * order[:end].count("slow"), 1.0 * order[:end].count("quick")
            assert abs(slow - quick) <= 4.0, order

    asyncio.run(scenario())


def test_an_idle_table_gathers_no_credit() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


def test_a_cancelled_waiter_takes_no_turn() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())
