"""The view of each seat and the sampling of unknown values."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from archipel.game import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.knowledge import known_chips
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Stream, clone
from tests.rules.deep_sea.scripted_chance import all_tapes
from tests.rules.deep_sea.tables import dive, look, seen, state_of, table
from tests.support.recording_tape import RecordingTape

SPECTATOR = None
PUBLIC = (
    "seats",
    "drop_order",
    "round",
    "air",
    "turn",
    "phase",
    "starter",
    "idle",
    "stirred",
    "pile_room",
)


def busy(**words: object) -> Game:
    """A position with piles, discs, hands, a diver at home, and treasure."""
    given: dict[str, object] = {
        "seats": 4,
        "round": 2,
        "air": 17,
        "turn": 3,
        "starter": 2,
        "line": "a1,o,b2+c3+d4,...,a2+a3",
        "diver1": "5>[a4,b4+b5]",
        "diver2": "home[c1,d1]",
        "diver3": "3<[c2]",
        "treasure1": "a8,d8",
        "treasure4": "b8",
    }
    return table(**(given | words))


def hide(text: str) -> str:
    """Replace the values of the units by question marks."""
    return ",".join(
        "+".join(f"{chip.split(':')[0]}?" if chip != "o" else chip for chip in unit.split("+"))
        for unit in text.split(",")
    )


# ---- the view -----------------------------------------------------------------------------------


@pytest.mark.rule("DS-T9")
@pytest.mark.parametrize("seat", [0, 1, 2, 3, SPECTATOR])
def test_values_on_the_line_and_in_hands_in_the_water_are_hidden(seat: int | None) -> None:
    game = busy()
    assert seen(game, seat, "line") == hide(look(game, "line"))
    assert seen(game, seat, "diver1") == "5>[a4?,b4?+b5?]"  # the holder included
    assert seen(game, seat, "diver3") == "3<[c2?]"


@pytest.mark.rule("DS-T9", "DS-E2")
def test_only_a_diver_at_home_sees_the_values_they_brought_home() -> None:
    game = busy()
    assert seen(game, 1, "diver2") == "home[c1:8,d1:12]"
    for other in (0, 2, 3, SPECTATOR):
        assert seen(game, other, "diver2") == "home[c1?,d1?]"


@pytest.mark.rule("DS-T9")
def test_a_diver_sees_their_chips_only_after_coming_home() -> None:
    game = table(diver1="4<[a1,b1]", diver2="9>")
    assert seen(game, 0, "diver1") == "4<[a1?,b1?]"
    dive(game, 3, 3)
    assert seen(game, 0, "diver1") == "home[a1:0,b1:4]"
    assert seen(game, 1, "diver1") == "home[a1?,b1?]"


@pytest.mark.rule("DS-T9", "DS-E2")
def test_chips_brought_home_become_public_at_the_end_of_the_round() -> None:
    game = table(seats=3, air=1, diver1="home[a1,b1]", diver2="9>[c1]", turn=2, starter=1)
    dive(game, 1, 1)
    assert seen(game, 2, "diver1") == "home[a1?,b1?]"
    game.play("nothing")
    for seat in (0, 1, 2, SPECTATOR):
        assert seen(game, seat, "treasure1") == "a1:0,b1:4"
        assert seen(game, seat, "line").endswith("d8?,c1?")


@pytest.mark.rule("DS-T9", "DS-E8")
def test_treasure_is_public_while_drowned_divers_choose_their_drop_order() -> None:
    game = table(air=1, drop_order="chosen", diver1="2<[a1]", diver2="9>[b1,b2]")
    dive(game, 3, 3)
    assert seen(game, 1, "treasure1") == "a1:0"
    assert seen(game, 1, "diver2") == "9>[b1?,b2?]"


@pytest.mark.rule("DS-T12")
@pytest.mark.parametrize("seat", [0, 1, 2, 3, SPECTATOR])
def test_everything_but_values_is_public(seat: int | None) -> None:
    for game in (busy(), busy(drop_order="chosen", idle=1, stirred=1), busy(phase="search")):
        for word in PUBLIC:
            assert seen(game, seat, word) == look(game, word)
        view, truth = game.view(seat).state, state_of(game)
        for name in ("line_length", "line", "place", "turned", "home", "load", "hand", "treasure"):
            assert getattr(view, name) == getattr(truth, name)
        assert view.points == truth.points == [18, 0, 0, 7, 0, 0]
        assert seen(game, seat, "treasure1") == "a8:3,d8:15"


@pytest.mark.rule("DS-T12")
def test_the_room_on_the_pile_is_public_while_units_are_laid() -> None:
    game = table(
        drop_order="chosen",
        phase="lay",
        air=0,
        pile_room=1,
        diver1="9>[a1,a2]",
        starter=1,
        line="...,b1+b2",
    )
    assert seen(game, 1, "pile_room") == "1"
    assert seen(game, 1, "phase") == "lay"


@pytest.mark.rule("DS-T12")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
def test_a_view_overwrites_every_field_of_its_target(seat: int) -> None:
    truth = state_of(busy(drop_order="chosen", idle=1, stirred=1, pile_room=2))
    filled = []
    for rubbish in (0, 7):
        target = State()
        for name in State.__slots__:
            held = getattr(target, name)
            if isinstance(held, int):
                setattr(target, name, rubbish)
            else:
                for index, cell in enumerate(held):
                    held[index] = [rubbish] * len(cell) if isinstance(cell, list) else rubbish
        DEEP_SEA.view(truth, seat, target)
        filled.append(target)
    assert filled[0] == filled[1] == DEEP_SEA.seen(truth, seat)


@pytest.mark.rule("DS-T9")
def test_a_diver_at_home_sees_a_whole_hand_with_six_players() -> None:
    hand = "a1,a2,b1,b2,c1+d1,c2"
    game = table(seats=6, diver1=f"home[{hand}]", turn=6, starter=1, diver6="3>")
    assert "?" not in seen(game, 0, "diver1")
    for seat in (1, 5, SPECTATOR):
        assert seen(game, seat, "diver1").count("?") == 7


@pytest.mark.rule("DS-T9", "DS-T12", "DS-G2")
def test_known_chips_is_a_bit_set() -> None:
    s = state_of(busy())
    treasure = 1 << 7 | 1 << 31 | 1 << 15
    assert [known_chips(s, seat) for seat in (-1, 0, 2, 3)] == [treasure] * 4
    assert known_chips(s, 1) == treasure | 1 << 16 | 1 << 24
    over = state_of(table(phase="over", air=0, round=3))
    assert [known_chips(over, seat) for seat in (-1, 0, 1)] == [2**32 - 1] * 3


# ---- sampled worlds -----------------------------------------------------------------------------


@pytest.mark.rule("DS-T12")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
def test_a_sampled_world_is_valid_and_has_the_same_view(seat: int) -> None:
    truth = state_of(busy())
    view = DEEP_SEA.seen(truth, seat)
    for key in range(20):
        world = DEEP_SEA.resample(truth, seat, Stream(key))
        assert DEEP_SEA.seen(world, seat) == view
        assert DEEP_SEA.fault(world) == 0


def few_unseen() -> Game:
    """A game where only a1:0, a2:0, a3:1, b1:4 and b3:5 are unseen."""
    return table(line="a1,a2,b1,b3", diver1="4>[a3]", treasure2="...", round=2)


@pytest.mark.rule("DS-T12")
def test_sampling_draws_every_possible_world_with_equal_probability() -> None:
    truth = state_of(few_unseen())
    worlds: Counter[tuple[int, ...]] = Counter()

    def run(tape: RecordingTape) -> None:
        world = DEEP_SEA.resample(truth, 0, tape)
        worlds[tuple(world.value)] += 1

    for tape in all_tapes(run):
        assert tape.sizes == [3, 2, 1, 2, 1]
    expected: Counter[tuple[int, ...]] = Counter()
    for first_level in permutations((0, 0, 1)):
        for second_level in permutations((4, 5)):
            value = list(truth.value)
            value[0:3] = first_level
            value[8], value[10] = second_level
            expected[tuple(value)] += 1
    assert worlds == expected


@pytest.mark.rule("DS-T12", "DS-C1")
@pytest.mark.parametrize(
    ("unseen", "left"),
    [
        ("a2,a3,a4", (0, 1, 1)),  # known: one 0, both 2s and both 3s
        ("a1,a3,a8", (0, 1, 3)),
        ("a6,a7", (2, 3)),
        ("a1,a2,a3,a4", (0, 0, 1, 1)),
    ],
)
def test_unseen_chips_take_the_remaining_level_values(unseen: str, left: tuple[int, ...]) -> None:
    truth = state_of(table(line=unseen, treasure2="...", round=2))
    places = [int(chip[1]) - 1 for chip in unseen.split(",")]
    worlds: Counter[tuple[int, ...]] = Counter()

    def run(tape: RecordingTape) -> None:
        value = DEEP_SEA.resample(truth, 0, tape).value
        worlds[tuple(value[place] for place in places)] += 1

    for tape in all_tapes(run):
        assert tape.sizes == list(range(len(left), 0, -1))
    assert worlds == Counter(permutations(left))


@pytest.mark.rule("DS-T12", "DS-T9")
def test_sampled_worlds_vary_only_in_values_the_seat_has_not_seen() -> None:
    game = table(line="a1,a2,b1", diver1="home[a3,b3]", treasure2="...", starter=1, turn=2)
    truth = state_of(game)

    def values(seat: int) -> set[tuple[int, ...]]:
        found: set[tuple[int, ...]] = set()
        for _ in all_tapes(
            lambda tape: found.add(tuple(DEEP_SEA.resample(truth, seat, tape).value))
        ):
            pass
        return found

    assert len(values(0)) == 1  # the unseen chips of a level have equal values
    assert len(values(1)) == 3 * 2


@pytest.mark.rule("DS-T12")
def test_sampling_depends_only_on_the_view() -> None:
    truth = state_of(few_unseen())
    other = clone(truth)
    other.value[0:3] = [1, 0, 0]
    other.value[8], other.value[10] = 5, 4
    for key in range(10):
        assert DEEP_SEA.resample(truth, 0, Stream(key)) == DEEP_SEA.resample(other, 0, Stream(key))


@pytest.mark.rule("DS-T12", "DS-T9")
def test_coming_home_reveals_values_and_searching_does_not() -> None:
    game = table(diver1="4<[a1,b1]", diver2="9>")
    before = game.position.state
    dive(game, 3, 3)
    assert DEEP_SEA.reveals(before, game.state)
    before = game.position.state
    dive(game, 1, 1)
    game.play("take")
    assert not DEEP_SEA.reveals(before, game.state)
