"""Studies: matches, simulations and experiments with many games between bots.

>>> from archipel.study import simulate
>>> print(simulate("deep-sea", ["greedy", "random"], games=2000, seed=1))
"""

from archipel.rules.play_out import UnfinishedGameError
from archipel.study.matches.match import match
from archipel.study.matches.match_result import MatchResult
from archipel.study.matches.rotation import EntrantFailed
from archipel.study.progress import OnProgress, Progress
from archipel.study.simulation.simulate import simulate
from archipel.study.simulation.simulation_result import BotResult, SimulationResult, WinRate

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
