"""Check the browser client: types, unit tests, build and download sizes.

    python -m tools.check_client

Installs the client's locked libraries and builds the client if it is out of date. Skips the checks
if no source of the client has changed since they last passed.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from archipel.serve.client_build import (
    BuildFailed,
    ClientBuild,
    find_node,
    npm_beside,
    variables_for,
)

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Stamp:
    """A file, ignored by Git, with the hash of the content that a step last succeeded for."""

    path: Path

    def matches(self, content: str) -> bool:
        return self.path.is_file() and self.path.read_text(encoding="ascii") == content

    def write(self, content: str) -> None:
        self.path.write_text(content, encoding="ascii")


class Checks:
    """The checks of one checkout's client, run with one Node."""

    def __init__(self, build: ClientBuild, node: Path) -> None:
        self._build = build
        self._node = node
        libraries = build.sources / "node_modules"
        self._installed = Stamp(libraries / ".archipel-installed")
        self._passed = Stamp(libraries / ".archipel-passed")

    def run(self) -> bool:
        """Return whether all checks passed. Failures have been printed."""
        if not (self._build_if_stale() and self._install()):
            return False
        sources = self._build.hash()
        if self._passed.matches(sources):
            print("unchanged since the last run that passed")
            return True
        if not all(map(self._script, ("types", "test", "size"))):
            return False
        self._passed.write(sources)
        return True

    def _build_if_stale(self) -> bool:
        if not self._build.is_stale():
            return True
        print("building the browser client", flush=True)
        try:
            self._build.build(self._node)
        except BuildFailed as failure:
            print(failure, flush=True)
            return False
        self._installed.write(self._locked())
        return True

    def _install(self) -> bool:
        if self._installed.matches(self._locked()):
            return True
        if not self._npm("ci", "--ignore-scripts", "--no-audit", "--no-fund"):
            return False
        self._installed.write(self._locked())
        return True

    def _locked(self) -> str:
        return hashlib.sha256((self._build.sources / "package-lock.json").read_bytes()).hexdigest()

    def _script(self, name: str) -> bool:
        return self._npm("run", "--silent", name)

    def _npm(self, *arguments: str) -> bool:
        return self._run([*npm_beside(self._node), *arguments])

    def _run(self, command: Sequence[str]) -> bool:
        variables = {**variables_for(self._node), "NO_COLOR": "1"}
        sys.stdout.flush()
        done = subprocess.run(command, cwd=self._build.sources, env=variables, check=False)
        return done.returncode == 0


def main() -> int:
    node = find_node()
    if node is None:
        print("Node was not found: the browser client cannot be checked", file=sys.stderr)
        return 1
    return 0 if Checks(ClientBuild(ROOT), node).run() else 1


if __name__ == "__main__":
    sys.exit(main())
