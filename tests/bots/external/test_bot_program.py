"""External bot programs: their input, their answers and their failures."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from archipel.bots.external.bot_program import (
    BadProgram,
    BotProgram,
    ProgramBot,
    ProgramPlayer,
    query_games,
    read_program,
)
from archipel.bots.external.line_process import LONGEST_LINE, ProcessFailed
from archipel.game import Game
from archipel.rules.all_games import games
from archipel.serve.client_build import find_node

EXAMPLES = Path(__file__).parents[3] / "examples" / "bots"

#: Answers hello, then every request with the same line, and logs its input.
PARROT = """
import sys
with open(sys.argv[1], "a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        print('{"type": "ready"}' if '"hello"' in line else sys.argv[2], flush=True)
"""


def parrot(log: Path, answer: str, seconds: float = 60) -> BotProgram:
    return BotProgram("parrot", (sys.executable, "-c", PARROT, str(log), answer), seconds)


def script(code: str, seconds: float = 60) -> BotProgram:
    return BotProgram("script", (sys.executable, "-c", code), seconds)


def ask(program: BotProgram, game: Game | None = None) -> int:
    game = game or Game.new("deep-sea", 2, seed=1)
    seat = game.to_move
    assert seat is not None
    player = ProgramPlayer(program)
    try:
        return player.choose(game.name, game.view(seat).state, game.legal, 7)[0]
    finally:
        player.kill()


def test_answers_by_number_or_notation(tmp_path: Path) -> None:
    for answer in ('{"action": 0}', '{"action": "dive"}', '{"action": " dive "}'):
        assert ask(parrot(tmp_path / "log", answer)) == 0


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ('{"action": 7}', "is not one of the legal actions dive"),
        ('{"action": "swim"}', "is not one of the legal actions dive"),
        ('{"action": true}', "cannot be read"),
        ("{}", "is not one of the legal actions dive"),
        ("dive", "cannot be read"),
        ("[1, 2]", "cannot be read"),
        ('{"error": "out of\\nideas"}', "it says: out of ideas"),
        ("\udce9", "cannot be read"),
    ],
)
def test_an_invalid_answer_is_reported_in_one_line(tmp_path: Path, answer: str, why: str) -> None:
    with pytest.raises(ProcessFailed) as failure:
        ask(parrot(tmp_path / "log", answer))
    assert why in str(failure.value)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit('I am not well')", "it ended with status 1: I am not well"),
        ("input(); print('hello you')", "it answers hello with 'hello you'"),
        ("input(); print('x' * 10**6)", f"a line of more than {LONGEST_LINE} bytes"),
        ("input(); print('{\"type\": \"ready\"}', end='')", "it ended with status 0"),
    ],
)
def test_a_failed_greeting_is_reported(code: str, why: str) -> None:
    with pytest.raises(ProcessFailed, match=re.escape(why)):
        ask(script(code))


@pytest.mark.parametrize("answer", [b'{"type":"\xff","action":"\xff"}', b'{"x":' + b"[" * 60_000])
def test_an_answer_that_cannot_be_decoded_is_a_failure(answer: bytes) -> None:
    say = f"import sys; sys.stdout.buffer.write({answer!r} + b'\\n'); sys.stdout.flush()"
    greet = 'input(); print(\'{"type": "ready"}\', flush=True)'
    with pytest.raises(ProcessFailed, match="cannot be read"):
        ask(script(f"{greet}; input(); {say}; input()"))
    with pytest.raises(ProcessFailed, match="it answers hello with"):
        ask(script(f"input(); {say}; input()"))


def test_a_program_gets_no_secret_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ARCHIPEL_DATABASE", "PGPASSWORD", "MY_TOKEN"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "fr_FR")
    code = (
        "import json, os, sys; input(); open(sys.argv[1], 'w').write(json.dumps(dict(os.environ)));"
        ' print(\'{"type": "ready"}\', flush=True)'
    )
    query_games(BotProgram("spy", (sys.executable, "-c", code, str(tmp_path / "seen"))))
    seen = json.loads((tmp_path / "seen").read_text())
    assert "secret" not in seen.values()
    assert (seen["PATH"], seen["LC_TIME"]) == (os.environ["PATH"], "fr_FR")


def test_a_late_program_is_killed_with_its_children(tmp_path: Path) -> None:
    """Also if a child of the program keeps its output open, and the program stops reading."""
    code = """
import subprocess, sys, time
input()
print('{"type": "ready"}', flush=True)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
time.sleep(1000)
"""
    with pytest.raises(ProcessFailed, match=r"no answer within 0\.5 s"):
        ask(script(code, 0.5))


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(ProcessFailed, match=r"no-such-program-here cannot be started: "):
        query_games(BotProgram("x", ("no-such-program-here",)))


@pytest.mark.parametrize(
    "text", ["mine", "=x", "Mine=x", "a b=x", "mine=", "mine='x", "x" * 25 + "=y"]
)
def test_an_invalid_description_is_refused(text: str) -> None:
    with pytest.raises(BadProgram):
        read_program(text)


def test_a_valid_description() -> None:
    program = read_program("mine=node 'my bots/one.mjs' --fast", 2.5)
    assert program == BotProgram("mine", ("node", "my bots/one.mjs", "--fast"), 2.5)


@pytest.mark.parametrize("name", [game.name for game in games()])
def test_requests_contain_the_view_only(name: str, tmp_path: Path) -> None:
    """Two worlds that look the same to the seat give identical lines."""
    from archipel.rules.kit import Stream, clone

    game = Game.new(name, seed=3)
    while len(game.moves) < 12:
        game.play(game.legal[len(game.moves) % len(game.legal)])
    seat = game.to_move
    assert seat is not None
    definition = game.definition
    logs: list[str] = []
    for world in (clone(game.state), definition.resample(game.state, seat, Stream(99))):
        file = tmp_path / f"log-{len(logs)}"
        player = ProgramPlayer(parrot(file, json.dumps({"action": int(game.legal[0])})))
        view = definition.seen(world, seat)
        player.choose(name, view, definition.legal_actions(world), 7)
        player.kill()
        logs.append(file.read_text())
    assert logs[0] == logs[1]
    question = json.loads(logs[0].splitlines()[1])
    assert question["type"] == "choose"
    assert definition.parse_position(question["position"]) == definition.seen(game.state, seat)
    assert question["seat"] == seat
    assert [action["text"] for action in question["legal"]] == [a.text for a in game.legal]


def test_example_programs_play_whole_games() -> None:
    """A Python program for one game, and a JavaScript program for all."""
    node = find_node()
    assert node is not None
    python = f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLES / 'homeward.py'))}"
    homeward = query_games(read_program(f"homeward={python}", 60))
    assert homeward.games == ("deep-sea",)
    script = shlex.quote(str(EXAMPLES / "any-game.mjs"))
    anything = query_games(read_program(f"any={shlex.quote(str(node))} {script}", 60))
    assert anything.games == tuple(game.name for game in games())
    bots = [ProgramBot("deep-sea", homeward), ProgramBot("deep-sea", anything)]
    game = Game.new("deep-sea", 2, seed=4)
    for decision in game:
        chosen = bots[decision.seat].choose(
            decision.view.state, decision.legal, seed=len(game.moves)
        )
        game.play(chosen)
    for bot in bots:
        bot.close()
    assert game.outcome is not None
    assert game.outcome.winners == (0,), "the careful bot beats the random one"
