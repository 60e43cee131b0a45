"""Many games side by side, as a rule: each goes on until somebody from outside has to decide.

A *lane* is one of the games. Whoever is asked gets what their seat sees, as numbers, and the mask
of what is legal, both written into the caller's room. Written once, compiled for each game; there
is nothing in here that a graphics card could not run, a thread a lane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import Stream, draw, rule, scalar, state, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.kit.marking import F32, I8, rule_apart
from archipel.rules.slots import (
    GameState,
    apply,
    choose,
    legal,
    observe,
    rank,
    recall,
    score,
    set_up,
    to_move,
)

# The states of a batch: the options before set-up, then what a seat sees, then the lanes' games.
BLANK: Final = 0
SEEN: Final = 1
FIRST: Final = 2

# Instead of an action.
WAIT: Final = -1  # leave the lane as it is
BEGIN: Final = -2  # begin its next game
END: Final = -3  # the game is left unfinished

# How a lane's game stands.
GOING_ON: Final = 0
OVER: Final = 1
ILLEGAL: Final = 2  # somebody did what was not legal, and has lost
TOO_LONG: Final = 3
STILL_OVER: Final = -1  # it was over before, and nothing was done

# What a lane does after the end of a game.
NEXT_STEP: Final = 0  # the next action, whatever it is, begins another
SAME_STEP: Final = 1  # another begins at once; what was seen at the end is kept apart
BY_HAND: Final = 2  # nothing, until it is told to begin

# What a game is worth.
SHARE: Final = 0  # of first place: 1 alone, a half for two, 0 for all others
MARGIN: Final = 1  # points ahead of the best of the others, or behind

PENALTY: Final = -1.0  # for what is not legal

# In place of a bot's number.
OUTSIDE: Final = -1  # somebody from outside decides
THINKER: Final = -2  # a bot does that is no rule: it is asked like somebody from outside

WORD: Final = 32


@state
@dataclass(slots=True)
class Setting:
    """What is the same for all lanes."""

    seats: int = scalar("i8")
    rotate: int = scalar("i8")  # whether entrants change seats from game to game
    autoreset: int = scalar("i8")
    worth: int = scalar("i8")
    most_decisions: int = scalar("i8")
    actions: int = scalar("i8")
    words: int = scalar("i8")  # of 32 bits, to hold what is legal


@state
@dataclass(slots=True)
class Lane:
    """A game and how far it is."""

    seed: int = scalar("u8")
    game: int = scalar("i8", -1)  # number of the game of this seed
    key: int = scalar("u8")  # of what its bots leave to chance
    shift: int = scalar("i4")  # entrant e has seat e + shift
    decisions: int = scalar("i4")
    seat: int = scalar("i4")  # who is asked; at the end who from outside was asked last
    outsider: int = scalar("i4")  # who from outside was asked last
    ended: int = scalar("i4", OVER)


@rule
def play_lanes(
    states: list[GameState],
    seen: list[GameState],
    lanes: list[Lane],
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
    """Play the actions given to some lanes, each until somebody from outside is asked again.

    ``rewards`` has a number per lane and seat, ``allowed`` the bits of what is legal, kept apart
    from the masks, which belong to the caller.
    """
    for number in range(first, first + count):
        if given[number] != WAIT:
            lane = lanes[number]
            ended = play_lane(
                states,
                FIRST + number,
                seen[0],
                lane,
                chances[number],
                choices,
                setting,
                bots,
                buffer,
                allowed,
                number * setting.words,
                int(given[number]),
                observations[number],
                masks[number],
                finals,
                number,
                rewards,
                number * setting.seats,
            )
            if ended != STILL_OVER:
                ends[number] = ended
                asked[number] = lane.seat


@rule
def play_lane(
    states: list[GameState],
    at: int,
    seen: GameState,
    lane: Lane,
    chance: Stream,
    choices: Stream,
    setting: Setting,
    bots: list[int],
    buffer: list[int],
    allowed: list[int],
    words: int,
    action: int,
    observation: list[F32],
    mask: list[I8],
    finals: list[list[F32]],
    number: int,
    rewards: list[float],
    reward_at: int,
) -> int:
    """Play the action given to one lane, whose game is state number ``at``, and write what is seen
    then; how it stands, or STILL_OVER.  Its bits in ``allowed`` and its rewards begin at ``words``
    and ``reward_at``."""
    s = states[at]
    ended = advance(
        states,
        at,
        seen,
        lane,
        chance,
        choices,
        setting,
        bots,
        buffer,
        allowed,
        words,
        action,
        rewards,
        reward_at,
    )
    if ended == STILL_OVER:
        return ended
    if ended != GOING_ON and setting.autoreset == SAME_STEP:
        show(s, seen, lane.seat, finals[number])
        begin(states, lane, chance, setting, bots, at)
        go_on(s, seen, lane, chance, choices, setting, bots, buffer, BEGIN)
    show(s, seen, lane.seat, observation)
    permit(s, lane, setting, buffer, allowed, words, mask)
    return ended


@rule
def advance(
    states: list[GameState],
    at: int,
    seen: GameState,
    lane: Lane,
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
    """Play the action given to one lane, until somebody from outside is asked or the game is over;
    how it then stands, or STILL_OVER."""
    s = states[at]
    for seat in range(setting.seats):
        rewards[reward_at + seat] = 0.0
    if action == BEGIN or (lane.ended != GOING_ON and setting.autoreset == NEXT_STEP):
        begin(states, lane, chance, setting, bots, at)
        action = BEGIN
    elif lane.ended != GOING_ON:
        return STILL_OVER
    elif not is_allowed(allowed, words, setting.actions, action):
        lane.ended = ILLEGAL
    if lane.ended == GOING_ON:
        go_on(s, seen, lane, chance, choices, setting, bots, buffer, action)
    reward(s, lane, setting, rewards, reward_at)
    return int(lane.ended)


@rule_apart
def begin(
    states: list[GameState],
    lane: Lane,
    chance: Stream,
    setting: Setting,
    bots: list[int],
    at: int,
) -> None:
    """Set up the next game of a lane."""
    lane.game += 1
    lane.decisions = 0
    lane.ended = GOING_ON
    lane.shift = 0
    if setting.rotate != 0:
        lane.shift = int((int(lane.seed & 0xFFFF_FFFF) + lane.game) % setting.seats)
    lane.seat = 0
    for entrant in range(setting.seats):
        if bots[setting.seats - 1 - entrant] == OUTSIDE:
            lane.seat = (setting.seats - 1 - entrant + lane.shift) % setting.seats
    lane.outsider = lane.seat
    chance.key = stream_key(lane.seed, lane.game)
    chance.counter = 0
    lane.key = stream_key(chance.key, 1)
    copy_state(states, BLANK, at)
    set_up(states[at], chance)


@rule_apart
def go_on(
    s: GameState,
    seen: GameState,
    lane: Lane,
    chance: Stream,
    choices: Stream,
    setting: Setting,
    bots: list[int],
    buffer: list[int],
    action: int,
) -> None:
    """Play an action, and what the bots then do, until somebody from outside is asked."""
    while True:
        if action >= 0:
            apply(s, action, chance)
            lane.decisions += 1
        seat = to_move(s)
        if seat < 0:
            lane.ended = OVER
            lane.seat = lane.outsider
            break
        bot = bots[(seat - lane.shift + setting.seats) % setting.seats]
        if bot == OUTSIDE:
            lane.outsider = seat
        if lane.decisions >= setting.most_decisions:
            lane.ended = TOO_LONG
            lane.seat = lane.outsider
            break
        if bot < 0:
            lane.seat = seat
            break
        count = legal(s, buffer)
        recall(s, seat, seen)
        choices.key = stream_key(lane.key, lane.decisions)
        choices.counter = 0
        action = choose(seen, bot, buffer, count, choices)


@rule_apart
def show(s: GameState, seen: GameState, seat: int, out: list[F32]) -> None:
    """What a seat sees, as numbers."""
    recall(s, seat, seen)
    observe(seen, seat, out)


@rule_apart
def permit(
    s: GameState,
    lane: Lane,
    setting: Setting,
    buffer: list[int],
    allowed: list[int],
    words: int,
    mask: list[I8],
) -> None:
    """The mask of what is legal: nothing, when the game is over."""
    for word in range(setting.words):
        allowed[words + word] = 0
    for action in range(setting.actions):
        mask[action] = 0
    if lane.ended == GOING_ON:
        count = legal(s, buffer)
        for index in range(count):
            action = buffer[index]
            mask[action] = 1
            allowed[words + action // WORD] |= 1 << action % WORD


@rule
def is_allowed(allowed: list[int], words: int, actions: int, action: int) -> bool:
    if action < 0 or action >= actions:
        return False
    return allowed[words + action // WORD] >> action % WORD & 1 != 0


@rule_apart
def reward(s: GameState, lane: Lane, setting: Setting, rewards: list[float], at: int) -> None:
    """What the seats get, which is nothing before the end."""
    if lane.ended == ILLEGAL:
        rewards[at + lane.seat] = PENALTY
    elif lane.ended == OVER and setting.worth == SHARE:
        winners = 0
        for seat in range(setting.seats):
            if rank(s, seat) == 0:
                rewards[at + seat] = 1.0
                winners += 1
        for seat in range(setting.seats):
            if rewards[at + seat] != 0.0:
                rewards[at + seat] = 1.0 / winners
    elif lane.ended == OVER:
        for seat in range(setting.seats):
            best = -(1 << 40)
            for other in range(setting.seats):
                if other != seat:
                    best = max(best, score(s, other))
            rewards[at + seat] = float(score(s, seat) - best)


@rule
def look_at_lane(
    states: list[GameState],
    seen: list[GameState],
    lane: int,
    seat: int,
    observation: list[F32],
) -> None:
    """What any seat sees in a lane."""
    show(states[FIRST + lane], seen[0], seat, observation)


@rule
def fill_at_random(
    lanes: list[Lane],
    masks: list[list[I8]],
    actions: int,
    chance: Stream,
    given: list[int],
    count: int,
) -> None:
    """A legal action for every lane, each equally likely; BEGIN where the game is over."""
    for number in range(count):
        if lanes[number].ended != GOING_ON:
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
def observe_states(
    states: list[GameState], seats: list[int], observations: list[list[F32]], count: int
) -> None:
    """What seats see in views that are at hand."""
    for number in range(count):
        observe(states[number], seats[number], observations[number])
