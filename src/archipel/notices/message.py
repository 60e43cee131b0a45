"""What a notice says: the game, the kind of news and a link to the table. Nothing hidden, no secret
of a seat."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from archipel.rules.all_games import game_named
from archipel.rules.catalogue import load_catalogue


@dataclass(frozen=True, slots=True)
class Part:
    """News of one table."""

    table: str
    n: int
    kind: str
    game: str
    link: str


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    title: str
    body: str
    link: str
    language: str
    parts: tuple[Part, ...]


def compose(parts: Sequence[Part], origin: str, language: str) -> Message:
    """One message for the news of one person, of one table or several."""
    sentences = load_catalogue("archipel.notices", language)
    key = " ".join(f"{part.table}/{part.n}/{part.kind}" for part in parts)
    # A Topic of push messages has at most 32 characters.
    identity = hashlib.sha256(key.encode()).hexdigest()[:32]
    lines = [
        sentences.say(f"notice.{part.kind}", game=game_named(part.game).title(language))
        for part in parts
    ]
    if len(parts) == 1:
        title, body, link = sentences.say("title.one"), lines[0], parts[0].link
    else:
        title = sentences.say("title.many", count=len(parts))
        body, link = "\n".join(lines), f"{origin}/you"
    return Message(identity, title, body, link, language, tuple(parts))
