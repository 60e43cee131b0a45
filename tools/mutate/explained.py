"""Survivors that no test can kill, because they change nothing: each with the reason why."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutate.generated import Mutant


class ExplanationError(ValueError):
    """The file of explained survivors is wrong; the message says where."""


@dataclass(frozen=True)
class Explanation:
    """Why a mutant is no fault. It is named by what it changes, not by its line."""

    file: str
    function: str
    before: str
    after: str
    occurrence: int
    why: str

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        return self.file, self.function, self.before, self.after, self.occurrence

    def __str__(self) -> str:
        return f"{self.file} {self.function}: {self.before}  →  {self.after}"


def load_explanations(path: Path) -> list[Explanation]:
    """The explanations beside a game's tests; raises `ExplanationError`."""
    if not path.exists():
        return []
    found = []
    for number, entry in enumerate(tomllib.loads(path.read_text("utf-8")).get("survivor", []), 1):
        known = {"file", "function", "before", "after", "why"}
        if not known <= set(entry) <= known | {"occurrence"} or not str(entry["why"]).strip():
            raise ExplanationError(
                f"{path.name}, survivor {number}: expected file, function, before, after and why, "
                "and occurrence where the same change is possible several times"
            )
        found.append(
            Explanation(
                entry["file"],
                entry["function"],
                entry["before"],
                entry["after"],
                entry.get("occurrence", 1),
                entry["why"],
            )
        )
    return found


def entry_text(mutant: Mutant) -> str:
    """The entry to write for a survivor, but for the reason."""
    lines = [
        "[[survivor]]",
        f"file = {mutant.file!r}",
        f"function = {mutant.function!r}",
        f"before = {_quoted(mutant.before)}",
        f"after = {_quoted(mutant.after)}",
    ]
    if mutant.occurrence > 1:
        lines.append(f"occurrence = {mutant.occurrence}")
    return "\n".join([*lines, "why = ''"])


def _quoted(text: str) -> str:
    return f"'{text}'" if "'" not in text else f"'''{text}'''"
