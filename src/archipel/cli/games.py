"""``archipel games`` and ``rules``: list the games, their options and bots; print their rules."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

import archipel.bots  # noqa: F401 (loads the bots of plug-ins)
from archipel.cli.argument_values import find_game
from archipel.cli.errors import UserError
from archipel.cli.output import print_result
from archipel.cli.players import bot_names
from archipel.rules.all_games import games
from archipel.rules.booklet import Booklet, Rule, UnknownRuleError
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition
from archipel.rules.options import Option, choice_text
from archipel.rules.plugins import left_out

WIDTH = 80
INDENT = " " * 6


def run_games(arguments: argparse.Namespace, words: Catalogue) -> int:
    report_failed_plugins(words)
    data = [_game_data(game, words) for game in games()]
    texts = ["\n".join(_lines(game, words)) for game in games()]
    return print_result(arguments.json, data, ["\n\n".join(texts)])


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


def _game_data(game: Definition[Any], words: Catalogue) -> dict[str, object]:
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


def report_failed_plugins(words: Catalogue) -> None:
    """Print one line for each plug-in that could not be loaded."""
    for one in left_out():
        reason = one.tell(words.language)
        said = words.say("games.left_out", entry=one.entry, package=one.package, reason=reason)
        print(f"archipel: {said}", file=sys.stderr)


def run_rules(arguments: argparse.Namespace, words: Catalogue) -> int:
    booklet = find_game(arguments.game).booklet(words.language)
    data, text = _booklet_data(booklet, arguments.ids), chosen_rules(booklet, arguments.ids)
    return print_result(arguments.json, data, [text])


def chosen_rules(booklet: Booklet, wanted: Sequence[str]) -> str:
    """The whole booklet as text, or only the given rules and chapters."""
    if not wanted:
        return str(booklet)
    return "\n\n".join(
        # Rule ids contain a hyphen and must not be broken.
        fill(str(rule), WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        for rule in find_rules(booklet, wanted)
    )


def find_rules(booklet: Booklet, wanted: Sequence[str]) -> list[Rule]:
    """Find rules by id (in any case), or by chapter: its title or the prefix of its ids."""
    found = {rule.id: rule for text in wanted for rule in _find(booklet, text)}
    return list(found.values())


def _find(booklet: Booklet, text: str) -> Iterator[Rule]:
    for chapter in booklet.chapters:
        prefix = re.sub(r"\d+$", "", chapter.rules[0].id)  # such as DS-T
        if text.casefold() in (chapter.title.casefold(), prefix.casefold()):
            yield from chapter
            return
    try:
        yield booklet.rule(text.upper())
    except UnknownRuleError as error:
        if error.near:
            near = ", ".join(error.near[:3])
            raise UserError("error.rule_near", rule=text, near=near) from None
        raise UserError("error.rule_unknown", rule=text) from None


def _booklet_data(booklet: Booklet, wanted: Sequence[str]) -> object:
    if wanted:
        return [_rule_data(rule) for rule in find_rules(booklet, wanted)]
    return {
        "title": booklet.title,
        "language": booklet.language,
        "introduction": booklet.introduction,
        "chapters": [
            {"title": chapter.title, "rules": [_rule_data(rule) for rule in chapter]}
            for chapter in booklet.chapters
        ],
    }


def _rule_data(rule: Rule) -> dict[str, object]:
    return {"id": rule.id, "sources": list(rule.sources), "text": rule.text}
