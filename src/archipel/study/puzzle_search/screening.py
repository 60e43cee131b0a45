"""Whether a decision is a puzzle: weighed in a few worlds first, then in ever more of them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from archipel.analysis.arithmetic import FRESH_WORLDS, RolloutSums
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import evaluations_of
from archipel.bots import Bot, roster_of
from archipel.bots.rollouts import GOALS, PLAYED, STATES, VIEW, Rollouts
from archipel.game import Game
from archipel.puzzles.puzzle import EvaluatedChoice, Facts, Origin, Pair, Puzzle
from archipel.puzzles.puzzle_validation import ERRORS, LEAST_GAP, equivalent_actions, is_choosing
from archipel.rules.game_rules import GameState
from archipel.rules.kit import U64, Program, Stream, clone, rule
from archipel.rules.play_out import MAX_DECISIONS
from archipel.study.progress import OnProgress, load_program

#: Rounds of looking, each with more worlds, and what the best must be ahead by to be looked at
#: further: the first two by the quick evaluation, the third played to the end.
GLANCE, GLANCE_GAP = 8, 0.08
LOOK, LOOK_GAP = 40, 0.15
TRIAL, TRIAL_GAP = 80, 0.17
#: How many go on to the next round, the best included.
LOOKED_AT = 6
#: Worlds of the last word, all of them fresh: for every choice, and for those that come closest.
EVERYONE = 150
FINALISTS = 4
FINAL = 900
#: The master thinks about it with so many seeds, and is to say the same each time.
SEEDS = (1, 2)
#: Playouts of what becomes of a choice.
STORIES = 400
#: The rest of a turn that is told.
MOST_TOLD = 3


class PointRollouts(Rollouts):
    """Rollouts that also add up each seat's points."""

    @rule
    def play_for_points(
        self,
        states: list[GameState],
        actions: list[int],
        bot: int,
        opening: int,
        chance: Stream,
        choices: Stream,
        seats: int,
        hopes: int,
        most_decisions: int,
        seed: U64,
        playouts: int,
        undecided: list[list[int]],
        counts: list[list[int]],
        points: list[int],
    ) -> None:
        """Like `roll_out`, and adds the final points to ``points``."""
        for playout in range(playouts):
            self.roll_out(
                states,
                actions,
                bot,
                opening,
                chance,
                choices,
                seats,
                hopes,
                most_decisions,
                seed,
                playout,
                1,
                undecided,
                counts,
            )
            for seat in range(seats):
                points[seat] += self.game.score(states[PLAYED], seat)


@cache
def story_program(game: str) -> Program:
    roster = roster_of(game)
    rollouts = PointRollouts(roster.definition.rules, roster.rules)
    return roster.definition.program(rollouts.play_for_points)


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
        self._backend = load_program(analysis_program(game), None, games, on_progress)
        self._stories = load_program(story_program(game), None, games, on_progress)
        self.master = Bot.named(game, "master")
        self.greedy = Bot.named(game, "greedy")
        self._scales: dict[tuple[int, bool], PairedRollouts] = {}

    def look_at(
        self, decision: Decision, seed: int, *, solved: Container[str] | None = ()
    ) -> Puzzle | None:
        """The puzzle that a decision is, if it is one.  What greedy solves is left out where it is
        of a kind in ``solved``, or of whatever kind where that is None."""
        definition, seat = self._definition, decision.seat
        view = definition.recalled(decision.state, seat)
        if view != definition.seen(decision.state, seat):
            return None  # one would have to remember what is no longer shown
        if not self._is_promising(view, seat, seed, solved):
            return None
        # From here on as the text tells it: what is shipped is what is measured.
        text = definition.position_text(view)
        state = Game.from_position(definition.name, text, seed=1).state
        view = definition.recalled(state, seat)
        scales = self._at(view, to_the_end=True)
        groups, numbers = self._candidates(view, seat, scales, seed)
        tallies = scales.evaluate(view, seed, numbers, 0, TRIAL)
        order = _ordered(tallies, seat)
        if _lead(tallies, order, seat) < TRIAL_GAP:
            return None
        best = groups[order[0]]
        if self._is_common(view, best, solved):
            return None
        if any(self.master.search(view, seed=each).action not in best for each in SEEDS):
            return None
        return self._confirmed(decision, text, state, order[0], seed)

    def _candidates(
        self, view: Any, seat: int, scales: PairedRollouts, seed: int
    ) -> tuple[list[list[int]], list[int]]:
        """The choices, twins together, and the number that the first of each has on the scales."""
        groups = equivalent_actions(self._definition, view, seat)
        actions, _ = scales.begin(view, seed)
        return groups, [actions.index(group[0]) for group in groups]

    def _is_promising(self, view: Any, seat: int, seed: int, solved: Container[str] | None) -> bool:
        scales = self._at(view, to_the_end=False)
        actions, _ = scales.begin(view, seed)
        glance = scales.evaluate(view, seed, range(len(actions)), 0, GLANCE)
        chances = [tally.mean(seat) for tally in glance]
        if max(chances) - min(chances) < GLANCE_GAP:
            return False  # most decisions: which of them are twins need not be looked at
        groups, numbers = self._candidates(view, seat, scales, seed)
        tallies = [glance[number] for number in numbers]
        order = _ordered(tallies, seat)
        if len(groups) < 2 or _lead(tallies, order, seat) < GLANCE_GAP:
            return False
        if self._is_common(view, groups[order[0]], solved):
            return False
        finalists = [numbers[place] for place in order[:LOOKED_AT]]
        tallies = scales.evaluate(view, seed, finalists, GLANCE, LOOK)
        return _lead(tallies, _ordered(tallies, seat), seat) >= LOOK_GAP

    def _is_common(self, view: Any, best: Sequence[int], solved: Container[str] | None) -> bool:
        if self.greedy_choice(view) not in best:
            return False
        return solved is None or kind_of(self._definition.action_text(view, best[0])) in solved

    def _confirmed(
        self, decision: Decision, text: str, state: Any, best: int, seed: int
    ) -> Puzzle | None:
        """In fresh worlds: the best (its place among the choices) is ahead of each other, beyond
        chance."""
        definition, seat = self._definition, decision.seat
        view = definition.recalled(state, seat)
        scales = self._at(view, to_the_end=True)
        groups, numbers = self._candidates(view, seat, scales, seed)
        others = [place for place in range(len(groups)) if place != best]

        def weigh(places: Sequence[int], first: int, worlds: int) -> dict[int, RolloutSums]:
            wanted = [numbers[place] for place in places]
            found = scales.evaluate(view, seed, wanted, FRESH_WORLDS + first, worlds)
            return dict(zip(places, found, strict=True))

        found = weigh([best, *others], 0, EVERYONE)
        others.sort(key=lambda place: (-found[place].mean(seat), place))
        more = weigh([best, *others[: FINALISTS - 1]], EVERYONE, FINAL)
        found |= {place: found[place] + tally for place, tally in more.items()}
        for place in others:
            gap = found[best].mean(seat) - found[place].mean(seat)
            error = found[place].gap_error(found[best], seat)
            if gap < max(LEAST_GAP, ERRORS * error):
                return None
        others.sort(key=lambda place: (place not in more, -found[place].mean(seat), place))
        following = found[others[0]]
        return Puzzle(
            text,
            seat,
            tuple(self._weighed(view, groups[place], found[place]) for place in (best, *others)),
            tuple(self._then(state, groups[best][0], seat)),
            round(found[best].mean(seat) - following.mean(seat), 4),
            round(following.gap_error(found[best], seat), 4),
            self._facts(view, seat, groups[best][0], groups[others[0]][0], seed),
            definition.action_text(view, self.greedy_choice(view)),
            decision.origin,
        )

    def _weighed(self, view: Any, group: Sequence[int], tally: RolloutSums) -> EvaluatedChoice:
        seat = self._definition.to_move(view)
        action, *same = (self._definition.action_text(view, each) for each in group)
        chance, error = round(tally.mean(seat), 4), round(tally.error(seat), 4)
        return EvaluatedChoice(action, chance, error, tally.worlds, tuple(same))

    def greedy_choice(self, view: Any) -> int:
        return self.greedy.choose(view, self._definition.legal_actions(view), seed=0)

    def _at(self, view: Any, *, to_the_end: bool) -> PairedRollouts:
        seats = self._definition.read_options(view).seats
        known = self._scales.get((seats, to_the_end))
        if known is None:
            by = self._evaluations.position if to_the_end else self._evaluations.decision
            known = PairedRollouts(self._roster, by, seats, self._backend)
            self._scales[(seats, to_the_end)] = known
        return known

    def _then(self, state: Any, action: int, seat: int) -> list[str]:
        """Where a piece is chosen, what the master does with it."""
        definition, told, world = self._definition, list[str](), state
        while len(told) < MOST_TOLD:
            following = clone(world)
            try:
                definition.apply(following, action, _NoChance())
            except _ChanceNeeded:
                break
            if definition.to_move(following) != seat or definition.reveals(world, following):
                break
            if not is_choosing(definition.scene(definition.seen(following, seat), seat)):
                break
            world = following
            view = definition.recalled(world, seat)
            action = self.master.search(view, seed=SEEDS[0]).action
            told.append(definition.action_text(world, action))
        return told

    def _facts(self, view: Any, seat: int, best: int, following: int, seed: int) -> Facts:
        one, other = (self._story(view, action, seed) for action in (best, following))
        hopes = {
            name: Pair(one.hopes[number][seat], other.hopes[number][seat])
            for number, name in enumerate(self._definition.goals)
        }
        return Facts(
            tuple(Pair(*pair) for pair in zip(one.points, other.points, strict=True)), hopes
        )

    def _story(self, view: Any, opening: int, seed: int) -> _Story:
        backend, seats = self._stories, self._definition.read_options(view).seats
        hopes = len(self._definition.goals)
        states = backend.states(STATES)
        backend.write(states, VIEW, view)
        counts, points = backend.numbers(GOALS + hopes, seats), backend.numbers(seats)
        backend.play_for_points(
            states,
            backend.numbers(self._definition.most_legal),
            self._roster.named(self._evaluations.position.policy).index,
            opening,
            backend.stream(0),
            backend.stream(0),
            seats,
            hopes,
            MAX_DECISIONS,
            seed,
            STORIES,
            backend.numbers(GOALS + hopes, seats),
            counts,
            points,
        )
        return _Story(
            [round(int(sum_of) / STORIES, 2) for sum_of in points],
            [[round(int(n) / STORIES, 3) for n in counts[GOALS + hope]] for hope in range(hopes)],
        )


def kind_of(action: str) -> str:
    """What kind of choice it is: the first word of its notation."""
    return action.partition(" ")[0]


@dataclass(frozen=True)
class _Story:
    points: list[float]
    hopes: list[list[float]]


class _ChanceNeeded(Exception):
    pass


class _NoChance:
    def draw(self, n: int, /) -> int:
        raise _ChanceNeeded


def _ordered(tallies: list[RolloutSums], seat: int) -> list[int]:
    return sorted(range(len(tallies)), key=lambda place: (-tallies[place].mean(seat), place))


def _lead(tallies: list[RolloutSums], order: list[int], seat: int) -> float:
    return tallies[order[0]].mean(seat) - tallies[order[1]].mean(seat)
