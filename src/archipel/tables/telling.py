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
from archipel.tables.subscriptions import Known, News, Subscription
from archipel.tables.table import Table


class _Eyes:
    """What there is to tell through the eyes of a seat or of a spectator, or of all to whom it
    looks alike; and what they know once they were told."""

    __slots__ = ("known", "page", "whole")

    def __init__(self, known: Known, whole: bool, page: shown.LogPage) -> None:
        self.known = known
        self.whole = whole
        self.page = page


class Teller:
    """Of the events of a table after number ``after``; ``alike`` is what was told of the table
    before, if nothing but who is to move is different since."""

    def __init__(
        self,
        table: Table,
        public: shown.Table,
        after: int,
        log_page: int,
        alike: shown.Table | None = None,
    ) -> None:
        self._table = table
        self._public = public
        self._known_alike = alike
        self._after = after
        self._log_page = log_page
        self._showing = Showing(table)
        self._past = forgotten_since(table, after)
        self._page_of_all: shown.LogPage | None = None
        self._eyes: dict[int | None, _Eyes] = {}
        #: Of those who may read the same lines, by what they see.
        self._alike: dict[int, _Eyes] = {}
        self._differences = Differences()
        self._made: dict[Hashable, News] = {}

    def tell(self, subscription: Subscription) -> bool:
        """Whether there was room for it."""
        seat, known = subscription.seat, subscription.known
        eyes = self._eyes.get(seat)
        if eyes is None:
            eyes = self._eyes[seat] = self._through(seat)
        # A whole position says whose eyes it is for.
        told = (known, eyes, seat) if known.sight is None else (known, eyes)
        news = self._made.get(told)
        if news is None:
            news = self._made[told] = News(self._update(known, eyes, seat))
        subscription.known = eyes.known
        return subscription.offer(news)

    def _through(self, seat: int | None) -> _Eyes:
        whole = self._past is not None and has_to_forget(self._table, self._past, seat)
        page = None if whole else self._page_of_all
        if page is None:
            page = self._page(seat, 0 if whole else self._after)
        sight = self._showing.sight(seat)
        if page is not self._page_of_all:
            return _Eyes(Known(self._table.n, self._public, sight), whole, page)
        eyes = self._alike.get(id(sight))
        if eyes is None:
            known = Known(self._table.n, self._public, sight)
            eyes = self._alike[id(sight)] = _Eyes(known, whole, page)
        return eyes

    def _page(self, seat: int | None, after: int) -> shown.LogPage:
        page = show_page(self._table, seat, after=after, limit=self._log_page)
        if after == self._after and is_told_to_all(self._table, after):
            self._page_of_all = page
        return page

    def _update(self, known: Known, eyes: _Eyes, seat: int | None) -> shown.Update:
        position, change = self._position(known.sight, eyes.known.sight, seat)
        return shown.Update(
            self._table.n,
            known.n,
            eyes.page.log,
            eyes.page.log_from,
            self._table_change(known.table),
            position,
            change,
            eyes.whole,
        )

    def _table_change(self, known: shown.Table) -> shown.TableChange | UnsetType:
        if known is self._known_alike:
            to_move = self._public.to_move
            return UNSET if known.to_move == to_move else shown.TableChange(to_move=to_move)
        return table_change(known, self._public)

    def _position(
        self, known: Sight | None, now: Sight | None, seat: int | None
    ) -> tuple[shown.Position | UnsetType, shown.PositionChange | UnsetType]:
        if now is None:
            return UNSET, UNSET
        if known is None:
            return now.whole(seat), UNSET
        return UNSET, self._differences.position(known, now)
