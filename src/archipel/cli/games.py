"""``archipel games``: list the games, their options and bots."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from textwrap import fill
from typing import Any

import archipel.bots  # noqa: F401 (loads the bots of plug-ins)
from archipel.cli.output import print_json
from archipel.cli.players import bot_names
from archipel.rules.all_games import games
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition
from archipel.rules.options import Option, choice_text
from archipel.rules.plugins import left_out

WIDTH = 80
INDENT = " " * 6


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    report_left_out(words)
    if arguments.json:
        data = [_as_data(game, words) for game in games()]
        print_json(data)
    else:
        print("\n\n".join("\n".join(_lines(game, words)) for game in games()))
    return 0


def _lines(game: Definition[Any], words: Catalogue) -> Iterator[str]:
    sentences = game.catalogue(words.language)
    low, high = game.seats[0], game.seats[-1]
    title = game.title(words.language)
    yield words.say("games.heading", name=game.name, title=title, low=low, high=high)
    bots = words.say("games.bots", bots=", ".join(bot_names(game.name)))
    yield fill(bots, WIDTH, subsequent_indent=INDENT, break_on_hyphens=False)
    for option in game.options:
        yield ""
        yield words.say("games.option", name=option.name, rule=option.rule)
        about = sentences.say(f"option.{option.name}.help")
        yield fill(about, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
        width = max(len(choice_text(choice)) for choice in option.choices)
        for choice, label in _choices(option, sentences):
            usual = words.say("games.usual") if choice == choice_text(option.default) else ""
            yield f"{INDENT}{choice:<{width}}  {label}{usual}"


def _choices(option: Option, sentences: Catalogue) -> list[tuple[str, str]]:
    texts = [choice_text(choice) for choice in option.choices]
    return [(text, sentences.say(f"choice.{option.name}.{text}")) for text in texts]


def _as_data(game: Definition[Any], words: Catalogue) -> dict[str, object]:
    sentences = game.catalogue(words.language)
    return {
        "name": game.name,
        "title": game.title(words.language),
        "rules_version": game.rules_version,
        "seats": list(game.seats),
        "bots": bot_names(game.name),
        "options": [
            {
                "name": option.name,
                "label": sentences.say(f"option.{option.name}"),
                "help": sentences.say(f"option.{option.name}.help"),
                "rule": option.rule,
                "default": choice_text(option.default),
                "choices": [
                    {"value": text, "label": label} for text, label in _choices(option, sentences)
                ],
            }
            for option in game.options
        ],
    }


def report_left_out(words: Catalogue) -> None:
    """Print one line for each plug-in that could not be loaded."""
    for one in left_out():
        reason = one.tell(words.language)
        said = words.say("games.left_out", entry=one.entry, package=one.package, reason=reason)
        print(f"archipel: {said}", file=sys.stderr)
