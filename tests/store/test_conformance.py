"""Every store against every check of the conformance suite."""

import asyncio
from pathlib import Path

import pytest

from archipel.store import Limits
from tests.store.conformance import CHECKS, CHECKS_OF_LIMITS, Check
from tests.store.subjects import SMALL_LIMITS, MemorySubject, SqliteSubject, Subject

KINDS = ["memory", "sqlite"]


def make_subject(kind: str, folder: Path, limits: Limits | None = None) -> Subject:
    return MemorySubject(limits) if kind == "memory" else SqliteSubject(folder, limits)


async def run(check: Check, subject: Subject) -> None:
    await check(subject)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_store(kind: str, check: Check, tmp_path: Path) -> None:
    asyncio.run(run(check, make_subject(kind, tmp_path)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("check", CHECKS_OF_LIMITS, ids=lambda check: check.__name__)
def test_limits(kind: str, check: Check, tmp_path: Path) -> None:
    asyncio.run(run(check, make_subject(kind, tmp_path, SMALL_LIMITS)))
