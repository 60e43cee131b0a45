"""When a notice may come: not in quiet hours, and in a digest only once a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from archipel.notices.channels import Habits


def zone_named(name: str) -> tzinfo:
    """A time zone; UTC if the system does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def earliest(now: int, habits: Habits, kind: str) -> int:
    """The earliest time from now on that a notice may come (Unix milliseconds).

    The reminder at a tenth and a nudge do not wait for the digest, but for the end of quiet hours.
    """
    local = datetime.fromtimestamp(now / 1000, zone_named(habits.zone))
    due = local
    if habits.digest is not None and kind in ("turn", "half"):
        due = local.replace(hour=habits.digest, minute=0, second=0, microsecond=0)
        if due < local:
            due += timedelta(days=1)
    due = _after_quiet_hours(due, habits)
    return max(now, int(due.timestamp() * 1000))


def _after_quiet_hours(at: datetime, habits: Habits) -> datetime:
    start, end = habits.quiet_from, habits.quiet_until
    minute = at.hour * 60 + at.minute
    quiet = start <= minute < end if start < end else minute >= start or minute < end
    if start == end or not quiet:
        return at
    over = at.replace(hour=end // 60 % 24, minute=end % 60, second=0, microsecond=0)
    return over if over > at else over + timedelta(days=1)
