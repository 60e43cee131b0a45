"""What a site needs to work without a network: a service worker, and one file with most of the
others, because many hosts do not compress and some 500 requests would be slow."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

_SOURCE = Path(__file__).with_name("service_worker.js")
WORKER = "worker.js"
#: Files of this folder are compressed, and have a hash of their content in their addresses.
_RUNTIME = "python/"
#: Only read by hosts and builders, or when the site is installed.
_LEFT_OUT = (
    "assets/manifest.json",
    "robots.txt",
    "screenshot-narrow.webp",
    "screenshot-wide.webp",
    WORKER,
)


def write_service_worker(folder: Path) -> None:
    """Write the bundle and the service worker of a site whose other files are complete."""
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")
    )
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    others = {name: path.stat().st_size for name, path in files.items() if _is_runtime(name)}
    parts: dict[str, tuple[int, int]] = {}
    bundle = bytearray()
    for name, path in files.items():
        if not _is_runtime(name) and name not in _LEFT_OUT:
            content = path.read_bytes()
            parts[name] = (len(bundle), len(content))
            bundle += content
    packed = gzip.compress(bundle, 9, mtime=0)
    bundle_name = f"offline-{hashlib.sha256(packed).hexdigest()[:16]}.gz"
    (folder / bundle_name).write_bytes(packed)
    constants = {
        "BUNDLE": {"path": bundle_name, "size": len(packed)},
        "PARTS": parts,
        "OTHERS": others,
    }
    source = _SOURCE.read_text("utf-8")
    version = hashlib.sha256((json.dumps(constants) + source).encode()).hexdigest()[:16]
    lines = [
        f"const {name} = {json.dumps(value, separators=(',', ':'))};\n"
        for name, value in {"VERSION": version, **constants}.items()
    ]
    (folder / WORKER).write_text("".join(lines) + source, "utf-8")


def _is_runtime(name: str) -> bool:
    return name.startswith(_RUNTIME)
