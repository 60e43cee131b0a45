"""``--bot NAME=COMMAND``: programs that play beside the bots of the house."""

from __future__ import annotations

import argparse

from archipel.bots import roster_of
from archipel.bots.outside.line_process import ProcessFailed
from archipel.bots.outside.programs import (
    FOR_A_DECISION,
    BadProgram,
    BotProgram,
    meet,
    read_program,
)
from archipel.cli.errors import UserError
from archipel.rules.all_games import games

LONGEST_TIME = 600.0


def own_bots(arguments: argparse.Namespace) -> dict[str, BotProgram]:
    """The programs of the command line by name, each started once to see that it plays."""
    seconds = _seconds(arguments.bot_time)
    found: dict[str, BotProgram] = {}
    for text in arguments.bot:
        try:
            program = read_program(text, seconds)
        except BadProgram as error:
            raise UserError("bot.garbled", reason=error) from None
        if program.name in found or program.name in _house_names():
            raise UserError("bot.name_taken", name=program.name)
        try:
            found[program.name] = meet(program)
        except ProcessFailed as failure:
            raise UserError("bot.failed", name=program.name, why=failure) from None
    return found


def _house_names() -> set[str]:
    everybody = [bot for game in games() for bot in roster_of(game.name).players]
    return {name for bot in everybody for name in (bot.name, bot.family)}


def _seconds(text: str | None) -> float:
    if text is None:
        return FOR_A_DECISION
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_TIME:  # what is not a number is neither
        raise UserError("bot.time", text=text, most=int(LONGEST_TIME))
    return seconds
