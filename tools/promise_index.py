"""Generate docs/promises.md: each promise, its conditions, and the tests that hold it.

The promises are in `docs/promises.toml`; a test names those it holds with
``@pytest.mark.promise("durable")``. Nothing is run: both are read.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.rule_index import Place, marks_of_tests, places

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("docs", "promises.toml")
PAGE = Path("docs", "promises.md")

HEADING = """\
# Promises

What a server of Archipel promises to its players and its operator: each promise in one sentence,
the conditions under which it holds, and the tests that fail if it is broken.
[Security](../SECURITY.md) says against whom; [Hosting](hosting.md) how to meet the conditions.

Made by `python -m tools.promise_index` from `docs/promises.toml` and the tests; do not edit.
"""


def read_promises() -> dict[str, dict[str, str]]:
    """Return the promises by id: their title, sentence and conditions."""
    return tomllib.loads((ROOT / SOURCE).read_text("utf-8"))


def tested() -> list[tuple[str, Place]]:
    """Return the promises that tests name, with the tests."""
    return list(marks_of_tests(ROOT / "tests", "promise"))


def page() -> str:
    """Return the content of the page."""
    holding = tested()
    parts = [HEADING]
    for name, promise in read_promises().items():
        tests = places("../tests", [place for each, place in holding if each == name])
        parts.append(
            f"\n## {promise['title']}\n\n**{promise['promise']}**\n\n"
            f"*Conditions:* {promise['conditions']}\n\n*Held by:* {tests}\n"
        )
    return "".join(parts)


def complaints() -> list[str]:
    """Return the problems, one line each."""
    promises, holding = read_promises(), tested()
    held = {name for name, _ in holding}
    found = [
        f'{name}: no test has @pytest.mark.promise("{name}")'
        for name in promises
        if name not in held
    ]
    found += [
        f"tests/{place.file}: {place.function} names unknown promise {name}"
        for name, place in holding
        if name not in promises
    ]
    path = ROOT / PAGE
    if not path.exists() or path.read_text("utf-8") != page():
        found.append(f"{PAGE.as_posix()} is stale: run python -m tools.promise_index")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.promise_index",
        description="Write docs/promises.md: what is promised, and the tests that hold it.",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; print problems and exit with 1"
    )
    if not parser.parse_args(arguments).check:
        (ROOT / PAGE).write_text(page(), "utf-8")
    found = complaints()
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
