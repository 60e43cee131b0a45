"""The kernels of lanes on a graphics card, as numba-cuda compiles them.

A step is a row of them: `take` or `pick` gives every lane its action; `count`, `begin_groups` and
`sort` put lanes of like actions next to each other, since threads that go together are quickest
where they do the same; `step` plays, a thread a lane, and writes what is seen and what is legal (its source is made in
`archipel.envs.gpu_programs`, piece by piece of an observation).

Names in capital letters, and those of rules, are bound when a kernel is made.
"""

from __future__ import annotations

from typing import Any

cuda: Any = None
numpy: Any = None
play_lane: Any = None
pick_at_random: Any = None
recall: Any = None

ACTIONS: Any = 0
KEYS: Any = 0
LEGAL: Any = 0
WORDS: Any = 0
STATE: Any = None
STATE_WORDS: Any = 0
TWO_STATES: Any = 0
MOST_SEATS: Any = 0
GOING_ON: Any = 0
BEGIN: Any = 0
OVER: Any = 0
ILLEGAL: Any = 0
TOO_LONG: Any = 0
SAME_STEP: Any = 0


def take(actions: Any, given: Any) -> None:
    """Actions from outside: what cannot be one is only illegal."""
    lane = cuda.grid(1)
    if lane < given.shape[0]:
        action = actions[lane]
        given[lane] = action if 0 <= action and action < ACTIONS else ACTIONS


def pick(lanes: Any, setting: Any, choices: Any, allowed: Any, given: Any, played: Any) -> None:
    """Actions at random; ``played`` counts those of a lane."""
    lane = cuda.grid(1)
    if lane < given.shape[0]:
        action = pick_at_random(lanes[lane], setting[0], allowed, lane * WORDS, choices[lane])
        given[lane] = action
        if action >= 0:
            played[lane] += 1


def clear(groups: Any) -> None:
    """No lanes of any action."""
    key = cuda.grid(1)
    if key < KEYS:
        groups[key] = 0


def count(given: Any, groups: Any) -> None:
    """How many lanes there are of each action, or that begin."""
    here = cuda.shared.array(KEYS, numpy.int32)
    key = cuda.threadIdx.x
    while key < KEYS:
        here[key] = 0
        key += cuda.blockDim.x
    cuda.syncthreads()
    lane = cuda.grid(1)
    if lane < given.shape[0]:
        cuda.atomic.add(here, max(given[lane], -1) + 1, 1)
    cuda.syncthreads()
    key = cuda.threadIdx.x
    while key < KEYS:
        if here[key] != 0:
            cuda.atomic.add(groups, key, here[key])
        key += cuda.blockDim.x


def begin_groups(groups: Any) -> None:
    """Where the lanes of each action begin."""
    total = 0
    for key in range(KEYS):
        number = groups[key]
        groups[key] = total
        total += number


def sort(given: Any, groups: Any, order: Any) -> None:
    """Every lane into its group; in which order they stand there does not matter."""
    here = cuda.shared.array(KEYS, numpy.int32)
    begin = cuda.shared.array(KEYS, numpy.int32)
    key = cuda.threadIdx.x
    while key < KEYS:
        here[key] = 0
        key += cuda.blockDim.x
    cuda.syncthreads()
    lane = cuda.grid(1)
    own = 0
    place = 0
    if lane < given.shape[0]:
        own = max(given[lane], -1) + 1
        place = cuda.atomic.add(here, own, 1)
    cuda.syncthreads()
    key = cuda.threadIdx.x
    while key < KEYS:
        if here[key] != 0:
            begin[key] = cuda.atomic.add(groups, key, here[key])
        key += cuda.blockDim.x
    cuda.syncthreads()
    if lane < given.shape[0]:
        order[begin[own] + place] = lane


def play_thread(
    index: Any,
    words: Any,
    mine: Any,
    states: Any,
    lanes: Any,
    chances: Any,
    choices: Any,
    setting: Any,
    bots: Any,
    allowed: Any,
    given: Any,
    order: Any,
    nothing: Any,
    no_mask: Any,
    returns: Any,
    rewards: Any,
    over: Any,
    cut: Any,
    asked: Any,
) -> None:
    """Play the action given to one lane, the one at a place in the order.

    The states are words here, and the first row has the options before a game. A thread has its
    state, and what bots see, in memory of its own (``mine``, and the same as ``words``): that of
    neighbouring threads lies side by side, so that they fetch it together. The second setting says
    whether another game begins at once.
    """
    if index < order.shape[0]:
        lane = order[index]
        action = int(given[lane])
        legal = cuda.local.array(LEGAL, numpy.int16)
        gains = cuda.local.array(MOST_SEATS, numpy.float64)
        seats = setting[0].seats
        seat = lanes[lane].seat
        row = lane + 1
        if action == BEGIN or lanes[lane].ended != GOING_ON:
            row = 0
        passes = 0
        while True:
            for word in range(STATE_WORDS):
                words[word] = states[row, word]
            ended = play_lane(
                mine,
                0,
                mine[1],
                lanes[lane],
                chances[lane],
                choices[lane],
                setting[0],
                bots,
                legal,
                allowed,
                lane * WORDS,
                action,
                nothing[0],
                no_mask[0],
                nothing,
                0,
                gains,
                0,
            )
            if passes == 0:
                over[lane] = ended == OVER or ended == ILLEGAL
                cut[lane] = ended == TOO_LONG
                rewards[lane] = gains[seat]
                for other in range(seats):
                    returns[lane, other] = gains[other]
            passes += 1
            if ended == GOING_ON or passes == 2 or setting[1].autoreset != SAME_STEP:
                break
            action = BEGIN
            row = 0
        for word in range(STATE_WORDS):
            states[lane + 1, word] = words[word]
        asked[lane] = lanes[lane].seat
