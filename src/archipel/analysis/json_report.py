"""An analysis as JSON: the output of ``archipel analyse --json`` (see docs/data-files.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.arithmetic import PositionMeasure
from archipel.analysis.evaluation_settings import version_of
from archipel.analysis.game_analysis import Analysis
from archipel.bots.search.tree_reuse import ChanceNeeded, NoChance
from archipel.rules.contract import Definition
from archipel.rules.kit import clone


def in_words(definition: Definition[Any], state: Any, action: int, language: str) -> str:
    """Return the label of an action as the table shows it."""
    seat = definition.to_move(state)
    for choice in definition.scene(definition.seen(state, seat), seat).choices:
        if choice.action == action:
            return definition.catalogue(language).say(choice.key, **choice.details)
    return definition.action_text(state, action)


FORMAT = "archipel analysis 2"
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
        "measures": {"positions": [position_report(point) for point in measures.positions]},
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
        "turns": [turn_report(analysis, number, language) for number in range(len(analysis.turns))],
    }


def position_report(point: PositionMeasure) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.to_builtins(point)
    del report["batches"]
    return report


def turn_report(analysis: Analysis, number: int, language: str) -> dict[str, Any]:
    """Return a turn: as played, the better turn if one was found, and the candidates tried."""
    measure, turn = analysis.measures.turns[number], analysis.turns[number]
    moments = analysis.timeline.moments[measure.first : measure.until]
    return {
        "first": measure.first,
        "until": measure.until,
        "seat": measure.seat,
        "loss": measure.loss,
        "error": measure.error,
        "mistake": number in analysis.mistakes,
        "played": turn_in_words(analysis, number, [int(m.move.action) for m in moments], language),
        "better": None
        if turn.better is None
        else turn_in_words(analysis, number, turn.better.actions, language),
        "candidates": [
            {
                "move": move,
                "action": analysis.game.definition.action_text(
                    analysis.timeline.moments[move].before, action
                ),
                "chance": analysis.corrections.decision.apply(sums.means)[measure.seat],
                "error": sums.error(measure.seat),
                "worlds": sums.worlds,
            }
            for move, found in sorted(turn.candidates.items())
            for action, sums in found[:MOST_CANDIDATES]
        ],
    }


def turn_in_words(
    analysis: Analysis, number: int, actions: Sequence[int], language: str
) -> list[str]:
    """Return the labels of the actions of a turn, from the position before it."""
    definition = analysis.game.definition
    measure = analysis.measures.turns[number]
    state = clone(analysis.timeline.moments[measure.first].before)
    words: list[str] = []
    for action in actions:
        words.append(in_words(definition, state, action, language))
        try:
            definition.apply(state, action, NoChance())
        except ChanceNeeded:
            break
    return words
