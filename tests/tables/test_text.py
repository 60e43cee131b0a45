"""Both languages have the same sentences, and every refusal has one."""

import ast
import string
from pathlib import Path

import pytest

from archipel import tables
from archipel.rules.catalogue import load_catalogue
from archipel.tables.commands import Phrase
from archipel.tables.problems import refuse

ENGLISH, FRENCH = (load_catalogue("archipel.tables", language) for language in ("en", "fr"))


def test_both_languages_have_equal_sentences_and_parameters() -> None:
    assert set(ENGLISH.sentences) == set(FRENCH.sentences)
    for key in ENGLISH.sentences:
        assert ENGLISH.parameters(key) == FRENCH.parameters(key), key


def test_every_phrase_has_its_sentence() -> None:
    phrases = {key.removeprefix("phrase.") for key in ENGLISH.sentences if "phrase." in key}
    assert phrases == set(Phrase.__args__)  # type: ignore[attr-defined]


def refusals() -> list[tuple[str, set[str]]]:
    """Every call of `refuse` or `refuse_if` in the package: the code and names of its details."""
    found = []
    for path in Path(tables.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    ast.Name("refuse" | "refuse_if"), [*_, ast.Constant(str(code))], keywords
                ):
                    found.append((code, {str(keyword.arg) for keyword in keywords}))
    return found


@pytest.mark.parametrize(("code", "details"), refusals())
def test_every_refusal_fills_its_sentence(code: str, details: set[str]) -> None:
    assert ENGLISH.parameters(f"problem.{code}") <= details
    problem = refuse(code, **dict.fromkeys(details, 1)).say("fr")
    assert not any(name for _, name, _, _ in string.Formatter().parse(problem.message) if name)
