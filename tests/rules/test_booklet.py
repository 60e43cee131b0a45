"""Booklets: the parser is strict, and both languages of Deep Sea Adventure agree."""

import dataclasses
import re

import pytest

from archipel.rules.booklet import (
    LANGUAGES,
    SOURCES_EXPLAINED,
    Booklet,
    UnknownRuleError,
    load_booklet,
    parse_booklet,
)
from archipel.rules.catalogue import load_catalogue
from archipel.rules.localized_notation import localize

DEEP_SEA = "archipel.rules.deep_sea"
NO_BREAK = "\u00a0\u202f"
HOUSE = {"en": "House decision: ", "fr": "Précision maison\u00a0: "}
ID = re.compile(r"\b[A-Z]{2}-[A-Z][0-9]+\b")
CODE = re.compile(r"`([^`]+)`")

DEEP_SEA_IDS = [
    *(f"DS-C{n}" for n in range(1, 4)),
    *(f"DS-S{n}" for n in range(1, 3)),
    *(f"DS-T{n}" for n in range(1, 14)),
    *(f"DS-E{n}" for n in range(1, 13)),
    "DS-G1",
    "DS-G2",
]

GOOD = """\
# A game

What it is about.

## Start

- XX-A1 (R) First.
- XX-A2 (R, F, D) Second.

## End

- XX-B1 (D) Third.
"""


def texts(booklet: Booklet) -> list[str]:
    return [
        booklet.title,
        booklet.introduction,
        *(chapter.title for chapter in booklet.chapters),
        *(rule.text for rule in booklet),
    ]


@pytest.fixture(params=LANGUAGES)
def booklet(request: pytest.FixtureRequest) -> Booklet:
    return load_booklet(DEEP_SEA, request.param)


# The texts of Deep Sea Adventure


def test_all_rules_are_present_in_order(booklet: Booklet) -> None:
    assert [rule.id for rule in booklet] == DEEP_SEA_IDS


def test_languages_agree_on_ids_sources_and_chapters() -> None:
    english, french = (load_booklet(DEEP_SEA, language) for language in ("en", "fr"))
    shapes = [
        [[(rule.id, rule.sources) for rule in chapter] for chapter in booklet.chapters]
        for booklet in (english, french)
    ]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("rule_id", DEEP_SEA_IDS)
def test_languages_agree_on_numbers_references_and_action_names(rule_id: str) -> None:
    english, french = (
        load_booklet(DEEP_SEA, language).rule(rule_id).text for language in LANGUAGES
    )
    for pattern in (re.compile(r"\b[0-9]+\b"), ID):
        assert pattern.findall(english) == pattern.findall(french)
    french_words = load_catalogue(DEEP_SEA, "fr")
    written = [localize(french_words, notation) for notation in CODE.findall(english)]
    assert written == CODE.findall(french)


def test_no_text_is_empty(booklet: Booklet) -> None:
    assert all(text.strip() for text in texts(booklet))
    assert all(rule.text.endswith(".") for rule in booklet)


def test_references_lead_to_rules(booklet: Booklet) -> None:
    for text in texts(booklet):
        for rule_id in ID.findall(text):
            assert booklet.rule(rule_id)


def test_a_decision_inside_a_mixed_rule_is_marked_once(booklet: Booklet) -> None:
    for rule in booklet:
        mixed = "D" in rule.sources and len(rule.sources) > 1
        assert rule.text.count(HOUSE[booklet.language]) == mixed, rule.id


def test_quotes_and_apostrophes_are_typographic(booklet: Booklet) -> None:
    for text in texts(booklet):
        assert '"' not in text
        assert "'" not in text


def test_french_has_a_no_break_space_at_high_punctuation() -> None:
    for text in texts(load_booklet(DEEP_SEA, "fr")):
        assert not re.search(rf"(?<![{NO_BREAK}])[:;?!»]", text), text
        assert not re.search(rf"«(?![{NO_BREAK}])", text), text
        assert not re.search(r"[“”]", text), text


def test_spaces_are_single(booklet: Booklet) -> None:
    for text in texts(booklet):
        assert not re.search(rf"[ {NO_BREAK}]{{2}}", text), text


# Loading and reading


def test_load_is_cached_and_frozen() -> None:
    booklet = load_booklet(DEEP_SEA, "en")
    assert booklet is load_booklet(DEEP_SEA, "en")
    assert booklet.language == "en"
    with pytest.raises(dataclasses.FrozenInstanceError):
        booklet.title = "Another"  # type: ignore[misc]


def test_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'de'; there are en, fr"):
        load_booklet(DEEP_SEA, "de")


def test_rule_by_id() -> None:
    rule = load_booklet(DEEP_SEA, "en").rule("DS-T1")
    assert rule.id == "DS-T1"
    assert rule.sources == ("R", "D")
    assert str(rule).startswith("DS-T1 (R, D) A turn starts")


@pytest.mark.parametrize(("wrong", "near"), [("ds-t1", "DS-T1"), ("DS-E13", "DS-E12")])
def test_an_unknown_rule_suggests_near_ones(wrong: str, near: str) -> None:
    with pytest.raises(UnknownRuleError) as caught:
        load_booklet(DEEP_SEA, "en").rule(wrong)
    assert isinstance(caught.value, KeyError)
    assert repr(wrong) in str(caught.value)
    assert near in caught.value.near
    assert near in str(caught.value)


def test_unknown_rule_without_near_ones() -> None:
    with pytest.raises(KeyError) as caught:
        load_booklet(DEEP_SEA, "en").rule("???")
    assert str(caught.value) == "no rule '???' in this booklet"


def test_printed_booklet(booklet: Booklet) -> None:
    printed = str(booklet)
    lines = printed.split("\n")
    assert lines[:2] == ["Deep Sea Adventure", "=================="]
    assert max(map(len, lines)) <= 80
    for rule in booklet:
        assert f"\n{rule.id} ({', '.join(rule.sources)}) " in printed
        assert rule.text in re.sub("[ \\n]+", " ", printed)


def test_a_valid_booklet_is_parsed() -> None:
    booklet = parse_booklet(GOOD, "en", "good.md")
    assert booklet.title == "A game"
    assert booklet.introduction == "What it is about."
    assert [chapter.title for chapter in booklet.chapters] == ["Start", "End"]
    assert [(rule.id, rule.sources, rule.text) for rule in booklet] == [
        ("XX-A1", ("R",), "First."),
        ("XX-A2", ("R", "F", "D"), "Second."),
        ("XX-B1", ("D",), "Third."),
    ]
    title, introduction, sources, *rest = str(booklet).split("\n\n")
    assert (title, introduction) == ("A game\n======", "What it is about.")
    assert " ".join(sources.split()) == SOURCES_EXPLAINED["en"]
    assert "\n\n".join(rest) == (
        "Start\n-----\n\nXX-A1 (R) First.\n\n"
        "XX-A2 (R, F, D) Second.\n\nEnd\n---\n\nXX-B1 (D) Third."
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("# A game", "A game", 1, "# Title"),
        ("# A game", "#  A game", 1, "# Title"),
        ("# A game\n", "\n", 3, "# Title"),
        ("What it is about.\n", "\n", 5, "before the introduction"),
        ("What it is about.", "One.\n\nTwo.", 5, "expected"),
        ("What it is about.", "One.\nTwo.", 4, "expected"),
        ("What it is about.", "### Odd", 3, "expected"),
        ("## Start\n", "\n", 7, "XX-A1 stands before any chapter"),
        ("## Start", "##  Start", 5, "expected '## Chapter'"),
        ("## Start", "## Start ", 5, "space at the start or the end"),
        ("## End", "## Start", 10, "'Start' is there twice"),
        ("## End\n", "## Middle\n\n## End\n", 10, "'Middle' has no rules"),
        ("- XX-B1 (D) Third.\n", "", 10, "'End' has no rules"),
        ("- XX-A2", "* XX-A2", 8, "expected"),
        ("- XX-A2", "  - XX-A2", 8, "space at the start or the end"),
        ("- XX-A2", "Then\n- XX-A2", 8, "expected"),
        ("XX-A2", "XXA2", 8, "expected"),
        ("XX-A2", "XX-A02", 8, "expected"),
        ("(R, F, D) ", "", 8, "expected"),
        (" Second.", "", 8, "expected"),
        ("XX-A2", "XX-A1", 8, "XX-A1 is already on line 7"),
        ("XX-B1", "XX-A2", 12, "XX-A2 is already on line 8"),
        ("(R, F, D)", "(R, X)", 8, "source 'X'"),
        ("(R, F, D)", "(r)", 8, "source 'r'"),
        ("(R, F, D)", "()", 8, "source ''"),
        ("(R, F, D)", "(R,D)", 8, "source 'R,D'"),
        ("(R, F, D)", "(R, R)", 8, "each source once"),
        ("(R, F, D)", "(D, R)", 8, "in the order R, F, D"),
    ],
)
def test_invalid_booklets_are_refused_with_the_line(
    old: str, new: str, line: int, words: str
) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(ValueError, match=rf"^broken\.md, line {line}: ") as caught:
        parse_booklet(GOOD.replace(old, new, 1), "en", "broken.md")
    assert words in str(caught.value)


@pytest.mark.parametrize(("text", "line"), [("", 1), ("# A game\n\nAbout.\n", 4)])
def test_a_file_without_a_chapter_is_refused(text: str, line: int) -> None:
    with pytest.raises(ValueError, match=rf"^broken\.md, line {line}: .*without a chapter"):
        parse_booklet(text, "en", "broken.md")
