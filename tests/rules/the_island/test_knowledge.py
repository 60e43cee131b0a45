"""Views of each seat, and the worlds resampled from them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from archipel.game import Game
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import Stream, clone, differences
from archipel.rules.the_island.components import BOX, SYMBOLS
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.state import Phase, owner
from archipel.testing.every_outcome import every_outcome
from tests.rules.the_island.tables import TILES, look, play, seen, state_of, table
from tests.support.scrambled import scrambled


def mid_game(seed: int, seats: int = 3, **options: object) -> Game:
    game = Game.new("the-island", seats, seed=seed, auto_setup=True, **options)
    choice = Stream(seed)
    for _ in range(220):
        if not game.is_over:
            game.play(game.legal[choice.draw(len(game.legal))])
    return game


@pytest.mark.rule("IS-I1")
def test_only_values_and_backs_are_hidden() -> None:
    for seed in range(5):
        game = mid_game(seed)
        whole = state_of(game)
        for seat in (SPECTATOR, 0, 1, 2):
            view = THE_ISLAND.seen(whole, seat)
            changed = {line.split(":")[0] for line in differences(view, whole)}
            assert changed <= {"value", "back"}


@pytest.mark.rule("IS-I1", "IS-I2")
def test_the_number_terrain_and_space_of_hand_tiles_are_public() -> None:
    game = table(land="f5f", white="a1", yellow="a2", hand1="d4b:wind d5f:repel_whale")
    assert seen(game, 0, "hand1") == "d4b:wind,d5f:repel_whale"
    assert seen(game, 1, "hand1") == "d4b?,d5f?"
    assert seen(game, None, "hand1") == "d4b?,d5f?"


@pytest.mark.rule("IS-I1")
def test_removed_tiles_are_public() -> None:
    game = table(land="f5f", white="a1", yellow="a2", hand2="d4b:wind")
    for seat in (None, 0, 1):
        assert "?" not in seen(game, seat, "out")


@pytest.mark.rule("IS-I2")
def test_the_backs_of_tiles_on_the_board_are_hidden() -> None:
    game = table(land="f5f:shark f6f:boat", white="a1", yellow="a2", memory="12")
    for seat in (None, 0, 1):
        assert all(part.endswith("?") for part in seen(game, seat, "land").split(","))


@pytest.mark.rule("IS-I3")
def test_a_spectator_sees_no_more_than_any_player() -> None:
    for seed in range(5):
        game = mid_game(seed, open_memory=True)
        watched = THE_ISLAND.seen(state_of(game), SPECTATOR)
        for seat in range(3):
            view = THE_ISLAND.seen(state_of(game), seat)
            for field in ("value", "back"):
                for of_all, of_one in zip(
                    getattr(watched, field), getattr(view, field), strict=True
                ):
                    assert of_all in (of_one, -1)
        assert set(watched.value) <= {-1, 0}


@pytest.mark.rule("IS-I4")
def test_explorers_are_numbered_in_the_order_of_placement() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    play(game, "place f5", "white 6", "place d4", "yellow 1", "place e4", "white 1")
    assert look(game, "white").startswith("f5,e4,-")
    assert state_of(game).value[:2] == [6, 1]


@pytest.mark.rule("IS-I4")
def test_public_events_show_no_value_before_the_end() -> None:
    """A value may appear only in an event that is visible to one seat."""
    for seed in range(6):
        game = mid_game(seed)
        for number in range(len(game.moves)):
            for event in game.events(number):
                if event.seen_by is None and not event.key.startswith(("score", "win")):
                    assert "value" not in event.details
                    assert "values" not in event.details


@pytest.mark.rule("IS-I4", "IS-I5")
def test_saving_an_explorer_reveals_no_value() -> None:
    game = table(land="f5f", white="c1:6,a1", yellow="a2")
    play(game, "explorer w1", "ashore nw")
    for event in game.events():
        assert "6" not in str(dict(event.details))
    assert seen(game, 0, "white").startswith("nw?")


@pytest.mark.rule("IS-I4", "IS-I5", "IS-S7")
def test_a_placement_shows_its_value_to_the_owner_only() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    play(game, "place f5", "white 6")
    events = game.events()
    assert [event.key for event in events] == ["place.explorer", "place.value"]
    assert "value" not in events[0].details
    assert events[1].details["value"] == 6
    assert events[1].seen_by == frozenset({0})
    # Narrated from another seat's view, the value event does not appear.
    past = Game.new("the-island", 2, seed=1, first=1)
    past.play("place f5")
    for seat in (SPECTATOR, 1):
        narrated = THE_ISLAND.narrate(
            THE_ISLAND.seen(past.state, seat),
            game.moves[-1].action,
            (),
            THE_ISLAND.seen(game.state, seat),
        )
        assert [event.key for event in narrated] == ["place.explorer"]


@pytest.mark.rule("IS-S7")
def test_a_bot_recalls_the_values_it_placed_and_no_others() -> None:
    s = clone(state_of(mid_game(3)))
    s.memory = 0  # a quick set-up gives open memory to all
    for seat in range(3):
        recalled, view = THE_ISLAND.recalled(s, seat), THE_ISLAND.seen(s, seat)
        own = [explorer for explorer in range(len(s.value)) if owner(s, explorer) == seat]
        assert all(recalled.value[explorer] == s.value[explorer] for explorer in own)
        assert all(view.value[explorer] in (-1, 0) for explorer in own)
        others = [explorer for explorer in range(len(s.value)) if explorer not in own]
        assert all(recalled.value[explorer] == view.value[explorer] for explorer in others)
        # A world resampled from it keeps the known values.
        world = THE_ISLAND.resample(recalled, seat, Stream(1))
        assert all(world.value[explorer] == s.value[explorer] for explorer in own)


@pytest.mark.rule("IS-I5", "IS-S7")
def test_a_past_position_hides_values_that_are_hidden_now() -> None:
    for memory in (False, True):
        game = Game.new("the-island", 2, seed=1, first=1, open_memory=memory)
        play(game, "place f5", "white 6")
        then = state_of(game)
        assert THE_ISLAND.looked_back(then, then, 0).value[0] == 6, "until play begins"
        while state_of(game).phase < Phase.PLAY_TILE:
            game.play(game.legal[0])
        now = state_of(game)
        assert THE_ISLAND.looked_back(then, now, 0).value[0] == (6 if memory else -1)
        assert THE_ISLAND.looked_back(then, now, 1).value[0] == -1
        assert THE_ISLAND.looked_back(then, now, 0).value[1] == 0, "not placed yet"


@pytest.mark.rule("IS-I6")
def test_everything_is_visible_when_the_game_is_over() -> None:
    game = table(
        land="f5m:volcano f6m", white="nw:3,f6:6", yellow="f5", hand2="d4b:wind", phase="remove"
    )
    assert "?" in game.view(0).text
    game.play("remove f5")
    for seat in (SPECTATOR, 0, 1):
        assert THE_ISLAND.seen(game.state, seat) == game.state


# ---- possible worlds ----------------------------------------------------------------------------


def backs_of(text: str, word: str) -> dict[str, str]:
    found = dict(part.split("=", 1) for part in text.split())[word]
    return {} if found == "-" else dict(part.split(":") for part in found.split(","))


@pytest.mark.rule("IS-I7")
def test_resampled_tiles_of_other_hands_are_red_and_keep_their_terrain() -> None:
    game = table(land="f5m f6m", white="a1", yellow="a2", hand2="d4m:repel_whale d5b:wind")
    met: set[tuple[str, str]] = set()
    for seed in range(200):
        world = THE_ISLAND.resample(game.state, 0, Stream(seed))
        hand = backs_of(THE_ISLAND.position_text(world), "hand2")
        assert hand["d4m"] in ("repel_shark", "repel_whale")
        assert hand["d5b"] == "wind"  # all other red beaches are out
        met.add((hand["d4m"], backs_of(THE_ISLAND.position_text(world), "land")["f5m"]))
    assert len({first for first, _ in met}) == 1 or len(met) > 2


@pytest.mark.rule("IS-I7")
def test_resampled_worlds_are_equally_likely() -> None:
    """One hidden mountain is in a hand, three are on the board; two of the four backs are red."""
    game = Game.from_position(
        "the-island",
        "seats=2 phase=remove white=a1 yellow=a2 serpents=- hand2=d4m:repel_whale "
        "land=d5m:repel_shark,d6m:volcano,d7m:whirlpool out=" + ALL_OTHERS,
    )
    hands = Counter[str]()
    boards: dict[str, Fraction] = {}
    for _, probability, world in every_outcome(
        lambda chance: THE_ISLAND.resample(game.state, 0, chance)
    ):
        text = THE_ISLAND.position_text(world)
        hand = backs_of(text, "hand2")["d4m"]
        hands[hand] += 1
        key = f"{hand} {sorted(backs_of(text, 'land').items())}"
        boards[key] = boards.get(key, Fraction(0)) + probability
    assert set(hands) == {"repel_shark", "repel_whale"}
    assert len(boards) == 2 * 6
    assert set(boards.values()) == {Fraction(1, 12)}


def _removed_tiles() -> str:
    left = []
    given = {(2, 11): 1, (2, 10): 1, (2, 4): 1, (2, 3): 1}
    for terrain, counts in enumerate(BOX.backs):
        for symbol, count in enumerate(counts):
            left += [f"{'bfm'[terrain]}:{SYMBOLS[symbol]}"] * (
                count - given.get((terrain, symbol), 0)
            )
    free = [tile for tile in TILES if tile not in ("d4", "d5", "d6", "d7")]
    return ",".join(f"{tile}{back}" for tile, back in zip(free, left, strict=True))


# Under all_equal no values are drawn, which keeps the number of worlds small.
ALL_OTHERS = _removed_tiles() + " all_equal=on"


@pytest.mark.rule("IS-I7")
def test_resampling_permutes_values_within_each_colour() -> None:
    game = Game.new("the-island", 3, seed=4, auto_setup=True)
    s = state_of(game)
    firsts = Counter[int]()
    for seed in range(400):
        world = THE_ISLAND.resample(s, 0, Stream(seed))
        assert world.value[:10] == s.value[:10]  # own values are known, by IS-S9
        for colour in (1, 2):
            values = world.value[colour * 10 : colour * 10 + 10]
            assert sorted(values) == [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]
        firsts[world.value[10]] += 1
    assert 80 < firsts[1] < 160  # three of the ten values are 1
    assert 15 < firsts[6] < 70


@pytest.mark.rule("IS-I7", "IS-S5")
def test_resampling_during_placement_draws_placed_values_only() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    play(game, "place f5", "white 6", "place d4", "yellow 1", "place e4")
    values = Counter[int]()
    for seed in range(300):
        world = THE_ISLAND.resample(state_of(game), 1, Stream(seed))
        assert world.value[1:10] == [0] * 9
        assert world.value[10] == 1
        values[world.value[0]] += 1
    assert set(values) == {1, 2, 3, 4, 5, 6}


# ---- taking back --------------------------------------------------------------------------------


@pytest.mark.rule("IS-K5", "IS-T1")
def test_an_action_that_reveals_nothing_can_be_taken_back() -> None:
    game = table(
        land="f5f:dolphin f6f", white="f6,a1", yellow="a2", hand1="d4b:dolphin", phase="play_tile"
    )
    game.play("pass")
    assert game.can_take_back
    game.play("explorer w1")
    assert game.can_take_back
    game.play("to f5")
    assert game.can_take_back
    game.play("stop")
    assert game.can_take_back
    play(game, "remove f5", die="whale")
    assert not game.can_take_back  # the back was revealed and the die rolled
    game = table(
        land="f5f:dolphin f6f", white="f6,a1", yellow="a2", hand1="d4b:dolphin", phase="play_tile"
    )
    game.play("play dolphin")
    assert not game.can_take_back  # the tile was revealed


@pytest.mark.rule("IS-S8")
def test_placing_can_be_taken_back() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    game.play("place f5")
    assert game.can_take_back
    game.play("white 6")
    assert game.can_take_back


@pytest.mark.rule("IS-I1", "IS-I2")
@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2])
def test_a_view_overwrites_every_field(seat: int) -> None:
    for seed in (3, 4):
        s = state_of(mid_game(seed, open_memory="1"))
        seen_by = scrambled(s)
        THE_ISLAND.view(s, seat, seen_by)
        assert differences(seen_by, THE_ISLAND.seen(s, seat)) == []
