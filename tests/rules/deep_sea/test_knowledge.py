"""What a seat sees, and how unknown values are sampled."""

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
    """The same units with unknown values."""
    return ",".join(
        "+".join(f"{chip.split(':')[0]}?" if chip != "o" else chip for chip in unit.split("+"))
        for unit in text.split(",")
    )


# ---- the view -----------------------------------------------------------------------------------


@pytest.mark.rule("DS-T9")
@pytest.mark.parametrize("seat", [0, 1, 2, 3, SPECTATOR])
def test_nobody_sees_values_on_the_line_or_in_a_hand_out_there(seat: int | None) -> None:
    game = busy()
    assert seen(game, seat, "line") == hide(look(game, "line"))
    assert seen(game, seat, "diver1") == "5>[a4?,b4?+b5?]"  # the holder included
    assert seen(game, seat, "diver3") == "3<[c2?]"


@pytest.mark.rule("DS-T9", "DS-E2")
def test_only_a_diver_who_is_home_sees_the_values_brought_home() -> None:
    game = busy()
    assert seen(game, 1, "diver2") == "home[c1:8,d1:12]"
    for other in (0, 2, 3, SPECTATOR):
        assert seen(game, other, "diver2") == "home[c1?,d1?]"


@pytest.mark.rule("DS-T9")
def test_the_chips_are_shown_on_coming_home_not_before() -> None:
    game = table(diver1="4<[a1,b1]", diver2="9>")
    assert seen(game, 0, "diver1") == "4<[a1?,b1?]"
    dive(game, 3, 3)
    assert seen(game, 0, "diver1") == "home[a1:0,b1:4]"
    assert seen(game, 1, "diver1") == "home[a1?,b1?]"


@pytest.mark.rule("DS-T9", "DS-E2")
def test_at_the_end_of_the_round_they_are_shown_to_all() -> None:
    game = table(seats=3, air=1, diver1="home[a1,b1]", diver2="9>[c1]", turn=2, starter=1)
    dive(game, 1, 1)
    assert seen(game, 2, "diver1") == "home[a1?,b1?]"
    game.play("nothing")
    for seat in (0, 1, 2, SPECTATOR):
        assert seen(game, seat, "treasure1") == "a1:0,b1:4"
        assert seen(game, seat, "line").endswith("d8?,c1?")


@pytest.mark.rule("DS-T9", "DS-E8")
def test_treasure_is_shown_while_the_drowned_choose() -> None:
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
def test_while_units_are_laid_down_the_room_on_the_pile_is_public() -> None:
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
def test_a_view_is_filled_in_whatever_it_held_before(seat: int) -> None:
    """A view overwrites every field of its target."""
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
def test_a_whole_hand_is_shown_on_coming_home_at_a_full_table() -> None:
    hand = "a1,a2,b1,b2,c1+d1,c2"
    game = table(seats=6, diver1=f"home[{hand}]", turn=6, starter=1, diver6="3>")
    assert "?" not in seen(game, 0, "diver1")
    for seat in (1, 5, SPECTATOR):
        assert seen(game, seat, "diver1").count("?") == 7


@pytest.mark.rule("DS-T9", "DS-T12", "DS-G2")
def test_known_chips_are_a_set_of_bits() -> None:
    s = state_of(busy())
    treasure = 1 << 7 | 1 << 31 | 1 << 15
    assert [known_chips(s, seat) for seat in (-1, 0, 2, 3)] == [treasure] * 4
    assert known_chips(s, 1) == treasure | 1 << 16 | 1 << 24
    over = state_of(table(phase="over", air=0, round=3))
    assert [known_chips(over, seat) for seat in (-1, 0, 1)] == [2**32 - 1] * 3


# ---- possible worlds ----------------------------------------------------------------------------


@pytest.mark.rule("DS-T12")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
def test_a_world_has_an_equal_view_for_the_seat_it_is_made_for(seat: int) -> None:
    truth = state_of(busy())
    view = DEEP_SEA.seen(truth, seat)
    for key in range(20):
        world = DEEP_SEA.resample(truth, seat, Stream(key))
        assert DEEP_SEA.seen(world, seat) == view
        assert DEEP_SEA.fault(world) == 0


def few_unseen() -> Game:
    """Unseen are a1:0, a2:0, a3:1, b1:4 and b3:5; all else is treasure."""
    return table(line="a1,a2,b1,b3", diver1="4>[a3]", treasure2="...", round=2)


@pytest.mark.rule("DS-T12")
def test_the_worlds_are_all_the_possible_ones_equally_often() -> None:
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
        ("a2,a3,a4", (0, 1, 1)),  # of 0 one is known, of 2 and 3 both are
        ("a1,a3,a8", (0, 1, 3)),
        ("a6,a7", (2, 3)),
        ("a1,a2,a3,a4", (0, 0, 1, 1)),
    ],
)
def test_known_chips_leave_the_others_of_their_level(unseen: str, left: tuple[int, ...]) -> None:
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
def test_the_view_of_a_seat_is_equal_in_all_its_worlds() -> None:
    game = table(line="a1,a2,b1", diver1="home[a3,b3]", treasure2="...", starter=1, turn=2)
    truth = state_of(game)

    def values(seat: int) -> set[tuple[int, ...]]:
        found: set[tuple[int, ...]] = set()
        for _ in all_tapes(
            lambda tape: found.add(tuple(DEEP_SEA.resample(truth, seat, tape).value))
        ):
            pass
        return found

    assert len(values(0)) == 1  # what is left of each level is worth the same
    assert len(values(1)) == 3 * 2


@pytest.mark.rule("DS-T12")
def test_a_world_is_made_from_the_view_alone() -> None:
    truth = state_of(few_unseen())
    other = clone(truth)
    other.value[0:3] = [1, 0, 0]
    other.value[8], other.value[10] = 5, 4
    for key in range(10):
        assert DEEP_SEA.resample(truth, 0, Stream(key)) == DEEP_SEA.resample(other, 0, Stream(key))


@pytest.mark.rule("DS-T12", "DS-T9")
def test_coming_home_reveals_something_and_searching_does_not() -> None:
    game = table(diver1="4<[a1,b1]", diver2="9>")
    before = game.position.state
    dive(game, 3, 3)
    assert DEEP_SEA.reveals(before, game.state)
    before = game.position.state
    dive(game, 1, 1)
    game.play("take")
    assert not DEEP_SEA.reveals(before, game.state)
