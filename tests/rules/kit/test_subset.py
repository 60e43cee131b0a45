"""A rule outside the subset is refused with its line and advice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from archipel.rules.kit import Program, Stream, SubsetError
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.lowering import ALLOWED_BUILTINS
from tests.rules.kit import rules_outside_the_subset
from tests.rules.kit.rules_outside_the_subset import REFUSED


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: str(function.__name__))
def test_a_rule_outside_the_subset_is_refused(function: AnyRule) -> None:
    with pytest.raises(SubsetError) as refused:
        Program("outside", Stream, (function,)).check()
    words = str(refused.value)
    assert words.endswith(str(function.__doc__))
    assert f"rule {function.__name__}" in words


def test_the_refusal_names_file_and_line() -> None:
    with pytest.raises(SubsetError) as refused:
        Program("outside", Stream, (rules_outside_the_subset.walrus,)).check()
    file, line, _ = str(refused.value).split(":", 2)
    assert file.endswith("rules_outside_the_subset.py")
    source = Path(file).read_text("utf-8").splitlines()[int(line) - 1]
    assert "m := n" in source


def test_the_number_of_constructs() -> None:
    assert len(REFUSED) == 19
    assert "print" not in ALLOWED_BUILTINS


def test_a_captured_variable_is_refused() -> None:
    from archipel.rules.kit import rule

    captured = 3

    @rule
    def uses_captured(n: int) -> int:
        return n + captured

    program: Any = Program("outside", Stream, (uses_captured,))
    with pytest.raises(SubsetError, match="it uses captured of an enclosing function"):
        program.check()
