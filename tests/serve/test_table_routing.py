"""Table routing by the first bytes of a connection."""

import random

import pytest

from archipel.serve.transport.table_routing import PEEK_BYTES, requested_table, worker_of

TABLE = "aB3_-xyz9Q"
HEAD = f"GET /api/tables/{TABLE}/socket HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@pytest.mark.parametrize(
    "first_bytes",
    [
        HEAD,
        HEAD[: HEAD.index(b"HTTP")],  # the rest has not arrived yet
        HEAD + HEAD.replace(TABLE.encode(), b"another-table"),  # pipelined: the first counts
        f"GET /api/tables/{TABLE}/socket?after=3 HTTP/1.1\r\n".encode(),
        f"GET /api/tables/%61{TABLE[1:]}/s%6Fcket HTTP/1.1\r\n".encode(),
        b"GET /%s HTTP/1.1\r\n" % b"".join(b"%%%02X" % c for c in HEAD.split(b" ")[1][1:]),
    ],
)
def test_requested_table(first_bytes: bytes) -> None:
    assert requested_table(first_bytes[:PEEK_BYTES]) == TABLE


def test_the_longest_escaped_path_fits() -> None:
    path = f"/api/tables/{'z' * 32}/socket"
    escaped = "".join(f"%{ord(letter):02x}" for letter in path[1:])
    assert requested_table(f"GET /{escaped} HTTP/1.1\r\n".encode()[:PEEK_BYTES]) == "z" * 32


@pytest.mark.parametrize(
    "first_bytes",
    [
        b"",
        b"G",
        HEAD[: HEAD.index(b" HTTP")],  # the id may be incomplete
        HEAD.replace(b"GET", b"get"),
        HEAD.replace(b"GET", b"POST"),
        HEAD.replace(b"/api/", b"/API/"),
        HEAD.replace(b"/socket", b"/Socket"),
        HEAD.replace(b"/socket", b"/socket/"),
        HEAD.replace(b"/socket", b"/position"),
        HEAD.replace(b"/socket", b""),
        HEAD.replace(TABLE.encode(), b"short"),
        HEAD.replace(TABLE.encode(), b"z" * 33),
        HEAD.replace(TABLE.encode(), b"%zzabcdefgh"),
        HEAD.replace(TABLE.encode(), b"%C3%A9abcdefgh"),
        HEAD.replace(TABLE.encode(), b"abcd%2Fefgh"),
        b"\r\n" + HEAD,
        b"GET  " + HEAD[4:],
        b"GET http://localhost" + HEAD[4:],
        b"GET / HTTP/1.1\r\nReferer: " + HEAD,
        b"GET /" + b"a" * 100_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"\x00" * PEEK_BYTES,
        random.Random(1).randbytes(PEEK_BYTES),
    ],
)
def test_other_requests_have_no_table(first_bytes: bytes) -> None:
    assert requested_table(first_bytes) is None


def test_an_incomplete_path_has_no_table() -> None:
    seen = {requested_table(HEAD[:length]) for length in range(len(HEAD) + 1)}
    assert seen == {None, TABLE}


def test_rendezvous_hashing_is_even_and_stable() -> None:
    tables = [f"table-{number}" for number in range(4000)]
    all_there = {table: worker_of(table, range(1, 5)) for table in tables}
    for worker in range(1, 5):
        assert 800 < list(all_there.values()).count(worker) < 1200
    # The order of the workers does not matter.
    assert all(worker_of(table, (3, 1, 4, 2)) == worker for table, worker in all_there.items())
    without = {table: worker_of(table, (1, 2, 4)) for table in tables}
    moved = {table for table in tables if without[table] != all_there[table]}
    assert moved == {table for table in tables if all_there[table] == 3}
    for worker in (1, 2, 4):
        assert sum(without[table] == worker for table in moved) > len(moved) / 4


def test_the_worker_of_a_table_is_stable_across_versions() -> None:
    """Old and new versions run side by side during a rolling restart."""
    assert [worker_of(f"table-{number}", (1, 2)) for number in range(8)] == [2, 1, 1, 2, 2, 2, 2, 1]
