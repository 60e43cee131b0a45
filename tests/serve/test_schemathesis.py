"""The HTTP API against requests generated from its OpenAPI description."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from archipel.serve.api.openapi import describe
from tests.serve.running import Running, make_application, running

DESCRIPTION = describe(make_application().routes.table)
schema = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(DESCRIPTION)))


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as server:
        yield server


@schema.parametrize()
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case: schemathesis.Case[Any], server: Running) -> None:
    # Refusals by the tables (an unknown game or bot) are not in the schema.
    excluded = [schemathesis.checks.positive_data_acceptance]
    case.call_and_validate(base_url=server.http, excluded_checks=excluded)
