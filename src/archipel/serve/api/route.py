"""Routes of the HTTP API: declared by a decorator on their handler, described by OpenAPI."""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from archipel.serve.api.http_errors import DECODING_ERRORS, Denied, malformed

#: Takes the request, and its decoded body if the route has one; returns a response or its content.
Handler = Callable[..., Awaitable[Any]]
AnyHandler = TypeVar("AnyHandler", bound=Handler)

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
    tag: str = "tables"
    #: The size limit of its body, if it is not that of all others.
    largest_body: int | None = None

    def endpoint(self, largest_body: int) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            largest = self.largest_body or largest_body
            body = [await _read_body(request, self.body, largest)] if self.body else []
            given = await self.handler(request, *body)
            return given if isinstance(given, Response) else json_response(given, self.status)

        return answer


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
    for name, method in vars(type(handlers)).items():
        declared = getattr(method, "route", None)
        if declared is not None:
            first, *others = name.split("_")
            yield Route(
                name=first + "".join(word.title() for word in others),
                summary=" ".join(method.__doc__.split()),
                handler=getattr(handlers, name),
                parameters=tuple(
                    parameters[each] for each in re.findall(r"{(\w+)}", declared["path"])
                ),
                **declared,
            )


def json_response(content: Any, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(content),
        status,
        headers={"Cache-Control": "no-store"},
        media_type="application/json",
    )


def problem_response(denied: Denied) -> Response:
    response = json_response(denied.problem, denied.status)
    response.headers.update(denied.headers)
    return response


async def _read_body(request: Request, body_type: Any, largest: int) -> Any:
    """Decode and check the body; raises `Denied`, without reading more than ``largest`` bytes."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise Denied(415, "media_type", "the body must be application/json")
    received = bytearray()
    try:
        async for piece in request.stream():
            received += piece
            if len(received) > largest:
                raise Denied(413, "too_large", f"the body is larger than {largest} bytes")
    except ClientDisconnect:  # the peer is gone, but the refusal is logged
        raise Denied(400, "cut_off", "the body is incomplete") from None
    try:
        return msgspec.json.decode(bytes(received), type=body_type)
    except DECODING_ERRORS as error:
        raise malformed(error, "body") from None
