"""Chance is verifiable, repeatable and uniform."""

import hashlib
import hmac
from collections import Counter

import pytest

from archipel.tables.log.fair_chance import FairChance, chance_key, commitment, unbiased

SECRET = bytes(range(32))


def test_draws_are_what_the_documentation_says() -> None:
    message = b"archipel chance 1\nrabbit\n\n7"
    key = hmac.new(SECRET, message, hashlib.sha256).digest()
    assert chance_key(SECRET, ("rabbit", "", "7")) == key
    word = hmac.new(key, (5).to_bytes(8, "big") + bytes(4), hashlib.sha256).digest()
    assert FairChance(key, 5).draw(1000) == int.from_bytes(word, "big") % 1000


def test_draws_do_not_change_between_versions() -> None:
    chance = FairChance(chance_key(SECRET, ()), 0)
    assert [chance.draw(100) for _ in range(8)] == [78, 58, 67, 70, 89, 15, 62, 73]


def test_a_draw_depends_on_its_number_alone() -> None:
    key = chance_key(SECRET, ("a",))
    chance = FairChance(key, 0)
    drawn = [chance.draw(6) for _ in range(50)]
    assert chance.next_draw == 50
    assert [FairChance(key, k).draw(6) for k in range(50)] == drawn


def test_every_nonce_and_its_seat_matter() -> None:
    keys = {
        chance_key(SECRET, tuple(nonces))
        for nonces in (["", ""], ["a", ""], ["", "a"], ["a", "a"], ["aa", ""], ["", "", ""])
    }
    assert len(keys) == 6


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_words_of_the_incomplete_run_are_refused() -> None:
    # One byte and n = 100: 200 to 255 would favour 0 to 55.
    assert unbiased([b"\xff", b"\xc8", b"\xc7"], 100) == 99
    counts = Counter(unbiased([bytes([word]), b"\x00"], 100) for word in range(200))
    assert set(counts.values()) == {2}
    with pytest.raises(ValueError, match="no word"):
        unbiased([b"\xff"], 100)


def test_outcomes_are_uniform() -> None:
    chance = FairChance(chance_key(SECRET, ()), 0)
    counts = Counter(chance.draw(6) for _ in range(6000))
    assert all(abs(count - 1000) < 150 for count in counts.values())


def test_the_key_is_not_in_the_repr() -> None:
    chance = FairChance(b"k" * 32, 0)
    assert "kkk" not in repr(chance)
