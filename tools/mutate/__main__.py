"""``python -m tools.mutate deep-sea``: mutation tests of a game's rules."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.kit.core.decorators import AnyRule
from tools.mutate.children import BaselineError
from tools.mutate.explained import ExplanationError, load_explanations
from tools.mutate.generated import Mutant, generate
from tools.mutate.generated_run import try_mutants
from tools.mutate.named import (
    NamedMutant,
    NamedMutantError,
    load_named,
    module_of,
    try_named,
)
from tools.mutate.report import Result, as_json, print_result
from tools.rule_index import ROOT, marks_of_tests, package_folder

EXAMPLES = """\
examples:
  python -m tools.mutate deep-sea                   named mutants, then all generated ones
  python -m tools.mutate deep-sea --named           only those of mutants.toml
  python -m tools.mutate deep-sea --only swim_home  those whose id, function or rule has this in it
  python -m tools.mutate deep-sea --only 'turn.py:*:compare*'
  python -m tools.mutate deep-sea --list            what would be tried

A named mutant must be killed by a test with the marker of its rule. Of the generated ones
95 % must be killed, and survivors.toml beside the tests must say of each other one why it is
no fault.

exit status: 0 all is well, 1 the tests let too much through, 2 nothing could be tried
"""


class UsageError(ValueError):
    """The arguments cannot be used. The message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    try:
        definition = game_named(options.game)
        if options.list:
            for line in _listed(definition, options):
                print(line)
            return 0
        result = _try(definition, options)
    except (
        BaselineError,
        ExplanationError,
        NamedMutantError,
        UnknownGameError,
        UsageError,
    ) as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(as_json(result), indent=2))
    else:
        print_result(console, result)
    return 0 if result.good else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutate",
        description="Break a game's rules on purpose, one place at a time, and run its tests.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help="a game, such as deep-sea")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of parallel processes (default: the number of processors)",
    )
    parser.add_argument("--named", action="store_true", help="run only the named mutants")
    parser.add_argument(
        "--only", metavar="PATTERN", help="run only matching mutants; see the examples"
    )
    parser.add_argument("--list", action="store_true", help="list the mutants; run nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


# ---- choosing -----------------------------------------------------------------------------------


def folder_of_tests(definition: Definition[Any]) -> Path:
    """The folder of a game's tests, and its two files about mutants."""
    return ROOT / "tests" / "rules" / definition.package.rpartition(".")[2]


def _named(definition: Definition[Any], only: str | None) -> list[NamedMutant]:
    folder = package_folder(definition)
    mutants = load_named(folder_of_tests(definition) / "mutants.toml", folder)
    return [mutant for mutant in mutants if _chosen(only, mutant.rule)]


def _generated(definition: Definition[Any], only: str | None) -> list[Mutant]:
    """Return the shared rules that this game uses."""
    entries: list[AnyRule] = [definition.set_up, definition.legal, definition.apply]
    entries += [definition.view, definition.deal_unseen, definition.score, definition.rank]
    program = definition.program(*entries)
    played = {(rule.__module__, rule.__name__) for rule in program.rules()}
    return [
        mutant
        for mutant in generate(package_folder(definition))
        if _chosen(only, mutant.id, mutant.function)
        and ("/" not in mutant.file or (_module(definition, mutant), mutant.function) in played)
    ]


def _module(definition: Definition[Any], mutant: Mutant) -> str:
    return module_of(mutant.file, definition.package)


def _chosen(only: str | None, *names: str) -> bool:
    """Whether a pattern matches; without a wildcard, part of a name (but DS-T1 is not DS-T11)."""
    if only is None:
        return True
    return any(fnmatch.fnmatch(name, only) or _within(only, name) for name in names)


def _within(part: str, name: str) -> bool:
    index = name.find(part)
    after = name[index + len(part) :][:1]
    return index >= 0 and not (part[-1:].isdigit() and after.isdigit())


def _listed(definition: Definition[Any], options: argparse.Namespace) -> list[str]:
    lines = [str(mutant) for mutant in _named(definition, options.only)]
    if not options.named:
        lines += [str(mutant) for mutant in _generated(definition, options.only)]
    return lines


# ---- trying -------------------------------------------------------------------------------------


def _try(definition: Definition[Any], options: argparse.Namespace) -> Result:
    if not hasattr(os, "fork"):
        raise UsageError("mutation testing needs os.fork, which this system does not have")
    if options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    started = time.monotonic()
    result = Result(definition.name, whole=options.only is None)
    named = _named(definition, options.only)
    generated = [] if options.named else _generated(definition, options.only)
    if not named and not generated:
        raise UsageError(f"no mutant matches {options.only!r}; see --list")
    if named:
        _try_named(definition, named, options, result)
    if generated:
        _try_generated(definition, generated, options, result)
    result.seconds = time.monotonic() - started
    return result


def _try_named(
    definition: Definition[Any],
    mutants: list[NamedMutant],
    options: argparse.Namespace,
    result: Result,
) -> None:
    tests: dict[str, list[str]] = {}
    for rule, place in marks_of_tests(ROOT / "tests", "rule"):
        tests.setdefault(rule, []).append(f"{ROOT / 'tests' / place.file}::{place.function}")
    for mutant in mutants:
        if mutant.rule not in tests:
            raise UsageError(f"{mutant.rule}: no test has that marker")
    with _progress(options) as bar:
        task = bar.add_task("named", total=len(mutants)) if bar else None
        result.named = try_named(
            definition.package,
            package_folder(definition),
            mutants,
            {mutant.rule: list(dict.fromkeys(tests[mutant.rule])) for mutant in mutants},
            options.jobs,
            lambda _: bar.advance(task) if bar and task is not None else None,
        )


def _try_generated(
    definition: Definition[Any],
    mutants: list[Mutant],
    options: argparse.Namespace,
    result: Result,
) -> None:
    folder = folder_of_tests(definition)
    explanations = load_explanations(folder / "survivors.toml")
    with _progress(options) as bar:
        task = bar.add_task("generated", total=len(mutants)) if bar else None
        result.generated = try_mutants(
            definition.package,
            folder,
            mutants,
            options.jobs,
            lambda _: bar.advance(task) if bar and task is not None else None,
        )
    survivors = {mutant.key for mutant in result.survivors}
    tried = {mutant.key for mutant in mutants}
    result.explanations = {explanation.key: explanation for explanation in explanations}
    result.stale = [
        explanation
        for explanation in explanations
        if explanation.key not in survivors and (result.whole or explanation.key in tried)
    ]


def _progress(options: argparse.Namespace) -> Any:
    if options.json:
        return nullcontext()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )


if __name__ == "__main__":
    sys.exit(main())
