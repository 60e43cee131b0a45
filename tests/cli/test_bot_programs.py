"""Bot programs at the terminal: they play, and failures are reported."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Archipel

HOMEWARD = Path(__file__).parents[2] / "examples" / "bots" / "homeward.py"
PYTHON = shlex.quote(sys.executable)
MINE = f"mine={PYTHON} {shlex.quote(str(HOMEWARD))}"
#: Starts, and exits at the first request.
QUITTER = "quitter=" + shlex.join(
    [sys.executable, "-c", 'input(); print(\'{"type":"ready"}\', flush=True); input()']
)
#: Greets with bytes that are not UTF-8.
BABBLE = shlex.quote(r'import os; input(); os.write(1, b"{\"type\":\"\xff\"}\n"); input()')


def test_a_program_plays_at_the_terminal(archipel: Archipel) -> None:
    result = archipel("play", "deep-sea", "--players", "mine,mine", "--bot", MINE, "--seed", "1")
    assert result.code == 0
    assert "mine (2) rolls" in result.out
    assert "The game is over" in result.out


def test_after_a_failure_a_built_in_bot_plays_on(archipel: Archipel) -> None:
    result = archipel("play", "deep-sea", "--players", "quitter,random", "--bot", QUITTER)
    assert result.code == 0
    assert result.out.count("quitter failed (it ended with status 0); ") == 1
    assert "The game is over" in result.out


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("mine", "'mine' is not NAME=COMMAND"),
        ("greedy=x", "there is already a bot called greedy"),
        ("mine=/no/such/thing", "mine does not work: /no/such/thing cannot be started"),
        (f"mine={PYTHON} -c 'raise SystemExit(4)'", "mine does not work: it ended with status 4"),
        (f"mine={PYTHON} -c {BABBLE}", "mine does not work: it answers hello with"),
    ],
)
def test_errors_are_one_line(archipel: Archipel, program: str, said: str) -> None:
    archipel("play", "deep-sea", "--players", "mine,random", "--bot", program).refused(said)
    archipel("serve", "--bot", program).refused(said)


def test_further_user_errors(archipel: Archipel) -> None:
    play = ("play", "atlantis", "--players", "mine,random")
    archipel(*play, "--bot", MINE).refused("mine does not play atlantis")
    archipel(*play, "--bot", MINE, "--bot", MINE).refused("there is already a bot called mine")
    for time in ("0", "-1", "soon", "nan", "601"):
        archipel(*play, "--bot", MINE, "--bot-time", time).refused(f"--bot-time: {time} is not")
    archipel("serve", "--bot-cores", "0").refused("--bot-cores")
