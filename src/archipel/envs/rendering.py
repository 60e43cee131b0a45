"""Positions as text and as pixels, for ``render``."""

from __future__ import annotations

import io
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.rules.contract import Definition

RENDER_MODES = ["ansi", "rgb_array", "human"]
#: Frames per second for recordings; a decision is a frame.
RENDER_FPS = 2


def check_render_mode(mode: str | None) -> None:
    """Raise ValueError for an unknown mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode {mode!r} is not one of {', '.join(RENDER_MODES)}")


def rendered(
    definition: Definition[Any], view: Any, mode: str | None
) -> str | NDArray[numpy.uint8] | None:
    """A view as text ("ansi"), as pixels ("rgb_array"), or printed ("human")."""
    if mode == "rgb_array":
        return pixels(definition.drawing(view, "en"))
    if mode is None:
        return None
    text = definition.picture(view, "en")
    if mode == "human":
        print(text)
        return None
    return text


def pixels(drawing: str) -> NDArray[numpy.uint8]:
    """An SVG drawing as an array (height, width, 3); raises ImportError without the extra."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            "render_mode='rgb_array' needs resvg-py and Pillow (extra render)"
        ) from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=drawing, background="white"))
    with Image.open(io.BytesIO(png)) as image:
        return numpy.asarray(image.convert("RGB"))
