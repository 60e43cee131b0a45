"""Linear policies: a bot that scores each action by a weighted sum of features.

A feature is a number, for example "steps ashore" or "three steps from an exit". A game's `describe`
rule packs the features of an action into one integer; their weights are a JSON file in the game's
package, fitted by `archipel.study.fitting.fit_policy`. Such a bot does not search, so a choice is
cheap: it proposes actions in a search or plays rollouts.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from archipel.rules.kit import rule

#: Bits of a feature, and how many features fit into a description.
BITS: Final = 12
MOST_TRAITS: Final = 1 << BITS
MOST_AT_ONCE: Final = 5
NO_TRAIT: Final = 0  # has weight 0

#: Weights are in hundredths of the fitted value; the bot chooses at random among actions whose
#: scores differ by less than `ALIKE`.
SCALE: Final = 100
ALIKE: Final = 8


class PolicyFileError(ValueError):
    """A file of policy weights is missing or invalid."""


@rule
def together(feature: int, others: int) -> int:
    """Pack a feature with another, or with several packed ones, into one integer."""
    return feature | others << BITS


@cache
def policy_weights(game: str, version: str, traits: int) -> tuple[int, ...]:
    """Return the weights of a version, one per feature; raises `PolicyFileError`."""
    file = files(f"archipel.bots.{game.replace('-', '_')}") / f"{version}.json"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        raise PolicyFileError(f"{game}: there is no {version}.json") from None
    return read_weights(text, f"{game}: {version}.json", traits)


def read_weights(text: str, name: str, traits: int) -> tuple[int, ...]:
    """Parse and check a file of weights; ``null`` means all zero, before the first fit."""
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
