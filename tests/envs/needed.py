"""Libraries that may be missing: what needs them is left out, and pytest says so."""

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


def _card() -> bool:
    if find_spec("torch") is None or why_no_gpu() is not None:
        return False
    import torch

    return bool(torch.cuda.is_available())


needs_card = pytest.mark.skipif(
    not _card(), reason="no graphics card that PyTorch and numba-cuda can use (extra gpu)"
)
