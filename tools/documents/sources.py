"""The sources of the documents site, and whether a built site is up to date.

Uses only the standard library: the package build runs this file by its path, before anything is
installed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

#: The file of a built site with the hash of its sources.
STAMP = ".sources"
#: The folder that the server serves, relative to the checkout.
SERVED = Path("src", "archipel", "serve", "documents")
#: Packages that the build needs.
LIBRARIES = (
    "gymnasium",
    "markdown-it-py",
    "msgspec",
    "numpy",
    "pettingzoo",
    "pygments",
    "pytest",
)
#: The front page in each language, which is for players. `X.fr.md` is the French version of `X.md`.
FRONT = ("docs/playing.md", "docs/playing.fr.md")
#: The pages outside `docs/`, relative to the checkout.
PAGES_OUTSIDE_DOCS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "benchmarks/README.md",
)


#: Folders of the package that a build writes.
_BUILT = {"static", "documents", "brought"}


def has_sources(root: Path) -> bool:
    """Whether this is a checkout or a source archive."""
    return (root / "docs" / "navigation.json").is_file()


def is_stale(root: Path, folder: Path) -> bool:
    """Whether the folder has no site, or one built from other sources."""
    stamp = folder / STAMP
    return not stamp.is_file() or stamp.read_text("ascii").strip() != hash_of_sources(root)


def hash_of_sources(root: Path) -> str:
    """Hash all sources of the site."""
    digest = hashlib.sha256()
    for path in sorted(_sources(root)):
        name = path.relative_to(root).as_posix().encode()
        digest.update(len(name).to_bytes(4, "big") + name)
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    yield from (root / page for page in PAGES_OUTSIDE_DOCS)
    yield from (root / "client" / "src" / "look").glob("*.css")
    yield root / "client" / "public" / "icon.svg"
    for folder in ("docs", "tools/documents"):
        yield from (path for path in (root / folder).rglob("*") if _counts(path))
    package = root / "src" / "archipel"
    for ending in ("*.py", "*.md", "*.json"):
        yield from (path for path in package.rglob(ending) if not _BUILT & set(path.parts))


def _counts(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
