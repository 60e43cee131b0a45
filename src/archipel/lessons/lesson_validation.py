"""Validate a lesson against the rules by playing it on every path that it accepts."""

from __future__ import annotations

from typing import Any

from archipel.lessons.lesson import NAMED_SEAT, LearnerDecision, Lesson, LessonStep, ScriptedMove
from archipel.lessons.lesson_parser import LessonError
from archipel.lessons.script import (
    action_named,
    dealt_position,
    highlighted,
    possible,
    refusal_of,
    scripted,
)
from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, NotationError, UnknownGameError
from archipel.rules.kit import ChanceError, Tape, clone
from archipel.rules.options import OptionError, Value

#: Limit of the paths through a lesson, so that its author can check them all.
MOST_PATHS = 12


class _Walk:
    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.definition = game_named(lesson.game)
        #: Every position that the lesson can have reached so far.
        self.states: list[Any] = []

    def fault(self, line: int, why: object) -> LessonError:
        return LessonError(self.lesson.file, line, str(why))

    def walk(self) -> None:
        for number, step in enumerate(self.lesson.steps):
            before = self.lesson.steps[number - 1] if number else None
            self._begin(step, before)
            for move in step.plays:
                self.states = [self._played(state, move) for state in self.states]
            self._look(step)
            self._names(step)
            for do in step.does:
                self._decide(do)
            if step.answers and {answer.right for answer in step.answers} != {True, False}:
                raise self.fault(
                    step.line, "a question has at least one right and one wrong answer"
                )

    def _begin(self, step: LessonStep, before: LessonStep | None) -> None:
        if step.position is None:
            if before is None:
                raise self.fault(step.line, "the first step needs a position")
            return
        if before is not None and before.does and not before.answers:
            raise self.fault(
                step.line,
                "the position cannot change right after a decision: add a step to read in between",
            )
        try:
            state = dealt_position(self.lesson.game, step.position)
        except NotationError as error:
            raise self.fault(step.line, f"position: {error}") from None
        seats = self.definition.read_options(state).seats
        if self.states and self.definition.read_options(self.states[0]).seats != seats:
            raise self.fault(
                step.line, "position: the number of seats differs from the steps before"
            )
        if not self.lesson.seat < seats:
            raise self.fault(step.line, f"position: there is no seat {self.lesson.seat + 1}")
        self.states = [state]

    def _look(self, step: LessonStep) -> None:
        for state in self.states:
            seen = self.definition.seen(state, self.lesson.seat)
            scene = self.definition.scene(seen, self.lesson.seat)
            for name, found in highlighted(scene, step).items():
                if found is None:
                    raise self.fault(step.line, f"look: there is no piece or cell called {name!r}")

    def _names(self, step: LessonStep) -> None:
        """Check that every ``{2}`` refers to a seat of the game."""
        seats = self.definition.read_options(self.states[0]).seats
        said = [
            (step.line, step.said),
            *((no.line, no.words) for do in step.does for no in do.refusals),
            *((each.line, each.label) for each in step.answers),
            *((each.line, each.reply) for each in step.answers),
        ]
        for line, words in said:
            for text in words.values():
                for seat in NAMED_SEAT.findall(text):
                    if int(seat) > seats:
                        raise self.fault(line, f"{{{seat}}}: there is no seat {seat}")

    def _decide(self, do: LearnerDecision) -> None:
        self._check_choices(do)
        after: list[Any] = []
        for state in self.states:
            moves = possible(self.definition, state, do)
            if not moves:
                self._action(state, do.moves[0])
            self._check_replies(state, do, [self._action(state, move) for move in moves])
            for move in moves:
                led_to = self._played(state, move)
                if led_to not in after:
                    after.append(led_to)
        if len(after) > MOST_PATHS:
            raise self.fault(do.line, f"more than {MOST_PATHS} paths lead through here")
        self.states = after

    def _check_choices(self, do: LearnerDecision) -> None:
        """Check that the learner decides, and that every named action is legal on some path."""
        for state in self.states:
            mover = self.definition.to_move(state)
            if mover != self.lesson.seat:
                who = "nobody decides" if mover == NOBODY else f"seat {mover + 1} decides"
                raise self.fault(do.line, f"do: {who} here, not the learner")
        for move in do.moves:
            self._check_legal_somewhere(move)
        for no in do.refusals:
            for name in no.actions:
                self._check_legal_somewhere(ScriptedMove(name, "", no.line))

    def _check_legal_somewhere(self, move: ScriptedMove) -> None:
        fault: LessonError | None = None
        for state in self.states:
            try:
                self._action(state, move)
                return
            except LessonError as error:
                fault = fault or error
        if fault is not None:
            raise fault

    def _check_replies(self, state: Any, do: LearnerDecision, allowed: list[int]) -> None:
        """Check that every other legal action has a reply, and that no accepted action has one."""
        definition = self.definition
        for no in do.refusals:
            for name in no.actions:
                if action_named(definition, state, name) in allowed:
                    raise self.fault(no.line, f"no: {name!r} is accepted above")
        for action in definition.legal_actions(state):
            if action not in allowed and refusal_of(definition, state, do, action) is None:
                text = definition.action_text(state, action)
                raise self.fault(do.line, f"do: {text!r} has no reply: add 'no: others'")

    def _action(self, state: Any, move: ScriptedMove) -> int:
        try:
            action = self.definition.parse_action(state, move.action)
        except NotationError as error:
            raise self.fault(move.line, error) from None
        if action not in self.definition.legal_actions(state):
            raise self.fault(move.line, f"{move.action!r}: {self.definition.refuse(state, action)}")
        return action

    def _played(self, state: Any, move: ScriptedMove) -> Any:
        if self.definition.to_move(state) == NOBODY:
            raise self.fault(move.line, f"{move.action!r}: the game is over here")
        self._action(state, move)
        after = clone(state)
        try:
            action, outcomes = scripted(self.definition, state, move)
            tape = Tape(outcomes)
            self.definition.apply(after, action, tape)
            tape.finish()
        except (NotationError, ChanceError) as error:
            raise self.fault(move.line, f"[{move.chance}]: {error}") from None
        text = self.definition.outcomes_text(state, action, outcomes)
        if text.split() != move.chance.split():
            raise self.fault(
                move.line, f"{move.action!r} draws chance: write it in full, as [{text}]"
            )
        return after


def check_lesson(lesson: Lesson) -> None:
    """Check a lesson against the rules; raises `LessonError`."""
    try:
        _Walk(lesson).walk()
    except UnknownGameError as error:
        raise LessonError(lesson.file, 1, str(error)) from None
    first_game(lesson)


def first_game(lesson: Lesson) -> tuple[int, dict[str, Value]]:
    """Return the seats and options of the game that follows a lesson."""
    definition = game_named(lesson.game)
    try:
        words = dict[str, str]()
        for text in lesson.then.split():
            name, equals, words[name] = text.partition("=")
            if not equals:
                raise ValueError(f"expected 'name=value', not {text!r}")
        seats = int(words.pop("seats", definition.seats[0]))
        options = definition.make_options(seats, **words)
    except (OptionError, ValueError) as error:
        raise LessonError(lesson.file, 1, f"then: {error}") from None
    return seats, {name: options.values[name] for name in words}
