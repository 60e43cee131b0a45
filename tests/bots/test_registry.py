"""Bots by name."""

from __future__ import annotations

import dataclasses

import pytest

from archipel import UnknownGameError
from archipel.bots import (
    BotInfo,
    Roster,
    UnknownBotError,
    bot_named,
    bots_of,
    offered_bots,
    player_named,
    roster_of,
)
from archipel.bots.random_play import only_at_random
from archipel.rules.all_games import games
from archipel.tables.bots.players import bots_for


def test_bots_of_a_game() -> None:
    assert [bot.name for bot in bots_of("deep-sea")] == ["random", "greedy-1", "careful-1"]
    assert [bot.index for bot in bots_of("deep-sea")] == [0, 1, 2]
    assert [bot.name for bot in offered_bots("deep-sea")] == ["random", "greedy-1"]


@pytest.mark.parametrize("name", ["greedy-1", "greedy", " Greedy ", "GREEDY-1"])
def test_bot_by_name(name: str) -> None:
    assert bot_named("deep-sea", name).name == "greedy-1"


def test_a_family_name_means_its_newest_version() -> None:
    names = ("greedy-2", "greedy-10", "greedy-9", "greedy")
    infos = tuple(BotInfo("deep-sea", name, index) for index, name in enumerate(names))
    roster = dataclasses.replace(roster_of("deep-sea"), bots=infos)
    assert roster.named("greedy-9").index == 2
    assert roster.named("greedy").index == 3, "an exact name comes before a family"
    shorter = dataclasses.replace(roster, bots=infos[:3])
    assert shorter.named("greedy").name == "greedy-10"


def test_unknown_bot() -> None:
    with pytest.raises(UnknownBotError) as caught:
        bot_named("deep-sea", "greedy-7")
    assert str(caught.value) == (
        "deep-sea has no bot called 'greedy-7'; there are: random, greedy-1, careful-1"
    )


@pytest.mark.parametrize(
    ("game", "name", "instead"),
    [
        ("atlantis", "quick-2", "greedy-1"),
        ("deep-sea", "quick", "greedy-1"),
        ("mauna-kea", "quick-2", "quick-1"),
    ],
)
def test_a_removed_bot_names_its_replacement(game: str, name: str, instead: str) -> None:
    with pytest.raises(UnknownBotError) as caught:
        player_named(game, name)
    assert str(caught.value) == f"{game}: the bot {name!r} was removed; use {instead} instead"


def test_unknown_game() -> None:
    with pytest.raises(UnknownGameError):
        bots_of("deep-see")


def test_bots_are_numbered_in_order() -> None:
    bots = (BotInfo("deep-sea", "random", 1),)
    with pytest.raises(ValueError, match="in order"):
        Roster(roster_of("deep-sea").definition, only_at_random, bots)


def test_former_levels_can_be_named() -> None:
    """A changed level has the next number, and its former version still exists."""
    for game in games():
        roster = roster_of(game.name)
        newest = {level.family: level for level in roster.levels}
        assert len(newest) == len(roster.levels), "one level per family is current"
        for former in roster.former_levels:
            assert roster.player_named(former.name) is former
            assert newest[former.family].version > former.version
            assert newest[former.family].config != former.config
            assert roster.player_named(former.family) is newest[former.family]
            assert former.name in bots_for(game.name)
