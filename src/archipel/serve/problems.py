"""Saying no: every refusal is a `Problem`, by HTTP with a status and by WebSocket in `Refused`."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from archipel.serve.messages import PROTOCOL, Problem


class Denied(Exception):
    """A request that is not granted; it changed nothing."""

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
    """A message or body that does not fit its type; the decoder's words name the place."""
    if isinstance(error, RecursionError):
        return Denied(400, "malformed", f"the {what} is nested too deeply")
    if isinstance(error, msgspec.ValidationError):
        return Denied(400, "malformed", f"the {what} does not fit: {error}")
    if isinstance(error, UnicodeError):
        return Denied(400, "malformed", f"the {what} is not UTF-8 text")
    return Denied(400, "malformed", f"the {what} is not JSON: {error}")


#: What decoding can raise on bytes from a stranger.
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
    """Said to a page that was loaded before the server changed, or to a program as old as that."""
    words = {
        "en": "the server was updated after this page had been loaded: load the page anew"
        f" (protocol {PROTOCOL}, not {version})",
        "fr": "le serveur a été mis à jour depuis que cette page est chargée"
        f"\N{NO-BREAK SPACE}: rechargez-la (protocole {PROTOCOL}, et non {version})",
    }
    return Problem("other_protocol", words[language])
