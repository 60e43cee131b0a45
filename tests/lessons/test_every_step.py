"""Every step of every lesson, played at a table."""

from __future__ import annotations

import re

import pytest

from archipel.lessons import Lesson, check_lesson, guide_of, lessons_of
from archipel.lessons.lesson import Words
from archipel.lessons.lesson_library import read_lessons
from archipel.lessons.lesson_validation import first_game
from archipel.lessons.script import highlighted, refusal_of
from archipel.record import parse_record
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.tables import commands
from archipel.tables.decisions.lessons import with_names
from archipel.tables.log import events
from archipel.tables.log.records import record_of, verify
from archipel.tables.publishing.views import PositionViews
from tests.lessons.pupil import Pupil

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")
LESSONS = [lesson for game in GAMES for lesson in read_lessons(game)]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.file)


def test_there_are_nine_lessons() -> None:
    assert [(lesson.game, lesson.name) for lesson in LESSONS] == [
        ("deep-sea", "first-dive"),
        ("the-island", "the-turn"),
        ("the-island", "creatures-and-boats"),
        ("the-island", "tiles-in-hand"),
        ("the-island", "two-players"),
        ("atlantis", "leaving-atlantis"),
        ("mauna-kea", "the-base-turn"),
        ("mauna-kea", "lava"),
        ("mauna-kea", "expert-cards"),
    ]
    assert [lesson for game in GAMES for lesson in lessons_of(game)] == LESSONS


@each_lesson
def test_lessons_are_valid_on_every_path(lesson: Lesson) -> None:
    check_lesson(lesson)
    seats, options = first_game(lesson)
    assert seats in game_named(lesson.game).seats
    assert set(options) <= {option.name for option in game_named(lesson.game).options}


@each_lesson
def test_accepted_actions_go_on_and_all_others_are_answered(lesson: Lesson) -> None:
    pupil = Pupil(lesson)
    seen: list[int] = []
    while not pupil.is_over:
        if not seen or seen[-1] != pupil.number:
            seen.append(pupil.number)
            check_begin(pupil)
        check_refusals(pupil)
        decision, state = pupil.decision, pupil.table.state
        brought = pupil.goes_on()
        if decision is not None:
            check_chance(pupil, brought[0], decision.moves[0].chance, state)
        if not pupil.is_over:
            check_scripted_moves(pupil, brought)
    assert seen == list(range(len(lesson.steps)))
    assert isinstance(pupil.log[-1], events.LessonEnded)
    check_end(pupil)


def check_begin(pupil: Pupil) -> None:
    """Highlighted pieces are visible, and there is a choice exactly where the step asks for one."""
    seat, step = pupil.lesson.seat, pupil.step
    definition, table = pupil.table.definition, pupil.table
    scene = definition.scene(definition.seen(table.state, seat), seat)
    assert None not in highlighted(scene, step).values()
    position = PositionViews(table).position(seat)
    assert position is not None
    assert bool(position.scene.choices) == bool(step.does)


def check_refusals(pupil: Pupil) -> None:
    n, table, decision = pupil.table.n, pupil.table, pupil.decision
    if decision is None:
        for number, answer in enumerate(pupil.step.answers):
            if not answer.right:
                check_problem(pupil, commands.GoOn("r", n, number), answer.reply, "wrong_answer")
        wrong_kind = 0 if not pupil.step.answers else None
        assert pupil.is_refused(commands.GoOn("r", n, wrong_kind), "en").code == "not_now_in_lesson"
        for action in table.definition.legal_actions(table.state)[:1]:
            assert pupil.is_refused(commands.Play("r", n, action), "en").code in (
                "not_now_in_lesson",
                "not_your_turn",
            )
        return
    assert pupil.is_refused(commands.GoOn("r", n), "en").code == "not_now_in_lesson"
    allowed = pupil.allowed()
    # In the notation of records, so that clients find the action among the choices.
    written = {move.action for move in decision.moves}
    assert {table.definition.action_text(table.state, action) for action in allowed} <= written
    assert allowed
    for action in table.definition.legal_actions(table.state):
        if action in allowed:
            assert isinstance(pupil.asks(commands.Play("r", n, action)), list)
            continue
        words = refusal_of(table.definition, table.state, decision, action)
        assert words is not None
        check_problem(pupil, commands.Play("r", n, action), words, "not_in_lesson")


def check_problem(pupil: Pupil, command: commands.Command, words: Words, code: str) -> None:
    for language in LANGUAGES:
        problem = pupil.is_refused(command, language)
        assert (problem.code, problem.message) == (code, with_names(words[language], pupil.table))


def check_chance(pupil: Pupil, event: events.Event, script: str, before: object) -> None:
    assert isinstance(event, events.Played)
    text = pupil.table.definition.outcomes_text(before, event.action, tuple(event.outcomes))
    assert text.split() == script.split()


def check_scripted_moves(pupil: Pupil, brought: list[events.Event]) -> None:
    """The moves at the start of a step are those of its lines, with their chance."""
    if not any(isinstance(event, events.StepBegun) for event in brought):
        return
    plays = pupil.step.plays
    logged = [pupil.table.log[-count] for count in range(len(plays), 0, -1)]
    for move, each in zip(plays, logged, strict=True):
        assert each.before is not None
        assert isinstance(each.event, events.Played)
        assert each.event.by == "bot"
        check_chance(pupil, each.event, move.chance, each.before.unpack())


def check_end(pupil: Pupil) -> None:
    """The record names the lesson, replays, and has no proof of chance."""
    text = str(record_of(pupil.table))
    assert f"\nlesson: {pupil.lesson.name}\n" in text
    record = parse_record(text)
    assert record.lesson == pupil.lesson.name
    assert str(record) == text
    assert str(verify(record)).startswith("This was a lesson")
    assert len(pupil.lesson.remember) >= 2


# ---- words --------------------------------------------------------------------------------------


def texts_of(lesson: Lesson) -> list[Words]:
    texts = [lesson.title, *lesson.remember]
    for step in lesson.steps:
        texts.append(step.said)
        texts += [no.words for do in step.does for no in do.refusals]
        texts += [words for answer in step.answers for words in (answer.label, answer.reply)]
    return texts


EVERYTHING = [(lesson.file, words) for lesson in LESSONS for words in texts_of(lesson)] + [
    (f"{game}/guide", remark.words) for game in GAMES for remark in guide_of(game)
]


def test_texts_have_both_languages_and_typography() -> None:
    for where, words in EVERYTHING:
        assert set(words) == set(LANGUAGES), where
        assert words["en"] != words["fr"] or words["en"].isdecimal(), (where, words)
        for language, text in words.items():
            assert not set(text) & set("'\""), (where, text)
            assert text == " ".join(re.split(" +", text)).strip(), (where, text)
            assert text[-1] in ".!?…" or len(text) < 60, (where, language, text)
        fr = words["fr"]
        assert not re.search(r"[^\u202f][;!?]", fr), (where, fr)
        assert not re.search(r"[^\u00a0]:", fr), (where, fr)
        # A name may begin with a vowel.
        assert not re.search(r"\b(de|que|le|la|jusque|lorsque) \{", fr, re.I), (where, fr)
        assert not re.search(r"«[^\u00a0]|[^\u00a0]»", fr), (where, fr)


@pytest.mark.parametrize("game", GAMES)
def test_a_guide_has_each_occasion_once(game: str) -> None:
    guide = guide_of(game)
    assert len(guide) >= 8
    occasions = [each for remark in guide for each in remark.occasions]
    assert len(set(occasions)) == len(occasions)


@each_lesson
def test_a_lesson_takes_about_three_minutes(lesson: Lesson) -> None:
    """At 200 words per minute, 3 seconds per decision and 5 per question: 1.5 to 3.5 minutes."""
    for language in LANGUAGES:
        read = [*(step.said for step in lesson.steps), *lesson.remember]
        words = sum(len(each[language].split()) for each in read)
        decisions = sum(len(step.does) for step in lesson.steps)
        questions = sum(bool(step.answers) for step in lesson.steps)
        minutes = words / 200 + decisions * 3 / 60 + questions * 5 / 60
        assert 1.5 <= minutes <= 3.5, (lesson.file, language, round(minutes, 2))
