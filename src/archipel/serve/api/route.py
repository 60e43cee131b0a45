"""Routes of the HTTP API: declared by a decorator on their handler, described by OpenAPI."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

#: Takes the request, and its decoded body if the route has one; returns a response or its content.
Handler = Callable[..., Awaitable[Any]]
AnyHandler = TypeVar("AnyHandler", bound=Handler)


class ApiRequest(Protocol):
    """The parts of a request that handlers of tables and games read."""

    @property
    def path_params(self) -> dict[str, Any]: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Download:
    """A text file as the content of a response."""

    name: str
    text: str


#: Every route with a body refuses these.
_BODY_PROBLEMS = (400, 403, 413, 415)


@dataclass(frozen=True)
class Parameter:
    """A part of a path."""

    name: str
    type: Any
    text: str


@dataclass(frozen=True)
class Route:
    """One method on one path. ``problems`` are the status codes of its error responses."""

    method: str
    path: str
    name: str
    summary: str
    handler: Handler
    answer: Any = None
    media_type: str = "application/json"
    status: int = 200
    body: Any = None
    parameters: tuple[Parameter, ...] = ()
    problems: tuple[int, ...] = ()
    token: bool = False
    session: bool = False
    operator: bool = False
    tag: str = "tables"
    #: The size limit of its body, if it is not that of all others.
    largest_body: int | None = None


def get(
    path: str, answer: Any = None, problems: tuple[int, ...] = (), **details: Any
) -> Callable[[AnyHandler], AnyHandler]:
    """Declare a GET route; see `Route` for the details.

    The handler's docstring is the summary, its name in camel case the operation's id.
    """

    def declare(handler: AnyHandler) -> AnyHandler:
        declared = {"method": "GET", "path": path, "answer": answer, "problems": problems}
        vars(handler)["route"] = {**declared, **details}
        return handler

    return declare


def post(
    path: str,
    body: Any,
    answer: Any,
    problems: tuple[int, ...],
    *,
    status: int = 201,
    **details: Any,
) -> Callable[[AnyHandler], AnyHandler]:
    """Declare a POST route, by default one that creates something; see `get`."""
    problems = (*_BODY_PROBLEMS, *problems)
    return get(path, answer, problems, method="POST", body=body, status=status, **details)


def routes_of(handlers: object, parameters: dict[str, Parameter]) -> Iterator[Route]:
    """The routes that the methods of an object declare, in order of declaration."""
    for name in dict.fromkeys(name for kind in type(handlers).__mro__[::-1] for name in vars(kind)):
        method = getattr(type(handlers), name)
        declared = getattr(method, "route", None)
        if declared is not None:
            first, *others = name.split("_")
            yield Route(
                name=first + "".join(word.title() for word in others),
                # A site's Python runtime has no docstrings.
                summary=" ".join((method.__doc__ or "").split()),
                handler=getattr(handlers, name),
                parameters=tuple(
                    parameters[each] for each in re.findall(r"{(\w+)}", declared["path"])
                ),
                **declared,
            )
