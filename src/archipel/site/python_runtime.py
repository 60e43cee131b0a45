"""The Python runtime of a site: Pyodide, the needed part of its standard library, and Archipel.

Every file is compressed, because many static hosts do not compress; the browser decompresses it.
Runtimes are kept in the cache, for the next build from equal sources.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from archipel.serve.client_build import BuildFailed, variables_for
from archipel.site.downloads import (
    MSGSPEC,
    PYODIDE,
    cache_folder,
    fetch_msgspec,
    fetch_pyodide,
    required_node,
)

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parent

#: Parts of the package that no browser needs, as paths or folders.
_LEFT_OUT = (
    "__main__.py",
    "analysis/html_report.py",
    "bots/engine/brought",
    "bots/engine/modules.py",
    "bots/engine/packed.py",
    "bots/external/bot_worker.py",
    "chaos",
    "cli",
    "clubs",
    "envs",
    "notices",
    "profiles",
    "rules/kit/cuda",
    "rules/kit/numba",
    "rules/kit/wasm",
    "serve/api/club_routes.py",
    "serve/api/openapi.py",
    "serve/api/routes.py",
    "serve/api/connection.py",
    "serve/api/endpoint.py",
    "serve/api/game_content.py",
    "serve/api/notice_routes.py",
    "serve/api/profile_routes.py",
    "serve/documents",
    "serve/static",
    "site",
    "store/durable_files.py",
    "store/postgresql",
    "store/sqlite",
    "store/sql_store.py",
    "study",
    "tables/administration.py",
    "tables/bots/pool.py",
    "tables/bots/warming.py",
    "testing",
    "text/sentences.en.json",
    "text/sentences.fr.json",
)
#: Of `serve`, only these modules and the API are needed.
_SERVE = ("__init__.py", "api", "transport/__init__.py", "transport/frames.py")
#: The files of this folder that make the runtime.
_BUILDERS = ("compile_modules.py", "find_modules.py", "python_runtime.py", "run_in_pyodide.mjs")
_KINDS = (".py", ".json", ".md", ".toml", ".txt")
#: Large modules of the standard library that are named but never used in a browser.
_UNUSED = ("concurrent", "ctypes", "multiprocessing", "socket", "ssl", "sqlite3", "subprocess")

#: Changes to files of Pyodide, each of a text that occurs once: take the compiled interpreter
#: from `pythonModule`, load `earlyLibraries` before Python starts, and let the memory grow to the
#: size of a snapshot.
_PATCHES = (
    ("pyodide.mjs", 'let{binary:t,response:n}=_(e+"pyodide.asm.wasm"),i=K();', "let i=K();"),
    (
        "pyodide.mjs",
        (
            "let l;n?l=await WebAssembly.instantiateStreaming(n,s):"
            "l=await WebAssembly.instantiate(await t,s);let{instance:d,module:u}=l;r(d,u)"
        ),
        "let u=await globalThis.pythonModule;r(await WebAssembly.instantiate(u,s),u)",
    ),
    (
        "pyodide.asm.mjs",
        "var dynamicLibraries=[];",
        "var dynamicLibraries=Object.keys(globalThis.earlyLibraries??{});",
    ),
    (
        "pyodide.asm.mjs",
        "function loadLibData(){",
        (
            "function loadLibData(){var early=globalThis.earlyLibraries?.[libName];"
            "if(early)return flags.loadAsync?Promise.resolve(early):early;"
        ),
    ),
    (
        "pyodide.asm.mjs",
        "return Module.HEAP8.set(t),l}",
        "return t.length>Module.HEAP8.length&&Module.growMemory(t.length),Module.HEAP8.set(t),l}",
    ),
)

#: Seconds that a runtime of other sources stays in the cache.
_KEPT = 24 * 3600

Report = Callable[[str], None]


def make_runtime(target: Path, report: Report) -> str:
    """Write the runtime to a folder of ``target`` named by its content; returns the folder's name.

    ``report`` gets the key of the sentence for each step. Raises `BuildFailed`.
    """
    sources = _hash_of_sources()
    kept = cache_folder() / f"runtime-{sources}"
    if not kept.is_dir():
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
            work = Path(folder)
            _make(work, report)
            if not kept.is_dir():  # made by another build meanwhile
                (work / "runtime").rename(kept)
        # Another checkout may be using a recent one.
        for older in cache_folder().glob("runtime-*"):
            if older != kept and time.time() - older.stat().st_mtime > _KEPT:
                shutil.rmtree(older, ignore_errors=True)
    (name,) = (folder.name for folder in kept.iterdir())
    shutil.copytree(kept / name, target / "python" / name)
    return f"python/{name}/"


def _make(work: Path, report: Report) -> None:
    report("site.fetching")
    _unpack(work)
    report("site.compiling")
    _copy_package(work / "packages" / "archipel")
    (work / "left_out.json").write_text(json.dumps(_UNUSED))
    _run(work, "compile_modules.py")
    report("site.trimming")
    _run(work, "find_modules.py", work / "msgspec.so")
    _write(work, work / "runtime")


def _hash_of_sources() -> str:
    """A hash of everything that the runtime is made from."""
    digest = hashlib.sha256(f"{PYODIDE.sha256} {MSGSPEC.sha256}".encode())
    for path in (*_package_files(), *(_HERE / name for name in _BUILDERS)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()} {content}\n".encode())
    return digest.hexdigest()[:16]


def _unpack(work: Path) -> None:
    with tarfile.open(fetch_pyodide()) as archive:
        archive.extractall(work, filter="data")
    (work / "package").rename(work / "pyodide")
    shutil.copy(work / "pyodide" / "python_stdlib.zip", work)
    for file, old, new in _PATCHES:
        text = (work / "pyodide" / file).read_text("utf-8")
        if text.count(old) != 1:
            raise BuildFailed(f"{file} has changed: {old!r} occurs {text.count(old)} times")
        (work / "pyodide" / file).write_text(text.replace(old, new), "utf-8")
    with zipfile.ZipFile(fetch_msgspec()) as wheel:
        for name in wheel.namelist():
            if name.endswith(".so"):
                (work / "msgspec.so").write_bytes(wheel.read(name))
            elif name.startswith("msgspec/") and name.endswith(".py"):
                wheel.extract(name, work / "packages")


def _copy_package(target: Path) -> None:
    for path in _package_files():
        copy = target / path.relative_to(_PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _package_files() -> list[Path]:
    """The files of this package that a browser needs."""
    return [
        path
        for path in sorted(_PACKAGE.rglob("*"))
        if path.is_file()
        and path.suffix in _KINDS
        and _is_needed(path.relative_to(_PACKAGE).as_posix())
    ]


def _is_needed(name: str) -> bool:
    if name.startswith("serve/") and not _is_in(name.removeprefix("serve/"), _SERVE):
        return False
    return not _is_in(name, _LEFT_OUT)


def _is_in(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def _run(work: Path, script: str, *more: Path) -> None:
    node = required_node()
    command = [node, _HERE / "run_in_pyodide.mjs", work / "pyodide", _HERE / script, work, *more]
    done = subprocess.run(
        [str(part) for part in command],
        env=variables_for(node),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise BuildFailed(f"{script} failed in Pyodide:\n{done.stdout[-2000:].strip()}")


def _write(work: Path, target: Path) -> None:
    """Compress the runtime into a folder of ``target`` that is named by its content."""
    contents = {
        name: gzip.compress((work / place).read_bytes(), 9, mtime=0)
        for name, place in {
            "pyodide.mjs": "pyodide/pyodide.mjs",
            "pyodide.asm.mjs": "pyodide/pyodide.asm.mjs",
            "python.wasm": "pyodide/pyodide.asm.wasm",
            "stdlib.zip": "stdlib.zip",
            "archipel.zip": "archipel.zip",
            "msgspec.so": "msgspec.so",
        }.items()
    }
    digest = hashlib.sha256(b"".join(contents[name] for name in sorted(contents))).hexdigest()
    folder = target / digest[:16]
    folder.mkdir(parents=True)
    for name, content in contents.items():
        (folder / f"{name}.gz").write_bytes(content)
    sizes = {name: len(content) for name, content in contents.items()}
    (folder / "sizes.json").write_text(json.dumps(sizes))
