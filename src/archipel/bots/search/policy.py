"""What the policy would do: its choice, and its choice among some actions."""

from __future__ import annotations

from archipel.rules.kit import Stream, draw, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.slots import GameState, choose


@rule_apart
def ask(s: GameState, bot: int, actions: list[int], count: int, choices: Stream) -> int:
    return choose(s, bot, actions, count, choices)


@rule
def pick(s: GameState, bot: int, actions: list[int], count: int, choices: Stream) -> int:
    """The place in a list of the action that the policy likes best there.

    A policy may answer with what is not in the list, being used to all that is legal: then it has
    no opinion on the others, and any of them is taken.
    """
    wished = ask(s, bot, actions, count, choices)
    for number in range(count):
        if actions[number] == wished:
            return number
    return draw(choices, count)
