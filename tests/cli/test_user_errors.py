"""User errors: one line on standard error, exit code 2, in the user's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Archipel


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("paly", ["no command paly", "did you mean play?"]),
        ("xyzzy", ["no command xyzzy", "the commands are games, play, simulate, match, ladder"]),
        ("games --jason", ["archipel games does not know --jason; see archipel games --help"]),
        ("move-store", ["needs FROM, TO"]),
        ("replay", ["needs FILE"]),
        ("play deep-sea --seats", ["--seats needs a value"]),
        ("games --json=yes", ["--json takes no value"]),
        ("games --lang de", ["--lang de", "en, fr"]),
        ("play deep-see", ["no game is called deep-see", "did you mean deep-sea?"]),
        ("play chess", ["no game is called chess", "there are: deep-sea"]),
        ("play xyzzy", ["no game is called xyzzy", "there are: deep-sea"]),
        ("rules", ["which game?", "deep-sea"]),
        ("rules deep-sea DS-T99", ["no rule or chapter DS-T99", "DS-T9"]),
        ("rules deep-sea ???", ["no rule or chapter ???"]),
        ("play deep-sea --seats 7", ["2 to 6 players, not 7"]),
        ("play deep-sea --seats 1", ["2 to 6 players, not 1"]),
        ("play deep-sea --seats many", ["--seats many", "whole number"]),
        ("play deep-sea --players a,b,c,d,e,f,g", ["2 to 6 players, not 7"]),
        ("play deep-sea --players a,b,c --seats 2", ["3 players for 2 seats"]),
        ("play deep-sea --players a,,b", ["a name is missing"]),
        ("play deep-sea --players a,a", ["two players are called a"]),
        ("play deep-sea --players a#b,c", ["a#b", "no #"]),
        (f"play deep-sea --players {'x' * 99},c", ["up to 24"]),
        ("play deep-sea --set drop_order", ["option=value"]),
        ("play deep-sea --set frist=2", ["no option frist", "did you mean first?"]),
        ("play deep-sea --set colour=red", ["no option colour", "first, drop_order"]),
        ("play deep-sea --set drop_order=random", ["one of piled, taken", "DS-E8"]),
        ("play deep-sea --seats 2 --set first=5", ["no seat 5", "DS-S2"]),
        ("play deep-sea --dice 1,4", ["1, 2 or 3, not 4", "DS-C2"]),
        ("play deep-sea --dice x", ["not x"]),
        ("play deep-sea --dice ,", ["name at least one die"]),
        ("play deep-sea --seed minus", ["--seed minus"]),
        ("play deep-sea --resume a --from b", ["exclude each other"]),
        ("play --resume /nowhere/at/all", ["/nowhere/at/all", "no such file"]),
        ("play deep-sea --from /nowhere", ["/nowhere", "no such file"]),
        ("play deep-sea --save /nowhere/file", ["no folder /nowhere"]),
        ("replay /nowhere", ["no such file"]),
        ("replay /", ["is a folder"]),
        ("ladder deep-sea --show --file /nowhere", ["/nowhere: there is no such file"]),
        ("ladder deep-sea --draw /nowhere/file", ["no folder /nowhere"]),
        ("puzzles deep-sea --show --file /nowhere", ["/nowhere: there is no such file"]),
        ("play", ["there is no input"]),
    ],
)
def test_errors_are_one_helpful_line(archipel: Archipel, arguments: str, parts: list[str]) -> None:
    result = archipel(*arguments.split())
    if arguments == "play":  # the welcome is on the screen already
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert parts[0] in result.err
    else:
        result.refused(*parts)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("paly", "pas de commande paly\u202f; vouliez-vous dire play\u202f?"),
        ("ladder deep-sea --show --file /nowhere", "ce fichier n’existe pas"),
        ("play deep-see", "vouliez-vous dire deep-sea\u202f?"),
        ("play deep-sea --seats 7", "se joue de 2 à 6, pas à 7"),
        ("play deep-sea --set drop_order=x", "celles-ci\N{NO-BREAK SPACE}: piled, taken (DS-E8)"),
        ("replay /nowhere", "ce fichier n’existe pas"),
        ("play deep-sea --seats", "il manque une valeur à --seats"),
    ],
)
def test_in_french(archipel: Archipel, arguments: str, part: str) -> None:
    archipel(*arguments.split(), "--lang", "fr").refused(part)


def test_a_newline_in_a_mistake_stays_on_one_line(archipel: Archipel) -> None:
    archipel("play", "deep\nsea!").refused("no game is called deep sea!")


def test_binary_files(archipel: Archipel, tmp_path: Path) -> None:
    for content in (b"\x7fELF\xff\xfe", b"archipel record 1\n\0\0"):
        file = tmp_path / "binary"
        file.write_bytes(content)
        archipel("replay", file).refused("binary", "not a text file")
        archipel("play", "deep-sea", "--from", file).refused("not a text file")


def test_a_file_too_large(archipel: Archipel, tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"#" * 5_000_000)
    archipel("replay", file).refused("too large")


def test_existing_files_are_not_overwritten(archipel: Archipel, record_file: Path) -> None:
    before = record_file.read_text("utf-8")
    new_game = ("play", "deep-sea", "--save", record_file)
    archipel(*new_game).refused("already exists", "--force")
    assert record_file.read_text("utf-8") == before
    assert archipel(*new_game, "--force", "--players", "Ana,Bob", typed="quit\n").code == 0


def test_a_position_file_with_a_mistake(archipel: Archipel, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text("seats=2 air=99\n")
    archipel("play", "deep-sea", "--from", file).refused("position.txt", "air=99", "0 to 25")
    archipel("play", "--from", file).refused("name its game")


def test_options_that_contradict_a_saved_game(archipel: Archipel, record_file: Path) -> None:
    archipel("play", "--resume", record_file, "--set", "first=1").refused("--set is for new games")
    archipel("play", "--resume", record_file, "--seats", "4").refused("2 seats")
    archipel("play", "chess", "--resume", record_file).refused("no game is called chess")
    archipel("play", "--resume", record_file, "--players", "a,b,c").refused("3 players for 2 seats")


@pytest.mark.parametrize(
    ("module", "work", "arguments", "kept"),
    [
        ("ladder", "climb", "deep-sea --bots greedy,random --file kept.jsonl", "kept.jsonl"),
        ("puzzles", "find_puzzles", "deep-sea --file kept.jsonl", "kept.jsonl"),
    ],
)
def test_an_interrupt_names_the_results_so_far(
    archipel: Archipel,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    work: str,
    arguments: str,
    kept: str,
) -> None:
    def stopped(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"archipel.cli.{module}.{work}", stopped)
    result = archipel(module, *arguments.split())
    assert (result.code, result.out) == (130, "")
    assert result.err == (
        f"\narchipel: stopped; the results so far are in {kept}; "
        "the same command continues from there\n"
    )
