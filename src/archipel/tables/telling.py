"""What happened, told to everybody who listens: to each what is different for them, made once for
all who see and know the same."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from archipel.tables import shown
from archipel.tables.differences import position_change, table_change
from archipel.tables.looking_back import has_to_forget
from archipel.tables.showing import Showing, Sight, show_page
from archipel.tables.subscriptions import News, Subscription
from archipel.tables.table import Table


class Teller:
    """Of the events of a table after number ``after``."""

    def __init__(self, table: Table, public: shown.Table, after: int, log_page: int) -> None:
        self._table = table
        self._public = public
        self._after = after
        self._log_page = log_page
        self._showing = Showing(table)
        self._sights: dict[int | None, Sight | None] = {}
        self._made: dict[tuple[int | None, int, int, int], News] = {}

    def tell(self, subscription: Subscription) -> bool:
        """Whether there was room for it."""
        eyes = subscription.seat
        if eyes not in self._sights:
            self._sights[eyes] = self._showing.sight(eyes)
        # What they know is kept by them, so no other object can have the same identity.
        key = (eyes, subscription.n, id(subscription.table), id(subscription.sight))
        news = self._made.get(key)
        if news is None:
            news = self._made[key] = News(self._update(subscription))
        subscription.n = self._table.n
        subscription.table = self._public
        subscription.sight = self._sights[eyes]
        return subscription.offer(news)

    def _update(self, subscription: Subscription) -> shown.Update:
        eyes = subscription.seat
        whole = has_to_forget(self._table, self._after, eyes)
        after = 0 if whole else self._after
        page = show_page(self._table, eyes, after=after, limit=self._log_page)
        position, change = self._position(subscription.sight, self._sights[eyes])
        return shown.Update(
            n=self._table.n,
            base=subscription.n,
            log=page.log,
            log_from=page.log_from,
            table=table_change(subscription.table, self._public),
            position=position,
            change=change,
            whole=whole,
        )

    @staticmethod
    def _position(
        known: Sight | None, now: Sight | None
    ) -> tuple[shown.Position | UnsetType, shown.PositionChange | UnsetType]:
        if now is None:
            return UNSET, UNSET
        if known is None:
            return now.whole(), UNSET
        return UNSET, position_change(known, now)
