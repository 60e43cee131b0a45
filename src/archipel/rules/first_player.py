"""The option ``first``, which every game has: the starting player."""

from __future__ import annotations

from archipel.rules.contract import NOBODY
from archipel.rules.options import Option, OptionError, Options


def first_option(most_seats: int, rule: str) -> Option:
    """Return the option: a seat from 1, or drawn."""
    return Option("first", (None, *range(1, most_seats + 1)), rule)


def check_first(option: Option, options: Options) -> None:
    """Raise `OptionError` if the option names a seat that is not in the game."""
    first = options[option.name]
    if isinstance(first, int) and first > options.seats:
        raise OptionError(
            "first: there is no seat {first} with {seats} players ({rule})",
            first=first,
            seats=options.seats,
            rule=option.rule,
        )


def first_seat(options: Options) -> int:
    """Return the starting seat from 0, or NOBODY if it is drawn."""
    first = options["first"]
    return NOBODY if first is None else int(first) - 1
