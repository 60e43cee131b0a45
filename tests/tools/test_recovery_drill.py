"""The recovery drill of docs/hosting.md, with the real commands and a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.recovery_drill import drill


@pytest.mark.promise("recovery")
@pytest.mark.soak
def test_a_lost_disk_costs_what_came_after_the_backup_and_nothing_else(tmp_path: Path) -> None:
    found = drill(tmp_path, 20)
    print(found)
    assert found.wrong == ()
    assert found.restored == found.backed_up < found.lost_at
