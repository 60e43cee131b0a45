"""Skip marks for tests that need optional libraries or a GPU."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from archipel.rules.kit.cuda.nvrtc import why_no_gpu

needs_gymnasium = pytest.mark.skipif(
    find_spec("gymnasium") is None, reason="gymnasium is not installed (extra envs)"
)
needs_pettingzoo = pytest.mark.skipif(
    find_spec("pettingzoo") is None, reason="pettingzoo is not installed (extra envs)"
)
needs_open_spiel = pytest.mark.skipif(
    find_spec("pyspiel") is None, reason="open_spiel is not installed (extra openspiel)"
)
needs_torch = pytest.mark.skipif(
    find_spec("torch") is None, reason="torch is not installed (extra learn)"
)


def _has_gpu() -> bool:
    if find_spec("torch") is None or why_no_gpu() is not None:
        return False
    import torch

    return bool(torch.cuda.is_available())


needs_torch_gpu = pytest.mark.skipif(
    not _has_gpu(), reason="no GPU that PyTorch can use (extra gpu)"
)
