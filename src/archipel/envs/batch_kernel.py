"""Parallel games as rules; each runs until a decision has to come from outside.

The seat to decide gets its observation and the mask of legal actions, written into the caller's
arrays.  The rules also run on a GPU, one thread per environment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from archipel.bots import roster_of
from archipel.bots.contract import BotRules
from archipel.bots.random_play import only_at_random
from archipel.envs.observation_spec import observing
from archipel.rules.all_games import game_named
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import Program, Stream, draw, rule, scalar, state, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import F32, I8, rule_apart
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.program import Backend

# States of a batch: the options before set-up, then the games.
BLANK: Final = 0
FIRST: Final = 1

# In place of an action.
WAIT: Final = -1  # leave the environment as it is
BEGIN: Final = -2  # begin its next game

# State of a game.
GOING_ON: Final = 0
OVER: Final = 1
ILLEGAL: Final = 2  # lost by an illegal action
TOO_LONG: Final = 3  # truncated
STILL_OVER: Final = -1  # was over before the step

# Autoreset modes.
NEXT_STEP: Final = 0  # the next step begins another game and ignores its action
SAME_STEP: Final = 1  # another game begins at once; the last observation is kept apart
BY_HAND: Final = 2  # the next game begins on reset

# Rewards at the end of a game.
WIN_SHARE: Final = 0  # 1 for a win, 1/k if k seats share it, else 0
MARGIN: Final = 1  # points ahead of the best other seat

PENALTY: Final = -1.0  # for an illegal action

# In place of a bot's number.
OUTSIDE: Final = -1  # the user decides
ASKED: Final = -2  # a bot that searches, or a function: asked like the user

WORD: Final = 32


@state
@dataclass(slots=True)
class Setting:
    """Settings of all environments of a batch."""

    seats: int = scalar("i8")
    rotate: int = scalar("i8")  # 1: players change seats from game to game
    autoreset: int = scalar("i8")
    reward: int = scalar("i8")
    most_decisions: int = scalar("i8")
    actions: int = scalar("i8")
    words: int = scalar("i8")  # 32-bit words of a mask


@state
@dataclass(slots=True)
class EnvState:
    """Progress of one environment."""

    seed: int = scalar("u8")
    game: int = scalar("i8", -1)  # number of the game within the seed
    key: int = scalar("u8")  # of the bots' random streams
    seat_offset: int = scalar("i4")  # player e has seat e + seat_offset
    decisions: int = scalar("i4")
    seat: int = scalar("i4")  # the seat to decide; at the end the outside seat that decided last
    outsider: int = scalar("i4")  # the outside seat that decided last
    ended: int = scalar("i4", OVER)


@rule
def is_allowed(allowed: list[int], words: int, actions: int, action: int) -> bool:
    if action < 0 or action >= actions:
        return False
    return allowed[words + action // WORD] >> action % WORD & 1 != 0


@rule
def fill_at_random(
    envs: list[EnvState],
    masks: list[list[I8]],
    actions: int,
    chance: Stream,
    given: list[int],
    count: int,
) -> None:
    """Draw a uniformly random legal action for every environment; BEGIN if its game is over."""
    for number in range(count):
        if envs[number].ended != GOING_ON:
            given[number] = BEGIN
            continue
        mask = masks[number]
        legal_actions = 0
        for action in range(actions):
            legal_actions += mask[action]
        chosen = draw(chance, legal_actions)
        for action in range(actions):
            if mask[action] != 0:
                if chosen == 0:
                    given[number] = action
                    break
                chosen -= 1


@rule
def bits_set(word: int) -> int:
    """Number of set bits among 32."""
    word = word - (word >> 1 & 0x5555_5555)
    word = (word & 0x3333_3333) + (word >> 2 & 0x3333_3333)
    word = word + (word >> 4) & 0x0F0F_0F0F
    return (word * 0x0101_0101 & 0xFFFF_FFFF) >> 24


@rule
def pick_at_random(
    env: EnvState, setting: Setting, allowed: list[int], words: int, choices: Stream
) -> int:
    """Draw the action that the bot ``random`` would choose, from mask bits; BEGIN after the end.

    The GPU counterpart of `fill_at_random`.
    """
    if env.ended != GOING_ON:
        return BEGIN
    count = 0
    for word in range(setting.words):
        count += bits_set(allowed[words + word])
    choices.key = stream_key(env.key, env.decisions)
    choices.counter = 0
    chosen = draw(choices, count)
    word = 0
    here = bits_set(allowed[words])
    while chosen >= here:
        chosen -= here
        word += 1
        here = bits_set(allowed[words + word])
    bits = int(allowed[words + word])
    while chosen > 0:
        bits &= bits - 1
        chosen -= 1
    return word * WORD + bits_set((bits & -bits) - 1)


@dataclass(frozen=True)
class Batches:
    """Plays parallel games."""

    game: GameRules
    bots: BotRules
    observe: Callable[[Any, int, list[float]], None]
    """Write a seat's view as numbers (see `archipel.rules.kit.core.observations`)."""

    @rule
    def step_envs(
        self,
        states: list[GameState],
        seen: list[GameState],
        envs: list[EnvState],
        chances: list[Stream],
        choices: Stream,
        setting: Setting,
        bots: list[int],
        buffer: list[int],
        allowed: list[int],
        given: list[int],
        observations: list[list[F32]],
        masks: list[list[I8]],
        finals: list[list[F32]],
        rewards: list[float],
        ends: list[I8],
        asked: list[int],
        first: int,
        count: int,
    ) -> None:
        """Play an action in each environment, and on until the next outside decision.

        ``rewards`` has a number per environment and seat.  ``allowed`` has the mask bits, apart
        from the masks because the caller may change those.
        """
        for number in range(first, first + count):
            if given[number] != WAIT:
                at = FIRST + number
                s = states[at]
                env = envs[number]
                chance = chances[number]
                words = number * setting.words
                ended = self.advance(
                    states,
                    at,
                    seen[0],
                    env,
                    chance,
                    choices,
                    setting,
                    bots,
                    buffer,
                    allowed,
                    words,
                    int(given[number]),
                    rewards,
                    number * setting.seats,
                )
                if ended != STILL_OVER:
                    if ended != GOING_ON and setting.autoreset == SAME_STEP:
                        self.show(s, seen[0], env.seat, finals[number])
                        self.begin(states, env, chance, setting, bots, at)
                        self.go_on(s, seen[0], env, chance, choices, setting, bots, buffer, BEGIN)
                    self.show(s, seen[0], env.seat, observations[number])
                    self.permit(s, env, setting, buffer, allowed, words, masks[number])
                    ends[number] = ended
                    asked[number] = env.seat

    @rule
    def advance(
        self,
        states: list[GameState],
        at: int,
        seen: GameState,
        env: EnvState,
        chance: Stream,
        choices: Stream,
        setting: Setting,
        bots: list[int],
        buffer: list[int],
        allowed: list[int],
        words: int,
        action: int,
        rewards: list[float],
        reward_at: int,
    ) -> int:
        """Play an action in one environment until the next outside decision or the end.

        Returns the state of the game, or STILL_OVER.
        """
        s = states[at]
        for seat in range(setting.seats):
            rewards[reward_at + seat] = 0.0
        if action == BEGIN or (env.ended != GOING_ON and setting.autoreset == NEXT_STEP):
            self.begin(states, env, chance, setting, bots, at)
            action = BEGIN
        elif env.ended != GOING_ON:
            return STILL_OVER
        elif not is_allowed(allowed, words, setting.actions, action):
            env.ended = ILLEGAL
        if env.ended == GOING_ON:
            self.go_on(s, seen, env, chance, choices, setting, bots, buffer, action)
        self.reward(s, env, setting, rewards, reward_at)
        return int(env.ended)

    @rule_apart
    def begin(
        self,
        states: list[GameState],
        env: EnvState,
        chance: Stream,
        setting: Setting,
        bots: list[int],
        at: int,
    ) -> None:
        """Set up the next game of an environment."""
        env.game += 1
        env.decisions = 0
        env.ended = GOING_ON
        env.seat_offset = 0
        if setting.rotate != 0:
            env.seat_offset = int((int(env.seed & 0xFFFF_FFFF) + env.game) % setting.seats)
        env.seat = 0
        for entrant in range(setting.seats):
            if bots[setting.seats - 1 - entrant] == OUTSIDE:
                env.seat = (setting.seats - 1 - entrant + env.seat_offset) % setting.seats
        env.outsider = env.seat
        chance.key = stream_key(env.seed, env.game)
        chance.counter = 0
        env.key = stream_key(chance.key, 1)
        copy_state(states, BLANK, at)
        self.game.set_up(states[at], chance)

    @rule_apart
    def go_on(
        self,
        s: GameState,
        seen: GameState,
        env: EnvState,
        chance: Stream,
        choices: Stream,
        setting: Setting,
        bots: list[int],
        buffer: list[int],
        action: int,
    ) -> None:
        """Play an action and the bots' replies until the next outside decision."""
        while True:
            if action >= 0:
                self.game.apply(s, action, chance)
                env.decisions += 1
            seat = self.game.to_move(s)
            if seat < 0:
                env.ended = OVER
                env.seat = env.outsider
                break
            bot = bots[(seat - env.seat_offset + setting.seats) % setting.seats]
            if bot == OUTSIDE:
                env.outsider = seat
            if env.decisions >= setting.most_decisions:
                env.ended = TOO_LONG
                env.seat = env.outsider
                break
            if bot < 0:
                env.seat = seat
                break
            count = self.game.legal(s, buffer)
            self.game.recall(s, seat, seen)
            choices.key = stream_key(env.key, env.decisions)
            choices.counter = 0
            action = self.bots.choose(seen, bot, buffer, count, choices)

    @rule_apart
    def show(self, s: GameState, seen: GameState, seat: int, out: list[F32]) -> None:
        """Write a seat's observation."""
        self.game.recall(s, seat, seen)
        self.observe(seen, seat, out)

    @rule_apart
    def permit(
        self,
        s: GameState,
        env: EnvState,
        setting: Setting,
        buffer: list[int],
        allowed: list[int],
        words: int,
        mask: list[I8],
    ) -> None:
        """Write the mask of legal actions; empty if the game is over."""
        for word in range(setting.words):
            allowed[words + word] = 0
        for action in range(setting.actions):
            mask[action] = 0
        if env.ended == GOING_ON:
            count = self.game.legal(s, buffer)
            for index in range(count):
                action = buffer[index]
                mask[action] = 1
                allowed[words + action // WORD] |= 1 << action % WORD

    @rule_apart
    def reward(
        self, s: GameState, env: EnvState, setting: Setting, rewards: list[float], at: int
    ) -> None:
        """Write the rewards of all seats; 0 before the end."""
        if env.ended == ILLEGAL:
            rewards[at + env.seat] = PENALTY
        elif env.ended == OVER and setting.reward == WIN_SHARE:
            winners = 0
            for seat in range(setting.seats):
                if self.game.rank(s, seat) == 0:
                    rewards[at + seat] = 1.0
                    winners += 1
            for seat in range(setting.seats):
                if rewards[at + seat] != 0.0:
                    rewards[at + seat] = 1.0 / winners
        elif env.ended == OVER:
            for seat in range(setting.seats):
                best = -(1 << 40)
                for other in range(setting.seats):
                    if other != seat:
                        best = max(best, self.game.score(s, other))
                rewards[at + seat] = float(self.game.score(s, seat) - best)

    @rule
    def observe_env(
        self,
        states: list[GameState],
        seen: list[GameState],
        env: int,
        seat: int,
        observation: list[F32],
    ) -> None:
        """Write the observation of any seat."""
        self.show(states[FIRST + env], seen[0], seat, observation)

    @rule
    def observe_states(
        self, states: list[GameState], seats: list[int], observations: list[list[F32]], count: int
    ) -> None:
        """Write the observations of views."""
        for number in range(count):
            self.observe(states[number], seats[number], observations[number])


# ---- programs -----------------------------------------------------------------------------------


@cache
def batches(game: str, bots: bool) -> Batches:
    """Kernel of a game.

    Without bots (except those that play at random) the program is smaller and compiles faster.
    """
    roster = roster_of(game)
    rules = roster.rules if bots else BotRules(only_at_random)
    return Batches(roster.definition.rules, rules, observing(game))


@cache
def batch_program(game: str, bots: bool) -> Program:
    kernel = batches(game, bots)
    entries = (kernel.step_envs, kernel.observe_env, fill_at_random, kernel.observe_states)
    return game_named(game).program(*entries)


@cache
def batch_backend(game: str, bots: bool, compiled: bool | None) -> Backend:
    return load_backend(batch_program(game, bots), compiled)
