"""What to play and with whom, asked one thing at a time; Enter takes what is proposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from archipel.cli.choosing import find_game, whole_number
from archipel.cli.errors import UserError
from archipel.cli.players import bot_in_words, bot_names, seat_players, usual_bot
from archipel.cli.screen import Screen
from archipel.rules.all_games import games
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition

USUAL_SEATS = 3

T = TypeVar("T")


def ask_setup(words: Catalogue, screen: Screen) -> tuple[Definition[Any], list[str]]:
    """The game and its players, by name."""
    screen.line(words.say("setup.welcome"), "strong")
    known = list(games())
    for game in known:
        screen.line(f"  {game.name:<12} {game.title(words.language)}")
    prompt = words.say("setup.game", proposed=known[0].name)
    definition = _ask(screen, words, prompt, known[0].name, find_game)
    low, high = definition.seats[0], definition.seats[-1]
    prompt = words.say("setup.seats", low=low, high=high, proposed=USUAL_SEATS)
    seats = _ask(screen, words, prompt, str(USUAL_SEATS), lambda text: _seats(definition, text))
    offered = [bot_in_words(bot, words.language) for bot in bot_names(definition.name)]
    screen.line(words.say("setup.bots", bots=", ".join(offered)))
    named: list[str] = []
    for seat in range(seats):
        person = words.say("setup.person", number=seat + 1)
        proposed = person if seat == 0 else usual_bot(definition.name)
        prompt = words.say("setup.player", number=seat + 1, proposed=proposed)
        named.append(
            _ask(screen, words, prompt, proposed, lambda text: _name(definition, named, text))
        )
    return definition, named


def _ask(
    screen: Screen, words: Catalogue, prompt: str, proposed: str, read: Callable[[str], T]
) -> T:
    """Ask until the answer makes sense."""
    while True:
        try:
            return read(screen.ask(prompt) or proposed)
        except UserError as error:
            screen.line(error.tell(words), "warning")


def _seats(definition: Definition[Any], text: str) -> int:
    return whole_number("", text, definition.seats[0], definition.seats[-1])


def _name(definition: Definition[Any], before: list[str], text: str) -> str:
    seat_players(definition.name, [*before, text])
    return text
