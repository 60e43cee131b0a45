"""Chance as an argument: streams, tapes and scripts."""

from __future__ import annotations

from collections import Counter

import pytest

from archipel.rules.kit import ChanceError, Stream, Tape, draw, mix, stream_key


def test_mix_is_the_finalizer_of_splitmix64() -> None:
    """The first outputs of splitmix64 for seed 0, from its published reference."""
    golden = 0x9E3779B97F4A7C15
    assert [mix(golden * k % 2**64) for k in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_equal_keys_give_equal_draws() -> None:
    one, two = Stream(stream_key(5, 1)), Stream(stream_key(5, 1))
    assert [draw(one, 6) for _ in range(50)] == [draw(two, 6) for _ in range(50)]
    three = Stream(stream_key(5, 2))
    assert [draw(one, 6) for _ in range(50)] != [draw(three, 6) for _ in range(50)]


def test_draw_k_depends_on_the_key_and_k_alone() -> None:
    stream = Stream(9)
    whole = [stream.draw(1000) for _ in range(5)]
    assert Stream(9, counter=3).draw(1000) == whole[3]


def test_draws_are_uniform() -> None:
    stream = Stream(stream_key(1, 1))
    counts = Counter(draw(stream, 3) for _ in range(30_000))
    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 10_000) < 450 for count in counts.values())  # more than five sigma


def test_a_tape_records_its_source() -> None:
    tape = Tape(source=Stream(4))
    drawn = [tape.draw(6) for _ in range(4)]
    assert tape.outcomes == drawn
    replay = Tape(drawn)
    assert [replay.draw(6) for _ in range(4)] == drawn
    replay.finish()


def test_a_script_precedes_the_source() -> None:
    tape = Tape([2, 2], Stream(4))
    assert [tape.draw(3), tape.draw(3)] == [2, 2]
    assert tape.draw(3) == Stream(4).draw(3)


def test_an_unsuitable_script_is_refused() -> None:
    with pytest.raises(ChanceError, match="outcome 3 is not one of 0 to 2"):
        Tape([3]).draw(3)
    with pytest.raises(ChanceError, match="asked for outcome 1, but the script ends after 0"):
        Tape().draw(3)
    tape = Tape([0, 1])
    tape.draw(3)
    with pytest.raises(ChanceError, match="2 outcomes are given, but chance was asked only 1"):
        tape.finish()
