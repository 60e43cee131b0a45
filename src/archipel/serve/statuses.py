"""Which HTTP status says what the tables refuse."""

from __future__ import annotations

from archipel.serve.problems import Denied
from archipel.tables import TableRefused

_STATUS = {
    "no_table": 404,
    "not_seated": 401,
    "unavailable": 503,
    "busy": 503,
    "stopping": 503,
    "unknown_game": 422,
    "bad_option": 422,
    "bad_seat": 422,
    "bad_name": 422,
    "bad_nonce": 422,
    "bad_seal": 422,
    "bad_clock": 422,
    "bad_request": 422,
    "unknown_bot": 422,
    "unknown_lesson": 422,
}
#: Everything else is right in form but not possible as things stand.
_NOT_NOW = 409


def denied_by_table(refused: TableRefused) -> Denied:
    problem = refused.problem
    headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}
    status = _STATUS.get(problem.code, _NOT_NOW)
    return Denied(
        status, problem.code, problem.message, rule=problem.rule, headers=headers.get(status)
    )
