"""Finding puzzles: the criteria, the results file, and the selection."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from archipel.lessons.script import dealt_position
from archipel.puzzles import Puzzle, puzzles_of
from archipel.puzzles.puzzle import Origin
from archipel.puzzles.puzzle_validation import check_puzzle, position_of
from archipel.rules.kit.core.loading import load_backend
from archipel.study.puzzle_search import best_turns
from archipel.study.puzzle_search import find_puzzles as puzzles
from archipel.study.puzzle_search import screening as screening_module
from archipel.study.puzzle_search.find_puzzles import (
    FoundError,
    choose_puzzles,
    find_puzzles,
    head_of,
    read_found,
)
from archipel.study.puzzle_search.screening import Decision, Screening, kind_of

ORIGIN = Origin(0, 0, ("greedy-1", "greedy-1"))


@pytest.fixture
def screening(monkeypatch: pytest.MonkeyPatch) -> Screening:
    """Interpreted and with fewer worlds, so that only the master's search is compiled."""
    monkeypatch.setattr(screening_module, "OUTLOOK", 4)
    for name, worlds in {"SECOND": 16, "CONFIRMATION": 30, "FINAL": 60}.items():
        monkeypatch.setattr(best_turns, name, worlds)
    monkeypatch.setattr(
        screening_module, "load_program", lambda program, *_: load_backend(program, compiled=False)
    )
    return Screening("deep-sea", 1, lambda progress: None)


def clearest() -> Puzzle:
    late = [puzzle for puzzle in puzzles_of("deep-sea") if " round=3 " in puzzle.position]
    return max(late, key=lambda puzzle: puzzle.gap)


def test_a_shipped_puzzle_is_found_again(screening: Screening) -> None:
    puzzle = clearest()
    decision = Decision(position_of("deep-sea", puzzle), puzzle.seat, ORIGIN)
    found = screening.puzzle_in(decision, 11)
    assert found is not None
    check_puzzle("deep-sea", found)
    assert (found.position, found.best.action, found.greedy) == (
        puzzle.position,
        puzzle.best.action,
        puzzle.greedy,
    )
    assert abs(found.gap - puzzle.gap) < 4 * (found.gap_error + puzzle.gap_error)
    if puzzle.solved_by_greedy:
        assert screening.puzzle_in(decision, 11, solved=None) is None, "only hard ones are wanted"
        assert screening.puzzle_in(decision, 11, solved={kind_of(puzzle.best.action)}) is None


def test_a_decision_without_a_clear_best_choice_is_no_puzzle(screening: Screening) -> None:
    state = dealt_position("deep-sea", "seats=2 diver1=3> diver2=5> turn=1 phase=search")
    assert screening.puzzle_in(Decision(state, 0, ORIGIN), 1) is None


@pytest.fixture
def nothing_to_find(monkeypatch: pytest.MonkeyPatch, screening: Screening) -> None:
    monkeypatch.setattr(screening_module, "FIRST", 1)
    monkeypatch.setattr(screening_module, "FIRST_LEAD", 2.0)
    monkeypatch.setattr(puzzles, "PLAYERS", ("greedy",))


@pytest.mark.usefixtures("nothing_to_find")
def test_the_search_resumes_from_its_file(tmp_path: Path) -> None:
    file, head = tmp_path / "found.jsonl", head_of("deep-sea", {}, 5)
    first = find_puzzles(file, head, 1)
    assert list(first.games) == [0]
    assert first.decisions > 10
    whole = file.read_bytes()
    again = find_puzzles(file, head, 2)
    assert list(again.games) == [0, 1]
    assert file.read_bytes().startswith(whole), "finished games are not repeated"
    cut = file.read_bytes()[:-7]
    file.write_bytes(cut)
    assert find_puzzles(file, head, 2).games == again.games
    assert read_found(file).games == again.games
    with pytest.raises(FoundError, match="other"):
        find_puzzles(file, head_of("deep-sea", {}, 6), 2)
    file.write_text("nonsense\n")
    with pytest.raises(FoundError, match="foreign"):
        read_found(file)


def test_the_selection_has_hard_puzzles_of_several_kinds() -> None:
    known = puzzles_of("deep-sea")
    hard = [puzzle for puzzle in known if not puzzle.solved_by_greedy]
    easy = [puzzle for puzzle in known if puzzle.solved_by_greedy]
    chosen = choose_puzzles(easy + hard, 8)
    assert len(chosen) == 8
    assert sum(puzzle.solved_by_greedy for puzzle in chosen) <= 4
    assert len({kind_of(puzzle.best.action) for puzzle in chosen}) >= 3
    without_reason = structs.replace(
        hard[0],
        facts=structs.replace(
            hard[0].facts,
            points=tuple(structs.replace(pair, best=pair.next) for pair in hard[0].facts.points),
            hopes={"home": structs.replace(hard[0].facts.hopes["home"], best=0.5, next=0.5)},
        ),
    )
    assert choose_puzzles([without_reason], 1) == []
