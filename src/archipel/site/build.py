"""Make the folder of a static site: client, engines, texts of the games, documents and Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from archipel.bots.engine.modules import module_names, ready_engine
from archipel.bots.external.line_process import python_command, python_environment
from archipel.rules.all_games import games
from archipel.rules.booklet import LANGUAGES
from archipel.serve.api import game_content
from archipel.serve.client_build import BuildFailed, ClientBuild
from archipel.serve.document_build import CHECKOUT, can_build_documents
from archipel.serve.engine_files import BUILDER, EngineFiles
from archipel.serve.static_files import CLIENT_FOLDER, DOCUMENTS_FOLDER, SITE_MARK
from archipel.site.downloads import required_node
from archipel.site.meeting import Meeting
from archipel.site.offline import WORKER, write_service_worker
from archipel.site.pages import redirecting_page, site_manifest, site_page
from archipel.site.python_runtime import make_runtime
from archipel.tables.bots.players import bots_for

#: Gets the key of the sentence for each step.
Report = Callable[[str], None]


@dataclass(frozen=True)
class Site:
    """What was built."""

    files: int
    size: int
    games: int


def build_site(target: Path, base: str | None, report: Report, meeting: Meeting) -> Site:
    """Write a site to a new or empty folder, or in place of an older site.

    ``base`` is the path of the folder at its host; with it, unknown addresses lead to the page.
    ``meeting`` names the servers that help friends' devices meet.
    Raises `BuildFailed` or `OSError`; then nothing has changed.
    """
    if target.exists() and not target.is_dir():
        raise BuildFailed(f"{target} is a file")
    if target.is_dir() and any(target.iterdir()) and not (target / SITE_MARK).is_file():
        raise BuildFailed(f"{target} contains other files: name a new or empty folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".archipel-site-") as folder:
        made = Path(folder) / "site"
        made.mkdir()
        _fill(made, base, report, meeting)
        if target.exists():
            target.replace(Path(folder) / "before")
        made.rename(target)
    files = [path for path in target.rglob("*") if path.is_file()]
    return Site(len(files), sum(path.stat().st_size for path in files), len(list(games())))


def _fill(folder: Path, base: str | None, report: Report, meeting: Meeting) -> None:
    _copy_client(folder, report)
    documents = _copy_documents(folder, report)
    _write_games(folder, report)
    runtime = make_runtime(folder, report)
    page = (folder / "index.html").read_text("utf-8")
    (folder / "index.html").write_text(
        site_page(page, runtime, meeting, documents=documents), "utf-8"
    )
    manifest = folder / "manifest.webmanifest"
    manifest.write_text(site_manifest(manifest.read_text("utf-8")), "utf-8")
    write_service_worker(folder)
    if base is not None:
        (folder / "404.html").write_text(redirecting_page(base), "utf-8")
    # Public forges would otherwise leave out some files.
    (folder / ".nojekyll").write_bytes(b"")
    (folder / SITE_MARK).write_bytes(msgspec.json.encode({"runtime": runtime, "base": base}))


def _copy_client(folder: Path, report: Report) -> None:
    build = ClientBuild(CHECKOUT)
    if build.is_stale():
        report("site.client")
        build.build(required_node())
    if not (CLIENT_FOLDER / "index.html").is_file():
        raise BuildFailed("this installation has no browser client")
    ignored = shutil.ignore_patterns(".*", WORKER)
    shutil.copytree(CLIENT_FOLDER, folder, dirs_exist_ok=True, ignore=ignored)


def _copy_documents(folder: Path, report: Report) -> bool:
    """Copy the documents; returns whether there are any."""
    if can_build_documents():
        report("site.documents")
        done = subprocess.run(
            [sys.executable, "-m", "tools.documents", "--when-stale"],
            cwd=CHECKOUT,
            env=python_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BuildFailed(f"the documents could not be built: {reason}")
    if not (DOCUMENTS_FOLDER / "index.html").is_file():
        return False
    shutil.copytree(DOCUMENTS_FOLDER, folder / "docs", ignore=shutil.ignore_patterns(".*"))
    return True


def _write_games(folder: Path, report: Report) -> None:
    """Write the engines, and the responses of the API that are the same for everybody."""
    report("site.engines")
    engines = EngineFiles(dict(_engines()))
    for module in module_names():
        name = (engines.address(module) or "")[1:]
        file = engines.find(name)
        assert file is not None
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(file.content)
    for path, content in _responses(engines):
        target = folder / f"api/{path}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(msgspec.json.encode(content))


def _engines() -> Iterator[tuple[str, bytes]]:
    """Engines and checkers of this package, or built now, in processes of their own."""
    for name in module_names():
        module = ready_engine(name)
        if module is None:
            done = subprocess.run(
                python_command(BUILDER, name),
                env=python_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            if done.returncode:
                lines = done.stderr.decode(errors="replace").strip().splitlines()
                reason = (lines or ["no reason given"])[-1]
                raise BuildFailed(f"the engine {name} could not be built: {reason}")
            module = done.stdout
        yield name, module


def _responses(engines: EngineFiles) -> Iterator[tuple[str, Any]]:
    yield "games", game_content.describe_games(bots_for, engines)
    for game in games():
        yield f"puzzles/{game.name}", game_content.puzzles_text(game.name)
        for language in LANGUAGES:
            yield f"rules/{game.name}/{language}", game_content.rules_text(game.name, language)
            yield f"sentences/{game.name}/{language}", game_content.sentences(game.name, language)
            yield f"lessons/{game.name}/{language}", game_content.lessons_text(game.name, language)
