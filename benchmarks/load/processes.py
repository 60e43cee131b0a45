"""Starting a server in a process of its own, and ending it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Served:
    """A server process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    def cpu_seconds(self) -> float | None:
        """The processor time it has used so far, where the system tells."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / 100


@contextmanager
def served(module: str, *arguments: str) -> Iterator[Served]:
    """Run ``python -m module`` until the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{module} did not start")
        yield Served(process, int(line))
    finally:
        process.stdin.close()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
