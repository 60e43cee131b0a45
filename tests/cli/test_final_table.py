"""The final table: why the game ended, and the ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel import Game
from archipel.record import Record
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from tests.cli.conftest import Archipel
from tests.rules.atlantis import tables as atlantis
from tests.rules.mauna_kea import tables as mauna_kea

NO_BREAK = "\u00a0"


def last_table(archipel: Archipel, game: Game, folder: Path, language: str) -> list[str]:
    file = folder / "over.txt"
    Record(game, ("Ana", "Bob", "Cid")[: game.seats]).save(file)
    lines = archipel("replay", file, "--lang", language).out.rstrip().split("\n")
    return lines[-1 - game.seats :]


def test_it_names_the_player_without_swimmers(archipel: Archipel, tmp_path: Path) -> None:
    game = atlantis.table(red="boat1,nw,lost", blue="g6", boats="b1")
    game.play("person R1")
    game.play("ashore nw")
    assert last_table(archipel, game, tmp_path, "en") == [
        "The game is over: Ana had nobody left on the island or at sea.",
        "  1  Ana     2",
        "  2  Bob     0",
    ]
    assert last_table(archipel, game, tmp_path, "fr")[0] == (
        f"La partie est terminée{NO_BREAK}: Ana n’avait plus personne sur l’île ni en mer."
    )


def test_it_names_several_players(archipel: Archipel, tmp_path: Path) -> None:
    game = atlantis.table(
        seats=3, red="a2", blue="a2,ne", yellow="g6", sharks="a1", phase="animal", spun="shark-1"
    )
    game.play("shark 1")
    game.play("to a2")
    assert last_table(archipel, game, tmp_path, "en")[0] == (
        "The game is over: Ana and Bob had nobody left on the island or at sea."
    )
    assert last_table(archipel, game, tmp_path, "fr")[0] == (
        f"La partie est terminée{NO_BREAK}: Ana et Bob n’avaient plus personne sur l’île ni en mer."
    )


def test_it_names_the_player_without_explorers(archipel: Archipel, tmp_path: Path) -> None:
    game = mauna_kea.table(board="b1:jjjj3", explorers1="b1nw", explorers2="e4nw", pool=1)
    for action in ("explorer 1", "board"):
        game.play(action)
    while not game.is_over:
        game.play(game.legal[-1])
    assert last_table(archipel, game, tmp_path, "en")[0] == (
        "The game is over: Ana had no explorer left on the island."
    )


@pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))
def test_games_with_such_sentences_define_ran_out(
    definition: Definition[object],
) -> None:
    for language in ("en", "fr"):
        sentences = definition.catalogue(language).sentences
        named = [key for key in sentences if key.startswith("end.") and key.endswith(".of")]
        assert (definition.ran_out is not None) == bool(named)
        for key in named:
            assert key.removesuffix(".of") in sentences
            assert f"{key}.many" in sentences
