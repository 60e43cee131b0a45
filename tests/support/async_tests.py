"""A hook that runs tests written as coroutines; a conftest imports it."""

import asyncio
import inspect
from typing import Any

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine, in the event loop of the fixture ``loop_factory`` if the test uses it."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    given: dict[str, Any] = pyfuncitem.funcargs
    with asyncio.Runner(loop_factory=given.get("loop_factory")) as runner:
        runner.run(pyfuncitem.obj(**{name: given[name] for name in names}))
    return True
