"""Build hook: builds the browser client, the documents and the engines for browsers.

The client is built if it is out of date. Only then does the hook request Node (as a Python package)
and the libraries that generate TypeScript: a source archive contains the built client and installs
without them. ``ARCHIPEL_SKIP_CLIENT=1`` skips this step.

Wheels and source archives also contain the documents and the engines. A checkout builds both while
it serves. Numba compiles the engines; `build_backend.py` requests it for wheels. A wheel built
without Numba has no engines; the server then builds them if it can.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _load_client_build(root: Path) -> SimpleNamespace:
    """Run `client_build.py` by its path: the package is not installed yet."""
    path = root / "src" / "archipel" / "serve" / "client_build.py"
    return SimpleNamespace(**runpy.run_path(str(path)))


def _load_document_sources(root: Path) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(root / "tools" / "documents" / "sources.py")))


class ClientHook(BuildHookInterface[Any]):
    """The build hook of wheels, source archives and editable installs."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        module = _load_client_build(Path(self.root))
        needed = []
        if self._is_needed(module):
            needed += [module.NODE_WHEEL, *module.GENERATOR_LIBRARIES]
        documents = _load_document_sources(Path(self.root))
        if self._lacks_documents(documents):
            needed += documents.LIBRARIES
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._build_client(version)
        if version != "editable":
            self._build_documents()
            self._pack_engines()

    def _pack_engines(self) -> None:
        if os.environ.get("ARCHIPEL_SKIP_ENGINES") == "1":
            return
        if importlib.util.find_spec("numba") is None:
            self.app.display_warning("without Numba the package is built without its engines")
            return
        self.app.display_waiting("building the engines")
        self._run("archipel.bots.engine.modules", "--pack")

    def _build_client(self, version: str) -> None:
        module = _load_client_build(Path(self.root))
        if not self._is_needed(module):
            return
        build = module.ClientBuild(Path(self.root))
        try:
            node = module.find_node()
            if node is None:
                raise module.BuildFailed("Node was not found")
            self.app.display_waiting("building the browser client")
            build.build(node)
        except module.BuildFailed as failure:
            # A wheel or archive must be complete. A checkout works without the client: the
            # server says what is missing.
            if version != "editable":
                raise
            self.app.display_warning(f"the browser client is not up to date: {failure}")

    def _build_documents(self) -> None:
        if not self._lacks_documents(_load_document_sources(Path(self.root))):
            return
        self.app.display_waiting("building the documents")
        self._run("tools.documents")

    def _run(self, *command: str) -> None:
        """Run a module of the checkout, with the libraries of pip's isolated build environment."""
        folders = (str(Path(self.root, "src")), self.root, *filter(None, sys.path))
        subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
            check=True,
        )

    def _lacks_documents(self, module: SimpleNamespace) -> bool:
        root = Path(self.root)
        lacking: bool = module.has_sources(root) and module.is_stale(root, root / module.SERVED)
        return lacking

    def _is_needed(self, module: SimpleNamespace) -> bool:
        if os.environ.get(module.SKIP) == "1":
            return False
        stale: bool = module.ClientBuild(Path(self.root)).is_stale()
        return stale
