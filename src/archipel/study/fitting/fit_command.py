"""Arguments and output files shared by the commands that fit weights."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from archipel import bots
from archipel.bots import UnknownBotError, roster_of
from archipel.rules.contract import UnknownGameError


class FitCommand:
    """``python -m archipel.study.fitting.NAME GAME VERSION [options]``."""

    def __init__(self, name: str, description: str, bot: str, games: int, one_in: int) -> None:
        """``bot`` is the option that names the bot; ``games`` and ``one_in`` are defaults."""
        prog = f"python -m archipel.study.fitting.{name}"
        self.parser = argparse.ArgumentParser(prog=prog, description=description)
        add = self.parser.add_argument
        add("game")
        add("version", help="name of the new file, such as evaluation_1 or quick_1")
        add("--games", type=int, default=games, help=f"games per number of seats ({games})")
        add("--one-in", type=int, default=one_in, help=f"sample one decision in N ({one_in})")
        add(f"--{bot}", dest="bot", default="greedy", help="the bot that plays (greedy)")
        add("--seed", type=int, default=1)

    def parse(self, arguments: Sequence[str] | None) -> Any:
        """Parsed arguments with the bot's full name; exits with an error message if one is bad."""
        given = self.parser.parse_args(arguments)
        try:
            given.bot = roster_of(given.game).named(given.bot).name
        except (UnknownGameError, UnknownBotError) as error:
            self.parser.error(str(error))
        if min(given.games, given.one_in, getattr(given, "workers", 1)) < 1:
            self.parser.error("games, one-in and workers must be at least one: at least one game")
        return given


def quality_of(fit: Any, count: str, hits: str) -> dict[str, Any]:
    """Quality of a fit in a file of weights; the number of samples is its field ``count``."""
    rounded = {name: round(getattr(fit, name), 4) for name in ("loss", "blind", hits)}
    return {count: getattr(fit, count), **rounded}


def write_weights(given: Any, data: Mapping[str, Any], indent: int | None = None) -> None:
    """Write a file of weights beside the bots of the game and print its path."""
    file = Path(bots.__file__).parent / given.game.replace("-", "_") / f"{given.version}.json"
    file.write_text(json.dumps(data, indent=indent) + "\n", encoding="utf-8")
    print(file)
