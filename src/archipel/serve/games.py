"""The games as the lobby shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from archipel.lessons import Lesson, guide_of, lessons_of
from archipel.lessons.checking import first_game
from archipel.puzzles import puzzles_of
from archipel.rules.all_games import game_named, games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, UnknownGameError
from archipel.serve.messages import (
    AnswerText,
    ChapterText,
    GameDescription,
    Lessons,
    LessonText,
    LessonTitle,
    Occasion,
    OptionDescription,
    Remark,
    Rules,
    RuleText,
    StepText,
)
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
            lessons=[
                LessonTitle(lesson.name, dict(lesson.title)) for lesson in lessons_of(game.name)
            ],
            puzzles=len(puzzles_of(game.name)),
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


def lessons_text(game: str, language: str) -> Lessons:
    """How a game is taught; raises `Denied`."""
    name = _game(game, language).name
    return Lessons(
        [_lesson(lesson, language) for lesson in lessons_of(name)],
        [
            Remark(
                [Occasion(each.key, each.name, each.value) for each in remark.occasions],
                remark.words[language],
            )
            for remark in guide_of(name)
        ],
    )


def _lesson(lesson: Lesson, language: str) -> LessonText:
    seats, options = first_game(lesson)
    return LessonText(
        lesson.name,
        lesson.title[language],
        [
            StepText(
                step.said[language],
                list(step.look),
                [
                    AnswerText(
                        answer.label[language],
                        answer.right,
                        answer.reply[language] if answer.right else "",
                    )
                    for answer in step.answers
                ],
            )
            for step in lesson.steps
        ],
        [words[language] for words in lesson.remember],
        seats,
        options,
    )


def _game(game: str, language: str) -> Definition[Any]:
    try:
        definition = game_named(game)
    except UnknownGameError as error:
        raise Denied(404, "unknown_game", str(error)) from None
    if language not in LANGUAGES:
        raise Denied(404, "unknown_language", f"there are rules in {', '.join(LANGUAGES)}")
    return definition
