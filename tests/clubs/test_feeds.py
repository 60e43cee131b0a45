"""Feeds of results and calendars of tournaments."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree

from archipel.clubs import messages as m
from tests.clubs.test_clubs import House, refusal
from tests.support.memory_store import MemoryStore

ATOM = "{http://www.w3.org/2005/Atom}"
SERVER = "https://play.example.org"


def test_a_feed_names_the_latest_results() -> None:
    async def scenario() -> None:
        house = House(MemoryStore())
        ana, ben = await house.club("Ana", "<Ben & Co>")
        await ana.do(m.Propose("deep-sea", 2, standing=True))
        opened = await house.clubs.open_table(ana.club, ana.token, m.OpenClubTable(proposal=1))
        seated = await house.clubs.sit_down(ana.club, ben.token, opened.table, m.SitDown())
        key = (await ana.look()).feed
        empty = ElementTree.fromstring(await house.clubs.feed(ana.club, key, SERVER))
        assert empty.findall(f"{ATOM}entry") == []
        assert empty.findtext(f"{ATOM}updated")
        await house.play(opened.table, {opened.token: 0, seated.token: 9})
        for language, title in (("en", "The Divers: results"), ("fr", "The Divers\xa0: résultats")):
            text = await house.clubs.feed(ana.club, key, SERVER, language)
            feed = ElementTree.fromstring(text)
            assert feed.findtext(f"{ATOM}title") == title
            (entry,) = feed.findall(f"{ATOM}entry")
            assert "<Ben & Co>" in (entry.findtext(f"{ATOM}title") or "")
            link = entry.find(f"{ATOM}link")
            assert link is not None
            assert link.get("href") == f"{SERVER}/t/{opened.table}"
        assert await refusal(house.clubs.feed(ana.club, "x" * 43, SERVER)) == "no_club"
        await ana.do(m.RenewLink())
        assert await refusal(house.clubs.feed(ana.club, key, SERVER)) == "no_club"

    asyncio.run(scenario())


def test_a_calendar_has_the_rounds_of_a_tournament() -> None:
    async def scenario() -> None:
        house = House(MemoryStore())
        people = await house.club("Ana", "Ben; the, second", "Cy with a very long name")
        ana = people[0]
        plan = m.OpenTournament("Été", "deep-sea", "round_robin", 2, starts="2026-12-30", days=3)
        await ana.do(plan)
        await ana.do(m.OpenTournament("Undated", "deep-sea", "swiss", 2, rounds=3))
        wrong = m.OpenTournament("Wrong", "deep-sea", "swiss", 2, starts="2026-02-30")
        assert await refusal(ana.do(wrong)) == "bad_request"
        for person in people:
            await person.do(m.Enter(0))
        await ana.do(m.DrawRound(0))
        key = (await ana.look()).feed
        text = await house.clubs.calendar(ana.club, key, 0, "fr")
        assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
        assert text.endswith("END:VCALENDAR\r\n")
        lines = text.split("\r\n")
        assert max(len(line.encode()) for line in lines) <= 75
        whole = text.replace("\r\n ", "").split("\r\n")
        starts = [line[-8:] for line in whole if line.startswith("DTSTART")]
        assert starts == ["20261230", "20270102", "20270105"]
        assert "SUMMARY:Été\\, ronde 1" in whole
        (described,) = [line for line in whole if line.startswith("DESCRIPTION")]
        assert "Cy with a very long name" in described or "Ben\\; the\\, second" in described
        assert "VEVENT" not in await house.clubs.calendar(ana.club, key, 1)
        assert await refusal(house.clubs.calendar(ana.club, key, 2)) == "no_tournament"

    asyncio.run(scenario())
