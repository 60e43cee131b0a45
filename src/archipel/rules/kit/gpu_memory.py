"""Arrays on a graphics card, and the stream of work that is done on them."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy


def _cuda() -> Any:
    return importlib.import_module("numba.cuda")


class DeviceArray:
    """An array on the device, row by row, as kernels take it.

    PyTorch reads it where it lies: ``torch.as_tensor(array, device="cuda")`` or `tensor`.
    """

    def __init__(self, shape: tuple[int, ...], kind: Any) -> None:
        cuda = _cuda()
        self._keep(cuda.device_array(shape, kind))

    @classmethod
    def of(cls, host: Any) -> DeviceArray:
        """A copy of an array of the processor's."""
        made = cls(host.shape, host.dtype)
        made.write(host)
        return made

    @classmethod
    def borrowed(cls, array: Any, shape: tuple[int, ...]) -> DeviceArray:
        """The array of somebody else, where it lies if it is on the device; whole numbers of 32 or
        64 bits, else ValueError."""
        cuda = _cuda()
        there = hasattr(array, "__cuda_array_interface__")
        held: Any = cuda.as_cuda_array(array) if there else numpy.ascontiguousarray(array)
        if held.shape != shape or held.dtype not in (numpy.int32, numpy.int64):
            raise ValueError(f"not an array of {shape} int32 or int64: {held.shape} {held.dtype}")
        if not there:
            return cls.of(held)
        if not held.is_c_contiguous():
            raise ValueError("the array is not contiguous")
        return cls._other(held)

    def _keep(self, held: Any) -> None:
        self._held = held
        self.shape: tuple[int, ...] = held.shape
        self.dtype: numpy.dtype[Any] = held.dtype
        pointer = held.__cuda_array_interface__["data"][0]
        parts = [0, 0, held.size, self.dtype.itemsize, pointer, *self.shape, *held.strides]
        self.parts = tuple(map(int, parts))
        """As numba-cuda hands an array to a kernel: nobody to count references to it, its size,
        that of what is in it, where it lies, its shape and strides."""

    def rows(self, count: int) -> DeviceArray:
        """The first rows, in the same memory."""
        return self._other(self._held[:count])

    def flat(self) -> DeviceArray:
        """The same memory in one dimension."""
        return self._other(self._held.reshape(self._held.size))

    @classmethod
    def _other(cls, held: Any) -> DeviceArray:
        made = cls.__new__(cls)
        made._keep(held)
        return made

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self._held.__cuda_array_interface__
        return found

    def __len__(self) -> int:
        return self.shape[0]

    def tensor(self) -> Any:
        """The same memory as a tensor of PyTorch's."""
        import torch

        return torch.as_tensor(self, device="cuda")

    def write(self, host: Any) -> None:
        """Copy an array of the processor's into the first rows."""
        synchronise()
        self._held[: len(host)].copy_to_device(numpy.ascontiguousarray(host))

    def read(self, row: int | None = None) -> Any:
        """A copy for the processor, of everything or of a row."""
        synchronise()
        held = self._held if row is None else self._held[row : row + 1].reshape(self.shape[1:])
        return held.copy_to_host()


def device_stream() -> Any:
    """Where work is put: PyTorch's current stream if PyTorch is loaded, else the default one."""
    from cuda.core import Stream

    torch = sys.modules.get("torch")
    handle = 0 if torch is None else torch.cuda.current_stream().cuda_stream
    return Stream.from_handle(int(handle))


def synchronise() -> None:
    """Wait until the device has done all it was asked for."""
    _cuda().synchronize()
