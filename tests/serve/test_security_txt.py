"""`/.well-known/security.txt` names the operator's contact, and nobody else's."""

from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from archipel.cli import main
from tests.serve.running import make_application, stricter

ADDRESS = "/.well-known/security.txt"


def test_the_configured_contact_is_named() -> None:
    settings = stricter(security_contact="mailto:security@play.example")
    answer = TestClient(make_application(settings)).get(ADDRESS)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:security@play.example"
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert 0 < left.days < 365


def test_no_contact_is_invented() -> None:
    answer = TestClient(make_application()).get(ADDRESS)
    assert answer.status_code == 404
    assert "Contact" not in answer.text


@pytest.mark.parametrize("contact", ["security", "http://x.example/report", "mailto:a b", "tel:"])
def test_a_contact_that_is_no_address_is_refused(
    contact: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--security-contact", contact]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "--security-contact" in lines[-1]
