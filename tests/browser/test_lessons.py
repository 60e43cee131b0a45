"""Lessons in real browsers, on a phone and on a desktop, and the first game with its guide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import pytest
from playwright.sync_api import Locator, expect

from archipel.lessons import Lesson, lesson_named, lessons_of
from archipel.rules.all_games import game_named
from tests.browser.axe import expect_accessible
from tests.browser.boards import BoardPlayer, BoardState
from tests.browser.conftest import NewUser
from tests.browser.user_page import PHONE, Message, UserPage

pytestmark = pytest.mark.browser

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")


class LessonPlayer(BoardPlayer):
    """Does what a lesson asks for, on the board and with its buttons."""

    def __init__(self, user: UserPage, lesson: Lesson, language: str) -> None:
        super().__init__(user, self._expected_choice)
        self.lesson = lesson
        self.language = language
        self._step = -1
        self._done = 0
        #: The cards whose explanation was shown.
        self.explained: set[str] = set()

    def perform(self, choice: Message) -> None:
        """Tap until the choice is made; waits for the effect of each tap."""
        before = self.board_state()
        while self.board_state().n == before.n:
            known = self.board_state()
            self._tap_once(choice)
            self.user.wait_until(partial(self._has_effect, choice, known))
            self._expect_explanation(choice)

    def _expect_explanation(self, choice: Message) -> None:
        """A card that has been chosen but not confirmed yet is explained."""
        card = choice["details"].get("card") or choice["key"].removeprefix("action.card.")
        sentences = game_named(self.lesson.game).catalogue(self.language).sentences
        if self.board_state().asked == choice["text"] and f"card_name.{card}" in sentences:
            help_text = sentences.get(f"card_help.{card}", sentences.get("card_help.objective", ""))
            expect(self.user.by_test_id("explanation")).to_contain_text(help_text)
            self.explained.add(card)

    def _has_effect(self, choice: Message, known: BoardState) -> bool:
        """Whether the choice was made, must be confirmed or disambiguated, or the view zoomed."""
        now = self.board_state()
        asked = now.asked == choice["text"] and known.asked != now.asked
        among = choice["text"] in known.seen["several"]
        several = bool(now.seen["several"]) != bool(known.seen["several"]) and not among
        closer = now.seen["zoom"] != known.seen["zoom"] and now.is_settled
        return now.n != known.n or asked or several or closer

    def _tap_once(self, choice: Message) -> None:
        """Tap the choice in the list of several, on its button, or on the board."""
        page, named = self.user.page, f'[data-action="{choice["text"]}"]'
        several, button = (
            self.user.by_test_id("several"),
            self.user.by_test_id("choices").locator(named),
        )
        if several.count() > 0:
            among = several.locator(named)
            self.press(among) if among.count() > 0 else page.keyboard.press("Escape")
        elif button.count() > 0:
            self.press(button)
        else:
            self.user.wait_until(lambda: self.board_state().is_settled)
            place = self.board_state().place(choice, by_button=False)
            assert place is not None, choice
            self._tap(place)

    def _expected_choice(self, offered: Sequence[Message]) -> Message:
        """The first choice of the lesson that is legal here."""
        do = self.lesson.steps[self.step()].does[self._done]
        texts = [choice["text"] for choice in offered]
        wanted = next(move.action for move in do.moves if move.action in texts)
        self._done += 1
        return offered[texts.index(wanted)]

    @property
    def panel(self) -> Locator:
        return self.user.by_test_id("lesson")

    def table(self) -> Message:
        """The last received table."""
        return self.user.last_table()

    def step(self) -> int:
        step = int(self.table()["lesson"]["step"])
        if step != self._step:
            self._step, self._done = step, 0
        return step

    def fill_in(self, text: str) -> str:
        names = [seat["name"] for seat in self.table()["seats"]]
        return re.sub(r"\{(\d)\}", lambda found: names[int(found[1]) - 1], text)

    def complete(self) -> None:
        boxes = []
        while self.table()["stage"] != "over":
            self.do_step()
            boxes.append(self.user.by_test_id("board").bounding_box())
        assert all(box == boxes[0] for box in boxes), f"the board moved: {boxes}"
        for words in self.lesson.remember:
            expect(self.panel).to_contain_text(self.fill_in(words[self.language]))

    def do_step(self) -> None:
        """Do one step of the lesson, once the page shows it."""
        step = self.lesson.steps[self.step()]
        said = self.user.by_test_id("said")
        self._close_round_summary(said)
        expect(said).to_have_text(self.fill_in(step.said[self.language]))
        is_jump = self.step() > 0 and step.position is not None
        expect(self.user.by_test_id("later")).to_have_count(1 if is_jump else 0)
        self._expect_no_wrong_emphasis()
        before = self.user.table_state().n
        if self.table()["lesson"]["waits"]:
            self.user.wait_until(self.decide)
        elif step.answers:
            self.answer(step.answers.index(next(each for each in step.answers if each.right)))
        else:
            self.press(self.user.by_test_id("go-on"))
        self.user.wait_for_event_after(before)

    def _expect_no_wrong_emphasis(self) -> None:
        """The emphasized button continues the lesson: it confirms the step or is accepted."""
        step, waits = self.lesson.steps[self.step()], self.table()["lesson"]["waits"]
        accepted = {move.action for move in step.does[self._done].moves} if waits else {None}
        emphasized = self.user.page.locator("section.doing .button.main")
        actions = emphasized.evaluate_all("all => all.map(each => each.dataset.action ?? null)")
        assert set(actions) <= accepted, (step.line, actions)
        expect(self.user.page.locator('[data-testid="answer"].main')).to_have_count(0)

    def _close_round_summary(self, said: Locator) -> None:
        """Close the summary of a round, if a round ended."""
        dialog = self.user.by_test_id("dialog")
        self.user.wait_until(lambda: said.count() > 0 or dialog.count() > 0)
        if dialog.count() > 0:
            self.press(dialog.get_by_role("button").last)
            expect(said).to_be_visible()

    def answer(self, number: int) -> None:
        self.press(self.user.by_test_id("answer").nth(number))

    def press(self, button: Locator) -> None:
        if self.user.has_touch:
            button.tap()
        else:
            button.click()


def start_lesson(user: UserPage, lesson: Lesson, language: str = "en") -> LessonPlayer:
    """Start a lesson from the page about its game."""
    user.open_home()
    user.by_test_id(f"game-{lesson.game}").get_by_test_id("what-is-it").click()
    user.by_test_id(f"lesson-{lesson.name}").click()
    learner = LessonPlayer(user, lesson, language)
    expect(user.by_test_id("said")).to_be_visible()
    return learner


def first_dive() -> Lesson:
    lesson = lesson_named("deep-sea", "first-dive")
    assert lesson is not None
    return lesson


def test_each_lesson_is_played_through_on_a_phone(new_user: NewUser) -> None:
    """All lessons in French, one after the other."""
    zoe = new_user("Zoé", size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
    for game in GAMES:
        for number, lesson in enumerate(lessons_of(game)):
            learner = continue_with(zoe, lesson) if number else start_lesson(zoe, lesson, "fr")
            learner.complete()
            expert = {"1black", "mountain", "jungle", "helicopter", "earthquake"}
            assert learner.explained == (expert if lesson.name == "expert-cards" else set())
    # No lava in the first round of a first game.
    zoe.by_test_id("first-game").tap()
    zoe.wait_until(lambda: not learner.table()["lesson"])
    assert learner.table()["options"]["quiet_first_round"] is True


def continue_with(zoe: UserPage, lesson: Lesson) -> LessonPlayer:
    """Continue from the end of the lesson before."""
    learner = LessonPlayer(zoe, lesson, "fr")
    zoe.by_test_id("next-lesson").tap()
    zoe.wait_until(lambda: learner.table()["lesson"]["name"] == lesson.name)
    return learner


@pytest.mark.soak
def test_each_lesson_is_played_through_on_a_desktop(new_user: NewUser) -> None:
    ana = new_user("Ana", reduced_motion=True)
    for game in GAMES:
        for lesson in lessons_of(game):
            start_lesson(ana, lesson).complete()


def test_a_first_lesson_leads_to_a_first_game_with_a_guide(new_user: NewUser) -> None:
    ana = new_user("Ana", reduced_motion=True)
    ana.open_home()
    learn = ana.game_card.get_by_test_id("learn")
    expect(learn).to_have_class(re.compile("main"))
    expect(ana.game_card.get_by_test_id("play-now")).not_to_have_class(re.compile("main"))
    learn.click()
    learner = LessonPlayer(ana, first_dive(), "en")
    expect(ana.by_test_id("said")).to_be_visible()
    expect_accessible(ana, "a step of a lesson")
    check_refusals(learner)
    learner.complete()
    expect_accessible(ana, "the end of a lesson")

    ana.by_test_id("first-game").click()
    expect(ana.by_test_id("lesson")).to_have_count(0)
    ana.expect_board()
    bots = {seat["bot"] for seat in ana.messages("welcome")[-1]["table"]["seats"] if seat["bot"]}
    assert {re.sub(r"-\d+$", "", bot) for bot in bots} == {"first-game"}
    check_guide(ana)

    ana.open_home()
    expect(ana.game_card.get_by_test_id("play-now")).to_have_class(re.compile("main"))
    expect(ana.game_card.get_by_test_id("learn")).not_to_have_class(re.compile("main"))


def check_refusals(learner: LessonPlayer) -> None:
    """The third step refuses a choice, the fourth a wrong answer."""
    ana, steps = learner.user, learner.lesson.steps
    while learner.step() < 2:
        learner.do_step()
    expect(ana.page.locator("circle.look")).to_have_count(len(steps[2].look))
    ana.wait_for_turn()
    ana.page.locator('[data-action="nothing"]').click()
    refusal = ana.page.get_by_role("alert")
    expect(refusal).to_contain_text(steps[2].does[0].refusals[0].words["en"])
    expect(ana.page.locator(".toast")).to_have_count(0)  # no warning: a gentle correction
    learner.do_step()
    expect(refusal).to_have_count(0)
    wrong = next(each for each in steps[3].answers if not each.right)
    expect(ana.by_test_id("answer").first).to_be_visible()
    learner.answer(steps[3].answers.index(wrong))
    expect(refusal).to_contain_text(wrong.reply["en"])
    learner.do_step()
    right = next(each for each in steps[3].answers if each.right)
    expect(learner.panel).to_contain_text(right.reply["en"])


def check_guide(ana: UserPage) -> None:
    """The guide explains the first throw, gives one tip a turn, and is gone once dismissed."""
    guide = ana.by_test_id("guide")
    ana.decide()
    expect(guide).to_contain_text("Each die shows 1 to 3")
    ana.by_test_id("guide-ok").click()
    expect(guide).to_contain_text("Tap a piece or a space to read its rules.")
    tip = ana.by_test_id("guide-ok")
    while tip.count() == 0:
        ana.decide()
        ana.wait_for_turn()
    ana.by_test_id("guide-away").click()
    expect(guide).to_have_count(0)
    ana.page.reload()
    ana.wait_for_turn()
    if ana.by_test_id("dialog").count() > 0:  # the summary of missed events
        ana.page.keyboard.press("Escape")
    ana.decide()
    expect(guide).to_have_count(0)
