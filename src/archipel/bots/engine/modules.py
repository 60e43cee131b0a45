"""Engines as WebAssembly modules: read them from the package or the cache, or build them.

usage: python -m archipel.bots.engine.modules GAME
       python -m archipel.bots.engine.modules --pack

The first form writes a game's module to standard output. The second builds the modules of all games
and stores them in the package. A packed module is used only if the sources have not changed since.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from archipel.bots.all_bots import levels_of
from archipel.bots.engine.engine_program import engine_program
from archipel.bots.engine.packed import is_packed, pack_engines, packed_engine
from archipel.rules.all_games import game_named, games
from archipel.rules.kit.core.loading import can_compile

TARGET = f"{engine_program.__module__}:{engine_program.__name__}"


def engine_games() -> tuple[str, ...]:
    """The games with levels, which have an engine."""
    return tuple(game.name for game in games() if levels_of(game.name))


def ready_engine(game: str) -> bytes | None:
    """Return the module of a game from the package, or None."""
    return packed_engine(game, game_named(game).board)


def is_cached(game: str) -> bool:
    """Whether the compile cache has the module of a game; False without a compiler."""
    if not can_compile():
        return False
    from archipel.rules.kit.wasm.build import is_built

    return is_built(engine_program(game))


def build_engine(game: str) -> bytes:
    """Return the module of a game, from the package or the cache, or build it.

    Building takes a minute. Raises `NotBuilt` (see `rules.kit.wasm.build`), or
    `ModuleNotFoundError` without Numba.
    """
    from archipel.rules.kit.wasm.build import web_module

    return ready_engine(game) or web_module(engine_program(game), TARGET, game)


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    if arguments[0] == "--pack":
        if not is_packed():
            names = engine_games()
            pack_engines({name: (game_named(name).board, build_engine(name)) for name in names})
    else:
        sys.stdout.buffer.write(build_engine(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
