"""Whether this server was there all the time: it may have been asleep with its machine."""

from __future__ import annotations

from archipel.store.clock import Clock


class Watch:
    """Notices gaps between the beats of a running server."""

    def __init__(self, clock: Clock, gap: int | None) -> None:
        """Longer than ``gap`` milliseconds without a beat, and we were not there; None: always."""
        self._clock = clock
        self._gap = gap
        self._beat_at: int | None = None
        #: Since when we have been there.
        self.awake_since = clock()
        #: Until when we were there before; None if this is the first time.
        self.away_from: int | None = None
        #: A gap was noticed that not all tables know of yet.
        self.is_news = False

    def start(self) -> None:
        self._beat_at = self.awake_since = self._clock()

    def beat(self) -> None:
        self.look()
        if self._beat_at is not None:
            self._beat_at = self._clock()

    def look(self) -> None:
        now = self._clock()
        if self._gap is None or self._beat_at is None or now - self._beat_at <= self._gap:
            return
        self.away_from, self.awake_since, self._beat_at = self._beat_at, now, now
        self.is_news = True
