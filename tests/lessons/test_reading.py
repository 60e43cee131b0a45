"""An invalid lesson is refused with a one-line error that has the file and the line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from archipel.lessons import LessonError, check_lesson, read_guide, read_lesson
from archipel.lessons.lesson_parser import LONGEST_TEXT, MOST_CHARACTERS, MOST_STEPS, typeset

FILE = "deep-sea/lessons/1-a-try.txt"

LESSON = """\
game: deep-sea
en: A try
fr: Un essai
base: seats=2

step
position: air=25
en: One.
fr: Un.
look: diver1

step
en: Two.
fr: Deux.
do: dive [3 3]

step
en: Three.
fr: Trois.
do: take
no: nothing
en: No.
fr: Non.

step
play: dive [1 1]
play: take
en: Four?
fr: Quatre ?
right
en: Yes => Well.
fr: Oui => Bien.
wrong
en: No => Not so.
fr: Non => Pas ainsi.

remember
en: Five.
fr: Cinq.
"""


def refused(text: str) -> str:
    with pytest.raises(LessonError) as refusal:
        check_lesson(read_lesson(text, "a-try", FILE))
    message = str(refusal.value)
    assert "\n" not in message
    assert message.startswith(f"{FILE}, line ")
    return message.removeprefix(f"{FILE}, ")


def test_the_valid_lesson_is_accepted() -> None:
    lesson = read_lesson(LESSON, "a-try", FILE)
    check_lesson(lesson)
    assert [step.line for step in lesson.steps] == [6, 12, 17, 25]
    assert lesson.steps[0].position == "seats=2 air=25"
    assert lesson.steps[3].said["fr"] == "Quatre\u202f?"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game: deep-sea", "game: deep-see", "line 1: no game is called 'deep-see'"),
        ("game: deep-sea\n", "", "line 1: the line 'game: ...' is missing"),
        ("game: deep-sea", "game: deep-sea\ngame: atlantis", "line 2: 'game' appears twice"),
        ("fr: Un essai\n", "", "line 1: the title has no text in 'fr'"),
        ("fr: Un.\n", "", "line 6: this step has no text in 'fr'"),
        ("fr: Non.\n", "", "line 21: this refusal has no text in 'fr'"),
        ("en: One.", "en: One.\nen: Again.", "line 9: this step has two texts in 'en'"),
        ("en: One.", "en:", "line 8: the text in 'en' is empty"),
        ("en: One.", f"en: {'a' * 400}", f"line 8: 400 characters; more than {LONGEST_TEXT}"),
        ("look: diver1", "look: diver7", "line 6: look: there is no piece or cell called 'diver7'"),
        ("position: air=25", "position: air=99", "line 6: position: "),
        ("position: air=25\n", "", "line 6: the first step needs a position"),
        ("position: air=25", "position: air=9\nposition: air=8", "line 8: a step has one position"),
        ("base: seats=2", "base: seats=2\nyou: 3", "line 7: position: there is no seat 3"),
        ("base: seats=2", "base: seats=2\nyou: me", "line 5: you: expected the number of a seat"),
        ("base: seats=2", "then: seats=9", "line 1: then: "),
        ("base: seats=2", "then: many", "line 1: then: expected 'name=value', not 'many'"),
        ("base: seats=2", "start: seats=2", "line 4: expected game, you, then, base or step"),
        ("do: dive [3 3]", "do: sink", "line 15: 'sink' is not an action"),
        ("do: dive [3 3]", "do: turn back [1 1]", "line 15: 'turn back': you can turn back only"),
        ("do: dive [3 3]", "do: dive", "line 15: 'dive' draws chance: write it in full, as ["),
        ("do: dive [3 3]", "do: dive [3 4]", "line 15: [3 4]: dice '3 4': a die shows"),
        ("do: dive [3 3]", "do: dive [3 3 3]", "line 15: [3 3 3]: dice '3 3 3': there are 2"),
        ("do: dive [3 3]", "do:", "line 15: 'do' needs an action"),
        ("do: dive [3 3]", "do: dive [3", "line 15: expected 'action [chance]'"),
        ("do: take", "do: take [1]", "line 20: "),
        ("no: nothing\nen: No.\nfr: Non.\n", "", "line 20: do: 'nothing' has no reply"),
        ("no: nothing", "no: take", "line 21: no: 'take' is accepted above"),
        ("no: nothing", "no: put 1", "line 21: 'put 1': you can put a chip down only on"),
        ("no: nothing", "no:", "line 21: expected actions, or 'others'"),
        ("do: take\n", "", "line 20: 'no' must follow a 'do'"),
        ("play: take", "play: take | nothing", "line 27: 'play' has no alternatives"),
        ("play: dive [1 1]\nplay: take", "do: dive [1 1]", "line 26: do: seat 2 decides here"),
        ("play: take", "position: air=3", "line 25: the position cannot change right after"),
        ("en: Four?", "en: Four, {3}?", "line 25: {3}: there is no seat 3"),
        ("en: No.", "en: No, {3}.", "line 21: {3}: there is no seat 3"),
        ("right\n", "wrong\n", "line 25: a question has at least one right and"),
        ("Yes => Well.", "Yes", "line 31: expected 'answer => reply'"),
        ("right\n", "right: yes\n", "line 30: 'right' takes no value"),
        ("step\nen: Two.", "step: two\nen: Two.", "line 12: 'step' takes no value"),
        ("remember\nen: Five.\nfr: Cinq.\n", "", "a lesson has at least two steps, and"),
        ("fr: Cinq.", "fr: Cinq.\nlook: sub", "line 40: nothing may follow 'remember'"),
        ("look: diver1", "see: diver1", "line 10: expected position, play, look, do, no"),
        ("look: diver1", "Look at the diver", "line 10: expected 'word: value'"),
    ],
)
def test_errors_name_their_line(old: str, new: str, message: str) -> None:
    assert old in LESSON
    assert message in refused(LESSON.replace(old, new, 1))


def test_limits() -> None:
    steps = "step\nen: On.\nfr: Encore.\n" * MOST_STEPS
    assert f"at most {MOST_STEPS} steps" in refused(LESSON.replace("remember", f"{steps}remember"))
    assert "longer than" in refused(LESSON + "#" * MOST_CHARACTERS)
    assert refused("  indented") == "line 1: an indented line continues the line above it"


def test_names_that_do_not_fit_a_url_are_refused() -> None:
    with pytest.raises(LessonError, match="small letters and hyphens"):
        read_lesson(LESSON, "../secret", FILE)


def test_alternatives_may_lead_to_different_paths() -> None:
    text = LESSON.replace("do: take\nno: nothing\nen: No.\nfr: Non.\n", "do: take | nothing\n")
    check_lesson(read_lesson(text, "a-try", FILE))


def test_typography() -> None:
    assert typeset("L'air : 25 !", "fr") == "L’air\u00a0: 25\u202f!"
    assert typeset("« oui »", "fr") == "«\u00a0oui\u00a0»"
    assert typeset("It's: so!", "en") == "It’s: so!"


# ---- guides -------------------------------------------------------------------------------------

GUIDE = "game: deep-sea\n\nwhen: take.chip level=1, take.pile\nen: Well.\nfr: Bien.\n"


def test_a_guide_is_parsed() -> None:
    (remark,) = read_guide(GUIDE, "guide.txt")
    first, second = remark.occasions
    assert (first.key, first.name, first.value) == ("take.chip", "level", "1")
    assert (second.key, second.name) == ("take.pile", "")
    assert remark.until == ()
    assert remark.words == {"en": "Well.", "fr": "Bien."}


def test_a_remark_may_become_untrue() -> None:
    text = GUIDE.replace("\nen:", "\nuntil: put.chip level=1, round_start\nen:")
    (remark,) = read_guide(text, "guide.txt")
    first, second = remark.until
    assert (first.key, first.name, first.value) == ("put.chip", "level", "1")
    assert second.key == "round_start"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game: deep-sea\n", "", "line 1: the first line must be 'game: ...'"),
        ("deep-sea", "deeper", "line 1: no game is called 'deeper'"),
        ("take.pile", "take.all", "line 3: when: no event is called 'take.all'"),
        ("level=1", "level", "line 3: when: expected 'name=value', not 'level'"),
        ("fr: Bien.\n", "", "line 3: this remark has no text in 'fr'"),
        ("when:", "if:", "line 3: expected when, until, en or fr, not 'if'"),
        ("\nen:", "\nuntil: tomorrow\nen:", "line 4: until: no event is called 'tomorrow'"),
    ],
)
def test_errors_in_a_guide_name_their_line(old: str, new: str, message: str) -> None:
    with pytest.raises(LessonError) as refusal:
        read_guide(GUIDE.replace(old, new, 1), "guide.txt")
    assert f"guide.txt, {message}" in str(refusal.value)


def test_the_examples_of_the_documentation_are_valid() -> None:
    page = (Path(__file__).parents[2] / "docs" / "writing-lessons.md").read_text("utf-8")
    lesson, guide = re.findall(r"^```text\n(game: .*?)^```", page, re.DOTALL | re.MULTILINE)
    check_lesson(read_lesson(lesson, "a-try", FILE))
    assert read_guide(guide, "guide.txt")
