"""Playing through a pipe: choices, commands, undo, saving, several players and bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.record import load_record
from tests.cli.conftest import Archipel

TWO = ("play", "deep-sea", "--players", "Ana,Bob", "--set", "first=1", "--seed", "3")
ALONE = ("play", "deep-sea", "--players", "Ana,greedy", "--set", "first=1", "--seed", "3")


def test_a_whole_game_against_a_bot(archipel: Archipel, tmp_path: Path) -> None:
    """Always choose the last action: turn back or take when possible."""
    file = tmp_path / "whole.txt"
    result = archipel(*ALONE, "--save", file, typed="2\n1\n" * 400)
    assert result.code == 0
    assert result.err == ""
    assert "The game is over: three rounds have been played." in result.out
    record = load_record(file)
    assert record.players == ("Ana", "greedy-1")
    assert record.game.outcome is not None
    for score in record.game.outcome.scores:
        assert str(score) in result.out.split("The game is over: three")[1]
    assert archipel("replay", file).code == 0


def test_a_whole_game_in_french(archipel: Archipel) -> None:
    result = archipel(*ALONE, "--lang", "fr", typed="2\n1\n" * 400)
    assert "La partie est terminée\u00a0: les trois manches sont jouées." in result.out
    assert "Ana lance" in result.out
    assert "plonger  lancer les dés" in result.out


def test_moves_are_typed_in_french_and_in_notation(archipel: Archipel) -> None:
    for first in ("plonger", "PLONGER", "  plon", "dive"):
        result = archipel(*TWO, "--lang", "fr", "--dice", "1,2", typed=f"{first}\nquitter\n\n")
        assert "Ana lance 1 + 2" in result.out, first
    result = archipel(*TWO, "--lang", "fr", "--dice", "1,2", typed="plonge dessus\nquitter\n\n")
    assert "plonger" in result.out.split("n’est pas possible ici")[1]


def test_a_game_between_bots(archipel: Archipel) -> None:
    arguments = ("play", "deep-sea", "--players", "greedy,random,greedy", "--seed", "1")
    result = archipel(*arguments)
    assert result.code == 0
    assert "greedy-1 (2) rolls" in result.out
    assert "The game is over" in result.out
    assert archipel(*arguments).out == result.out  # equal seeds, equal games


def test_choices_by_number_notation_and_prefix(archipel: Archipel) -> None:
    for first in ("1", "dive", "DIVE", "  di", "roll the dice"):
        result = archipel(*TWO, "--dice", "1,2", typed=f"{first}\nquit\n\n")
        assert "Ana rolls 1 + 2: 3 steps." in result.out, first
    result = archipel(*TWO, "--lang", "fr", typed="lancer les d\nquitter\n\n")
    assert "Ana plonge" in result.out


def test_scripted_dice_are_used_before_random_ones(archipel: Archipel) -> None:
    typed = "dive\ntake\ndive\ntake\ndive\ntake\nquit\n\n"
    result = archipel(*TWO, "--dice", "1,1 2,2", typed=typed)
    assert "Ana rolls 1 + 1" in result.out
    assert "Bob rolls 2 + 2" in result.out
    assert result.out.count(" rolls ") == 3


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("take", "That is not possible: roll the dice first, then search (DS-T10)."),
        ("turn back", "you can turn back only while you hold a chip (DS-T2)"),
        ("9", "There is no choice 9: choose 1 to 1."),
        ("0", "There is no choice 0"),
        ("9" * 400, "There is no choice 99999"),
        ("put " + "9" * 5000, "That is too long"),
        ("fly", "“fly” is not possible here: choose a number, or dive"),
        ("put me somewhere", "“put me somewhere” is not possible here"),
        ("undo", "Nothing has been played yet."),
        ("rules DS-X9", "no rule or chapter DS-X9"),
        ("save", "Give a file name"),
        ("save /nowhere/at/all", "no folder /nowhere/at"),
        ("\x00\x1b[2J", "is not possible here"),
    ],
)
def test_illegal_input_is_explained(archipel: Archipel, typed: str, said: str) -> None:
    result = archipel(*TWO, typed=f"{typed}\nquit\n")
    assert result.code == 0
    assert said in result.out


def test_refusals_in_french(archipel: Archipel) -> None:
    result = archipel(*TWO, "--lang", "fr", typed="turn back\nbof\nannuler\nquitter\n")
    assert "Ce n’est pas possible\u00a0: il faut tenir un jeton pour faire" in result.out
    assert "«\u00a0bof\u00a0» n’est pas possible ici" in result.out
    assert "Rien n’a encore été joué." in result.out
    assert result.out.rstrip().endswith("À bientôt.")


def test_help_rules_log_and_show(archipel: Archipel) -> None:
    result = archipel(*TWO, "--dice", "1,2", typed="dive\nhelp\nrules DS-T6\nlog\nshow\n\nquit\n\n")
    assert "take back the last move" in result.out
    assert "DS-T6 (R, D) After the move" in result.out
    assert result.out.count("Ana rolls 1 + 2: 3 steps.") == 2
    assert result.out.count("Round 1 of 3") == 3


def test_undo_takes_a_search_back(archipel: Archipel) -> None:
    result = archipel(*TWO, "--dice", "1,2", typed="dive\ntake\nundo\nnothing\nquit\n\n")
    assert "Ana takes back: take." in result.out
    assert "Ana does nothing on space 3." in result.out


def test_undo_stops_at_a_throw(archipel: Archipel) -> None:
    result = archipel(*TWO, typed="dive\nundo\nquit\n\n")
    assert "Chance has decided (Ana: dive)" in result.out


def test_undo_stops_at_a_bots_move(archipel: Archipel) -> None:
    result = archipel(*ALONE, typed="dive\ntake\nundo\nquit\n\n")
    assert "The last move was greedy-1’s" in result.out


def test_save_and_resume_give_the_same_position(archipel: Archipel, tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    saved = archipel(*ALONE, typed=f"dive\ntake\nturn back\nsave {file}\nshow\nquit\n")
    assert f"Saved in {file}." in saved.out
    resumed = archipel("play", "--resume", file, typed="quit\n")
    assert resumed.code == 0
    screens = (printed.out.split("  Round ")[-1] for printed in (saved, resumed))
    before, after = (screen.split("(a number")[0] for screen in screens)
    assert before == after
    record = load_record(file)
    assert record.players == ("Ana", "greedy-1")


def test_only_the_resumed_file_is_replaced(archipel: Archipel, record_file: Path) -> None:
    other = record_file.with_name("other.txt")
    other.write_text("precious")
    typed = f"1\nsave {other}\nsave\nquit\n"
    result = archipel("play", "--resume", record_file, typed=typed)
    assert "already exists" in result.out
    assert other.read_text() == "precious"
    assert f"Saved in {record_file}." in result.out
    assert len(load_record(record_file).game.moves) == 6


def test_leaving_offers_to_save(archipel: Archipel, tmp_path: Path) -> None:
    taken, free = tmp_path / "taken", tmp_path / "free"
    taken.write_text("precious")
    result = archipel(*TWO, typed=f"dive\nquit\n{taken}\n{free}\n")
    assert "Save the game?" in result.out
    assert "already exists" in result.out
    assert taken.read_text() == "precious"
    assert len(load_record(free).game.moves) == 1
    again = archipel("play", "--resume", free, typed="nothing\nquit\n\n")
    assert f"Saved in {free}." in again.out
    assert len(load_record(free).game.moves) == 2
    never = archipel("play", "--resume", free, typed="1\nquit\nn\n")
    assert never.code == 0
    assert len(load_record(free).game.moves) == 2


def test_end_of_input(archipel: Archipel, tmp_path: Path) -> None:
    result = archipel(*TWO, typed="dive\n")
    assert result.code == 1
    assert result.err == (
        "archipel: the input ended before the game, after move 1; nothing was saved\n"
    )
    file = tmp_path / "kept.txt"
    result = archipel(*TWO, "--save", file, typed="dive\n")
    assert f"the game is in {file}" in result.err
    assert len(load_record(file).game.moves) == 1


def test_an_interrupt_is_quiet(archipel: Archipel, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = archipel(*TWO)
    assert result.code == 130
    assert result.err.strip() == ""


def test_starting_from_a_position(archipel: Archipel, tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text("# a tight spot\nseats=2 air=9 diver1=7>[a1,b2]\n")
    result = archipel("play", "deep-sea", "--from", file, typed="quit\n")
    assert "You hold 2 chips: this turn uses 2 of the 9 air left." in result.out
    assert "Player 1" in result.out
    assert "greedy-1" in result.out


def test_starting_from_a_record_does_not_change_it(archipel: Archipel, record_file: Path) -> None:
    before = record_file.read_text("utf-8")
    result = archipel("play", "--from", record_file, typed=f"1\nsave {record_file}\nquit\n\n")
    assert "already exists" in result.out
    assert record_file.read_text("utf-8") == before


def test_treasure_brought_home_is_shown_only_to_its_seat(
    archipel: Archipel, tmp_path: Path
) -> None:
    """With two people at the screen, the others are asked to look away."""
    file = tmp_path / "position.txt"
    file.write_text("seats=2 diver1=1<[a1:3,b1:7] diver2=9>")
    start = ("play", "deep-sea", "--from", file, "--dice", "3,3")
    shared = archipel(*start, "--players", "Ana,Bob", typed="1\n\n\nlog\nquit\n\n")
    assert shared.out.count("are worth 3 + 7 = 10") == 1
    before, after = shared.out.split("are worth 3 + 7 = 10")
    assert "Only Ana may see this." in before
    assert "Press Enter to hide it." in after
    assert "I:3" not in shared.out  # not on Bob's screen
    alone = archipel(*start, "--players", "Ana,random", typed="1\n")
    assert "are worth 3 + 7 = 10" in alone.out
    assert "look away" not in alone.out
    bot = archipel(*start, "--players", "random,Bob", typed="quit\n\n")
    assert "worth" not in bot.out


def test_a_person_never_sees_more_than_the_seat(archipel: Archipel) -> None:
    """Face-down chips are question marks until they are turned up."""
    result = archipel(*TWO, "--dice", "1,1,2,2", typed="dive\ntake\ndive\ntake\nquit\n\n")
    assert "holds 1·I?" in result.out
    assert "I:" not in result.out


def test_set_up_questions(archipel: Archipel) -> None:
    """Without arguments, Enter answers every question."""
    result = archipel("play", typed="\n\n\n\n\nquit\n")
    assert result.code == 0
    assert "Game [deep-sea]: " in result.out
    assert "How many players, 2 to 6 [3]: " in result.out
    assert "1 Player 1   2 greedy-1   3 greedy-1 (2)" in result.out


def test_invalid_answers_are_asked_again(archipel: Archipel) -> None:
    typed = "chess\ndeep-sea\n9\n2\nZoé\nZoé\nrandom\nquitter\n\n"
    result = archipel("play", "--lang", "fr", typed=typed)
    assert result.code == 0
    assert "aucun jeu ne s’appelle chess" in result.out
    assert "il faut un nombre entier de 2 à 6" in result.out
    assert "deux joueurs s’appellent Zoé" in result.out
    assert "1 Zoé   2 random" in result.out


def test_seats_without_a_name_go_to_bots(archipel: Archipel) -> None:
    result = archipel("play", "deep-sea", "--players", "Ana", "--seats", "4", typed="quit\n\n")
    assert "1 Ana   2 greedy-1   3 greedy-1 (2)   4 greedy-1 (3)" in result.out
