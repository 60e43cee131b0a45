"""Refusals are translated completely."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

import archipel
from archipel import Game, NotationError, OptionError, RecordError, parse_record
from archipel.record import Record
from archipel.rules.contract import RuleError
from archipel.rules.sentence import translations
from tests.cli.conftest import Archipel
from tools.untranslated import translatable_sentences

NO_BREAK = "\u00a0"


def parts_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_message_has_a_french_translation_and_no_other() -> None:
    assert translatable_sentences() == set(translations("fr"))


@pytest.mark.parametrize(("english", "french"), sorted(translations("fr").items()))
def test_translations_have_the_same_parameters(english: str, french: str) -> None:
    rules = re.compile(r"[A-Z]{2}-[A-Z]\d+")
    assert parts_of(english) == parts_of(french)
    assert set(rules.findall(english)) == set(rules.findall(french))
    assert "'" not in french
    assert not re.search(r" [:;?!»]|« ", french), "a space that must not break"


def test_a_position() -> None:
    with pytest.raises(NotationError) as refused:
        Game.from_position("atlantis", phase="place", red="a1", blue="d4")
    assert str(refused.value) == "R1 is on a1, which is under water (AT-S3)"
    assert refused.value.tell("fr") == "R1 est en a1, qui est sous l’eau (AT-S3)"


def test_an_option() -> None:
    with pytest.raises(OptionError) as refused:
        Game.new("deep-sea", 2, drop_order="random")
    assert str(refused.value) == "drop_order: random is not one of piled, taken (DS-E8)"
    assert refused.value.tell("fr") == (
        f"drop_order{NO_BREAK}: random n’est pas l’un de piled, taken (DS-E8)"
    )


def test_a_rule() -> None:
    with pytest.raises(RuleError) as refused:
        Game.new("deep-sea", 2).play("take")
    assert refused.value.tell("fr") == "les dés d’abord, la recherche ensuite (DS-T10)"


@pytest.fixture
def record() -> str:
    game = Game.new("deep-sea", 2, seed=1, first=1)
    game.play("dive", dice=(1, 1))
    return str(Record(game, ("Ana", "Ben")))


@pytest.mark.parametrize(
    ("was", "wrong", "french"),
    [
        ("1 dive [1 1]", "1 take", "les dés d’abord, la recherche ensuite (DS-T10)"),
        ("1 dive [1 1]", "1 fly", "'fly' n’est pas une action"),
        ("1 dive [1 1]", "1 dive [1 4]", "un dé montre 1, 2 ou 3, pas 4 (DS-C2)"),
        ("1 dive [1 1]", "1 dive [1]", "le script s’arrête après 1"),
        ("1 dive [1 1]", "2 dive [1 1]", "c’est le tour de la place 1"),
        ("air=25", "air=99", "il faut un nombre de 0 à 25"),
        ("seats: 2", "seats: 9", "deep-sea se joue de 2 à 6, pas à 9"),
        ("drop_order: piled", "drop_order: given", "given n’est pas l’un de piled, taken"),
        ("game: deep-sea", "game: deep-see", "vouliez-vous dire deep-sea"),
        ("end: unfinished", "", "l’enregistrement s’interrompt ici"),
    ],
)
def test_a_record(record: str, was: str, wrong: str, french: str) -> None:
    assert was in record
    with pytest.raises(RecordError) as refused:
        parse_record(record.replace(was, wrong))
    message = refused.value.tell("fr")
    assert message.startswith("ligne ")
    assert french in message
    assert str(refused.value).startswith("line ")


def test_the_command_line(archipel: Archipel, record: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record.replace("1 dive [1 1]", "1 take"))
    archipel("replay", file, "--lang", "fr").refused("ligne 26", "les dés d’abord")
    file.write_text("phase=lay drop_order=chosen diver1=9>[a1,a2] air=3")
    archipel("play", "deep-sea", "--from", file, "--lang", "fr").refused(
        "la manche n’est pas finie"
    )


def test_a_record_with_more_discs_than_were_taken(
    archipel: Archipel, record: str, tmp_path: Path
) -> None:
    line = next(line for line in record.splitlines() if "line=" in line)
    file = tmp_path / "game.txt"
    file.write_text(record.replace(line, line.replace("line=", "line=" + "o," * 11)))
    archipel("replay", file).refused("43 spaces, 11 of them white discs")


def test_the_file_is_part_of_the_package() -> None:
    folder = Path(archipel.__file__).parent / "text"
    assert json.loads((folder / "refusals.fr.json").read_text("utf-8")) == dict(translations("fr"))
