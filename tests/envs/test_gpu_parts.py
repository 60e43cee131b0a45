"""What kernels of a graphics card are made of, tried on the processor.

The source of the kernel itself is run too, by threads of Python that wait for each other as those
of a warp do; only the playing in it is left out, which needs a compiler.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy
import pytest

from archipel.envs import kernel
from archipel.envs.batch import Batch
from archipel.envs.device_rules import bits_set, pick_at_random
from archipel.envs.gpu_programs import Tuning, step_kernel
from archipel.envs.programs import observation_of
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Stream, draw, stream_key
from archipel.rules.kit.gpu import narrowed
from archipel.rules.kit.layout import layout
from archipel.rules.kit.observing import observing_pieces

GAMES = [definition.name for definition in games()]
WARP = 32


def some_positions(game: str, lanes: int, steps: int) -> Batch:
    batch = Batch(game, lanes, players=["outside"] * 3)
    batch.reset(2)
    generator = numpy.random.default_rng(2)
    for _ in range(steps):
        weights = generator.random(batch.buffers.masks.shape) * batch.buffers.masks
        batch.step(weights.argmax(axis=1))
    return batch


@pytest.mark.parametrize("game", GAMES)
def test_pieces_are_the_whole_observation(game: str) -> None:
    definition = game_named(game)
    batch = some_positions(game, 6, 30)
    most = 64
    pieces = observing_pieces(
        game, definition.state, definition.seats[-1], observation_of(game), most
    )
    assert [piece.first for piece in pieces[1:]] == [p.first + p.size for p in pieces[:-1]]
    assert max(piece.size for piece in pieces) <= most
    for lane in range(batch.lanes):
        seat = int(batch.buffers.seats[lane])
        view = definition.recalled(batch.state(lane), seat)
        found: list[float] = []
        for piece in pieces:
            out = [0.0] * piece.size
            piece.rule(view, seat, out)
            found += out
        numpy.testing.assert_array_equal(
            numpy.array(found, numpy.float32), batch.buffers.observations[lane]
        )


def test_what_is_picked_at_random_is_what_the_bot_chooses() -> None:
    setting = kernel.Setting(words=3)
    for decisions in range(200):
        lane = kernel.Lane(key=77, decisions=decisions, ended=kernel.GOING_ON)
        legal = sorted({draw(Stream(decisions), 90) for _ in range(1)} | {3, 31, 32, 64, 89})
        allowed = [0, 0, 0, 0]
        for action in legal:
            allowed[1 + action // 32] |= 1 << action % 32
        expected = legal[draw(Stream(stream_key(77, decisions)), len(legal))]
        assert pick_at_random(lane, setting, allowed, 1, Stream(0)) == expected
    assert pick_at_random(kernel.Lane(), setting, [0] * 4, 1, Stream(0)) == kernel.BEGIN


def test_bits_are_counted() -> None:
    for word in (0, 1, 0xFFFF_FFFF, 0x8000_0001, 0x1234_5678):
        assert bits_set(word) == word.bit_count()


def test_tables_are_as_narrow_as_can_be_and_signed() -> None:
    """A difference of unsigned numbers would be unsigned, and no index."""
    kinds = [narrowed(numpy.array(table)).dtype for table in ([-1, 127], [0, 128], [40_000])]
    assert kinds == [numpy.int8, numpy.int16, numpy.int32]
    assert narrowed(numpy.array([0.5])).dtype == numpy.float64
    assert narrowed(numpy.array([2**40])).dtype == numpy.int64


# ---- the source of the kernel -------------------------------------------------------------------


class Warps:
    """Two warps of one block, as far as the kernel asks for them."""

    def __init__(self, threads: int) -> None:
        self.own = threading.local()
        self._barriers = [threading.Barrier(WARP, timeout=60) for _ in range(threads // WARP)]
        self.shared = self.local = self
        self._room: Any = None
        self._lock = threading.Lock()

    @property
    def threadIdx(self) -> Any:  # noqa: N802 - as CUDA has it
        return self.own

    def grid(self, dimensions: int) -> int:
        return int(self.own.x)

    def syncwarp(self) -> None:
        self._barriers[self.own.x // WARP].wait()

    def array(self, size: int, kind: Any) -> Any:
        """Shared is what a thread asks for first, by the kernel's own order."""
        if not self.own.shared:
            return numpy.zeros(size, kind)
        self.own.shared = False
        with self._lock:
            if self._room is None:
                self._room = numpy.zeros(size, kind)
        return self._room

    def abort(self) -> None:
        for barrier in self._barriers:
            barrier.abort()


@pytest.mark.parametrize("kind", [numpy.float32, numpy.float16])
def test_threads_bring_rows_and_write_together(kind: Any) -> None:
    game, lanes = "deep-sea", 2 * WARP
    made = step_kernel(game, False, kind, Tuning(piece=64))
    names = dict(made.constants)
    definition, batch = game_named(game), some_positions(game, lanes, 40)
    generator = numpy.random.default_rng(1)
    row, lane_at = names["ROW"], names["LANE_AT"]
    rows = generator.integers(0, 2**32, (1 + lanes, row), dtype=numpy.uint32)
    for lane in range(lanes):
        record = numpy.zeros(1, layout(definition.state))
        state = batch.state(lane)
        for name in record.dtype.names or ():
            record[0][name] = getattr(state, name)
        rows[1 + lane, : names["STATE_WORDS"]] = record.view(numpy.uint32)
        own = numpy.zeros(1, layout(kernel.Lane))
        own["seat"] = batch.buffers.seats[lane]
        rows[1 + lane, lane_at : names["STREAM_AT"]] = own.view(numpy.uint32)
    expected = rows.copy()
    expected[1:, row - 1] += numpy.uint32(1)

    def play_thread(action: int, words: Any, *others: Any) -> None:
        """In place of playing: the last word of a row changes, and the mask is given."""
        bits, lane = others[6], others[12]
        assert action == lane % 7
        words[row - 1] += numpy.uint32(1)
        bits[0] = sum(1 << place for place in numpy.flatnonzero(batch.buffers.masks[lane]))

    def recall(state: Any, seat: int, seen: Any) -> None:
        view = definition.recalled(plain(state), seat)
        for name in state.dtype.names:
            seen[name] = getattr(view, name)

    def plain(record: Any) -> Any:
        return definition.state(*(record[name].tolist() for name in record.dtype.names))

    cuda = Warps(made.threads)
    scope: dict[str, Any] = {"cuda": cuda, "numpy": numpy, **names}
    for name in ("STATE", "LANE", "STREAM"):
        scope[name] = numpy.dtype((numpy.record, names[name]))
    scope |= {name: rule for name, rule in made.rules.items() if name.startswith("observe_")}
    scope |= {"play_thread": play_thread, "recall": recall, "pick_at_random": None}
    exec(made.source, scope)
    size = batch.spec.size
    seen = numpy.full(lanes * size, 9, kind)
    masks = numpy.ones(lanes * definition.actions, bool)
    asked, decisions = numpy.zeros((2, lanes), numpy.int32)
    arrays = (
        rows.reshape(-1),
        None,
        None,
        numpy.zeros(lanes, numpy.uint32),
        (numpy.arange(lanes) % 7).astype(numpy.int32),
        generator.permutation(lanes).astype(numpy.int32),
        numpy.zeros(1, numpy.int32),
        *([None] * 2),
        decisions,
        *([None] * 4),
        asked,
        seen,
        masks,
    )
    failures: list[BaseException] = []

    def run(thread: int) -> None:
        cuda.own.x, cuda.own.shared = thread, True
        try:
            scope["step"](*arrays)
        except BaseException as error:
            failures.append(error)
            cuda.abort()

    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(lanes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    numpy.testing.assert_array_equal(rows, expected)
    numpy.testing.assert_array_equal(
        seen.reshape(lanes, size), batch.buffers.observations.astype(kind)
    )
    numpy.testing.assert_array_equal(masks.reshape(lanes, -1), batch.buffers.masks != 0)
    numpy.testing.assert_array_equal(asked, batch.buffers.seats)
    assert decisions.tolist() == [1] * lanes
