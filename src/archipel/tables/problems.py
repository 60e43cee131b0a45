"""Refusals: a code for programs, a sentence for people, and the rule if a rule forbids it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from archipel.rules.catalogue import load_catalogue

#: All codes. Programs may rely on them; the sentences may change.
CODES = frozenset(
    {
        "no_table",  # there is no table of that name
        "unreadable",  # the table was written by a newer Archipel, or is damaged
        "unavailable",  # the store could not keep it: try again with the same request id
        "unknown_game",
        "bad_option",
        "bad_position",  # no position of the game, or not one to go on from
        "bad_seat",  # no seat of that number, or not the right number of seats
        "bad_name",
        "bad_nonce",
        "bad_seal",
        "drawing",  # the nonces are being opened: in a moment the game begins
        "not_drawing",  # nothing is to be opened now
        "wrong_nonce",  # not the one that was sealed, or open already
        "unknown_bot",
        "not_seated",  # the token does not hold a seat (any more)
        "not_host",
        "not_yours",  # somebody else's seat
        "name_taken",
        "seat_taken",
        "seat_kept",  # the open seats are kept for their invitations
        "wrong_invitation",
        "not_gathering",  # the game has begun
        "not_playing",  # the game has not begun, or is over
        "not_over",
        "closed",
        "older_rules",  # today's rules do not follow the log: it can be looked at
        "stale",  # the position has changed since the event the request was made for
        "not_your_turn",
        "illegal",  # against the rules of the game: see ``rule``
        "bot_plays",  # a bot plays for you: come back first
        "bot_does_not_play",
        "resigned",
        "not_away",  # has not been away for long enough
        "cannot_take_back",
        "too_many_take_backs",
        "too_many_what_ifs",  # enough tables go on from this game
        "no_take_back_asked",
        "nothing_proposed",
        "proposal_pending",  # the others are being asked already
        "nobody_to_agree",
        "already_answered",
        "too_fast",
        "no_such_event",
        "hidden",  # not to be seen before the game is over
        "no_hints",  # the engine does not help at this table, or not before all agree
        "no_bot_moved",
        "no_reason",  # the bot is not there any more, or has no answer
        "no_such_action",
        "take_back_pending",
        "unknown_lesson",
        "in_lesson",  # not to be asked for at a table for learning
        "lesson_changed",  # its text is another one by now: begin it anew
        "not_in_lesson",  # legal, but not what this step lets through; the message teaches
        "wrong_answer",  # the message says why
        "not_now_in_lesson",  # something is to be done first, or nothing is asked
        "bad_request",
        "busy",  # too many reasons are asked for at once
        "too_long",  # the table has had as many events as it may have
        "stopping",
    }
)


class Problem(Struct, frozen=True):
    """A refusal as it is sent, with its sentence in the language of the caller."""

    code: str
    message: str
    rule: str | None = None


class Refusal(Exception):
    """A refusal before translation: a code, and the parameters of its sentence."""

    def __init__(
        self,
        code: str,
        details: Mapping[str, object] | None = None,
        *,
        rule: str | None = None,
        words: str | None = None,
        english: str | None = None,
    ) -> None:
        """``words`` replaces the sentence of the code, in the language of the caller; ``english``
        replaces it for English callers only."""
        super().__init__(code)
        self.code = code
        self.details = details or {}
        self.rule = rule
        self.words = words
        self.english = english

    def say(self, language: str) -> Problem:
        if self.words is not None:
            return Problem(self.code, self.words, self.rule)
        if self.english is not None and language == "en":
            return Problem(self.code, self.english, self.rule)
        sentences = load_catalogue("archipel.tables", language)
        return Problem(self.code, sentences.say(f"problem.{self.code}", **self.details), self.rule)


def refuse(code: str, **details: object) -> Refusal:
    return Refusal(code, details)


class TableRefused(Exception):
    """Raised by the service when it refuses: nothing was changed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.problem = problem
