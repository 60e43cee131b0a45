"""``archipel replay``: a recorded game, checked against the rules and told move by move."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from archipel.cli.choosing import whole_number
from archipel.cli.files import read_record
from archipel.cli.players import Player
from archipel.cli.telling import final_table, tell
from archipel.record import Record
from archipel.rules.catalogue import Catalogue
from archipel.rules.options import choice_text

MOST_MOVES = 10**9


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    record = read_record(Path(arguments.file))
    moves = len(record.game.moves)
    shown = moves
    if arguments.to is not None:
        shown = min(moves, whole_number("--to", arguments.to, 0, MOST_MOVES))
    players = _players(record)
    if arguments.json:
        data = _as_data(record, players, shown, words)
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        _print(record, players, shown, words)
    return 0


def _players(record: Record) -> list[Player]:
    """By name, or by seat where the record does not tell."""
    named = record.players or [str(seat + 1) for seat in range(record.game.seats)]
    return [Player(name) for name in named]


def _print(record: Record, players: list[Player], shown: int, words: Catalogue) -> None:
    game = record.game
    title = game.definition.title(words.language)
    print(words.say("replay.heading", title=title, players=", ".join(p.name for p in players)))
    for index, move in enumerate(game.moves[:shown]):
        print(f"\n{index + 1:>4}. {move}")
        for event in game.events(index):
            if event.seen_by is None:
                print(f"      {tell(game, event, words, players)}")
    print()
    if shown == len(game.moves) and game.is_over:
        print("\n".join(final_table(game, words, players)))
        return
    for _ in range(len(game.moves) - shown):
        game.undo()
    print(game.definition.picture(game.view().state, words.language))
    print()
    print(words.say("replay.stopped", shown=shown, name=_to_move(record, players)))


def _to_move(record: Record, players: list[Player]) -> str:
    seat = record.game.to_move
    assert seat is not None
    return players[seat].name


def _as_data(
    record: Record, players: list[Player], shown: int, words: Catalogue
) -> dict[str, object]:
    """Everything, the secret events too, each with who saw it."""
    game = record.game
    outcome = game.outcome if shown == len(game.moves) else None
    moves = [
        {
            "seat": move.seat,
            "action": move.action.text,
            "chance": move.chance,
            "events": [
                {
                    "key": event.key,
                    "details": dict(event.details),
                    "seen_by": None if event.seen_by is None else sorted(event.seen_by),
                    "text": tell(game, event, words, players),
                }
                for event in game.events(index)
            ],
        }
        for index, move in enumerate(game.moves[:shown])
    ]
    for _ in range(len(game.moves) - shown):
        game.undo()
    return {
        "game": game.name,
        "rules_version": game.definition.rules_version,
        "seats": game.seats,
        "options": {name: choice_text(value) for name, value in game.options},
        "players": [player.name for player in players],
        "moves": moves,
        "position": game.position.text,
        "outcome": None
        if outcome is None
        else {
            "ranks": list(outcome.ranks),
            "scores": list(outcome.scores),
            "reason": outcome.reason,
        },
    }
