"""Several staged actions said in one go: ``w1 to g6`` for ``explorer w1`` and then ``swim g6``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import ChanceError, Tape, clone

#: Longer sentences than anybody types are not worth the search.
MOST_WORDS = 12


def in_stages(
    definition: Definition[Any], state: Any, text: str, language: str = "en"
) -> list[int] | None:
    """The actions that a text says one after the other, all of them of the seat to move and legal
    in turn; None if it says none or only one.

    Each is named as in notation, or by the end of its text (``w1`` for ``explorer w1``) where that
    names one legal action alone.  Where chance comes in between, nothing more can be said.  Raises
    `RuleError` where the first of them is legal and the next is not.
    """
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= MOST_WORDS:
        return None
    if _named(definition, state, words) is not None:
        return None
    found = _split(definition, state, words)
    if found is None:
        _refuse_the_rest(definition, state, words, language)
    return found


def _refuse_the_rest(
    definition: Definition[Any], state: Any, words: Sequence[str], language: str
) -> None:
    """Where the beginning is an action and the rest one that is not legal after it: say why."""
    for end in range(len(words) - 1, 0, -1):
        action = _named(definition, state, words[:end])
        after = None if action is None else _played(definition, state, action)
        if after is not None:
            with suppress(NotationError):
                number = definition.parse_action(after, " ".join(words[end:]))
                raise definition.refuse(after, number, language)


def _split(definition: Definition[Any], state: Any, words: Sequence[str]) -> list[int] | None:
    for end in range(len(words), 0, -1):
        action = _named(definition, state, words[:end])
        if action is None:
            continue
        if end == len(words):
            return [action]
        after = _played(definition, state, action)
        rest = None if after is None else _split(definition, after, words[end:])
        if rest is not None:
            return [action, *rest]
    return None


def _named(definition: Definition[Any], state: Any, words: Sequence[str]) -> int | None:
    legal = definition.legal_actions(state)
    text = " ".join(words)
    try:
        number = definition.parse_action(state, text)
    except NotationError:
        ending = f" {text.casefold()}"
        ends = [a for a in legal if definition.action_text(state, a).casefold().endswith(ending)]
        return ends[0] if len(ends) == 1 else None
    return number if number in legal else None


def _played(definition: Definition[Any], state: Any, action: int) -> Any | None:
    """The position after it, if its seat goes on deciding and no chance came with it."""
    after = clone(state)
    try:
        definition.apply(after, action, Tape(()))
    except ChanceError:
        return None
    return after if definition.to_move(after) == definition.to_move(state) else None
