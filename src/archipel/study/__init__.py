"""Studies: what happens when bots play many games.

>>> from archipel.study import simulate
>>> print(simulate("deep-sea", ["greedy", "random"], games=2000, seed=1))
"""

from archipel.study.backends import OnProgress, Progress
from archipel.study.match import match
from archipel.study.result import BotResult, SimulationResult, WinRate
from archipel.study.simulation import UnfinishedGameError, simulate

__all__ = [
    "BotResult",
    "OnProgress",
    "Progress",
    "SimulationResult",
    "UnfinishedGameError",
    "WinRate",
    "match",
    "simulate",
]
