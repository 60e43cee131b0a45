"""A simulated learner: runs a lesson at a table by its pure functions."""

from __future__ import annotations

from archipel.lessons import Lesson
from archipel.lessons.lesson import LearnerDecision, LessonStep
from archipel.lessons.script import accepted_actions
from archipel.tables import commands
from archipel.tables.decisions import decide
from archipel.tables.decisions.context import Context
from archipel.tables.decisions.lessons import decision_at, go_on_by_itself, open_lesson, step_at
from archipel.tables.log import events
from archipel.tables.log.fold import fold_all
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import Problem, Refusal

MOMENT = Context(1000, bytes(range(32)), ("random", "greedy"))


class Pupil:
    """A learner at a table; a refused action changes nothing."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        command = commands.NewTable(lesson.game, [commands.SeatWish()], "Zoé", lesson=lesson.name)
        self.log = open_lesson("table-of-lessons", command, MOMENT)
        self.table = self._folded()
        self._append(go_on_by_itself(self.table, MOMENT))

    def _folded(self) -> TableState:
        return fold_all(events.Entry(MOMENT.now, event) for event in self.log)

    def _append(self, more: list[events.Event]) -> None:
        self.log += more
        if more:
            self.table = fold_all((events.Entry(MOMENT.now, each) for each in more), self.table)

    @property
    def step(self) -> LessonStep:
        step = step_at(self.table)
        assert step is not None
        return step

    @property
    def number(self) -> int:
        assert self.table.progress is not None
        return self.table.progress.step

    @property
    def decision(self) -> LearnerDecision | None:
        return decision_at(self.table)

    @property
    def is_over(self) -> bool:
        return self.table.stage == "over"

    def asks(self, command: commands.Command, language: str = "en") -> list[events.Event] | Problem:
        """Return the events of a command, or the problem; changes nothing."""
        seat = self.lesson.seat
        who = Participant(self.table.id, (seat,), True, language, key="k")
        try:
            decision = decide(self.table, command, who, MOMENT)
        except Refusal as refusal:
            return refusal.say(language)
        return [entry.event for entry in decision.entries]

    def does(self, command: commands.Command) -> list[events.Event]:
        decided = self.asks(command)
        assert not isinstance(decided, Problem), (self.lesson.file, self.number, decided)
        self._append(decided)
        return decided

    def is_refused(self, command: commands.Command, language: str) -> Problem:
        decided = self.asks(command, language)
        assert isinstance(decided, Problem), (self.lesson.file, self.number, command)
        return decided

    def allowed(self) -> dict[int, tuple[int, ...]]:
        """Return the accepted actions with their chance outcomes."""
        do = self.decision
        return {} if do is None else accepted_actions(self.table.definition, self.table.state, do)

    def goes_on(self) -> list[events.Event]:
        """Play the first accepted action, or give the right answer, or confirm the step."""
        n = self.table.n
        if self.decision is not None:
            return self.does(commands.Play("r", n, next(iter(self.allowed()))))
        answers = enumerate(self.step.answers)
        return self.does(
            commands.GoOn("r", n, next((i for i, each in answers if each.right), None))
        )
