"""The checker in the browser accepts the draws of the secret, and nothing else."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Tape, clone
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.tables.log.fair_chance import DuplicateChance, FairChance, chance_key
from archipel.tables.publishing.payloads import DrawnMove, Draws
from tests.engine.node import bundle_loader, run_script
from tests.support.slow_games import slow_games

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the modules")

SCRIPT = Path(__file__).with_name("run_recompute.mjs")
NONCES = ("ours", "")


def base_64(state: Any) -> str:
    return base64.b64encode(to_bytes(state)).decode()


def whole_game(game: str, secret: bytes, *, duplicate: bool = False) -> tuple[Draws, list[int]]:
    """A game of random moves with the chance of a live table, and its scores."""
    definition, moving = game_named(game), random.Random(game)
    options = definition.make_options(len(NONCES))
    key = chance_key(secret, NONCES, duplicate=duplicate)
    chance = DuplicateChance(key) if duplicate else FairChance(key, 0)
    before = definition.blank(options)
    state = definition.new(options, chance)
    dealt, moves = clone(state), []
    while definition.to_move(state) >= 0:
        action = moving.choice(definition.legal_actions(state))
        tape = Tape((), chance)
        definition.apply(state, action, tape)
        moves.append(DrawnMove(action, tape.outcomes))
    draws = Draws(False, base_64(before), base_64(dealt), moves, duplicate)
    return draws, [definition.score(state, seat) for seat in range(len(NONCES))]


@pytest.mark.parametrize("game", slow_games(game.name for game in games()))
@pytest.mark.promise("recomputed")
def test_only_the_draws_of_the_secret_are_accepted(game: str, tmp_path: Path) -> None:
    from archipel.bots.engine.modules import build_engine, checker_of

    module = tmp_path / "checker.wasm"
    module.write_bytes(build_engine(checker_of(game)))
    secret = random.Random(1).randbytes(32)
    draws, scores = whole_game(game, secret)
    other_deal, _ = whole_game(game, random.Random(2).randbytes(32))
    chancy = next(index for index, move in enumerate(draws.moves) if move.outcomes)
    last = len(draws.moves) - 1

    def changed(index: int, **parts: Any) -> Draws:
        moves = draws.moves[:]
        moves[index] = msgspec.structs.replace(moves[index], **parts)
        return msgspec.structs.replace(draws, moves=moves)

    drawn = draws.moves[chancy].outcomes
    # A duplicate has other draws, so they fit no table that numbers its draws by count.
    duplicate = whole_game(game, secret, duplicate=True)
    told = [
        (draws, scores),
        duplicate,
        (msgspec.structs.replace(duplicate[0], by_purpose=False), duplicate[1]),
        (changed(chancy, outcomes=[drawn[0] + 1, *drawn[1:]]), scores),
        (changed(chancy, outcomes=drawn[:-1]), scores),
        (changed(last, outcomes=[*draws.moves[last].outcomes, 0]), scores),
        (changed(0, action=100_000), scores),
        (draws, [scores[0] + 1, *scores[1:]]),
        (msgspec.structs.replace(draws, given=False, dealt=draws.before), scores),
    ]
    if other_deal.dealt != draws.dealt:
        told.append((msgspec.structs.replace(draws, dealt=other_deal.dealt), scores))
    task = {
        "secret": secret.hex(),
        "nonces": NONCES,
        "games": [{"draws": msgspec.to_builtins(each), "scores": points} for each, points in told],
    }
    verdicts = run_script(SCRIPT, bundle_loader(tmp_path), module, task)
    assert verdicts == [True, True] + [False] * (len(told) - 2)
    assert any(move.outcomes for move in draws.moves)


@pytest.mark.parametrize("change", ["secret", "nonces"])
def test_another_secret_or_nonce_does_not_give_the_draws(change: str, tmp_path: Path) -> None:
    from archipel.bots.engine.modules import build_engine, checker_of

    module = tmp_path / "checker.wasm"
    module.write_bytes(build_engine(checker_of("deep-sea")))
    secret = random.Random(1).randbytes(32)
    draws, scores = whole_game("deep-sea", secret)
    task = {
        "secret": secret.hex(),
        "nonces": NONCES,
        "games": [{"draws": msgspec.to_builtins(draws), "scores": scores}],
        change: {"secret": "00" * 32, "nonces": ["others", ""]}[change],
    }
    assert run_script(SCRIPT, bundle_loader(tmp_path), module, task) == [False]
