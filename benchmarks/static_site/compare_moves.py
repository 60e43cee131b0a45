"""Compare the cost of a move in a site's runtime, here in Node, with that in this Python."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from archipel import site as site_package
from archipel.chaos import following
from archipel.serve.client_build import variables_for
from archipel.site.downloads import required_node

_SCRIPT = Path(__file__).with_name("moves.py")
_RUN = Path(site_package.__file__).with_name("run_in_pyodide.mjs")
#: The files of a site's runtime as Pyodide names them.
_NAMES = {
    "pyodide.mjs": "pyodide.mjs",
    "pyodide.asm.mjs": "pyodide.asm.mjs",
    "python.wasm": "pyodide.asm.wasm",
    "stdlib.zip": "python_stdlib.zip",
    "archipel.zip": "archipel.zip",
    "msgspec.so": "msgspec.so",
}
_LOCK = {
    "info": {
        "abi_version": "2026_0",
        "arch": "wasm32",
        "platform": "emscripten_5_0_3",
        "python": "3.14.2",
    },
    "packages": {},
}
_IN_PYODIDE = """
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import spec_from_file_location

class ExtensionFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "msgspec._core":
            loader = ExtensionFileLoader(name, "/lib/msgspec/_core.so")
            return spec_from_file_location(name, "/lib/msgspec/_core.so", loader=loader)

sys.path.insert(0, "/work/archipel.zip")
sys.meta_path.insert(0, ExtensionFinder)
sys.argv = ["moves", "{moves}"]
"""
_IN_PYTHON = "\nasyncio.run(main())\n"


def _script() -> str:
    """The script with the module that it needs and that a site lacks."""
    parts = [Path(path).read_text("utf-8") for path in (str(following.__file__), str(_SCRIPT))]
    future = "from __future__ import annotations"
    return "\n".join((future, *(part.replace(future, "") for part in parts)))


def in_python(moves: int) -> dict[str, float]:
    """Milliseconds per move by game."""
    command = [sys.executable, "-c", _script() + _IN_PYTHON, str(moves)]
    return _figures(subprocess.run(command, capture_output=True, text=True, check=False))


def in_runtime(site: Path, moves: int) -> dict[str, float]:
    """Milliseconds per move by game, in the runtime of the site in a folder."""
    (runtime,) = (path for path in (site / "python").iterdir() if path.is_dir())
    node = required_node()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for packed, unpacked in _NAMES.items():
            content = gzip.decompress((runtime / f"{packed}.gz").read_bytes())
            (folder / unpacked).write_bytes(content)
        (folder / "pyodide-lock.json").write_text(json.dumps(_LOCK))
        script = folder / "moves.py"
        head = _IN_PYODIDE.replace("{moves}", str(moves))
        script.write_text(_script().replace("annotations\n", f"annotations\n{head}", 1))
        command = [node, _RUN, folder, script, folder, folder / "msgspec.so"]
        return _figures(
            subprocess.run(
                [str(part) for part in command],
                env=variables_for(node),
                capture_output=True,
                text=True,
                check=False,
            )
        )


def _figures(done: subprocess.CompletedProcess[str]) -> dict[str, float]:
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:] or done.stdout[-2000:])
    figures: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures
