"""A tiny benchmark without searching opponents, and its submissions."""

from __future__ import annotations

from archipel.study.benchmark.specification import Specification, parse_specification

TINY = parse_specification(b"""
name = "tiny"
rotations = 2
puzzles = 3
tries = 2
[tracks.search]
limits = "mean seconds per decision"
classes = { "1us" = 1e-6, "1h" = 3600 }
[tracks.learner]
limits = "decisions in training"
classes = { "1m" = 1e6 }
[tracks.language]
limits = "mean tries per decision"
classes = { "first" = 1.0 }
[[games]]
game = "deep-sea"
rules_version = 2
board = ""
options = { first = "drawn", drop_order = "taken" }
anchor = "random"
lineups = [["random"], ["greedy-1", "random"]]
""")


def tiny() -> Specification:
    return TINY
