"""Rules as WebAssembly have the same arguments, results and effects as in Python."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.kit import Program, Stream
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import from_bytes, record_layout, to_bytes
from tests.engine.node import bundle_loader, run_script
from tests.rules.kit import web_rules
from tests.rules.kit.web_rules import Notes, Shore

if can_compile():
    from archipel.rules.kit.wasm.build import NotBuilt, is_built, web_module
    from archipel.rules.kit.wasm.object_file import BadModule, data_end, function_numbers, sections

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the modules")

TARGET = "tests.rules.kit.web_rules:PROGRAM"
CALLS = Path(__file__).with_name("call_rules.mjs")


@pytest.fixture(scope="module")
def module() -> bytes:
    return web_module(web_rules.PROGRAM, TARGET)


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle_loader(tmp_path_factory.mktemp("loader"))


def call(module: bytes, loader: Path, tmp_path: Path, task: dict[str, Any]) -> Any:
    file = tmp_path / "rules.wasm"
    file.write_bytes(module)
    return run_script(CALLS, loader, file, task)


def thing(kind: type[Any], *values: Any) -> dict[str, Any]:
    data = b"".join(to_bytes(value) for value in values)
    return {"size": record_layout(kind).size, "shape": [len(values)], "bytes": data.hex()}


def test_records_lists_and_chance(module: bytes, loader: Path, tmp_path: Path) -> None:
    shore, notes, stream = Shore(), Notes(), Stream(77)
    expected = [web_rules.play([shore], [notes], stream, turns) for turns in (1, 50, 2000)]
    answer = call(
        module,
        loader,
        tmp_path,
        {
            "things": {
                "shores": thing(Shore, Shore()),
                "notes": thing(Notes, Notes()),
                "chance": thing(Stream, Stream(77)),
            },
            "calls": [["play", "shores", "notes", "*chance", turns] for turns in (1, 50, 2000)],
        },
    )
    assert [int(result) for result in answer["results"]] == expected
    left = answer["things"]
    assert from_bytes(Shore, bytes.fromhex(left["shores"])) == shore
    assert from_bytes(Notes, bytes.fromhex(left["notes"])) == notes
    assert from_bytes(Stream, bytes.fromhex(left["chance"])) == stream


def test_every_kind_of_result(module: bytes, loader: Path, tmp_path: Path) -> None:
    table = [[1, -2, 3], [40, 50, -60]]
    row = [0.5, 0.25, 4.0]
    whole = b"".join(n.to_bytes(8, "little", signed=True) for line in table for n in line)
    fractions = b"".join(to_bytes(Notes([value, 0.0, 0.0, 0.0], 0))[:8] for value in row)
    deep = Shore(depth=20.0, shells=[5] * 8)
    answer = call(
        module,
        loader,
        tmp_path,
        {
            "things": {
                "table": {"size": 8, "shape": [2, 3], "bytes": whole.hex()},
                "row": {"size": 8, "shape": [3], "bytes": fractions.hex()},
                "deep": thing(Shore, deep),
                "low": thing(Shore, Shore(depth=19.99)),
            },
            "calls": [
                ["add_up", "table", 2, 3, "row"],
                ["is_low", "*deep"],
                ["is_low", "*low"],
                ["key_of", {"word": str(2**64 - 1)}, {"word": "3"}],
                ["clear", "*deep"],
            ],
        },
    )
    assert answer["results"] == [
        web_rules.add_up(table, 2, 3, row),
        False,
        True,
        str(web_rules.key_of(2**64 - 1, 3)),
        None,
    ]
    assert from_bytes(Shore, bytes.fromhex(answer["things"]["deep"])) == Shore(depth=20.0)


def test_modules_are_cached_by_their_content(module: bytes, tmp_path: Path) -> None:
    assert is_built(web_rules.PROGRAM)
    assert not is_built(web_rules.PROGRAM, tmp_path)
    fewer = Program("shore", Shore, (web_rules.clear,))
    assert not is_built(fewer)


def test_a_module_is_small_and_imports_only_memory(module: bytes) -> None:
    assert len(gzip.compress(module, 9)) < 8_000
    imports = next(content for kind, content in sections(module) if kind == 2)
    for name in (b"__linear_memory", b"__stack_pointer"):
        imports = imports.replace(name, b"")
    assert b"_" not in imports
    assert 0 < data_end(module) < 1 << 16


def test_a_failed_build_says_why(tmp_path: Path) -> None:
    with pytest.raises(NotBuilt, match=r"shore: building ended with status 1: .*no_such_module"):
        web_module(web_rules.PROGRAM, "no_such_module:PROGRAM", cache=tmp_path)


def test_other_files_are_refused() -> None:
    with pytest.raises(BadModule, match="not WebAssembly"):
        function_numbers(b"MZ")
