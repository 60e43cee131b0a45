"""What holds for every game. A game gets this suite by registering itself."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from archipel.game import Game
from archipel.record import Record, parse_record
from archipel.rules.all_games import games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import SPECTATOR, Definition, NotationError, RuleError
from archipel.rules.kit import Stream, clone, copy_into, differences, pack, stream_key, unpack
from archipel.rules.kit.fields import RANGES, check_ranges
from archipel.rules.kit.machine_record import to_bytes
from archipel.rules.slots import HOPE_FULFILLED, HOPE_LOST, HOPE_OPEN
from archipel.rules.typed import in_notation, in_words_of
from tests.conformance.random_games import every_options, random_game, some_options
from tests.conformance.small_positions import small_position
from tests.support.every_outcome import every_outcome

AnyGame = Definition[Any]
HOUSE_GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def watchers(game: Game) -> list[int]:
    return [SPECTATOR, *range(game.seats)]


def random_positions(definition: AnyGame, games: int, every: int) -> list[Game]:
    """Copies of random games at every so many of their decisions, and at their ends."""
    found = []
    for seed, options in enumerate(some_options(definition, games)):
        for number, game in enumerate(random_game(definition, options, seed)):
            if number % every == 0 or game.is_over:
                found.append(game.copy())
    return found


@every_game
def test_rules_keep_to_the_subset(definition: AnyGame) -> None:
    definition.program(*definition.bindings()).check()


@every_game
def test_every_combination_of_options_is_playable(definition: AnyGame) -> None:
    for seed, options in enumerate(every_options(definition)):
        s = definition.new(options, Stream(stream_key(seed, 0)))
        assert definition.fault(s) == 0
        assert definition.legal_actions(s)
        assert definition.read_options(s).seats == options.seats


@every_game
def test_random_games_end_with_every_piece_in_its_place(definition: AnyGame) -> None:
    for seed, options in enumerate(some_options(definition, 24)):
        for game in random_game(definition, options, seed):
            fault = definition.fault(game.state)
            assert fault == 0, f"{definition.faults[fault]}: {game.position.text}"
            check_ranges(game.state)
        outcome = game.outcome
        assert outcome is not None
        assert len(outcome.ranks) == len(outcome.scores) == options.seats
        assert sorted(outcome.ranks)[0] == 0
        for seat, rank in enumerate(outcome.ranks):
            assert rank == sum(1 for other in outcome.ranks if other < rank), seat
        for language in LANGUAGES:
            assert definition.catalogue(language).say(outcome.reason)


@every_game
def test_legal_actions_are_accepted_and_all_others_refused(definition: AnyGame) -> None:
    for game in random_positions(definition, 6, every=5):
        legal = definition.legal_actions(game.state)
        assert legal == sorted(set(legal))
        before = game.position
        for action in range(definition.actions):
            if action in legal:
                game.copy().play(action)
                continue
            with pytest.raises(RuleError) as refused:
                game.play(action)
            assert refused.value.rule, "a refusal names its rule"
            assert refused.value.rule in {rule.id for rule in definition.booklet("en")}
        for nonsense in (-1, definition.actions):
            with pytest.raises(NotationError):
                game.play(nonsense)
        assert game.position == before


@every_game
def test_actions_read_back_from_their_text(definition: AnyGame) -> None:
    for game in random_positions(definition, 6, every=3):
        for action in game.legal:
            assert definition.parse_action(game.state, action.text) == action
            assert definition.parse_action(game.state, f"  {action.text.upper()} ") == action


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_actions_are_written_and_read_in_every_language(definition: AnyGame, language: str) -> None:
    catalogue = definition.catalogue(language)
    known = {
        word for key in catalogue.sentences if key.startswith("typed.") for word in key[6:].split()
    }
    for game in random_positions(definition, 4, every=9):
        for action in game.legal:
            written = in_words_of(catalogue, action.text)
            if language == "en":
                assert written == action.text
            assert definition.parse_action(game.state, in_notation(catalogue, written)) == action
            plain = written.upper().replace("É", "E").replace("È", "E")
            assert definition.parse_action(game.state, in_notation(catalogue, plain)) == action
            # Every word of the notation has one in this language; the rest are names.
            words = re.findall(
                r"[a-z_]{3,}", re.sub(r"\b[a-z]\d+(nw|ne|sw|se)?\b", "", action.text)
            )
            assert set(words) <= known | {"nw", "ne", "sw", "se"} | {
                part for word in known for part in re.findall("[a-z_]{3,}", word)
            }, action.text


@every_game
def test_positions_read_back_from_their_text(definition: AnyGame) -> None:
    for game in random_positions(definition, 8, every=3):
        for position in (game.position, *(game.view(seat) for seat in range(game.seats))):
            read = definition.parse_position(position.text)
            assert not differences(read, position.state), position.text
            assert definition.position_text(read) == position.text


@every_game
def test_outcomes_read_back_from_their_text(definition: AnyGame) -> None:
    for game in random_positions(definition, 4, every=1_000_000):
        while game.moves:
            move = game.undo()
            read = definition.parse_outcomes(game.state, move.action, move.chance)
            assert read == move.outcomes


@every_game
def test_records_read_back_from_their_text(definition: AnyGame) -> None:
    for game in random_positions(definition, 8, every=120):  # each reads the whole game so far
        record = Record(game, tuple(f"player {seat}" for seat in range(game.seats)))
        again = parse_record(str(record))
        assert str(again) == str(record)
        assert again.game.position == game.position


@every_game
def test_undo_restores_and_nothing_touches_the_past(definition: AnyGame) -> None:
    for seed, options in enumerate(some_options(definition, 6)):
        texts = []
        for game in random_game(definition, options, seed):
            texts.append(game.position.text)
        assert game.start.text == texts[0]
        for text in reversed(texts[:-1]):
            game.undo()
            assert game.position.text == text


@every_game
def test_packed_states_are_equal_and_independent(definition: AnyGame) -> None:
    for game in random_positions(definition, 3, every=10):
        packed = pack(game.state)
        assert unpack(definition.state, packed) == game.state
        assert type(unpack(definition.state, packed)) is definition.state


@every_game
def test_clones_are_equal_and_independent(definition: AnyGame) -> None:
    for game in random_positions(definition, 4, every=10):
        twin = clone(game.state)
        assert twin == game.state
        if not game.is_over:
            kept = clone(game.state)
            definition.apply(twin, definition.legal_actions(twin)[0], Stream(1))
            assert game.state == kept


@every_game
def test_a_view_leaves_nothing_of_what_stood_there_before(definition: AnyGame) -> None:
    """Views are a white list: every field is written, whatever the target held."""
    for game in random_positions(definition, 4, every=10):
        for seat in watchers(game):
            dirty = definition.state()
            for field in dataclasses.fields(dirty):
                high = RANGES[field.metadata["kind"]][1]
                shape = field.metadata["shape"]
                full: Any = high
                for size in reversed(shape):
                    full = [full if isinstance(full, int) else full[:] for _ in range(size)]
                setattr(dirty, field.name, full)
            definition.view(game.state, seat, dirty)
            assert not differences(dirty, definition.seen(game.state, seat))


@every_game
def test_a_view_to_look_at_is_the_view_and_leaves_the_position_alone(definition: AnyGame) -> None:
    """Where a game has a shortcut: it must hide all that its view hides."""
    for game in random_positions(definition, 12, every=15):
        before = clone(game.state)
        for seat in watchers(game):
            glimpsed = definition.glimpsed(game.state, seat)
            assert not differences(glimpsed, definition.seen(game.state, seat))
            assert definition.to_move(glimpsed) == definition.to_move(game.state)
        assert game.state == before


@every_game
def test_seats_that_see_the_same_have_equal_views(definition: AnyGame) -> None:
    """Where a game says which do: one view then stands for all of theirs."""
    if definition.sees is None:
        assert definition.name not in HOUSE_GAMES
        return
    for game in random_positions(definition, 12, every=15):
        views: dict[object, Any] = {}
        for seat in watchers(game):
            seen = definition.seen(game.state, seat)
            assert views.setdefault(definition.sees(game.state, seat), seen) == seen


@every_game
def test_a_scene_beside_another_is_the_scene(definition: AnyGame) -> None:
    """Where a game has a shortcut: from whichever scene of the same position one comes."""
    if definition.scene_beside is None:
        assert definition.name not in HOUSE_GAMES
        return
    for game in random_positions(definition, 4, every=25):
        eyes = {SPECTATOR, definition.to_move(game.state)}
        views = [definition.seen(game.state, seat) for seat in watchers(game)]
        made = [(view, seat, definition.scene(view, seat)) for view in views for seat in eyes]
        for view, seat, right in made:
            for other, _, known in made:
                assert definition.scene_beside(view, seat, other, known) == right


@every_game
def test_two_worlds_look_alike(definition: AnyGame) -> None:
    for number, game in enumerate(random_positions(definition, 10, every=4)):
        for seat in watchers(game):
            seen = definition.seen(game.state, seat)
            world = definition.resample(game.state, seat, Stream(number))
            assert not differences(definition.seen(world, seat), seen)
            assert to_bytes(definition.seen(world, seat)) == to_bytes(seen), "as browsers get it"
            assert definition.fault(world) == 0
            if seat == game.to_move:  # what others may do can depend on what they alone know
                assert definition.legal_actions(world) == definition.legal_actions(game.state)
            other = definition.resample(game.state, seat, Stream(number + 1))
            again = definition.resample(other, seat, Stream(number))
            assert not differences(again, world), "equal views and streams give equal worlds"


@every_game
def test_hidden_things_really_are_hidden(definition: AnyGame) -> None:
    """Somewhere in random play a resampled world differs from the true one."""
    positions = random_positions(definition, 6, every=7)
    assert any(
        definition.resample(game.state, seat, Stream(3)) != game.state
        for game in positions
        for seat in range(game.seats)
    )


@every_game
def test_everything_is_shown_when_the_game_is_over(definition: AnyGame) -> None:
    for game in random_positions(definition, 4, every=1_000_000):
        if game.is_over:
            for seat in watchers(game):
                assert definition.seen(game.state, seat) == game.state


@every_game
def test_worlds_come_at_their_exact_frequencies(definition: AnyGame) -> None:
    small = small_position(definition)
    state = definition.parse_position(small.text)
    view = definition.seen(state, small.seat)
    expected = small.worlds(definition.position_text(view))
    found: Counter[str] = Counter()
    frequencies: dict[str, Fraction] = {}
    for _, probability, world in every_outcome(
        lambda chance: definition.resample(state, small.seat, chance)
    ):
        text = definition.position_text(world)
        found[text] += 1
        frequencies[text] = frequencies.get(text, Fraction(0)) + probability
    assert len(expected) > 1
    assert frequencies == expected


@every_game
def test_every_hope_is_fulfilled_or_lost_in_the_end(definition: AnyGame) -> None:
    assert len(set(definition.hopes) - {"win"}) == len(definition.hopes)
    for seed, options in enumerate(some_options(definition, 6)):
        start: Any = None
        for game in random_game(definition, options, seed):
            if start is None or len(game.moves) % 40 == 0:
                start = clone(game.state)
            for seat in range(game.seats):
                for hope in range(len(definition.hopes)):
                    answer = definition.hoped(game.state, start, seat, hope)
                    assert answer in (HOPE_OPEN, HOPE_LOST, HOPE_FULFILLED)
                    assert answer != HOPE_OPEN or not game.is_over


@every_game
def test_everything_that_happens_can_be_told(definition: AnyGame) -> None:
    names = {seat: f"<{seat}>" for seat in range(definition.seats[-1])}
    for seed, options in enumerate(some_options(definition, 8)):
        for game in random_game(definition, options, seed):
            if not game.is_over:
                for language in LANGUAGES:
                    question = definition.question(game.view(game.to_move).state)
                    assert definition.tell(question, language, names)
                    assert definition.picture(game.state, language)
            if game.moves:
                events = game.events()
                assert events, f"{game.moves[-1]} is not told"
                for event in events:
                    for language in LANGUAGES:
                        assert definition.tell(event, language, names)


@every_game
def test_both_languages_say_the_same_things(definition: AnyGame) -> None:
    english = definition.catalogue("en")
    for language in LANGUAGES:
        other = definition.catalogue(language)
        assert list(other.sentences) == list(english.sentences)
        for key in english.sentences:
            assert other.parameters(key) == english.parameters(key), key


@every_game
def test_scenes_offer_exactly_the_legal_actions(definition: AnyGame) -> None:
    for game in random_positions(definition, 6, every=3):
        for seat in watchers(game):
            scene = definition.scene(game.view(None if seat < 0 else seat).state, seat)
            cells = [cell.id for cell in scene.cells]
            pieces = [piece.id for piece in scene.pieces]
            assert len(set(cells + pieces)) == len(cells) + len(pieces)
            assert {piece.cell for piece in scene.pieces} <= set(cells)
            legal = definition.legal_actions(game.state) if game.to_move == seat else []
            assert [choice.action for choice in scene.choices] == legal
            for choice in scene.choices:
                assert set(choice.targets) <= set(cells + pieces)
                for language in LANGUAGES:
                    assert definition.catalogue(language).say(choice.key, **choice.details)


@every_game
def test_a_scene_says_that_it_holds_something_hidden(definition: AnyGame) -> None:
    """Several people on one device pass it on before a scene that says so is shown."""
    some = random_positions(definition, games=3, every=1)
    for game in [*some[:10], *some[10::40]]:
        if game.is_over:
            continue
        seat = definition.to_move(game.state)
        scene = definition.scene(game.view(seat).state, seat)
        pieces = definition.scene(game.view(None).state, SPECTATOR).pieces
        seen = [(piece.id, dict(piece.properties) | {"secret": 0}) for piece in scene.pieces]
        hidden = seen != [(piece.id, dict(piece.properties) | {"secret": 0}) for piece in pieces]
        # A choice is hidden if nobody else can tell it from another one.
        after = []
        for action in game.legal[:12]:
            state = clone(game.state)
            definition.apply(state, action, Stream(stream_key(1, 1)))
            after.append([definition.seen(state, eyes) for eyes in (SPECTATOR, seat)])
        hidden |= any(
            one[0] == other[0] and one[1] != other[1]
            for one, other in itertools.combinations(after, 2)
        )
        says_so = bool(scene.gauges.get("private")) or any(
            piece.properties.get("secret") for piece in scene.pieces
        )
        assert says_so or not hidden, game


@every_game
def test_copy_into_makes_equal(definition: AnyGame) -> None:
    game = random_positions(definition, 2, every=9)[-1]
    target = definition.state()
    copy_into(game.state, target)
    assert target == game.state
