"""Report the results of mutation testing, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from tools.mutate.explained import Explanation, entry_text
from tools.mutate.generated import Mutant
from tools.mutate.generated_run import Verdict
from tools.mutate.named import NamedVerdict

ENOUGH_PERCENT = 95.0


@dataclass
class Result:
    """The results."""

    game: str
    seconds: float = 0.0
    named: list[NamedVerdict] = field(default_factory=list)
    generated: list[Verdict] = field(default_factory=list)
    explanations: dict[tuple[str, str, str, str, int], Explanation] = field(default_factory=dict)
    stale: list[Explanation] = field(default_factory=list)
    whole: bool = True

    @property
    def missed(self) -> list[NamedVerdict]:
        return [verdict for verdict in self.named if not verdict.killed]

    @property
    def survivors(self) -> list[Mutant]:
        return [verdict.mutant for verdict in self.generated if not verdict.killed]

    @property
    def unexplained(self) -> list[Mutant]:
        return [mutant for mutant in self.survivors if mutant.key not in self.explanations]

    @property
    def killed(self) -> int:
        return len(self.generated) - len(self.survivors)

    @property
    def percent(self) -> float:
        return 100 * self.killed / len(self.generated) if self.generated else 100.0

    @property
    def good(self) -> bool:
        enough = self.percent >= ENOUGH_PERCENT or not self.whole
        return enough and not (self.missed or self.unexplained or self.stale)


def print_result(console: Console, result: Result) -> None:
    for missed in result.missed:
        reason = missed.problem or "no test of its rule notices"
        console.print(f"named mutant survives: {missed.mutant} ({reason})", markup=False)
    if result.unexplained:
        console.print("survivors without an explanation:")
        for mutant in result.unexplained:
            console.print(f"  {mutant}", markup=False)
        console.print(
            "\nkill them with tests, or explain in survivors.toml why they are equivalent:\n"
        )
        for mutant in result.unexplained:
            console.print(entry_text(mutant) + "\n", markup=False)
    for explanation in result.stale:
        console.print(f"outdated explanation, no such mutant survives: {explanation}", markup=False)
    table = Table(title=f"{result.game}: mutants in {result.seconds:.0f} s")
    for heading in ("", "tried", "killed", "%", "explained", "open"):
        table.add_column(heading, justify="right" if heading else "left")
    if result.named:
        tried, missed_count = len(result.named), len(result.missed)
        killed = tried - missed_count
        table.add_row(
            "named", str(tried), str(killed), f"{100 * killed / tried:.1f}", "", str(missed_count)
        )
    for file in dict.fromkeys(verdict.mutant.file for verdict in result.generated):
        part = Result(file, explanations=result.explanations)
        part.generated = [verdict for verdict in result.generated if verdict.mutant.file == file]
        table.add_row(f"  {file}", *_figures(part))
    if result.generated:
        table.add_row("generated", *_figures(result), style="bold")
    console.print(table)
    if result.whole and result.percent < ENOUGH_PERCENT:
        console.print(
            f"killed: {result.percent:.1f} %; at least {ENOUGH_PERCENT:.0f} % is required"
        )


def _figures(result: Result) -> tuple[str, ...]:
    opened = len(result.unexplained)
    explained = len(result.survivors) - opened
    counts = (str(len(result.generated)), str(result.killed), f"{result.percent:.1f}")
    return (*counts, str(explained), str(opened))


def as_json(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "good": result.good,
        "seconds": round(result.seconds, 1),
        "named": [
            {
                "rule": verdict.mutant.rule,
                "note": verdict.mutant.note,
                "killed_by": verdict.killed_by,
                "problem": verdict.problem,
            }
            for verdict in result.named
        ],
        "generated": {
            "tried": len(result.generated),
            "killed": result.killed,
            "timed_out": sum(verdict.timed_out for verdict in result.generated),
            "percent": round(result.percent, 2),
            "mutants": [_mutant_as_json(result, verdict) for verdict in result.generated],
        },
        "stale": [str(explanation) for explanation in result.stale],
    }


def _mutant_as_json(result: Result, verdict: Verdict) -> dict[str, Any]:
    mutant = verdict.mutant
    explanation = result.explanations.get(mutant.key)
    return {
        "id": mutant.id,
        "function": mutant.function,
        "before": mutant.before,
        "after": mutant.after,
        "killed_by": verdict.killed_by,
        "timed_out": verdict.timed_out,
        "explanation": None if verdict.killed or explanation is None else explanation.why,
    }
