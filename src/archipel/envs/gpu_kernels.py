"""The kernels of lanes on a graphics card, as numba-cuda compiles them.

A step is a row of them: `take` or `pick` gives every lane its action; `clear`, `count`,
`begin_groups` and `sort` put lanes of like actions next to each other, since threads that go
together are quickest where they do the same; `step` plays, a thread a lane, and writes what is seen
and what is legal (its source is made in `archipel.envs.gpu_programs`, piece by piece of an
observation).

A lane is a row of words: its game's state, then its `Lane`, then its `Stream`; the first row has
the options before a game.  Names in capital letters, and those of rules, are bound when a kernel is
made.
"""

from __future__ import annotations

from typing import Any

cuda: Any = None
numpy: Any = None
play_lane: Any = None
pick_at_random: Any = None

ACTIONS: Any = 0
KEYS: Any = 0
LEGAL: Any = 0
WORDS: Any = 0
ROW: Any = 0
LANE_AT: Any = 0
LANE: Any = None
STREAM: Any = None
STATE_WORDS: Any = 0
MOST_SEATS: Any = 0
GOING_ON: Any = 0
BEGIN: Any = 0
OVER: Any = 0
ILLEGAL: Any = 0
TOO_LONG: Any = 0
SAME_STEP: Any = 0


def seed(rows: Any, seeds: Any) -> None:
    """Lanes that have not begun, from a seed on."""
    index = cuda.grid(1)
    if index < rows.shape[0] // ROW - 1:
        words = cuda.local.array(6, numpy.uint64)
        lane = words.view(LANE)
        halves = words.view(numpy.uint32)
        lane[0].seed = seeds[0] + numpy.uint64(index)
        lane[0].game = -1
        lane[0].key = 0
        lane[0].shift = 0
        lane[0].decisions = 0
        lane[0].seat = 0
        lane[0].outsider = 0
        lane[0].ended = OVER
        for word in range(12):
            rows[(index + 1) * ROW + LANE_AT + word] = halves[word]


def take(actions: Any, given: Any) -> None:
    """Actions from outside: what cannot be one is only illegal."""
    lane = cuda.grid(1)
    if lane < given.shape[0]:
        action = actions[lane]
        given[lane] = action if action >= 0 and action < ACTIONS else ACTIONS


def pick(rows: Any, setting: Any, allowed: Any, given: Any) -> None:
    """Actions at random."""
    index = cuda.grid(1)
    if index < given.shape[0]:
        words = cuda.local.array(6, numpy.uint64)
        lane = words.view(LANE)
        halves = words.view(numpy.uint32)
        room = cuda.local.array(2, numpy.uint64)
        choices = room.view(STREAM)
        for word in range(12):
            halves[word] = rows[(index + 1) * ROW + LANE_AT + word]
        given[index] = pick_at_random(lane[0], setting[0], allowed, index * WORDS, choices[0])


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
    action: Any,
    words: Any,
    mine: Any,
    seen: Any,
    lane: Any,
    chance: Any,
    choices: Any,
    legal: Any,
    bits: Any,
    rows: Any,
    setting: Any,
    bots: Any,
    nothing: Any,
    no_mask: Any,
    index: Any,
    returns: Any,
    rewards: Any,
    over: Any,
    cut: Any,
) -> None:
    """Play an action in the lane of a thread, which has it in memory of its own: that of
    neighbouring threads lies side by side, so that they fetch it together.  The second setting says
    whether another game begins at once."""
    gains = cuda.local.array(MOST_SEATS, numpy.float64)
    seats = setting[0].seats
    seat = lane[0].seat
    passes = 0
    while True:
        if action == BEGIN or lane[0].ended != GOING_ON:
            word = 0
            while word < STATE_WORDS:
                words[word & 0xFFFF] = rows[word & 0xFFFF]
                word += 1
        ended = play_lane(
            mine,
            0,
            seen[0],
            lane[0],
            chance[0],
            choices[0],
            setting[0],
            bots,
            legal,
            bits,
            0,
            action,
            nothing[0],
            no_mask[0],
            nothing,
            0,
            gains,
            0,
        )
        if passes == 0:
            over[index] = ended != GOING_ON and ended != TOO_LONG
            cut[index] = ended == TOO_LONG
            rewards[index] = gains[seat]
            for other in range(seats):
                returns[index * seats + other] = gains[other]
        passes += 1
        if ended == GOING_ON or passes == 2 or setting[1].autoreset != SAME_STEP:
            break
        action = BEGIN
