"""Every promise has a test, and the page of promises is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import promise_index


def test_every_promise_is_held_and_the_page_is_up_to_date() -> None:
    assert promise_index.complaints() == []


def test_a_promise_without_a_test_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    entry = 'title = "T"\npromise = "P."\nconditions = "C."\n'
    (tmp_path / "docs" / "promises.toml").write_text(f"[kept]\n{entry}[broken]\n{entry}")
    (tmp_path / "tests" / "test_some.py").write_text(
        '@pytest.mark.promise("kept")\nasync def test_one(): ...\n'
        '@pytest.mark.promise("other")\ndef test_two(): ...\n'
    )
    monkeypatch.setattr(promise_index, "ROOT", tmp_path)
    assert promise_index.complaints() == [
        'broken: no test has @pytest.mark.promise("broken")',
        "tests/test_some.py: test_two names unknown promise other",
        "docs/promises.md is stale: run python -m tools.promise_index",
    ]
