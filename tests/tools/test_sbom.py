"""The software bill of materials is valid CycloneDX and lists the pinned libraries."""

from __future__ import annotations

import json

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tools import sbom


def test_it_is_valid_and_repeatable() -> None:
    text = json.dumps(sbom.sbom(1_800_000_000))
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert json.dumps(sbom.sbom(1_800_000_000)) == text
    broken = text.replace('"library"', '"book"', 1)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(broken) is not None


def test_it_lists_what_runs() -> None:
    found = {each["purl"]: each for each in sbom.sbom(0)["components"]}
    pins = sbom.pins()
    for name in ("starlette", "uvicorn", "numba", "asyncpg", "anyio"):
        assert f"pkg:pypi/{name}@{pins[name]}" in found
    assert not any("pytest" in purl or "vite" in purl for purl in found)
    [svelte] = [each for purl, each in found.items() if purl.startswith("pkg:npm/svelte@")]
    assert len(svelte["hashes"][0]["content"]) == 128


def test_a_library_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sbom, "pins", lambda: {"anyio": "0.0.1"})
    with pytest.raises(sbom.WrongVersion, match=r"is installed, constraints"):
        sbom.sbom(0)
