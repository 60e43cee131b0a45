"""The generator of the client's TypeScript."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel.serve import client_build
from archipel.serve.api import messages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def generator() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "client" / "scripts" / "generate_typescript.py"))


def test_every_message_becomes_an_interface(generator: dict[str, Any]) -> None:
    module = generator["messages_module"]()
    for name, value in vars(messages).items():
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            assert name == "Struct" or f"\nexport interface {name} {{\n" in module
    union = module.partition("\nexport type FromBrowser =\n")[2].partition(";")[0]
    assert "  | Hello" in union.splitlines()


def test_every_game_of_the_client_has_its_sentences_in_both_languages(
    generator: dict[str, Any],
) -> None:
    files = {path.name: text for path, text in generator["generated_files"]().items()}
    for game in ("atlantis", "deep-sea", "mauna-kea", "the-island"):
        for name in (game, f"{game}.later"):
            assert "const sentences = {\n" in files[f"{name}.en.ts"]
            assert "const sentences: typeof en = {\n" in files[f"{name}.fr.ts"]
    assert '"table.' in files["tables.en.ts"]


def test_the_client_is_rebuilt_when_a_source_of_the_generator_changes() -> None:
    """`GENERATED_FROM` names every module that defines a message."""
    package = ROOT / "src" / "archipel"
    watched = {path for pattern in client_build.GENERATED_FROM for path in package.glob(pattern)}
    for value in vars(messages).values():
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            source = Path(inspect.getfile(value))
            assert value is msgspec.Struct or source in watched, source
    for pattern in client_build.GENERATED_FROM:
        assert any(package.glob(pattern)), f"GENERATED_FROM: nothing matches {pattern}"
