"""Option values are written the same way everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from archipel import Game, OptionError, parse_record
from archipel.record import Record
from tests.cli.conftest import Archipel

ON: list[Any] = [True, "on", "yes", "True", "ON", " on ", "oui"]
OFF: list[Any] = [False, "off", "no", "false", "non"]


@pytest.mark.parametrize("value", ON)
def test_on(value: object) -> None:
    game = Game.new("the-island", 2, crowded=value)
    assert game.options["crowded"] is True
    begun = Game.from_position("the-island", white="d4", yellow="d5", crowded=value)
    assert begun.options["crowded"] is True


@pytest.mark.parametrize("value", OFF)
def test_off(value: object) -> None:
    assert Game.new("atlantis", 2, swimmers_land=value).options["swimmers_land"] is False
    begun = Game.from_position("atlantis", red="d4", blue="d5", swimmers_land=value)
    assert begun.options["swimmers_land"] is False


@pytest.mark.parametrize("value", [2, "2"])
def test_a_number(value: object) -> None:
    assert Game.new("deep-sea", 3, first=value).options["first"] == 2


@pytest.mark.parametrize("value", [None, "drawn", "none", "random"])
def test_a_random_value(value: object) -> None:
    assert Game.new("deep-sea", 3, first=value).options["first"] is None


@pytest.mark.parametrize("word", ["on", "yes", "true"])
def test_in_a_record(word: str) -> None:
    text = str(Record(Game.new("the-island", 2, seed=1, crowded=True)))
    assert "crowded: on" in text
    read = parse_record(text.replace("crowded: on", f"crowded: {word}"))
    assert read.game.options["crowded"] is True


@pytest.mark.parametrize("word", ["off", "no", "false"])
def test_on_the_command_line(archipel: Archipel, word: str) -> None:
    setting = f"swimmers_land={word}"
    arguments = ("play", "atlantis", "--players", "Ana,Ben", "--set", setting)
    assert archipel(*arguments, typed="quit\n").code == 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("maybe", "crowded: maybe is not one of off, on (IS-V1)"),
        (1, "crowded: 1 is not one of off, on (IS-V1)"),
        (1.5, "crowded: 1.5 is not one of off, on (IS-V1)"),
        (["on"], "crowded: ['on'] is not one of off, on (IS-V1)"),
    ],
)
def test_other_spellings_are_refused(value: object, said: str) -> None:
    with pytest.raises(OptionError) as refused:
        Game.new("the-island", 2, crowded=value)
    assert str(refused.value) == said
