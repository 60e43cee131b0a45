"""Why a bot moved as it did: after the game it is asked again, with the same view and seed."""

from __future__ import annotations

from archipel.tables import events, shown
from archipel.tables.bot_players import bot_seed
from archipel.tables.place import Place
from archipel.tables.problems import refuse
from archipel.tables.table import Table
from archipel.tables.thinking import Asked, BotFailed, Chosen, Thinking

#: At one place the last few are remembered: people step to and fro.
REASONS_KEPT = 50


class Reasons:
    """Asks the bots of games that are over."""

    def __init__(self, thinking: Thinking, seconds: float, most_waiting: int) -> None:
        self._thinking = thinking
        self._seconds = seconds
        self._most_waiting = most_waiting
        self._waiting = 0

    async def of(self, place: Place, n: int) -> shown.Why:
        """Of the action of event n; raises `Refusal`."""
        kept = place.reasons.get(n)
        if kept is not None:
            return kept
        event, asked = _asked_again(place.table, n, place.secret)
        if not event.bot or len(asked.legal) == 1:
            return shown.Why(n, event.seat, event.bot, event.action, len(asked.legal), [])
        if self._waiting >= self._most_waiting:
            raise refuse("busy")
        self._waiting += 1
        try:
            chosen = await self._thinking.consider(asked, self._seconds)
        except BotFailed as failure:
            raise refuse("no_reason") from failure
        finally:
            self._waiting -= 1
        reason = _told(place.table, n, event, asked, chosen)
        if len(place.reasons) >= REASONS_KEPT:
            del place.reasons[next(iter(place.reasons))]
        place.reasons[n] = reason
        return reason


def _asked_again(table: Table, n: int, secret: bytes) -> tuple[events.Played, Asked]:
    """The action, and what its bot was asked."""
    if table.secret is None:
        raise refuse("hidden")
    if not 1 <= n <= table.n:
        raise refuse("no_such_event", n=n)
    logged = table.log[n - 1]
    event = logged.event
    if not isinstance(event, events.Played) or event.by != "bot" or logged.before is None:
        raise refuse("no_bot_moved")
    definition, state = table.definition, logged.before.unpack()
    return event, Asked(
        table=table.id,
        game=table.game,
        bot=event.bot,
        view=definition.recalled(state, event.seat),
        legal=definition.legal_actions(state),
        seed=bot_seed(secret, table.log[n - 2].position_n),
    )


def _told(table: Table, n: int, event: events.Played, asked: Asked, chosen: Chosen) -> shown.Why:
    labels = {
        choice.action: choice for choice in table.definition.scene(asked.view, event.seat).choices
    }
    return shown.Why(
        n,
        event.seat,
        event.bot,
        event.action,
        len(asked.legal),
        [
            shown.Considered(
                candidate.action,
                labels[candidate.action].text,
                labels[candidate.action].key,
                dict(labels[candidate.action].details),
                round(candidate.chance, 4),
                candidate.tried,
            )
            for candidate in chosen.candidates
            if candidate.action in labels
        ],
    )
