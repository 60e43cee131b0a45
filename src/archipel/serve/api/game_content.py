"""Games, rules, lessons and puzzles as the API returns them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from archipel.bots.engine.modules import checker_of
from archipel.lessons import Lesson, guide_of, lessons_of
from archipel.lessons.lesson_validation import first_game
from archipel.puzzles import Puzzle, puzzles_of
from archipel.puzzles.puzzle import EvaluatedChoice, Pair, reasons_of
from archipel.puzzles.puzzle_library import name_of
from archipel.puzzles.puzzle_validation import position_of
from archipel.rules.all_games import game_named, games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.kit import Stream, clone, stream_key
from archipel.serve.api import messages
from archipel.serve.api.http_errors import Denied
from archipel.serve.engine_files import EngineFiles


def describe_games(
    bots_of: Callable[[str], Sequence[str]],
    engines: EngineFiles,
    daily_deals: Mapping[str, str] = MappingProxyType({}),
) -> list[messages.GameDescription]:
    return [
        messages.GameDescription(
            name=game.name,
            titles={language: game.title(language) for language in LANGUAGES},
            introductions={language: game.booklet(language).introduction for language in LANGUAGES},
            fewest_seats=game.seats[0],
            most_seats=game.seats[-1],
            options=msgspec.convert(
                game.options, list[messages.OptionDescription], from_attributes=True
            ),
            bots=list(bots_of(game.name)),
            rules_version=game.rules_version,
            lessons=[
                messages.LessonTitle(lesson.name, dict(lesson.title))
                for lesson in lessons_of(game.name)
            ],
            puzzles=len(puzzles_of(game.name)),
            # In this order: the engine may be added in between.
            engine_coming=engines.is_coming(game.name),
            engine=engines.address(game.name),
            checker=engines.address(checker_of(game.name)),
            daily=daily_deals.get(game.name),
        )
        for game in games()
    ]


def puzzle_drawing(game: str, number: int, language: str) -> str:
    """The position of a puzzle as its solver sees it, as SVG; raises `Denied`."""
    definition = _game(game, language)
    puzzles = puzzles_of(game)
    if not 1 <= number <= len(puzzles):
        raise Denied(404, "no_address", "there is no such puzzle")
    state = position_of(game, puzzles[number - 1])
    return definition.drawing(definition.seen(state, definition.to_move(state)), language)


def rules_text(game: str, language: str) -> messages.Rules:
    """The rules of a game; raises `Denied`."""
    booklet = _game(game, language).booklet(language)
    return msgspec.convert(booklet, messages.Rules, from_attributes=True)


def sentences(game: str, language: str) -> dict[str, str]:
    """All sentences of a game; raises `Denied`."""
    return dict(_game(game, language).catalogue(language).sentences)


def lessons_text(game: str, language: str) -> messages.Lessons:
    """The lessons and the guide of a game; raises `Denied`."""
    name = _game(game, language).name
    return messages.Lessons(
        [_lesson(lesson, language) for lesson in lessons_of(name)],
        [
            messages.Remark(
                msgspec.convert(remark.occasions, list[messages.Occasion], from_attributes=True),
                msgspec.convert(remark.until, list[messages.Occasion], from_attributes=True),
                remark.words[language],
            )
            for remark in guide_of(name)
        ],
    )


def _lesson(lesson: Lesson, language: str) -> messages.LessonText:
    seats, options = first_game(lesson)
    return messages.LessonText(
        lesson.name,
        lesson.title[language],
        [
            messages.StepText(
                step.said[language],
                number > 0 and step.position is not None,
                list(step.look),
                [
                    messages.AnswerText(
                        answer.label[language],
                        answer.right,
                        answer.reply[language] if answer.right else "",
                    )
                    for answer in step.answers
                ],
            )
            for number, step in enumerate(lesson.steps)
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


def puzzles_text(game: str) -> messages.Puzzles:
    """Raises `Denied`."""
    try:
        return _solutions(game_named(game).name)
    except UnknownGameError as error:
        raise Denied(404, "unknown_game", str(error)) from None


@cache
def _solutions(game: str) -> messages.Puzzles:
    definition = game_named(game)
    return messages.Puzzles(
        [
            _solution(definition, name_of(number), puzzle)
            for number, puzzle in enumerate(puzzles_of(game), 1)
        ]
    )


def _solution(definition: Definition[Any], name: str, puzzle: Puzzle) -> messages.PuzzleSolution:
    state = position_of(definition.name, puzzle)
    best, following = puzzle.best, puzzle.wrong_choices[0]
    reasons = reasons_of(puzzle)
    rival, rival_pair = reasons.rival or (0, None)
    hope, hope_pair = reasons.hope or ("", None)
    risk, risk_pair = reasons.risk or ("", None)
    return messages.PuzzleSolution(
        name=name,
        grade=puzzle.grade,
        seats=definition.read_options(state).seats,
        best=_choice(definition, state, best.action),
        next=_choice(definition, state, following.action),
        then=_then(definition, state, best),
        right=[choice.action for choice in puzzle.right_choices],
        chance=best.chance,
        next_chance=following.chance,
        own=_change("", puzzle.seat, reasons.own),
        rival=_change("", rival, rival_pair),
        hope=_change(hope, puzzle.seat, hope_pair),
        risk=_change(risk, puzzle.seat, risk_pair),
    )


def _change(name: str, seat: int, pair: Pair | None) -> messages.Change | None:
    return None if pair is None else messages.Change(name, seat, pair.best, pair.next)


def _then(
    definition: Definition[Any], state: Any, best: EvaluatedChoice
) -> list[messages.SolvingChoice]:
    choices: list[messages.SolvingChoice] = []
    world, action = clone(state), best.action
    for text in best.then:
        # Nothing is drawn before a `then`.
        definition.apply(world, definition.parse_action(world, action), Stream(stream_key(0, 0)))
        choices.append(_choice(definition, world, text))
        action = text
    return choices


def _choice(definition: Definition[Any], state: Any, text: str) -> messages.SolvingChoice:
    action, seat = definition.parse_action(state, text), definition.to_move(state)
    scene = definition.scene(definition.seen(state, seat), seat)
    choice = next(each for each in scene.choices if each.action == action)
    return messages.SolvingChoice(text, choice.key, dict(choice.details), list(choice.targets))
