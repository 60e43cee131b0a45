"""Whether a decision is a puzzle: weighed in a few worlds first, then in ever more of them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cache
from typing import Any

from archipel.analysis.evaluation import evaluations_of
from archipel.analysis.programs import analysis_program
from archipel.analysis.scales import Scales, Tally
from archipel.bots import Bot, roster_of
from archipel.bots.playout_kernel import HOPES, STATES, VIEW
from archipel.bots.playouts import MOST_DECISIONS
from archipel.game import Game
from archipel.puzzles.checking import ERRORS, LEAST_GAP
from archipel.puzzles.data import Facts, Origin, Pair, Puzzle, Weighed
from archipel.rules.kit import Program, clone
from archipel.study.backends import OnProgress, backend_for
from archipel.study.puzzle_kernel import play_for_points

#: Rounds of looking, each with more worlds, and what the best must be ahead by to be looked at
#: further: the first two by the quick evaluation, the third played to the end.
GLANCE, GLANCE_GAP = 8, 0.08
LOOK, LOOK_GAP = 40, 0.15
TRIAL, TRIAL_GAP = 80, 0.17
#: How many go on to the next round, the best included.
LOOKED_AT = 6
#: Worlds of the last word, all of them fresh: for every choice, and for those that come closest.
EVERYONE = 150
FRESH = 1 << 32
FINALISTS = 4
FINAL = 1500
#: The master thinks about it with so many seeds, and is to say the same each time.
SEEDS = (1, 2)
#: Playouts of what becomes of a choice.
STORIES = 400
#: The rest of a turn that is told.
MOST_TOLD = 3


@cache
def story_program(game: str) -> Program:
    roster = roster_of(game)
    return roster.definition.program(play_for_points, extra=roster.bindings)


@dataclass(frozen=True)
class Decision:
    """A decision of self-play: the whole position, and who decides."""

    state: Any
    seat: int
    origin: Origin


class PuzzleScales:
    """Weighs the decisions of a game."""

    def __init__(self, game: str, games: int, on_progress: OnProgress) -> None:
        self._roster = roster_of(game)
        self._definition = self._roster.definition
        self._evaluations = evaluations_of(self._roster)
        self._backend = backend_for(analysis_program(game), None, games, on_progress)
        self._stories = backend_for(story_program(game), None, games, on_progress)
        self.master = Bot.named(game, "master")
        self.greedy = Bot.named(game, "greedy")
        self._scales: dict[tuple[int, bool], Scales] = {}

    def look_at(
        self, decision: Decision, seed: int, *, solved: Container[str] | None = ()
    ) -> Puzzle | None:
        """The puzzle that a decision is, if it is one.  What greedy solves is left out where it is
        of a kind in ``solved``, or of whatever kind where that is None."""
        definition, seat = self._definition, decision.seat
        view = definition.recalled(decision.state, seat)
        if not self._is_promising(view, seat, seed, solved):
            return None
        # From here on as the text tells it: what is shipped is what is measured.
        text = definition.position_text(view)
        state = Game.from_position(definition.name, text, seed=1).state
        view = definition.recalled(state, seat)
        seats = definition.read_options(view).seats
        scales = self._at(seats, to_the_end=True)
        actions, _ = scales.begin(view, seed)
        tallies = scales.weigh(view, seed, range(len(actions)), 0, TRIAL)
        order = _ordered(tallies, seat)
        if _lead(tallies, order, seat) < TRIAL_GAP:
            return None
        best = actions[order[0]]
        if self._is_common(view, best, solved):
            return None
        if any(self.master.think(view, seed=each).action != best for each in SEEDS):
            return None
        return self._confirmed(decision, text, state, best, seed)

    def _is_promising(self, view: Any, seat: int, seed: int, solved: Container[str] | None) -> bool:
        scales = self._at(self._definition.read_options(view).seats, to_the_end=False)
        actions, _ = scales.begin(view, seed)
        tallies = scales.weigh(view, seed, range(len(actions)), 0, GLANCE)
        order = _ordered(tallies, seat)
        if _lead(tallies, order, seat) < GLANCE_GAP:
            return False
        if self._is_common(view, actions[order[0]], solved):
            return False
        tallies = scales.weigh(view, seed, order[:LOOKED_AT], GLANCE, LOOK)
        return _lead(tallies, _ordered(tallies, seat), seat) >= LOOK_GAP

    def _is_common(self, view: Any, best: int, solved: Container[str] | None) -> bool:
        if self.greedy_choice(view) != best:
            return False
        return solved is None or kind_of(self._definition.action_text(view, best)) in solved

    def _confirmed(
        self, decision: Decision, text: str, state: Any, best: int, seed: int
    ) -> Puzzle | None:
        """In fresh worlds: the best is ahead of each other choice, beyond chance."""
        definition, seat = self._definition, decision.seat
        view = definition.recalled(state, seat)
        scales = self._at(definition.read_options(view).seats, to_the_end=True)
        actions, _ = scales.begin(view, seed)
        first = actions.index(best)
        numbers = [first, *(number for number in range(len(actions)) if number != first)]
        found = dict(zip(numbers, scales.weigh(view, seed, numbers, FRESH, EVERYONE), strict=True))
        others = sorted(numbers[1:], key=lambda number: (-found[number].mean(seat), number))
        finalists = [first, *others[: FINALISTS - 1]]
        more = scales.weigh(view, seed, finalists, FRESH + EVERYONE, FINAL)
        for number, tally in zip(finalists, more, strict=True):
            found[number] += tally
        for number in numbers[1:]:
            gap = found[first].mean(seat) - found[number].mean(seat)
            error = (
                more[finalists.index(number)].gap_error(more[0], seat)
                if (number in finalists)
                else found[number].error(seat)
            )
            if gap - ERRORS * error < LEAST_GAP:
                return None
        others.sort(key=lambda number: (number not in finalists, -found[number].mean(seat), number))
        following = more[finalists.index(others[0])]
        return Puzzle(
            text,
            seat,
            tuple(
                _weighed(definition.action_text(view, actions[number]), found[number], seat)
                for number in (first, *others)
            ),
            tuple(self._then(state, best, seat)),
            round(found[first].mean(seat) - found[others[0]].mean(seat), 4),
            round(following.gap_error(more[0], seat), 4),
            self._facts(view, seat, best, actions[others[0]], seed),
            definition.action_text(view, self.greedy_choice(view)),
            decision.origin,
        )

    def greedy_choice(self, view: Any) -> int:
        return self.greedy.choose(view, self._definition.legal_actions(view), seed=0)

    def _at(self, seats: int, *, to_the_end: bool) -> Scales:
        known = self._scales.get((seats, to_the_end))
        if known is None:
            by = self._evaluations.position if to_the_end else self._evaluations.decision
            known = Scales(self._roster, by, seats, self._backend)
            self._scales[(seats, to_the_end)] = known
        return known

    def _then(self, state: Any, action: int, seat: int) -> list[str]:
        """The rest of the turn as the master plays it, as far as neither chance nor anything hidden
        comes in between."""
        definition, told, world = self._definition, list[str](), state
        while len(told) < MOST_TOLD:
            following = clone(world)
            try:
                definition.apply(following, action, _NoChance())
            except _ChanceComes:
                break
            if definition.to_move(following) != seat or definition.reveals(world, following):
                break
            world = following
            view = definition.recalled(world, seat)
            action = self.master.think(view, seed=SEEDS[0]).action
            told.append(definition.action_text(world, action))
        return told

    def _facts(self, view: Any, seat: int, best: int, following: int, seed: int) -> Facts:
        one, other = (self._story(view, action, seed) for action in (best, following))
        hopes = {
            name: Pair(one.hopes[number][seat], other.hopes[number][seat])
            for number, name in enumerate(self._definition.hopes)
        }
        return Facts(
            tuple(Pair(*pair) for pair in zip(one.points, other.points, strict=True)), hopes
        )

    def _story(self, view: Any, opening: int, seed: int) -> _Story:
        backend, seats = self._stories, self._definition.read_options(view).seats
        hopes = len(self._definition.hopes)
        states = backend.states(STATES)
        backend.write(states, VIEW, view)
        counts, points = backend.numbers(HOPES + hopes, seats), backend.numbers(seats)
        backend.play_for_points(
            states,
            backend.numbers(self._definition.most_legal),
            self._roster.named(self._evaluations.position.policy).index,
            opening,
            backend.stream(0),
            backend.stream(0),
            seats,
            hopes,
            MOST_DECISIONS,
            seed,
            STORIES,
            backend.numbers(HOPES + hopes, seats),
            counts,
            points,
        )
        return _Story(
            [round(int(sum_of) / STORIES, 2) for sum_of in points],
            [[round(int(n) / STORIES, 3) for n in counts[HOPES + hope]] for hope in range(hopes)],
        )


def kind_of(action: str) -> str:
    """What kind of choice it is: the first word of its notation."""
    return action.partition(" ")[0]


@dataclass(frozen=True)
class _Story:
    points: list[float]
    hopes: list[list[float]]


class _ChanceComes(Exception):
    pass


class _NoChance:
    def draw(self, n: int, /) -> int:
        raise _ChanceComes


def _ordered(tallies: list[Tally], seat: int) -> list[int]:
    return sorted(range(len(tallies)), key=lambda place: (-tallies[place].mean(seat), place))


def _lead(tallies: list[Tally], order: list[int], seat: int) -> float:
    return tallies[order[0]].mean(seat) - tallies[order[1]].mean(seat)


def _weighed(action: str, tally: Tally, seat: int) -> Weighed:
    return Weighed(action, round(tally.mean(seat), 4), round(tally.error(seat), 4), tally.worlds)
