"""Arrays on a GPU, and the stream of its work."""

from __future__ import annotations

import math
import sys
import weakref
from typing import Any

import numpy


class GpuError(RuntimeError):
    """The GPU driver reported an error."""


def _done(answer: tuple[Any, ...]) -> Any:
    """Return the result of a driver call, or raise `GpuError`."""
    fault, *rest = answer
    if int(fault) != 0:
        raise GpuError(f"the GPU failed: {fault.name}")
    return rest[0] if rest else None


def _driver() -> Any:
    from cuda.bindings import driver

    return driver


class _Room:
    """Device memory, freed with the last reference."""

    def __init__(self, size: int) -> None:
        from cuda.core import Device

        Device().set_current()
        driver = _driver()
        self.pointer = int(_done(driver.cuMemAlloc(max(size, 1))))
        weakref.finalize(self, driver.cuMemFree, driver.CUdeviceptr(self.pointer))


class DeviceArray:
    """An array on the device, row by row.

    PyTorch reads it without a copy: ``torch.as_tensor(array, device="cuda")`` or `tensor`.
    """

    def __init__(self, shape: tuple[int, ...], kind: Any, row: int | None = None) -> None:
        """``row`` is the stride of padded rows in bytes."""
        self.shape = shape
        self.dtype: numpy.dtype[Any] = numpy.dtype(kind)
        plain = math.prod(shape[1:]) * self.dtype.itemsize
        self.row = plain if row is None else row
        self._room: Any = _Room(shape[0] * self.row)
        self.pointer: int = self._room.pointer

    @classmethod
    def of(cls, host: Any) -> DeviceArray:
        """Copy a NumPy array to the device."""
        made = cls(host.shape, host.dtype)
        made.write(host)
        return made

    @classmethod
    def borrowed(cls, array: Any, shape: tuple[int, ...]) -> DeviceArray:
        """Return an array of int32 or int64, without a copy if it is on the device.

        Raises `ValueError` for another shape or type.
        """
        there = getattr(array, "__cuda_array_interface__", None)
        held = None if there is not None else numpy.ascontiguousarray(array)
        found = tuple(there["shape"]) if there is not None else held.shape  # type: ignore[union-attr]
        kind = numpy.dtype(there["typestr"]) if there is not None else held.dtype  # type: ignore[union-attr]
        if found != shape or kind not in (numpy.int32, numpy.int64):
            raise ValueError(f"not an array of {shape} int32 or int64: {found} {kind}")
        if there is None:
            return cls.of(held)
        if there.get("strides") not in (None, (kind.itemsize,)):
            raise ValueError("the array is not contiguous")
        return cls._other(array, int(there["data"][0]), shape, kind, kind.itemsize)

    @classmethod
    def _other(
        cls, room: Any, pointer: int, shape: tuple[int, ...], kind: Any, row: int
    ) -> DeviceArray:
        made = cls.__new__(cls)
        made.shape, made.dtype, made.row = shape, numpy.dtype(kind), row
        made._room, made.pointer = room, pointer
        return made

    def rows(self, count: int) -> DeviceArray:
        """The first rows, in the same memory."""
        shape = (count, *self.shape[1:])
        return self._other(self._room, self.pointer, shape, self.dtype, self.row)

    @property
    def strides(self) -> tuple[int, ...]:
        inner = [self.dtype.itemsize]
        for length in reversed(self.shape[2:]):
            inner.insert(0, inner[0] * length)
        return (self.row, *inner[: len(self.shape) - 1])

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "strides": self.strides,
            "version": 3,
        }

    def __len__(self) -> int:
        return self.shape[0]

    def tensor(self) -> Any:
        """Return a PyTorch tensor on the same memory."""
        import torch

        return torch.as_tensor(self, device="cuda")

    def write(self, host: Any) -> None:
        """Copy a NumPy array into the first rows, which are not padded."""
        there = numpy.ascontiguousarray(host, self.dtype)
        synchronise()
        _done(_driver().cuMemcpyHtoD(self.pointer, there.ctypes.data, there.nbytes))

    def read(self, row: int | None = None) -> Any:
        """Copy everything, or one row, to a NumPy array."""
        first, count = (0, self.shape[0]) if row is None else (row, 1)
        bytes_there = numpy.empty((count, self.row), numpy.uint8)
        synchronise()
        begin = self.pointer + first * self.row
        _done(_driver().cuMemcpyDtoH(bytes_there.ctypes.data, begin, bytes_there.nbytes))
        plain = math.prod(self.shape[1:]) * self.dtype.itemsize
        numbers = numpy.ascontiguousarray(bytes_there[:, :plain]).view(self.dtype)
        whole = numbers.reshape(count, *self.shape[1:])
        return whole if row is None else whole[0]


def device_stream() -> Any:
    """Return PyTorch's current stream if PyTorch is loaded, else the default one."""
    from cuda.core import Stream

    torch = sys.modules.get("torch")
    handle = 0 if torch is None else torch.cuda.current_stream().cuda_stream
    return Stream.from_handle(int(handle))


def synchronise() -> None:
    """Wait until the device has finished all work."""
    _done(_driver().cuCtxSynchronize())
