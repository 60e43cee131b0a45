"""Builds the browser client while the package is built or installed, when it is stale, and the
engines that browsers run.

Node is asked for, as a Python package, only then: an archive that holds the built files installs
without it. ``ARCHIPEL_SKIP_CLIENT=1`` leaves the client as it is. What is passed on to others
carries the documents too; a checkout builds those when it serves.

Engines are made by Numba, which `build_backend.py` asks for where a wheel is built. A package that
is built where there is none has no engines, and a server builds those that it can by itself.
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
    """The module that knows how to build, taken by its path: the package is not installed yet."""
    path = root / "src" / "archipel" / "serve" / "client_build.py"
    return SimpleNamespace(**runpy.run_path(str(path)))


def _load_document_sources(root: Path) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(root / "tools" / "documents" / "sources.py")))


class ClientHook(BuildHookInterface[Any]):
    """Runs for the wheel, the source archive and editable installs."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        module = _load_client_build(Path(self.root))
        needed = [module.NODE_WHEEL] if self._is_needed(module) else []
        documents = _load_document_sources(Path(self.root))
        return [*needed, *(documents.LIBRARIES if self._lacks_documents(documents) else ())]

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
        sources = str(Path(self.root) / "src")
        command = [sys.executable, "-m", "archipel.bots.engine.modules", "--pack"]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": sources}, check=True)

    def _build_client(self, version: str) -> None:
        module = _load_client_build(Path(self.root))
        if not self._is_needed(module):
            return
        build = module.ClientBuild(Path(self.root))
        try:
            node = module.find_node()
            if node is None:
                raise module.BuildFailed("no Node is at hand")
            self.app.display_waiting("building the browser client")
            build.build(node)
        except module.BuildFailed as failure:
            # What is passed on to others must be whole; a checkout can do with less, and the
            # server says what is missing.
            if version != "editable":
                raise
            self.app.display_warning(f"the browser client is not up to date: {failure}")

    def _build_documents(self) -> None:
        if not self._lacks_documents(_load_document_sources(Path(self.root))):
            return
        self.app.display_waiting("building the documents")
        folders = os.pathsep.join((str(Path(self.root, "src")), self.root))
        subprocess.run(
            [sys.executable, "-m", "tools.documents"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": folders},
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
