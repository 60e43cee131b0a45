"""Golden games, perft counts, and random games."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from archipel.game import Game
from archipel.record import parse_record
from archipel.rules.atlantis.board import PIECES
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.hex_sea.places import GONE, IN_STOCK, LOST, WAITING
from archipel.rules.kit import Stream
from archipel.study.soak import soak
from tests.rules.atlantis import golden
from tests.rules.atlantis.tables import state_of

COUNTED = json.loads(golden.COUNTED.read_text("utf-8"))


@pytest.mark.rule("AT-E1", "AT-E2", "AT-E3")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_replays_to_its_recorded_position(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(parse_record(text).game) == text


@pytest.mark.rule("AT-S1", "AT-S5", "AT-C5")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_is_reproduced_from_its_seed(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(golden.play_seeded_game(*golden.GAMES[name])) == text


def test_the_golden_games_contain_every_kind_of_action() -> None:
    texts = "".join(path.read_text("utf-8") for path in golden.RECORDS.glob("*.txt"))
    for feature in ("place", "to", "swim", "overboard", "board", "ashore", "ride", "boat", "sink"):
        assert re.search(rf"^  \d {feature}\b", texts, re.MULTILINE), feature
    for feature in ("person", "monster", "shark", "octopus", "dolphin", "stop", "pass"):
        assert re.search(rf"^  \d {feature}\b", texts, re.MULTILINE), feature


@pytest.mark.rule("AT-T1", "AT-M1", "AT-W2", "AT-K3", "AT-C5")
@pytest.mark.parametrize("name", golden.OPENINGS)
def test_perft_counts_match_the_stored_ones(name: str) -> None:
    assert golden.counts(*golden.OPENINGS[name]) == COUNTED[name]


@pytest.mark.rule("AT-C5", "AT-W1")
def test_a_perft_count_matches_a_count_by_hand() -> None:
    """The player chooses the shark on a1 or passes; the shark then has several first steps."""
    first, second = COUNTED["a shark on its way"][:2]
    assert first == 2  # the shark, or pass
    assert second > first


@pytest.mark.rule("AT-C1", "AT-C4", "AT-K4")
def test_pieces_and_people_are_conserved_throughout_a_game() -> None:
    for seed in range(2):
        game = Game.new("atlantis", 2 + seed, seed=seed)
        choice = Stream(100 + seed)
        while not game.is_over:
            s = state_of(game)
            assert len(s.place) == 48
            assert sum(place != WAITING for place in s.place) <= 12 * s.seats
            assert (
                sum(place == LOST for place in s.place)
                + sum(s.left)
                + sum(ATLANTIS.score(s, seat) for seat in range(s.seats))
                == 12 * s.seats
            )
            symbols = Counter(s.symbol)
            assert sum(symbols.values()) == PIECES == 37
            shown = Counter(
                symbol
                for piece, symbol in enumerate(s.symbol)
                if ATLANTIS.seen(s, -1).symbol[piece] >= 0
            )
            for kind in range(4):
                animals = s.creature[6 * kind : 6 * kind + 6]
                assert animals.count(IN_STOCK) == 6 - shown[kind]
            starts = 2 if s.seats == 2 else 4
            assert s.boat.count(IN_STOCK) == 12 - starts - shown[4]
            assert len(s.creature) == 24
            assert len(s.boat) == 12
            assert s.creature.count(GONE) <= 24
            for _ in range(25):
                if not game.is_over:
                    legal = ATLANTIS.legal_actions(game.state)
                    game.play(legal[choice.draw(len(legal))])


@pytest.mark.rule("AT-E3")
def test_random_games_end() -> None:
    result = soak(ATLANTIS, 3, seed=1, compiled=False)
    assert result.failure is None, result
