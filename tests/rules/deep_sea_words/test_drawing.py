"""The drawing is valid SVG, has a text description and hides unknown values."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from archipel import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.drawing import DIVERS, drawing
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Stream
from tests.rules.deep_sea_words.random_games import LANGUAGES, finished_games, steps, view

SVG = "{http://www.w3.org/2000/svg}"


def sample_positions() -> list[State]:
    found = []
    for game in finished_games()[:6]:
        found += [before for before, *_ in steps(game)][::9]
        found.append(game.state)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawings_are_valid_svg_with_a_description(language: str) -> None:
    for s in sample_positions():
        root = ElementTree.fromstring(drawing(s, language))
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert title.text
        assert description is not None
        assert description.text
        assert description.text.count(".") >= s.seats


def test_drawings_contain_no_ids_scripts_or_links() -> None:
    """A page can therefore contain several drawings."""
    text = drawing(Game.new("deep-sea", 6, seed=1).state, "en")
    assert not re.search(r"\bid=|<script|href|url\(", text)


def test_circles_lie_inside_the_view_box() -> None:
    for s in sample_positions():
        root = ElementTree.fromstring(drawing(s, "en"))
        _, _, width, height = (float(part) for part in root.get("viewBox", "").split())
        for circle in root.iter(f"{SVG}circle"):
            assert 0 < float(circle.get("cx", "")) < width
            assert 0 < float(circle.get("cy", "")) < height


def test_the_drawing_of_a_view_shows_no_hidden_value() -> None:
    for number, s in enumerate(sample_positions()):
        other_world = DEEP_SEA.resample(s, 0, Stream(number))
        assert drawing(view(s, 0), "en") == drawing(view(other_world, 0), "en")


def test_divers_differ_in_colour_and_shape() -> None:
    assert len({fill for fill, _, _ in DIVERS}) == len(DIVERS)
    assert len({shape for _, _, shape in DIVERS}) == len(DIVERS)


def luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_letters_contrast_with_their_diver() -> None:
    for fill, ink, shape in DIVERS:
        lighter, darker = sorted((luminance(fill), luminance(ink)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.2, shape
