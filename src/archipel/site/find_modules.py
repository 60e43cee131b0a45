"""Find the modules of the standard library that tables in a browser need; runs in Pyodide.

Imports every included module and every module that they name, and begins a game of every kind.
Writes ``/work/stdlib.zip`` with the modules of ``/work/all_stdlib.zip`` that are then loaded. The
names in ``/work/left_out.json`` are not followed.
"""

from __future__ import annotations

import ast
import asyncio
import importlib
import json
import logging
import random
import sys
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

LIBRARY = "/lib/msgspec/_core.so"
STANDARD_LIBRARY = f"/lib/python3{sys.version_info.minor}.zip/"
WORK = Path("/work")
#: Files that are loaded before anything can be imported, or only with an error.
ALWAYS = (
    *(f"encodings/{name}.pyc" for name in ("__init__", "aliases", "ascii", "latin_1", "utf_8")),
    "importlib/resources/",
    "zipfile/",
    "traceback",
    "linecache",
    "tokenize",
)


class ExtensionFinder:
    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name == "msgspec._core":
            loader = ExtensionFileLoader(name, LIBRARY)
            return spec_from_file_location(name, LIBRARY, loader=loader)
        return None


class Rows(dict[str, bytes]):
    """The database of the exercise."""

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        return sorted(row for row in self.items() if first <= row[0] < end)[:limit]

    async def get(self, key: str) -> bytes | None:  # type: ignore[override]
        return dict.get(self, key)

    async def commit(self, rows: Sequence[tuple[str, bytes | None]]) -> None:
        self.update((key, row) for key, row in rows if row is not None)

    async def close(self) -> None: ...


async def begin_games() -> None:
    """Begin a game of every kind, let bots move, and look at everything."""
    from archipel.rules.all_games import games
    from archipel.tab.authority import Authority
    from archipel.tab.browser_store import BrowserStore
    from archipel.tables import TableService
    from archipel.tables.bots.executor import BotAnswer, BotQuestion

    class RandomBots:
        def start(self) -> None: ...

        async def choose(
            self, asked: BotQuestion, seconds: float, *, consider: bool = False
        ) -> BotAnswer:
            return BotAnswer(int(random.choice(list(asked.legal))), asked.bot)

        async def stop(self) -> None: ...

    store = await BrowserStore.open(Rows())
    service = TableService(store, bot_executor=RandomBots())
    await service.start()
    authority = Authority(service, store)

    async def ask(path: str, body: object = None) -> Any:
        given = None if body is None else json.dumps(body)
        status, text = await authority.ask(path, "fr", given)
        assert status < 500, (path, text)
        return json.loads(text)

    for game in games():
        seats = [{}, *({"bot": "greedy"} for _ in range(game.seats[0] - 1))]
        wish = {"game": game.name, "seats": seats, "my_name": "A", "begin": True}
        seated = await ask("/api/tables", wish)
        heard: list[str] = []
        channel = authority.open(seated["table"], heard.append, lambda: None)
        hello = {"type": "hello", "token": seated["token"], "protocol": 2, "hurried": True}
        for message in (hello, {"type": "ask_view", "id": "v", "n": 1}, {"type": "nothing"}):
            channel.receive(json.dumps(message))
        await asyncio.sleep(0.5)
        assert heard
        for part in ("", "/position", "/record", "/course", "/lines/3/1"):
            with suppress(ValueError):
                await ask(f"/api/tables/{seated['table']}{part}")
        channel.close()
    await ask("/api/records", {"record": "archipel record 1"})
    await authority.export_tables("")
    try:
        raise ValueError
    except ValueError as error:
        logging.getLogger("archipel").error("an error with its traceback", exc_info=error)
    await service.stop()


def named_modules(left_out: set[str]) -> set[str]:
    """The included modules, and those of the standard library that they import."""
    names: set[str] = set()
    packages = WORK / "packages"
    for path in sorted(packages.rglob("*.py")):
        own = path.relative_to(packages).with_suffix("").as_posix().replace("/", ".")
        names.add(own.removesuffix(".__init__"))
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    known = {*sys.stdlib_module_names, "archipel"}
    return {name for name in names if name.split(".")[0] in known - left_out}


async def main() -> None:
    sys.path.insert(0, "/work/archipel.zip")
    sys.meta_path.insert(0, ExtensionFinder)
    left_out = set(json.loads((WORK / "left_out.json").read_text()))
    await begin_games()
    for name in sorted(named_modules(left_out)):
        with suppress(ImportError):
            importlib.import_module(name)
    specs = (module.__spec__ for module in list(sys.modules.values()))
    origins = {spec.origin or "" for spec in specs if spec is not None}
    loaded = {
        f"{origin.removeprefix(STANDARD_LIBRARY)}c"
        for origin in origins
        if origin.startswith(STANDARD_LIBRARY)
    }
    with (
        zipfile.ZipFile(WORK / "all_stdlib.zip") as everything,
        zipfile.ZipFile(WORK / "stdlib.zip", "w", zipfile.ZIP_STORED) as target,
    ):
        for name in everything.namelist():
            if name in loaded or name.startswith(ALWAYS):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                target.writestr(entry, everything.read(name))
