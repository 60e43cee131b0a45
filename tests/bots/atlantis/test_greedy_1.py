"""greedy-1 of Atlantis: it uses all actions of the game and beats random."""

from __future__ import annotations

from collections import Counter

import pytest

from archipel.bots.atlantis.rescue_values import STEPS, TO_LANDING
from archipel.bots.atlantis.roster import ATLANTIS_BOTS
from archipel.bots.random_play import GREEDY_1, RANDOM
from archipel.game import Game
from archipel.rules.atlantis.board import BOARD, LANDING, SPACES
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.kit import Stream, clone, stream_key
from tests.rules.atlantis.tables import play, table


def chosen(game: Game) -> str:
    """The choice of greedy-1 in a position."""
    view = game.view(game.to_move).state
    legal = ATLANTIS.legal_actions(game.state)
    action = ATLANTIS_BOTS.choose(view, GREEDY_1, legal, len(legal), Stream(1))
    return ATLANTIS.action_text(game.state, action)


def kind_of(game: Game, text: str) -> str:
    return f"{game.position.text.split('phase=')[1].split()[0]}: {text.split()[0]}"


def play_games(games: int, seats: int) -> tuple[int, Counter[str]]:
    """The wins of one greedy-1 against random bots, and its actions."""
    wins = 0
    used: Counter[str] = Counter()
    for number in range(games):
        game = Game.new("atlantis", seats, seed=number, swimmers_land=number % 4 != 3)
        me = number % seats
        choice = Stream(stream_key(number, 5))
        while not game.is_over:
            legal = ATLANTIS.legal_actions(game.state)
            bot = GREEDY_1 if game.to_move == me else RANDOM
            view = game.view(game.to_move).state
            action = ATLANTIS_BOTS.choose(view, bot, legal, len(legal), choice)
            if bot == GREEDY_1:
                used[kind_of(game, ATLANTIS.action_text(game.state, action))] += 1
            game.play(action)
        assert game.outcome is not None
        wins += game.outcome.winners == (me,)
    return wins, used


def test_beats_random_and_uses_every_kind_of_action() -> None:
    wins, used = play_games(6, 2)
    assert wins == 6
    for kind in (
        *("place: place", "move: person", "move: boat", "move: stop", "move_to: to"),
        *("move_to: board", "move_to: ashore", "sink: sink", "relocate_to: to", "animal: dolphin"),
    ):
        assert used[kind] > 0, kind


@pytest.mark.parametrize(
    ("words", "action"),
    [
        # Ashore before anything else.
        ({"red": "boat1,d4", "boats": "b1,c4"}, ("person R1", "ashore nw")),
        # Aboard when a boat is beside one, and over to a better one.
        ({"red": "d4", "boats": "c4"}, ("person R1", "board 1")),
        ({"red": "boat1", "blue": "boat1,boat1", "boats": "c1,b1"}, ("person R1", "board 2")),
        # Towards a landing.
        ({"red": "boat1,boat1,boat1", "boats": "b3"}, ("boat 1", "to b2")),
        ({"red": "b3", "swimmers_land": "on"}, ("person R1", "swim b2")),
        # To the boats on foot; an empty boat comes nearer.
        ({"red": "e5", "boats": "c4"}, ("person R1", "to d4")),
        ({"red": "d4", "boats": "a4"}, ("boat 1", "to b5")),
        # Out of the water, and onto dolphins.
        ({"red": "a4", "boats": "a4"}, ("person R1", "board 1")),
        ({"red": "m4,g6", "dolphins": "m4"}, ("person R1", "ride nw")),
        ({"red": "boat1,g6", "boats": "k5", "dolphins": "k5"}, ("person R1", "overboard")),
        # Into the water when hardly any island is left.
        (
            {"red": "h7,h7", "sunk": "plains hills f6 f7 g5 g7 h6", "swimmers_land": "on"},
            ("person R1", "swim h8"),
        ),
    ],
)
def test_moves(words: dict[str, object], action: tuple[str, str]) -> None:
    game = table(**words)
    assert chosen(game) == action[0]
    game.play(action[0])
    assert chosen(game) == action[1]


def test_stops_if_no_move_gains() -> None:
    assert chosen(table(red="g6")) == "stop"


def test_sinks_a_piece_to_move_its_own_people_to_a_boat() -> None:
    game = table(red="j7,g6", blue="j4,g7", boats="c4", phase="sink")
    assert chosen(game) == "sink j7"
    game.play("sink j7")
    assert chosen(game) in ("to d4", "to d5")


def test_moves_opponents_away_from_boats() -> None:
    game = table(red="g6", blue="d4,g7", boats="c4", phase="sink")
    assert chosen(game) == "sink d4"
    game.play("sink d4")
    assert chosen(game).split()[1][0] in "ghij"


def test_relocates_its_own_people_first() -> None:
    game = table(red="j7,g6", blue="j7,g7", boats="c4", phase="sink")
    game.play("sink j7")
    assert chosen(game) == "person R1"


@pytest.mark.parametrize(
    ("spun", "words", "steps"),
    [
        ("shark-2", {"sharks": "a1,m7", "blue": "a3,g6"}, ("shark 1", "to a2", "to a3")),
        (
            "monster-2",
            {"monsters": "a1", "blue": "boat1,boat1,g6", "boats": "a3"},
            ("monster 1", "to a2", "to a3"),
        ),
        (
            "octopus-1",
            {"octopuses": "a2", "blue": "boat1,boat1,g6", "boats": "a3"},
            ("octopus 1", "to a3"),
        ),
        ("dolphin-1", {"dolphins": "a2", "red": "a3,g6"}, ("dolphin 1", "to a3")),
        ("dolphin-T", {"dolphins": "a2", "red": "a3,g6"}, ("pass",)),
        ("shark-2", {"sharks": "a1", "red": "a3,g6"}, ("shark 1",)),
        ("shark-1", {"sharks": "a1"}, ("pass",)),
    ],
)
def test_moves_animals(spun: str, words: dict[str, object], steps: tuple[str, ...]) -> None:
    game = table(**{"red": "g6", "blue": "g7", "phase": "animal", "spun": spun} | words)
    for step in steps:
        assert chosen(game) == step
        game.play(step)


def test_moves_a_shark_away_from_its_own_people() -> None:
    game = table(red="a3,g6", blue="g7", phase="animal", spun="shark-2", sharks="a1")
    play(game, "shark 1")
    assert chosen(game) not in ("to a2", "to a3")


def test_depends_on_the_view_and_does_not_change_it() -> None:
    game = table(red="d4,boat1", boats="c4", sharks="a1")
    view = game.view(0).state
    before = clone(view)
    legal = ATLANTIS.legal_actions(game.state)
    first = ATLANTIS_BOTS.choose(view, GREEDY_1, legal, len(legal), Stream(1))
    world = ATLANTIS.resample(game.state, 0, Stream(9))
    seen = ATLANTIS.seen(world, 0)
    assert first == ATLANTIS_BOTS.choose(seen, GREEDY_1, legal, len(legal), Stream(2))
    assert view == before


# Hashes of its choices in fixed games.
DIGESTS = [628795497, 901766517, 102352677]


def digest(number: int) -> int:
    """A hash of its choices in self-play where every ninth action is random."""
    chance, choices = Stream(stream_key(31, number)), Stream(stream_key(32, number))
    options = ATLANTIS.make_options(2 + number % 3, swimmers_land=True)
    s = ATLANTIS.new(options, chance)
    total = 0
    while (seat := ATLANTIS.to_move(s)) >= 0:
        legal = ATLANTIS.legal_actions(s)
        view = ATLANTIS.seen(s, seat)
        action = ATLANTIS_BOTS.choose(view, GREEDY_1, legal, len(legal), choices)
        total = (total * 31 + action) % 1_000_000_007
        if choices.draw(9) == 0:
            action = legal[choices.draw(len(legal))]
        ATLANTIS.apply(s, action, chance)
    return total


def test_frozen() -> None:
    """If this fails, restore greedy-1 and call the new bot greedy-2."""
    assert [digest(number) for number in range(3)] == DIGESTS


def test_distances() -> None:
    for space in range(SPACES):
        assert STEPS[space][space] == 0
        assert all(STEPS[space][near] == 1 for near in BOARD.neighbours[space])
    assert [TO_LANDING[landing] for landing in LANDING] == [0, 0, 0, 0]
    assert TO_LANDING[BOARD.names.index("g2")] == 5
