"""C++ on a GPU: compiled by NVRTC, stored in the compile cache, loaded and launched."""

from __future__ import annotations

import hashlib
import importlib.util
from typing import Any

from archipel.rules.kit.numba.compile_cache import cached_file, default_cache

#: Threads per warp.
WARP = 32

#: The first major compute capability with asynchronous copies to shared memory.
LEAST_CAPABILITY = 8


class NoGpuError(RuntimeError):
    """There is no usable GPU, or no compiler for it."""


def why_no_gpu() -> str | None:
    """Return why programs cannot run on a GPU here, in one line, or None."""
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
    """Raise `NoGpuError` if programs cannot run on a GPU here."""
    reason = why_no_gpu()
    if reason is not None:
        raise NoGpuError(reason)


class LoadedSource:
    """The kernels of a C++ text on the device; ``name`` is the file that errors name."""

    def __init__(self, text: str, name: str) -> None:
        from cuda.bindings import nvrtc
        from cuda.core import Device, ObjectCode, Program, ProgramOptions

        device = Device()
        device.set_current()
        arch = f"sm_{device.arch}"
        parts = repr((text, name, arch, nvrtc.nvrtcVersion()))
        key = hashlib.sha256(parts.encode()).hexdigest()[:20]

        def compiled() -> bytes:
            # No fused multiply-add, which rounds once: bots must choose as on the CPU.
            options = ProgramOptions(name=name, arch=arch, std="c++17", fma=False)
            code: bytes = Program(text, "c++", options).compile("cubin").code
            return code

        code = cached_file(default_cache(), key, "cubin", compiled)
        self._module = ObjectCode.from_cubin(code)
        self._kernels: dict[str, Any] = {}

    def launch(self, name: str, stream: Any, count: int, threads: int, *given: Any) -> None:
        """Run ``count`` threads of a kernel on a stream, in blocks of ``threads``.

        Arguments are arrays of the device, and ints, which are passed with 32 bits.
        """
        import ctypes

        from cuda.core import LaunchConfig, launch

        if name not in self._kernels:
            self._kernels[name] = self._module.get_kernel(name)
        config = LaunchConfig(grid=-(-count // threads), block=threads)
        passed = (ctypes.c_int32(each) if isinstance(each, int) else each.pointer for each in given)
        launch(stream, config, self._kernels[name], *passed)
