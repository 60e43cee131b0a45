"""Parse several actions from one text: ``w1 to g6`` is ``explorer w1`` and then ``swim g6``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import ChanceError, Tape, clone

#: Longer texts are not worth the search.
MOST_WORDS = 12


def parse_sequence(
    definition: Definition[Any], state: Any, text: str, language: str = "en"
) -> list[int] | None:
    """Return the actions that a text names, or None if it names fewer than two.

    All actions belong to the seat to move and are legal in turn.  Each is written in notation, or
    abbreviated to the end of its notation (``w1`` for ``explorer w1``) where only one legal action
    ends so.  An action that involves chance ends the sequence.  Raises `RuleError` if the text
    starts with a legal action and goes on with an illegal one.
    """
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= MOST_WORDS:
        return None
    if _named(definition, state, words) is not None:
        return None
    found = _split(definition, state, words)
    if found is None:
        _raise_if_rest_is_illegal(definition, state, words, language)
    return found


def _raise_if_rest_is_illegal(
    definition: Definition[Any], state: Any, words: Sequence[str], language: str
) -> None:
    """Raise `RuleError` if the first words are a legal action and the rest is an illegal one."""
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
    """Return the position after an action, or None if it drew chance or ended the seat's move."""
    after = clone(state)
    try:
        definition.apply(after, action, Tape(()))
    except ChanceError:
        return None
    return after if definition.to_move(after) == definition.to_move(state) else None
