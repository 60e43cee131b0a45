"""The draws of a live game as rules are those of the server."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress

import pytest

from archipel.rules.fair_draws import (
    BLOCK,
    FairDraws,
    derive_key,
    draw_fairly,
    draw_fairly_for,
    outcome_of,
    sha256,
    share_of,
)
from archipel.tables.log.fair_chance import (
    DuplicateChance,
    FairChance,
    chance_key,
    chance_text,
    shared_out,
    unbiased,
)


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 471])
def test_sha256(length: int) -> None:
    text = random.Random(length).randbytes(length)
    draws = FairDraws()
    draws.message[:length] = text
    sha256(draws, length)
    digest = b"".join(word.to_bytes(4, "big") for word in draws.digest)
    assert digest == hashlib.sha256(text).digest()


@pytest.mark.parametrize("nonces", [("",), ("", "ours"), tuple("x" * 64 for _ in range(6))])
def test_the_key_and_the_outcomes(nonces: tuple[str, ...]) -> None:
    secret = random.Random(len(nonces)).randbytes(32)
    text = chance_text(nonces)
    draws = FairDraws(key=list(secret))
    draws.message[BLOCK : BLOCK + len(text)] = text
    derive_key([draws], len(text), 0)
    key = chance_key(secret, nonces)
    assert bytes(draws.key) == key
    expected = FairChance(key, 0)
    sizes = [1, 2, 3, 6, 7, 40, 1000, 2**31 - 1, 2**32 - 5, *range(10, 40)]
    outcomes = [expected.draw(n) for n in sizes]
    assert [draw_fairly(draws, n) for n in sizes] == outcomes
    assert draws.outcomes[: draws.count] == outcomes
    assert draws.next_draw == len(sizes)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 1000, 2**31 - 1])
@pytest.mark.parametrize("below", [1, 2, 3, 5, 2**31 - 1, 2**31, 2**33])
def test_numbers_of_the_last_incomplete_run_are_refused(n: int, below: int) -> None:
    word = (2**256 - below).to_bytes(32, "big")
    draws = FairDraws(digest=[int.from_bytes(word[i : i + 4], "big") for i in range(0, 32, 4)])
    try:
        expected = unbiased([word], n)
    except ValueError:
        expected = -1
    assert outcome_of(draws, n) == expected


@pytest.mark.parametrize("nonces", [("",), ("ours", "theirs")])
def test_draws_by_purpose(nonces: tuple[str, ...]) -> None:
    secret = random.Random(len(nonces)).randbytes(32)
    text = chance_text(nonces, duplicate=True)
    draws = FairDraws(key=list(secret))
    draws.message[BLOCK : BLOCK + len(text)] = text
    derive_key([draws], len(text), 1)
    key = chance_key(secret, nonces, duplicate=True)
    assert bytes(draws.key) == key != chance_key(secret, nonces)
    expected, asked = DuplicateChance(key), random.Random(7)
    for _ in range(60):
        purpose, n = asked.choice([0, 0, 1, 2, 63]), asked.choice([1, 2, 6, 40, 2**31 - 1])
        outcome = expected.draw_for(purpose, n) if purpose else expected.draw(n)
        assert outcome == (draw_fairly_for(draws, purpose, n) if purpose else draw_fairly(draws, n))
    assert [*draws.drawn[1:]] == expected.drawn[1:]
    assert draws.next_draw == expected.drawn[0]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 1000, 2**31 - 1])
@pytest.mark.parametrize("number", [0, 1, 2, 2**32, 2**32 + 1, 2**64 - 1, 2**255, 2**256 - 1])
def test_numbers_are_shared_out_in_equal_runs(n: int, number: int) -> None:
    edges = (2**256 // n, 2**256 // n + 1, 2**256 * (n - 1) // n)
    for word in (number, *(edge % 2**256 for edge in edges)):
        packed = word.to_bytes(32, "big")
        digest = [int.from_bytes(packed[i : i + 4], "big") for i in range(0, 32, 4)]
        try:
            expected = shared_out([packed], n)
        except ValueError:
            expected = -1
        assert share_of(FairDraws(digest=digest), n) == expected


def test_every_outcome_has_as_many_numbers() -> None:
    """With numbers of one byte: 256 of them, of which 256 mod n are refused."""
    for n in range(1, 257):
        counts = dict.fromkeys(range(n), 0)
        for number in range(256):
            with suppress(ValueError):
                counts[shared_out([bytes([number])], n)] += 1
        assert set(counts.values()) == {256 // n}
