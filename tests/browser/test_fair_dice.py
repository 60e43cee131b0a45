"""The page recomputes the dice of a finished game, so it notices a server that cheats."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from archipel.record import parse_record
from archipel.tables.log.records import verify
from tests.browser.conftest import NewUser
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import play_until_over

pytestmark = pytest.mark.browser

LANGUAGES = {
    "en-GB": ("do not match what was sealed", "could not recompute the dice"),
    "fr-FR": ("ne correspondent pas à ce qui avait été scellé", "n’a pas pu recalculer les dés"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.promise("recomputed")
def test_loaded_dice_are_not_called_fair(new_user: NewUser, tmp_path: Path, language: str) -> None:
    checkers = engines(tmp_path, "deep-sea.checker")
    with run_server(tmp_path, ServerOptions(engines=checkers, loaded_dice=True)) as loaded:
        ana = new_user("Ana", loaded, language=language)
        ana.play_now()
        play_until_over(ana)
        verdict = ana.by_test_id("dice")
        expect(verdict).to_contain_text(LANGUAGES[language][0])
        expect(verdict).to_have_role("alert")
        assert not verify(parse_record(loaded.read(f"/api/tables/{ana.table}/record"))).is_fair


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.promise("recomputed")
def test_without_a_checker_the_page_says_less(
    new_user: NewUser, own_server: Server, language: str
) -> None:
    ana = new_user("Ana", own_server, language=language)
    ana.play_now()
    play_until_over(ana)
    expect(ana.by_test_id("dice")).to_contain_text(LANGUAGES[language][1])
