"""Quick bots: a few traits of each action, what each weighs as data, and the heaviest is chosen.

A trait is a number: that a step leads ashore, say, or so near to an exit.  A game's rule `describe`
names those of an action in the position at hand, all in one number; a version of their weights is a
file beside it, made by `archipel.study.fit_policy`.  Nothing is looked for and nothing is played
out in thought, so a choice costs a few random steps: such bots are there for playouts.  One that is
in more of a hurry looks at a handful of the actions only.

`quick_choice` adopts the rule with a game's own traits and weights (see `quick_own`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final

from archipel.bots import quick_own
from archipel.bots.quick_own import HANDFUL, WEIGHTS, describe, glance
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.kit.marking import rule_apart
from archipel.rules.slots import GameState

#: Bits of a trait, and how many fit into a description.
BITS: Final = 12
MOST_TRAITS: Final = 1 << BITS
MOST_AT_ONCE: Final = 5
NO_TRAIT: Final = 0  # weighs nothing

#: Weights are in hundredths of what the fit found; of actions within so many any is chosen.
SCALE: Final = 100
ALIKE: Final = 8

WORST: Final = -(1 << 40)


class PolicyFileError(ValueError):
    """The weights of a quick bot cannot be used: which file, and why."""


@rule
def together(first: int, second: int, third: int, fourth: int) -> int:
    """Traits in one number."""
    return first | second << BITS | third << 2 * BITS | fourth << 3 * BITS


@rule
def glance_at_nothing(s: GameState) -> int:
    """For a game whose actions speak for themselves."""
    return 0


@rule
def weight_of(description: int) -> int:
    """What all traits of an action weigh together."""
    weight = 0
    while description != 0:
        weight += WEIGHTS[description & (MOST_TRAITS - 1)]
        description = description >> BITS
    return weight


@rule_apart
def choose_quickly(s: GameState, actions: list[int], count: int, chance: Chance) -> int:
    """The action whose traits weigh most."""
    if count == 1:
        return actions[0]
    seen = glance(s)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        value = weight_of(describe(s, seen, actions[index])) + draw(chance, ALIKE)
        if value > best:
            best = value
            chosen = actions[index]
    return chosen


@rule_apart
def choose_from_handful(s: GameState, actions: list[int], count: int, chance: Chance) -> int:
    """Of a few actions, spread over the list from a place that is drawn, the one whose traits weigh
    most; the first of those that weigh the same."""
    if count == 1:
        return actions[0]
    seen = glance(s)
    place = draw(chance, count)
    looked_at = min(count, HANDFUL)
    step = count // looked_at
    best = WORST
    chosen = actions[0]
    for _ in range(looked_at):
        value = weight_of(describe(s, seen, actions[place]))
        if value > best:
            best = value
            chosen = actions[place]
        place += step
        if place >= count:
            place -= count
    return chosen


Choice = Callable[[Any, list[int], int, Chance], int]


def quick_choice(
    game: str,
    version: str,
    described: Callable[[Any, int, int], int],
    traits: int,
    glanced: Callable[[Any], int] = glance_at_nothing,
    handful: int | None = None,
) -> Choice:
    """How a game's quick bot of a version chooses, which knows so many traits: among all actions,
    or among a handful of them."""
    weights = list(policy_weights(game, version, traits))
    own = {"glance": glanced, "describe": described, "WEIGHTS": weights}
    if handful is None:
        return Adoption(quick_own, own)(choose_quickly)
    return Adoption(quick_own, {**own, "HANDFUL": handful})(choose_from_handful)


@cache
def policy_weights(game: str, version: str, traits: int) -> tuple[int, ...]:
    """The weights of a version, one for each trait; raises `PolicyFileError`."""
    file = files(f"archipel.bots.{game.replace('-', '_')}") / f"{version}.json"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        raise PolicyFileError(f"{game}: there is no {version}.json") from None
    return read_weights(text, f"{game}: {version}.json", traits)


def read_weights(text: str, name: str, traits: int) -> tuple[int, ...]:
    """The weights in a file, checked; ``null`` stands for those of a bot that is yet to be fitted,
    where nothing weighs anything."""
    try:
        found = json.loads(text)["weights"]
    except (ValueError, KeyError, TypeError):
        raise PolicyFileError(f"{name} holds no weights") from None
    if found is None:
        return (0,) * traits
    if not isinstance(found, list) or len(found) != traits:
        count = len(found) if isinstance(found, list) else 0
        raise PolicyFileError(f"{name} has {count} weights for {traits} traits")
    for trait, weight in enumerate(found):
        if type(weight) is not int or abs(weight) > 1_000_000:
            raise PolicyFileError(f"{name}: the weight of trait {trait} is {weight!r}, no number")
    if found[NO_TRAIT] != 0:
        raise PolicyFileError(f"{name}: trait {NO_TRAIT} is none and weighs {found[NO_TRAIT]}")
    return tuple(found)
