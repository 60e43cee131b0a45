"""Callbacks run together, in their order, and not forever."""

from __future__ import annotations

import asyncio
from typing import Any

from archipel.tab.event_loop import run_callbacks_together


class CountingLoop(asyncio.SelectorEventLoop):
    """Counts the callbacks that it runs one by one."""

    count = 0

    def call_soon(  # type: ignore[override]
        self, *given: Any, **more: Any
    ) -> asyncio.Handle:
        self.count += 1
        return super().call_soon(*given, **more)


def run(work: Any) -> int:
    """Run a coroutine; returns how many callbacks the loop ran one by one."""
    with asyncio.Runner(loop_factory=CountingLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, CountingLoop)
        run_callbacks_together(loop)
        runner.run(work)
        return loop.count


def test_callbacks_run_in_their_order_and_together() -> None:
    done: list[int] = []

    async def walk() -> None:
        loop = asyncio.get_running_loop()
        for number in range(50):
            loop.call_soon(done.append, number)
        loop.call_soon(done.append, 99).cancel()
        for _ in range(50):
            await asyncio.sleep(0)
        assert done == list(range(50))

    assert run(walk()) < 20


def test_a_callback_that_fails_does_not_stop_the_others() -> None:
    reported: list[object] = []

    async def fail() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: reported.append(context["exception"]))
        error = ValueError("on purpose")

        def wrong() -> None:
            raise error

        done: list[int] = []
        loop.call_soon(wrong)
        loop.call_soon(done.append, 1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (done, reported) == ([1], [error])

    run(fail())


def test_other_events_have_their_turn_between_endless_callbacks() -> None:
    async def wait() -> None:
        loop = asyncio.get_running_loop()
        over = False

        def again() -> None:
            if not over:
                loop.call_soon(again)

        again()
        await asyncio.sleep(0.01)  # a timer of the loop itself
        over = True

    assert run(wait()) >= 2
