"""Why a bot moved as it did, told after the game: what it considered, and how good it looked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from archipel.bots.outside.questions import Candidate
from archipel.game import Game
from archipel.rules.catalogue import Catalogue
from archipel.rules.typed import in_words_of

#: Candidates that are told, the best first, and what was chosen in any case.
MOST_TOLD = 6


@dataclass(frozen=True)
class Reason:
    """A decision of a bot: what it considered, in words, with chances and how often it tried."""

    name: str
    chosen: str
    considered: tuple[tuple[str, float, int], ...]


def reason_for(
    game: Game, name: str, action: int, candidates: Sequence[Candidate], language: str
) -> Reason:
    """Before the action is played."""
    definition = game.definition
    catalogue = definition.catalogue(language)

    def in_words(number: int) -> str:
        return in_words_of(catalogue, definition.action_text(game.state, number))

    told = [
        candidate
        for place, candidate in enumerate(candidates)
        if place < MOST_TOLD or candidate.action == action
    ]
    return Reason(
        name,
        in_words(action),
        tuple((in_words(one.action), one.chance, one.tried) for one in told),
    )


def reason_lines(number: int, reason: Reason, words: Catalogue) -> Iterator[str]:
    yield words.say("why.lead", number=number, name=reason.name)
    width = max(len(text) for text, _, _ in reason.considered)
    for text, chance, tried in reason.considered:
        mark = words.say("why.chosen") if text == reason.chosen else ""
        line = words.say(
            "why.candidate", action=f"{text:<{width}}", chance=f"{chance:>4.0%}", tried=tried
        )
        yield f"  {line}  {mark}".rstrip()


def list_lines(reasons: dict[int, Reason], words: Catalogue) -> Iterator[str]:
    """The decisions that can be asked about."""
    for number, reason in reasons.items():
        yield words.say("why.move", number=f"{number:>4}", name=reason.name, action=reason.chosen)
