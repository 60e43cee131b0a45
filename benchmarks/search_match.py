"""Matches between bots, compiled, with rotating seats.

The games of one rotation have the same chance, and each entrant has each seat once.  Results depend
only on the seed, not on the number of processes or the load of the machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from archipel.bots import BotInfo, Level, Roster, roster_of
from archipel.bots.search.config import SearchConfig, get_field, set_field
from archipel.bots.search.search import Buffers, search_entries
from archipel.bots.search.search_state import SearchState
from archipel.bots.search.seq_halving import NO_LIMIT, ROOT
from archipel.rules.kit import Program, stream_key
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.program import Backend
from archipel.rules.play_out import MAX_DECISIONS
from benchmarks.plain_halving import PlainHalving, PlainPlayer, PlainSearch
from benchmarks.plain_tree import PlainTree, PlainTreePlayer, PlainTreeSearch

# Indices of the states.
BLANK = 0
PLAYED = 1
SEEN = 2
STATES = 3


class Player(Protocol):
    """An entrant of a match."""

    def choose(self, seen: Any, actions: Sequence[int], seed: int) -> int:
        """Choose one of several legal actions; ``seen`` is the view of the seat."""
        ...


@cache
def arena_program(game: str) -> Program:
    """The program with all rules that matches of a game need."""
    roster = roster_of(game)
    search = search_entries(roster)
    rules = roster.definition.rules
    return roster.definition.program(
        PlainSearch(rules, roster.rules).decide_plainly,
        PlainTreeSearch(rules, roster.rules).decide_by_trees,
        **search.entries,
        **rules.entries("set_up", "to_move", "legal", "apply", "view", "rank", "score"),
        choose=roster.choose,
    )


@cache
def arena_backend(game: str) -> Backend:
    return load_backend(arena_program(game), compiled=True)


class RulePlayer:
    """A bot that does not search."""

    def __init__(self, backend: Backend, bot: BotInfo) -> None:
        self._backend, self._bot = backend, bot.index
        self._actions = backend.numbers(512)
        self._choices = backend.stream(0)

    def choose(self, seen: Any, actions: Sequence[int], seed: int) -> int:
        for number, action in enumerate(actions):
            self._actions[number] = action
        set_field(self._choices, "key", stream_key(seed, 0))
        set_field(self._choices, "counter", 0)
        return int(
            self._backend.choose(seen, self._bot, self._actions, len(actions), self._choices)
        )


class SearchPlayer:
    """A bot that searches."""

    def __init__(self, roster: Roster, backend: Backend, config: SearchConfig, seats: int) -> None:
        self._backend, self._config = backend, config
        self._threads = backend.records(SearchState, config.threads)
        self._room = Buffers(backend, roster.definition.most_legal)
        weights = roster.evaluation(config.evaluation, seats)
        config.write(self._threads, roster.number_of, weights)
        for thread in range(config.threads):
            set_field(self._threads[thread], "seats", seats)

    def choose(self, seen: Any, actions: Sequence[int], seed: int) -> int:
        for thread in range(self._config.threads):
            set_field(self._threads[thread], "seed", seed)
        room, backend, count = self._room, self._backend, self._config.threads
        room.states[ROOT] = seen
        backend.begin(room.states, room.actions, self._threads, count, room.choices)
        going_on = True
        while going_on:
            for thread in range(count):
                backend.explore(*room.memory, self._threads, thread, count, *room.streams, NO_LIMIT)
            going_on = backend.halve(self._threads, count)
        chosen = backend.conclude(self._threads, count, room.choices)
        return int(get_field(self._threads[0], "candidate")[chosen])


@dataclass
class Played:
    """The result of one game, by entrant."""

    ranks: list[int]
    scores: list[int]
    decisions: int = 0
    asked: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def shares(self) -> list[float]:
        """Shares of first place."""
        first = self.ranks.count(0)
        return [1 / first if rank == 0 else 0.0 for rank in self.ranks]


class Arena:
    """Plays games between entrants in compiled code."""

    def __init__(self, game: str, seats: int, **options: object) -> None:
        self.roster = roster_of(game)
        self.seats = seats
        self.backend: Any = arena_backend(game)
        definition = self.roster.definition
        self._states = self.backend.states(STATES)
        blank = definition.blank(definition.make_options(seats, **options))
        self.backend.write(self._states, BLANK, blank)
        self._actions = self.backend.numbers(definition.most_legal)
        self._chance = self.backend.stream(0)

    def player(self, bot: BotInfo | SearchConfig | PlainHalving | PlainTree) -> Player:
        if isinstance(bot, PlainTree):
            return PlainTreePlayer(self.roster, self.backend, bot, self.seats)
        if isinstance(bot, PlainHalving):
            return PlainPlayer(self.roster, self.backend, bot, self.seats)
        if isinstance(bot, Level):
            bot = bot.config
        if isinstance(bot, SearchConfig):
            return SearchPlayer(self.roster, self.backend, bot, self.seats)
        return RulePlayer(self.backend, bot)

    def play(self, players: Sequence[Player], seed: int, game: int) -> Played:
        """Play game number ``game`` of a seed; entrant e has seat (e + game) modulo seats."""
        backend, seats, shift = self.backend, self.seats, game % self.seats
        self._states[PLAYED] = self._states[BLANK]
        s, seen = self._states[PLAYED], self._states[SEEN]
        set_field(self._chance, "key", stream_key(seed % 2**64, game // seats))
        set_field(self._chance, "counter", 0)
        own = stream_key(stream_key(seed % 2**64, game), 1)
        played = Played([], [], asked=[0] * seats, seconds=[0.0] * seats)
        backend.set_up(s, self._chance)
        seat = backend.to_move(s)
        while seat >= 0 and played.decisions < MAX_DECISIONS:
            count = backend.legal(s, self._actions)
            action = int(self._actions[0])
            if count > 1:
                entrant = (seat - shift) % seats
                backend.view(s, seat, seen)
                begun = time.process_time()
                action = players[entrant].choose(
                    seen, self._actions[:count].tolist(), stream_key(own, played.decisions)
                )
                played.seconds[entrant] += time.process_time() - begun
                played.asked[entrant] += 1
            backend.apply(s, action, self._chance)
            played.decisions += 1
            seat = backend.to_move(s)
        for entrant in range(seats):
            sits = (entrant + shift) % seats
            played.ranks.append(int(backend.rank(s, sits)))
            played.scores.append(int(backend.score(s, sits)))
        return played
