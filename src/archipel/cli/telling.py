"""A game in words: events, choices and results, with the names of the players."""

from __future__ import annotations

from collections.abc import Sequence

from archipel.cli.players import Player, bot_in_words
from archipel.game import Action, Game
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Event


def names_of(players: Sequence[Player]) -> list[str]:
    return [player.name for player in players]


def tell(game: Game, event: Event, words: Catalogue, players: Sequence[Player]) -> str:
    return game.definition.tell(event, words.language, dict(enumerate(names_of(players))))


def seats_line(players: Sequence[Player], language: str) -> str:
    """Who sits where, and at which level a bot plays."""
    names = [
        player.name if player.bot is None else bot_in_words(player.name, language)
        for player in players
    ]
    return "  " + "   ".join(f"{seat} {name}" for seat, name in enumerate(names, 1))


def action_labels(game: Game, words: Catalogue) -> list[tuple[Action, str]]:
    """The legal actions with what they mean to the seat to move."""
    seat = game.to_move
    assert seat is not None
    sentences = game.definition.catalogue(words.language)
    scene = game.definition.scene(game.view(seat).state, seat)
    meanings = {c.action: sentences.say(c.key, **c.details) for c in scene.choices}
    for choice in scene.choices:
        if "warning" in choice.details:
            warning = sentences.say(str(choice.details["warning"]))
            meanings[choice.action] += f". {warning}"
    return [(action, meanings[action]) for action in game.legal]


def final_table(game: Game, words: Catalogue, players: Sequence[Player]) -> list[str]:
    """Places and scores, the best first."""
    outcome = game.outcome
    assert outcome is not None
    why = game.definition.catalogue(words.language).say(outcome.reason)
    lines = [words.say("play.ended", why=why)]
    width = max(len(player.name) for player in players)
    for seat in sorted(range(game.seats), key=lambda seat: outcome.ranks[seat]):
        place, score = outcome.ranks[seat] + 1, outcome.scores[seat]
        lines.append(f"{place:>3}  {players[seat].name:<{width}}  {score:>4}")
    return lines
