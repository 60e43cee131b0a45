"""Whoever follows a name to a placeholder is told where each game has its own."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from archipel.bots.hex_sea import quick_own
from archipel.rules.hex_sea import own
from archipel.rules.kit.marking import AnyRule, is_rule

OPEN = [
    pytest.param(layer, value, id=name)
    for layer, placeholders in (("rules", own), ("bots", quick_own))
    for name, value in vars(placeholders).items()
    if is_rule(value)
]


@pytest.mark.parametrize(("layer", "placeholder"), OPEN)
def test_an_open_rule_tells_where_each_game_has_its_own(layer: str, placeholder: AnyRule) -> None:
    found = re.findall(r"`(the_island|atlantis)\.(\w+)\.(\w+)`", placeholder.__doc__ or "")
    assert [game for game, _, _ in found] == ["the_island", "atlantis"]
    for game, module, function in found:
        defined = vars(import_module(f"archipel.{layer}.{game}.{module}"))[function]
        assert is_rule(defined)
        assert defined is not placeholder
