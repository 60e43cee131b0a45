"""Lessons and puzzles: the moves that a step accepts, its replies to others, and the next step.

Chance and the other seats follow the script, so no secret is involved.
"""

from __future__ import annotations

from archipel.lessons import lesson_named
from archipel.lessons.lesson import NAMED_SEAT, LearnerDecision, Lesson, LessonStep, Words
from archipel.lessons.script import accepted_actions, dealt_position, refusal_of, scripted
from archipel.puzzles import puzzle_lesson
from archipel.rules.all_games import game_named
from archipel.tables.bots.players import full_name
from archipel.tables.commands import GoOn, NewTable, SeatWish
from archipel.tables.decisions.context import (
    Context,
    Events,
    acting_seat,
    check_fresh,
    check_playing,
)
from archipel.tables.decisions.seating import open_table
from archipel.tables.log import events
from archipel.tables.log.fold import fold_all
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import Refusal, refuse, refuse_if

#: The bot in the other seats, by name; the script plays for it.
_OTHER_SEATS = "first-game"


# ---- making the table ---------------------------------------------------------------------------


def open_lesson(table_id: str, new: NewTable, context: Context) -> Events:
    """The first events of a table for a lesson; raises `Refusal`."""
    lesson = _named(new.game, new.lesson)
    if lesson is None:
        raise refuse("unknown_lesson", lesson=new.lesson, game=new.game)
    state = dealt_position(lesson.game, lesson.steps[0].position or "")
    options = game_named(lesson.game).read_options(state)
    bot = full_name(_OTHER_SEATS, context.bots) or context.stand_in
    seats = range(options.seats)
    table = NewTable(
        lesson.game,
        [SeatWish(None if seat == lesson.seat else bot) for seat in seats],
        new.my_name,
        new.my_colour,
        lesson.seat,
        dict(options.values),
        hints=not lesson.puzzle,  # hints would give the solution away
    )
    begun = events.LessonBegun(lesson.name, lesson.edition)
    return [*open_table(table_id, table, context), begun, _begin(lesson, 0)]


# ---- progress ------------------------------------------------------------------------------------


def _named(game: str, name: str) -> Lesson | None:
    return lesson_named(game, name) or puzzle_lesson(game, name)


def lesson_at(table: TableState) -> Lesson | None:
    """The lesson of a table; None if it has none, or the text has changed since."""
    if table.progress is None:
        return None
    lesson = _named(table.game, table.progress.lesson)
    return lesson if lesson is not None and lesson.edition == table.progress.edition else None


def step_at(table: TableState) -> LessonStep | None:
    lesson = lesson_at(table)
    if lesson is None or table.progress is None or not 0 <= table.progress.step < len(lesson.steps):
        return None
    return lesson.steps[table.progress.step]


def decision_at(table: TableState) -> LearnerDecision | None:
    """The decision that the step asks for now; None while reading or answering."""
    step = step_at(table)
    if step is None or table.progress is None or table.stage != "playing":
        return None
    return step.does[table.progress.done] if table.progress.done < len(step.does) else None


def accepted_now(table: TableState) -> list[int]:
    """The actions that the step of a lesson accepts now; those of a puzzle are its solution."""
    lesson, do = lesson_at(table), decision_at(table)
    if lesson is None or lesson.puzzle or do is None:
        return []
    return list(accepted_actions(table.definition, table.state, do))


# ---- going on -----------------------------------------------------------------------------------


def play(table: TableState, action: int, language: str) -> Events:
    """The move of a legal action, if the step accepts it.

    A puzzle goes on with the step of the choice, which plays the rest of its turn.
    """
    lesson, do = lesson_at(table), decision_at(table)
    if lesson is None:
        raise refuse("lesson_changed")
    if do is None:
        raise refuse("not_now_in_lesson")
    allowed = accepted_actions(table.definition, table.state, do)
    if action not in allowed:
        words = refusal_of(table.definition, table.state, do, action)
        raise Refusal("not_in_lesson", words=_sentence(table, words, language))
    seat = table.definition.to_move(table.state)
    played = events.Played(seat, action, list(allowed[action]), table.next_draw, "person")
    if not lesson.puzzle:
        return [played]
    return [played, _begin(lesson, 1 + list(allowed).index(action))]


def go_on(table: TableState, command: GoOn, who: Participant, context: Context) -> Events:
    """Continue after reading a step, or answer its question."""
    if table.progress is None:
        raise refuse("not_playing")
    acting_seat(who, None)
    check_playing(table)
    check_fresh(table, command.n)
    lesson, step = lesson_at(table), step_at(table)
    if lesson is None or step is None:
        raise refuse("lesson_changed")
    if decision_at(table) is not None or (command.answer is None) != (not step.answers):
        raise refuse("not_now_in_lesson")
    if command.answer is not None:
        refuse_if(not 0 <= command.answer < len(step.answers), "not_now_in_lesson")
        answer = step.answers[command.answer]
        if not answer.right:
            raise Refusal("wrong_answer", words=_sentence(table, answer.reply, who.language))
    return _after(lesson, table.progress.step)


def go_on_by_itself(table: TableState, context: Context) -> Events:
    """The scripted moves of the other seats, and the next step once this one is done."""
    more: Events = []
    while follows := _follows(table):
        more += follows
        table = fold_all((events.Entry(context.now, event) for event in follows), table)
    return more


def _follows(table: TableState) -> Events:
    lesson, step, progress = lesson_at(table), step_at(table), table.progress
    if lesson is None or step is None or progress is None or table.stage != "playing":
        return []
    if progress.played < len(step.plays):
        definition, move = table.definition, step.plays[progress.played]
        action, outcomes = scripted(definition, table.state, move)
        seat = definition.to_move(table.state)
        return [events.Played(seat, action, list(outcomes), table.next_draw, "bot")]
    if lesson.puzzle:
        return [] if step.does else [events.LessonEnded()]
    done = step.does and progress.done == len(step.does) and not step.answers
    return _after(lesson, progress.step) if done else []


def _after(lesson: Lesson, step: int) -> Events:
    if step + 1 == len(lesson.steps):
        return [events.LessonEnded()]
    return [_begin(lesson, step + 1)]


def _begin(lesson: Lesson, step: int) -> events.StepBegun:
    text = lesson.steps[step].position
    if text is None:
        return events.StepBegun(step, None)
    state = dealt_position(lesson.game, text)
    return events.StepBegun(step, game_named(lesson.game).position_text(state))


def with_names(words: str, table: TableState) -> str:
    """Replace ``{2}`` by the name of the player in seat 2, and so on."""
    return NAMED_SEAT.sub(lambda found: table.seats[int(found[1]) - 1].name, words)


def _sentence(table: TableState, words: Words | None, language: str) -> str:
    return with_names("" if words is None else words[language], table)
