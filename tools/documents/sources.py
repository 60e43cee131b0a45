"""What the site is made from, and whether a built one is up to date.

Only the standard library is used here: the build of the package loads this file by its path, before
anything is installed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

#: In a built site: holds the hash of what it was made from.
STAMP = ".sources"
#: Where the server finds the site, from the top of a checkout.
SERVED = Path("src", "archipel", "serve", "documents")
#: What building needs besides the standard library.
LIBRARIES = ("markdown-it-py", "msgspec", "pygments")


def has_sources(root: Path) -> bool:
    """Whether this is a checkout, or an archive of one."""
    return (root / "docs" / "navigation.json").is_file()


def is_stale(root: Path, folder: Path) -> bool:
    """Whether the folder holds no site, or one made from other sources."""
    stamp = folder / STAMP
    return not stamp.is_file() or stamp.read_text("ascii").strip() != hash_of_sources(root)


def hash_of_sources(root: Path) -> str:
    """One hash over all that the site is made from."""
    digest = hashlib.sha256()
    for path in sorted(_sources(root)):
        name = path.relative_to(root).as_posix().encode()
        digest.update(len(name).to_bytes(4, "big") + name)
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    yield from (root / "README.md", root / "benchmarks" / "README.md")
    yield from (root / "client" / "src" / "look").glob("*.css")
    yield root / "client" / "public" / "icon.svg"
    for folder in ("docs", "tools/documents"):
        yield from (path for path in (root / folder).rglob("*") if _counts(path))
    package = root / "src" / "archipel"
    for ending in ("*.py", "*.md", "*.json"):
        yield from (
            path for path in package.rglob(ending) if not {"static", "documents"} & set(path.parts)
        )


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
