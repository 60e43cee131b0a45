"""Processes can be limited to a share of a core, where control groups are available."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.load import shares
from benchmarks.load.processes import processor_time
from benchmarks.load.shares import CannotLimitError, limited


def test_a_process_is_limited_to_its_share() -> None:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        with limited([process.pid], 0.1):
            before, begun = processor_time(process.pid), time.monotonic()
            time.sleep(1.0)
            used = processor_time(process.pid) - before
            assert used <= 0.1 * (time.monotonic() - begun) + 0.05
    except CannotLimitError as error:
        pytest.skip(str(error))
    finally:
        process.kill()
        process.wait()


def test_without_control_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shares, "GROUPS", tmp_path / "none")
    with pytest.raises(CannotLimitError, match="cannot be limited here"), limited([1], 0.5):
        pass
