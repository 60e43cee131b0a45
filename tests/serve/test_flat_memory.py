"""A soak of 100,000 moves: memory and descriptors of the server stay flat."""

import asyncio
import os
import signal
import statistics
from pathlib import Path

import pytest

from benchmarks.load.measuring import ClientPool
from benchmarks.load.processes import served

MOVES = int(os.environ.get("ARCHIPEL_SOAK_MOVES", "100000"))
SAMPLES = 20
#: Growth over the second half of the soak that counts as noise, as a share of the mean.
NOISE = 0.05
TABLES, SEATS = 30, 3


def descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


async def soak(database: Path) -> list[tuple[int, float, int]]:
    """Moves, megabytes and descriptors at intervals; finished games are followed by new ones."""
    samples: list[tuple[int, float, int]] = []
    moves = 0
    with served("benchmarks.load.server", str(database)) as server:
        while moves < MOVES:
            pool = await ClientPool.open(server, "deep-sea", TABLES, SEATS)
            await pool.play_out(600)
            pool.close()
            moves += pool.kept
            if moves >= len(samples) * MOVES / SAMPLES:
                await asyncio.sleep(0.5)
                samples.append((moves, server.megabytes(), descriptors(server.process.pid)))
                print(samples[-1], flush=True)
        server.process.send_signal(signal.SIGTERM)
    return samples


@pytest.mark.soak
@pytest.mark.promise("limits")
def test_memory_and_descriptors_are_flat_over_many_moves(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    samples = asyncio.run(soak(tmp_path / "soak.db"))
    late = samples[len(samples) // 2 :]
    numbers = [moves for moves, _, _ in late]
    for name, values in (
        ("megabytes", [megabytes for _, megabytes, _ in late]),
        ("descriptors", [float(count) for _, _, count in late]),
    ):
        slope = statistics.linear_regression(numbers, values).slope
        growth = slope * (numbers[-1] - numbers[0]) / statistics.fmean(values)
        print(f"{name}: {values[0]:.0f} to {values[-1]:.0f}, {1000 * slope:+.3f} per 1,000 moves")
        assert growth < NOISE, name
