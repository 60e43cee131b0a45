"""Games, rules, lessons and puzzles as the API returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from archipel.lessons import Lesson, guide_of, lessons_of
from archipel.lessons.lesson_validation import first_game
from archipel.puzzles import Puzzle, puzzles_of
from archipel.puzzles.puzzle import Pair, reasons_of
from archipel.puzzles.puzzle_library import name_of
from archipel.puzzles.puzzle_validation import position_of
from archipel.rules.all_games import game_named, games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.kit import Stream, clone, stream_key
from archipel.serve.api.http_errors import Denied
from archipel.serve.api.messages import (
    AnswerText,
    Change,
    ChapterText,
    GameDescription,
    Lessons,
    LessonText,
    LessonTitle,
    Occasion,
    OptionDescription,
    Puzzles,
    PuzzleSolution,
    Remark,
    Rules,
    RuleText,
    SolvingChoice,
    StepText,
)


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
    """The rules of a game; raises `Denied`."""
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
    """All sentences of a game; raises `Denied`."""
    return dict(_game(game, language).catalogue(language).sentences)


def lessons_text(game: str, language: str) -> Lessons:
    """The lessons and the guide of a game; raises `Denied`."""
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


def puzzles_text(game: str) -> Puzzles:
    """Raises `Denied`."""
    try:
        return _told(game_named(game).name)
    except UnknownGameError as error:
        raise Denied(404, "unknown_game", str(error)) from None


@cache
def _told(game: str) -> Puzzles:
    definition = game_named(game)
    return Puzzles(
        [
            _solution(definition, name_of(number), puzzle)
            for number, puzzle in enumerate(puzzles_of(game), 1)
        ]
    )


def _solution(definition: Definition[Any], name: str, puzzle: Puzzle) -> PuzzleSolution:
    state = position_of(definition.name, puzzle)
    best, following = puzzle.choices[:2]
    reasons = reasons_of(puzzle)
    return PuzzleSolution(
        name=name,
        seats=definition.read_options(state).seats,
        best=_choice(definition, state, best.action),
        next=_choice(definition, state, following.action),
        then=_then(definition, state, puzzle),
        same=list(best.same),
        chance=best.chance,
        next_chance=following.chance,
        own=None if reasons.own is None else _change("", puzzle.seat, reasons.own),
        rival=None if reasons.rival is None else _change("", *reasons.rival),
        hope=None
        if reasons.hope is None
        else _change(reasons.hope[0], puzzle.seat, reasons.hope[1]),
        risk=None
        if reasons.risk is None
        else _change(reasons.risk[0], puzzle.seat, reasons.risk[1]),
    )


def _change(name: str, seat: int, pair: Pair) -> Change:
    return Change(name, seat, pair.best, pair.next)


def _then(definition: Definition[Any], state: Any, puzzle: Puzzle) -> list[SolvingChoice]:
    told, world, action = list[SolvingChoice](), clone(state), puzzle.best
    for text in puzzle.then:
        # Nothing is drawn before a `then`.
        definition.apply(world, definition.parse_action(world, action), Stream(stream_key(0, 0)))
        told.append(_choice(definition, world, text))
        action = text
    return told


def _choice(definition: Definition[Any], state: Any, text: str) -> SolvingChoice:
    action, seat = definition.parse_action(state, text), definition.to_move(state)
    scene = definition.scene(definition.seen(state, seat), seat)
    choice = next(each for each in scene.choices if each.action == action)
    return SolvingChoice(text, choice.key, dict(choice.details), list(choice.targets))
