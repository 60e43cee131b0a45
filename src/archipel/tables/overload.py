"""Detects overload by how late the event loop is, and says what to shed: reads and bots first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from archipel.tables.settings import Settings

_INTERVAL = 0.05
#: Weight of the latest measurement in the moving average.
_WEIGHT = 0.2
#: The most that one measurement counts, in milliseconds: one long stall is no overload.
_MOST = 900.0


class Overload:
    """Measures while it runs; ``waiting`` is the number of commands in progress."""

    def __init__(self, settings: Settings, waiting: Callable[[], int]) -> None:
        self._settings = settings
        self._waiting = waiting
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        #: Moving average of the lateness, in milliseconds.
        self.late = 0.0

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + _INTERVAL
        self._timer = loop.call_at(self._due, self._measure)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.late = 0.0

    def _measure(self) -> None:
        late = 1000 * (asyncio.get_running_loop().time() - self._due)
        self.late += _WEIGHT * (min(late, _MOST) - self.late)
        self.start()

    @property
    def sheds_reads(self) -> bool:
        """Whether to refuse what nobody needs to play, and to let bots wait."""
        return self.late > self._settings.late or self.sheds_commands

    @property
    def sheds_commands(self) -> bool:
        """Whether to refuse new commands, too."""
        full = self._waiting() >= self._settings.commands
        return full or self.late > self._settings.too_late
