"""Server processes: start, measure and stop them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

#: The root of this checkout.
ROOT = Path(__file__).parents[2]


def processor_time(process: int, unknown: float = 0.0) -> float:
    """Processor seconds of a process without its children; ``unknown`` if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return unknown
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_of(process: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True
    )
    return [int(child) for child in listed.stdout.split()]


@dataclass(frozen=True)
class Served:
    """A server process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    def processor_seconds(self) -> float:
        """The processor time used so far; NaN if the system does not provide it."""
        return processor_time(self.process.pid, unknown=float("nan"))

    def next_table(self, number: int) -> None:
        """Tell the server the number of the next table, and wait for its confirmation."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b"%d\n" % number)
        self.process.stdin.flush()
        if int(self.process.stdout.readline()) != number:
            raise RuntimeError(f"the server did not confirm the number {number}")

    def megabytes(self) -> float:
        """The resident memory; NaN if the system does not provide it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return float("nan")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@contextmanager
def served(module: str, *arguments: str, checkout: Path | None = None) -> Iterator[Served]:
    """Run ``python -m module`` of this checkout until the end of the block, with the sources of
    this checkout or of another one."""
    sources = (checkout or ROOT) / "src"
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(sources), str(ROOT)))},
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
