"""The conformance suite: tests for every game."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import re
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar, TypeVar, get_args, get_type_hints

import pytest

from archipel.game import Game
from archipel.record import Record, parse_record
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import SPECTATOR, Definition, NotationError, RuleError
from archipel.rules.contract import S as AnyState
from archipel.rules.game_rules import GOAL_MISSED, GOAL_OPEN, GOAL_REACHED
from archipel.rules.kit import Stream, Tape, clone, copy_into, differences, pack, stream_key, unpack
from archipel.rules.kit.core.fields import RANGES, check_ranges
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.rules.localized_notation import localize, read_localized
from archipel.rules.scene import MOST_PATHS
from archipel.rules.small_position import SmallPosition
from archipel.testing.every_outcome import every_outcome
from archipel.testing.random_games import every_options, random_game, some_options

AnyGame = Definition[Any]
CALLABLE_PARTS = {
    name: note
    for name, note in get_type_hints(Definition).items()
    if len(get_args(note)) == 2 and isinstance(get_args(note)[0], list)
}


def watchers(game: Game) -> list[int]:
    """Return the spectator and all seats."""
    return [SPECTATOR, *range(game.seats)]


def random_positions(definition: AnyGame, games: int, every: int) -> list[Game]:
    """Return copies of random games at every ``every``-th decision and at the end."""
    found = []
    for seed, options in enumerate(some_options(definition, games)):
        for number, game in enumerate(random_game(definition, options, seed)):
            if number % every == 0 or game.is_over:
                found.append(game.copy())
    return found


def _fits(note: Any, wanted: Any, definition: AnyGame) -> bool:
    """Whether an annotation is that of the contract.

    Shared parts may have a Protocol, a type variable or Any where the contract has the state.
    """
    if wanted is AnyState:
        shared = note is Any or isinstance(note, TypeVar) or getattr(note, "_is_protocol", False)
        return shared or note is definition.state
    return bool(note == (type(None) if wanted is None else wanted))


class GameConformance:
    """Derive a test class from this one and set `game`; pytest runs the whole suite for it.

    >>> class TestMyGame(GameConformance):
    ...     game = MY_GAME
    """

    game: ClassVar[AnyGame]

    @pytest.fixture
    def definition(self) -> AnyGame:
        return self.game

    def small_position(self, definition: AnyGame) -> SmallPosition:
        """Return a position with few worlds: `SMALL_POSITION` of the package's `conformance`."""
        found: SmallPosition = import_module(f"{definition.package}.conformance").SMALL_POSITION
        return found

    def test_interpreted_and_compiled_rules_agree(self, definition: AnyGame) -> None:
        pytest.importorskip("numba", reason="rules are compiled with Numba")
        from archipel.rules.kit.numba.compiler import CHECKED
        from archipel.testing.lockstep import play_in_lockstep

        play_in_lockstep(definition, CHECKED)

    def test_parts_have_the_types_of_the_contract(self, definition: AnyGame) -> None:
        """`define` finds parts by name, so mypy does not compare their types."""
        for name, note in CALLABLE_PARTS.items():
            parameters, result = get_args(note)
            notes = get_type_hints(getattr(definition, name))
            returned = notes.pop("return")
            assert _fits(returned, result, definition), name
            assert len(notes) == len(parameters), name
            for found, wanted in zip(notes.values(), parameters, strict=True):
                assert _fits(found, wanted, definition), name

    def test_rules_keep_to_the_subset(self, definition: AnyGame) -> None:
        definition.program(**definition.rules.entries()).check()

    def test_every_combination_of_options_is_playable(self, definition: AnyGame) -> None:
        for seed, options in enumerate(every_options(definition)):
            s = definition.new(options, Stream(stream_key(seed, 0)))
            assert definition.fault(s) == 0
            assert definition.legal_actions(s)
            assert definition.read_options(s).seats == options.seats

    def test_random_games_end_and_keep_the_invariants(self, definition: AnyGame) -> None:
        for seed, options in enumerate(some_options(definition, 12)):
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
                assert definition.catalogue(language).say(outcome.ending)

    def test_legal_actions_are_accepted_and_all_others_refused(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 6, every=12):
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

    def test_actions_read_back_from_their_text(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 6, every=3):
            for action in game.legal:
                assert definition.parse_action(game.state, action.text) == action
                assert definition.parse_action(game.state, f"  {action.text.upper()} ") == action

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_actions_are_written_and_read_in_every_language(
        self, definition: AnyGame, language: str
    ) -> None:
        catalogue = definition.catalogue(language)
        translated = " ".join(key for key in catalogue.sentences if key.startswith("typed."))
        known = set(re.findall("[a-z_]{3,}", translated))
        for game in random_positions(definition, 4, every=9):
            for action in game.legal:
                written = localize(catalogue, action.text)
                if language == "en":
                    assert written == action.text
                for text in (written, written.upper().replace("É", "E").replace("È", "E")):
                    notation = read_localized(catalogue, text)
                    assert definition.parse_action(game.state, notation) == action
                # Every word of the notation has a translation; the rest are names.
                without_cells = re.sub(r"\b[a-z]\d+(nw|ne|sw|se)?\b", "", action.text)
                assert set(re.findall("[a-z_]{3,}", without_cells)) <= known, action.text

    def test_positions_read_back_from_their_text(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 8, every=8):
            for position in (game.position, *(game.view(seat) for seat in range(game.seats))):
                read = definition.parse_position(position.text)
                assert not differences(read, position.state), position.text
                assert definition.position_text(read) == position.text

    def test_outcomes_read_back_from_their_text(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 4, every=1_000_000):
            while game.moves:
                move = game.undo()
                read = definition.parse_outcomes(game.state, move.action, move.chance)
                assert read == move.outcomes

    def test_records_read_back_from_their_text(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 8, every=120):  # each reads the whole game so far
            record = Record(game, tuple(f"player {seat}" for seat in range(game.seats)))
            again = parse_record(str(record))
            assert str(again) == str(record)
            assert again.game.position == game.position

    def test_undo_restores_earlier_positions(self, definition: AnyGame) -> None:
        for seed, options in enumerate(some_options(definition, 6)):
            texts = []
            for game in random_game(definition, options, seed):
                texts.append(game.position.text)
            assert game.start.text == texts[0]
            for text in reversed(texts[:-1]):
                game.undo()
                assert game.position.text == text

    def test_copies_of_states_are_equal_and_independent(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 4, every=10):
            packed, target = pack(game.state), definition.state()
            copy_into(game.state, target)
            for twin in (clone(game.state), unpack(definition.state, packed), target):
                assert type(twin) is definition.state
                assert twin == game.state
                if not game.is_over:
                    definition.apply(twin, definition.legal_actions(twin)[0], Stream(1))
                    assert game.state == unpack(definition.state, packed)

    def test_views_write_every_field(self, definition: AnyGame) -> None:
        """Views are a white list: the former content of the target does not matter."""
        for game in random_positions(definition, 4, every=10):
            for seat in watchers(game):
                dirty = definition.state()
                for field in dataclasses.fields(dirty):
                    full: Any = RANGES[field.metadata["kind"]][1]
                    for size in reversed(field.metadata["shape"]):
                        full = [copy.copy(full) for _ in range(size)]
                    setattr(dirty, field.name, full)
                definition.view(game.state, seat, dirty)
                assert not differences(dirty, definition.seen(game.state, seat))

    def test_read_only_views_equal_views(self, definition: AnyGame) -> None:
        """The shortcut `veiled` must hide all that `view` hides, and not change the position."""
        for game in random_positions(definition, 12, every=15):
            before = clone(game.state)
            for seat in watchers(game):
                glimpsed = definition.glimpsed(game.state, seat)
                assert not differences(glimpsed, definition.seen(game.state, seat))
                assert definition.to_move(glimpsed) == definition.to_move(game.state)
            assert game.state == before

    def test_seats_with_equal_sees_have_equal_views(self, definition: AnyGame) -> None:
        """The shortcut `sees`: one view serves all these seats."""
        if definition.sees is None:
            return
        for game in random_positions(definition, 12, every=15):
            views: dict[object, Any] = {}
            for seat in watchers(game):
                seen = definition.seen(game.state, seat)
                assert views.setdefault(definition.sees(game.state, seat), seen) == seen

    def test_scene_beside_equals_scene(self, definition: AnyGame) -> None:
        """The shortcut `scene_beside`, from any other scene of the same position."""
        if definition.scene_beside is None:
            return
        for game in random_positions(definition, 4, every=25):
            eyes = {SPECTATOR, definition.to_move(game.state)}
            views = [definition.seen(game.state, seat) for seat in watchers(game)]
            made = [(view, seat, definition.scene(view, seat)) for view in views for seat in eyes]
            for view, seat, right in made:
                for other, _, known in made:
                    assert definition.scene_beside(view, seat, other, known) == right

    def test_resampled_worlds_have_equal_views(self, definition: AnyGame) -> None:
        for number, game in enumerate(random_positions(definition, 10, every=4)):
            for seat in watchers(game):
                seen = definition.seen(game.state, seat)
                world = definition.resample(game.state, seat, Stream(number))
                assert not differences(definition.seen(world, seat), seen)
                assert to_bytes(definition.seen(world, seat)) == to_bytes(seen)
                assert definition.fault(world) == 0
                if (
                    seat == game.to_move
                ):  # legal actions of others can depend on their hidden information
                    assert definition.legal_actions(world) == definition.legal_actions(game.state)
                other = definition.resample(game.state, seat, Stream(number + 1))
                again = definition.resample(other, seat, Stream(number))
                assert not differences(again, world), "equal views and streams give equal worlds"

    def test_views_hide_something(self, definition: AnyGame) -> None:
        """Somewhere in random play a resampled world differs from the true one."""
        positions = random_positions(definition, 6, every=7)
        assert any(
            definition.resample(game.state, seat, Stream(3)) != game.state
            for game in positions
            for seat in range(game.seats)
        )

    def test_nothing_is_hidden_when_the_game_is_over(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 4, every=1_000_000):
            if game.is_over:
                for seat in watchers(game):
                    assert definition.seen(game.state, seat) == game.state

    def test_worlds_have_exact_probabilities(self, definition: AnyGame) -> None:
        small = self.small_position(definition)
        state = definition.parse_position(small.text)
        view = definition.seen(state, small.seat)
        expected = small.worlds(definition.position_text(view))
        probabilities: dict[str, Fraction] = {}
        for _, probability, world in every_outcome(
            lambda chance: definition.resample(state, small.seat, chance)
        ):
            text = definition.position_text(world)
            probabilities[text] = probabilities.get(text, Fraction(0)) + probability
        assert len(expected) > 1
        assert probabilities == expected

    def test_every_goal_is_reached_or_missed_in_the_end(self, definition: AnyGame) -> None:
        assert len(set(definition.goals) - {"win"}) == len(definition.goals)
        for seed, options in enumerate(some_options(definition, 6)):
            start: Any = None
            for game in random_game(definition, options, seed):
                if start is None or len(game.moves) % 40 == 0:
                    start = clone(game.state)
                for seat in range(game.seats):
                    for goal in range(len(definition.goals)):
                        answer = definition.goal_status(game.state, start, seat, goal)
                        assert answer in (GOAL_OPEN, GOAL_MISSED, GOAL_REACHED)
                        assert answer != GOAL_OPEN or not game.is_over

    def test_every_event_has_a_sentence(self, definition: AnyGame) -> None:
        names = {seat: f"<{seat}>" for seat in range(definition.seats[-1])}
        for seed, options in enumerate(some_options(definition, 8)):
            for game in random_game(definition, options, seed):
                if not game.is_over:
                    for language in LANGUAGES:
                        question = definition.question(game.view(game.to_move).state)
                        assert definition.tell(question, language, names)
                        if len(game.moves) % 10 == 0:
                            assert definition.picture(game.state, language)
                if game.moves:
                    events = game.events()
                    assert events, f"{game.moves[-1]} has no event"
                    for event in events:
                        for language in LANGUAGES:
                            assert definition.tell(event, language, names)

    def test_planned_decisions_are_asked_one_at_a_time(self, definition: AnyGame) -> None:
        plans = definition.plans
        sentences = definition.catalogue("en").sentences
        for decision in plans.values():
            assert {decision.heading, *decision.answers} <= set(sentences)
        asked = set()
        for seed, options in enumerate(some_options(definition, 8) if plans else []):
            for game in random_game(definition, options, seed):
                names = [name for name, each in plans.items() if each.asked(game.state)]
                assert len(names) <= 1, names
                asked.update(names)
                for name in names:
                    answers = plans[name].answers.values()
                    assert set(answers) & set(definition.legal_actions(game.state))
        assert bool(asked) == bool(plans)

    def test_languages_have_equal_keys_and_parameters(self, definition: AnyGame) -> None:
        english = definition.catalogue("en")
        for language in LANGUAGES:
            other = definition.catalogue(language)
            assert list(other.sentences) == list(english.sentences)
            for key in english.sentences:
                assert other.parameters(key) == english.parameters(key), key

    def test_scenes_offer_exactly_the_legal_actions(self, definition: AnyGame) -> None:
        for game in random_positions(definition, 6, every=3):
            for seat in watchers(game):
                scene = definition.scene(game.view(None if seat < 0 else seat).state, seat)
                cells = [cell.id for cell in scene.cells]
                pieces = [piece.id for piece in scene.pieces]
                assert len(set(cells + pieces)) == len(cells) + len(pieces)
                assert {piece.cell for piece in scene.pieces} <= set(cells)
                legal = definition.legal_actions(game.state) if game.to_move == seat else []
                assert [choice.action for choice in scene.choices] == legal
                for choice in (*scene.choices, *scene.paths):
                    assert set(choice.targets) <= set(cells + pieces)
                    for language in LANGUAGES:
                        assert definition.catalogue(language).say(choice.key, **choice.details)

    def test_paths_are_legal_and_certain(self, definition: AnyGame) -> None:
        """Each action of a path is legal in the real position, and all but the last are free."""
        for game in random_positions(definition, 6, every=3):
            for seat in watchers(game):
                view = game.view(None if seat < 0 else seat).state
                paths = definition.scene(view, seat).paths
                assert not paths or seat == game.to_move
                assert len({path.targets for path in paths}) == len(paths) <= MOST_PATHS
                for path in paths:
                    self._check_path(definition, game, (path.action, *path.then))

    def _check_path(self, definition: AnyGame, game: Game, actions: Sequence[int]) -> None:
        state = clone(game.state)
        for number, action in enumerate(actions, 1):
            assert action in definition.legal_actions(state)
            assert definition.to_move(state) == game.to_move
            if number < len(actions):
                before = clone(state)
                definition.apply(state, action, Tape(()))
                assert not definition.reveals(before, state)

    def test_scenes_with_hidden_content_are_marked_private(self, definition: AnyGame) -> None:
        """Before such a scene is shown, a device that several people share asks to be passed on."""
        some = random_positions(definition, games=3, every=1)
        for game in [*some[:10], *some[10::40]]:
            if game.is_over:
                continue
            seat = definition.to_move(game.state)
            scene = definition.scene(game.view(seat).state, seat)
            public = definition.scene(game.view(None).state, SPECTATOR)
            own_pieces, pieces = (
                [(piece.id, {**piece.properties, "secret": 0}) for piece in shown.pieces]
                for shown in (scene, public)
            )
            hidden = own_pieces != pieces
            # A choice is hidden if others cannot distinguish it from another choice.
            after = []
            for action in game.legal[:12]:
                state = clone(game.state)
                definition.apply(state, action, Stream(stream_key(1, 1)))
                after.append([definition.seen(state, eyes) for eyes in (SPECTATOR, seat)])
            hidden |= any(
                one[0] == other[0] and one[1] != other[1]
                for one, other in itertools.combinations(after, 2)
            )
            marked = bool(scene.gauges.get("private")) or any(
                piece.properties.get("secret") for piece in scene.pieces
            )
            assert marked or not hidden, game
