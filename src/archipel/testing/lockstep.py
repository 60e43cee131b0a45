"""Play games with interpreted and compiled rules in parallel and compare every field."""

from __future__ import annotations

import itertools
from typing import Any

from archipel.rules.contract import NOBODY, SPECTATOR, Definition
from archipel.rules.kit import Stream, clone, differences, stream_key
from archipel.rules.kit.numba.compile_cache import default_cache
from archipel.rules.kit.numba.compiler import Compiled, compile_program
from archipel.testing.random_games import some_options


class Lockstep:
    """One game in both forms. Every step compares state, views, legal actions and scores."""

    def __init__(self, definition: Definition[Any], compiled: Compiled) -> None:
        self.definition = definition
        self.compiled = compiled
        self.records = compiled.states(2)
        self.actions = compiled.numbers(definition.most_legal)

    def same(self, index: int, state: Any) -> None:
        assert not differences(self.compiled.read(self.records, index), state)

    def play(self, seed: int, options: Any) -> int:
        definition, records = self.definition, self.records
        state = definition.blank(options)
        self.compiled.write(records, 0, state)
        plain, machine = Stream(stream_key(seed, 0)), self.compiled.stream(stream_key(seed, 0))
        choice = Stream(stream_key(seed, 1))
        definition.set_up(state, plain)
        self.compiled.set_up(records[0], machine)
        decisions = 0
        while True:
            self.same(0, state)
            assert self.compiled.fault(records[0]) == definition.fault(state) == 0
            self._compare_views(state, seed + decisions)
            seat = definition.to_move(state)
            assert self.compiled.to_move(records[0]) == seat
            if seat == NOBODY:
                break
            legal = definition.legal_actions(state)
            count = self.compiled.legal(records[0], self.actions)
            assert self.actions[:count].tolist() == legal
            action = legal[choice.draw(len(legal))]
            definition.apply(state, action, plain)
            self.compiled.apply(records[0], action, machine)
            decisions += 1
        for seat in range(options.seats):
            assert self.compiled.score(records[0], seat) == definition.score(state, seat)
            assert self.compiled.rank(records[0], seat) == definition.rank(state, seat)
        return decisions

    def _compare_views(self, state: Any, key: int) -> None:
        seats = self.definition.read_options(state).seats
        for seat in (SPECTATOR, key % seats):
            seen = self.definition.seen(state, seat)
            self.compiled.view(self.records[0], seat, self.records[1])
            self.same(1, seen)
            if seat != SPECTATOR:
                self.compiled.recall(self.records[0], seat, self.records[1])
                self.same(1, self.definition.recalled(state, seat))
                self.compiled.view(self.records[0], seat, self.records[1])
            sorted_view = clone(seen)
            self.definition.renumber(sorted_view)
            self.compiled.renumber(self.records[1])
            self.same(1, sorted_view)
            self.compiled.view(self.records[0], seat, self.records[1])
            world = clone(seen)
            self.definition.deal_unseen(world, Stream(key))
            self.compiled.deal_unseen(self.records[1], self.compiled.stream(key))
            self.same(1, world)


def play_in_lockstep(definition: Definition[Any], how: dict[str, Any], games: int = 8) -> None:
    """Compile the rules as ``how`` says and play at least ``games`` random games and 500 moves.

    The games are spread over all options. Raises AssertionError at the first difference.
    """
    program = definition.program(**definition.rules.entries())
    lockstep = Lockstep(definition, compile_program(program, how, default_cache()))
    options = some_options(definition, games)
    decisions = 0
    for seed, chosen in enumerate(itertools.cycle(options)):
        if seed >= len(options) and decisions > 500:
            break
        decisions += lockstep.play(seed, chosen)
