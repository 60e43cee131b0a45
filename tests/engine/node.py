"""Run rules in Node, with the loader of the page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from archipel.serve.client_build import find_node, variables_for

ROOT = Path(__file__).resolve().parents[2]


def require_node() -> Path:
    node = find_node()
    assert node is not None, "the tests are run by `python3 run.py test`, which finds Node"
    return node


def bundle_loader(folder: Path, part: str = "engine/index") -> Path:
    """Bundle the loader, or another part of the client, into one module."""
    generator = ROOT / "client" / "scripts" / "generate_typescript.py"
    subprocess.run([sys.executable, str(generator)], check=True)
    loader = folder / "rules_module.mjs"
    command = [str(require_node()), "scripts/bundle_engine.mjs", str(loader), part]
    subprocess.run(
        command,
        cwd=ROOT / "client",
        env=variables_for(require_node()),
        check=True,
        capture_output=True,
        text=True,
    )
    return loader


def run_script(script: Path, loader: Path, module: Path, task: Any) -> Any:
    """Run a script with the loader, a module and a task as JSON; return its answer."""
    done = subprocess.run(
        [str(require_node()), str(script), str(loader), str(module)],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
