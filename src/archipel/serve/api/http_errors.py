"""Errors as `Problem`s: over HTTP with a status code, over a WebSocket in `Refused`."""

from collections.abc import Mapping

import msgspec

from archipel.serve.api.messages import PROTOCOL
from archipel.store.errors import StoreError
from archipel.tables import Problem, TableRefused


class Denied(Exception):
    """A refused request, which changed nothing."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        rule: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.problem = Problem(code, message, rule)
        self.headers = dict(headers or {})


def malformed(error: Exception, what: str) -> Denied:
    """The error for a message or body that does not fit its type."""
    if isinstance(error, RecursionError):
        return Denied(400, "malformed", f"the {what} is nested too deeply")
    if isinstance(error, msgspec.ValidationError):
        return Denied(400, "malformed", f"the {what} does not fit: {error}")
    if isinstance(error, UnicodeError):
        return Denied(400, "malformed", f"the {what} is not UTF-8 text")
    return Denied(400, "malformed", f"the {what} is not JSON: {error}")


#: Exceptions of decoding untrusted bytes.
DECODING_ERRORS = (msgspec.MsgspecError, RecursionError, UnicodeError)


def too_many(what: str, seconds: float) -> Denied:
    wait = max(1, round(seconds + 0.5))
    return Denied(
        429,
        "too_many",
        f"too many {what} from your address: try again in {wait} s",
        headers={"Retry-After": str(wait)},
    )


def other_protocol(version: int, language: str) -> Problem:
    """The problem for a page or program that was loaded before the server was updated."""
    words = {
        "en": "the server was updated after this page was loaded: reload the page"
        f" (protocol {PROTOCOL}, not {version})",
        "fr": "le serveur a été mis à jour depuis que cette page est chargée"
        f"\N{NO-BREAK SPACE}: rechargez-la (protocole {PROTOCOL}, et non {version})",
    }
    return Problem("other_protocol", words[language])


_STATUS = {
    "no_table": 404,
    "no_club": 404,
    "no_tournament": 404,
    "not_seated": 401,
    "no_member_here": 401,
    "bad_tournament": 422,
    **dict.fromkeys(
        ("unavailable", "not_stored", "unknown", "busy", "overloaded", "stopping"), 503
    ),
    **dict.fromkeys(("unknown_game", "unknown_bot", "unknown_lesson"), 422),
    **dict.fromkeys(("bad_option", "bad_position", "bad_seat", "bad_name", "refused_name"), 422),
    **dict.fromkeys(("bad_arrival", "no_plan"), 422),
    **dict.fromkeys(("bad_nonce", "bad_seal", "bad_clock", "bad_request"), 422),
}
#: For all other codes.
_NOT_NOW = 409


def denied_by(error: Exception) -> Denied:
    """The response to an error that a handler raised."""
    match error:
        case Denied():
            return error
        case TableRefused(problem=problem):
            status = _STATUS.get(problem.code, _NOT_NOW)
            headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}.get(status)
            return Denied(status, problem.code, problem.message, rule=problem.rule, headers=headers)
        case StoreError():
            headers = {"Retry-After": "1"}
            return Denied(503, "unavailable", "nothing can be stored now", headers=headers)
    return Denied(500, "internal", "the server made an error")
