"""``archipel rules``: print the rules of a game, all or by id."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from textwrap import fill

from archipel.cli.argument_values import find_game
from archipel.cli.errors import UserError
from archipel.cli.output import print_json
from archipel.rules.booklet import Booklet, Chapter, Rule, UnknownRuleError
from archipel.rules.catalogue import Catalogue

WIDTH = 80


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    booklet = find_game(arguments.game).booklet(words.language)
    if arguments.json:
        print_json(_as_data(booklet, arguments.ids))
    else:
        print(chosen_rules(booklet, arguments.ids))
    return 0


def chosen_rules(booklet: Booklet, wanted: Sequence[str]) -> str:
    """The whole booklet, or only the wanted rules and chapters, as text."""
    if not wanted:
        return str(booklet)
    return "\n\n".join(_printed(rule) for rule in find_rules(booklet, wanted))


def find_rules(booklet: Booklet, wanted: Sequence[str]) -> list[Rule]:
    """Find rules by id (in any case), or by chapter: its title or the prefix of its ids."""
    found: dict[str, Rule] = {}
    for text in wanted:
        for rule in _find(booklet, text):
            found[rule.id] = rule
    return list(found.values())


def _find(booklet: Booklet, text: str) -> Iterator[Rule]:
    for chapter in booklet.chapters:
        if text.casefold() in (chapter.title.casefold(), _letters(chapter).casefold()):
            yield from chapter
            return
    try:
        yield booklet.rule(text.upper())
    except UnknownRuleError as error:
        if error.near:
            near = ", ".join(error.near[:3])
            raise UserError("error.rule_near", rule=text, near=near) from None
        raise UserError("error.rule_unknown", rule=text) from None


def _letters(chapter: Chapter) -> str:
    """The common prefix of a chapter's ids, such as DS-T."""
    return re.sub(r"\d+$", "", chapter.rules[0].id)


def _printed(rule: Rule) -> str:
    # Rule ids contain a hyphen and must not be broken.
    return fill(str(rule), WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _as_data(booklet: Booklet, wanted: Sequence[str]) -> object:
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
