"""A club's results as a feed (RFC 4287), and a tournament's rounds as a calendar (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from xml.sax.saxutils import escape, quoteattr

from archipel.clubs.club import Club, ClubTable
from archipel.rules.all_games import game_named

#: Results in the feed, the latest ones.
LATEST = 50
WORDS = {
    "en": {"results": "{club}: results", "round": "round", "somebody": "a guest"},
    "fr": {
        "results": "{club}\N{NO-BREAK SPACE}: résultats",
        "round": "ronde",
        "somebody": "un invité",
    },
}


def _time(milliseconds: int) -> str:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def atom_feed(club: Club, address: str, language: str) -> str:
    """``address``: of the server, such as https://play.example.org."""
    words = WORDS[language]
    latest = club.results[-LATEST:][::-1]
    updated = latest[0].finished_at if latest else club.opened_at
    here = f"{address}/club/{club.id}"
    entries = "".join(_entry(club, table, address, language) for table in latest)
    title = escape(words["results"].format(club=club.name))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">'
        f"<title>{title}</title><id>{escape(here)}</id><link href={quoteattr(here)}/>"
        f"<updated>{_time(updated)}</updated><author><name>Archipel</name></author>"
        f"{entries}</feed>\n"
    )


def _entry(club: Club, table: ClubTable, address: str, language: str) -> str:
    done = table.finished
    assert done is not None
    order = sorted(range(len(done.ranks)), key=lambda seat: done.ranks[seat])
    names = {seat: _name(club, table, seat, language) for seat in order}
    scores = ", ".join(f"{names[seat]} {done.scores[seat]}" for seat in order)
    title = f"{game_named(table.opened.game).title(language)} · {scores}"
    link = f"{address}/t/{table.opened.table}"
    return (
        f"<entry><title>{escape(title)}</title><id>{escape(link)}</id>"
        f"<link href={quoteattr(link)}/><updated>{_time(table.finished_at)}</updated></entry>"
    )


def _name(club: Club, table: ClubTable, seat: int, language: str) -> str:
    done = table.finished
    assert done is not None
    member = done.members[seat]
    if member is not None:
        return club.members[member].name or WORDS[language]["somebody"]
    return done.bots[seat] or WORDS[language]["somebody"]


def calendar(club: Club, number: int, rounds: int, language: str) -> str:
    """One day for each round, if the tournament has a date; drawn rounds name their pairings."""
    tournament = club.tournaments[number]
    opened = tournament.opened
    count = rounds if opened.system == "round_robin" else opened.rounds
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Archipel//Clubs//EN"]
    lines.append(f"X-WR-CALNAME:{_text(f'{club.name}: {opened.name}')}")
    word = WORDS[language]["round"]
    first = date.fromisoformat(opened.starts) if opened.starts else None
    for index in range(max(count, len(tournament.rounds)) if first is not None else 0):
        assert first is not None
        day = first + timedelta(days=index * opened.days)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{club.id}-{number}-{index}@archipel",
            f"DTSTAMP:{_stamp(club.opened_at)}",
            f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_text(opened.name)}\\, {word} {index + 1}",
        ]
        if index < len(tournament.rounds):
            groups = tournament.rounds[index].groups
            pairings = [" – ".join(_member(club, member, language) for member in g) for g in groups]
            lines.append(f"DESCRIPTION:{_text(chr(10).join(pairings))}")
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _member(club: Club, member: int, language: str) -> str:
    return club.members[member].name or WORDS[language]["somebody"]


def _stamp(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    """A text value: backslash, comma, semicolon and line breaks escaped."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """A line in parts of at most 75 bytes, as the format demands."""
    parts: list[str] = []
    rest = line
    while len(rest.encode()) > (75 if not parts else 74):
        cut = 74
        while len(rest[:cut].encode()) > 74:
            cut -= 1
        parts.append(rest[:cut])
        rest = rest[cut:]
    return "\r\n ".join([*parts, rest])
