"""The programs of a game on a graphics card, loaded once for all batches of a process.

Their source is C++: the rules of the game (`archipel.rules.kit.cplusplus`), what a seat sees piece
by piece, and `lanes.cu` beside this file, which plays with both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from archipel.envs import kernel
from archipel.envs.device_rules import pick_at_random
from archipel.envs.programs import lanes_program, observation_of
from archipel.rules import slots
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.c_types import I32, VIEW, Numbers, Record, Records, Sink, Type
from archipel.rules.kit.cplusplus import Translation
from archipel.rules.kit.gpu import LoadedSource, Source
from archipel.rules.kit.observing import Piece, observing_pieces, parts_of

LANES = Path(__file__).with_name("lanes.cu")

#: What a number of an observation can be written as: in C++, and in bytes.
CELLS = {"float32": ("float", 4), "float16": ("uint16_t", 2), "int8": ("int8_t", 1)}

#: How a number becomes one of these, half as wide rounded to the nearest, in a byte told in 127ths;
#: and what rules write into: what is seen, and what is legal, bit by bit.
WRITING = """\
#ifdef __CUDACC__
#define RULE_INSIDE __device__
RULE float cell_of(float number, float) { return number; }
RULE uint16_t cell_of(float number, uint16_t) {
    uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(number));
    return half;
}
RULE int8_t cell_of(float number, int8_t) { return (int8_t)__float2int_rn(number * 127.0f); }
#else
#include <cmath>
#include <cstring>
#define RULE_INSIDE
RULE float cell_of(float number, float) { return number; }
RULE uint16_t cell_of(float number, uint16_t) {
    _Float16 half = (_Float16)number;
    uint16_t bits;
    memcpy(&bits, &half, 2);
    return bits;
}
RULE int8_t cell_of(float number, int8_t) { return (int8_t)lrintf(number * 127.0f); }
#endif
struct Out {
    Cell* cells;
    RULE_INSIDE void put(int32_t place, float number) { cells[place] = cell_of(number, Cell()); }
};
struct Bits {
    uint32_t* words;
    RULE_INSIDE void put(int32_t, int32_t action) { words[action >> 5] |= 1u << (action & 31); }
};
"""


@dataclass(frozen=True)
class Tuning:
    """What makes a program faster or slower, and nothing else."""

    piece: int = 128
    """Bytes that a thread makes of an observation before its warp writes them."""
    threads: int = 64
    """How many make a block."""
    registers: int | None = None
    """The most that a thread may have: with fewer, more of them go at the same time."""
    staged: bool = False
    """Whether a lane's state is brought into memory of its thread for every step."""
    written_out: int = 1
    """How many rounds of a loop the compiler writes out where a seat looks; in rules it is one."""
    apart: int | None = 12
    """From how many lines on a rule that is called in several places is a function of its own."""
    sort: bool | None = None
    """Whether lanes of like actions are put next to each other first; None: where there are more
    than a few."""


USUAL = Tuning()

#: What was the quickest on an H200, where it is not the usual.
MEASURED = {
    "the-island": Tuning(threads=128, staged=True),
    "atlantis": Tuning(threads=128, staged=True),
}


@cache
def loaded(game: str, bots: bool, observations: str, tuning: Tuning) -> LoadedSource:
    """The kernels of a game, with bots that are rules or only with those that play at random."""
    source = lanes_source(game, bots, observations, tuning)
    return LoadedSource(Source(source, f"{game}.cu", tuning.registers))


def lanes_source(game: str, bots: bool, observations: str, tuning: Tuning = USUAL) -> str:
    """All of the C++ of a game's lanes."""
    definition = game_named(game)
    cell, width = CELLS[observations]
    seats, observation = definition.seats[-1], observation_of(game)
    entry = max(len(part.channels) for part in parts_of(definition.state, seats, observation))
    pieces = observing_pieces(
        game, definition.state, seats, observation, max(tuning.piece // width, entry)
    )
    lanes = lanes_program(game, bots)
    program = Program(
        lanes.name,
        lanes.state,
        (
            kernel.advance,
            pick_at_random,
            slots.recall,
            slots.legal,
            *(piece.rule for piece in pieces),
        ),
        lanes.bindings,
    )
    rules = Translation(
        program,
        (Stream, kernel.Lane, kernel.Setting),
        veil=slots.recall,
        apart_from=tuning.apart,
        unrolled={piece.rule: tuning.written_out for piece in pieces},
    )
    state, lane, stream = (Record(each) for each in (definition.state.__name__, "Lane", "Stream"))
    view = Record(VIEW)
    # Bots try things out in what they see, so they have it whole.
    thinking = state if bots else view
    setting, states = Record("Setting"), Records(definition.state.__name__)
    bot_numbers, buffer = Numbers("int64_t", constant=True), Numbers("int16_t")
    words, fractions = Numbers("uint32_t"), Numbers("double")
    course: tuple[Type, ...] = (lane, stream, stream, setting, bot_numbers, buffer)
    named = {
        "ADVANCE": rules.entry(
            kernel.advance, (states, I32, thinking, *course, words, I32, I32, fractions, I32)
        ),
        "BEGIN_GAME": rules.entry(kernel.begin, (states, lane, stream, setting, bot_numbers, I32)),
        "GO_ON": rules.entry(kernel.go_on, (state, thinking, *course, I32)),
        "LEGAL": rules.entry(slots.legal, (state, Sink("Bits"))),
        "RECALL": rules.entry(slots.recall, (state, I32, view)),
        "PICK": rules.entry(pick_at_random, (lane, setting, words, I32, stream)),
    }
    looking = [rules.entry(piece.rule, (view, I32, Sink("Out"))).name for piece in pieces]
    size = pieces[-1].first + pieces[-1].size
    ranges = list(_ranges(pieces, width))
    constants = {
        "SEATS": definition.seats[-1],
        "ACTIONS": definition.actions,
        "BUFFER": definition.most_legal + 1,
        "SIZE": size,
        "THREADS": tuning.threads,
        "PIECE_WORDS": max(each.count for each in ranges) + 1,
        "GOING_ON": kernel.GOING_ON,
        "BEGIN": kernel.BEGIN,
        "OVER": kernel.OVER,
        "TOO_LONG": kernel.TOO_LONG,
        "SAME_STEP": kernel.SAME_STEP,
    }
    every = " ".join(
        f"PIECE({number}, {each.first}, {each.count}, {each.carried})"
        for number, each in enumerate(ranges)
    )
    return "\n".join(
        [
            rules.head(),
            f"typedef {cell} Cell;",
            WRITING,
            rules.source(),
            *(f"const int32_t {name} = {value};" for name, value in constants.items()),
            *(f"#define {name} {function.name}" for name, function in named.items()),
            *(
                f"RULE void observe_piece_{number}(View* seen, int32_t seat, "
                f"uint32_t* row) {{ Out out{{(Cell*)row + {each.shift}}}; "
                f"{name}(seen, seat, out); }}"
                for number, (each, name) in enumerate(zip(ranges, looking, strict=True))
            ),
            "#define BOTS" if bots else "",
            "#define STAGED" if tuning.staged else "",
            f"#define ALL_PIECES {every}",
            LANES.read_text(encoding="utf-8"),
        ]
    )


@dataclass(frozen=True)
class Range:
    """The whole 32-bit words that are written once a piece is made."""

    first: int
    count: int
    shift: int
    """Where the piece's numbers begin in the first of them."""
    carried: int
    """The word of the piece before it that this one goes on with; 0 where it begins a word."""


def _ranges(pieces: tuple[Piece, ...], width: int) -> Iterator[Range]:
    before = None
    for number, piece in enumerate(pieces):
        first = piece.first * width // 4
        end = (piece.first + piece.size) * width
        last = -(-end // 4) if number == len(pieces) - 1 else end // 4
        shift = (piece.first * width - first * 4) // width
        carried = first - before.first if before is not None and shift else 0
        before = Range(first, last - first, shift, carried)
        yield before
