"""``python -m tools.mutate.simulation``: deliberate faults in the tables' code, for the simulation.

Applies the faults of tests/simulation/mutants.toml one at a time and runs the seeds of the test
command until one fails. At least 28 of 30 must be caught.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.mutate.children import BaselineError, in_children, limit_time
from tools.mutate.named import (
    NamedMutant,
    NamedMutantError,
    apply_mutant,
    forget_imports,
    load_named,
    source_of,
)
from tools.rule_index import ROOT

MUTANTS = ROOT / "tests" / "simulation" / "mutants.toml"
#: The files of the mutants are relative to the folder of this package's parent.
PACKAGE = "archipel.tables"
FOLDER = ROOT / "src" / "archipel" / "tables"
CLIENT = ROOT / "client"
#: At most this share may survive.
MOST_SURVIVORS = 2 / 30
MOST_SECONDS = 900.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutate.simulation", description=(__doc__ or "").partition("\n\n")[2]
    )
    parser.add_argument("--only", default="", metavar="IDS", help="only these ids, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        only = set(filter(None, options.only.split(",")))
        mutants = [each for each in load_mutants() if not only or each.rule in only]
        results = try_all(mutants, options.jobs)
    except (BaselineError, NamedMutantError) as error:
        print(error, file=sys.stderr)
        return 2
    caught = [each for each in results if each["caught"]]
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        print_results(results)
    return 0 if len(caught) >= (1 - MOST_SURVIVORS) * len(results) else 1


def load_mutants() -> list[NamedMutant]:
    return load_named(MUTANTS, FOLDER)


def try_all(mutants: Sequence[NamedMutant], jobs: int) -> list[dict[str, Any]]:
    """A result for each mutant. Raises `BaselineError` if a seed fails without any."""
    results: dict[str, dict[str, Any]] = {}
    for mutant, answer in in_children([None, *mutants], _try, jobs):
        if mutant is None:
            if answer.get("caught") is not False:
                raise BaselineError(f"the seeds fail without any mutant ({answer})")
            continue
        if answer.get("timed_out"):
            answer = {"caught": True, "seed": None, "by": "no end in sight"}
        results[mutant.rule] = {"id": mutant.rule, "note": mutant.note, "caught": False, **answer}
        print(f"{mutant.rule}: {answer}", file=sys.stderr, flush=True)
    return [results[mutant.rule] for mutant in mutants]


def _try(mutant: NamedMutant | None) -> dict[str, Any]:
    forget_imports()
    limit_time(MOST_SECONDS)
    if mutant is not None and mutant.file.endswith(".ts"):
        return _try_client(mutant)
    if mutant is not None:
        apply_mutant(mutant, PACKAGE, FOLDER)
    from tests.simulation.plan import plan_of
    from tests.simulation.test_simulation import SEEDS
    from tests.simulation.world import run

    for seed in range(SEEDS if mutant else 100):
        problems = run(plan_of(seed)).problems
        if problems:
            return {"caught": True, "seed": seed, "by": problems[0]}
    return {"caught": False}


def _try_client(mutant: NamedMutant) -> dict[str, Any]:
    """Bundle a changed copy of the client, and play with its pages."""
    from dataclasses import replace

    from tests.simulation.pages import Node
    from tests.simulation.plan import plan_of
    from tests.simulation.test_simulation import PAGES
    from tests.simulation.world import run

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("src", "scripts"):
            shutil.copytree(CLIENT / part, copy / part)
        os.symlink(CLIENT / "node_modules", copy / "node_modules")
        changed = copy / source_of(mutant.file, FOLDER).resolve().relative_to(CLIENT)
        changed.write_text(changed.read_text("utf-8").replace(mutant.find, mutant.replace), "utf-8")
        node = Node(copy)
        try:
            for seed in range(PAGES):
                problems = run(replace(plan_of(seed), pages=True), node).problems
                if problems:
                    return {"caught": True, "seed": seed, "by": problems[0]}
        finally:
            node.close()
    return {"caught": False}


def print_results(results: Sequence[dict[str, Any]]) -> None:
    table = Table("fault", "what", "seed", "first violation")
    for each in results:
        found = str(each.get("by") or each.get("error") or "survived")
        table.add_row(each["id"], each["note"], str(each.get("seed", "")), found[:60])
    console = Console(highlight=False)
    console.print(table)
    caught = sum(each["caught"] for each in results)
    console.print(f"{caught} of {len(results)} faults are caught")


if __name__ == "__main__":
    sys.exit(main())
