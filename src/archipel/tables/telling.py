"""What happened, told to everybody who listens: to each what is different for them, made once for
all for whom it is the same."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import UNSET, UnsetType

from archipel.tables import shown
from archipel.tables.differences import Differences, table_change
from archipel.tables.looking_back import has_to_forget
from archipel.tables.showing import Showing, Sight, show_page
from archipel.tables.subscriptions import News, Subscription
from archipel.tables.table import Table


class _Eyes:
    """What there is to tell through the eyes of one seat, or of a spectator."""

    def __init__(self, table: Table, showing: Showing, after: int, seat: int | None, limit: int):
        self.sight = showing.sight(seat)
        self.whole = has_to_forget(table, after, seat)
        self.page = show_page(table, seat, after=0 if self.whole else after, limit=limit)
        # Lines that everybody may read are the same objects for all.
        lines = tuple(map(id, self.page.log))
        self.kind = (_kind(self.sight), self.whole, self.page.log_from, lines)


def _kind(sight: Sight | None) -> Hashable:
    """Of sights that are alike in all that is told, whoever looks: the scene is one object then."""
    if sight is None:
        return None
    mine = (bool(sight.choices), sight.may_take_back, sight.take_back_asked_by)
    return (id(sight.scene), sight.n, *mine)


class Teller:
    """Of the events of a table after number ``after``."""

    def __init__(self, table: Table, public: shown.Table, after: int, log_page: int) -> None:
        self._table = table
        self._public = public
        self._after = after
        self._log_page = log_page
        self._showing = Showing(table)
        self._eyes: dict[int | None, _Eyes] = {}
        self._differences = Differences()
        self._made: dict[Hashable, News] = {}

    def tell(self, subscription: Subscription) -> bool:
        """Whether there was room for it."""
        eyes = self._through(subscription.seat)
        # Everything that is known stays alive until all are told: an identity stands for one thing.
        known: tuple[Hashable, ...] = (
            subscription.n,
            id(subscription.table),
            _kind(subscription.sight),
        )
        if subscription.sight is None:  # a whole position says whose eyes it is for
            known = (*known, subscription.seat)
        news = self._made.get((known, eyes.kind))
        if news is None:
            news = self._made[known, eyes.kind] = News(self._update(subscription, eyes))
        self._differences.keep(subscription.sight, subscription.table)
        subscription.n = self._table.n
        subscription.table = self._public
        subscription.sight = eyes.sight
        return subscription.offer(news)

    def _through(self, seat: int | None) -> _Eyes:
        eyes = self._eyes.get(seat)
        if eyes is None:
            eyes = _Eyes(self._table, self._showing, self._after, seat, self._log_page)
            self._eyes[seat] = eyes
        return eyes

    def _update(self, subscription: Subscription, eyes: _Eyes) -> shown.Update:
        position, change = self._position(subscription.sight, eyes.sight)
        return shown.Update(
            n=self._table.n,
            base=subscription.n,
            log=eyes.page.log,
            log_from=eyes.page.log_from,
            table=table_change(subscription.table, self._public),
            position=position,
            change=change,
            whole=eyes.whole,
        )

    def _position(
        self, known: Sight | None, now: Sight | None
    ) -> tuple[shown.Position | UnsetType, shown.PositionChange | UnsetType]:
        if now is None:
            return UNSET, UNSET
        if known is None:
            return now.whole(), UNSET
        return UNSET, self._differences.position(known, now)
