"""The site: every page is in it, every link has a target, nothing is loaded from other hosts."""

from __future__ import annotations

import html
import inspect
import json
import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.all_games import HOUSE_GAMES
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition
from tests.support.documents import ROOT, built_documents
from tools.documents import __main__ as command
from tools.documents import building
from tools.documents.checking import faults
from tools.documents.guides import Guides, address_of
from tools.documents.interface import API_PAGES, public_names, signature
from tools.documents.navigation import read_plan
from tools.documents.pages import DocumentsError
from tools.documents.pictures import read_pictures
from tools.documents.sources import FRONT, PAGES_OUTSIDE_DOCS, STAMP, hash_of_sources, is_stale

TAGS = re.compile(r"<[^>]+>")


def read(name: str) -> str:
    return (built_documents() / name).read_text("utf-8")


def words(text: str) -> str:
    return " ".join(html.unescape(TAGS.sub("", text)).split())


# ---- the whole site ------------------------------------------------------------------------------


def test_a_built_site_has_no_faults_and_records_its_sources() -> None:
    assert faults(built_documents()) == []
    assert not is_stale(ROOT, built_documents())


def test_every_page_is_in_the_navigation_of_every_page() -> None:
    sources = list(PAGES_OUTSIDE_DOCS)
    sources += [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    expected = {address_of(source) for source in sources} | {page.address for page in API_PAGES}
    expected |= {f"rules/{game.name}.{tongue}.html" for game in HOUSE_GAMES for tongue in LANGUAGES}
    pages = {path.relative_to(built_documents()).as_posix() for path in htmls()}
    assert pages == expected
    menu = read("index.html").partition('<details class="menu"')[2].partition("</details>")[0]
    named = re.findall(r'<a href="([^"]+)"', menu)
    assert sorted(named) == sorted(expected)


def htmls() -> list[Path]:
    return sorted(built_documents().rglob("*.html"))


def test_a_new_page_is_listed_and_a_new_folder_needs_a_section() -> None:
    sources = list(Guides(ROOT, {}, {}).addresses)
    plan = read_plan(ROOT, [*sources, "docs/brewing-tea.md", "docs/studies/tea.md"])
    where = {source: section.title for section in plan for source in section.sources}
    assert where["docs/brewing-tea.md"] == "From Python"
    assert where["docs/studies/tea.md"] == "Measured"
    with pytest.raises(DocumentsError, match=r"no section for docs/recipes/tea\.md"):
        read_plan(ROOT, [*sources, "docs/recipes/tea.md"])
    with pytest.raises(DocumentsError, match=r"names docs/search\.md, which does not exist"):
        read_plan(ROOT, [source for source in sources if source != "docs/search.md"])


def test_the_front_page_is_for_players_in_both_languages() -> None:
    """The menu begins with the language of the page; each page links to the other language."""
    pages = {"en": read("index.html"), "fr": read("index.fr.html")}
    first = {
        "en": ["Play", "Rules of the games", "Start"],
        "fr": ["Jouer", "Règles du jeu", "Play"],
    }
    for language, page in pages.items():
        assert f'<html lang="{language}">' in page
        assert re.findall(r"<h2>([^<]*)</h2>", page)[:3] == first[language]
        assert "python3" not in page
        other = "index.fr.html" if language == "en" else "index.html"
        assert f'<p class="twins"><a href="{other}"' in page
        for game in HOUSE_GAMES:
            assert f'href="rules/{game.name}.{language}.html">r' in page
    assert 'class="brand" href="../index.fr.html"' in read("rules/atlantis.fr.html")
    assert 'class="brand" href="../index.html"' in read("rules/atlantis.en.html")


def test_pages_have_a_description_for_search_engines() -> None:
    for path in htmls():
        found = re.findall(r'<meta name="description" content="([^"]*)">', path.read_text("utf-8"))
        assert len(found) == 1, path.name
        assert 5 <= len(html.unescape(found[0])) <= 160, path.name


def test_immutable_files_are_named_by_their_hash() -> None:
    page = read("studies/search.html")
    for kind in ("style", "script", "theme", "index", "icon"):
        assert re.search(rf"\.\./look/{kind}-[0-9a-f]{{10}}\.", page), kind


# ---- faults are found ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">x</a>', "page.html: gone.html leads nowhere"),
        ('<a href="#gone">x</a>', "page.html: #gone has no such anchor"),
        ('<a href="other.html#gone">x</a>', "page.html: other.html#gone has no such anchor"),
        ('<img src="">', "page.html: an empty link leads nowhere"),
        ('<img src="//host/a.png">', "page.html: fetches //host/a.png from elsewhere"),
        (
            '<script src="https://host/a.js"></script>',
            "page.html: fetches https://host/a.js from elsewhere",
        ),
        ("<script>1</script>", "page.html: script runs inside the page"),
        ("<style>p {}</style>", "page.html: style runs inside the page"),
        ('<p onclick="x()">', "page.html: p onclick runs inside the page"),
        ('<p id="a"><p id="a">', "page.html: #a is there twice"),
    ],
)
def test_faults_of_a_page_are_reported(tmp_path: Path, body: str, fault: str) -> None:
    (tmp_path / "page.html").write_text(body)
    (tmp_path / "other.html").write_text('<h1 id="here">x</h1>')
    assert faults(tmp_path) == [fault]


def test_a_page_without_faults_has_none(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<a href="sub/other.html#here">x</a><a href="https://host/">x</a><a href="/">x</a>'
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "other.html").write_text('<a id="here" href="../page.html">x</a>')
    assert faults(tmp_path) == []
    (tmp_path / "look.css").write_text("p { background: url(https://host/a.png) }")
    assert faults(tmp_path) == ["look.css: loads something from elsewhere"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources of the site, without the package."""
    root = tmp_path / "checkout"
    for name in ("docs", *PAGES_OUTSIDE_DOCS, "client/src/look", "client/public"):
        source, goal = ROOT / name, root / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            ignored = shutil.ignore_patterns("rules-index.md", "navigation.json")
            shutil.copytree(source, goal, ignore=ignored)
        else:
            shutil.copyfile(source, goal)
    for page in (*(root / "docs").rglob("*.md"), *(root / name for name in PAGES_OUTSIDE_DOCS)):
        page.write_text(f"# {page.stem}\n")
    (root / "README.md").write_text("# Archipel\n\n[Prompt](docs/prompt.md)\n")
    sections = [
        {"title": "Play", "pages": [FRONT[0]]},
        {"title": "Jouer", "language": "fr", "pages": [FRONT[1]]},
        {"title": "Start", "pages": [*PAGES_OUTSIDE_DOCS[:-1]]},
        {"title": "From Python", "others": "docs/*.md"},
        {"title": "For machines that learn", "others": "docs/environments/*.md"},
        {"title": "Measured", "pages": ["benchmarks/README.md"], "others": "docs/studies/*.md"},
    ]
    (root / "docs" / "navigation.json").write_text(json.dumps(sections))
    return root


def test_a_failed_build_does_not_change_the_site(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    building.build(checkout, folder)
    before = (folder / "index.html").read_text("utf-8")
    for text, message in (
        ("# Archipel\n\n[Tea](docs/tea.md)\n", r"README\.md links to docs/tea\.md"),
        ("# Archipel\n\n[Prompt](docs/prompt.md#tea)\n", r"prompt\.html#tea has no such anchor"),
        ("Tea\n", r"README\.md does not start with a first-level heading"),
        ("# Archipel\n\n<script>1</script>\n", "script runs inside the page"),
    ):
        (checkout / "README.md").write_text(text)
        with pytest.raises(DocumentsError, match=message):
            building.build(checkout, folder)
        assert (folder / "index.html").read_text("utf-8") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkout", "site"]


def test_changed_sources_make_a_site_stale(checkout: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert is_stale(checkout, folder)
    folder.mkdir()
    for change in ("docs/prompt.md", "docs/pictures/atlantis.json", "client/src/look/base.css"):
        (folder / STAMP).write_text(hash_of_sources(checkout))
        assert not is_stale(checkout, folder)
        with (checkout / change).open("a") as file:
            file.write("\n")
        assert is_stale(checkout, folder), change


def test_the_command_overwrites_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letters.txt").write_text("dear Ana")
    assert command.main(["--into", str(tmp_path)]) == 2
    assert "contains other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]
    # An up-to-date site is not built again.
    monkeypatch.setattr(command, "build", lambda root, folder: pytest.fail("built again"))
    assert command.main(["--when-stale", "--into", str(built_documents())]) == 0


# ---- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: str(game.name))
def test_the_rules_agree_with_the_booklet(game: Definition[Any], language: str) -> None:
    page = read(f"rules/{game.name}.{language}.html")
    shown = words(page)
    assert f'<html lang="{language}">' in page
    for rule in game.booklet(language):
        assert f'<section class="rule" id="{rule.id}">' in page
        assert words(str(rule).replace("`", "")) in shown, rule.id
    other = "fr" if language == "en" else "en"
    assert f'href="{game.name}.{other}.html" hreflang="{other}"' in page


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: str(game.name))
def test_each_game_has_pictures_beside_its_rules(game: Definition[Any]) -> None:
    pictures = read_pictures(ROOT, game)
    assert len(pictures) >= 5
    for language in LANGUAGES:
        page = read(f"rules/{game.name}.{language}.html")
        for picture in pictures:
            rule = page.partition(f'id="{picture.rule}"')[2].partition("</section>")[0]
            assert html.escape(picture.caption[language]) in rule
            images = re.findall(r'<img src="(pictures/[^"]+)"', rule)
            assert len(images) >= (2 if picture.play else 1)
            drawn = [read(f"rules/{image}") for image in images]
            assert len(set(drawn)) == len(drawn), "nothing changes between before and after"


def test_nothing_hidden_is_in_a_picture() -> None:
    """Hidden parts of a position are dealt at random, but not drawn."""
    game = next(each for each in HOUSE_GAMES if each.name == "deep-sea")
    picture = next(each for each in read_pictures(ROOT, game) if each.rule == "DS-S1")
    unknown = game.drawing(game.parse_position(picture.position), "en")
    assert picture.drawings(game, "en") == [unknown]


def test_captions_follow_french_typography() -> None:
    for game in HOUSE_GAMES:
        for picture in read_pictures(ROOT, game):
            text = picture.caption["fr"]
            assert not re.search(r"(?<![\u00a0\u202f])[;:!?»]|«(?!\u00a0)|'", text), text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "DS-T99"}, "there is no rule 'DS-T99'"),
        ({"position": "seats=9"}, "DS-T3: "),
        ({"play": [["take", None]]}, "DS-T3: "),
        ({"play": [["dive", "7 7"]]}, "DS-T3: "),
        ({"caption": {"en": "A dive."}}, "a caption is needed in en, fr"),
        ({"frame": [0, 0, 9000, 9]}, "the frame is not within"),
        ({"frame": [0, 0, 9]}, "left, top, width and height"),
        ({"size": 3}, "no picture has size"),
    ],
)
def test_an_invalid_picture_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    entry = {"rule": "DS-T3", "position": "seats=2", "caption": {"en": "A.", "fr": "B."}} | change
    folder = tmp_path / "docs" / "pictures"
    folder.mkdir(parents=True)
    (folder / "deep-sea.json").write_text(json.dumps([entry]))
    game = next(each for each in HOUSE_GAMES if each.name == "deep-sea")
    with pytest.raises(DocumentsError, match=re.escape(message)):
        [picture.drawings(game, "en") for picture in read_pictures(tmp_path, game)]


# ---- the API pages and the search ----------------------------------------------------------------


def test_the_api_page_has_every_export_with_its_description() -> None:
    for page in API_PAGES:
        content = read(page.address)
        shown = words(content)
        for module in page.modules:
            exported = import_module(module)
            for name in public_names(exported):
                assert f'id="{module}.{name}"' in content
                thing = getattr(exported, name)
                if inspect.isclass(thing) or inspect.isroutine(thing):
                    first = (thing.__doc__ or "").strip().partition("\n")[0].replace("`", "")
                    assert first, f"{module}.{name} has no description"
                    generated = first.startswith(f"{name}(")
                    assert generated or words(html.escape(first)) in shown, name
        assert " at 0x" not in content
    assert 'id="archipel.Game.play"' in read("python.html")


def test_the_search_index_has_pages_headings_rules_and_names() -> None:
    (index,) = (built_documents() / "look").glob("index-*.js")
    text = index.read_text("utf-8")
    entries = json.loads(text.removeprefix("archipelFound(").removesuffix(");\n"))
    found = {
        (address, language): (title, heading) for address, title, heading, _, language in entries
    }
    assert found["architecture.html", "en"] == ("Architecture", "")
    assert found["data-files.html#positions", "en"] == ("Data files", "Positions")
    assert found["rules/the-island.fr.html#IS-K9", "fr"] == ("The Island", "IS-K9")
    assert found["python.html#archipel.Game.play", "en"][1] == "Game.play"
    pages = {address.partition("#")[0] for address, _ in found}
    assert pages == {path.relative_to(built_documents()).as_posix() for path in htmls()}


def test_no_signature_contains_an_address_in_memory() -> None:
    """Two builds of one commit must be equal."""

    def called(after: object = len, then: object = lambda: 0) -> None: ...

    assert " at 0x" in str(inspect.signature(called))
    assert " at 0x" not in signature(called, "called")
