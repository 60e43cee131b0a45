"""The OpenAPI description of the HTTP API, generated from its routes and messages."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from archipel import __version__
from archipel.rules.all_games import games
from archipel.rules.scene import Cell, Choice, Path, Piece, Scene
from archipel.serve.api import messages
from archipel.serve.api.route import Route
from archipel.tables import Problem
from archipel.tables.bots.players import bots_for

_PROBLEMS = {
    400: "Malformed: the message says what is wrong and where.",
    401: "No token, or a token that belongs to no seat here; no valid session or proof.",
    403: "The request comes from a page of another site.",
    404: "Not found.",
    409: "Valid, but not possible now.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "This server does not answer to the name in the `Host` header.",
    422: "Valid, but not allowed by the game or the table.",
    426: "This address requires a WebSocket upgrade.",
    429: "Too many requests from this address; `Retry-After` says when to try again.",
    503: "The server cannot store anything now; try again.",
}
_REFERENCE = "#/components/schemas/{name}"


#: Operations that take the id in the answer to creating or joining a table.
_AT_TABLE = ("showTable", "joinTable", "showPosition", "readRecord", "readCourse", "playAtTable")
_SEATING = ("makeTable", "joinTable")


def describe(
    routes: Sequence[Route], bots_of: Callable[[str], Sequence[str]] = bots_for
) -> dict[str, Any]:
    """The OpenAPI document of these routes; ``bots_of`` are the bots of a game."""
    types = _types(routes)
    schemas, components = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    _complete_scenes(components)
    _name_games(components, bots_of)
    schema_of = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Archipel",
            "version": __version__,
            "summary": "Tables of board games: create, join, play and read them.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [
            {"name": "games", "description": "Games, rules, lessons and puzzles."},
            {"name": "tables", "description": "Creating, finding and joining tables."},
            {"name": "profiles", "description": "Identity without an account."},
            {"name": "days", "description": "Games by days: one's tables, vacation, notices."},
            {"name": "server", "description": "For the host and for programs."},
        ],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A seat's token, from creating or joining a table.",
                },
                "operator": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Archipel-Operator",
                    "description": "The password of the host's page.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Archipel-Session",
                    "description": "The session of a profile.",
                },
            },
        },
    }


def _complete_scenes(components: dict[str, Any]) -> None:
    """Mark all parts of a scene as required: games may leave some out, the server sends them."""
    for kind in (Cell, Choice, Path, Piece, Scene):
        schema = components[kind.__name__]
        schema["required"] = list(schema["properties"])
        for part in schema["properties"].values():
            part.pop("default", None)


def _name_games(components: dict[str, Any], bots_of: Callable[[str], Sequence[str]]) -> None:
    """Say which games and bots there are, and give an example of each game's table."""
    bots = {game.name: list(bots_of(game.name)) for game in games()}
    new_table = components["NewTable"]
    new_table["properties"]["game"] = _game_schema()
    new_table["examples"] = [
        {
            "game": game.name,
            "seats": [{}, *({"bot": bots[game.name][0]} for _ in range(game.seats[0] - 1))],
            "my_name": "Ana",
            "begin": True,
        }
        for game in games()
        if bots[game.name]
    ]
    every_bot = sorted({bot for named in bots.values() for bot in named})
    components["SeatWish"]["properties"]["bot"] = {
        "anyOf": [{"type": "string", "enum": every_bot}, {"type": "null"}],
        "default": None,
    }
    components["Join"]["examples"] = [{"name": "Ben"}]


def _game_schema() -> dict[str, Any]:
    return {"type": "string", "enum": [game.name for game in games()]}


def _links() -> dict[str, Any]:
    """What can be done next at the table of an answer."""
    return {
        name: {"operationId": name, "parameters": {"id": "$response.body#/table"}}
        for name in _AT_TABLE
    }


def _types(routes: Sequence[Route]) -> list[Any]:
    types: list[Any] = [Problem, messages.FromBrowser, messages.ToBrowser]
    for route in routes:
        types += [kind for kind in (route.answer, route.body) if kind is not None]
        types += [parameter.type for parameter in route.parameters]
    return list({repr(kind): kind for kind in types}.values())


def _operation(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.tag],
        "responses": _responses(route, schema_of),
    }
    if route.parameters:
        operation["parameters"] = [
            {
                "name": parameter.name,
                "in": "path",
                "required": True,
                "description": parameter.text,
                "schema": _game_schema()
                if parameter.name == "game"
                else schema_of[repr(parameter.type)],
            }
            for parameter in route.parameters
        ]
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[repr(route.body)]}},
        }
    if route.token:
        # Optional: without a token the request is a spectator's.
        operation["security"] = [{"token": []}, {}]
    if route.session:
        operation["security"] = [{"session": []}]
    if route.operator:
        operation["security"] = [{"operator": []}]
    if route.status == 101:
        operation["x-websocket"] = {
            "description": "Text frames, one JSON message each; the first is hello.",
            "send": schema_of[repr(messages.FromBrowser)],
            "receive": schema_of[repr(messages.ToBrowser)],
        }
    return operation


def _responses(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {"description": route.summary}
    if route.answer is not None:
        given["content"] = {route.media_type: {"schema": schema_of[repr(route.answer)]}}
    if route.name in _SEATING:
        given["links"] = _links()
    problem = {"application/json": {"schema": schema_of[repr(Problem)]}}
    refused = {
        str(status): {"description": _PROBLEMS[status], "content": problem}
        for status in sorted({*route.problems, 421, 429})
    }
    return {str(route.status): given, **refused}
