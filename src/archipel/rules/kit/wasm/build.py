"""A program as a WebAssembly module: Numba's LLVM code of its rules, emitted for a browser.

usage: python -m archipel.rules.kit.wasm.build MODULE:ATTRIBUTE [ARGUMENT ...]

builds the module of a program into the cache, in a process of its own with its own settings of
Numba.  The attribute is a program, or a function that makes one from the arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from numba import types

from archipel.rules.kit.core.loading import child_process, end_with_parent, failure_of
from archipel.rules.kit.core.program import Program
from archipel.rules.kit.numba.compile_cache import CompileCache, default_cache
from archipel.rules.kit.numba.compiler import RELEASE, compile_rules, signature_of
from archipel.rules.kit.numba.warm_up import run
from archipel.rules.kit.wasm.object_file import data_end, linked

TRIPLE = "wasm32-unknown-unknown"
#: Features that all current browsers have.
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"

#: No wrappers for callers in Python or C; LLVM inlines once, in the whole program.
OPTIONS: dict[str, Any] = {
    **RELEASE,
    "forceinline": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

#: Numba's settings: for no particular processor, and without optimization, which is done once for
#: the whole program and would take most of the time rule by rule.
SETTINGS = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_OPT": "0",
}

#: The machine of cache entries.
MACHINE = (TRIPLE, FEATURES)

#: The section with the signatures of the entries, and the file in the cache.
NOTE = "archipel"
FILE = "module.wasm"

machine: Any = types


class NotBuilt(RuntimeError):
    """A module could not be built; the message ends with the last output of the builder."""


def web_module(program: Program, target: str, *arguments: str, cache: Path | None = None) -> bytes:
    """Return the module of a program from the cache; another process builds it if it is missing.

    ``target`` names the program for that process, as for
    `archipel.rules.kit.core.loading.Warming`.  Raises `NotBuilt`.
    """
    cache = cache or default_cache()
    module_cache = CompileCache(program, OPTIONS, cache, MACHINE)
    if not module_cache.holds(FILE):
        environment = {**SETTINGS, "ARCHIPEL_CACHE": str(cache)}
        why = failure_of("building", child_process(__name__, target, *arguments, **environment))
        if why is not None:
            raise NotBuilt(f"{program.name}: {why}")
    return module_cache.read(FILE)


def is_built(program: Program, cache: Path | None = None) -> bool:
    """Whether the cache has the module of a program."""
    return CompileCache(program, OPTIONS, cache or default_cache(), MACHINE).holds(FILE)


def build(program: Program) -> bytes:
    """Build the module of a program, in a process with the `SETTINGS`."""
    compiled, form = {}, program.chance.compiled_form
    for rule, dispatcher in compile_rules(program, OPTIONS).items():
        (compiled[rule],) = dispatcher.overloads.values()  # each has one signature
    entries = {name: compiled[form(entry)] for name, entry in program.entries.items()}
    exports = {name: entry.fndesc.llvm_func_name for name, entry in entries.items()}
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    browser = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )
    whole = _linked_together([entry.library for entry in entries.values()], browser)
    forced = {
        each.fndesc.llvm_func_name for rule, each in compiled.items() if not program.is_apart(rule)
    }
    for function in whole.functions:
        if not function.is_declaration:
            if function.name not in exports.values():
                function.linkage = "internal"
            if function.name in forced:
                function.add_function_attribute("alwaysinline")
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(browser, options)
    passes.getModulePassManager().run(whole, passes)
    whole.verify()
    data = bytes(browser.emit_object(whole))
    note = {"data": data_end(data), "entries": _calls(program)}
    return linked(data, exports, NOTE, json.dumps(note, separators=(",", ":")).encode())


def _linked_together(libraries: Sequence[Any], browser: Any) -> Any:
    """Link the code of some rules and of all that they call, each once."""
    whole: Any = None
    for library in dict.fromkeys(libraries):
        part = llvm.parse_assembly(library.get_llvm_str())
        part.triple = TRIPLE
        part.data_layout = str(browser.target_data)
        for variable in part.global_variables:
            if variable.linkage == llvm.Linkage.common:
                variable.linkage = "internal"
        if whole is None:
            whole = part
        else:
            whole.link_in(part)
    return whole


def _calls(program: Program) -> dict[str, Any]:
    """Return the types of each entry's arguments and result.

    A type is "whole", "word" (unsigned), "fraction", "truth", "nothing", the size of a record, or
    the dimensions of a list with the size of its elements.
    """
    signatures = {
        name: signature_of(program, program.chance.compiled_form(entry))
        for name, entry in program.entries.items()
    }
    return {
        name: {"arguments": list(map(_kind, each.args)), "result": _kind(each.return_type)}
        for name, each in signatures.items()
    }


def _kind(of: Any) -> Any:
    plain = {
        machine.int64: "whole",
        machine.uint64: "word",
        machine.float64: "fraction",
        machine.boolean: "truth",
        machine.none: "nothing",
    }
    if of in plain:
        return plain[of]
    if isinstance(of, machine.IntEnumMember):
        return "whole"
    if isinstance(of, machine.Record):
        return of.size
    if isinstance(of, machine.Array):
        size = of.dtype.size if isinstance(of.dtype, machine.Record) else of.dtype.bitwidth // 8
        return [of.ndim, size]
    raise TypeError(f"a browser cannot give or take {of}")


def _build_into_cache(program: Program) -> None:
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        print(f"set {', '.join(f'{n}={v}' for n, v in SETTINGS.items())} first", file=sys.stderr)
        sys.exit(2)
    CompileCache(program, OPTIONS, default_cache(), MACHINE).store(FILE, lambda: build(program))


if __name__ == "__main__":
    end_with_parent()
    sys.exit(run(__doc__, sys.argv[1:], _build_into_cache))
