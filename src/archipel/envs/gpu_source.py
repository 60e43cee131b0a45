"""GPU programs of a game, loaded once for all batches of a process.

The C++ source consists of `sinks.cu`, the rules of the game (`kit.cuda.cplusplus`), the rules that
write an observation entry by entry, and `batch.cu`, which plays with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from archipel.envs import batch_kernel as kernel
from archipel.envs.observation_spec import observation_of, spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.observations import observing_entries
from archipel.rules.kit.core.rule_analysis import public_fields
from archipel.rules.kit.cuda import c_types as c
from archipel.rules.kit.cuda.cplusplus import Translation
from archipel.rules.kit.cuda.nvrtc import LoadedSource

#: C++ sources before and after the rules of the game.
SINKS, ENVS = (Path(__file__).with_name(name) for name in ("sinks.cu", "batch.cu"))

#: Size of a memory sector in bytes.
SECTOR = 32

#: Shared memory of a team: less than 48 KiB, with some margin.
TEAM_BYTES = 47_000

#: Threads that sum the sizes of the groups.
SUMMERS = 512

#: Types of the numbers of an observation: in C++, and size in bytes.
CELLS = {"float32": ("float", 4), "float16": ("uint16_t", 2), "int8": ("int8_t", 1)}


@dataclass(frozen=True)
class Tuning:
    """Parameters that affect the speed of a program and nothing else."""

    threads: int = 32
    """Threads per block; each plays a game."""
    blocks: int = 9
    """Blocks per multiprocessor: the more, the fewer registers each thread has."""
    apart: int | None = 12
    """Lines from which a rule with several callers becomes a function instead of being inlined."""
    sort: bool | None = None
    """Whether to sort environments by action first; None: if there are more than 32 actions."""
    observers: int = 128
    """Threads of a team, which writes observations."""
    team: int = 4
    """Most games of a team; fewer if they do not fit into shared memory."""
    teams: int = 14
    """Teams per multiprocessor."""


USUAL = Tuning()

#: Fastest parameters on an H200, where they differ.
MEASURED = {
    "deep-sea": Tuning(blocks=13, team=16, teams=12),
    "mauna-kea": Tuning(teams=10),
}


@cache
def loaded(game: str, bots: bool, observations: str, tuning: Tuning) -> LoadedSource:
    """The kernels of a game, with all rule-based bots or only with the random one."""
    source = batch_source(game, bots, observations, tuning)
    return LoadedSource(source, f"{game}.cu")


def batch_source(game: str, bots: bool, observations: str, tuning: Tuning = USUAL) -> str:
    """The complete C++ source of a game's environments."""
    definition = game_named(game)
    entries = observing_entries(game, definition.state, definition.seats[-1], observation_of(game))
    batch, recall = kernel.batches(game, bots), definition.rules.recall
    observing = [each.rule for each in entries]
    used: list[AnyRule] = [batch.advance, kernel.pick_at_random, recall, definition.legal]
    program = Program(definition.name, definition.state, (*used, *observing))
    records = Stream, kernel.EnvState, kernel.Setting
    rules = Translation(program, records, veil=recall, apart_from=tuning.apart)
    record_names = definition.state.__name__, "EnvState", "Stream", "Setting", c.VIEW
    state, env, stream, setting, view = (c.Record(name) for name in record_names)
    # Bots try actions in their view, so they need a complete state.
    thinking = state if bots else view
    states, i32 = c.Records(definition.state.__name__), c.I32
    bot_numbers, buffer = c.Numbers("int64_t", constant=True), c.Numbers("int16_t")
    words, fractions = c.Numbers("uint32_t"), c.Numbers("double")
    playing: tuple[c.Type, ...] = (env, stream, stream, setting, bot_numbers, buffer)
    named = {
        "ADVANCE": rules.entry(
            batch.advance, (states, i32, thinking, *playing, words, i32, i32, fractions, i32)
        ),
        "BEGIN_GAME": rules.entry(batch.begin, (states, env, stream, setting, bot_numbers, i32)),
        "GO_ON": rules.entry(batch.go_on, (state, thinking, *playing, i32)),
        "LEGAL": rules.entry(definition.legal, (state, c.Sink("Bits"))),
        "RECALL": rules.entry(recall, (state, i32, view)),
        "PICK": rules.entry(kernel.pick_at_random, (env, setting, words, i32, stream)),
    }
    for number, rule in enumerate(observing):
        named[f"tell_{number}"] = rules.entry(rule, (view, i32, i32, c.Sink("Out")))
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
    }
    for name in ("GOING_ON", "BEGIN", "OVER", "TOO_LONG", "SAME_STEP"):
        constants[name] = getattr(kernel, name)
    counts = [each.count for each in entries]
    every = [
        f"ENTRIES({place}, {count}, {sum(counts[:place])})" for place, count in enumerate(counts)
    ]
    return "\n".join(
        [
            rules.head(),
            f"typedef {CELLS[observations][0]} Cell;",
            SINKS.read_text(encoding="utf-8"),
            rules.source(),
            *(f"const int32_t {name} = {value};" for name, value in constants.items()),
            *(f"#define {name} {function.name}" for name, function in named.items()),
            "#define BOTS" if bots else "",
            f"#define ALL_ENTRIES {' '.join(every)}",
            ENVS.read_text(encoding="utf-8"),
        ]
    )


def sectors(size: int) -> int:
    """Size in bytes, rounded up to whole memory sectors."""
    return -(-size // SECTOR) * SECTOR


@cache
def row_size(game: str) -> int:
    """Bytes of an environment's state, and of a view, in whole sectors."""
    definition = game_named(game)
    return sectors(c.view_size(definition.state, public_fields(definition.rules.recall)))


def group_count(game: str) -> int:
    """Number of groups that environments are sorted into.

    One group for those that begin a game, and for each action one per bit length of the last legal
    action.
    """
    actions = game_named(game).actions
    return 1 + actions * (1 + (actions - 1).bit_length())


def team_size(game: str, observations: str, tuning: Tuning) -> int:
    """Games of a team: as many as fit into shared memory, a power of two."""
    seen = spec_of(game).size * CELLS[observations][1]
    # Padding between rows takes up to four sectors.
    room = row_size(game) + sectors(seen) + 2 * 4 * SECTOR
    team = tuning.team
    while team > 1 and team * room > TEAM_BYTES:
        team //= 2
    return team
