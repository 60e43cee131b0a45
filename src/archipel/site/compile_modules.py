"""Compile Python files to zip archives of bytecode; runs in Pyodide, whose bytecode it is.

Reads ``/work/python_stdlib.zip`` and the folder ``/work/packages``, writes ``/work/all_stdlib.zip``
and ``/work/archipel.zip``. Python imports from them in place. Docstrings are left out.
"""

import importlib._bootstrap_external as bootstrap
import zipfile
from pathlib import Path
from types import CodeType
from typing import Any, cast

WORK = Path("/work")
#: All entries have this time, so that equal sources give equal archives.
TIME = (1980, 1, 1, 0, 0, 0)


def without_lines(code: CodeType) -> CodeType:
    """A code object without its line numbers, which are a fifth of its compressed size."""
    constants = tuple(
        without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    groups, rest = divmod(len(code.co_code) // 2, 8)
    # Entries without a location, for up to eight instructions each.
    lines = bytes([0xFF] * groups + ([0xF7 + rest] if rest else []))
    return code.replace(co_linetable=lines, co_consts=constants)


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    if name.endswith(".py"):
        code = compile(content, name, "exec", dont_inherit=True, optimize=2)
        pyc = cast(Any, bootstrap)._code_to_hash_pyc(without_lines(code), bytes(8), False)
        content, name = bytes(pyc), f"{name}c"
    archive.writestr(zipfile.ZipInfo(name, TIME), content)


async def main() -> None:
    with (
        zipfile.ZipFile(WORK / "python_stdlib.zip") as sources,
        zipfile.ZipFile(WORK / "all_stdlib.zip", "w", zipfile.ZIP_STORED) as target,
    ):
        for name in sorted(sources.namelist()):
            if not name.endswith("/"):
                add(target, name, sources.read(name))
    packages = WORK / "packages"
    with zipfile.ZipFile(WORK / "archipel.zip", "w", zipfile.ZIP_STORED) as target:
        for path in sorted(packages.rglob("*")):
            if path.is_file():
                add(target, path.relative_to(packages).as_posix(), path.read_bytes())
