"""The documents, built once for all tests of a process."""

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
    """The folder of the built site; it goes when the process ends."""
    return Path(_place().name) / "site"
