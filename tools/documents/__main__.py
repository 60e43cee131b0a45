"""Build the documents into the folder that the server serves, or into another one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.documents.building import build
from tools.documents.pages import DocumentsError
from tools.documents.sources import SERVED, STAMP, is_stale

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.documents",
        description="Build the documents as a site; the server shows it under /docs.",
    )
    parser.add_argument("--into", type=Path, default=ROOT / SERVED, metavar="FOLDER")
    parser.add_argument(
        "--when-stale", action="store_true", help="build only if the site is out of date"
    )
    given = parser.parse_args(arguments)
    folder: Path = given.into.resolve()
    if given.when_stale and not is_stale(ROOT, folder):
        return 0
    if folder.exists() and any(folder.iterdir()) and not (folder / STAMP).is_file():
        print(f"documents: {folder} contains other files: name an empty folder", file=sys.stderr)
        return 2
    try:
        build(ROOT, folder)
    except (DocumentsError, OSError) as error:
        print(f"documents: {error}", file=sys.stderr)
        return 1
    print(f"documents: built into {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
