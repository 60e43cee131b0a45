"""The draws of a live game as rules are those of the server."""

from __future__ import annotations

import hashlib
import random

import pytest

from archipel.rules.fair_draws import (
    BLOCK,
    FairDraws,
    derive_key,
    draw_fairly,
    outcome_of,
    sha256,
)
from archipel.tables.log.fair_chance import FairChance, chance_key, chance_text, unbiased


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
    derive_key([draws], len(text))
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
