"""Every rule has a test and an implementation, and the index is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import rule_index
from tools.rule_index import Place


def test_the_index_is_complete_and_up_to_date() -> None:
    assert rule_index.complaints() == []


def test_markers_of_functions_and_parameters_are_read(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        '@pytest.mark.rule("XX-A1", *("XX-A2",))\n'
        '@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("XX-A3"))])\n'
        "def test_one(n: int) -> None: ...\n"
    )
    found = list(rule_index.marks_of_tests(tmp_path, "rule"))
    assert found == [(f"XX-A{n}", Place("test_some.py", "test_one")) for n in (1, 2, 3)]


def test_only_comments_and_docstrings_count_as_citations(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        '"""XX-A1."""\n'
        "# XX-A2\n"
        'TEXT = "XX-A3"\n'
        "def one() -> str:\n"
        '    """XX-A4, not XXA5."""\n'
        '    return "XX-A6"  # XX-A7\n'
    )
    assert list(rule_index.rules_cited(tmp_path)) == [
        ("XX-A1", Place("some.py")),
        ("XX-A2", Place("some.py")),
        ("XX-A4", Place("some.py", "one")),
        ("XX-A7", Place("some.py", "one")),
    ]


def test_missing_tests_and_citations_are_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rule_index, "ROOT", tmp_path)
    monkeypatch.setattr(rule_index, "PAGE", tmp_path / "docs" / "rules-index.md")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_some.py").write_text('@pytest.mark.rule("XX-A1")\ndef test_one(): ...\n')
    found = rule_index.complaints()
    assert 'DS-T1: no test has @pytest.mark.rule("DS-T1")' in found
    assert "DS-T1: not cited in a comment or docstring of the source" in found
    assert "tests/test_some.py: test_one names unknown rule XX-A1" in found
    assert "docs/rules-index.md is stale: run python -m tools.rule_index" in found


def test_lines_that_name_a_shared_rule_lead_to_it(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text(
        "lose = SEA.lose  # XX-A1: for good\n"
        "sail = (\n    MOVING.boat_can_move\n)  # XX-A2\n"
        "other = SEA.no_such  # XX-A3\n"
        "number = 3  # XX-A4\n"
    )
    assert list(rule_index.rules_shared(tmp_path)) == [
        ("XX-A1", Place("../hex_sea/sea.py", "lose")),
        ("XX-A2", Place("../hex_sea/moving.py", "boat_can_move")),
    ]


def test_the_index_leads_to_shared_rules() -> None:
    shared = [
        ("IS-K9", "sea.py", "whirlpool"),
        ("IS-M2", "sea.py", "can_board"),
        ("IS-M10", "moving.py", "legal_pieces"),
        ("IS-B1", "moving.py", "boat_can_move"),
        ("IS-B3", "moving.py", "boat_can_move"),
        ("AT-K5", "sea.py", "whirlpool"),
    ]
    found = rule_index.indices([])
    for rule_id, file, function in shared:
        game = {"IS": "the-island", "AT": "atlantis"}[rule_id[:2]]
        [entry] = [one for one in found[game] if one.id == rule_id]
        assert entry.implemented[0] == Place(f"../hex_sea/{file}", function), rule_id
