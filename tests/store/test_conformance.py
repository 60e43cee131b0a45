"""Every store against every check of the conformance suite."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from archipel.store.limits import Limits
from tests.store.conformance import CHECKS, LIMIT_CHECKS, Check
from tests.store.subjects import (
    SMALL_LIMITS,
    Subject,
    browser_subject,
    memory_subject,
    postgresql_subject,
    sqlite_subject,
)
from tests.support.postgresql import database

KINDS = ["memory", "browser", "sqlite", "postgresql"]


@contextmanager
def make_subject(kind: str, folder: Path, limits: Limits | None = None) -> Iterator[Subject]:
    if kind == "memory":
        yield memory_subject(limits)
    elif kind == "browser":
        yield browser_subject(limits)
    elif kind == "sqlite":
        yield sqlite_subject(folder, limits)
    else:
        with database() as address:
            yield postgresql_subject(address, limits)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_store(kind: str, check: Check, tmp_path: Path) -> None:
    with make_subject(kind, tmp_path) as subject:
        asyncio.run(check(subject))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("check", LIMIT_CHECKS, ids=lambda check: check.__name__)
def test_limits(kind: str, check: Check, tmp_path: Path) -> None:
    with make_subject(kind, tmp_path, SMALL_LIMITS) as subject:
        asyncio.run(check(subject))
