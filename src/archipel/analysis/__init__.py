"""Analysis of finished games: each seat's chances, luck, skill and mistakes.

>>> from archipel.analysis import analyse
>>> analyse(archipel.load_record("game.txt")).seats[0].luck
"""

from archipel.analysis.arithmetic import Interval95, SeatSum, Summary
from archipel.analysis.game_analysis import Analysis, NothingToAnalyse, analyse, analysing

__all__ = [
    "Analysis",
    "Interval95",
    "NothingToAnalyse",
    "SeatSum",
    "Summary",
    "analyse",
    "analysing",
]
