"""Analysis of games that are over: who stood how, what luck gave and took, what decisions did.

>>> from archipel.analysis import analyse
>>> analyse(archipel.load_record(path)).seats[0].luck
"""

from archipel.analysis.analysing import Analysis, NothingToAnalyse, analyse, analysing
from archipel.analysis.summing import Interval95, SeatSum, Summary

__all__ = [
    "Analysis",
    "Interval95",
    "NothingToAnalyse",
    "SeatSum",
    "Summary",
    "analyse",
    "analysing",
]
