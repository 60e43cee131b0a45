"""Names of the environments."""

from __future__ import annotations

from archipel.envs.observation_spec import VERSION
from archipel.rules.all_games import games

NAMESPACE = "archipel"


def environment_name(game: str) -> str:
    """``archipel/DeepSea-v1``; a change of observations or rewards increments the version."""
    words = "".join(word.capitalize() for word in game.split("-"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def environment_names() -> dict[str, str]:
    """Names of the environments by game."""
    return {definition.name: environment_name(definition.name) for definition in games()}
