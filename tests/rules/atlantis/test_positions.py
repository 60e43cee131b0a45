"""Position texts: round trips, refusals with their reasons, and fuzzing."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.invariants import FAULTS
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.kit import Stream
from tests.rules.atlantis.tables import state_of, table

LAST_TWO = "plains hills f6 f7 g5 g7 h6"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"seats": 5}, "number from 2 to 4"),
        ({"phase": "dance"}, "expected one of"),
        ({"red": "z9"}, "not where a person can be"),
        ({"red": "boat1"}, "not on the board"),
        ({"red": "d4,d4,d4", "blue": "d4"}, "more than three"),
        ({"red": "a1", "sharks": "a1"}, "R1 swims in a1, where shark 1 is"),
        ({"red": "a1", "monsters": "a1"}, "R1 swims in a1, where monster 1 is"),
        ({"boats": "a1", "monsters": "a1"}, "boat 1 is on a1, where monster 1 is"),
        ({"boats": "a1,a1"}, "boats 1 and 2 are both on a1"),
        ({"boats": "d4"}, "boat 1 is on d4, which is land"),
        ({"sharks": "d4"}, "is land"),
        ({"sharks": "a1,a1,a1,a1,a1,a1,a1"}, "7 places, but there are 6"),
        ({"red": "-"}, "red has nobody left on the board"),
        ({"red": "d4,-"}, "R2 is not placed yet"),
        ({"red": ",".join(["g6"] * 13)}, "a tribe has 12"),
        ({"land": "d4:whirlpool"}, "1 plain pieces bear whirlpool, but there are 0"),
        ({"land": "d4:volcano"}, "symbols are"),
        ({"land": "a1?"}, "is not a piece"),
        ({"land": "d4?", "sunk": "d4:boat"}, "already named|not once"),
        ({"swam": "B1"}, "only people of the player"),
        ({"swam": "Q1"}, "is not a person"),
        ({"chosen": "R1"}, "once a piece is chosen"),
        ({"phase": "move_to"}, "once a piece is chosen"),
        ({"phase": "move_to", "chosen": "B1"}, "cannot move"),
        ({"phase": "move_to", "chosen": "shark1"}, "cannot move"),
        ({"points": 0}, "points: required in step 1"),
        ({"phase": "sink", "points": 1}, "points: required in step 1"),
        ({"spun": "shark-1"}, "spun: required in step 3"),
        ({"spun": "shark-4"}, "spun=shark-4"),
        ({"phase": "animal", "spun": "shark-1"}, "no such animal can move"),
        ({"phase": "animal_step", "spun": "shark-1", "sharks": "a1", "chosen": "shark1",
          "steps": 1}, "origin: while"),
        ({"phase": "animal_step", "spun": "shark-1", "sharks": "a1", "chosen": "shark1",
          "steps": 2, "origin": "a1"}, "not what the spinner says"),
        ({"phase": "animal_step", "spun": "shark-1", "octopuses": "a1", "chosen": "octopus1",
          "steps": 1, "origin": "a1"}, "not an animal of the spinner"),
        ({"phase": "animal_step", "spun": "shark-2", "sharks": "a1", "chosen": "shark1",
          "steps": 1, "origin": "g6"}, "came from the sea"),
        ({"phase": "relocate", "sinking": "d4"}, "with people on it"),
        ({"phase": "relocate", "sinking": "d4", "red": "d4"}, "one person is not asked"),
        ({"phase": "relocate_to", "sinking": "d4", "red": "d4,g6", "chosen": "R2"},
         "somebody on the sinking piece"),
        ({"phase": "relocate_to", "sinking": "h7", "red": "h7", "chosen": "R1",
          "sunk": LAST_TWO}, "nothing to choose from"),
        ({"phase": "sink", "sunk": "plains hills mountains"}, "no piece is left"),
        ({"red": "a1", "sharks": "a2,b2,b3"}, "nothing to choose from"),
        ({"idle": 3}, "idle: only with no land left"),
        ({"phase": "over"}, "say why it ended"),
        ({"ending": "stalemate"}, "ending: with phase=over"),
        ({"turn": 3}, "number from 1 to 2"),
        ({"tide": "high"}, "no such word"),
    ],
)  # fmt: skip
def test_invalid_positions_are_refused_with_a_reason(words: dict[str, object], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        table(**words)


def test_a_position_of_every_phase_parses_to_an_equal_state() -> None:
    for words in (
        {"phase": "place", "turn": 2, "red": "g6"},
        {"red": "g6"},
        {"red": "g6", "phase": "move_to", "chosen": "R1"},
        {"red": "g6", "boats": "a1", "phase": "move_to", "chosen": "boat1"},
        {"red": "g6", "phase": "sink"},
        {"red": "g6,d4,d4", "phase": "relocate", "sinking": "d4"},
        {"red": "g6,d4", "phase": "relocate_to", "sinking": "d4", "chosen": "R2"},
        {"sharks": "a1", "phase": "animal", "spun": "shark-T"},
        {"sharks": "a1", "phase": "animal_step", "spun": "shark-3", "chosen": "shark1",
         "steps": 2, "origin": "a2"},
        {"red": "nw", "phase": "over", "ending": "tribe_gone"},
    ):  # fmt: skip
        game = table(**words)
        assert ATLANTIS.parse_position(game.position.text) == game.state
        assert ATLANTIS.picture(game.state, "fr")


@pytest.mark.rule("AT-C1", "AT-M10", "AT-E1")
def test_every_invariant_detects_its_fault() -> None:
    """Break each invariant by hand: every fault number must be reported."""
    found = set()

    def record_fault(**changes: object) -> None:
        s = state_of(table(red="g6,a2,boat1,nw", blue="d4", boats="a3", sharks="a5"))
        for name, value in changes.items():
            field, _, index = name.partition("__")
            if index:
                row = getattr(s, field)
                if field == "aboard":
                    row[0][int(index)] = value
                else:
                    row[int(index)] = value
            else:
                setattr(s, field, value)
        found.add(ATLANTIS.fault(s))

    record_fault(place__24=3)
    record_fault(place__2=205)
    record_fault(left__0=4)
    record_fault(boat__0=60)
    record_fault(creature__6=64)
    record_fault(creature__6=5)
    record_fault(crowd__0=1)
    record_fault(symbol__0=5)
    record_fault(turn=5)
    record_fault(points=0)
    s = state_of(table(red="a2", blue="d4", boats="a3", sharks="a5"))
    s.place[0], s.crowd[1], s.crowd[4] = 4, 0, 1
    found.add(ATLANTIS.fault(s))
    s = state_of(table(red="a2", blue="d4", boats="a3", monsters="a5"))
    s.boat[0], s.space[2], s.space[4] = 4, 0, s.space[4] | 1
    found.add(ATLANTIS.fault(s))
    s = state_of(table(red="a2", blue="d4"))
    s.place[0], s.crowd[1], s.left[0] = 250, 0, 0
    found.add(ATLANTIS.fault(s))
    s = state_of(table(red="g6,g6,g6", blue="g5"))
    s.place[12], s.crowd[s.place[0]] = s.place[0], 4
    s.crowd[s.place[0] - 1] = 0
    found.add(ATLANTIS.fault(s))
    assert found == set(range(1, len(FAULTS)))


# ---- fuzzing the parsers ------------------------------------------------------------------------

LETTERS = st.sampled_from("abdgmRBx?:,-=0123456789 \n")
WORDS = st.sampled_from(
    [
        *("seats=2", "seats=4", "phase=move", "phase=sink", "phase=animal", "phase=relocate"),
        *("phase=over", "turn=2", "points=1", "chosen=R1", "chosen=boat1", "sinking=d4", "idle=2"),
        *("spun=shark-T", "steps=2", "origin=a1", "swam=R1", "land=d4:boat", "sunk=d5:shark"),
        *("red=g6,a1", "blue=boat1", "yellow=nw", "boats=a1,x", "sharks=a2", "monsters=-"),
    ]
)
ACTION_WORDS = st.sampled_from(
    [
        *("person", "boat", "board", "shark", "to", "swim", "sink", "place", "ride", "ashore"),
        *("overboard", "stop", "pass", "R1", "r3", "1", "12", "99", "f7", "z1", "nw", "²"),
    ]
)


@cache
def random_game(seed: int, moves: int) -> Game:
    game = Game.new("atlantis", 2 + seed % 3, seed=seed)
    choice = Stream(seed)
    while not game.is_over and len(game.moves) < moves:
        legal = ATLANTIS.legal_actions(game.state)
        game.play(legal[choice.draw(len(legal))])
    return game


games = st.builds(random_game, st.integers(0, 2), st.sampled_from([3, 40, 90, 150, 300]))


@settings(max_examples=40)
@given(games, st.one_of(st.text(), st.lists(ACTION_WORDS, max_size=3).map(" ".join)))
def test_any_action_text_gives_a_legal_action_or_an_error(game: Game, text: str) -> None:
    try:
        action = game.parse(text)
    except (NotationError, RuleError):
        return
    assert action in game.legal


@settings(max_examples=60)
@given(st.one_of(st.text(), st.text(LETTERS), st.lists(WORDS).map(" ".join)))
def test_any_position_text_gives_a_state_or_an_error(text: str) -> None:
    try:
        s = ATLANTIS.parse_position(text)
    except NotationError:
        return
    assert ATLANTIS.parse_position(ATLANTIS.position_text(s)) == s


@settings(max_examples=40)
@given(games, st.data())
def test_an_altered_position_text_is_playable_or_refused(game: Game, data: st.DataObject) -> None:
    text = game.position.text
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 4))
    changed = text[:at] + data.draw(st.text(LETTERS, max_size=4)) + text[at + length :]
    try:
        s = ATLANTIS.parse_position(changed)
    except NotationError:
        return
    assert ATLANTIS.parse_position(ATLANTIS.position_text(s)) == s
    if ATLANTIS.to_move(s) >= 0:
        world = ATLANTIS.resample(s, 0, Stream(1))
        for action in ATLANTIS.legal_actions(world)[:3]:
            again = ATLANTIS.resample(world, 0, Stream(1))
            ATLANTIS.apply(again, action, Stream(2))
            assert ATLANTIS.fault(again) == 0
