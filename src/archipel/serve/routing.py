"""What a route of the HTTP interface is; its description for programs is made from the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from archipel.serve.problems import DECODING_ERRORS, Denied, malformed

#: Gets the request and its decoded body; gives what is to be sent, or a whole response.
Handler = Callable[[Request, Any], Awaitable[Any]]


@dataclass(frozen=True)
class Parameter:
    """A part of the path, or of the query, and what it may be."""

    name: str
    type: Any
    text: str
    place: str = "path"


@dataclass(frozen=True)
class Route:
    """One method on one path: what it takes, gives and refuses."""

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

    def endpoint(self, largest_body: int) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            body = await _read_body(request, self.body, largest_body) if self.body else None
            given = await self.handler(request, body)
            return given if isinstance(given, Response) else json_response(given, self.status)

        return answer


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
    """The body, decoded and checked; anything else is denied without keeping much of it."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise Denied(415, "media_type", "the body must be application/json")
    received = bytearray()
    try:
        async for piece in request.stream():
            received += piece
            if len(received) > largest:
                raise Denied(413, "too_large", f"the body is larger than {largest} bytes")
    except ClientDisconnect:  # nobody reads the answer, but the log does
        raise Denied(400, "cut_off", "the body came to no end") from None
    try:
        return msgspec.json.decode(bytes(received), type=body_type)
    except DECODING_ERRORS as error:
        raise malformed(error, "body") from None
