"""Lists of choices, completion, and several stages typed at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.cli.screen import grouped, nth_completion, one_per_line
from tests.cli.conftest import Archipel


def plain(text: str, style: str) -> str:
    return text


WRITTEN = [*(f"explorer w{number}" for number in range(1, 11)), "boat 1", "boat 12", "stop"]


def test_choices_are_grouped_by_their_first_word() -> None:
    assert grouped(WRITTEN, 60, plain) == [
        "  explorer   1 w1    2 w2    3 w3    4 w4    5 w5    6 w6",
        "             7 w7    8 w8    9 w9   10 w10",
        "  boat      11 1   12 12",
        "            13 stop",
    ]


@pytest.mark.parametrize("columns", [20, 33, 60, 100])
def test_no_line_is_wider_than_the_screen(columns: int) -> None:
    lines = grouped(WRITTEN, columns, plain)
    assert all(len(line) <= max(columns, 24) for line in lines)
    assert sum(line.count(" w") for line in lines) == 10


def test_each_choice_has_its_description() -> None:
    lines = one_per_line(["dive", "turn back"], ["go on", "go home"], plain)
    assert lines == ["  1  dive       go on", "  2  turn back  go home"]


def test_completions() -> None:
    texts = ["explorer w1", "explorer w10", "stop"]
    assert [nth_completion(texts, "EXP", number) for number in range(3)] == [*texts[:2], None]
    assert nth_completion(texts, "  stop", 0) == "stop"
    assert nth_completion(texts, "x", 0) is None


def test_several_stages_can_be_typed_at_once(archipel: Archipel, tmp_path: Path) -> None:
    start = tmp_path / "start.txt"
    start.write_text("seats=2 phase=move points=3 white=g5,f7 yellow=g7 boats=a1,f1")
    game = ("play", "the-island", "--from", start, "--players", "Ana,Bob")
    played = archipel(*game, typed="w1 to h5\nquit\nno\n")
    assert "w1 walks from g5 to h5." in played.out
    refused = archipel(*game, typed="w1 to a1\nquit\nno\n")
    assert "(IS-M" in refused.out
    french = archipel(*game, "--lang", "fr", typed="w1 vers h5\nquit\nnon\n")
    assert "h5" in french.out.split("w1 vers h5")[1]
