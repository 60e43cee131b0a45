"""An analysis as JSON: the output of ``archipel analyse --json`` (see docs/data-files.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.arithmetic import DecisionMeasure
from archipel.analysis.decision_analysis import DecisionEvaluation
from archipel.analysis.evaluation_settings import Evaluation, version_of
from archipel.analysis.game_analysis import Analysis
from archipel.bots import roster_of
from archipel.bots.search.tree_reuse import ChanceNeeded, NoChance
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone, stream_key

#: Limit of the actions in a continuation.
MOST_TOLD = 8


def in_words(definition: Definition[Any], state: Any, action: int, language: str) -> str:
    """Return the label of an action as the table shows it."""
    seat = definition.to_move(state)
    for choice in definition.scene(definition.seen(state, seat), seat).choices:
        if choice.action == action:
            said: str = definition.catalogue(language).say(choice.key, **choice.details)
            return said
    return definition.action_text(state, action)


def turn_after(
    definition: Definition[Any], evaluation: Evaluation, state: Any, action: int, seed: int
) -> list[tuple[Any, int]]:
    """Return the rest of a turn after an action, by the policy: positions with their actions.

    It ends where chance is drawn or another seat decides.
    """
    roster = roster_of(definition.name)
    policy, seat, world = roster.named(evaluation.policy).index, definition.to_move(state), state
    told: list[tuple[Any, int]] = []
    while len(told) < MOST_TOLD:
        following = clone(world)
        try:
            definition.apply(following, action, NoChance())
        except ChanceNeeded:
            break
        if definition.to_move(following) != seat:
            break
        world = following
        legal = definition.legal_actions(world)
        choices = Stream(stream_key(seed, len(told)))
        view = definition.recalled(world, seat)
        action = roster.choose(view, policy, legal, len(legal), choices)
        told.append((world, action))
    return told


FORMAT = "archipel analysis 1"
#: Limit of the candidates per decision, the best first.
MOST_CANDIDATES = 6


def json_report(analysis: Analysis, players: Sequence[str], language: str) -> dict[str, Any]:
    """Return the report as data; labels are in the language."""
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
            decision_report(analysis, analysis.weighed[found.move], found, language)
            for found in measures.decisions
        ],
    }


def decision_report(
    analysis: Analysis, weighed: DecisionEvaluation, found: DecisionMeasure, language: str
) -> dict[str, Any]:
    """Return a decision: candidates with chances; for a mistake also the rest of the turn."""
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
