"""What happened, told to everybody who listens: to each what is different for them, made once for
all for whom it is the same."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import UNSET, UnsetType

from archipel.tables import shown
from archipel.tables.differences import Differences, table_change
from archipel.tables.looking_back import forgotten_since, has_to_forget
from archipel.tables.showing import is_told_to_all, show_page
from archipel.tables.sights import Showing, Sight
from archipel.tables.subscriptions import News, Subscription
from archipel.tables.table import Table


class _Eyes:
    """What there is to tell through the eyes of one seat, or of a spectator."""

    __slots__ = ("kind", "page", "sight", "whole")

    def __init__(self, sight: Sight | None, whole: bool, page: shown.LogPage) -> None:
        self.sight = sight
        self.whole = whole
        self.page = page
        # Lines that everybody may read are the same objects for all.
        lines = tuple(map(id, page.log))
        self.kind = (_kind(sight), whole, page.log_from, lines)


def _kind(sight: Sight | None) -> Hashable:
    """Of sights that are alike in all that is told, whoever looks: the scene is one object then."""
    if sight is None:
        return None
    choices = bool(sight.choices)
    return (id(sight.scene), sight.n, choices, sight.may_take_back, sight.take_back_asked_by)


class Teller:
    """Of the events of a table after number ``after``."""

    def __init__(self, table: Table, public: shown.Table, after: int, log_page: int) -> None:
        self._table = table
        self._public = public
        self._after = after
        self._log_page = log_page
        self._showing = Showing(table)
        self._past = forgotten_since(table, after)
        self._page_of_all: shown.LogPage | None = None
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
            whole = self._past is not None and has_to_forget(self._table, self._past, seat)
            page = self._page(seat, 0 if whole else self._after)
            eyes = self._eyes[seat] = _Eyes(self._showing.sight(seat), whole, page)
        return eyes

    def _page(self, seat: int | None, after: int) -> shown.LogPage:
        if self._page_of_all is not None and after == self._after:
            return self._page_of_all
        page = show_page(self._table, seat, after=after, limit=self._log_page)
        if after == self._after and is_told_to_all(self._table, after):
            self._page_of_all = page
        return page

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
