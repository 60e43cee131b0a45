"""Engines and checkers as WebAssembly modules: read from the package or the cache, or built.

usage: python -m archipel.bots.engine.modules MODULE
       python -m archipel.bots.engine.modules --pack

The first form writes a module to standard output: GAME is the engine of a game, GAME.checker its
checker. The second builds all modules and stores them in the package. A packed module is used only
if the sources have not changed since.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from archipel.bots.all_bots import levels_of
from archipel.bots.engine.checker_program import checker_program
from archipel.bots.engine.engine_program import engine_program
from archipel.bots.engine.packed import is_packed, pack_engines, packed_engine
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Program
from archipel.rules.kit.core.loading import can_compile, end_with_parent

CHECKER = ".checker"


def checker_of(game: str) -> str:
    """The name of a game's checker, which recomputes the chance of a finished game."""
    return game + CHECKER


def module_names() -> tuple[str, ...]:
    """All modules, the quickly built ones first."""
    return (*(checker_of(game.name) for game in games()), *engine_games())


def engine_games() -> tuple[str, ...]:
    """The games with levels, which have an engine."""
    return tuple(game.name for game in games() if levels_of(game.name))


def ready_engine(name: str) -> bytes | None:
    """Return a module from the package, or None."""
    return packed_engine(name, game_named(name.removesuffix(CHECKER)).board)


def is_cached(name: str) -> bool:
    """Whether the compile cache has a module; False without a compiler."""
    if not can_compile():
        return False
    from archipel.rules.kit.wasm.build import is_built

    game = name.removesuffix(CHECKER)
    return is_built(_maker(name)(game))


def build_engine(name: str) -> bytes:
    """Return a module, from the package or the cache, or build it.

    Building an engine takes a minute. Raises `NotBuilt` (see `rules.kit.wasm.build`), or
    `ModuleNotFoundError` without Numba.
    """
    if (packed := ready_engine(name)) is not None:
        return packed
    from archipel.rules.kit.wasm.build import web_module

    make, game = _maker(name), name.removesuffix(CHECKER)
    return web_module(make(game), f"{make.__module__}:{make.__name__}", game)


def _maker(name: str) -> Callable[[str], Program]:
    return checker_program if name.endswith(CHECKER) else engine_program


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    if arguments[0] == "--pack":
        if not is_packed():
            pack_engines(
                {
                    name: (game_named(name.removesuffix(CHECKER)).board, build_engine(name))
                    for name in module_names()
                }
            )
    else:
        sys.stdout.buffer.write(build_engine(arguments[0]))
    return 0


if __name__ == "__main__":
    end_with_parent()
    sys.exit(main(sys.argv[1:]))
