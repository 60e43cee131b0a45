"""The kernels of a game on a graphics card, loaded once for all batches of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy

from archipel.envs import gpu_kernels, kernel
from archipel.envs.device_rules import permit_bits, pick_at_random, show_later
from archipel.envs.programs import lanes_program, observation_of
from archipel.rules import slots
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.gpu import Kernel, LoadedKernel
from archipel.rules.kit.layout import layout
from archipel.rules.kit.observing import Piece, observing_pieces


@dataclass(frozen=True)
class Tuning:
    """What makes a kernel faster or slower, and nothing else."""

    piece: int = 64
    """Numbers that a thread makes of an observation before its warp writes them: what the threads
    of a block make must fit 48 kB."""
    threads: int = 64
    """How many make a block."""
    registers: int | None = None
    """The most that a thread may have: with fewer, more of them go at the same time."""
    inline: bool = False
    """Whether rules are compiled into their callers by force."""


USUAL = Tuning()

_PLAIN = {
    "GOING_ON": kernel.GOING_ON,
    "BEGIN": kernel.BEGIN,
    "OVER": kernel.OVER,
    "ILLEGAL": kernel.ILLEGAL,
    "TOO_LONG": kernel.TOO_LONG,
    "SAME_STEP": kernel.SAME_STEP,
}


@dataclass(frozen=True)
class Kernels:
    """What a batch launches (see `archipel.envs.gpu_kernels`)."""

    words: int
    take: Callable[[Any], LoadedKernel]
    pick: LoadedKernel
    clear: LoadedKernel
    count: LoadedKernel
    begin_groups: LoadedKernel
    sort: LoadedKernel
    step: LoadedKernel


@cache
def kernels_for(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> Kernels:
    """The kernels of a game, with bots that are rules or only with those that play at random."""
    made = {made.function.__name__: LoadedKernel(made) for made in all_kernels(game, bots, kind, tuning)}

    @cache
    def take(actions: Any) -> LoadedKernel:
        return LoadedKernel(take_kernel(game, actions))

    return Kernels(-(-game_named(game).actions // kernel.WORD), take=take, **made)


def all_kernels(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> list[Kernel]:
    """The kernels of a game, not yet built."""
    return [*sorting_kernels(game), pick_kernel(game), step_kernel(game, bots, kind, tuning)]


def take_kernel(game: str, actions: Any) -> Kernel:
    """For actions of 32 bits or of 64."""
    definition = game_named(game)
    return Kernel(
        gpu_kernels.take,
        _no_rules(game),
        {},
        ((actions, 1), (numpy.int32, 1)),
        {"ACTIONS": definition.actions},
    )


def sorting_kernels(game: str) -> list[Kernel]:
    whole = (numpy.int32, 1)
    constants = {"KEYS": game_named(game).actions + 2}
    arguments = {
        gpu_kernels.clear: (whole,),
        gpu_kernels.count: (whole, whole),
        gpu_kernels.begin_groups: (whole,),
        gpu_kernels.sort: (whole, whole, whole),
    }
    return [
        Kernel(function, _no_rules(game), {}, each, constants)
        for function, each in arguments.items()
    ]


def pick_kernel(game: str) -> Kernel:
    return Kernel(
        gpu_kernels.pick,
        game_named(game).program(pick_at_random),
        {"pick_at_random": pick_at_random},
        (
            (layout(kernel.Lane), 1),
            (layout(kernel.Setting), 1),
            (layout(Stream), 1),
            (numpy.uint32, 1),
            (numpy.int32, 1),
            (numpy.int64, 1),
        ),
        {"WORDS": _words(game)},
    )


def _no_rules(game: str) -> Program:
    return game_named(game).program()


def _words(game: str) -> int:
    return -(-game_named(game).actions // kernel.WORD)


# ---- playing and looking ------------------------------------------------------------------------


def step_kernel(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> Kernel:
    """Play the actions given, and write what is seen and what is legal.

    A thread plays a lane, and then makes piece after piece of what is seen there, in memory that
    its warp shares; whose threads write the pieces of one lane after the other, neighbours to
    neighbours.  While one warp writes, others play.
    """
    definition = game_named(game)
    pieces = observing_pieces(
        game, definition.state, definition.seats[-1], observation_of(game), tuning.piece
    )
    named = {f"observe_{number}": piece.rule for number, piece in enumerate(pieces)}
    lanes = lanes_program(game, bots)
    bindings = {**lanes.bindings, kernel.show: show_later, kernel.permit: permit_bits}
    size = layout(definition.state).itemsize // 4
    width = numpy.dtype(kind).itemsize
    words = tuning.piece * width // 4
    # Rows of an odd number of words: what threads write side by side goes to different banks.
    pitch = (words + 1 - words % 2) * 4 // width
    source = "\n".join(_stepping(pieces))
    scope: dict[str, Any] = {}
    exec(compile(source, gpu_kernels.__file__, "exec", dont_inherit=True), scope)
    return Kernel(
        scope["step"],
        Program(
            lanes.name, lanes.state, (kernel.play_lane, slots.recall, *named.values()), bindings
        ),
        {"play_lane": kernel.play_lane, "recall": slots.recall, **named},
        (
            (numpy.uint32, 2),
            (layout(kernel.Lane), 1),
            (layout(Stream), 1),
            (layout(Stream), 1),
            (layout(kernel.Setting), 1),
            (numpy.int64, 1),
            (numpy.uint32, 1),
            (numpy.int32, 1),
            (numpy.int32, 1),
            (numpy.float32, 2),
            (numpy.int8, 2),
            (numpy.float64, 2),
            (numpy.float32, 1),
            (numpy.bool_, 1),
            (numpy.bool_, 1),
            (numpy.int32, 1),
            (kind, 2),
            (numpy.bool_, 2),
        ),
        {
            **_PLAIN,
            "ACTIONS": definition.actions,
            "WORDS": _words(game),
            "LEGAL": definition.most_legal,
            "MOST_SEATS": definition.seats[-1],
            "STATE": layout(definition.state),
            "STATE_WORDS": size,
            "TWO_STATES": 2 * size,
            "KIND": numpy.dtype(kind).type,
            "PITCH": pitch,
            "ROOM": tuning.threads * pitch,
        },
        devices=(gpu_kernels.play_thread,),
        source=source,
        threads=tuning.threads,
        registers=tuning.registers,
        inline=tuning.inline,
    )


def _stepping(pieces: tuple[Piece, ...]) -> Iterator[str]:
    """The source of the kernel."""
    arrays = (
        "states, lanes, chances, choices, setting, bots, allowed, given, order, nothing, no_mask, "
        "returns, rewards, over, cut, asked"
    )
    yield f"def step({arrays}, observations, masks):"
    yield "    room = cuda.shared.array(ROOM, KIND)"
    yield "    me = cuda.threadIdx.x"
    yield "    thread = me & 31"
    yield "    index = cuda.grid(1)"
    yield "    words = cuda.local.array(TWO_STATES, numpy.uint32)"
    yield "    mine = words.view(STATE)"
    yield f"    play_thread(index, words, mine, {arrays})"
    yield "    first = index - thread"
    yield "    end = min(first + 32, order.shape[0])"
    yield "    piece = room[me * PITCH : (me + 1) * PITCH]"
    yield "    seat = 0"
    yield "    if index < end:"
    yield "        seat = int(asked[order[index]])"
    yield "        recall(mine[0], seat, mine[1])"
    yield "    cuda.syncwarp()"
    for number, piece in enumerate(pieces):
        yield f"    for place in range({piece.size}):"
        yield "        piece[place] = 0"
        yield "    if index < end:"
        yield f"        observe_{number}(mine[1], seat, piece)"
        yield "    cuda.syncwarp()"
        yield "    for other in range(first, end):"
        yield "        lane = order[other]"
        yield "        begin = (me - thread + other - first) * PITCH"
        yield f"        for place in range(thread, {piece.size}, 32):"
        yield f"            observations[lane, {piece.first} + place] = room[begin + place]"
        yield "    cuda.syncwarp()"
    yield "    for other in range(first, end):"
    yield "        lane = order[other]"
    yield "        for word in range(WORDS):"
    yield "            action = word * 32 + thread"
    yield "            if action < ACTIONS:"
    yield "                bits = int(allowed[lane * WORDS + word])"
    yield "                masks[lane, action] = bits >> thread & 1 != 0"
