"""A program's rules on a graphics card: device functions made by numba-cuda, and kernels that call
them, one game a thread, over the same records as compiled rules have on the processor.

What is built is kept in the cache of compiled rules, so that it is compiled once.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy

from archipel.rules.kit.keeping import Keeper, default_cache
from archipel.rules.kit.marking import AnyRule, compiled_form, is_apart, is_rule
from archipel.rules.kit.program import Program, globals_used

#: Whole numbers, the narrowest first. Signed: a difference of unsigned ones would be unsigned.
NARROW = (numpy.int8, numpy.int16, numpy.int32)

#: How kernels are compiled. A product and a sum are rounded one after the other, as on the
#: processor, and nothing is approximated: choices of bots must be the same to the last bit.
NVVM: dict[str, Any] = {"opt": 3, "fastmath": False, "fma": False}

#: Threads that go together.
WARP = 32


class NoGpuError(RuntimeError):
    """There is no graphics card to play on, or nothing that could compile for it."""


def _module(name: str) -> Any:
    """A module whose types are not read: that of numba-cuda takes the place of one of Numba's."""
    return importlib.import_module(name)


def why_no_gpu() -> str | None:
    """Why programs cannot run on a graphics card here, in one line; None where they can."""
    for module in ("numba", "numba_cuda"):
        if importlib.util.find_spec(module) is None:
            return f"a GPU needs {module.replace('_', '-')}: install archipel[fast,gpu]"
    cuda = _module("numba.cuda")
    if not cuda.is_available():
        return "no GPU that CUDA can use was found"
    return None


def require_gpu() -> None:
    """Raises `NoGpuError`."""
    reason = why_no_gpu()
    if reason is not None:
        raise NoGpuError(reason)


# ---- rules as device functions ------------------------------------------------------------------


def device_rules(program: Program, inline: bool = False) -> dict[AnyRule, Any]:
    """What numba-cuda makes of each entry of a program; with ``inline`` rules are compiled into
    their callers by force."""
    cuda = _module("numba.cuda")
    program.check()
    done: dict[AnyRule, Any] = {}
    for source in program.rules():
        scope: dict[str, Any] = {"__builtins__": __builtins__}
        for name, value in globals_used(source):
            if is_rule(value):
                scope[name] = done[compiled_form(program.bound(value))]
            elif isinstance(value, list | tuple):
                scope[name] = narrowed(numpy.array(value))
            else:
                scope[name] = value
        forced = inline and not is_apart(source)
        done[source] = cuda.jit(device=True, forceinline=forced)(with_scope(source, scope))
    return {each: done[compiled_form(program.bound(each))] for each in program.entries}


def with_scope(function: AnyRule, scope: dict[str, Any]) -> AnyRule:
    """A copy of a function whose global names mean this."""
    original = cast(FunctionType, function)
    copy = FunctionType(original.__code__, scope, original.__name__)
    copy.__module__, copy.__qualname__ = original.__module__, original.__qualname__
    return copy


def narrowed(table: Any) -> Any:
    """A lookup table in the narrowest type that holds it: constants have 64 kB on the device, and
    where they do not fit the linker fails without a word."""
    if table.dtype.kind != "i":
        return table
    for kind in NARROW:
        limits = numpy.iinfo(kind)
        if limits.min <= table.min() and table.max() <= limits.max:
            return table.astype(kind)
    return table


# ---- kernels ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Kernel:
    """What threads run: plain Python for numba-cuda, whose global names are rules of a program and
    constants.

    ``arguments`` are the kinds of its arrays: (type or record layout, dimensions).
    """

    function: Callable[..., None]
    program: Program
    rules: Mapping[str, AnyRule]
    arguments: tuple[tuple[Any, int], ...]
    constants: Mapping[str, Any] = field(default_factory=dict)
    devices: tuple[Callable[..., None], ...] = ()
    """Parts of it in functions of their own, for which the names mean the same."""
    source: str = ""
    """Of a function that was made."""
    threads: int = 128
    """How many make a block."""
    registers: int | None = None
    """The most that each thread may have."""
    inline: bool = False
    """Whether rules are compiled into their callers by force."""

    @property
    def options(self) -> dict[str, Any]:
        """All that the machine code depends on beside the rules."""
        text = self.source
        for function in (self.function, *self.devices):
            code = function.__code__
            text += repr((code.co_code, code.co_consts, code.co_names, code.co_varnames))
        return {
            **NVVM,
            "kernel": hashlib.sha256(text.encode()).hexdigest(),
            "rules": sorted((name, each.__qualname__) for name, each in self.rules.items()),
            "constants": sorted((name, str(value)) for name, value in self.constants.items()),
            "arguments": [(str(kind), dimensions) for kind, dimensions in self.arguments],
            "registers": self.registers,
            "inline": self.inline,
        }


@cache
def _toolkit() -> tuple[str, ...]:
    """What else machine code depends on."""
    from importlib.metadata import version

    nvvm = _module("numba.cuda.cudadrv.nvvm")
    return version("numba-cuda"), str(nvvm.NVVM().get_ir_version())


def build(kernel: Kernel, capability: tuple[int, int]) -> bytes:
    """Machine code of a kernel: the name of its entry, an end of line, and the module."""
    library, entry = lowered(kernel, capability)
    return b"\n".join([entry.encode(), library.get_cubin(cc=capability).code])


def lowered(kernel: Kernel, capability: tuple[int, int]) -> tuple[Any, str]:
    """A kernel as numba-cuda has it before it becomes machine code, and the name of its entry."""
    numba, cuda, machine = map(_module, ("numba", "numba.cuda", "numba.types"))
    compiler = _module("numba.cuda.compiler")
    made = device_rules(kernel.program, kernel.inline)
    scope: dict[str, Any] = {"__builtins__": __builtins__, "cuda": cuda, "numpy": numpy}
    scope |= kernel.constants
    scope |= {name: made[each] for name, each in kernel.rules.items()}
    for each in kernel.devices:
        scope[each.__name__] = cuda.jit(device=True, forceinline=True)(
            with_scope(each, dict(scope))
        )
    arguments = [
        machine.Array(numba.from_dtype(numpy.dtype(kind)), dimensions, "C")
        for kind, dimensions in kernel.arguments
    ]
    result = compiler.compile_cuda(
        with_scope(kernel.function, scope),
        machine.void,
        arguments,
        nvvm_options=dict(NVVM),
        cc=capability,
        max_registers=kernel.registers,
    )
    library, entry = result.library, result.fndesc.llvm_func_name
    compiler.kernel_fixup(library.get_function(entry), False)
    return library, entry


class LoadedKernel:
    """A kernel on the device, ready to be launched."""

    def __init__(self, kernel: Kernel, cache: Path | None = None) -> None:
        from cuda.core import Device

        device = Device()
        device.set_current()
        capability = tuple(device.compute_capability)
        machine = ("cuda", capability, *_toolkit())
        keeper = Keeper(kernel.program, kernel.options, cache or default_cache(), machine)
        known = hashlib.sha256(repr((kernel.options, machine)).encode()).hexdigest()[:20]
        file = f"{kernel.function.__name__}-{known}.cubin"
        keeper.keep(file, lambda: build(kernel, capability))
        self._load(keeper.read(file), kernel.threads)

    def _load(self, code: bytes, threads: int) -> None:
        from cuda.core import ObjectCode

        entry, _, module = code.partition(b"\n")
        self._module = ObjectCode.from_cubin(module)
        self._kernel = self._module.get_kernel(entry.decode())
        self._threads = threads

    def __call__(self, stream: Any, count: int, *arrays: Any) -> None:
        """Run a thread for each of so many, on a stream."""
        from cuda.core import LaunchConfig, launch

        config = LaunchConfig(grid=-(-count // self._threads), block=self._threads)
        launch(stream, config, self._kernel, *(part for each in arrays for part in each.parts))
