"""How a game ends, and how a table does."""

from __future__ import annotations

from archipel.rules.contract import Outcome
from archipel.tables import events
from archipel.tables.decisions.checks import check_host
from archipel.tables.decisions.consenting import ask_to_close
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import refuse
from archipel.tables.table import Table, Who

#: Why a game ended that the rules did not end: a sentence of the house's catalogue.
BY_RESIGNATION = "table.end_resigned"

#: Tables that may go on from moments of one game: each is somebody's to keep.
MOST_WHAT_IFS = 24


def end_game(table: Table, moment: Moment) -> list[events.Event]:
    """The game is over by its rules, or because nobody is left to play against."""
    if table.stage != "playing":
        return []
    outcome = table.definition.outcome(table.state)
    if outcome is None and not _is_abandoned(table):
        return []
    if outcome is None:
        seats = range(len(table.seats))
        outcome = Outcome(
            tuple(table.definition.rank(table.state, seat) for seat in seats),
            tuple(table.definition.score(table.state, seat) for seat in seats),
            BY_RESIGNATION,
        )
    ranks = _ranks(table, outcome)
    return [events.Ended(ranks, list(outcome.scores), outcome.reason, moment.secret.hex())]


def _is_abandoned(table: Table) -> bool:
    """Somebody resigned, and only one seat or only bots are left."""
    left = [seat for seat in table.seats if not seat.resigned]
    if len(left) == len(table.seats):
        return False
    return len(left) < 2 or all(seat.kind == "bot" for seat in left)


def _ranks(table: Table, outcome: Outcome) -> list[int]:
    """By the rules, but those who resigned come last, the first of them very last."""
    keys = [
        (1, -seat.resigned) if seat.resigned else (0, rank)
        for seat, rank in zip(table.seats, outcome.ranks, strict=True)
    ]
    return [sum(other < key for other in keys) for key in keys]


def close(table: Table, who: Who, moment: Moment) -> list[events.Event]:
    """A game that has begun is ended only if the others who are here agree; one can always resign.

    What was hidden is shown then, so it must not be up to the host alone.
    """
    check_host(who)
    if table.stage == "closed":
        raise refuse("closed")
    if table.progress is not None:
        return [events.Closed(None)]
    if table.stage == "playing" and not table.hot_seat:
        return ask_to_close(table, who, moment)
    return [events.Closed(moment.secret.hex() if table.stage == "playing" else None)]


def rematch(table: Table, who: Who, new_table: str) -> list[events.Event]:
    if not who.seats and not who.host:
        raise refuse("not_seated")
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage != "over":
        raise refuse("not_over")
    return [events.Rematched(new_table)]


def play_on(table: Table, who: Who, n: int, new_table: str) -> list[events.Event]:
    if not who.seats and not who.host:
        raise refuse("not_seated")
    if table.stage == "closed":
        raise refuse("closed")
    if len(table.played_on) >= MOST_WHAT_IFS:
        raise refuse("too_many_what_ifs")
    return [events.PlayedOn(new_table, n, who.seats[0] if who.seats else None)]
