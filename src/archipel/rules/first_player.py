"""An option of every game: who begins."""

from __future__ import annotations

from archipel.rules.contract import NOBODY
from archipel.rules.options import Option, OptionError, Options
from archipel.rules.sentence import Sentence


def first_option(most_seats: int, rule: str) -> Option:
    """One of the seats, from 1; or drawn."""
    return Option("first", (None, *range(1, most_seats + 1)), rule)


def check_first(option: Option, options: Options) -> None:
    """Refuse a seat that nobody sits at."""
    first = options[option.name]
    if isinstance(first, int) and first > options.seats:
        raise OptionError(
            Sentence(
                "first: there is no seat {first} with {seats} players ({rule})",
                first=first,
                seats=options.seats,
                rule=option.rule,
            )
        )


def first_seat(options: Options) -> int:
    """Who is to begin, from 0; nobody where it is drawn."""
    first = options["first"]
    return NOBODY if first is None else int(first) - 1
