"""The shipped puzzles: valid, solvable at a table, and solved by the bots as stated."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from archipel.bots import Bot, player_named
from archipel.lessons import Lesson
from archipel.puzzles import (
    Puzzle,
    PuzzleError,
    check_puzzle,
    puzzle_lesson,
    puzzles_of,
    read_collection,
)
from archipel.puzzles.puzzle import Collection, has_reason
from archipel.puzzles.puzzle_library import name_of
from archipel.puzzles.puzzle_validation import (
    ERRORS,
    LEAST_GAP,
    check_turns,
    played_on,
    position_of,
)
from archipel.puzzles.turn_search import MOST_POSITIONS
from archipel.record import parse_record
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.serve.api.game_content import puzzles_text
from archipel.study.puzzle_search.find_puzzles import SEED, solve
from archipel.tables import commands
from archipel.tables.log import events
from archipel.tables.log.records import record_of
from tests.lessons.pupil import Pupil

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")
#: Puzzles of each game.
SHIPPED = 30
each_game = pytest.mark.parametrize("game", GAMES)


def collection_of(game: str) -> Collection:
    found = read_collection(game)
    assert found is not None
    return found


def lesson_of(game: str, number: int) -> Lesson:
    lesson = puzzle_lesson(game, name_of(number))
    assert lesson is not None
    return lesson


@each_game
def test_the_shipped_puzzles_are_valid(game: str) -> None:
    puzzles = collection_of(game).puzzles
    for puzzle in puzzles:
        check_puzzle(game, puzzle)
        assert has_reason(puzzle)
        assert puzzle.gap >= max(LEAST_GAP, ERRORS * puzzle.gap_error)
        assert all(choice.worlds >= 100 for choice in puzzle.choices)
    assert puzzles_of(game) == puzzles
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles) == SHIPPED
    # They are of several kinds, from many games, and of three grades, the easiest first.
    assert len({puzzle.best.action.split()[0] for puzzle in puzzles}) >= 3
    assert len({puzzle.origin.game for puzzle in puzzles}) >= len(puzzles) // 3
    grades = [puzzle.grade for puzzle in puzzles]
    assert grades == sorted(grades)
    assert set(grades) == {1, 2, 3}


@each_game
@pytest.mark.parametrize("most", [400, pytest.param(MOST_POSITIONS, marks=pytest.mark.soak)])
def test_no_wrong_choice_leads_to_the_end_of_a_right_turn(game: str, most: int) -> None:
    for number, puzzle in enumerate(collection_of(game).puzzles, 1):
        try:
            check_turns(game, puzzle, most)
        except PuzzleError as error:
            pytest.fail(f"{game} {number}: {error}")


def transposing() -> Puzzle:
    """A puzzle that refuses a choice that leads to the same position as its solution."""
    text = (Path(__file__).parent / "data" / "atlantis-transposes.json").read_bytes()
    return msgspec.json.decode(text, type=Puzzle)


def test_a_puzzle_that_refuses_a_transposition_fails_the_check() -> None:
    puzzle = transposing()
    check_puzzle("atlantis", puzzle)  # nothing else is wrong with it
    with pytest.raises(PuzzleError, match="'boat 6' is refused, but leads to the end"):
        check_turns("atlantis", puzzle)
    others = [choice for choice in puzzle.wrong_choices if choice.action != "boat 6"]
    boat_6 = next(choice for choice in puzzle.choices if choice.action == "boat 6")
    accepted = structs.replace(puzzle, choices=(puzzle.best, boat_6, *others), right=2)
    check_turns("atlantis", accepted)
    with pytest.raises(PuzzleError, match="'boat 6' is refused"):
        check_turns("atlantis", puzzle, 400)


@each_game
def test_the_master_solves_all_and_greedy_at_most_half(game: str) -> None:
    """The master's figures are those of the file (`archipel puzzles --check`); greedy plays."""
    collection = collection_of(game)
    measured = collection.measured
    assert measured.master == player_named(game, "master").name
    assert measured.greedy == player_named(game, "greedy").name
    assert measured.master_solved == len(collection.puzzles)
    definition, greedy = game_named(game), Bot.named(game, "greedy")
    solved = 0
    for puzzle in collection.puzzles:
        view = definition.recalled(position_of(game, puzzle), puzzle.seat)
        chosen = greedy.choose(view, definition.legal_actions(view), seed=0)
        assert definition.action_text(view, chosen) == puzzle.greedy
        solved += puzzle.solved_by_greedy
    assert solved == measured.greedy_solved
    assert 2 * solved <= len(collection.puzzles)


def test_the_master_solves_some_of_them_now() -> None:
    """With the full budget, on puzzles that greedy does not solve."""
    hard = [puzzle for puzzle in puzzles_of("deep-sea") if not puzzle.solved_by_greedy][::5]
    measured, solved = solve("deep-sea", hard)
    assert measured.master_solved == len(solved) >= 3
    assert measured.greedy_solved == 0


@pytest.mark.soak
@each_game
def test_the_master_solves_all_of_them_now(game: str) -> None:
    measured, _ = solve(game, puzzles_of(game))
    assert measured == collection_of(game).measured
    assert SEED not in (1, 2), "not a seed of the puzzle search"


# ---- at a table ---------------------------------------------------------------------------------


@each_game
def test_other_choices_are_refused_with_their_chances(game: str) -> None:
    for number, puzzle in enumerate(puzzles_of(game), 1):
        if number % 6 == 1:
            check_refusals(Pupil(lesson_of(game, number)), puzzle)


def check_refusals(pupil: Pupil, puzzle: Puzzle) -> None:
    table, best = pupil.table, puzzle.best
    n, definition = table.n, table.definition
    for choice in puzzle.wrong_choices:
        action = definition.parse_action(table.state, choice.action)
        for language in LANGUAGES:
            problem = pupil.is_refused(commands.Play("r", n, action), language)
            assert problem.code == "not_in_lesson"
            assert f" {round(100 * choice.chance)} " in problem.message
            assert f" {round(100 * best.chance)}." in problem.message
    assert pupil.is_refused(commands.GoOn("r", n), "en").code == "not_now_in_lesson"
    assert not pupil.is_over


@each_game
def test_every_right_choice_solves_a_puzzle_and_its_turn_is_played(game: str) -> None:
    for number, puzzle in enumerate(puzzles_of(game), 1):
        for choice in puzzle.right_choices:
            pupil = Pupil(lesson_of(game, number))
            action = pupil.table.definition.parse_action(pupil.table.state, choice.action)
            brought = pupil.does(commands.Play("r", pupil.table.n, action))
            assert pupil.is_over
            assert isinstance(brought[-1], events.LessonEnded)
            played = [event for event in brought if isinstance(event, events.Played)]
            rest = played_on(game, puzzle, choice)
            assert [event.by for event in played] == ["person"] + ["bot"] * len(rest)
            assert {event.seat for event in played} == {puzzle.seat}
            assert choice.then[: len(rest)] == rest
            assert len(choice.then) - len(rest) <= 1, "only what draws chance is left out"
        record = parse_record(str(record_of(pupil.table)))
        assert record.lesson == name_of(number)


@each_game
def test_solutions_name_their_targets(game: str) -> None:
    """Everything sent to pages is on the board, and has a sentence in both languages."""
    definition = game_named(game)
    for text, puzzle in zip(puzzles_text(game).puzzles, puzzles_of(game), strict=True):
        state = position_of(game, puzzle)
        scene = definition.scene(definition.seen(state, puzzle.seat), puzzle.seat)
        there = {piece.id for piece in scene.pieces} | {cell.id for cell in scene.cells}
        assert set(text.best.targets) <= there
        for choice in (text.best, text.next, *text.then):
            for language in LANGUAGES:
                assert definition.catalogue(language).say(choice.key, **choice.details)
        assert text.own or text.rival or text.hope


# ---- invalid puzzles ---------------------------------------------------------------------------


def test_invalid_puzzles_are_refused() -> None:
    puzzle = puzzles_of("deep-sea")[0]
    first, second = puzzle.choices[:2]
    wrong: dict[str, dict[str, Any]] = {
        "position": {"position": re.sub(r"air=\d+", "air=99", puzzle.position)},
        "is not to move": {"seat": 1 - puzzle.seat},
        "are not the legal ones": {"choices": puzzle.choices[:1]},
        "too many choices are right": {"right": 2},
        "ahead of the wrong": {"gap": LEAST_GAP - 0.01},
        "not significantly": {"gap_error": puzzle.gap / 2},
        "is as good": {
            "choices": (first, structs.replace(second, chance=first.chance - 0.1)),
        },
        "is not between": {"choices": (structs.replace(first, chance=1.5), second)},
        "greedy cannot": {"greedy": "swim on"},
        "not between": {"glance": 1.5},
        "hopes": {"facts": structs.replace(puzzle.facts, hopes={})},
        "points": {"facts": structs.replace(puzzle.facts, points=puzzle.facts.points[:1])},
        "before": {"choices": (structs.replace(first, then=("take",)), second)},
    }
    for why, changed in wrong.items():
        with pytest.raises(PuzzleError, match=why):
            check_puzzle("deep-sea", structs.replace(puzzle, **changed))


def test_the_documentation_has_the_measured_figures() -> None:
    page = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text("utf-8")
    for game in GAMES:
        collection = collection_of(game)
        measured = collection.measured
        grades = Counter(puzzle.grade for puzzle in collection.puzzles)
        solved = measured.master_solved, measured.greedy_solved
        figures = (len(collection.puzzles), *(grades[grade] for grade in (1, 2, 3)), *solved)
        row = " | ".join([game_named(game).title("en"), *map(str, figures)])
        assert f"| {row} |" in page
