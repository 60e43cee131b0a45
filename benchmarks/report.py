"""The results of one run, as a table and as JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "archipel.benchmarks"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Figure:
    """A measured figure; ``least`` is its target, if any."""

    key: str
    label: str
    value: float
    unit: str
    least: float | None = None

    @property
    def met(self) -> bool | None:
        return None if self.least is None else self.value >= self.least

    def __str__(self) -> str:
        shown = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:.3g}"
        line = f"{self.label:<44}{shown:>14} {self.unit}"
        if self.least is None:
            return line
        return f"{line:<78}{'reached' if self.met else 'MISSED'}: at least {self.least:,g}"


@dataclass
class Report:
    game: str
    seats: int
    repetitions: int
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self, key: str, label: str, value: float, unit: str, least: float | None = None
    ) -> None:
        self.figures.append(Figure(key, label, value, unit, least))

    def __str__(self) -> str:
        head = f"{self.game}, {self.seats} seats, random play; {machine()['processor']}"
        how = f"best of {self.repetitions} repetitions, interleaved"
        return "\n".join([head, how, "", *map(str, self.figures), "", *self.notes])

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "game": self.game,
            "seats": self.seats,
            "repetitions": self.repetitions,
            "machine": machine(),
            "figures": {
                figure.key: {
                    "value": figure.value,
                    "unit": figure.unit,
                    "least": figure.least,
                    "met": figure.met,
                }
                for figure in self.figures
            },
            "notes": self.notes,
        }

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=2) + "\n", "utf-8")


def machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
