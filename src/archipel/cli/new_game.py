"""``archipel new-game``: write a game package that passes the conformance suite."""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.rules.catalogue import Catalogue

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PLACEHOLDER = re.compile(r"\b(NAME|MODULE|TITLE|PREFIX)(?=\b|_)")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    name = arguments.name
    if not _NAME.fullmatch(name):
        raise UserError("new_game.name", name=name)
    folder = Path(arguments.into or name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError("new_game.exists", path=folder)
    values = {
        "NAME": name,
        "MODULE": name.replace("-", "_"),
        "TITLE": name.replace("-", " ").title(),
        "PREFIX": _prefix(name),
    }
    _write(files("archipel.cli") / "templates" / "new_game", folder, values)
    print(words.say("new_game.done", path=folder))
    print(words.say("new_game.done.examples", path=folder))
    return 0


def _prefix(name: str) -> str:
    """Return the prefix of rule ids: LT for low-tide, HE for hearts."""
    parts = name.split("-")
    letters = [part[0] for part in parts if part[0].isalpha()] if parts[1:] else name[:2]
    return "".join(letter for letter in letters if letter.isalpha()).upper()


def _write(template: Traversable, target: Path, values: dict[str, str]) -> None:
    """Copy a template, with its placeholders filled in, in names of files too."""
    if template.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for entry in template.iterdir():
            called = "MODULE" if entry.name == "package" else entry.name.removesuffix(".txt")
            _write(entry, target / re.sub("MODULE", values["MODULE"], called), values)
    else:
        text = _PLACEHOLDER.sub(lambda found: values[found[1]], template.read_text("utf-8"))
        target.write_text(text, "utf-8")
