"""The documents as a built site, under ``/docs``: files read when they are first asked for.

A wheel carries the site; in a checkout ``tools.documents`` builds it, perhaps while the server
already runs. So each request looks whether another site has come in place of the known one.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from archipel.serve.client_files import File, load_file

FOLDER = Path(__file__).parent / "documents"
ADDRESS = "/docs"

#: Files in here carry a hash of their content in their name, so they never change.
_HASHED = "look/"
_STAMP = ".sources"
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archipel</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"></head>
<body><p>The documents have not been built: <code>python -m tools.documents</code> builds them.</p>
<p lang="fr">Les documents n’ont pas été construits : \
<code>python -m tools.documents</code> les construit.</p>
</body></html>
"""
_NOT_THERE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archipel</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"></head>
<body><p>There is no such page. <a href="/docs/">To the documents</a></p>
<p lang="fr">Cette page n’existe pas. <a href="/docs/">Vers les documents</a></p>
</body></html>
"""


class DocumentFiles:
    """The files of the site in a folder, by path."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._known: tuple[int, int] | None = None
        self._names: frozenset[str] = frozenset()
        self._files: dict[str, File] = {}

    def answer(self, request: Request, path: str) -> Response:
        self._look_again()
        if not self._names:
            return HTMLResponse(_NOT_BUILT, 503, headers={"Cache-Control": "no-store"})
        if request.url.path == ADDRESS:  # links are relative to the folder
            return RedirectResponse(f"{ADDRESS}/", 307)
        file = self._find(path or "index.html")
        if file is None:
            return HTMLResponse(_NOT_THERE, 404, headers={"Cache-Control": "no-store"})
        return file.answer(request)

    def _find(self, name: str) -> File | None:
        # Only names that were found in the folder: no path of a stranger reaches the disk.
        if name not in self._names:
            return None
        if name not in self._files:
            try:
                found = load_file(self._folder / name, forever=name.startswith(_HASHED))
            except OSError:  # the site has just gone, or another comes
                return None
            self._files[name] = found
        return self._files[name]

    def _look_again(self) -> None:
        """Forget everything when another site, or none, lies in the folder."""
        try:
            status = (self._folder / _STAMP).stat()
        except OSError:
            stamp = None
        else:
            stamp = (status.st_ino, status.st_mtime_ns)
        if stamp == self._known:
            return
        self._known, self._files = stamp, {}
        self._names = frozenset(() if stamp is None else _names_in(self._folder))


def _names_in(folder: Path) -> list[str]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    names = [path.relative_to(folder).as_posix() for path in paths]
    return [name for name in names if not any(part.startswith(".") for part in name.split("/"))]
