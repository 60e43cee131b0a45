"""Studies: matches, simulations and experiments with many games between bots.

>>> from archipel.study import simulate
>>> print(simulate("deep-sea", ["greedy", "random"], games=2000, seed=1))
"""

from archipel.rules.play_out import UnfinishedGameError
from archipel.study.matches.match import MatchResult, match
from archipel.study.matches.rotation import EntrantFailed
from archipel.study.progress import OnProgress, Progress
from archipel.study.simulation.simulate import BotResult, SimulationResult, WinRate, simulate

__all__ = [
    "BotResult",
    "EntrantFailed",
    "MatchResult",
    "OnProgress",
    "Progress",
    "SimulationResult",
    "UnfinishedGameError",
    "WinRate",
    "match",
    "simulate",
]
