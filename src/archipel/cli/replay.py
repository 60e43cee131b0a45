"""``archipel replay`` and ``verify``: check a recorded game and print it; check its dice."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from archipel.cli.argument_values import whole_number
from archipel.cli.errors import UserError
from archipel.cli.game_text import final_table, tell
from archipel.cli.output import print_json
from archipel.cli.players import Player
from archipel.cli.record_files import player_names, read_record
from archipel.record import Record
from archipel.rules.catalogue import Catalogue
from archipel.rules.options import choice_text

MOST_MOVES = 10**9
#: Exit status of `verify` for a game whose dice do not match its commitment.
UNFAIR = 1
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    record = read_record(Path(arguments.file))
    moves = len(record.game.moves)
    shown = moves
    if arguments.to is not None:
        shown = min(moves, whole_number("--to", arguments.to, 0, MOST_MOVES))
    players = [Player(name) for name in player_names(record)]
    if arguments.json:
        data = _as_data(record, players, shown, words)
        print_json(data)
    else:
        _print(record, players, shown, words)
    return 0


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
    """All events, also the secret ones, each with the seats that saw it."""
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


def run_verify(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.tables.log.records import verify

    for seen in arguments.commitment:
        if not _HASH.fullmatch(seen):
            raise UserError("error.bad_commitment", text=seen)
    record = read_record(Path(arguments.file))
    verdict = verify(record, arguments.commitment)
    if arguments.json:
        data = {
            "fair": verdict.is_fair,
            "outcomes": verdict.outcomes,
            "faults": verdict.faults,
            "shares": [seat + 1 for seat in verdict.shares],
            "commitment": None if record.fairness is None else record.fairness.commitment,
        }
        print_json(data)
    elif verdict.is_fair:
        print(words.say("verify.fair", outcomes=verdict.outcomes))
        names = ", ".join(player_names(record)[seat] for seat in verdict.shares)
        print(words.say("verify.shares", names=names) if names else words.say("verify.no_shares"))
        if not arguments.commitment and record.fairness is not None:
            print(words.say("verify.compare", commitment=record.fairness.commitment))
    else:
        print(words.say("verify.unfair"))
        for fault in verdict.faults:
            print(f"  {fault}")
    return 0 if verdict.is_fair else UNFAIR
