"""The HTTP API against requests generated from its OpenAPI description."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from archipel.serve.api.openapi import describe
from tests.serve.running import Running, make_application, running

APPLICATION = make_application()
DESCRIPTION = describe(APPLICATION.routes.table, APPLICATION.bots_of)
schema = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(DESCRIPTION)))

# Refusals by the tables (a bot that does not play the game) are not in the schema.
schema.config.checks.update(excluded_check_names=["positive_data_acceptance"])
# A large body is refused by its size (413), and nobody is the operator of this server (404).
schema.config.checks.negative_data_rejection.expected_statuses = ["4xx"]
schema.config.checks.missing_required_header.expected_statuses = ["401", "404"]


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
    case.call_and_validate(base_url=server.http)


def test_generated_sequences_of_requests_make_tables_and_play_on(server: Running) -> None:
    """Follows the links from each answer to the requests that take its id."""
    schema.config.update(base_url=server.http)
    before = server.application.service.statistics()["accepted"]
    run_state_machine_as_test(
        schema.as_state_machine(),
        settings=settings(
            max_examples=15,
            stateful_step_count=6,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert server.application.service.statistics()["accepted"] > before
