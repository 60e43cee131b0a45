"""Plug-ins are added if they fit, and skipped with a reason otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel.bots.all_bots import joined
from archipel.bots.contract import BotInfo, Roster
from archipel.bots.deep_sea.roster import DEEP_SEA_BOTS
from archipel.bots.random_play import only_at_random
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.rules.plugins import PluginError
from tests.plugins.site import run, write_package

MORE_BOTS = """
from archipel.bots.contract import BotInfo, Roster
from archipel.bots.random_play import choose_at_random
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Chance, rule

@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    return actions[count - 1] if bot == 1 else actions[0]

FIRST_AND_LAST = Roster(
    DEEP_SEA, choose, (BotInfo("deep-sea", "first-1", 0), BotInfo("deep-sea", "last-1", 1))
)
TWICE = Roster(DEEP_SEA, choose, (BotInfo("deep-sea", "greedy-1", 0),))
ASTRAY = Roster(DEEP_SEA, choose, (BotInfo("atlantis", "first-1", 0),))
NUMBER = 3
"""

BAD_GAMES = """
from dataclasses import replace

from archipel.rules.deep_sea.definition import DEEP_SEA

AGAIN = replace(DEEP_SEA)
SHOUTING = replace(DEEP_SEA, name="DEEP SEA")
MUTE = replace(DEEP_SEA, name="mute", package="archipel.rules.hex_sea")
NUMBER = 3
"""

LOOK = """
import json
from archipel.bots import Bot, bots_of
from archipel.game import Game
from archipel.rules.all_games import games
from archipel.rules.plugins import left_out

game = Game.new("deep-sea", 2, seed=1, first=1)
game.play("dive", dice=(2, 3))
legal = [int(action) for action in game.legal]
chosen = {
    name: Bot.named("deep-sea", name).choose(game.view(0).state, legal)
    for name in ("first-1", "last-1", "last")
}
print(json.dumps({
    "bots": [bot.name for bot in bots_of("deep-sea")],
    "games": [game.name for game in games()],
    "chosen": chosen,
    "left out": {one.entry: one.reason for one in left_out()},
    "packages": sorted({one.package for one in left_out()}),
}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    bots = {"a": "FIRST_AND_LAST", "twice": "TWICE", "astray": "ASTRAY", "number": "NUMBER"}
    write_package(
        site,
        "more_bots",
        MORE_BOTS,
        {"archipel.bots": {name: f"more_bots:{target}" for name, target in bots.items()}},
    )
    games = {"again": "AGAIN", "shouting": "SHOUTING", "mute": "MUTE", "three": "NUMBER"}
    entries = {name: f"bad_games:{target}" for name, target in games.items()}
    entries["missing"] = "no_such_module:GAME"
    write_package(site, "bad_games", BAD_GAMES, {"archipel.games": entries})
    return site


def test_valid_plugins_are_added_and_others_skipped(site: Path) -> None:
    done = run([site], "-c", LOOK)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["bots"][-2:] == ["first-1", "last-1"]
    assert seen["chosen"] == {"first-1": 3, "last-1": 4, "last": 4}
    assert seen["games"] == ["deep-sea", "atlantis", "the-island", "mauna-kea"]
    assert seen["packages"] == ["bad_games 1.0", "more_bots 1.0"]
    left_out = seen["left out"]
    assert left_out.pop("mute").startswith("FileNotFoundError: ")
    assert left_out == {
        "again": "there is already a game called deep-sea",
        "shouting": "'DEEP SEA' is no name for a game: small letters, digits and hyphens",
        "three": "bad_games:NUMBER is not a Definition",
        "missing": "ModuleNotFoundError: No module named 'no_such_module'",
        "twice": "deep-sea already has a bot called greedy-1",
        "astray": "first-1 is not for deep-sea",
        "number": "more_bots:NUMBER is not a Roster",
    }


def test_the_command_line_reports_skipped_plugins(site: Path) -> None:
    done = run([site], "-m", "archipel", "games", "--lang", "fr")
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert len(lines) == 8
    reported = {
        "twice, de more_bots 1.0": "deep-sea a déjà un robot appelé greedy-1",
        "astray, de more_bots 1.0": "first-1 n’est pas fait pour deep-sea",
        "number, de more_bots 1.0": "more_bots:NUMBER n’est pas un Roster",
        "again, de bad_games 1.0": "il y a déjà un jeu appelé deep-sea",
        "missing, de bad_games 1.0": "ModuleNotFoundError: No module named 'no_such_module'",
    }
    for whose, why in reported.items():
        assert f"archipel: {whose}, est ignoré\u00a0: {why}" in lines


def test_joined_rosters_keep_the_choices_of_their_bots() -> None:
    more = Roster(DEEP_SEA, only_at_random, (BotInfo("deep-sea", "wild-1", 0),))
    both = joined(DEEP_SEA_BOTS, more)
    assert [bot.index for bot in both.bots] == list(range(len(DEEP_SEA_BOTS.bots) + 1))
    state = DEEP_SEA.new(DEEP_SEA.make_options(2), Stream(1))
    for bot in both.bots:
        assert both.choose(state, bot.index, [0], 1, Stream(1)) == 0
    with pytest.raises(PluginError, match="already has a bot called wild-1"):
        joined(both, more)
