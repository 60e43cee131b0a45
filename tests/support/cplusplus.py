"""Compile the C++ of rules for the CPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler")

#: Undefined behaviour, such as overflow, ends the program.
WATCHED = (
    "-fsanitize=undefined",
    "-fno-sanitize=alignment",
    "-fno-sanitize-recover=undefined",
    "-static-libubsan",
)


def compiled_here(source: str, folder: Path, *options: str) -> ctypes.CDLL:
    assert COMPILER is not None
    file, library = folder / "rules.cpp", folder / "rules.so"
    file.write_text(source, encoding="utf-8")
    command = [COMPILER, "-std=c++17", "-O1", "-fPIC", "-shared", "-w", *options]
    subprocess.run([*command, str(file), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))
