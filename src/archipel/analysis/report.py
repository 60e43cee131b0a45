"""An analysis as data: what ``archipel analyse --json`` prints (docs/data-files.md says what)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.analysing import Analysis
from archipel.analysis.evaluation import version_of
from archipel.analysis.going_on import in_words, turn_after
from archipel.analysis.summing import DecisionMeasure
from archipel.analysis.weighed import Weighed

FORMAT = "archipel analysis 1"
#: Candidates that are told of each decision, the best first.
MOST_CANDIDATES = 6


def report(analysis: Analysis, players: Sequence[str], language: str) -> dict[str, Any]:
    """Everything, in whole words of a language where there are words."""
    game, measures = analysis.game, analysis.measures
    moments = analysis.course.moments
    return {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.definition.rules_version,
        "players": list(players),
        "finished": analysis.course.result is not None,
        "evaluation": {
            "version": version_of(analysis.evaluations),
            **msgspec.to_builtins(analysis.evaluations),
        },
        "corrections": msgspec.to_builtins(analysis.corrections),
        "seed": analysis.seed,
        "measures": msgspec.to_builtins(measures),
        "summary": msgspec.to_builtins(analysis.summary),
        "moves": [
            {
                "seat": moment.move.seat,
                "action": moment.move.action.text,
                "chance": moment.move.chance,
                "words": in_words(
                    game.definition, moment.before, int(moment.move.action), language
                ),
            }
            for moment in moments
        ],
        "decisions": [
            told_decision(analysis, analysis.weighed[found.move], found, language)
            for found in measures.decisions
        ],
    }


def told_decision(
    analysis: Analysis, weighed: Weighed, found: DecisionMeasure, language: str
) -> dict[str, Any]:
    """A decision: its candidates with their chances, and how the turn goes on after the best."""
    definition = analysis.game.definition
    before = analysis.course.moments[found.move].before
    best = weighed.actions[weighed.best]
    told = {
        "move": found.move,
        "seat": found.seat,
        "mistake": found.move in analysis.mistakes,
        "best": best,
        "best_words": in_words(definition, before, best, language),
        "candidates": [
            {
                "action": action,
                "text": definition.action_text(before, action),
                "chance": analysis.corrections.decision.apply(tally.means)[found.seat],
                "error": tally.error(found.seat),
                "worlds": tally.worlds,
            }
            for action, tally in weighed.ranked()[:MOST_CANDIDATES]
        ],
    }
    if told["mistake"]:
        rest = turn_after(definition, analysis.evaluations.decision, before, best, weighed.seed)
        told["then"] = [in_words(definition, state, action, language) for state, action in rest]
    return told
