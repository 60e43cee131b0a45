"""What follows from something that never changes, worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class worked_out_once(Generic[T]):  # noqa: N801 - it is used like `property`
    """As `functools.cached_property`, which up to Python 3.11 takes a lock each time."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> worked_out_once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T | worked_out_once[T]:
        if instance is None:
            return self
        result = instance.__dict__[self._name] = self._work(instance)
        return result
