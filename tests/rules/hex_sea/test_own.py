"""Whoever follows a name to a placeholder is told where each game has its own."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from archipel.rules.hex_sea import own
from archipel.rules.kit.marking import is_rule

OPEN = [name for name, value in vars(own).items() if is_rule(value)]


@pytest.mark.parametrize("name", OPEN)
def test_an_open_rule_tells_where_each_game_has_its_own(name: str) -> None:
    found = re.findall(r"`(the_island|atlantis)\.(\w+)\.(\w+)`", getattr(own, name).__doc__)
    assert [game for game, _, _ in found] == ["the_island", "atlantis"]
    for game, module, function in found:
        defined = vars(import_module(f"archipel.rules.{game}.{module}"))[function]
        assert is_rule(defined)
        assert defined is not getattr(own, name)
