"""A program that compiles quickly, for tests of loading."""

from __future__ import annotations

import time
from dataclasses import dataclass

from archipel.rules.kit import Program, rule, scalar, state


@state
@dataclass(slots=True)
class Counter:
    count: int = scalar("i8")


@rule
def add(s: Counter, number: int) -> int:
    s.count += number
    return s.count


PROGRAM = Program("small", Counter, (add,))


def make_program(name: str) -> Program:
    return Program(name, Counter, (add,))


def not_a_program() -> int:
    return 7


def wait() -> None:
    """Stands for a long compilation; says so if nothing ends it."""
    print("compiling", flush=True)
    time.sleep(60)
    print("still there", flush=True)
