"""The bots of a static site, here in Node, choose like those of a server for equal seeds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import BotInfo, Level
from archipel.bots.external.worker_protocol import Candidate
from archipel.bots.live import Bot
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.program import Backend
from archipel.tab import engine_bots
from archipel.tab.engine_bots import EngineBots
from archipel.tables.bots.executor import BotQuestion
from archipel.testing.random_games import some_options
from tests.engine.node import bundle_loader, run_script
from tests.engine.reference import play_game
from tests.support.slow_games import slow_games

if can_compile():
    from archipel.bots.engine.modules import build_engine, engine_games
    from archipel.bots.search.search import search_program
    from archipel.rules.kit.core.loading import load_backend

    GAMES = engine_games()
else:
    GAMES = ()

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the modules")

SCRIPT = Path(__file__).with_name("run_bots.mjs")
#: A budget that plain Python searches quickly.
FEW = 14
#: More than 63 bits, which JSON's numbers and signed integers do not have.
SEED = 2**63 + 5


@dataclass(frozen=True)
class NodeBots:
    """The bots of a static site, with an engine in Node."""

    loader: Path
    bots: Path
    module: Path

    @classmethod
    def of(cls, game: str, folder: Path) -> NodeBots:
        module = folder / "engine.wasm"
        module.write_bytes(build_engine(game))
        (folder / "bots").mkdir()
        bots = bundle_loader(folder / "bots", "site/bot_engine")
        return cls(bundle_loader(folder), bots, module)

    async def ask(self, game: str, question: str) -> str:
        task = {"bots": str(self.bots), "question": json.loads(question), "piece": 5}
        return json.dumps(run_script(SCRIPT, self.loader, self.module, task))


def some_views(game: str, number: int) -> list[Any]:
    """Views of decisions, with different options and numbers of seats."""
    definition = game_named(game)
    found = []
    for seed, options in enumerate(some_options(definition, number)):
        _, _, views = play_game(definition, options, seed)
        found.append(views[(seed * 5 + 2) * len(views) // (5 * number + 2)])
    return found


def check_choices(
    game: str, infos: Sequence[BotInfo], views: Sequence[Any], here: NodeBots, backend: Backend
) -> None:
    tab = EngineBots(here.ask)
    for info in infos:
        for index, view in enumerate(views):
            legal = game_named(game).legal_actions(view)
            seed = SEED + index
            asked = BotQuestion("table", game, info.name, view, legal, seed)
            there = asyncio.run(tab.choose(asked, 60, consider=True))
            bot = Bot(info, backend)
            assert (there.action, there.by) == (bot.choose(view, legal, seed=seed), info.name)
            if isinstance(info, Level):
                found = bot.search(view, seed=seed).candidates
                expected = {
                    each.action: Candidate(each.action, each.chance, each.visits) for each in found
                }
                assert there.candidates
                for candidate in there.candidates:
                    assert candidate == expected[candidate.action]


@pytest.mark.parametrize("game", slow_games(GAMES))
def test_every_level_chooses_as_on_a_server_with_few_simulations(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = [
        replace(level, config=replace(level.config, simulations=FEW))
        for level in roster_of(game).levels
    ]
    assert len(levels) == 5
    # Settings that no level has.
    tree: dict[str, Any] = {
        "depth": 4,
        "rollout_prior": False,
        "opponent_nodes": True,
        "outcome_nodes": True,
    }
    if game == "deep-sea":
        tree |= {"horizon": 2, "evaluation": "net_1"}
    config = replace(levels[-1].config, **tree)
    levels.append(replace(levels[-1], name="tree-1", config=config))
    quick = {level.name: level for level in levels}
    monkeypatch.setattr(engine_bots, "player_named", lambda game, name: quick[name])
    views = some_views(game, 3)
    backend = search_program(game).interpreted()
    check_choices(game, levels, views, NodeBots.of(game, tmp_path), backend)


@pytest.mark.parametrize("game", slow_games(GAMES))
def test_bots_without_search_choose_as_on_a_server(game: str, tmp_path: Path) -> None:
    bots, views = roster_of(game).bots, some_views(game, 3)
    backend = search_program(game).interpreted()
    check_choices(game, bots, views, NodeBots.of(game, tmp_path), backend)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_every_level_chooses_as_on_a_server(game: str, tmp_path: Path) -> None:
    levels, views = roster_of(game).levels, some_views(game, 8)
    backend = load_backend(search_program(game), compiled=True)
    check_choices(game, levels, views, NodeBots.of(game, tmp_path), backend)
