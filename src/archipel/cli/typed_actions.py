"""Parse the actions that a player types."""

from __future__ import annotations

from collections.abc import Sequence

from archipel.cli.errors import UserError
from archipel.cli.game_text import action_labels
from archipel.game import Action, Game
from archipel.rules.action_sequences import parse_sequence
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.localized_notation import localize, read_localized


def parse_typed(game: Game, text: str, words: Catalogue) -> Sequence[int]:
    """The actions of a typed text: one, or several stages of a decision (``w1 to g6``).

    Raises `UserError`.
    """
    catalogue = game.definition.catalogue(words.language)
    variants = (text, read_localized(catalogue, text))
    labels = action_labels(game, words)
    if (action := _find_label(text, labels, catalogue)) is not None:
        return [action]
    for variant in variants:
        try:
            number = game.definition.parse_action(game.state, variant)
        except NotationError:
            continue
        if number in game.legal:
            return [number]
        refusal = game.definition.refuse(game.state, number, words.language)
        raise UserError("play.refused", reason=refusal.reason, rule=refusal.rule)
    for variant in variants:
        try:
            stages = parse_sequence(game.definition, game.state, variant, words.language)
        except RuleError as refused:
            raise UserError("play.refused", reason=refused.reason, rule=refused.rule) from None
        if stages:
            return stages
    choices = ", ".join(localize(catalogue, action.text) for action, _ in labels)
    raise UserError("play.garbled", text=text[:40], choices=choices)


def _find_label(
    text: str, labels: Sequence[tuple[Action, str]], catalogue: Catalogue
) -> Action | None:
    """Find a legal action by its number, or by the beginning of its notation or description."""
    if text.isascii() and text.isdigit():
        if len(text) < 4 and 1 <= int(text) <= len(labels):
            return labels[int(text) - 1][0]
        raise UserError("play.no_number", number=text[:20], most=len(labels))
    wanted = " ".join(text.casefold().split())
    found = [
        action
        for action, label in labels
        for names in ((action.text, localize(catalogue, action.text), label.casefold()),)
        if any(name.startswith(wanted) for name in names)
    ]
    return found[0] if len(found) == 1 else None
