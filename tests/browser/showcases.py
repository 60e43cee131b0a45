"""Positions for screenshots, and how to reach them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.browser.boards import (
    BoardPlayer,
    WeightedChoice,
    play_boards_to_end,
    play_boards_until,
)
from tests.browser.user_page import Message, UserPage


@dataclass(frozen=True)
class Showcase:
    """A game with bots: the weights until the position is reached, its condition, and the weights
    to finish."""

    seats: int
    options: Mapping[str, str]
    weights: Mapping[str, float]
    is_reached: Callable[[Message], bool]
    finish_weights: Mapping[str, float]


def _kinds(scene: Message) -> set[str]:
    return {piece["kind"] for piece in scene["pieces"]}


def _land_and_creatures(scene: Message) -> bool:
    """Some tiles are gone, all creatures are on the board, seat 1 holds a tile and moves."""
    gauges = scene["gauges"]
    in_hand = any(piece["cell"] == "hand1" for piece in scene["pieces"])
    all_creatures = {"serpent", "shark", "whale"} <= _kinds(scene)
    return (
        gauges["phase"] == "phase.move"
        and gauges["tiles_left"][0] < 9
        and all_creatures
        and in_hand
    )


def _land_and_animals(scene: Message) -> bool:
    gauges = scene["gauges"]
    animals = {"monster", "shark", "octopus", "dolphin"} & _kinds(scene)
    few_plains = gauges["pieces_left"][0] < 10
    return gauges["phase"] == "phase.move" and few_plains and len(animals) >= 3


def _lava_and_reach(scene: Message) -> bool:
    """Lava has flowed, and an explorer can move."""
    flows = sum(cell["kind"] == "lava" for cell in scene["cells"])
    return flows >= 3 and len(scene["paths"]) > 2


SEA_FINISH_WEIGHTS = {
    "action.enough_moving": 60.0,
    "action.no_creature": 20.0,
    "action.no_animal": 20.0,
    "action.ashore": 600.0,
}
SHOWCASES = {
    "the-island": Showcase(
        4,
        {"Who begins": "seat 1", "Quick set-up": "placed at random"},
        {"action.no_tile": 9.0, "action.ashore": 30.0},
        _land_and_creatures,
        SEA_FINISH_WEIGHTS,
    ),
    "atlantis": Showcase(
        4,
        {"Who begins": "seat 1"},
        {"action.ashore": 30.0},
        _land_and_animals,
        SEA_FINISH_WEIGHTS,
    ),
    "mauna-kea": Showcase(
        3,
        {"Expert game": "with cards", "Layout": "at the corners of the volcano"},
        {
            "action.end_play": 1.5,
            "action.spend": 2.0,
            "action.explorer": 0.6,
            "action.put.": 0.02,
            "action.draw": 12.0,
            "action.end_turn": 12.0,
            "action.card.": 0.1,
        },
        _lava_and_reach,
        {"action.end_play": 9.0, "action.draw": 9.0, "action.end_turn": 9.0},
    ),
}


def begin(user: UserPage, game: str) -> BoardPlayer:
    """Start a game with bots and play until the position is reached."""
    showcase = SHOWCASES[game]
    bots = range(2, showcase.seats + 1)
    user.set_up_table(game=game, seats=showcase.seats, bots=bots, options=showcase.options)
    user.start_game()
    player = BoardPlayer(user, WeightedChoice(1, showcase.weights))

    def is_reached() -> bool:
        assert not player.board_state().over, "the game ended before the position was reached"
        return bool(player.legal_choices()) and showcase.is_reached(player.position()["scene"])

    play_boards_until(is_reached, player)
    return player


def finish(player: BoardPlayer, game: str) -> None:
    player.choose = WeightedChoice(2, SHOWCASES[game].finish_weights)
    play_boards_to_end(player)
    player.user.result_lines()
