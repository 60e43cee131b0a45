"""Engines as WebAssembly modules: where they come from, and how they are built.

usage: python -m archipel.bots.engine.modules GAME
       python -m archipel.bots.engine.modules --pack

writes the module of a game to the standard output, built if need be and kept in the cache; or puts
those of all games into the package, for whoever gets it from here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from archipel.bots.all_bots import levels_of
from archipel.bots.engine.packed import is_packed, pack_engines, packed_engine
from archipel.bots.engine.programs import engine_program
from archipel.rules.all_games import game_named, games
from archipel.rules.kit.loading import can_compile

TARGET = f"{engine_program.__module__}:{engine_program.__name__}"


def engine_games() -> tuple[str, ...]:
    """The games that have an engine: those with bots that search."""
    return tuple(game.name for game in games() if levels_of(game.name))


def ready_engine(game: str) -> bytes | None:
    """The module of a game that came with the package, if it did."""
    return packed_engine(game, game_named(game).board)


def is_kept(game: str) -> bool:
    """Whether `build_engine` only has to read; never where nothing can be built."""
    if not can_compile():
        return False
    from archipel.rules.kit.webassembly import is_built

    return is_built(engine_program(game))


def build_engine(game: str) -> bytes:
    """The module of a game: as it came with the package, from the cache, or built, which takes a
    while.  Raises `NotBuilt` (see `rules.kit.webassembly`), or without Numba `ModuleNotFoundError`.
    """
    from archipel.rules.kit.webassembly import web_module

    return ready_engine(game) or web_module(engine_program(game), TARGET, game)


def pack() -> None:
    if not is_packed():
        pack_engines(
            {game: (game_named(game).board, build_engine(game)) for game in engine_games()}
        )


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    if arguments[0] == "--pack":
        pack()
    else:
        sys.stdout.buffer.write(build_engine(arguments[0]))
    return 0


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # whoever plays meanwhile comes first
    sys.exit(main(sys.argv[1:]))
