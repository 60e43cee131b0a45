"""The programs of a game on a graphics card, loaded once for all batches of a process.

Their source is C++: the rules of the game (`kit.cuda.cplusplus`), what a seat sees entry
by entry, and `batch.cu` beside this file, which plays with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from archipel.envs import batch_kernel as kernel
from archipel.envs.observation_spec import observation_of, spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.core.observations import observing_entries
from archipel.rules.kit.core.rule_analysis import public_fields
from archipel.rules.kit.cuda.c_types import (
    I32,
    VIEW,
    Numbers,
    Record,
    Records,
    Sink,
    Type,
    view_size,
)
from archipel.rules.kit.cuda.cplusplus import Translation
from archipel.rules.kit.cuda.nvrtc import LoadedSource, Source

ENVS = Path(__file__).with_name("batch.cu")

#: Bytes that memory is moved by.
SECTOR = 32

#: What a team has at hand together must be less than 48 KiB, with some room to spare.
TEAM_BYTES = 47_000

#: Threads that add up how many envs there are of each group.
SUMMERS = 512

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

    threads: int = 32
    """How many make a block, where each plays a game."""
    blocks: int = 9
    """How many of them are to fit on a multiprocessor: more of them have fewer registers each."""
    apart: int | None = 12
    """From how many lines on a rule that is called in several places is a function of its own."""
    sort: bool | None = None
    """Whether envs of like actions are put next to each other first; None: where there are more
    than a few."""
    observers: int = 128
    """How many threads make a team, which writes what is seen."""
    team: int = 4
    """How many games a team looks at, at most; fewer where there is no room for them."""
    teams: int = 14
    """How many teams are to fit on a multiprocessor."""


USUAL = Tuning()

#: What was the quickest on an H200, where it is not the usual.
MEASURED = {
    "deep-sea": Tuning(blocks=13, team=16, teams=12),
    "mauna-kea": Tuning(teams=10),
}


@cache
def loaded(game: str, bots: bool, observations: str, tuning: Tuning) -> LoadedSource:
    """The kernels of a game, with bots that are rules or only with those that play at random."""
    source = batch_source(game, bots, observations, tuning)
    return LoadedSource(Source(source, f"{game}.cu"))


def batch_source(game: str, bots: bool, observations: str, tuning: Tuning = USUAL) -> str:
    """All of the C++ of a game's envs."""
    definition = game_named(game)
    entries = observing_entries(game, definition.state, definition.seats[-1], observation_of(game))
    batch, recall = kernel.batches(game, bots), definition.rules.recall
    program = Program(
        definition.name,
        definition.state,
        (
            batch.advance,
            kernel.pick_at_random,
            recall,
            definition.legal,
            *(each.rule for each in entries),
        ),
    )
    rules = Translation(
        program,
        (Stream, kernel.EnvState, kernel.Setting),
        veil=recall,
        apart_from=tuning.apart,
    )
    state, env, stream = (
        Record(each) for each in (definition.state.__name__, "EnvState", "Stream")
    )
    view = Record(VIEW)
    # Bots try things out in what they see, so they have it whole.
    thinking = state if bots else view
    setting, states = Record("Setting"), Records(definition.state.__name__)
    bot_numbers, buffer = Numbers("int64_t", constant=True), Numbers("int16_t")
    words, fractions = Numbers("uint32_t"), Numbers("double")
    course: tuple[Type, ...] = (env, stream, stream, setting, bot_numbers, buffer)
    named = {
        "ADVANCE": rules.entry(
            batch.advance, (states, I32, thinking, *course, words, I32, I32, fractions, I32)
        ),
        "BEGIN_GAME": rules.entry(batch.begin, (states, env, stream, setting, bot_numbers, I32)),
        "GO_ON": rules.entry(batch.go_on, (state, thinking, *course, I32)),
        "LEGAL": rules.entry(definition.legal, (state, Sink("Bits"))),
        "RECALL": rules.entry(recall, (state, I32, view)),
        "PICK": rules.entry(kernel.pick_at_random, (env, setting, words, I32, stream)),
    }
    telling = [rules.entry(each.rule, (view, I32, I32, Sink("Out"))).name for each in entries]
    constants = {
        "SEATS": definition.seats[-1],
        "ACTIONS": definition.actions,
        "BUFFER": definition.most_legal + 1,
        "SIZE": spec_of(game).size,
        "ROW": row_size(game),
        "THREADS": tuning.threads,
        "BLOCKS": tuning.blocks,
        "OBSERVERS": tuning.observers,
        "TEAM": team_size(game, observations, tuning),
        "TEAMS": tuning.teams,
        "GROUPS": group_count(game),
        "SUMMERS": SUMMERS,
        "GOING_ON": kernel.GOING_ON,
        "BEGIN": kernel.BEGIN,
        "OVER": kernel.OVER,
        "TOO_LONG": kernel.TOO_LONG,
        "SAME_STEP": kernel.SAME_STEP,
    }
    every, before = [], 0
    for number, each in enumerate(entries):
        every.append(f"ENTRIES({number}, {each.count}, {before})")
        before += each.count
    return "\n".join(
        [
            rules.head(),
            f"typedef {CELLS[observations][0]} Cell;",
            WRITING,
            rules.source(),
            *(f"const int32_t {name} = {value};" for name, value in constants.items()),
            *(f"#define {name} {function.name}" for name, function in named.items()),
            *(f"#define tell_{number} {name}" for number, name in enumerate(telling)),
            "#define BOTS" if bots else "",
            f"#define ALL_ENTRIES {' '.join(every)}",
            ENVS.read_text(encoding="utf-8"),
        ]
    )


def sectors(size: int) -> int:
    """The bytes of a row that begins with a sector of memory."""
    return -(-size // SECTOR) * SECTOR


@cache
def row_size(game: str) -> int:
    """The bytes of a env's game, and of what its seat sees."""
    definition = game_named(game)
    return sectors(view_size(definition.state, public_fields(definition.rules.recall)))


def group_count(game: str) -> int:
    """Groups that envs are sorted into: one for those that begin, and for each action as many as
    there are widths of the last legal one."""
    actions = game_named(game).actions
    return 1 + actions * (1 + (actions - 1).bit_length())


def team_size(game: str, observations: str, tuning: Tuning) -> int:
    """How many games a team looks at: as many as there is room for, a power of two."""
    seen = spec_of(game).size * CELLS[observations][1]
    # Rows are set apart by up to four sectors.
    room = row_size(game) + sectors(seen) + 2 * 4 * SECTOR
    team = tuning.team
    while team > 1 and team * room > TEAM_BYTES:
        team //= 2
    return team
