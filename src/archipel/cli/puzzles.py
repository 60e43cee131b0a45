"""``archipel puzzles``: find decisions of self-play that decide a turn."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from archipel.analysis.html_report import percent
from archipel.cli.argument_values import find_game, make_options
from archipel.cli.errors import UserError, resumable
from archipel.cli.output import columns, print_result, progress_bar
from archipel.cli.record_files import check_can_save, reports_os_errors, write_file
from archipel.puzzles import Puzzle, PuzzleError, check_puzzle, read_collection
from archipel.puzzles.puzzle import Collection
from archipel.puzzles.puzzle_library import parse_collection
from archipel.puzzles.puzzle_validation import check_turns
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition
from archipel.rules.options import choice_text
from archipel.study.puzzle_search.find_puzzles import (
    Found,
    FoundError,
    Solved,
    choose_puzzles,
    collect,
    find_puzzles,
    head_of,
    read_found,
    solve,
)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    try:
        if arguments.check:
            return _check(arguments, game, words)
        if arguments.choose is not None:
            return _choose(arguments, game, words)
        return _find(arguments, game, words)
    except FoundError as error:
        raise UserError(f"puzzles.{error.why}", **error.details) from None


def _find(arguments: argparse.Namespace, game: Definition[Any], words: Catalogue) -> int:
    file = Path(_one_file(arguments) or f"puzzles-{game.name}.jsonl")
    found = _read(file, game) if arguments.show else _played(arguments, game, file, words)
    data = {
        **msgspec.to_builtins(found.head),
        "games": len(found.games),
        "decisions": found.decisions,
        "puzzles": msgspec.to_builtins(found.puzzles),
    }
    heading = words.say(
        "puzzles.heading",
        game=game.name,
        games=len(found.games),
        decisions=found.decisions,
        puzzles=len(found.puzzles),
    )
    table = _table(found.puzzles, words) if found.puzzles else []
    lines = [heading, *table, words.say("puzzles.kept", file=file)]
    return print_result(arguments.json, data, lines)


def _played(
    arguments: argparse.Namespace, game: Definition[Any], file: Path, words: Catalogue
) -> Found:
    check_can_save(file, may_replace=True)
    options = make_options(game, game.seats[0], arguments.settings)
    named = {setting.partition("=")[0] for setting in arguments.settings}
    chosen = {name: choice_text(value) for name, value in options if name in named}
    head = head_of(game.name, chosen, arguments.seed)
    with (
        resumable(file),
        reports_os_errors(file, "puzzles.file"),
        progress_bar(words) as on_progress,
    ):
        return find_puzzles(file, head, arguments.games, on_progress=on_progress)


def _one_file(arguments: argparse.Namespace) -> str | None:
    if len(arguments.file) > 1:
        raise UserError("puzzles.one_file")
    return arguments.file[0] if arguments.file else None


def _read(file: Path, game: Definition[Any]) -> Found:
    with reports_os_errors(file, "puzzles.file"):
        found = read_found(file)
    head = found.head
    if (head.game, head.rules_version, head.board) != (game.name, game.rules_version, game.board):
        raise FoundError("other", file=file)
    return found


def _table(puzzles: Sequence[Puzzle], words: Catalogue) -> list[str]:
    heads = ("number", "grade", "best", "chance", "next", "chance", "greedy")
    rows = [[words.say(f"puzzles.head.{head}") for head in heads]]
    for number, puzzle in enumerate(puzzles, 1):
        row = [str(number), str(puzzle.grade)]
        for each in (puzzle.best, puzzle.wrong_choices[0]):
            row += [each.action, percent(each.chance, words)]
        rows.append([*row, puzzle.greedy])
    return list(columns(rows))


def _choose(arguments: argparse.Namespace, game: Definition[Any], words: Catalogue) -> int:
    """Choose a collection from the puzzles found, and measure which bots solve it."""
    count = arguments.choose
    sources = [Path(file) for file in arguments.file or [f"puzzles-{game.name}.jsonl"]]
    target = Path(arguments.to or f"puzzles-{game.name}.json")
    check_can_save(target, may_replace=arguments.force)
    found = [puzzle for source in sources for puzzle in _read(source, game).puzzles]
    while True:
        chosen = choose_puzzles(found, count)
        if len(chosen) < count:
            files = ", ".join(map(str, sources))
            raise UserError("puzzles.too_few", file=files, puzzles=len(chosen), count=count)
        collection, solved = _solved(game, chosen, words)
        failed = [puzzle for puzzle, by in zip(chosen, solved, strict=True) if not by.master]
        if not failed:
            break
        # A puzzle that the master fails with another seed is not clear enough.
        found = [puzzle for puzzle in found if puzzle not in failed]
    _save(target, collection)
    return _report(arguments, collection, words, target)


def _check(arguments: argparse.Namespace, game: Definition[Any], words: Catalogue) -> int:
    """Check the shipped collection, or that of a file, and measure which bots solve it.

    The exit code is 1 if the master fails a puzzle, or greedy solves more than half.
    """
    collection = _collection(arguments, game)
    for number, puzzle in enumerate(collection.puzzles, 1):
        try:
            check_puzzle(game.name, puzzle)
            check_turns(game.name, puzzle)
        except PuzzleError as error:
            raise UserError("puzzles.wrong", number=number, why=error) from None
    collection, solved = _solved(game, collection.puzzles, words)
    if arguments.to is not None:
        target = Path(arguments.to)
        check_can_save(target, may_replace=arguments.force)
        _save(target, collection)
    _report(arguments, collection, words, None)
    holds = all(each.master for each in solved) and (
        2 * collection.measured.greedy_solved <= len(solved)
    )
    return 0 if holds else 1


def _collection(arguments: argparse.Namespace, game: Definition[Any]) -> Collection:
    file = _one_file(arguments)
    try:
        if file is not None:
            with reports_os_errors(Path(file), "puzzles.file"):
                content = Path(file).read_bytes()
            return parse_collection(game.name, content)
        shipped = read_collection(game.name)
    except PuzzleError as error:
        raise UserError("puzzles.no_collection", why=error) from None
    if shipped is None:
        raise UserError("puzzles.none", game=game.name)
    return shipped


def _solved(
    game: Definition[Any], puzzles: Sequence[Puzzle], words: Catalogue
) -> tuple[Collection, list[Solved]]:
    with progress_bar(words, "puzzles.solving") as on_progress:
        measured, solved = solve(game.name, puzzles, on_progress=on_progress)
    return collect(game.name, puzzles, measured), solved


def _save(target: Path, collection: Collection) -> None:
    write_file(target, msgspec.json.format(msgspec.json.encode(collection), indent=1) + b"\n")


def _report(
    arguments: argparse.Namespace, collection: Collection, words: Catalogue, target: Path | None
) -> int:
    measured = collection.measured
    counts = words.say(
        "puzzles.measured",
        puzzles=len(collection.puzzles),
        master=measured.master,
        master_solved=measured.master_solved,
        simple=measured.greedy,
        simple_solved=measured.greedy_solved,
    )
    lines = [*_table(collection.puzzles, words), counts]
    if target is not None:
        lines.append(words.say("puzzles.kept", file=target))
    return print_result(arguments.json, msgspec.to_builtins(collection), lines)
