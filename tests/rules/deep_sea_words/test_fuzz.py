"""Fuzz tests of the parsers: any input is parsed or refused, and output parses back."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from archipel import Game, NotationError, RecordError, RuleError, parse_record
from archipel.record import Record
from archipel.rules.deep_sea.definition import DEEP_SEA

LETTERS = st.sampled_from("abcdo?:+-,[]<>=0123456789 \n#")
ACTION_WORDS = st.sampled_from(
    [
        "dive",
        "turn",
        "back",
        "swim",
        "on",
        "take",
        "put",
        "lay",
        "nothing",
        "1",
        "6",
        "7",
        "-1",
        "²",
    ]
)
POSITION_WORDS = st.sampled_from(
    [
        "seats=2",
        "seats=6",
        "air=0",
        "air=25",
        "turn=1",
        "turn=2",
        "round=3",
        "phase=search",
        "phase=lay",
        "phase=over",
        "starter=-",
        "starter=2",
        "idle=1",
        "stirred=1",
        "pile_room=2",
        "drop_order=chosen",
        "line=-",
        "line=a1-d8",
        "line=o,o,a2+a3?,b1:4",
        "diver1=3>[a1,b2]",
        "diver1=home[a1]",
        "diver2=99<",
        "diver2=3<[a4]",
        "diver3=sub>",
        "treasure1=a5:0",
        "treasure2=-",
    ]
)
RECORD_LINES = st.sampled_from(
    [
        "archipel record 1",
        "game: deep-sea",
        "rules: 1",
        "seats: 2",
        "first: 1",
        "drop_order: chosen",
        "player 1: a",
        "player 2: b",
        "start:",
        "seats=2",
        "play:",
        "1 dive [1 1]",
        "1 take",
        "2 dive [3 3]",
        "end: unfinished",
        "end: 0 0",
    ]
)


def random_game(seed: int, moves: int) -> Game:
    order = ("piled", "taken", "chosen")[seed % 3]
    game = Game.new("deep-sea", 2 + seed % 5, seed=seed, drop_order=order)
    chooser = random.Random(seed)
    while not game.is_over and len(game.moves) < moves:
        game.play(chooser.choice(game.legal))
    return game


def assert_names_a_line(error: RecordError) -> None:
    assert str(error).startswith("line ")


games = st.builds(random_game, st.integers(0, 50), st.integers(0, 300))


@given(games, st.one_of(st.text(), st.lists(ACTION_WORDS).map(" ".join)))
def test_any_action_text_is_legal_or_refused(game: Game, text: str) -> None:
    try:
        action = game.parse(text)
    except (NotationError, RuleError):
        return
    assert action in game.legal


@given(st.one_of(st.text(), st.text(LETTERS), st.lists(POSITION_WORDS).map(" ".join)))
def test_any_position_text_round_trips_or_is_refused(text: str) -> None:
    try:
        s = DEEP_SEA.parse_position(text)
    except NotationError:
        return
    assert DEEP_SEA.parse_position(DEEP_SEA.position_text(s)) == s


@given(games, st.data())
def test_a_mutated_position_round_trips_or_is_refused(game: Game, data: st.DataObject) -> None:
    text = game.position.text
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 4))
    changed = text[:at] + data.draw(st.text(LETTERS, max_size=4)) + text[at + length :]
    try:
        s = DEEP_SEA.parse_position(changed)
    except NotationError:
        return
    assert DEEP_SEA.parse_position(DEEP_SEA.position_text(s)) == s


@given(games)
def test_positions_and_views_round_trip(game: Game) -> None:
    for seen in (game.position, game.view(0), game.view()):
        assert DEEP_SEA.parse_position(seen.text) == seen.state


@given(st.one_of(st.text(), st.lists(RECORD_LINES).map("\n".join)))
def test_any_record_text_round_trips_or_is_refused(text: str) -> None:
    try:
        record = parse_record(text, seed=1)
    except RecordError as error:
        assert_names_a_line(error)
        return
    assert str(parse_record(str(record))) == str(record)


@settings(max_examples=60)
@given(st.integers(0, 50), st.data())
def test_a_mutated_record_round_trips_or_is_refused(seed: int, data: st.DataObject) -> None:
    text = str(Record(random_game(seed, 40)))
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 4))
    changed = text[:at] + data.draw(st.text(LETTERS, max_size=4)) + text[at + length :]
    try:
        record = parse_record(changed)
    except RecordError as error:
        assert_names_a_line(error)
        return
    assert str(parse_record(str(record))) == str(record)
