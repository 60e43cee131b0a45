"""Routes as endpoints of Starlette: read the body, write the response."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from archipel.serve.api.http_errors import DECODING_ERRORS, Denied, malformed
from archipel.serve.api.route import Download, Route


def endpoint_of(route: Route, largest_body: int) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        largest = route.largest_body or largest_body
        body = [await _read_body(request, route.body, largest)] if route.body else []
        given = await route.handler(request, *body)
        if isinstance(given, Download):
            disposition = f'attachment; filename="{given.name}"'
            headers = {"Cache-Control": "no-store", "Content-Disposition": disposition}
            return PlainTextResponse(given.text, headers=headers)
        return given if isinstance(given, Response) else json_response(given, route.status)

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
