"""greedy-1: frozen, and sensible."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from archipel.bots.mauna_kea.roster import GREEDY_1, MAUNA_KEA_BOTS, RANDOM, choose
from archipel.game import Game
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.loading import can_compile, load_backend
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State
from tests.bots.mauna_kea.study import measure, program
from tests.rules.mauna_kea.tables import expert, play, table

# What it chooses in some hundreds of fixed positions, as a hash.
CHOICES = "3c8e97df3ec39f8d43ff"


def decisions(games: int) -> Iterator[tuple[State, list[int]]]:
    """Positions with something to choose, from games of greedy-1 against random."""
    for number in range(games):
        options = MAUNA_KEA.make_options(2 + number % 3, expert=number % 2 == 1)
        chance = Stream(stream_key(7, number))
        picks = Stream(stream_key(8, number))
        s = MAUNA_KEA.new(options, chance)
        while (seat := MAUNA_KEA.to_move(s)) >= 0:
            legal = MAUNA_KEA.legal_actions(s)
            if len(legal) > 1:
                yield clone(s), legal
            bot = GREEDY_1 if (seat + number) % 2 else RANDOM
            seen = MAUNA_KEA.seen(s, seat)
            MAUNA_KEA.apply(s, choose(seen, bot, legal, len(legal), picks), chance)


def chosen(s: State, legal: list[int]) -> int:
    return choose(MAUNA_KEA.seen(s, MAUNA_KEA.to_move(s)), GREEDY_1, legal, len(legal), Stream())


def test_frozen() -> None:
    """If this fails, restore greedy-1 and call the new bot greedy-2."""
    choices = [chosen(s, legal) for s, legal in decisions(8)]
    assert len(choices) > 300
    assert hashlib.sha256(repr(choices).encode()).hexdigest()[:20] == CHOICES


def test_it_chooses_a_legal_action_and_leaves_the_view_as_it_is() -> None:
    for s, legal in decisions(8):
        view = MAUNA_KEA.seen(s, MAUNA_KEA.to_move(s))
        before = clone(view)
        assert choose(view, GREEDY_1, legal, len(legal), Stream()) in legal
        assert view == before


def test_what_it_cannot_see_does_not_matter() -> None:
    for number, (s, legal) in enumerate(decisions(8)):
        seat = MAUNA_KEA.to_move(s)
        world = MAUNA_KEA.resample(s, seat, Stream(number))
        assert chosen(s, legal) == chosen(world, legal)


def choice(game: Game) -> str:
    legal = [int(action) for action in game.legal]
    return MAUNA_KEA.action_text(game.state, chosen(game.state, legal))


BESIDE = {"board": "b1:jjjj3,b2:jjjj3", "explorers1": "b2nw,e4nw", "white": "1.1,1.1"}


def test_it_boards_when_it_can() -> None:
    words = BESIDE | {"explorers1": "b1nw,e4nw", "pool": 1}
    game = table(**words)
    assert choice(game) == "explorer 1"
    assert choice(play(game, "explorer 1")) == "board"


def test_it_runs_for_the_boat_with_what_it_carries() -> None:
    game = table(**BESIDE, pool=3)
    assert choice(game) == "explorer 1"
    assert choice(play(game, "explorer 1")) == "north"


def test_it_spends_a_tile_where_the_way_lies_open() -> None:
    assert choice(table(**BESIDE, front1="jjjj3,jjll2")) == "spend 1"


def test_it_lays_a_tile_where_there_is_none() -> None:
    words = {"board": "b3:jjjj3", "explorers1": "b3nw,e4nw", "white": "1.1,1.1"}
    game = table(**words, front1="jjjj3,jmmm1")
    assert choice(game) == "tile 1"
    assert choice(play(game, "tile 1")) in ("at b2", "at a3")


def test_it_takes_what_lies_there_the_most_precious_first() -> None:
    game = table(explorers1="e4nw,d5nw", white="e4nw", grey="e4nw")
    assert choice(game) == "explorer 1"
    assert choice(play(game, "explorer 1")) == "take grey"


def test_it_leaves_the_least_behind() -> None:
    boats = "n2,e1,e2,n1,s1,s2,w1,w2"
    words = {"board": "b1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 1, "boats": boats}
    game = play(table(**words, white="1.1", grey="1.1"), "explorer 1", "board")
    assert choice(game) == "leave white"


def test_it_rejects_the_cards_it_does_not_use() -> None:
    cards = "jungle,earthquake,helicopter,2white,no-penalty,brown-boat"
    game = expert(phase="choose", explorers1="-", explorers2="-", cards1=cards)
    assert choice(game) == "reject earthquake"


# ---- strength -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_expert", [False, True])
@pytest.mark.parametrize("layout", ["orthogonal", "diagonal"])
def test_it_beats_random(is_expert: bool, layout: str) -> None:
    if not can_compile():
        pytest.skip("needs Numba")
    options = MAUNA_KEA.make_options(2, expert=is_expert, layout=layout)
    result = measure(load_backend(program()), options, [GREEDY_1, RANDOM], 300)
    assert result.won[0] / 300 >= 0.9


def test_the_roster() -> None:
    assert [str(bot) for bot in MAUNA_KEA_BOTS.bots] == ["random", "greedy-1"]
    assert MAUNA_KEA_BOTS.named("greedy").index == GREEDY_1
