"""Limit processes to a share of a core each, by control groups of Linux.

A throughput that processor time limits can then be measured in wall time, even with fewer cores
than processes.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_MICROSECONDS = 20_000


class CannotLimitError(Exception):
    """Control groups are not available."""


@contextmanager
def limited(processes: Sequence[int], share: float) -> Iterator[None]:
    """Limit each process to this share of a core until the end of the block."""
    groups: list[Path] = []
    try:
        for process in processes:
            groups.append(_make_group(share))
            (groups[-1] / "cgroup.procs").write_text(str(process))
        yield
    except OSError as error:
        raise CannotLimitError(f"processes cannot be limited here: {error}") from error
    finally:
        for group in groups:
            with suppress(OSError):
                for left in (group / "cgroup.procs").read_text().split():
                    (group.parent / "cgroup.procs").write_text(left)
                group.rmdir()


def _make_group(share: float) -> Path:
    quota = round(share * PERIOD_MICROSECONDS)
    first_version = GROUPS / "cpu"
    group = (first_version if first_version.exists() else GROUPS) / f"share-{uuid.uuid4().hex[:8]}"
    os.mkdir(group)
    if first_version.exists():
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}")
    return group
