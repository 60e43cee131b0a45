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
from archipel.rules.kit.marking import AnyRule
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
    seed: LoadedKernel
    pick: LoadedKernel
    clear: LoadedKernel
    count: LoadedKernel
    begin_groups: LoadedKernel
    sort: LoadedKernel
    step: LoadedKernel


@cache
def kernels_for(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> Kernels:
    """The kernels of a game, with bots that are rules or only with those that play at random."""
    made = {
        made.function.__name__: LoadedKernel(made) for made in all_kernels(game, bots, kind, tuning)
    }

    @cache
    def take(actions: Any) -> LoadedKernel:
        return LoadedKernel(take_kernel(game, actions))

    return Kernels(-(-game_named(game).actions // kernel.WORD), take=take, **made)


def all_kernels(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> list[Kernel]:
    """The kernels of a game, not yet built."""
    return [
        seed_kernel(game),
        *sorting_kernels(game),
        pick_kernel(game),
        step_kernel(game, bots, kind, tuning),
    ]


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
    arguments: dict[Callable[..., None], Any] = {
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
        ((numpy.uint32, 1), (layout(kernel.Setting), 1), (numpy.uint32, 1), (numpy.int32, 1)),
        {**_PLAIN, **rows_of(game), "WORDS": _words(game)},
    )


def seed_kernel(game: str) -> Kernel:
    arguments = ((numpy.uint32, 1), (numpy.uint64, 1))
    return Kernel(gpu_kernels.seed, _no_rules(game), {}, arguments, {**_PLAIN, **rows_of(game)})


def rows_of(game: str) -> dict[str, Any]:
    """How a lane's row of words is made up: everything begins with a whole word of 64 bits."""
    size = layout(game_named(game).state).itemsize // 4
    lane_at = size + size % 2
    lane, stream = layout(kernel.Lane), layout(Stream)
    return {
        "STATE_WORDS": size,
        "LANE": lane,
        "LANE_AT": lane_at,
        "STREAM": stream,
        "STREAM_AT": lane_at + lane.itemsize // 4,
        "ROW": lane_at + (lane.itemsize + stream.itemsize) // 4,
    }


def _no_rules(game: str) -> Program:
    return game_named(game).program()


def _words(game: str) -> int:
    return -(-game_named(game).actions // kernel.WORD)


# ---- playing and looking ------------------------------------------------------------------------


def step_kernel(game: str, bots: bool, kind: Any, tuning: Tuning = USUAL) -> Kernel:
    """Play the actions given, and write what is seen and what is legal.

    A thread plays a lane, and then makes piece after piece of what is seen there, in memory that
    its warp shares; whose threads write the pieces of one lane after the other, neighbours to
    neighbours.  While one warp writes, others play.  Lanes come in whole warps.
    """
    definition = game_named(game)
    pieces = observing_pieces(
        game, definition.state, definition.seats[-1], observation_of(game), tuning.piece
    )
    named: dict[str, AnyRule] = {
        f"observe_{number}": piece.rule for number, piece in enumerate(pieces)
    }
    looking = tuple(named.values())
    named["play_lane"], named["recall"] = kernel.play_lane, slots.recall
    named["pick_at_random"] = pick_at_random
    lanes = lanes_program(game, bots)
    bindings: dict[AnyRule, AnyRule] = {
        **lanes.bindings,
        kernel.show: show_later,
        kernel.permit: permit_bits,
    }
    width = numpy.dtype(kind).itemsize
    words = tuning.piece * width // 4
    # Rows of an odd number of words: what threads write side by side goes to different banks.
    pitch = words + 1 - words % 2
    row = rows_of(game)
    source = "\n".join(_stepping(pieces, row["ROW"], pitch, _words(game), definition.actions))
    scope: dict[str, Any] = {}
    exec(compile(source, gpu_kernels.__file__, "exec", dont_inherit=True), scope)
    return Kernel(
        scope["step"],
        Program(
            lanes.name,
            lanes.state,
            (kernel.play_lane, pick_at_random, slots.recall, *looking),
            bindings,
        ),
        named,
        (
            (numpy.uint32, 1),
            (layout(kernel.Setting), 1),
            (numpy.int64, 1),
            (numpy.uint32, 1),
            (numpy.int32, 1),
            (numpy.int32, 1),
            (numpy.int32, 1),
            (numpy.float32, 2),
            (numpy.int8, 2),
            (numpy.int32, 1),
            (numpy.float64, 1),
            (numpy.float32, 1),
            (numpy.bool_, 1),
            (numpy.bool_, 1),
            (numpy.int32, 1),
            (kind, 1),
            (numpy.bool_, 1),
        ),
        {
            **_PLAIN,
            **row,
            "ACTIONS": definition.actions,
            "WORDS": _words(game),
            "LEGAL": definition.most_legal + 1,
            "MOST_SEATS": definition.seats[-1],
            "STATE": layout(definition.state),
            "PAIRS": (row["ROW"] + row["STATE_WORDS"] + 1) // 2,
            "SIZE": pieces[-1].first + pieces[-1].size if pieces else 1,
            "KIND": numpy.dtype(kind).type,
            "PITCH": pitch * 4 // width,
            "ROOM": tuning.threads * pitch,
        },
        devices=(gpu_kernels.play_thread,),
        source=source,
        threads=tuning.threads,
        registers=tuning.registers,
        inline=tuning.inline,
    )


def _stepping(
    pieces: tuple[Piece, ...], row: int, pitch: int, words: int, actions: int
) -> Iterator[str]:
    """The source of the kernel.

    ``steps`` says how many decisions to take: 0 for the actions given, else so many at random.
    """
    yield "def step(rows, setting, bots, allowed, given, order, steps, nothing, no_mask, decisions,"
    yield "         returns, rewards, over, cut, asked, observations, masks):"
    yield "    raw = cuda.shared.array(ROOM, numpy.uint32)"
    yield "    room = raw.view(KIND)"
    yield "    me = cuda.threadIdx.x & 1023"
    yield "    thread = me & 31"
    yield "    warp = me & 992"
    yield "    index = cuda.grid(1) & 0x7FFFFFFF"
    yield "    first = index & 0x7FFFFFE0"
    yield "    if first >= order.shape[0]:"
    yield "        return"
    yield "    pairs = cuda.local.array(PAIRS, numpy.uint64)"
    yield "    words = pairs.view(numpy.uint32)"
    yield "    mine = words[0:STATE_WORDS].view(STATE)"
    yield "    lane = words[LANE_AT:STREAM_AT].view(LANE)"
    yield "    chance = words[STREAM_AT:ROW].view(STREAM)"
    yield "    seen = words[ROW : ROW + STATE_WORDS].view(STATE)"
    yield "    chosen = cuda.local.array(2, numpy.uint64)"
    yield "    choices = chosen.view(STREAM)"
    yield "    legal = cuda.local.array(LEGAL, numpy.int16)"
    yield "    bits = cuda.local.array(WORDS, numpy.uint32)"
    yield "    own = order[index] & 0x7FFFFFFF"
    yield from _staging(row, pitch, into="words")
    for word in range(words):
        yield f"    bits[{word}] = allowed[own * {words} + {word}]"
    yield "    piece = room[me * PITCH : (me + 1) * PITCH]"
    yield "    action = int(given[own])"
    yield "    left = int(steps[0])"
    yield "    at_random = left > 0"
    yield "    taken = 0"
    yield "    while True:"
    yield "        if at_random:"
    yield "            action = pick_at_random(lane[0], setting[0], bits, 0, choices[0])"
    yield "        if action >= 0:"
    yield "            taken += 1"
    yield "        play_thread(action, words, mine, seen, lane, chance, choices, legal, bits, rows,"
    yield "                    setting, bots, nothing, no_mask, own, returns, rewards, over, cut)"
    yield "        seat = int(lane[0].seat)"
    yield "        asked[own] = seat"
    for word in range(words):
        yield f"        allowed[own * {words} + {word}] = bits[{word}]"
    yield "        recall(mine[0], seat, seen[0])"
    yield "        cuda.syncwarp()"
    for number, piece in enumerate(pieces):
        yield "        number = 0"
        yield f"        while number < {piece.size}:"
        yield "            piece[number & 1023] = 0"
        yield "            number += 1"
        yield f"        observe_{number}(seen[0], seat, piece)"
        yield "        cuda.syncwarp()"
        yield from _writing(piece)
        yield "        cuda.syncwarp()"
    yield "        number = 0"
    yield "        while number < 32:"
    yield "            other = order[first + (number & 31)] & 0x7FFFFFFF"
    for word in range(words):
        yield f"            set_bits = int(allowed[other * {words} + {word}])"
        here = min(actions - word * 32, 32)
        if here < 32:
            yield f"            if thread < {here}:"
        indent = "    " * (3 + (here < 32))
        place = f"other * {actions} + {word * 32} + thread"
        yield f"{indent}masks[{place}] = set_bits >> thread & 1 != 0"
    yield "            number += 1"
    yield "        cuda.syncwarp()"
    yield "        left -= 1"
    yield "        if left <= 0:"
    yield "            break"
    yield "    given[own] = action"
    yield "    decisions[own] += taken"
    yield from _staging(row, pitch, into="rows")


def _staging(row: int, pitch: int, into: str) -> Iterator[str]:
    """Bring the rows of a warp's lanes to its threads, or back: threads read or write one row after
    the other together, and change places in the memory that they share."""
    most = (pitch - 1) // 32 * 32
    for base in range(0, row, most):
        size = min(most, row - base)
        if into == "rows":
            yield "    number = 0"
            yield f"    while number < {size}:"
            yield f"        raw[me * {pitch} + (number & 1023)] = words[{base} + (number & 1023)]"
            yield "        number += 1"
            yield "    cuda.syncwarp()"
        yield "    number = 0"
        yield "    while number < 32:"
        yield f"        at = ((order[first + (number & 31)] & 0x7FFFFFFF) + 1) * {row} + {base}"
        yield f"        begin = (warp + (number & 31)) * {pitch} + thread"
        for place in range(0, size, 32):
            here = min(size - place, 32)
            indent = "    " * (2 + (here < 32))
            if here < 32:
                yield f"        if thread < {here}:"
            there, shared = f"rows[at + {place} + thread]", f"raw[begin + {place}]"
            if into == "rows":
                yield f"{indent}{there} = {shared}"
            else:
                yield f"{indent}{shared} = {there}"
        yield "        number += 1"
        yield "    cuda.syncwarp()"
        if into != "rows":
            yield "    number = 0"
            yield f"    while number < {size}:"
            yield f"        words[{base} + (number & 1023)] = raw[me * {pitch} + (number & 1023)]"
            yield "        number += 1"
            yield "    cuda.syncwarp()"


def _writing(piece: Piece) -> Iterator[str]:
    """Copy the pieces of a warp's lanes to where they belong.

    Written out, and with masks by which the compiler sees that no number is below 0: so it is a
    few instructions for each line of memory, and nothing is asked about indices.
    """
    whole = piece.size - piece.size % 32
    yield "        number = 0"
    yield "        while number < 32:"
    yield "            at = (order[first + (number & 31)] & 0x7FFFFFFF) * SIZE + thread"
    yield "            begin = (warp + (number & 31)) * PITCH + thread"
    for place in range(0, whole, 32):
        yield f"            observations[at + {piece.first + place}] = room[begin + {place}]"
    if whole < piece.size:
        yield f"            if thread < {piece.size - whole}:"
        yield f"                observations[at + {piece.first + whole}] = room[begin + {whole}]"
    yield "            number += 1"
