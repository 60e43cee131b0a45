"""The number of taps for an ordinary turn of each game, by touch on a phone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from archipel.game import Game
from tests.browser.boards import BoardPlayer, distinct_choices
from tests.browser.conftest import NewUser
from tests.browser.staging import StagedTable, decision_message
from tests.browser.user_page import PHONE, SMALL_PHONE, Message

pytestmark = pytest.mark.browser


class Script(NamedTuple):
    """An ordinary turn: its first phase; the choices by the ends of their keys, in the order of
    preference; the most steps of a path; and the most taps on both screens."""

    first: str
    begins: str
    wishes: Sequence[str]
    steps: int
    most: Mapping[tuple[int, int], int]


SCRIPTS = {
    # The same turn took 23 and 20 taps when every space was tapped and confirmed.
    "the-island": Script(
        "Who begins",
        "play_tile",
        ("no_tile", "walk", "to", "explorer", "remove", "whale", "shark", "serpent"),
        2,
        {PHONE: 23 // 2, SMALL_PHONE: 20 // 2},
    ),
    # The same turn took 20 and 17 taps.
    "atlantis": Script(
        "Who begins",
        "move",
        ("board", "walk", "to", "person", "sink", "flee", "dolphin", "shark", "octopus"),
        2,
        {PHONE: 20 // 2, SMALL_PHONE: 17 // 2},
    ),
    "mauna-kea": Script(
        "First player",
        "play",
        (
            *("spend", "walk", "north", "east", "south", "west", "to"),
            *("explorer", "end_play", "draw"),
        ),
        9,
        {PHONE: 9, SMALL_PHONE: 9},
    ),
    "deep-sea": Script(
        "Who begins", "throw", ("dive", "swim_on", "take"), 1, {PHONE: 2, SMALL_PHONE: 2}
    ),
}


def begin_turn(name: str) -> Game:
    """Return a random game at the beginning of the fourth turn of the first seat."""
    game, chance = Game.new(name, 2, seed=5), random.Random(5)
    turns, other = 0, True
    while not game.is_over:
        phase = decision_message(game)["scene"]["gauges"]["phase"]
        turns += other and game.to_move == 0 and phase == f"phase.{SCRIPTS[name].begins}"
        if turns == 4:
            return game
        other = game.to_move != 0
        game.play(chance.choice(game.legal))
    raise AssertionError("the game was too short")


def wanted(game: Game, script: Script) -> Message:
    """The choice of a script, without losses and as far as possible. A piece that is picked up has
    a destination of the script."""
    scene = decision_message(game)["scene"]
    offered = [
        choice
        for choice in (*distinct_choices(scene), *scene["paths"])
        if not {"lost", "sunk"} & set(choice["details"])
        and choice["details"].get("steps", 1) <= script.steps
    ]
    for wish in script.wishes:
        found = [each for each in offered if each["key"] == f"action.{wish}"]
        if wish in ("explorer", "person"):
            found = [each for each in found if goes_on(game, each, script)]
        if found:
            return max(found, key=lambda each: wish != "board" and len(each.get("then", ())))
    raise AssertionError(f"none of {script.wishes} in {[each['key'] for each in offered]}")


def goes_on(game: Game, pick: Message, script: Script) -> bool:
    after = game.copy()
    after.play(pick["action"])
    keys = {
        each["key"].removeprefix("action.") for each in decision_message(after)["scene"]["choices"]
    }
    return not keys.isdisjoint(script.wishes[: script.wishes.index("to")])


def perform(player: BoardPlayer, stage: StagedTable, choice: Message) -> None:
    """Tap until the choice is played, and count the taps."""
    count = len(stage.played())

    def has_effect() -> bool:
        now = player.board_state()
        parts = ("asked", "several", "zoom")
        changed = [now.seen[part] != state.seen[part] for part in parts]
        return len(stage.played()) > count or (any(changed) and not now.seen["showing"])

    while len(stage.played()) == count:
        state = player.board_state()
        if player.take_step(choice, state):
            player.steps += 1
            player.user.wait_until(has_effect)
        else:
            player.user.page.wait_for_timeout(20)


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE], ids=str)
@pytest.mark.parametrize("name", list(SCRIPTS))
def test_taps_of_an_ordinary_turn(new_user: NewUser, name: str, size: tuple[int, int]) -> None:
    script = SCRIPTS[name]
    ana = new_user("Ana", size=size, touch=True, reduced_motion=True)
    stage = StagedTable(ana)
    ana.set_up_table(game=name, seats=2, bots=[2], options={script.first: "seat 1"})
    ana.start_game()
    game = begin_turn(name)
    player = BoardPlayer(ana, lambda offered: offered[0])
    done = []
    while game.to_move == 0 and not game.is_over:
        moment = decision_message(game)
        stage.show(moment)
        choice = wanted(game, script)
        taps = player.steps
        perform(player, stage, choice)
        done.append(f"{choice['text']} ({player.steps - taps})")
        actions = [choice["action"], *choice.get("then", ())]
        for number, action in enumerate(actions):
            ana.wait_until(lambda wanted=action: stage.played()[-1] == wanted)  # type: ignore[misc]
            game.play(action)
            if number + 1 < len(actions):
                stage.show(decision_message(game))
    assert player.steps <= script.most[size], "; ".join(done)
