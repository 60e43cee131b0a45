"""Prepare and check a release step by step, and tag it if everything passes.

    python -m tools.release 0.2.0 --prepare  write the version and the section of the changelog
    python -m tools.release 0.2.0            check only: changes nothing but dist/release
    python -m tools.release 0.2.0 --tag      check, then create the tag v0.2.0 (nothing is pushed)

The checks: the working tree is clean; the version is the one in the package and in CITATION.cff;
CHANGELOG.md has a dated section for it; all tests pass, those of upgrades among them; two builds in
two folders are equal, and the wheel contains the client, the documents and the engines. The folder
dist/release then has the wheel, the source archive, the bill of materials and their checksums.
Pushing the tag makes .github/workflows/release.yml build them again, compare and attest them.
"""

from __future__ import annotations

import argparse
import datetime
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from tools.reproducible import NotReproducible, build_twice, write_checksums
from tools.sbom import WrongVersion, write_sbom

ROOT = Path(__file__).resolve().parents[1]
#: Where the files of a release are put.
BUILT = Path("dist", "release")
MATERIALS = "archipel.cdx.json"
UNRELEASED = "## [Unreleased]"
#: The places of the version: file, and pattern of its line.
VERSIONS = (
    ("src/archipel/__init__.py", r'^__version__ = "(.*)"$'),
    ("CITATION.cff", r"^version: (.*)$"),
)

GAMES = ("atlantis", "deep-sea", "mauna-kea", "the-island")
#: Files that a complete wheel contains.
WHEEL_FILES = (
    "archipel/serve/static/index.html",
    "archipel/serve/documents/index.html",
    "archipel/serve/documents/index.fr.html",
    *(f"archipel/bots/engine/brought/{game}.wasm" for game in GAMES),
    *(f"archipel/bots/engine/brought/{game}.checker.wasm" for game in GAMES),
    "archipel/store/sqlite/migration-1.sql",
    "archipel/store/postgresql/migration-1.sql",
    "archipel/envs/batch.cu",
)


class Failed(Exception):
    """A check failed. The message says what to do."""


def prepare(version: str, today: datetime.date) -> None:
    """Write the version, and turn what is unreleased into its section of the changelog."""
    path = ROOT / "CHANGELOG.md"
    text = path.read_text("utf-8")
    head, found, rest = text.partition(f"{UNRELEASED}\n")
    if not found or f"## [{version}]" in text:
        raise Failed(f"CHANGELOG.md needs a section '{UNRELEASED}' and none of {version}")
    if not rest.split("\n## ")[0].strip():
        raise Failed(f"CHANGELOG.md has nothing under '{UNRELEASED}'")
    path.write_text(f"{head}{UNRELEASED}\n\n## [{version}] - {today.isoformat()}\n{rest}", "utf-8")
    for name, pattern in VERSIONS:
        file = ROOT / name
        line = pattern.strip("^$").replace("(.*)", version)
        file.write_text(re.sub(pattern, line, file.read_text("utf-8"), flags=re.MULTILINE), "utf-8")


def check_tree(version: str) -> None:
    if _output("git", "status", "--porcelain"):
        raise Failed("the working tree has changes: commit or stash them")
    if _output("git", "tag", "--list", f"v{version}"):
        raise Failed(f"the tag v{version} exists already")


def check_version(version: str) -> None:
    for name, pattern in VERSIONS:
        found = re.search(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            raise Failed(f"{name} has version {found and found[1]}: set it to {version}")


def check_changelog(version: str) -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    head = re.search(rf"^## \[{re.escape(version)}\] - (\S+)$", text, re.MULTILINE)
    if head is None:
        raise Failed(f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'")
    try:
        datetime.date.fromisoformat(head[1])
    except ValueError as error:
        raise Failed(f"CHANGELOG.md: {head[1]} is not a date") from error


def check_tests(version: str) -> None:
    _run(sys.executable, "run.py", "test", "--all")


def check_build(version: str) -> None:
    folder = ROOT / BUILT
    shutil.rmtree(folder, ignore_errors=True)
    try:
        built = build_twice(folder)
        materials = folder / MATERIALS
        write_sbom(materials)
    except (NotReproducible, WrongVersion, subprocess.CalledProcessError) as error:
        raise Failed(str(error)) from error
    write_checksums(folder, [*built, materials])
    (wheel,) = folder.glob("archipel-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for wanted in WHEEL_FILES:
        if not any(name.startswith(wanted) for name in names):
            raise Failed(f"the wheel lacks {wanted}")


CHECKS: dict[str, Callable[[str], None]] = {
    "working tree": check_tree,
    "version": check_version,
    "changelog": check_changelog,
    "tests": check_tests,
    "build": check_build,
}


def _output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise Failed(f"{' '.join(command[1:])} failed")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("version", help="the version to release, for example 0.2.0")
    parser.add_argument("--prepare", action="store_true", help="write the version and changelog")
    parser.add_argument("--tag", action="store_true", help="create the tag if all checks pass")
    parser.add_argument("--skip", choices=CHECKS, action="append", default=[], help="skip a check")
    given = parser.parse_args(arguments)
    if given.prepare:
        try:
            prepare(given.version, datetime.datetime.now(datetime.UTC).date())
        except Failed as failure:
            print(f"FAILED   {failure}")
            return 1
        print("written. Read and commit it, then check without --prepare.")
        return 0
    failures = 0
    for name, check in CHECKS.items():
        if name in given.skip:
            print(f"skipped  {name}", flush=True)
            continue
        try:
            check(given.version)
        except Failed as failure:
            failures += 1
            print(f"FAILED   {name}: {failure}", flush=True)
        else:
            print(f"ok       {name}", flush=True)
    if failures or not given.tag:
        return 1 if failures else 0
    if given.skip:
        print("not tagged: a check was skipped")
        return 1
    _run("git", "tag", "--annotate", f"v{given.version}", "--message", f"Archipel {given.version}")
    print(f"tagged v{given.version}. To publish: git push origin v{given.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
