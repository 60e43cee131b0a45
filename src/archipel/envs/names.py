"""The names of environments, which never change sense."""

from __future__ import annotations

from archipel.envs.spec import VERSION
from archipel.rules.all_games import games

NAMESPACE = "archipel"


def environment_name(game: str) -> str:
    """``archipel/DeepSea-v1``; what is observed or rewarded otherwise gets the next number."""
    words = "".join(word.capitalize() for word in game.split("-"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def environment_names() -> dict[str, str]:
    """The name of each game's environment, by game."""
    return {definition.name: environment_name(definition.name) for definition in games()}
