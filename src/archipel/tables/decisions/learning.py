"""Lessons and puzzles: what a step lets through, what it says to all else, and how it goes on.

Chance and the other seats follow the script, so nothing here is drawn from a secret.
"""

from __future__ import annotations

from archipel.lessons import lesson_named
from archipel.lessons.script import dealt_position, let_through, refusal_of, scripted
from archipel.lessons.text import NAMED_SEAT, Do, Lesson, Step, Words
from archipel.puzzles import puzzle_lesson
from archipel.rules.all_games import game_named
from archipel.tables import events
from archipel.tables.bot_names import seat_bots
from archipel.tables.bot_players import full_name
from archipel.tables.commands import COLOURS, Clock, GoOn, NewTable
from archipel.tables.decisions.checks import acting_seat, check_fresh, check_playing, clean_name
from archipel.tables.decisions.moment import Moment
from archipel.tables.fold import fold_all
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Table, Who

#: What sits in the other seats, by name: the gentlest there is.
_COMPANY = "first-game"


# ---- making the table ---------------------------------------------------------------------------


def open_lesson(table_id: str, wish: NewTable, moment: Moment) -> list[events.Event]:
    """A table for learning, ready for its first step; raises `Refusal`."""
    lesson = _named(wish.game, wish.lesson)
    if lesson is None:
        raise refuse("unknown_lesson", lesson=wish.lesson, game=wish.game)
    state = dealt_position(lesson.game, lesson.steps[0].position or "")
    definition = game_named(lesson.game)
    options = definition.read_options(state)
    name = clean_name(wish.my_name)
    bot = full_name(_COMPANY, moment.bots) or moment.stand_in
    others = [seat for seat in range(options.seats) if seat != lesson.seat]
    created = events.Created(
        format=events.FORMAT,
        table=table_id,
        game=lesson.game,
        rules_version=definition.rules_version,
        seats=options.seats,
        options=dict(options.values),
        clock=Clock(),
        hot_seat=False,
        public=False,
        kept=[],
        commitment="",
        follows=None,
        hints=not lesson.puzzle,  # which would give the answer away
        board=definition.board,
    )
    return [
        created,
        *seat_bots(dict.fromkeys(others, bot), [name]),
        events.Seated(lesson.seat, name, wish.my_colour or COLOURS[lesson.seat], "", ""),
        events.LessonBegun(lesson.name, lesson.edition),
        _begin(lesson, 0),
    ]


# ---- where it stands ----------------------------------------------------------------------------


def _named(game: str, name: str) -> Lesson | None:
    return lesson_named(game, name) or puzzle_lesson(game, name)


def lesson_at(table: Table) -> Lesson | None:
    """The lesson of a table; None where there is none, or its text has changed since."""
    if table.progress is None:
        return None
    lesson = _named(table.game, table.progress.lesson)
    return lesson if lesson is not None and lesson.edition == table.progress.edition else None


def step_at(table: Table) -> Step | None:
    lesson = lesson_at(table)
    if lesson is None or table.progress is None or not 0 <= table.progress.step < len(lesson.steps):
        return None
    return lesson.steps[table.progress.step]


def decision_at(table: Table) -> Do | None:
    """What is to be done now; None where something is to be read or answered."""
    step = step_at(table)
    if step is None or table.progress is None or table.stage != "playing":
        return None
    return step.does[table.progress.done] if table.progress.done < len(step.does) else None


# ---- going on -----------------------------------------------------------------------------------


def play(table: Table, action: int, language: str) -> events.Played:
    """An action that the rules allow, if the step lets it through."""
    if lesson_at(table) is None:
        raise refuse("lesson_changed")
    do = decision_at(table)
    if do is None:
        raise refuse("not_now_in_lesson")
    allowed = let_through(table.definition, table.state, do)
    if action not in allowed:
        words = refusal_of(table.definition, table.state, do, action)
        raise Refusal("not_in_lesson", words=_told(table, words, language))
    seat = table.definition.to_move(table.state)
    return events.Played(seat, action, list(allowed[action]), table.next_draw, "person")


def go_on(table: Table, command: GoOn, who: Who) -> list[events.Event]:
    """A step has been read, or its question answered."""
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
        if not 0 <= command.answer < len(step.answers):
            raise refuse("not_now_in_lesson")
        answer = step.answers[command.answer]
        if not answer.right:
            raise Refusal("wrong_answer", words=_told(table, answer.reply, who.language))
    return _after(lesson, table.progress.step)


def go_on_by_itself(table: Table, moment: Moment) -> list[events.Event]:
    """What follows without anybody asking: what the others play, and the next step where all of
    this one is done."""
    more: list[events.Event] = []
    while follows := _follows(table):
        more += follows
        table = fold_all((events.Entry(moment.now, event) for event in follows), table)
    return more


def _follows(table: Table) -> list[events.Event]:
    lesson, step, progress = lesson_at(table), step_at(table), table.progress
    if lesson is None or step is None or progress is None or table.stage != "playing":
        return []
    if progress.played < len(step.plays):
        definition, move = table.definition, step.plays[progress.played]
        action, outcomes = scripted(definition, table.state, move)
        seat = definition.to_move(table.state)
        return [events.Played(seat, action, list(outcomes), table.next_draw, "bot")]
    done = step.does and progress.done == len(step.does) and not step.answers
    solved = lesson.puzzle and progress.step + 1 == len(lesson.steps)
    return _after(lesson, progress.step) if done or solved else []


def _after(lesson: Lesson, step: int) -> list[events.Event]:
    if step + 1 == len(lesson.steps):
        return [events.LessonEnded()]
    return [_begin(lesson, step + 1)]


def _begin(lesson: Lesson, step: int) -> events.StepBegun:
    text = lesson.steps[step].position
    if text is None:
        return events.StepBegun(step, None)
    state = dealt_position(lesson.game, text)
    return events.StepBegun(step, game_named(lesson.game).position_text(state))


def with_names(words: str, table: Table) -> str:
    """``{2}`` stands for the name of whoever sits in seat 2."""
    return NAMED_SEAT.sub(lambda found: table.seats[int(found[1]) - 1].name, words)


def _told(table: Table, words: Words | None, language: str) -> str:
    return with_names("" if words is None else words[language], table)
