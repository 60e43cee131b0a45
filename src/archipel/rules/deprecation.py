"""Former names of the public interface: they work for one release and warn."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=stacklevel)


def former_names(module: str, new_module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's ``__getattr__`` that resolves former names in their new module.

    New names may be dotted, such as ``Phase.MOVE``.
    """

    def resolve(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_renamed(f"{module}.{name}", f"{new_module}.{names[name]}")
        return attrgetter(names[name])(import_module(new_module))

    return resolve


def former_arguments(**names: str) -> Callable[[F], F]:
    """Decorate a function that still takes former keyword arguments: ``former="new"``."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def call(*given: Any, **keywords: Any) -> Any:
            for former, new in names.items():
                if former in keywords:
                    warn_renamed(f"the argument {former}", new)
                    keywords[new] = keywords.pop(former)
            return function(*given, **keywords)

        return call  # type: ignore[return-value]

    return decorate


def former_attribute(old: str, new: str) -> property:
    """Return a property for the former name, such as ``Level.plan``, of another attribute."""

    def read(self: object) -> Any:
        warn_renamed(old, f"{old.split('.')[0]}.{new}")
        return getattr(self, new)

    return property(read, doc=f"Deprecated name of `{new}`.")


def former_fields(**names: str) -> Callable[[type[T]], type[T]]:
    """Decorate a class whose arguments and attributes have former names: ``former="new"``."""

    def decorate(kind: type[T]) -> type[T]:
        kind.__init__ = former_arguments(**names)(kind.__init__)  # type: ignore[method-assign]
        for former, new in names.items():
            setattr(kind, former, former_attribute(f"{kind.__name__}.{former}", new))
        return kind

    return decorate


def former_constants(module: str, *namespaces: Any, **renamed: str) -> Callable[[str], Any]:
    """`former_names` for constants that are now in namespaces of the same module."""
    names = {
        name: f"{type(each).__name__}.{name}"
        for each in namespaces
        for name in dir(each)
        if name.isupper()
    }
    return former_names(module, module, {**names, **renamed})
