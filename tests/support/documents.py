"""The documentation site, built once per process."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from tools.documents.building import build

ROOT = Path(__file__).resolve().parents[2]


@cache
def _place() -> tempfile.TemporaryDirectory[str]:
    place = tempfile.TemporaryDirectory(prefix="archipel-documents-")
    build(ROOT, Path(place.name) / "site")
    return place


def built_documents() -> Path:
    """Return the folder of the built site, which is removed when the process ends."""
    return Path(_place().name) / "site"
