"""How a baseline learns."""

from __future__ import annotations

from dataclasses import dataclass

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)


@dataclass(frozen=True)
class Settings:
    """The defaults are those of the curve in the documents. Equal settings, equal learning."""

    game: str = "deep-sea"
    opponents: str = "random"
    seats: int = 2
    decisions: int = 4_000_000
    """In all, and the rate of learning falls evenly from the first to the last; 0: as many as there
    is time for, and it falls with the clock."""
    lanes: int = 128
    steps: int = 32
    """In every lane, between two improvements."""
    rounds: int = 3
    """How often what was played is gone through."""
    pieces: int = 4
    """In how many parts."""
    rate: float = 2e-3
    margin: float = 1.0
    """How much points count at the beginning, 0 to 1; at the end only who is first does."""
    discount: float = 1.0
    smoothing: float = 0.95
    clip: float = 0.2
    curiosity: float = 0.01
    hidden: int = 64
    seed: int = 1
    threads: int = 1
    device: str = CPU
