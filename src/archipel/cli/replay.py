"""``archipel replay`` and ``verify``: check a recorded game and print it; check its dice."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.cli.game_text import final_table, tell
from archipel.cli.output import print_result
from archipel.cli.record_files import player_names, read_record
from archipel.game import Game
from archipel.rules.catalogue import Catalogue
from archipel.rules.options import choice_text

#: Exit status of `verify` for a game whose dice do not match its commitment.
UNFAIR = 1
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    record = read_record(Path(arguments.file))
    game, names = record.game, player_names(record)
    shown = len(game.moves) if arguments.to is None else min(len(game.moves), arguments.to)
    if arguments.json:
        return print_result(True, _as_data(game, names, shown, words), ())
    return print_result(False, None, _lines(game, names, shown, words))


def _lines(game: Game, names: list[str], shown: int, words: Catalogue) -> Iterator[str]:
    title = game.definition.title(words.language)
    yield words.say("replay.heading", title=title, players=", ".join(names))
    for index, move in enumerate(game.moves[:shown]):
        yield f"\n{index + 1:>4}. {move}"
        for event in game.events(index):
            if event.seen_by is None:
                yield f"      {tell(game, event, words, names)}"
    yield ""
    if shown == len(game.moves) and game.is_over:
        yield from final_table(game, words, names)
        return
    for _ in range(len(game.moves) - shown):
        game.undo()
    assert game.to_move is not None
    yield game.definition.picture(game.view().state, words.language)
    yield ""
    yield words.say("replay.stopped", shown=shown, name=names[game.to_move])


def _as_data(game: Game, names: list[str], shown: int, words: Catalogue) -> dict[str, object]:
    """All events, also the secret ones, each with the seats that saw it."""
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
                    "text": tell(game, event, words, names),
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
        "players": names,
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
    commitment = None if record.fairness is None else record.fairness.commitment
    data = {
        "fair": verdict.is_fair,
        "outcomes": verdict.outcomes,
        "faults": verdict.faults,
        "shares": [seat + 1 for seat in verdict.shares],
        "commitment": commitment,
    }
    lines = [words.say("verify.unfair"), *(f"  {fault}" for fault in verdict.faults)]
    if verdict.is_fair:
        names = ", ".join(player_names(record)[seat] for seat in verdict.shares)
        shares = words.say("verify.shares", names=names) if names else words.say("verify.no_shares")
        lines = [words.say("verify.fair", outcomes=verdict.outcomes), shares]
        if not arguments.commitment and commitment is not None:
            lines.append(words.say("verify.compare", commitment=commitment))
    print_result(arguments.json, data, lines)
    return 0 if verdict.is_fair else UNFAIR
