"""The description of the HTTP interface for programs, made from its routes and messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from archipel import __version__
from archipel.serve import messages
from archipel.serve.routing import Parameter, Route

_PROBLEMS = {
    400: "Malformed: the message names what was wrong and where.",
    401: "No token, or one that belongs to no seat here.",
    403: "The page behind the request belongs to another site.",
    404: "There is no such thing.",
    409: "Right in form, but not possible now.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "This server does not answer to the name in the `Host` header.",
    422: "Right in form, but the game or the table does not allow it.",
    426: "This address speaks WebSocket.",
    429: "Too many from this address; `Retry-After` says when to come back.",
    503: "The server cannot keep anything just now; try again.",
}
_REFERENCE = "#/components/schemas/{name}"


def describe(routes: Sequence[Route]) -> dict[str, Any]:
    """The OpenAPI document of these routes."""
    types = _types(routes)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    schema_of = {_key(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Archipel",
            "version": __version__,
            "summary": "Tables of board games: make one, join it, play it, read what happened.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [
            {"name": "games", "description": "What can be played, and its rules."},
            {"name": "tables", "description": "Making, finding and joining tables."},
            {"name": "server", "description": "For the host and for programs."},
        ],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The secret of a seat, as making or joining a table gave it.",
                }
            },
        },
    }


def _key(kind: Any) -> str:
    return repr(kind)


def _types(routes: Sequence[Route]) -> list[Any]:
    types: list[Any] = [messages.Problem, messages.FromBrowser, messages.ToBrowser]
    for route in routes:
        types += [kind for kind in (route.answer, route.body) if kind is not None]
        types += [parameter.type for parameter in route.parameters]
    return list({_key(kind): kind for kind in types}.values())


def _operation(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.tag],
        "responses": _responses(route, schema_of),
    }
    if route.parameters:
        operation["parameters"] = [_parameter(p, schema_of) for p in route.parameters]
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[_key(route.body)]}},
        }
    if route.token:
        # Optional: without a token the same request is made as a spectator.
        operation["security"] = [{"token": []}, {}]
    if route.status == 101:
        operation["x-websocket"] = {
            "description": "Text frames, one JSON message each; the first is hello.",
            "send": schema_of[_key(messages.FromBrowser)],
            "receive": schema_of[_key(messages.ToBrowser)],
        }
    return operation


def _responses(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {"description": route.summary}
    if route.answer is not None:
        given["content"] = {route.media_type: {"schema": schema_of[_key(route.answer)]}}
    problem = {"application/json": {"schema": schema_of[_key(messages.Problem)]}}
    refused = {
        str(status): {"description": _PROBLEMS[status], "content": problem}
        for status in sorted({*route.problems, 421, 429})
    }
    return {str(route.status): given, **refused}


def _parameter(parameter: Parameter, schema_of: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path",
        "description": parameter.text,
        "schema": schema_of[_key(parameter.type)],
    }
