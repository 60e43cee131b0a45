"""Puzzles in real browsers: the puzzle of the day and the page of a game; wrong answers, solutions
and explanations; by touch in French, and on a desktop."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from archipel.lessons import Lesson
from archipel.puzzles import Puzzle, puzzle_lesson, puzzles_of
from archipel.puzzles.puzzle_library import name_of
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.test_lessons import GAMES, LessonPlayer
from tests.browser.user_page import PHONE, UserPage

pytestmark = pytest.mark.browser


def lesson_of(game: str, number: int) -> Lesson:
    lesson = puzzle_lesson(game, name_of(number))
    assert lesson is not None
    return lesson


def solver(user: UserPage, game: str, number: int, language: str) -> LessonPlayer:
    """Wait for the puzzle and return its player."""
    expect(user.by_test_id("puzzle")).to_have_attribute("data-state", "open")
    learner = LessonPlayer(user, lesson_of(game, number), language)
    user.wait_until(lambda: user.last_table()["lesson"]["name"] == name_of(number))
    return learner


def solve(learner: LessonPlayer) -> None:
    user = learner.user
    user.wait_until(learner.decide)
    expect(user.by_test_id("puzzle")).to_have_attribute("data-state", "solved")
    expect(user.by_test_id("right")).to_be_visible()


def try_action(learner: LessonPlayer, text: str) -> None:
    """Press the button of an action, and confirm it if asked."""
    user = learner.user
    user.wait_for_turn()
    button = user.by_test_id("choices").locator(f'[data-action="{text}"]')
    refusal = user.page.get_by_role("alert")
    learner.press(button)
    user.wait_until(lambda: refusal.count() > 0 or "warm" in (button.get_attribute("class") or ""))
    if refusal.count() == 0:
        learner.press(button)
    expect(refusal).to_be_visible()


def percent(chance: float) -> str:
    return str(round(100 * chance))


def puzzle_of(game: str, number: int) -> Puzzle:
    return puzzles_of(game)[number - 1]


def test_by_touch_in_french(new_user: NewUser) -> None:
    zoe = new_user("Zoé", size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
    zoe.open_home()
    zoe.game_card.get_by_test_id("puzzles").tap()
    expect(zoe.by_test_id("count")).to_contain_text("0 sur 30 résolus")
    for grade in ("Facile", "Moyen", "Difficile"):
        expect(zoe.page.get_by_role("heading", name=grade, exact=True)).to_be_visible()
    expect_accessible(zoe, "the page of puzzles")

    # A wrong answer, then the right one.
    zoe.by_test_id("puzzle-1").tap()
    learner = solver(zoe, "deep-sea", 1, "fr")
    board = zoe.by_test_id("board").bounding_box()
    puzzle = puzzle_of("deep-sea", 1)
    best, other = puzzle.best, puzzle.wrong_choices[0]
    try_action(learner, other.action)
    refusal = zoe.page.get_by_role("alert")
    expect(refusal).to_contain_text(f"gagne {percent(other.chance)} parties sur cent")
    expect(refusal).to_contain_text(f"en gagne {percent(best.chance)}.")
    expect_accessible(zoe, "a puzzle")
    assert zoe.by_test_id("board").bounding_box() == board
    solve(learner)
    assert zoe.by_test_id("board").bounding_box() == board
    expect(refusal).to_have_count(0)
    expect(zoe.by_test_id("reasons")).to_contain_text("des parties")
    expect_accessible(zoe, "a puzzle that is solved")

    # Shown, then played.
    zoe.by_test_id("next-puzzle").tap()
    learner = solver(zoe, "deep-sea", 2, "fr")
    zoe.by_test_id("show-solution").tap()
    expect(zoe.by_test_id("solution")).to_contain_text("Le meilleur tour")
    solve(learner)

    zoe.by_test_id("all-puzzles").tap()
    expect(zoe.by_test_id("count")).to_contain_text("1 sur 30 résolus")
    expect(zoe.by_test_id("puzzle-1")).to_have_accessible_name(re.compile("résolu$"))
    expect(zoe.by_test_id("puzzle-2")).to_have_accessible_name(re.compile("solution vue$"))
    expect(zoe.by_test_id("puzzle-3")).to_have_accessible_name(re.compile("à résoudre$"))
    # Tables of puzzles are not listed on the home page.
    zoe.open_home()
    expect(zoe.by_test_id("daily")).to_be_visible()
    expect(zoe.by_test_id("my-table")).to_have_count(0)


def test_the_puzzle_of_the_day_is_that_of_the_date(new_user: NewUser) -> None:
    ana = new_user("Ana", reduced_motion=True)
    ben = new_user("Ben", size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
    found = []
    for user in (ana, ben):
        user.page.clock.set_fixed_time("2026-05-05T12:00:00Z")
        user.open_home()
        user.by_test_id("solve-daily").click()
        expect(user.by_test_id("puzzle")).to_have_attribute("data-state", "open")
        table = user.last_table()
        found.append((table["game"], table["lesson"]["name"]))
    assert found[0] == found[1]
    ana.page.clock.set_fixed_time("2026-05-06T12:00:00Z")
    ana.open_home()
    ana.by_test_id("solve-daily").click()
    ana.wait_until(lambda: ana.last_table()["game"] != found[0][0])


def test_one_puzzle_of_each_game_is_solved_on_a_desktop(new_user: NewUser) -> None:
    """The last and hardest puzzle of each game, on the board."""
    ana = new_user("Ana", reduced_motion=True)
    for game in GAMES:
        number = len(puzzles_of(game))
        ana.open_home()
        ana.by_test_id(f"game-{game}").get_by_test_id("what-is-it").click()
        ana.by_test_id("about-puzzles").click()
        ana.by_test_id(f"puzzle-{number}").click()
        learner = solver(ana, game, number, "en")
        if game == GAMES[0]:  # has an engine, which would give the answer away
            ana.wait_for_turn()
            ana.open_tab("help")
            expect(ana.by_test_id("can-do")).to_be_visible()
            expect(ana.by_test_id("ask-odds")).to_have_count(0)
            expect(ana.by_test_id("hint")).to_have_count(0)
        ana.by_test_id("show-solution").click()
        expect(ana.by_test_id("solution")).to_be_visible()
        solve(learner)
        puzzle = puzzle_of(game, number)
        reasons = ana.by_test_id("reasons")
        expect(reasons).to_contain_text(f"This turn wins {percent(puzzle.best.chance)}%")
        wrong = puzzle.wrong_choices[0]
        expect(reasons).to_contain_text(f"wins {percent(wrong.chance)}%")
