"""Compare environments with those of other packages, in one run on one core.

    python -m benchmarks.environments [--seconds 2] [--games deep-sea,mauna-kea] [--json]

Single-step from Python: our PettingZoo environment and a plain batch of one, compared with connect
four of PettingZoo classic, RLCard, Catanatron and OpenSpiel, if they are installed (packages
pygame, rlcard, catanatron, open_spiel). Then a thousand games per call, with observations and
masks, compared with games of pgx (packages pgx, jax), in one compiled loop over 32 steps, and with
four-player pig of OpenSpiel, read with ``observation_tensor``. All play random legal actions and
read every observation. Figures are decisions per second of processor time;
compare only figures of one run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

SEATS = 4
ENVS = 1024
GAMES = "deep-sea,the-island,atlantis,mauna-kea"

#: Games of pgx that are played in parallel.
PGX_GAMES = ("connect_four", "leduc_holdem", "backgammon")

#: Target of the vectorized environment, relative to OpenSpiel's pig.
TARGET = 20

#: Plays for about a number of seconds; returns the number of decisions.
Play = Callable[[float], int]


def measured(play: Play, seconds: float) -> float:
    """Decisions per second of processor time, after a warm-up."""
    play(0.05)
    begun = time.process_time()
    decisions = play(seconds)
    return decisions / (time.process_time() - begun)


def _until(seconds: float) -> Callable[[], bool]:
    end = time.process_time() + seconds
    return lambda: time.process_time() < end


# ---- single-step ---------------------------------------------------------------------------------


def turns(make: Callable[[], Any]) -> Play:
    """Any PettingZoo environment."""
    import numpy

    env = make()
    chooser = random.Random(1)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            env.reset()
            for _ in env.agent_iter():
                seen, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                legal = numpy.flatnonzero(seen["action_mask"])
                env.step(int(legal[int(chooser.random() * len(legal))]))
                decisions += 1
        return decisions

    return play


def ours_plain(game: str, seats: int) -> Play:
    """A batch of one game, the base of our single environments."""
    import numpy

    from archipel.envs import Batch

    batch = Batch(game, 1, players=["outside"] * seats, autoreset="disabled")
    chooser = random.Random(1)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        mask, ends = batch.buffers.action_mask[0], batch.buffers.ends
        while going_on():
            batch.reset()
            while not ends[0]:
                batch.buffers.obs[0].copy()
                legal = numpy.flatnonzero(mask)
                batch.step_one(int(legal[int(chooser.random() * len(legal))]))
                decisions += 1
        return decisions

    return play


def rlcard_game(name: str) -> Play:
    import rlcard

    env = rlcard.make(name)
    chooser = random.Random(1)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(chooser.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def catanatron_game() -> Play:
    """Four players, without observations, which the package does not have."""
    from catanatron import Color, Game, RandomPlayer

    chooser = random.Random(1)
    colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            game = Game([RandomPlayer(colour) for colour in colours])
            while game.winning_color() is None and going_on():
                legal = game.state.playable_actions
                game.execute(legal[int(chooser.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def spiel_game(name: str) -> Play:
    """A game of OpenSpiel from Python; chance nodes do not count as decisions."""
    import pyspiel

    game = pyspiel.load_game(name)
    chooser = random.Random(1)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(chooser.random() * len(outcomes))][0])
                    continue
                legal = state.legal_actions()
                state.observation_tensor()
                state.apply_action(legal[int(chooser.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def ours_in_spiel(game: str) -> Play:
    """A game of ours as an OpenSpiel game."""
    from archipel.envs.spiel import spiel_name

    return spiel_game(f"{spiel_name(game)}(players={SEATS})")


# ---- vectorized ----------------------------------------------------------------------------------


def ours_vectorized(game: str, seats: int, envs: int) -> Play:
    from archipel.envs import Batch

    batch = Batch(game, envs, players=["outside"] * seats)
    batch.reset(1)
    chance = batch.backend.stream(1)

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            batch.step_at_random(chance)
            decisions += envs
        return decisions

    return play


def pgx_games(name: str, envs: int, steps: int) -> Play:
    """Games of pgx; ``steps`` of all of them per call of compiled code."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carried: Any, _: Any) -> Any:
        state, key = carried
        key, choosing, drawing = jax.random.split(key, 3)
        likely = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(choosing, likely)
        state = step(state, action, jax.random.split(drawing, envs))
        # The sum keeps the compiler from leaving the observations out.
        return (state, key), state.observation.sum()

    @jax.jit  # type: ignore[untyped-decorator]
    def some(carried: Any) -> Any:
        return jax.lax.scan(one, carried, None, length=steps)

    key = jax.random.PRNGKey(1)
    carried = [(jax.jit(jax.vmap(env.init))(jax.random.split(key, envs)), key)]

    def play(seconds: float) -> int:
        going_on, decisions = _until(seconds), 0
        while going_on():
            carried[0], seen = some(carried[0])
            seen.block_until_ready()
            decisions += envs * steps
        return decisions

    return play


def subjects(games: Sequence[str]) -> Iterator[tuple[str, str, Callable[[], Play]]]:
    """Kind, name and factory of each subject; reports packages that are not installed."""
    from archipel.envs import TurnsEnv

    for game in games:
        yield "step", f"{game}, PettingZoo", partial(turns, partial(TurnsEnv, game, seats=SEATS))
        yield "step", f"{game}, plain", partial(ours_plain, game, SEATS)
    others: tuple[tuple[str, str, Callable[[], Play]], ...] = (
        ("pygame", "connect four, PettingZoo classic", lambda: turns(_connect_four)),
        ("rlcard", "leduc-holdem, RLCard", lambda: rlcard_game("leduc-holdem")),
        ("rlcard", "uno, RLCard", lambda: rlcard_game("uno")),
        ("catanatron", "Catan, Catanatron", catanatron_game),
        ("pgx", "connect_four, pgx", lambda: pgx_games("connect_four", 1, 1)),
        ("pyspiel", "connect_four, OpenSpiel", lambda: spiel_game("connect_four")),
        ("pyspiel", "pig(players=4), OpenSpiel", lambda: spiel_game("pig(players=4)")),
        *(("pyspiel", f"{game}, OpenSpiel", partial(ours_in_spiel, game)) for game in games),
    )
    for module, name, make in others:
        if find_spec(module) is None:
            print(f"left out: {name} ({module} is not installed)", file=sys.stderr)
        else:
            yield "beside" if "OpenSpiel" in name else "other", name, make
    for game in games:
        name = f"{game}, {ENVS} in parallel"
        yield "vector", name, partial(ours_vectorized, game, SEATS, ENVS)
    for name in PGX_GAMES if find_spec("pgx") else ():
        named = f"{name}, {ENVS} in parallel, pgx"
        yield "others", named, partial(pgx_games, name, ENVS, 32)


def _connect_four() -> Any:
    from pettingzoo.classic import connect_four_v3

    return connect_four_v3.env()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2, help="processor seconds per subject")
    parser.add_argument("--games", default=GAMES, help="default: all")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    found: list[dict[str, Any]] = []
    for kind, name, make in subjects(asked.games.split(",")):
        rate = measured(make(), asked.seconds)
        found.append({"path": kind, "name": name, "decisions_per_second": rate})
        if not asked.json:
            print(f"{kind:7} {name:36} {rate:14,.0f} decisions/s", flush=True)
    met = targets(found)
    print(
        json.dumps({"measured": found, **met}, indent=2) if asked.json else "\n".join(_lines(met))
    )
    return 0 if all(value is not False for value in met.values()) else 1


def targets(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Which targets were reached; None if the package to compare with is missing."""
    rates = {one["name"]: one["decisions_per_second"] for one in found}
    pig = rates.get("pig(players=4), OpenSpiel")
    deep_sea = next((rates[n] for n in rates if n.startswith("deep-sea") and "parallel" in n), None)
    single = rates.get("deep-sea, PettingZoo")
    others = [one["decisions_per_second"] for one in found if one["path"] == "other"]
    ratio = deep_sea / pig if pig and deep_sea else None
    parallel = [one["decisions_per_second"] for one in found if one["path"] == "others"]
    return {
        "ahead_of_every_other": single > max(others) if single and others else None,
        "times_pgx": deep_sea / max(parallel) if parallel and deep_sea else None,
        "times_pig": ratio,
        "target_reached": ratio >= TARGET if ratio else None,
    }


def _lines(met: dict[str, Any]) -> Iterator[str]:
    if met["ahead_of_every_other"] is not None:
        word = "ahead of" if met["ahead_of_every_other"] else "behind"
        yield f"Deep Sea, PettingZoo: {word} the fastest of the other packages"
    if met["times_pgx"] is not None:
        yield f"Deep Sea, vectorized: {met['times_pgx']:.1f} times the fastest game of pgx"
    if met["times_pig"] is not None:
        yield f"Deep Sea, vectorized: {met['times_pig']:.1f} times pig (target: {TARGET})"


if __name__ == "__main__":
    sys.exit(main())
