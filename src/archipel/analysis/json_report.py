"""An analysis as JSON: the output of ``archipel analyse --json`` (see docs/data-files.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.arithmetic import DecisionMeasure
from archipel.analysis.evaluation_settings import version_of
from archipel.analysis.game_analysis import Analysis
from archipel.bots import roster_of
from archipel.bots.search.tree_reuse import ChanceNeeded, NoChance
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone, stream_key

#: Limit of the actions in a continuation.
LONGEST_CONTINUATION = 8


def in_words(definition: Definition[Any], state: Any, action: int, language: str) -> str:
    """Return the label of an action as the table shows it."""
    seat = definition.to_move(state)
    for choice in definition.scene(definition.seen(state, seat), seat).choices:
        if choice.action == action:
            return definition.catalogue(language).say(choice.key, **choice.details)
    return definition.action_text(state, action)


def continuation(analysis: Analysis, state: Any, action: int, seed: int) -> list[tuple[Any, int]]:
    """Return the rest of a turn after an action, by the policy: positions with their actions.

    It ends where chance is drawn or another seat decides.
    """
    definition, roster = analysis.game.definition, roster_of(analysis.game.name)
    policy = roster.number_of(analysis.evaluations.decision.policy)
    seat, world = definition.to_move(state), state
    found: list[tuple[Any, int]] = []
    while len(found) < LONGEST_CONTINUATION:
        following = clone(world)
        try:
            definition.apply(following, action, NoChance())
        except ChanceNeeded:
            break
        if definition.to_move(following) != seat:
            break
        world = following
        legal = definition.legal_actions(world)
        choices = Stream(stream_key(seed, len(found)))
        view = definition.recalled(world, seat)
        action = roster.choose(view, policy, legal, len(legal), choices)
        found.append((world, action))
    return found


FORMAT = "archipel analysis 1"
#: Limit of the candidates per decision, the best first.
MOST_CANDIDATES = 6


def json_report(analysis: Analysis, players: Sequence[str], language: str) -> dict[str, Any]:
    """Return the report as data; labels are in the language."""
    game, measures = analysis.game, analysis.measures
    moments = analysis.timeline.moments
    return {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.definition.rules_version,
        "players": list(players),
        "finished": analysis.timeline.result is not None,
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
            decision_report(analysis, measure, language) for measure in measures.decisions
        ],
    }


def decision_report(analysis: Analysis, found: DecisionMeasure, language: str) -> dict[str, Any]:
    """Return a decision: candidates with chances; for a mistake also the rest of the turn."""
    definition, evaluation = analysis.game.definition, analysis.decisions[found.move]
    before = analysis.timeline.moments[found.move].before
    best = evaluation.actions[evaluation.best]
    report: dict[str, Any] = {
        "move": found.move,
        "seat": found.seat,
        "mistake": found.move in analysis.mistakes,
        "best": best,
        "best_words": in_words(definition, before, best, language),
        "candidates": [
            {
                "action": action,
                "text": definition.action_text(before, action),
                "chance": analysis.corrections.decision.apply(sums.means)[found.seat],
                "error": sums.error(found.seat),
                "worlds": sums.worlds,
            }
            for action, sums in evaluation.ranked()[:MOST_CANDIDATES]
        ],
    }
    if report["mistake"]:
        rest = continuation(analysis, before, best, evaluation.seed)
        report["then"] = [in_words(definition, state, action, language) for state, action in rest]
    return report
