"""A lesson replayed: its jumps lead to positions that the game could reach, and are announced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from archipel.lessons import Lesson
from archipel.lessons.lesson_library import read_lessons
from archipel.rules.all_games import game_named
from archipel.serve.api.game_content import lessons_text
from archipel.tables.cluster.presence import PresenceTracker
from archipel.tables.log import events
from archipel.tables.publishing.views import show_table
from tests.lessons.pupil import Pupil

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")
LESSONS = [lesson for game in GAMES for lesson in read_lessons(game)]
SAFE = frozenset({"nw", "ne", "sw", "se"})
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.file)

#: A position: its words by name.
Words = dict[str, str]


@each_lesson
def test_the_accepted_actions_are_published(lesson: Lesson) -> None:
    """The page emphasizes the button of an accepted action, and no other one."""
    pupil = Pupil(lesson)
    while not pupil.is_over:
        progress = show_table(pupil.table, PresenceTracker(0), 0).lesson
        assert progress is not None
        assert progress.accepted == list(pupil.allowed())
        assert progress.waits == bool(progress.accepted)
        pupil.goes_on()


@each_lesson
def test_jumps_are_announced(lesson: Lesson) -> None:
    texts = {each.name: each for each in lessons_text(lesson.game, "en").lessons}
    later = [step.later for step in texts[lesson.name].steps]
    assert later == [False, *(step.position is not None for step in lesson.steps[1:])]


@each_lesson
def test_jumps_are_possible(lesson: Lesson) -> None:
    pupil, definition = Pupil(lesson), game_named(lesson.game)

    def seen(state: Any) -> Words:
        """What the learner sees: hidden values and symbols may be dealt anew."""
        return words_of(definition.position_text(definition.seen(state, lesson.seat)))

    while not pupil.is_over:
        before = seen(pupil.table.state)
        for event in pupil.goes_on():
            if isinstance(event, events.StepBegun) and event.position is not None:
                after = seen(definition.parse_position(event.position))
                found = list(CHECKS[lesson.game](before, after))
                assert found == [], (lesson.file, pupil.step.line)


def words_of(position: str) -> Words:
    return dict(word.split("=", 1) for word in position.replace("?", "").split())


def items(position: Words, name: str) -> list[str]:
    return [each for each in position.get(name, "-").split(",") if each != "-"]


# ---- what no sequence of turns changes -----------------------------------------------------------


def deep_sea(before: Words, after: Words) -> Iterator[str]:
    if before["round"] != after["round"]:
        return
    if int(after["air"]) >= int(before["air"]):
        yield f"air {before['air']} became {after['air']}"
    for diver in (name for name in before if name.startswith("diver")):
        (start, held), (end, holds) = (split_diver(each[diver]) for each in (before, after))
        turned = "<" in after[diver]
        if not turned and end < start:
            yield f"{diver} came back from {start} to {end} without turning"
        if not held <= holds:
            yield f"{diver} no longer has {sorted(held - holds)}"


def split_diver(text: str) -> tuple[int, set[str]]:
    """The space of a diver, and the chips in hand without their points."""
    place, _, held = text.rstrip("]").partition("[")
    chips = {chip.partition(":")[0] for chip in held.split(",") if chip}
    return 0 if place.startswith("sub") else int(place.rstrip("<>")), chips


def sinking_island(colours: tuple[str, ...], gone: str) -> Callable[[Words, Words], Iterator[str]]:
    """Check The Island or Atlantis; ``gone`` names the tiles that have left the game."""

    def check(before: Words, after: Words) -> Iterator[str]:
        land, left = (tiles(each, "land") for each in (before, after))
        placing = before["phase"].startswith("place")
        if not left.keys() <= land.keys():
            yield f"land came back: {sorted(left.keys() - land.keys())}"
        if not placing and left.keys() == land.keys():
            yield "no tile was removed"
        kept = {name for name in before if name.startswith("hand")} | {gone}
        for tile, back in (pair for name in kept for pair in tiles(before, name).items()):
            now = {t: b for name in kept for t, b in tiles(after, name).items()}
            if back and now.get(tile) != back:
                yield f"{tile} was {back} and is {now.get(tile)}"
        for colour in colours:
            people = zip(items(before, colour), items(after, colour), strict=False)
            for number, (was, is_now) in enumerate(people, 1):
                yield from (f"{colour} {number} {why}" for why in moved(was, is_now, land, left))
        for kind in ("boats", *(name for name in before if name.endswith(("s", "es")))):
            for was, is_now in zip(
                before.get(kind, "").split(","), after.get(kind, "").split(","), strict=False
            ):
                if (was == "x" and is_now != "x") or (was not in "-x" and is_now == "-"):
                    yield f"{kind}: {was} became {is_now}"

    return check


def tiles(position: Words, name: str) -> dict[str, str]:
    """The tiles that a word lists: space and back."""
    found = {}
    for each in items(position, name):
        tile, _, back = each.partition(":")
        found[tile] = back
    return found


def moved(was: str, is_now: str, land: dict[str, str], left: dict[str, str]) -> Iterator[str]:
    """Why a person cannot have gone from one place to the other."""
    (start, _, value), (end, _, values) = was.partition(":"), is_now.partition(":")
    spaces, spaces_left = ({tile.rstrip("bfm") for tile in each} for each in (land, left))
    if value and values and value != values:
        yield f"was worth {value} and is worth {values}"
    if (start == "lost" or start in SAFE) and end != start:
        yield f"left {start}"
    if start not in spaces and end in spaces_left:
        yield f"went from {start} back to the island"


def mauna_kea(before: Words, after: Words) -> Iterator[str]:
    if not set(items(before, "board")) <= set(items(after, "board")):
        yield "a tile left the board"
    for colour in ("white", "grey", "black"):
        if len(items(before, colour)) != len(items(after, colour)):
            yield f"the number of {colour} artefacts changed"
    if not set(items(before, "rejected1")) <= set(items(after, "rejected1")):
        yield "a rejected card came back"
    if not set(items(after, "cards1")) <= set(items(before, "cards1")):
        yield "a card was not dealt"


CHECKS: dict[str, Callable[[Words, Words], Iterator[str]]] = {
    "deep-sea": deep_sea,
    "the-island": sinking_island(("white", "yellow", "sky", "vermilion"), "out"),
    "atlantis": sinking_island(("red", "blue", "yellow", "green"), "sunk"),
    "mauna-kea": mauna_kea,
}


@pytest.mark.parametrize(
    ("game", "before", "after", "fault"),
    [
        ("deep-sea", "air=9 diver1=10>[a1:2]", "air=8 diver1=8>[a1:2]", "without turning"),
        ("deep-sea", "air=9 diver1=10>[a1:2]", "air=8 diver1=8<[b1:2]", "no longer has ['a1']"),
        ("deep-sea", "air=9 diver1=3>", "air=9 diver1=4>", "air 9 became 9"),
        ("the-island", "white=lost:2", "land=d4b white=boat1:2", "white 1 left lost"),
        ("the-island", "white=boat1:2", "land=d4b white=d4:2", "back to the island"),
        ("the-island", "white=d4:2", "land=d4b white=d4:3", "was worth 2 and is worth 3"),
        ("the-island", "white=d4:2", "land=d4b,d5b white=d4:2", "no tile was removed"),
        ("the-island", "out=e4b:shark", "land=d4b out=e4b:wind", "e4b was shark and is wind"),
        ("the-island", "boats=x,c4", "land=d4b boats=c3,c4", "boats: x became c3"),
        ("atlantis", "land=d4 red=nw", "land=d4,d6 red=nw", "land came back: ['d6']"),
        ("mauna-kea", "board=e1:s14", "board=e2:jjjj3", "a tile left the board"),
    ],
)
def test_an_impossible_jump_is_found(game: str, before: str, after: str, fault: str) -> None:
    base = {"round": "1", "phase": "move", "land": "d4b,d5b"}
    found = CHECKS[game](base | words_of(before), {"round": "1"} | words_of(after))
    assert any(fault in each for each in found)
