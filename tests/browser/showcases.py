"""Moments of the games that show what they are like, and how one comes to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.browser.boards import Likely, Player, play_on, play_to_the_end, set_up
from tests.browser.people import Message, Person


@dataclass(frozen=True)
class Showcase:
    """A game with bots: how one plays until a moment comes, which one, and how one finishes."""

    seats: int
    options: Mapping[str, str]
    likely: Mapping[str, float]
    has_come: Callable[[Message], bool]
    hastily: Mapping[str, float]


def _kinds(scene: Message) -> set[str]:
    return {piece["kind"] for piece in scene["pieces"]}


def _land_and_creatures(scene: Message) -> bool:
    """Some land gone, all creatures about, something in hand, and a move to make."""
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


def _lava_and_a_way(scene: Message) -> bool:
    """Lava flows, and an explorer has somewhere to go."""
    flows = sum(cell["kind"] == "lava" for cell in scene["cells"])
    return flows >= 3 and len(scene["gauges"]["reach"]) > 2


HASTY_AT_SEA = {
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
        HASTY_AT_SEA,
    ),
    "atlantis": Showcase(
        4,
        {"Who begins": "seat 1"},
        {"action.ashore": 30.0},
        _land_and_animals,
        HASTY_AT_SEA,
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
        _lava_and_a_way,
        {"action.end_play": 9.0, "action.draw": 9.0, "action.end_turn": 9.0},
    ),
}


def begin(person: Person, game: str) -> Player:
    """Sit down to it with bots, and play until the moment has come."""
    showcase = SHOWCASES[game]
    bots = range(2, showcase.seats + 1)
    set_up(person, game, seats=showcase.seats, bots=bots, options=showcase.options)
    person.begins()
    player = Player(person, Likely(1, showcase.likely))

    def has_come() -> bool:
        assert not player.sight().over, "the game was over before that moment came"
        return bool(player.to_decide()) and showcase.has_come(player.position()["scene"])

    play_on(has_come, player)
    return player


def finish(player: Player, game: str) -> None:
    player.choose = Likely(2, SHOWCASES[game].hastily)
    play_to_the_end(player)
    player.person.result()
