"""Puzzles in real browsers: the one of the day, the page of a game; tried wrongly, shown, solved
and explained; with a finger in French, and at a desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from archipel.lessons import Lesson
from archipel.puzzles import Puzzle, puzzle_lesson, puzzles_of
from archipel.puzzles.puzzle_library import name_of
from tests.browser.axe import must_be_accessible
from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person
from tests.browser.test_lessons import GAMES, Pupil

pytestmark = pytest.mark.browser


def lesson_of(game: str, number: int) -> Lesson:
    lesson = puzzle_lesson(game, name_of(number))
    assert lesson is not None
    return lesson


def solver(person: Person, game: str, number: int, language: str) -> Pupil:
    """Somebody at the table of a puzzle, as soon as it asks."""
    expect(person.part("puzzle")).to_have_attribute("data-state", "open")
    pupil = Pupil(person, lesson_of(game, number), language)
    person.wait_until(lambda: person.last_table()["lesson"]["name"] == name_of(number))
    return pupil


def solves(pupil: Pupil) -> None:
    person = pupil.person
    person.wait_until(pupil.decides)
    expect(person.part("puzzle")).to_have_attribute("data-state", "solved")
    expect(person.part("right")).to_be_visible()


def tries(pupil: Pupil, text: str) -> None:
    """Choose something by its button, and confirm it where that is asked for."""
    person = pupil.person
    person.waits_for_turn()
    button = person.part("choices").locator(f'[data-action="{text}"]')
    refusal = person.page.get_by_role("alert")
    pupil.presses(button)
    person.wait_until(
        lambda: refusal.count() > 0 or "warm" in (button.get_attribute("class") or "")
    )
    if refusal.count() == 0:
        pupil.presses(button)
    expect(refusal).to_be_visible()


def percent(chance: float) -> str:
    return str(round(100 * chance))


def puzzle_of(game: str, number: int) -> Puzzle:
    return puzzles_of(game)[number - 1]


def test_with_a_finger_in_french(arrive: Arrive) -> None:
    zoe = arrive("Zoé", size=PHONE, touch=True, still=True, language="fr-FR")
    zoe.goes_home()
    zoe.game.get_by_test_id("puzzles").tap()
    expect(zoe.part("count")).to_contain_text("0 sur 30 résolus")
    must_be_accessible(zoe, "the page of puzzles")

    # Tried wrongly, then found.
    zoe.part("puzzle-1").tap()
    pupil = solver(zoe, "deep-sea", 1, "fr")
    best, other = puzzle_of("deep-sea", 1).choices[:2]
    tries(pupil, other.action)
    refusal = zoe.page.get_by_role("alert")
    expect(refusal).to_contain_text(f"gagne {percent(other.chance)} fois sur cent")
    expect(refusal).to_contain_text(f"gagne {percent(best.chance)} fois sur cent")
    must_be_accessible(zoe, "a puzzle")
    solves(pupil)
    expect(refusal).to_have_count(0)
    expect(zoe.part("reasons")).to_contain_text("des parties")
    must_be_accessible(zoe, "a puzzle that is solved")

    # Shown, then played.
    zoe.part("next-puzzle").tap()
    pupil = solver(zoe, "deep-sea", 2, "fr")
    zoe.part("show-solution").tap()
    expect(zoe.part("solution")).to_contain_text("Le mieux")
    solves(pupil)

    zoe.part("all-puzzles").tap()
    expect(zoe.part("count")).to_contain_text("1 sur 30 résolus")
    expect(zoe.part("puzzle-1")).to_have_accessible_name(re.compile("résolu$"))
    expect(zoe.part("puzzle-2")).to_have_accessible_name(re.compile("solution vue$"))
    expect(zoe.part("puzzle-3")).to_have_accessible_name(re.compile("à résoudre$"))
    # The tables of puzzles are not among those to go back to.
    zoe.goes_home()
    expect(zoe.part("daily")).to_be_visible()
    expect(zoe.part("my-table")).to_have_count(0)


def test_the_puzzle_of_the_day_is_that_of_the_date(arrive: Arrive) -> None:
    ana = arrive("Ana", still=True)
    ben = arrive("Ben", size=PHONE, touch=True, still=True, language="fr-FR")
    found = []
    for person in (ana, ben):
        person.page.clock.set_fixed_time("2026-05-05T12:00:00Z")
        person.goes_home()
        person.part("solve-daily").click()
        expect(person.part("puzzle")).to_have_attribute("data-state", "open")
        table = person.last_table()
        found.append((table["game"], table["lesson"]["name"]))
    assert found[0] == found[1]
    ana.page.clock.set_fixed_time("2026-05-06T12:00:00Z")
    ana.goes_home()
    ana.part("solve-daily").click()
    ana.wait_until(lambda: ana.last_table()["game"] != found[0][0])


def test_one_of_each_game_is_solved_at_a_desk(arrive: Arrive) -> None:
    """On the board: the hardest of each, the last."""
    ana = arrive("Ana", still=True)
    for game in GAMES:
        number = len(puzzles_of(game))
        ana.goes_home()
        ana.part(f"game-{game}").get_by_test_id("what-is-it").click()
        ana.part("about-puzzles").click()
        ana.part(f"puzzle-{number}").click()
        pupil = solver(ana, game, number, "en")
        if game == GAMES[0]:  # whose engine is at hand, and would give the answer away
            ana.waits_for_turn()
            ana.opens("help")
            expect(ana.part("can-do")).to_be_visible()
            expect(ana.part("ask-odds")).to_have_count(0)
            expect(ana.part("hint")).to_have_count(0)
        ana.part("show-solution").click()
        expect(ana.part("solution")).to_be_visible()
        solves(pupil)
        best, following = puzzle_of(game, number).choices[:2]
        reasons = ana.part("reasons")
        expect(reasons).to_contain_text(f"It wins in {percent(best.chance)}%")
        expect(reasons).to_contain_text(f"in {percent(following.chance)}%")
