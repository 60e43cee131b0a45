"""Sources of C++ on a graphics card: compiled by NVRTC, kept, loaded and launched.

What is compiled is kept in the cache of compiled rules, so that it is compiled once.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from archipel.rules.kit.numba.compile_cache import default_cache, kept

#: Threads that go together.
WARP = 32

#: Since this generation memory is brought to a block without waiting for it.
LEAST_CAPABILITY = 8


class NoGpuError(RuntimeError):
    """There is no graphics card to play on, or nothing that could compile for it."""


def why_no_gpu() -> str | None:
    """Why programs cannot run on a graphics card here, in one line; None where they can."""
    if importlib.util.find_spec("cuda") is None or importlib.util.find_spec("cuda.core") is None:
        return "a GPU needs cuda-core: install archipel[fast,gpu]"
    from cuda.bindings import driver

    try:
        (fault,) = driver.cuInit(0)
        found = driver.cuDeviceGetCount()
    except RuntimeError:  # there is no driver
        return "no GPU that CUDA can use was found"
    if int(fault) != 0 or int(found[0]) != 0 or found[1] == 0:
        return "no GPU that CUDA can use was found"
    major = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    fault, capability = driver.cuDeviceGetAttribute(major, 0)
    if int(fault) != 0 or capability < LEAST_CAPABILITY:
        return f"the GPU is too old: it needs compute capability {LEAST_CAPABILITY}.0 or newer"
    return None


def require_gpu() -> None:
    """Raises `NoGpuError`."""
    reason = why_no_gpu()
    if reason is not None:
        raise NoGpuError(reason)


@dataclass(frozen=True)
class Source:
    """What is compiled together."""

    text: str
    name: str


def compiled(source: Source, arch: str) -> bytes:
    """Machine code for cards such as ``sm_90``.

    A product and a sum are rounded one after the other, as on the processor, and nothing is
    approximated: choices of bots must be the same to the last bit.
    """
    from cuda.core import Program, ProgramOptions

    options = ProgramOptions(
        name=source.name,
        arch=arch,
        std="c++17",
        fma=False,
    )
    code: bytes = Program(source.text, "c++", options).compile("cubin").code
    return code


@cache
def _compiler() -> tuple[int, int]:
    from cuda.bindings import nvrtc

    _, major, minor = nvrtc.nvrtcVersion()
    return int(major), int(minor)


class LoadedSource:
    """Kernels on the device, ready to be launched."""

    def __init__(self, source: Source, cache: Path | None = None) -> None:
        from cuda.core import Device, ObjectCode

        device = Device()
        device.set_current()
        arch = f"sm_{device.arch}"
        parts = repr((source, arch, _compiler()))
        key = hashlib.sha256(parts.encode()).hexdigest()[:20]
        code = kept(cache or default_cache(), key, "cubin", lambda: compiled(source, arch))
        self._module = ObjectCode.from_cubin(code)
        self._kernels: dict[str, Any] = {}

    def launch(self, name: str, stream: Any, count: int, threads: int, *given: Any) -> None:
        """Run so many threads of a kernel on a stream, in blocks of ``threads``. Arrays are given
        as such, numbers of 32 bits as numbers."""
        import ctypes

        from cuda.core import LaunchConfig, launch

        if name not in self._kernels:
            self._kernels[name] = self._module.get_kernel(name)
        config = LaunchConfig(grid=-(-count // threads), block=threads)
        parts = (each if isinstance(each, int) else each.pointer for each in given)
        passed = (
            ctypes.c_int32(part) if isinstance(each, int) else part
            for each, part in zip(given, parts, strict=True)
        )
        launch(stream, config, self._kernels[name], *passed)
