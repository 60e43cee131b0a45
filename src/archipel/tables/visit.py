"""Having a table to oneself for a while, loaded and as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archipel.tables.place import Place

if TYPE_CHECKING:
    from archipel.tables.hall import Hall


class Visit:
    """What `Hall.at` gives: ``async with`` it, and the place is ours alone until the block ends."""

    __slots__ = ("_fresh", "_hall", "_place", "_table_id")

    def __init__(self, hall: Hall, table_id: str, *, fresh: bool) -> None:
        self._hall = hall
        self._table_id = table_id
        self._fresh = fresh
        self._place: Place

    async def __aenter__(self) -> Place:
        hall = self._hall
        place = self._place = hall.enter(self._table_id)
        try:
            await place.lock.acquire()
            try:
                if not hall.is_current(place, self._fresh):
                    await hall.make_current(place, self._fresh)
            except BaseException:
                place.lock.release()
                raise
        except BaseException:
            hall.leave(place)
            raise
        return place

    async def __aexit__(self, *why: object) -> None:
        self._place.lock.release()
        self._hall.leave(self._place)
