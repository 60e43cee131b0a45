"""The rules kit: write a game's rules once, run them interpreted or compiled.

A game's state is a plain dataclass of whole numbers and (nested) lists of them; a rule is a plain
typed function over such a state, marked ``@rule``.  The same functions run as they are, or compiled
by Numba to machine code (`archipel.rules.kit.numba.compiler`, the only place that imports Numba).
"""

from archipel.rules.kit.core.chance import (
    Chance,
    ChanceError,
    Stream,
    Tape,
    draw,
    draw_for,
    mix,
    stream_key,
)
from archipel.rules.kit.core.decorators import U64, SubsetError, namespace, rule, rule_apart
from archipel.rules.kit.core.fields import (
    array,
    clone,
    copy_into,
    differences,
    pack,
    scalar,
    shared,
    state,
    unpack,
)
from archipel.rules.kit.core.program import Interpreted, Program

__all__ = [
    "U64",
    "Chance",
    "ChanceError",
    "Interpreted",
    "Program",
    "Stream",
    "SubsetError",
    "Tape",
    "array",
    "clone",
    "copy_into",
    "differences",
    "draw",
    "draw_for",
    "mix",
    "namespace",
    "pack",
    "rule",
    "rule_apart",
    "scalar",
    "shared",
    "state",
    "stream_key",
    "unpack",
]
