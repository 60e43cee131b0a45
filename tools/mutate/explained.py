"""Equivalent mutants: survivors that change nothing, each with a reason."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutate.generated import Mutant


class ExplanationError(ValueError):
    """The file of explanations is invalid. The message says where."""


@dataclass(frozen=True)
class Explanation:
    """The reason why a mutant is equivalent; identifies it by its change, not its line."""

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
    """Read the explanations beside a game's tests. Raises `ExplanationError`."""
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
    """Return the entry for a survivor, with an empty reason."""
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
