"""Learning by playing, in real browsers: each lesson from its entrance to its end, by fingers and
at a desk, and the first game after it with its guide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import pytest
from playwright.sync_api import Locator, expect

from archipel.lessons import Lesson, lesson_named, lessons_of
from tests.browser.axe import must_be_accessible
from tests.browser.boards import Player, Sight
from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Message, Person

pytestmark = pytest.mark.browser

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")


class Pupil(Player):
    """Somebody who does what a lesson asks for, on the board and with its buttons."""

    def __init__(self, person: Person, lesson: Lesson, language: str) -> None:
        super().__init__(person, self._as_asked)
        self.lesson = lesson
        self.language = language
        self._step = -1
        self._done = 0

    def does(self, choice: Message) -> None:
        """Tap until it is done, and never again before something came of the tap before."""
        before = self.sight()
        while self.sight().n == before.n:
            known = self.sight()
            self._taps_once(choice)
            self.person.wait_until(partial(self._led_further, choice, known))

    def _led_further(self, choice: Message, known: Sight) -> bool:
        """It is done; or is to be confirmed; or several things are meant; or one looks closer."""
        now = self.sight()
        asked = now.asked == choice["text"] and known.asked != now.asked
        among = choice["text"] in known.seen["several"]
        several = bool(now.seen["several"]) != bool(known.seen["several"]) and not among
        closer = now.seen["zoom"] != known.seen["zoom"] and now.still
        return now.n != known.n or asked or several or closer

    def _taps_once(self, choice: Message) -> None:
        """On what asks which of several is meant, on its button, or on the board."""
        page, named = self.person.page, f'[data-action="{choice["text"]}"]'
        several, button = self.person.part("several"), self.person.part("choices").locator(named)
        if several.count() > 0:
            among = several.locator(named)
            self.presses(among) if among.count() > 0 else page.keyboard.press("Escape")
        elif button.count() > 0:
            self.presses(button)
        else:
            self.person.wait_until(lambda: self.sight().still)
            place = self.sight().place(choice, by_button=False)
            assert place is not None, choice
            self._taps(place)

    def _as_asked(self, offered: Sequence[Message]) -> Message:
        """The first of what the lesson lets through that can be done here."""
        do = self.lesson.steps[self.step()].does[self._done]
        texts = [choice["text"] for choice in offered]
        wanted = next(move.action for move in do.moves if move.action in texts)
        self._done += 1
        return offered[texts.index(wanted)]

    @property
    def panel(self) -> Locator:
        return self.person.part("lesson")

    def table(self) -> Message:
        """The table as it was last told of."""
        return self.person.last_table()

    def step(self) -> int:
        step = int(self.table()["lesson"]["step"])
        if step != self._step:
            self._step, self._done = step, 0
        return step

    def told(self, text: str) -> str:
        names = [seat["name"] for seat in self.table()["seats"]]
        return re.sub(r"\{(\d)\}", lambda found: names[int(found[1]) - 1], text)

    def goes_through(self) -> None:
        while self.table()["stage"] != "over":
            self.goes_on()
        for words in self.lesson.remember:
            expect(self.panel).to_contain_text(self.told(words[self.language]))

    def goes_on(self) -> None:
        """One thing that the lesson asks for, once the page says it."""
        step = self.lesson.steps[self.step()]
        said = self.person.part("said")
        self._reads_rounds(said)
        expect(said).to_have_text(self.told(step.said[self.language]))
        before = self.person.look().n
        if self.table()["lesson"]["waits"]:
            self.person.wait_until(self.decides)
        elif step.answers:
            self.answers(step.answers.index(next(each for each in step.answers if each.right)))
        else:
            self.presses(self.person.part("go-on"))
        self.person.waits_for_news(before)

    def _reads_rounds(self, said: Locator) -> None:
        """What a round came to is put aside, where one ended."""
        dialog = self.person.part("dialog")
        self.person.wait_until(lambda: said.count() > 0 or dialog.count() > 0)
        if dialog.count() > 0:
            self.presses(dialog.get_by_role("button").last)
            expect(said).to_be_visible()

    def answers(self, number: int) -> None:
        self.presses(self.person.part("answer").nth(number))

    def presses(self, button: Locator) -> None:
        if self.person.touches:
            button.tap()
        else:
            button.click()


def begins(person: Person, lesson: Lesson, language: str = "en") -> Pupil:
    """By way of what the game is about."""
    person.goes_home()
    person.part(f"game-{lesson.game}").get_by_test_id("what-is-it").click()
    person.part(f"lesson-{lesson.name}").click()
    pupil = Pupil(person, lesson, language)
    expect(person.part("said")).to_be_visible()
    return pupil


def first_dive() -> Lesson:
    lesson = lesson_named("deep-sea", "first-dive")
    assert lesson is not None
    return lesson


def test_each_lesson_is_played_through_on_a_phone(arrive: Arrive) -> None:
    """In French, one after the other."""
    zoe = arrive("Zoé", size=PHONE, touch=True, still=True, language="fr-FR")
    for game in GAMES:
        for number, lesson in enumerate(lessons_of(game)):
            pupil = goes_on_to(zoe, lesson) if number else begins(zoe, lesson, "fr")
            pupil.goes_through()


def goes_on_to(zoe: Person, lesson: Lesson) -> Pupil:
    """From the end of the lesson before it."""
    pupil = Pupil(zoe, lesson, "fr")
    zoe.part("next-lesson").tap()
    zoe.wait_until(lambda: pupil.table()["lesson"]["name"] == lesson.name)
    return pupil


@pytest.mark.soak
def test_each_lesson_is_played_through_at_a_desk(arrive: Arrive) -> None:
    ana = arrive("Ana", still=True)
    for game in GAMES:
        for lesson in lessons_of(game):
            begins(ana, lesson).goes_through()


def test_learning_comes_first_and_leads_to_a_first_game_with_a_guide(arrive: Arrive) -> None:
    ana = arrive("Ana", still=True)
    ana.goes_home()
    learn = ana.game.get_by_test_id("learn")
    expect(learn).to_have_class(re.compile("main"))
    expect(ana.game.get_by_test_id("play-now")).not_to_have_class(re.compile("main"))
    learn.click()
    pupil = Pupil(ana, first_dive(), "en")
    expect(ana.part("said")).to_be_visible()
    must_be_accessible(ana, "a step of a lesson")
    leaves_what_is_refused_in_words(pupil)
    pupil.goes_through()
    must_be_accessible(ana, "the end of a lesson")

    ana.part("first-game").click()
    expect(ana.part("lesson")).to_have_count(0)
    ana.sees_board()
    bots = {seat["bot"] for seat in ana.messages("welcome")[-1]["table"]["seats"] if seat["bot"]}
    assert {re.sub(r"-\d+$", "", bot) for bot in bots} == {"first-game"}
    a_guide_speaks_and_goes(ana)

    ana.goes_home()
    expect(ana.game.get_by_test_id("play-now")).to_have_class(re.compile("main"))
    expect(ana.game.get_by_test_id("learn")).not_to_have_class(re.compile("main"))


def leaves_what_is_refused_in_words(pupil: Pupil) -> None:
    """In the third step a choice is not let through, in the fourth an answer is wrong."""
    ana, steps = pupil.person, pupil.lesson.steps
    while pupil.step() < 2:
        pupil.goes_on()
    expect(ana.page.locator("circle.look")).to_have_count(len(steps[2].look))
    ana.waits_for_turn()
    ana.page.locator('[data-action="nothing"]').click()
    refusal = ana.page.get_by_role("alert")
    expect(refusal).to_contain_text(steps[2].does[0].refusals[0].words["en"])
    pupil.goes_on()
    expect(refusal).to_have_count(0)
    wrong = next(each for each in steps[3].answers if not each.right)
    expect(ana.part("answer").first).to_be_visible()
    pupil.answers(steps[3].answers.index(wrong))
    expect(refusal).to_contain_text(wrong.reply["en"])
    pupil.goes_on()
    right = next(each for each in steps[3].answers if each.right)
    expect(pupil.panel).to_contain_text(right.reply["en"])


def a_guide_speaks_and_goes(ana: Person) -> None:
    """It says what a throw is when one is thrown first, something else after that, and nothing any
    more once it was sent away."""
    guide = ana.part("guide")
    ana.decides()
    expect(guide).to_contain_text("Two dice with 1 to 3 each")
    ana.part("guide-ok").click()
    ana.wait_until(lambda: guide.count() == 0 or "Two dice" not in guide.inner_text())
    while guide.count() == 0:
        ana.decides()
    ana.part("guide-away").click()
    expect(guide).to_have_count(0)
    ana.page.reload()
    ana.waits_for_turn()
    if ana.part("dialog").count() > 0:  # what happened meanwhile
        ana.page.keyboard.press("Escape")
    ana.decides()
    expect(guide).to_have_count(0)
