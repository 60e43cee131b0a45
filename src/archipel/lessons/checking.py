"""A lesson held against the rules: played through in every way that it lets through."""

from __future__ import annotations

from typing import Any

from archipel.lessons.lines import LessonError
from archipel.lessons.script import (
    action_named,
    dealt_position,
    possible,
    refusal_of,
    ringed,
    scripted,
)
from archipel.lessons.text import NAMED_SEAT, Do, Lesson, Move, Step
from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, NotationError, UnknownGameError
from archipel.rules.kit import ChanceError, Tape, clone
from archipel.rules.options import OptionError, Value

#: Ways through a lesson; more than a few and nobody has seen them all.
MOST_WAYS = 12


class _Walk:
    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.definition = game_named(lesson.game)
        #: Every position that the lesson may have led to so far.
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
            self._answers(step)

    def _begin(self, step: Step, before: Step | None) -> None:
        if step.position is None:
            if before is None:
                raise self.fault(step.line, "the first step needs a position")
            return
        if before is not None and before.does and not before.answers:
            raise self.fault(
                step.line,
                "after something to do the board stays: let a step be read first, then change it",
            )
        try:
            state = dealt_position(self.lesson.game, step.position)
        except NotationError as error:
            raise self.fault(step.line, f"position: {error}") from None
        seats = self.definition.read_options(state).seats
        if self.states and self.definition.read_options(self.states[0]).seats != seats:
            raise self.fault(step.line, "position: another number of seats than before")
        if not self.lesson.seat < seats:
            raise self.fault(step.line, f"position: there is no seat {self.lesson.seat + 1}")
        self.states = [state]

    def _look(self, step: Step) -> None:
        for state in self.states:
            seen = self.definition.seen(state, self.lesson.seat)
            scene = self.definition.scene(seen, self.lesson.seat)
            for name, found in ringed(scene, step).items():
                if found is None:
                    raise self.fault(step.line, f"look: nothing here is called {name!r}")

    def _names(self, step: Step) -> None:
        """``{2}`` is somebody who sits there."""
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
                        raise self.fault(line, f"nobody sits in seat {seat}: {{{seat}}}")

    def _decide(self, do: Do) -> None:
        self._all_of_use(do)
        after: list[Any] = []
        for state in self.states:
            moves = possible(self.definition, state, do)
            if not moves:
                self._action(state, do.moves[0])
            self._all_answered(state, do, [self._action(state, move) for move in moves])
            for move in moves:
                led_to = self._played(state, move)
                if led_to not in after:
                    after.append(led_to)
        if len(after) > MOST_WAYS:
            raise self.fault(do.line, f"more than {MOST_WAYS} ways lead through here")
        self.states = after

    def _all_of_use(self, do: Do) -> None:
        """The learner decides here, and whatever is named can be chosen on some way."""
        for state in self.states:
            mover = self.definition.to_move(state)
            if mover != self.lesson.seat:
                who = "nobody decides" if mover == NOBODY else f"seat {mover + 1} decides"
                raise self.fault(do.line, f"do: {who} here, not the learner")
        for move in do.moves:
            self._can_be_chosen(move)
        for no in do.refusals:
            for name in no.actions:
                self._can_be_chosen(Move(name, "", no.line))

    def _can_be_chosen(self, move: Move) -> None:
        fault: LessonError | None = None
        for state in self.states:
            try:
                self._action(state, move)
            except LessonError as error:
                fault = fault or error
            else:
                return
        assert fault is not None
        raise fault

    def _all_answered(self, state: Any, do: Do, allowed: list[int]) -> None:
        """Everything else that the rules allow is answered in words, and nothing that is let
        through is."""
        definition = self.definition
        for no in do.refusals:
            for name in no.actions:
                if action_named(definition, state, name) in allowed:
                    raise self.fault(no.line, f"no: {name!r} is let through above")
        for action in definition.legal_actions(state):
            if action not in allowed and refusal_of(definition, state, do, action) is None:
                text = definition.action_text(state, action)
                raise self.fault(do.line, f"do: nothing is said to {text!r}: 'no: others'")

    def _action(self, state: Any, move: Move) -> int:
        try:
            action = self.definition.parse_action(state, move.action)
        except NotationError as error:
            raise self.fault(move.line, error) from None
        if action not in self.definition.legal_actions(state):
            raise self.fault(move.line, f"{move.action!r}: {self.definition.refuse(state, action)}")
        return action

    def _played(self, state: Any, move: Move) -> Any:
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
        told = self.definition.outcomes_text(state, action, outcomes)
        if told.split() != move.chance.split():
            raise self.fault(
                move.line, f"{move.action!r} brings chance: write it whole, as [{told}]"
            )
        return after

    def _answers(self, step: Step) -> None:
        kinds = {answer.right for answer in step.answers}
        if step.answers and kinds != {True, False}:
            raise self.fault(step.line, "a question has a right answer and a wrong one at least")


def check_lesson(lesson: Lesson) -> None:
    """Raises `LessonError` where the rules do not follow the lesson."""
    try:
        _Walk(lesson).walk()
    except UnknownGameError as error:
        raise LessonError(lesson.file, 1, str(error)) from None
    first_game(lesson)


def first_game(lesson: Lesson) -> tuple[int, dict[str, Value]]:
    """How many play in the game that follows a lesson, and with which options."""
    definition = game_named(lesson.game)
    try:
        words = dict(_word(part) for part in lesson.then.split())
        seats = int(words.pop("seats", definition.seats[0]))
        options = definition.make_options(seats, **words)
    except (OptionError, ValueError) as error:
        raise LessonError(lesson.file, 1, f"then: {error}") from None
    return seats, {name: options.values[name] for name in words}


def _word(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"expected 'name=value', not {text!r}")
    return name, value
