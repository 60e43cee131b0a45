"""A game in words: events, choices, typed actions and results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.bots.external.worker_protocol import Candidate
from archipel.cli.errors import UserError
from archipel.cli.players import Player, bot_in_words
from archipel.cli.screen import Screen
from archipel.game import Action, Game
from archipel.rules.action_sequences import parse_sequence
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import SPECTATOR, Event, NotationError, RuleError
from archipel.rules.localized_notation import localize, read_localized


def tell(game: Game, event: Event, words: Catalogue, names: Sequence[str]) -> str:
    return game.definition.tell(event, words.language, dict(enumerate(names)))


def seats_line(players: Sequence[Player], language: str, screen: Screen) -> str:
    """The players in order of seats, with the levels of bots."""
    names = [
        player.name if player.bot is None else bot_in_words(player.name, language)
        for player in players
    ]
    return "  " + "   ".join(
        screen.for_seat(f"{seat + 1} {name}", seat) for seat, name in enumerate(names)
    )


def coloured(game: Game, view: Any, picture: str, screen: Screen) -> list[str]:
    """Colour the pieces of each seat, and the sea, in a picture."""
    if not screen.colours:
        return picture.split("\n")
    owners = {
        piece.id: piece.seat
        for piece in game.definition.scene(view, SPECTATOR).pieces
        if piece.seat is not None
    }
    names = sorted(map(re.escape, owners), key=len, reverse=True)
    marked = re.compile("|".join([*(rf"(?<!\w){name}(?!\w)" for name in names), "~+"]))

    def colour(found: re.Match[str]) -> str:
        text = found[0]
        return screen.for_seat(text, owners[text]) if text in owners else screen.styled(text, "sea")

    return [marked.sub(colour, line) for line in picture.split("\n")]


def action_labels(game: Game, words: Catalogue) -> list[tuple[Action, str]]:
    """The legal actions and their descriptions for the seat to move."""
    seat = game.to_move
    assert seat is not None
    sentences = game.definition.catalogue(words.language)
    scene = game.definition.scene(game.view(seat).state, seat)
    meanings = {}
    for choice in scene.choices:
        meaning = sentences.say(choice.key, **sentences.called(choice.details))
        if "warning" in choice.details:
            meaning += f". {sentences.say(str(choice.details['warning']))}"
        meanings[choice.action] = meaning
    return [(action, meanings[action]) for action in game.legal]


def parse_typed(game: Game, text: str, words: Catalogue) -> Sequence[int]:
    """The actions of a typed text: one, or several stages of a decision (``w1 to g6``).

    Raises `UserError`.
    """
    catalogue = game.definition.catalogue(words.language)
    variants = (text, read_localized(catalogue, text))
    labels = action_labels(game, words)
    if (action := _find_label(text, labels, catalogue)) is not None:
        return [action]
    for variant in variants:
        try:
            number = game.definition.parse_action(game.state, variant)
        except NotationError:
            continue
        if number in game.legal:
            return [number]
        refusal = game.definition.refuse(game.state, number, words.language)
        raise UserError("play.refused", reason=refusal.reason, rule=refusal.rule)
    for variant in variants:
        try:
            stages = parse_sequence(game.definition, game.state, variant, words.language)
        except RuleError as refused:
            raise UserError("play.refused", reason=refused.reason, rule=refused.rule) from None
        if stages:
            return stages
    choices = ", ".join(localize(catalogue, action.text) for action, _ in labels)
    raise UserError("play.garbled", text=text[:40], choices=choices)


def _find_label(
    text: str, labels: Sequence[tuple[Action, str]], catalogue: Catalogue
) -> Action | None:
    """Find a legal action by its number, or by the beginning of its notation or description."""
    if text.isascii() and text.isdigit():
        if len(text) < 4 and 1 <= int(text) <= len(labels):
            return labels[int(text) - 1][0]
        raise UserError("play.no_number", number=text[:20], most=len(labels))
    wanted = " ".join(text.casefold().split())
    found = [
        action
        for action, label in labels
        for names in ((action.text, localize(catalogue, action.text), label.casefold()),)
        if any(name.startswith(wanted) for name in names)
    ]
    return found[0] if len(found) == 1 else None


def final_table(game: Game, words: Catalogue, names: Sequence[str]) -> list[str]:
    """The final ranks and scores, the best first."""
    outcome = game.outcome
    assert outcome is not None
    lines = [words.say("play.ended", why=_why_ended(game, outcome.ending, words, names))]
    width = max(map(len, names))
    for seat in sorted(range(game.seats), key=lambda seat: outcome.ranks[seat]):
        place, score = outcome.ranks[seat] + 1, outcome.scores[seat]
        lines.append(f"{place:>3}  {names[seat]:<{width}}  {score:>4}")
    return lines


def _why_ended(game: Game, reason: str, words: Catalogue, names: Sequence[str]) -> str:
    """Why the game ended, with the names of players who ran out of pieces."""
    sentences, ran_out = game.definition.catalogue(words.language), game.definition.ran_out
    out = [name for seat, name in enumerate(names) if ran_out and ran_out(game.state, seat)]
    key = f"{reason}.of.many" if len(out) > 1 else f"{reason}.of"
    if not out or key not in sentences.sentences:
        return sentences.say(reason)
    *first, last = out
    if first:
        last = words.say("play.names", names=", ".join(first), last=last)
    return sentences.say(key, names=last)


#: The number of candidates shown, the best first; the chosen one is always shown.
MOST_CANDIDATES = 6


@dataclass(frozen=True)
class Reason:
    """A bot's decision: each candidate as text, its win probability and its visits."""

    name: str
    chosen: str
    considered: tuple[tuple[str, float, int], ...]


def reason_for(
    game: Game, name: str, action: int, candidates: Sequence[Candidate], language: str
) -> Reason:
    """Describe a decision; call it before the action is played."""
    definition = game.definition
    catalogue = definition.catalogue(language)

    def in_words(number: int) -> str:
        return localize(catalogue, definition.action_text(game.state, number))

    shown = [
        (in_words(candidate.action), candidate.chance, candidate.tried)
        for place, candidate in enumerate(candidates)
        if place < MOST_CANDIDATES or candidate.action == action
    ]
    return Reason(name, in_words(action), tuple(shown))


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
    """List the decisions that have a reason."""
    for number, reason in reasons.items():
        yield words.say("why.move", number=f"{number:>4}", name=reason.name, action=reason.chosen)
