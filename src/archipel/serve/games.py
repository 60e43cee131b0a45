"""The games as the lobby shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from archipel.rules.all_games import game_named, games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, UnknownGameError
from archipel.serve.messages import ChapterText, GameDescription, OptionDescription, Rules, RuleText
from archipel.serve.problems import Denied


def describe_games(
    bots_of: Callable[[str], Sequence[str]], engine_of: Callable[[str], str | None]
) -> list[GameDescription]:
    return [
        GameDescription(
            name=game.name,
            titles={language: game.title(language) for language in LANGUAGES},
            introductions={language: game.booklet(language).introduction for language in LANGUAGES},
            fewest_seats=game.seats[0],
            most_seats=game.seats[-1],
            options=[
                OptionDescription(option.name, list(option.choices), option.default, option.rule)
                for option in game.options
            ],
            bots=list(bots_of(game.name)),
            rules_version=game.rules_version,
            engine=engine_of(game.name),
        )
        for game in games()
    ]


def rules_text(game: str, language: str) -> Rules:
    """The rules to read; raises `Denied`."""
    booklet = _game(game, language).booklet(language)
    return Rules(
        booklet.title,
        booklet.introduction,
        [
            ChapterText(
                chapter.title,
                [RuleText(rule.id, list(rule.sources), rule.text) for rule in chapter],
            )
            for chapter in booklet.chapters
        ],
        booklet.language,
    )


def sentences(game: str, language: str) -> dict[str, str]:
    """All that a game says; raises `Denied`."""
    return dict(_game(game, language).catalogue(language).sentences)


def _game(game: str, language: str) -> Definition[Any]:
    try:
        definition = game_named(game)
    except UnknownGameError as error:
        raise Denied(404, "unknown_game", str(error)) from None
    if language not in LANGUAGES:
        raise Denied(404, "unknown_language", f"there are rules in {', '.join(LANGUAGES)}")
    return definition
