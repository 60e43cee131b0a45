"""Actions in words, and how a turn would have gone on after another choice."""

from __future__ import annotations

from typing import Any

from archipel.analysis.evaluation import Evaluation
from archipel.bots import roster_of
from archipel.bots.search.kept import ChanceComes
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone, stream_key

#: No longer story is told.
MOST_TOLD = 8


class _NoChance:
    def draw(self, n: int, /) -> int:
        raise ChanceComes


def in_words(definition: Definition[Any], state: Any, action: int, language: str) -> str:
    """What an action means to the seat to move, as the table says it."""
    seat = definition.to_move(state)
    for choice in definition.scene(definition.seen(state, seat), seat).choices:
        if choice.action == action:
            said: str = definition.catalogue(language).say(choice.key, **choice.details)
            return said
    return definition.action_text(state, action)


def turn_after(
    definition: Definition[Any], evaluation: Evaluation, state: Any, action: int, seed: int
) -> list[tuple[Any, int]]:
    """The rest of a turn by the policy, after an action: each further position with what is done
    there, until chance comes in or somebody else decides."""
    roster = roster_of(definition.name)
    policy, seat, world = roster.named(evaluation.policy).index, definition.to_move(state), state
    told: list[tuple[Any, int]] = []
    while len(told) < MOST_TOLD:
        following = clone(world)
        try:
            definition.apply(following, action, _NoChance())
        except ChanceComes:
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
